"""Tests of one value as schemas: the keyword where there is one, and the same as a CEL condition with its message.

Both forms are data. Which of them is used, and where, is decided by `constrain`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from validation_gen.emit.schema.expressions import all_of, listing, literal
from validation_gen.emit.schema.formats import BOUND, FORMATS
from validation_gen.ir import Test
from validation_gen.runtime import checks, texts

Keywords = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ValueForm:
    """A test of one value.

    `keywords` are what an author would write, `exact` those keywords that the test implies with the same error. `rest`
    is what `exact` leaves unsaid and `complete` the whole test, both as CEL with `{v}` for the value, empty if there is
    nothing to say.
    """

    keywords: Keywords
    exact: Keywords
    rest: str
    complete: str
    message: str


def _bound(keyword: str, limit: Any, condition: str, message: str) -> ValueForm:
    return ValueForm({keyword: limit}, {keyword: limit}, "", condition, message)


def _max_items(limit: int) -> ValueForm:
    return _bound("maxItems", limit, f"{{v}}.size() <= {limit}", texts.too_many(limit))


def _min_items(limit: int) -> ValueForm:
    return _bound("minItems", limit, f"{{v}}.size() >= {limit}", texts.too_few(limit))


def _max_properties(limit: int) -> ValueForm:
    return _bound("maxProperties", limit, f"{{v}}.size() <= {limit}", texts.too_many(limit))


def _min_properties(limit: int) -> ValueForm:
    return _bound("minProperties", limit, f"{{v}}.size() >= {limit}", texts.too_few(limit))


def _max_length(limit: int) -> ValueForm:
    return _bound("maxLength", limit, f"{{v}}.size() <= {limit}", texts.too_long(limit, "character"))


def _min_length(limit: int) -> ValueForm:
    return _bound("minLength", limit, f"{{v}}.size() >= {limit}", texts.too_short(limit))


def _max_bytes(limit: int, origin: str = "maxBytes") -> ValueForm:  # noqa: ARG001 - the origin is not shown
    condition = f"bytes({{v}}).size() <= {limit}"
    keywords = {"maxLength": limit}
    return ValueForm(keywords, keywords, condition, condition, texts.too_long(limit))


#: API servers read limits as floating-point numbers, so that greater ones become others.
_PRECISE = 2**53
_WIDEST = 2**63 - 1


def _number(keyword: str, limit: int, sign: str, message: str) -> ValueForm:
    if abs(limit) <= _PRECISE:
        return _bound(keyword, limit, f"{{v}} {sign} {literal(limit)}", message)
    if limit >= _WIDEST and sign == "<=":
        return ValueForm({}, {}, "", "", message)  # API servers know no greater numbers
    condition = "false" if limit > _WIDEST else f"{{v}} {sign} {literal(limit)}"
    return ValueForm({}, {}, condition, condition, message)


def _minimum(limit: int) -> ValueForm:
    return _number("minimum", limit, ">=", texts.at_least(limit))


def _maximum(limit: int) -> ValueForm:
    return _number("maximum", limit, "<=", texts.at_most(limit))


def _not_equal(disallowed: str | int | bool, text: str = "") -> ValueForm:
    condition = f"{{v}} != {literal(disallowed)}"
    return ValueForm({}, {}, condition, condition, texts.not_equal(disallowed, text))


def _enum(values: tuple[str, ...]) -> ValueForm:
    if not values:  # API servers take an empty list for none
        return ValueForm({}, {}, "false", "false", "there are no supported values")
    condition = f"{{v}} in {listing(values)}"
    return _bound("enum", list(values), condition, texts.supported(values))


def _format(name: str) -> ValueForm:
    schema = FORMATS[name]
    keywords: Keywords = {"pattern": schema.pattern}
    if schema.max_bytes is not None:
        keywords["maxLength"] = schema.max_bytes
    exact: Keywords = {"pattern": schema.exact_pattern or schema.pattern}
    if schema.reports_length:
        exact = keywords
    if schema.conditions and schema.max_bytes is not None:
        exact["maxLength"] = BOUND
    complete = [*schema.cel] or [f"{{v}}.matches({literal(exact['pattern'])})", *schema.conditions]
    if schema.reports_length:
        complete.append(f"bytes({{v}}).size() <= {schema.max_bytes}")
    rest = all_of(*schema.conditions)
    return ValueForm(keywords, exact, rest, all_of(*complete), f"must have the format {name}")


FORMS: dict[str, Callable[..., ValueForm]] = {
    "enum": _enum,
    "format": _format,
    "max_bytes": _max_bytes,
    "max_items": _max_items,
    "max_length": _max_length,
    "max_properties": _max_properties,
    "maximum": _maximum,
    "min_items": _min_items,
    "min_length": _min_length,
    "min_properties": _min_properties,
    "minimum": _minimum,
    "not_equal": _not_equal,
}


def passes(test: Test, value: object) -> bool:
    """The verdict of the validators on a value that is known beforehand, such as a zero value."""
    operands = [dict.fromkeys(o) if test.name == "enum" and isinstance(o, tuple) else o for o in test.operands]
    return not getattr(checks, test.name)(value, *operands)
