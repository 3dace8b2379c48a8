"""Limits on the size of lists, maps and strings, and on numbers (tag reference 2.2)."""

from __future__ import annotations

import re
from abc import abstractmethod
from dataclasses import replace
from typing import ClassVar

from validation_gen.ir import Predicate, PredicateSpec, predicates
from validation_gen.rules.base import ANY_VALUE, Context, PayloadSpec, Rule, RuleError, RuleOutput, Scope
from validation_gen.rules.differences import ABSENT_VALUES, CHARACTERS, ZEROS_REFUSED, SchemaForm, of_field
from validation_gen.rules.registry import register
from validation_gen.rules.releases import Change, Stability
from validation_gen.runtime.gotext import go_quote
from validation_gen.runtime.gotime import duration_text, parse_duration
from validation_gen.sources.model import META, Builtin, List, Map
from validation_gen.sources.typesystem import INTEGER_RANGES
from validation_gen.tags.model import Tag, ValueType

_DURATION_PART = re.compile(r"(?=\.?[0-9])([0-9]*)(?:\.[0-9]*)?([^.0-9]*)")
_DURATION_AS_TEXT = (
    "its values are texts; bound them with "
    "+kubebuilder:validation:XValidation:rule=\"duration(self) >= duration('1s')\""
)
_DURATION_UNITS = ("ns", "us", "\u00b5s", "\u03bcs", "ms", "s", "m", "h")


def canonical_int(text: str, *, what: str = "int") -> int:
    """Parses an integer in canonical form: no plus sign, no leading zeros, no hexadecimal.

    Raises:
        RuleError: with upstream's text.
    """
    if not re.fullmatch(r"[+-]?[0-9]+", text):
        raise RuleError(f'parsing "{text}" as {what}: invalid syntax')
    if str(int(text)) != text:
        raise RuleError(f'"{text}" is not a valid {what} value', help=f"write {int(text)}")
    return int(text)


def _payload(tag: Tag) -> int:
    try:
        return canonical_int(tag.value or "")
    except RuleError as error:
        raise RuleError(
            f"failed to parse tag payload as int: {error.message}", code="VG203", span=tag.value_span, help=error.help
        ) from None


def _judging_absent(form: str, noun: str) -> SchemaForm:
    """Returns the form of a limit that an absent value can break."""
    exact_form = f"CEL at the object around, for an absent {noun}"
    return SchemaForm(form, idiomatic=(ABSENT_VALUES, ZEROS_REFUSED), exact_form=exact_form)


class _Limit(Rule):
    """A limit whose payload is a count."""

    test: ClassVar[PredicateSpec]
    stops: ClassVar[bool] = False
    largest: ClassVar[int | None] = None

    @abstractmethod
    def fit(self, context: Context) -> None:
        """Checks that the type can be counted.

        Raises:
            RuleError: it cannot.
        """

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        self.fit(context)
        limit = self.limit(tag)
        if self.largest is not None and limit > self.largest:
            message = f"must be less than or equal to {self.largest}"
            raise RuleError(message, code="VG203", span=tag.value_span)
        return RuleOutput([context.check(tag, Predicate(self.test, (limit,)), short_circuit=self.stops)])

    def limit(self, tag: Tag) -> int:
        """Returns the payload, which must not be negative."""
        limit = _payload(tag)
        if limit < 0:
            help = "a limit is a number such as 0 or 16"
            raise RuleError("must be greater than or equal to zero", code="VG203", span=tag.value_span, help=help)
        return limit


class _ListLimit(_Limit):
    scopes = ANY_VALUE - {Scope.MAP_KEY}
    payload = PayloadSpec(ValueType.INT, "a number of items")

    def fit(self, context: Context) -> None:
        if not isinstance(context.types.native(context.type), List):
            raise RuleError(f"can only be used on list types ({context.types.describe(context.type)})")


class _MapLimit(_Limit):
    scopes = frozenset({Scope.TYPE, Scope.FIELD})
    payload = PayloadSpec(ValueType.INT, "a number of keys")
    largest = 100_000

    def fit(self, context: Context) -> None:
        native = context.types.native(context.type)
        described = context.types.describe(context.type)
        if not isinstance(native, Map):
            raise RuleError(f"can only be used on map types ({described})")
        if not context.types.is_string(native.key):
            raise RuleError(f"can only be used on map types with string-based keys ({described})")


class _StringLimit(_Limit):
    scopes = ANY_VALUE
    payload = PayloadSpec(ValueType.INT, "a number of characters")

    def fit(self, context: Context) -> None:
        if not context.types.is_string(context.type):
            raise RuleError(f"can only be used on string types ({context.types.describe(context.type)})")


@register
class MaxItems(_ListLimit):
    """Limits the number of items.

    A failure stops the rest of the list's validation, so that a huge list costs little.
    """

    name = "k8s:maxItems"
    doc = "A list may have at most this many items."
    example = "+k8s:maxItems=16"
    refusal = of_field("+k8s:maxItems=2", 'Tools []string `json:"tools"`', '{"tools": ["saw", "drill", "saw"]}')
    history = {"1.35": Stability.BETA, "1.36": Stability.STABLE}
    schema = SchemaForm("`maxItems`")
    test, stops = predicates.MAX_ITEMS, True


@register
class MinItems(_ListLimit):
    """Requires a number of items. An absent list has none, unless `optional` skips it."""

    name = "k8s:minItems"
    doc = "A list must have at least this many items."
    example = "+k8s:minItems=1"
    refusal = of_field("+k8s:minItems=1", 'Tools []string `json:"tools"`', '{"tools": []}')
    history = {"1.36": Stability.BETA, "1.37": Stability.STABLE}
    schema = _judging_absent("`minItems`", "list")
    test = predicates.MIN_ITEMS


@register
class MaxProperties(_MapLimit):
    """Limits the number of keys. A failure stops the rest of the map's validation, so that a huge map costs little."""

    name = "k8s:maxProperties"
    doc = "A map may have at most this many keys."
    example = "+k8s:maxProperties=16"
    refusal = of_field(
        "+k8s:maxProperties=1", 'Marks map[string]string `json:"marks"`', '{"marks": {"a": "1", "b": "2"}}'
    )
    history = {"1.37": Stability.STABLE}
    schema = SchemaForm("`maxProperties`")
    test, stops = predicates.MAX_PROPERTIES, True


@register
class MinProperties(_MapLimit):
    """Requires a number of keys. An absent map has none, unless `optional` skips it."""

    name = "k8s:minProperties"
    doc = "A map must have at least this many keys."
    example = "+k8s:minProperties=1"
    refusal = of_field("+k8s:minProperties=1", 'Marks map[string]string `json:"marks"`', '{"marks": {}}')
    history = {"1.37": Stability.STABLE}
    schema = _judging_absent("`minProperties`", "map")
    test = predicates.MIN_PROPERTIES


@register
class MaxLength(_StringLimit):
    """Limits the number of characters, which are Unicode code points."""

    name = "k8s:maxLength"
    doc = "A string may have at most this many characters."
    example = "+k8s:maxLength=63"
    refusal = of_field("+k8s:maxLength=4", 'Label string `json:"label"`', '{"label": "larger"}')
    history = {"1.35": Stability.BETA, "1.37": Stability.STABLE}
    schema = SchemaForm("`maxLength`")
    in_characters = Change("1.36", "counts characters", "counts bytes")
    changes = (in_characters,)
    test = predicates.MAX_LENGTH

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        lowered = super().lower(context, tag)
        if self.in_characters.holds_in(context.session.target):
            return lowered
        in_bytes = Predicate(predicates.MAX_BYTES, (self.limit(tag), "maxLength"))
        return RuleOutput([replace(check, operation=in_bytes) for check in lowered.checks])


@register
class MaxBytes(_StringLimit):
    """Limits the number of bytes, for limits of storage; use `maxLength` for text that people read."""

    name = "k8s:maxBytes"
    payload = PayloadSpec(ValueType.INT, "a number of bytes")
    doc = "A string may have at most this many bytes in UTF-8."
    example = "+k8s:maxBytes=1024"
    refusal = of_field("+k8s:maxBytes=4", 'Label string `json:"label"`', '{"label": "größer"}')
    history = {"1.36": Stability.BETA, "1.37": Stability.STABLE}
    schema = SchemaForm("`maxLength`", idiomatic=(CHARACTERS,), exact_form="CEL that counts bytes")
    test = predicates.MAX_BYTES


@register
class MinLength(_StringLimit):
    """Requires a number of characters. A limit of zero or less has no effect."""

    name = "k8s:minLength"
    doc = "A string must have at least this many characters."
    example = "+k8s:minLength=1"
    refusal = of_field("+k8s:minLength=3", 'Label string `json:"label"`', '{"label": "ab"}')
    history = {"1.36": Stability.ALPHA, "1.37": Stability.STABLE}
    schema = _judging_absent("`minLength`", "text")
    test = predicates.MIN_LENGTH

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        lowered = super().lower(context, tag)
        return lowered if _payload(tag) > 0 else RuleOutput()

    def limit(self, tag: Tag) -> int:
        return _payload(tag)


class _Bound(Rule):
    scopes = ANY_VALUE
    test: ClassVar[PredicateSpec]
    quoted_durations = Change(
        "1.38", 'on `time.Duration` a quoted duration such as `"1s"`', "on `time.Duration` a number of nanoseconds"
    )
    changes = (quoted_durations,)

    def payload_type(self, target: str) -> ValueType:
        return ValueType.RAW if self.quoted_durations.holds_in(target) else ValueType.INT

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        quoted = self.quoted_durations.holds_in(context.session.target)
        bound = _read_typed_bound(context, tag) if quoted else _read_bound(context, tag)
        return RuleOutput([context.check(tag, Predicate(self.test, (bound,)))])


@register
class Minimum(_Bound):
    """Requires a least number, inclusive; a zero value is compared like any other."""

    name = "k8s:minimum"
    payload = PayloadSpec(ValueType.INT, "the smallest number")
    doc = "An integer must be at least this number."
    example = "+k8s:minimum=1"
    refusal = of_field("+k8s:minimum=1", 'Wheels int32 `json:"wheels"`', '{"wheels": -4}')
    history = {"1.33": Stability.BETA, "1.36": Stability.STABLE}
    schema = _judging_absent("`minimum`; CEL beyond 2^53", "number")
    test = predicates.MINIMUM


@register
class Maximum(_Bound):
    """Requires a greatest number, inclusive; a zero value is compared like any other."""

    name = "k8s:maximum"
    payload = PayloadSpec(ValueType.INT, "the largest number")
    doc = "An integer must be at most this number."
    example = "+k8s:maximum=100"
    refusal = of_field("+k8s:maximum=100", 'Charge int32 `json:"charge"`', '{"charge": 101}')
    history = {"1.36": Stability.BETA, "1.37": Stability.STABLE}
    schema = _judging_absent("`maximum`; CEL beyond 2^53", "number")
    test = predicates.MAXIMUM


def _read_typed_bound(context: Context, tag: Tag) -> int:
    """Returns the number in the payload, which must be a quoted duration for a `time.Duration`.

    Definitions of it (`type Timeout time.Duration`) are integers, as in Go.
    """
    if context.types.value_id(context.type) == "time.Duration":
        return _nanoseconds(tag)
    if tag.value_type is not ValueType.INT and context.types.is_integer(context.type):
        message = f"field is an integer, but payload is of type {tag.value_type.value}"
        number = tag.value if re.fullmatch("-?[0-9]+", tag.value or "") else parse_duration(tag.value or "")
        help = "" if number is None else f"write +{tag.name}={number}"
        raise RuleError(message, code="VG203", span=tag.value_span, help=help)
    return _read_bound(context, tag)


def _nanoseconds(tag: Tag) -> int:
    text = tag.value or ""
    if tag.value_type is not ValueType.STRING:
        message = f"field is a time.Duration, but payload is of type {tag.value_type.value}"
        count = int(text) if re.fullmatch("-?[0-9]{1,18}", text) else 10**9
        help = f'write a duration in quotes: +{tag.name}="{duration_text(count)}"'
        raise RuleError(message, code="VG203", span=tag.value_span, help=help)
    found = parse_duration(text)
    if found is None:
        message = f"failed to parse tag payload: {_duration_problem(text)}"
        help = 'a duration is a number with a unit (ns, us, ms, s, m, h), such as "1m30s"'
        raise RuleError(message, code="VG203", span=tag.value_span, help=help)
    return found


def _duration_problem(text: str) -> str:
    """Returns the sentence of Go's `time.ParseDuration` about a text that is no duration."""
    at = 1 if text[:1] in ("+", "-") else 0
    while match := _DURATION_PART.match(text, at):
        digits, unit = match.groups()
        if len(digits.lstrip("0")) > 19 or int(digits or 0) > 2**63:
            break
        if not unit:
            return f"time: missing unit in duration {go_quote(text)}"
        if unit not in _DURATION_UNITS:
            return f"time: unknown unit {go_quote(unit)} in duration {go_quote(text)}"
        at = match.end()
    return f"time: invalid duration {go_quote(text)}"


def _read_bound(context: Context, tag: Tag) -> int:
    """Returns the number in the payload, which must be a value of the tag's integer type."""
    native = context.types.value(context.type)
    if not context.types.is_integer(context.type) or not isinstance(native, Builtin):
        message = f"can only be used on integer types ({context.types.describe(context.type)})"
        is_text = context.types.value_id(context.type) == f"{META}.Duration"
        raise RuleError(message, help=_DURATION_AS_TEXT if is_text else "")
    unsigned = native.name.startswith("u")
    try:
        bound = canonical_int(tag.value or "", what="uint" if unsigned else "int")
        if unsigned and bound < 0:
            raise RuleError(f'parsing "{bound}" as uint: invalid syntax')
        fitting(bound, native)
    except RuleError as error:
        raise RuleError(
            f"failed to parse tag payload: {error.message}", code="VG203", span=tag.value_span, help=error.help
        ) from None
    return bound


def fitting(number: int, type: Builtin) -> int:
    """Returns a number that is a value of an integer type.

    Raises:
        RuleError: it is out of range.
    """
    low, high = INTEGER_RANGES[type.name]
    if not low <= number <= high:
        sized = type.name if type.name[-1].isdigit() else f"{type.name}64"
        raise RuleError(f"value {number} does not fit in {sized} (range [{low}, {high}])", code="VG203")
    return number
