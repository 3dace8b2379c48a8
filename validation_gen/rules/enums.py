"""`enum`: a string type whose constants are its legal values (tag reference 2.2)."""

from __future__ import annotations

from validation_gen.ir import Emission, Test
from validation_gen.rules.base import Context, Lowered, Rule, RuleError, Scope
from validation_gen.rules.registry import register
from validation_gen.tags.model import Tag


@register
class Enum(Rule):
    """Constants count when they are declared with exactly this type in the package of the type."""

    name = "k8s:enum"
    scopes = frozenset({Scope.TYPE})
    doc = "A string type has its constants as the only legal values."
    example = "+k8s:enum"

    def lower(self, context: Context, tag: Tag) -> Lowered:
        if not context.types.is_string(context.type):
            raise RuleError(f"can only be used on string types ({context.types.describe(context.type)})")
        values = {const.value for const, _ in context.constants if isinstance(const.value, str)}
        test = Test("enum", (tuple(sorted(values, key=str.encode)),))
        return Lowered([context.check(tag, test, Emission("FieldValueNotSupported"))])
