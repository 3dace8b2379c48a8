"""Tests of one value as schemas: the keyword where there is one, and an equivalent CEL condition with its message.

Both forms are data. `constrain` chooses the form and the place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from validation_gen.emit.schema.expressions import all_of, listing, literal
from validation_gen.emit.schema.formats import BOUND, FORMATS
from validation_gen.ir import Bound, Predicate, PredicateSpec, predicates
from validation_gen.runtime import checks, texts

Keywords = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ValueForm:
    """A test of one value.

    `keywords` are handwritten style, `exact` those keywords that the test implies with the same error. `rest` is the
    part that `exact` omits and `complete` the whole test, both as CEL with `{v}` for the value, empty if there is none.
    """

    keywords: Keywords
    exact: Keywords
    rest: str
    complete: str
    message: str


def _bound(keyword: str, limit: Any, condition: str, message: str) -> ValueForm:
    return ValueForm({keyword: limit}, {keyword: limit}, "", condition, message)


#: API servers read limits as floating-point numbers, so that greater ones become others.
_PRECISE = 2**53
_WIDEST = 2**63 - 1


def _number(test: Predicate) -> ValueForm:
    (limit,) = test.operands
    assert isinstance(limit, int)
    keyword, message = test.record.keyword, _text(test)
    sign = ">=" if test.record.bound is Bound.LEAST else "<="
    if abs(limit) <= _PRECISE:
        return _bound(keyword, limit, f"{{v}} {sign} {literal(limit)}", message)
    if limit >= _WIDEST and sign == "<=":
        return ValueForm({}, {}, "", "", message)  # API servers know no greater numbers
    condition = "false" if limit > _WIDEST else f"{{v}} {sign} {literal(limit)}"
    return ValueForm({}, {}, condition, condition, message)


def _enum(test: Predicate) -> ValueForm:
    (values,) = test.operands
    assert isinstance(values, tuple)
    if not values:  # API servers take an empty list for none
        return ValueForm({}, {}, "false", "false", "there are no supported values")
    condition = f"{{v}} in {listing(values)}"
    return _bound(test.record.keyword, list(values), condition, texts.supported(values))


def _format(test: Predicate) -> ValueForm:
    name = str(test.operands[0])
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


#: Tests whose form depends on the operands.
_BY_OPERANDS: dict[PredicateSpec, Callable[[Predicate], ValueForm]] = {
    predicates.ENUM: _enum,
    predicates.FORMAT: _format,
    predicates.MAXIMUM: _number,
    predicates.MINIMUM: _number,
}


def has_form(record: PredicateSpec) -> bool:
    """Returns whether schemas can express a test of one value."""
    return bool(record.cel) or record in _BY_OPERANDS


def form_of(test: Predicate) -> ValueForm:
    """Returns how schemas say a test that `has_form`."""
    record = test.record
    if record in _BY_OPERANDS:
        return _BY_OPERANDS[record](test)
    operands = [each for each in test.operands if isinstance(each, str | int)]
    condition = record.cel.format(*map(literal, operands), v="{v}")
    if record.keyword and record.keyword_is_exact:
        return _bound(record.keyword, operands[0], condition, _text(test))
    keywords = {record.keyword: operands[0]} if record.keyword else {}
    return ValueForm(keywords, keywords, condition, condition, _text(test))


def _text(test: Predicate) -> str:
    """Returns the API server's message about a value that fails."""
    assert test.record.text is not None, f"{test.record} has no text"
    return test.record.text(*test.operands)


def passes(test: Predicate, value: object) -> bool:
    """The verdict of the validators on a value that is known beforehand, such as a zero value."""
    operands = [
        dict.fromkeys(o) if test.record is predicates.ENUM and isinstance(o, tuple) else o for o in test.operands
    ]
    return not getattr(checks, test.name)(value, *operands)
