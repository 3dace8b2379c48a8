"""`opaqueType`: use a type without its validation (tag reference 2.6)."""

from __future__ import annotations

from dataclasses import dataclass, field

from validation_gen.rules.base import ANY_VALUE, Context, Lowered, Rule, Scope
from validation_gen.rules.differences import KEPT_UNIQUENESS
from validation_gen.rules.fidelity import SchemaForm
from validation_gen.rules.registry import register
from validation_gen.rules.releases import Stability
from validation_gen.sources.model import Field, TypeExpr
from validation_gen.tags.model import Tag


@dataclass(slots=True)
class OpaqueTable:
    """Opaque fields and types, for rules on parts of a type."""

    fields: set[Field] = field(default_factory=set)
    types: set[TypeExpr] = field(default_factory=set)

    def hides(self, context: Context) -> bool:
        return context.field in self.fields or context.types.value(context.type) in self.types


@register
class OpaqueType(Rule):
    """Skips the validation of a type; tags on the field itself still count. Types without source need it."""

    name = "k8s:opaqueType"
    scopes = ANY_VALUE
    doc = "The validation that the type declares for itself is not run here."
    example = "+k8s:opaqueType"
    history = {"1.33": Stability.ALPHA, "1.37": Stability.STABLE}
    schema = SchemaForm("the schema of the type without its rules", idiomatic=(KEPT_UNIQUENESS,))

    def lower(self, context: Context, tag: Tag) -> Lowered:
        table = context.session.state(OpaqueTable)
        if context.scope is Scope.TYPE:
            table.types.add(context.types.value(context.type))
        elif context.scope is Scope.FIELD and context.field is not None:
            table.fields.add(context.field)
        return Lowered(opaque_type=True)
