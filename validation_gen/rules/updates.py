"""Rules about what an update may change: `immutable` (tag reference 2.2)."""

from __future__ import annotations

from validation_gen.ir import Emission, Test, When
from validation_gen.rules.base import Context, Lowered, Rule, Scope
from validation_gen.rules.registry import register
from validation_gen.tags.model import Tag


@register
class Immutable(Rule):
    """Fails whenever an update gets to it, because unchanged values are not looked at in the first place.

    So setting, clearing and changing are all refused, and so is an item that has no old counterpart.
    """

    name = "k8s:immutable"
    scopes = frozenset({Scope.TYPE, Scope.FIELD, Scope.LIST_VALUE, Scope.MAP_VALUE})
    doc = "The value may not change once the object is created."
    example = "+k8s:immutable"

    def lower(self, context: Context, tag: Tag) -> Lowered:
        emission = Emission("FieldValueInvalid", "immutable")
        return Lowered([context.check(tag, Test("immutable", when=When.UPDATE), emission, short_circuit=True)])
