"""Both sides of a rule: values, sets of members and updates that barely break it, and similar ones that obey it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, combinations, islice, pairwise
from typing import Any

from validation_gen.commands.edgecases import relations, texts
from validation_gen.commands.edgecases.objects import Objects
from validation_gen.commands.edgecases.sites import Candidate, Candidates, ErrorSite, TestTarget, distinct_few
from validation_gen.commands.edgecases.steps import ABSENT
from validation_gen.commands.edgecases.value_specs import Conditions
from validation_gen.commands.edgecases.values import edges, misses, short
from validation_gen.ir import (
    Aspect,
    ItemPresence,
    ListOf,
    MapOf,
    Match,
    Membership,
    MembershipKind,
    Modes,
    Predicate,
    PredicateSpec,
    Presence,
    StructRef,
    predicates,
)


def of_members(spot: TestTarget, rule: Membership) -> Candidates:
    """Returns both sides of unions and dependents of members of a struct or items of a list."""
    names = list(relations.find_members(rule))
    if not names:
        return _items(spot, rule)
    first, second = names[0], names[1] if len(names) > 1 else names[0]
    each_alone = (_with(spot, rule, {name}) for name in names)
    match rule.kind:
        case MembershipKind.EXACTLY_ONE:
            return [_with(spot, rule, {first, second}), _with(spot, rule, set())], each_alone
        case MembershipKind.AT_MOST_ONE:
            return [_with(spot, rule, {first, second})], each_alone
        case MembershipKind.DEPENDENT_REQUIRED:
            return [_with(spot, rule, {first})], [_with(spot, rule, {first, second}), _with(spot, rule, set())]
        case MembershipKind.DEPENDENT_FORBIDDEN:
            return [_with(spot, rule, {first, second})], [_with(spot, rule, {first}), _with(spot, rule, {second})]
        case _:
            return _select(spot, rule)


def _with(spot: TestTarget, rule: Membership, names: set[str]) -> Candidate:
    """Returns the struct with only the participants of these names set."""
    members, conditions = spot.place.members, spot.conditions
    obj = dict(spot.value or {})
    return Candidate(relations.choose(rule, obj, names, lambda name: Objects().set_value(members[name], conditions)))


def _select(spot: TestTarget, rule: Membership) -> Candidates:
    """Handles unions whose discriminator selects the member. The site is one member, where the error is."""
    members = relations.find_members(rule)
    values = {name: participant.discriminator_value for name, participant in members.items()}
    mine = next(name for name, participant in members.items() if f".{participant.name}" == spot.site.suffix)
    others = [name for name in members if name != mine]
    right = [_choice(spot, rule, values[name], {name}) for name in (mine, *others)]
    wrong = [_choice(spot, rule, values[mine], set())]
    wrong += [_choice(spot, rule, values[other], {mine, other}) for other in others]
    wrong += [_choice(spot, rule, value, {mine}) for value in ("", "a")]
    return wrong, right


def _choice(spot: TestTarget, rule: Membership, value: str, names: set[str]) -> Candidate:
    chosen = _with(spot, rule, names).new
    return Candidate({**chosen, rule.discriminator: value} if value else _without(chosen, rule.discriminator))


def _items(spot: TestTarget, rule: Membership) -> Candidates:
    """Handles unions of items of a list."""
    rest = [i for i in spot.value or [] if not any(relations.matches(i, p.presence) for p in rule.participants)]
    selectors = [p.presence.selector for p in rule.participants if isinstance(p.presence, ItemPresence)]
    items = [Objects().selected(spot.place.elem, selector, spot.conditions) for selector in selectors]
    alone = [Candidate([*rest, item]) for item in items]
    if rule.kind is MembershipKind.DEPENDENT_REQUIRED:
        return alone[:1], [Candidate([*rest, *items[:2]]), Candidate(rest)]
    if rule.kind is MembershipKind.EXACTLY_ONE:
        return [Candidate([*rest, *items[:2]]), Candidate(rest)], alone
    return [Candidate([*rest, *items[:2]])], [*alone, Candidate(rest)]


def of_modes(spot: TestTarget, modes: Modes) -> Candidates:
    """Returns candidates that set the member in modes that forbid it, and in modes with rules for it."""
    known = {mode for mode, _ in modes.rules}
    others: list[Any] = [modes.zero, *edges(spot.place.members[modes.discriminator])]
    member = spot.place.members[modes.json]
    outside: list[Candidate] = []
    inside: list[Candidate] = []
    for mode in dict.fromkeys(chain((mode for mode, _ in modes.rules), islice(others, 8))):
        obj = {**(spot.value or {}), modes.discriminator: mode}
        conditions = {**spot.conditions, spot.place.mode_name(modes): mode}
        obj[modes.json] = Objects().set_value(member, conditions)
        (inside if mode in known else outside).append(Candidate(obj))
        if mode in known:
            inside.append(Candidate(_without(obj, modes.json)))
    return outside, inside


def _without(obj: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in obj.items() if key != name}


def immutable(spot: TestTarget, _: Predicate) -> Candidates:
    """Handles immutable values. Where objects are not compared as a whole, only a create passes."""
    value = spot.filled()
    set_or_not = [Candidate(value, ABSENT, update=True), Candidate(ABSENT, value, update=True)]
    return chain(islice(_changes(spot), 6), set_or_not), chain(islice(keep_value(spot), 6), [Candidate(value)])


def monotonic(spot: TestTarget, _: Predicate) -> Candidates:
    """Handles numbers that must not fall."""
    numbers = sorted(n for n in distinct_few(spot.place, spot.conditions) if isinstance(n, int))
    pairs = list(pairwise(numbers))
    near = sorted(pairs, key=lambda pair: (pair[1] - pair[0], abs(pair[0])))
    down = [Candidate(low, high, update=True) for low, high in near]
    return down, [Candidate(high, high, update=True) for _, high in near] + [
        Candidate(h, low, update=True) for low, h in near
    ]


def update_value(spot: TestTarget, predicate: Predicate) -> Candidates:
    """Handles values that must not be set, unset or modified."""
    constraints = predicate.operands[0]
    assert isinstance(constraints, tuple)
    value = spot.filled()
    broken = {
        "NoSet": [Candidate(value, ABSENT, update=True)],
        "NoUnset": [Candidate(ABSENT, value, update=True)],
        "NoModify": list(_changes(spot)),
    }
    return [each for name in constraints for each in broken.get(name, [])], keep_value(spot)


def update_items(spot: TestTarget, predicate: Predicate) -> Candidates:
    """Handles lists and maps whose items must not be added or removed."""
    constraints = predicate.operands[0]
    assert isinstance(constraints, tuple)
    if spot.site.type == "FieldValueInvalid":
        return update_value(spot, predicate)
    two = spot.of_size(2, next((operand for operand in predicate.operands if isinstance(operand, Match)), None))
    few = [two[:1], two[1:]] if isinstance(two, list) else [dict(list(two.items())[:1])]
    outside: list[Candidate] = []
    if "NoAddItem" in constraints and spot.site.suffix == "[*]":
        outside += [Candidate(two, one, update=True) for one in few]
    if "NoRemoveItem" in constraints and (spot.site.suffix == "" or isinstance(two, dict)):
        outside += [Candidate(one, two, update=True) for one in few]
    return outside, [Candidate(two, two, update=True), *keep_value(spot)]


def _changes(spot: TestTarget) -> Iterator[Candidate]:
    pairs = combinations([spot.filled(), *spot.variants()], 2)
    yield from (Candidate(new, old, update=True) for old, new in islice(pairs, 8))


def keep_value(spot: TestTarget) -> Iterator[Candidate]:
    """Yields updates that keep the value."""
    yield from (Candidate(value, value, update=True) for value in [spot.filled(), *spot.variants(), *spot.unset()])


_MOST = 12


def find_candidates(site: ErrorSite, value: Any, conditions: Conditions) -> tuple[list[Candidate], list[Candidate]]:
    """Returns candidates that may break the rule of a site, and that may obey it, the best first.

    `value` is its value in an otherwise valid object.
    """
    spot = TestTarget(site, value, conditions)
    operation = site.operation
    if isinstance(operation, Membership):
        outside, inside = of_members(spot, operation)
    elif isinstance(operation, Modes):
        outside, inside = of_modes(spot, operation)
    elif operation.record.measures is Aspect.SIZE:
        outside, inside = _sizes(spot, operation)
    elif operation.record.judges_a_value:
        outside, inside = _single(spot, operation)
    else:
        outside, inside = _OTHERS[operation.record](spot, operation)
    return list(islice(outside, _MOST)), list(islice(inside, _MOST))


def _single(spot: TestTarget, predicate: Predicate) -> Candidates:
    place, conditions = spot.place, spot.conditions
    known = [*_nearest(spot, predicate), *spot.unset(), *edges(place), *_parts(spot)]
    missed = [(value, misses(place, None if value is ABSENT else value, conditions)) for value in known]
    broken = [(len(tests), n, value) for n, (value, tests) in enumerate(missed) if predicate in tests]
    outside = [Candidate(value) for _, _, value in sorted(broken, key=lambda each: each[:2])]
    # An update may keep a wrong value; here that would be no boundary.
    return outside, [Candidate(value) for value, tests in missed if not tests]


def _nearest(spot: TestTarget, predicate: Predicate) -> Iterator[Any]:
    """Yields values exactly at the limit, and one beyond it."""
    record, limit = predicate.record, predicate.limit
    if record.measures in (Aspect.CHARACTERS, Aspect.BYTES) and limit is not None:
        for length in (limit, limit + 1, limit - 1):
            yield from texts.of_length(length)
    elif record.measures is Aspect.NUMBER and limit is not None:
        yield from (n for n in (limit, limit - 1, limit + 1) if n in edges(spot.place))
    elif record is predicates.FORMAT and spot.site.type == "FieldValueTooLong":
        good, bad = texts.FORMAT_SAMPLES[str(predicate.operands[0])]
        yield from sorted((*good, *bad), key=len, reverse=True)
    elif record.presence in (Presence.REQUIRED, Presence.FORBIDDEN):
        yield spot.filled()


def _parts(spot: TestTarget) -> Iterator[Any]:
    """Yields values with parts, which `edges` does not cover."""
    if isinstance(spot.place.value, StructRef | ListOf | MapOf):
        yield spot.filled()


def _sizes(spot: TestTarget, predicate: Predicate) -> Candidates:
    limit = predicate.operands[0]
    assert isinstance(limit, int)
    known = [spot.of_size(size) for size in (limit, limit + 1, limit - 1) if size >= 0]
    broken = [value for value in known if predicate in misses(spot.place, value, spot.conditions)]
    obeyed = [value for value in known if predicate not in misses(spot.place, value, spot.conditions)]
    return map(Candidate, broken), map(Candidate, obeyed)


def _unique(spot: TestTarget, _: Predicate) -> Candidates:
    if isinstance(spot.place.value, ListOf) and spot.place.value.packed:
        return [Candidate("AAAA")], [Candidate("AAE="), Candidate("")]
    two = spot.of_size(2)
    one = (spot.value or two or [Objects().value(spot.place.elem, spot.conditions)])[:1]
    return [Candidate([*one, *one]), Candidate([*(spot.value or []), *one])], [
        Candidate(two),
        Candidate(one),
        Candidate([]),
    ]


def _required_item(spot: TestTarget, predicate: Predicate) -> Candidates:
    presence = next(operand for operand in predicate.operands if isinstance(operand, ItemPresence))
    item = Objects().selected(spot.place.elem, presence.selector, spot.conditions)
    without = [i for i in spot.value or [] if not relations.matches(i, presence)]
    few = [Candidate(without), Candidate(spot.of_size(1)), Candidate([]), *map(Candidate, spot.unset())]
    return few, [Candidate(spot.value), Candidate([*without, item])]


def _unknown(spot: TestTarget, _: Predicate) -> Candidates:
    """Handles checks that fail always, or with unknown limits."""
    values = [spot.filled(), *spot.variants(), *short(edges(spot.place))[:6], *spot.unset()]
    changes = [Candidate(value, ABSENT, update=True) for value in values[:2]]
    return [*map(Candidate, values), *changes], [*map(Candidate, values[:4]), *keep_value(spot)]


_OTHERS: dict[PredicateSpec, Callable[[TestTarget, Predicate], Candidates]] = {
    predicates.ALWAYS_FAILS: _unknown,
    predicates.CUSTOM: _unknown,
    predicates.IMMUTABLE: immutable,
    predicates.MONOTONIC: monotonic,
    predicates.NEVER_FAILS: _unknown,
    predicates.NO_NULLS: _unknown,
    predicates.REQUIRED_ITEM: _required_item,
    predicates.UNIQUE: _unique,
    predicates.UNSET: _unknown,
    predicates.UNSET_POINTER: _unknown,
    predicates.UPDATE_LIST: update_items,
    predicates.UPDATE_MAP: update_items,
    predicates.UPDATE_POINTER: update_value,
    predicates.UPDATE_STRUCT: update_value,
    predicates.UPDATE_VALUE: update_value,
}


def is_known(record: PredicateSpec) -> bool:
    """Returns whether this module knows the limits of a predicate. The tests ensure it for all predicates."""
    return record.judges_a_value or record in _OTHERS
