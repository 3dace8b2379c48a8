"""Limits on sizes and numbers: `maxItems`, `maxLength`, `minimum` (tag reference 2.2)."""

from __future__ import annotations

import re

from validation_gen.ir import Emission, Test
from validation_gen.model import Builtin, List
from validation_gen.rules.base import ANY_VALUE, Context, Lowered, PayloadSpec, Rule, RuleError, Scope
from validation_gen.rules.registry import register
from validation_gen.tags.model import Tag, ValueType
from validation_gen.typesystem import INTEGER_RANGES


def canonical_int(text: str, *, what: str = "int") -> int:
    """An integer written the one canonical way: no plus sign, no leading zeros, no hexadecimal.

    Raises:
        RuleError: with upstream's text.
    """
    if not re.fullmatch(r"[+-]?[0-9]+", text):
        raise RuleError(f'parsing "{text}" as {what}: invalid syntax')
    if str(int(text)) != text:
        raise RuleError(f'"{text}" is not a valid {what} value', help=f"write {int(text)}")
    return int(text)


def _limit(tag: Tag) -> int:
    try:
        limit = canonical_int(tag.value or "")
    except RuleError as error:
        raise RuleError(
            f"failed to parse tag payload as int: {error.message}", code="VG203", span=tag.value_span, help=error.help
        ) from None
    if limit < 0:
        raise RuleError("must be greater than or equal to zero", code="VG203", span=tag.value_span)
    return limit


@register
class MaxItems(Rule):
    """Stops the rest of the list's validation, so that a huge list costs little."""

    name = "k8s:maxItems"
    scopes = ANY_VALUE - {Scope.MAP_KEY}
    payload = PayloadSpec(ValueType.INT, "the largest number of items")
    doc = "A list may have at most this many items."
    example = "+k8s:maxItems=16"

    def lower(self, context: Context, tag: Tag) -> Lowered:
        native = context.types.value(context.type)
        if not isinstance(native, List):
            raise RuleError(f"can only be used on list types ({context.types.describe(context.type)})")
        test = Test("max_items", (_limit(tag),))
        emission = Emission("FieldValueTooMany", "maxItems")
        return Lowered([context.check(tag, test, emission, short_circuit=True)])


@register
class MaxLength(Rule):
    """Counts characters (Unicode code points), as Kubernetes does since 1.36."""

    name = "k8s:maxLength"
    scopes = ANY_VALUE
    payload = PayloadSpec(ValueType.INT, "the largest number of characters")
    doc = "A string may have at most this many characters."
    example = "+k8s:maxLength=63"

    def lower(self, context: Context, tag: Tag) -> Lowered:
        if not context.types.is_string(context.type):
            raise RuleError(f"can only be used on string types ({context.types.describe(context.type)})")
        test = Test("max_length", (_limit(tag),))
        return Lowered([context.check(tag, test, Emission("FieldValueTooLong", "maxLength"))])


@register
class Minimum(Rule):
    """Inclusive; a zero value is compared like any other."""

    name = "k8s:minimum"
    scopes = ANY_VALUE
    payload = PayloadSpec(ValueType.INT, "the smallest number")
    doc = "An integer must be at least this number."
    example = "+k8s:minimum=1"

    def lower(self, context: Context, tag: Tag) -> Lowered:
        bound = _bound(context, tag)
        return Lowered([context.check(tag, Test("minimum", (bound,)), Emission("FieldValueInvalid", "minimum"))])


def _bound(context: Context, tag: Tag) -> int:
    """The number in the payload, checked to be a value of the integer type that the tag stands on."""
    native = context.types.value(context.type)
    if not context.types.is_integer(context.type) or not isinstance(native, Builtin):
        raise RuleError(f"can only be used on integer types ({context.types.describe(context.type)})")
    unsigned = native.name.startswith("u")
    try:
        bound = canonical_int(tag.value or "", what="uint" if unsigned else "int")
        if unsigned and bound < 0:
            raise RuleError(f'parsing "{bound}" as uint: invalid syntax')
        low, high = INTEGER_RANGES[native.name]
        if not low <= bound <= high:
            sized = native.name if native.name[-1].isdigit() else f"{native.name}64"
            raise RuleError(f"value {bound} does not fit in {sized} (range [{low}, {high}])")
    except RuleError as error:
        raise RuleError(
            f"failed to parse tag payload: {error.message}", code="VG203", span=tag.value_span, help=error.help
        ) from None
    return bound
