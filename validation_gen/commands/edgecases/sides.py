"""Both sides of a rule: values that just break it, and adjacent values that obey it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from validation_gen.commands.edgecases import arrangements, relations, texts, transitions
from validation_gen.commands.edgecases.objects import Objects
from validation_gen.commands.edgecases.places import Conditions
from validation_gen.commands.edgecases.sites import Site
from validation_gen.commands.edgecases.spot import Spot, Tries, Try
from validation_gen.commands.edgecases.steps import ABSENT
from validation_gen.commands.edgecases.values import edges, misses, short
from validation_gen.ir import (
    Aspect,
    ItemPresence,
    ListOf,
    MapOf,
    Membership,
    Modes,
    Predicate,
    PredicateSpec,
    Presence,
    StructRef,
    predicates,
)

_MOST = 12


@dataclass(frozen=True, slots=True)
class Crossing:
    """Candidates that may break a rule and that may obey it, the best first."""

    outside: list[Try]
    inside: list[Try]


def crossing(site: Site, value: Any, conditions: Conditions) -> Crossing:
    """Returns the two sides of the rule of a site. `value` is its value in an otherwise valid object."""
    spot = Spot(site, value, conditions)
    operation = site.operation
    if isinstance(operation, Membership):
        outside, inside = arrangements.of_members(spot, operation)
    elif isinstance(operation, Modes):
        outside, inside = arrangements.of_modes(spot, operation)
    elif operation.record.measures is Aspect.SIZE:
        outside, inside = _sizes(spot, operation)
    elif operation.record.judges_a_value:
        outside, inside = _single(spot, operation)
    else:
        outside, inside = _OTHERS[operation.record](spot, operation)
    return Crossing(list(islice(outside, _MOST)), list(islice(inside, _MOST)))


def _single(spot: Spot, test: Predicate) -> Tries:
    place, conditions = spot.place, spot.conditions
    known = [*_nearest(spot, test), *spot.unset(), *edges(place), *_parts(spot)]
    missed = [(value, misses(place, None if value is ABSENT else value, conditions)) for value in known]
    broken = [(len(tests), n, value) for n, (value, tests) in enumerate(missed) if test in tests]
    outside = [Try(value) for _, _, value in sorted(broken, key=lambda each: each[:2])]
    # An update may keep a wrong value; here that would be no boundary.
    return outside, [Try(value) for value, tests in missed if not tests]


def _nearest(spot: Spot, test: Predicate) -> Iterator[Any]:
    """Yields values exactly at the limit, and one beyond it."""
    record, limit = test.record, test.limit
    if record.measures in (Aspect.CHARACTERS, Aspect.BYTES) and limit is not None:
        for length in (limit, limit + 1, limit - 1):
            yield from texts.of_length(length)
    elif record.measures is Aspect.NUMBER and limit is not None:
        yield from (n for n in (limit, limit - 1, limit + 1) if n in edges(spot.place))
    elif record is predicates.FORMAT and spot.site.type == "FieldValueTooLong":
        good, bad = texts.FORMATS[str(test.operands[0])]
        yield from sorted((*good, *bad), key=len, reverse=True)
    elif record.presence in (Presence.REQUIRED, Presence.FORBIDDEN):
        yield spot.filled()


def _parts(spot: Spot) -> Iterator[Any]:
    """Yields values with parts, which `edges` does not cover."""
    if isinstance(spot.place.value, StructRef | ListOf | MapOf):
        yield spot.filled()


def _sizes(spot: Spot, test: Predicate) -> Tries:
    limit = test.operands[0]
    assert isinstance(limit, int)
    known = [spot.of_size(size) for size in (limit, limit + 1, limit - 1) if size >= 0]
    broken = [value for value in known if test in misses(spot.place, value, spot.conditions)]
    obeyed = [value for value in known if test not in misses(spot.place, value, spot.conditions)]
    return map(Try, broken), map(Try, obeyed)


def _unique(spot: Spot, _: Predicate) -> Tries:
    if isinstance(spot.place.value, ListOf) and spot.place.value.packed:
        return [Try("AAAA")], [Try("AAE="), Try("")]
    two = spot.of_size(2)
    one = (spot.value or two or [Objects().value(spot.place.elem, spot.conditions)])[:1]
    return [Try([*one, *one]), Try([*(spot.value or []), *one])], [Try(two), Try(one), Try([])]


def _required_item(spot: Spot, test: Predicate) -> Tries:
    presence = next(operand for operand in test.operands if isinstance(operand, ItemPresence))
    wanted = {term.json: term.value for term in presence.selector}
    item = {**Objects().value(spot.place.elem, spot.conditions), **wanted}
    without = [i for i in spot.value or [] if not relations.matches(i, presence)]
    few = [Try(without), Try(spot.of_size(1)), Try([]), *map(Try, spot.unset())]
    return few, [Try(spot.value), Try([*without, item])]


def _unknown(spot: Spot, _: Predicate) -> Tries:
    """Handles checks that fail always, or with unknown limits."""
    values = [spot.filled(), *spot.variants(), *short(edges(spot.place))[:6], *spot.unset()]
    changes = [Try(value, ABSENT, update=True) for value in values[:2]]
    return [*map(Try, values), *changes], [*map(Try, values[:4]), *transitions.unchanged(spot)]


_OTHERS: dict[PredicateSpec, Callable[[Spot, Predicate], Tries]] = {
    predicates.ALWAYS_FAILS: _unknown,
    predicates.CUSTOM: _unknown,
    predicates.IMMUTABLE: transitions.immutable,
    predicates.MONOTONIC: transitions.monotonic,
    predicates.NEVER_FAILS: _unknown,
    predicates.NO_NULLS: _unknown,
    predicates.REQUIRED_ITEM: _required_item,
    predicates.UNIQUE: _unique,
    predicates.UNSET: _unknown,
    predicates.UNSET_POINTER: _unknown,
    predicates.UPDATE_LIST: transitions.update_items,
    predicates.UPDATE_MAP: transitions.update_items,
    predicates.UPDATE_POINTER: transitions.update_value,
    predicates.UPDATE_STRUCT: transitions.update_value,
    predicates.UPDATE_VALUE: transitions.update_value,
}


def is_known(record: PredicateSpec) -> bool:
    """Returns whether this module knows the limits of a test. The test suite ensures that it does."""
    return record.judges_a_value or record in _OTHERS
