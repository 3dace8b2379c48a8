"""Both sides of a rule: values that break it by as little as can be, and values next to these that obey it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, combinations, islice
from typing import Any

from validation_gen.boundaries import relations, texts
from validation_gen.boundaries.objects import Objects, unlike
from validation_gen.boundaries.places import Conditions, Place
from validation_gen.boundaries.sites import Entry, Site
from validation_gen.boundaries.steps import ABSENT
from validation_gen.boundaries.values import OF_NUMBERS, OF_SIZES, OF_TEXTS, OF_VALUES, distinct, edges, misses, short
from validation_gen.ir import (
    ItemPresence,
    ListOf,
    MapOf,
    Match,
    Membership,
    MembershipKind,
    Modes,
    Participant,
    Scalar,
    StructRef,
    Test,
)

_MOST = 12
_DEEPEST = 5


@dataclass(frozen=True, slots=True)
class Try:
    """A value for the place that a rule looks at, or `ABSENT`; for an update with the one before."""

    new: Any
    old: Any = ABSENT
    update: bool = False


@dataclass(frozen=True, slots=True)
class Crossing:
    """What may break a rule and what may obey it, the best first."""

    outside: list[Try]
    inside: list[Try]


def crossing(site: Site, value: Any, conditions: Conditions) -> Crossing:
    """The two sides of the rule of a site. `value` is what stands there in an object that is valid otherwise."""
    make = _Sides(site, value, conditions)
    operation = site.operation
    if isinstance(operation, Membership):
        outside, inside = make.membership(operation)
    elif isinstance(operation, Modes):
        outside, inside = make.modes(operation)
    elif operation.name in OF_SIZES:
        outside, inside = make.sizes(operation)
    elif operation.name in OF_VALUES:
        outside, inside = make.single(operation)
    else:
        outside, inside = getattr(make, operation.name, make.unknown)(operation)
    return Crossing(list(islice(outside, _MOST)), list(islice(inside, _MOST)))


_Tries = tuple[Iterable[Try], Iterable[Try]]


@dataclass(slots=True)
class _Sides:
    site: Site
    value: Any
    conditions: Conditions

    @property
    def place(self) -> Place:
        return self.site.place

    def set(self) -> Any:
        """The smallest value that counts as set."""
        return self.value or Objects().set_value(self.place, self.conditions)

    # --- single values ----------------------------------------------------------------------------------------------

    def single(self, test: Test) -> _Tries:
        place, conditions = self.place, self.conditions
        known = [*self._nearest(test), *self._unset(), *edges(place), *self._parts()]
        missed = [(value, misses(place, None if value is ABSENT else value, conditions)) for value in known]
        broken = [(len(tests), n, value) for n, (value, tests) in enumerate(missed) if test in tests]
        outside = [Try(value) for _, _, value in sorted(broken, key=lambda each: each[:2])]
        # An update can leave alone what is wrong; here that would be no boundary.
        return outside, [Try(value) for value, tests in missed if not tests]

    def _nearest(self, test: Test) -> Iterator[Any]:
        """Values exactly at the limit, and one beyond it."""
        limit = test.operands[0] if test.operands else None
        if test.name in OF_TEXTS and isinstance(limit, int):
            for length in (limit, limit + 1, limit - 1):
                yield from texts.of_length(length)
        elif test.name in OF_NUMBERS and isinstance(limit, int):
            yield from (n for n in (limit, limit - 1, limit + 1) if n in edges(self.place))
        elif test.name == "format" and self.site.type == "FieldValueTooLong":
            good, bad = texts.FORMATS[str(limit)]
            yield from sorted((*good, *bad), key=len, reverse=True)
        elif test.name in ("required", "required_pointer", "forbidden", "forbidden_pointer"):
            yield self.set()

    def _unset(self) -> Iterator[Any]:
        if self.site.way and isinstance(self.site.way[-1], str):
            yield ABSENT
        shape = self.place.value
        if isinstance(shape, Scalar):
            yield shape.zero
        if self.site.way and not isinstance(self.site.way[-1], Entry):
            yield None
        if isinstance(shape, ListOf) and not shape.packed:
            yield []

    def _parts(self) -> Iterator[Any]:
        """Values that have parts, which `edges` does not know."""
        if isinstance(self.place.value, StructRef | ListOf | MapOf):
            yield self.set()

    def sizes(self, test: Test) -> _Tries:
        limit = test.operands[0]
        assert isinstance(limit, int)
        known = [self.of_size(size) for size in (limit, limit + 1, limit - 1) if size >= 0]
        broken = [value for value in known if test in misses(self.place, value, self.conditions)]
        obeyed = [value for value in known if test not in misses(self.place, value, self.conditions)]
        return map(Try, broken), map(Try, obeyed)

    def of_size(self, size: int, match: Match | None = None) -> Any:
        """A list or map with so many parts, all of them valid, or as many as there can be."""
        place, conditions = self.place, self.conditions
        shape = place.value
        if isinstance(shape, MapOf):
            found = dict(islice((self.value or {}).items(), size))
            for key in islice(distinct(place.key, conditions), size + 1):
                if len(found) < size and str(key) not in found:
                    found[str(key)] = Objects().value(place.elem, conditions)
            return found
        if isinstance(shape, ListOf) and shape.packed:
            return next((value for value in edges(place) if len(value) // 4 * 3 >= size), "")
        items = list(self.value or [])[:size]
        match = match or relations.identity(place, conditions)
        known = {relations.identifier(item, match) for item in items} if match else set()
        fresh = items[0] if items else Objects().value(place.elem, conditions)
        others = _others(place.elem, fresh, match, known, conditions) if match else iter(())
        while len(items) < size:
            item = next(others, None) if match else fresh
            if item is None:
                break
            items.append(item)
        return items

    # --- lists ------------------------------------------------------------------------------------------------------

    def unique(self, test: Test) -> _Tries:
        if isinstance(self.place.value, ListOf) and self.place.value.packed:
            return [Try("AAAA")], [Try("AAE="), Try("")]
        two = self.of_size(2)
        one = (self.value or two or [Objects().value(self.place.elem, self.conditions)])[:1]
        return [Try([*one, *one]), Try([*(self.value or []), *one])], [Try(two), Try(one), Try([])]

    def required_item(self, test: Test) -> _Tries:
        presence = next(operand for operand in test.operands if isinstance(operand, ItemPresence))
        wanted = {term.json: term.value for term in presence.selector}
        item = {**Objects().value(self.place.elem, self.conditions), **wanted}
        without = [i for i in self.value or [] if not _matches(i, presence)]
        few = [Try(without), Try(self.of_size(1)), Try([]), *self._absent()]
        return few, [Try(self.value), Try([*without, item])]

    def _absent(self) -> list[Try]:
        return [Try(value) for value in self._unset()]

    # --- updates ----------------------------------------------------------------------------------------------------

    def variants(self) -> list[Any]:
        """Values of the place that differ, all of them set."""
        return list(islice(variants(self.place, self.set(), self.conditions), 8))

    def _changes(self) -> Iterator[Try]:
        pairs = combinations([self.set(), *self.variants()], 2)
        yield from (Try(new, old, update=True) for old, new in islice(pairs, 8))

    def _same(self) -> Iterator[Try]:
        yield from (Try(value, value, update=True) for value in [self.set(), *self.variants(), *self._unset()])

    def immutable(self, test: Test) -> _Tries:
        value = self.set()
        set_or_not = [Try(value, ABSENT, update=True), Try(ABSENT, value, update=True)]
        return chain(islice(self._changes(), 6), set_or_not), chain(islice(self._same(), 6), [Try(value)])

    def monotonic(self, test: Test) -> _Tries:
        numbers = sorted(n for n in distinct_few(self.place, self.conditions) if isinstance(n, int))
        pairs = list(zip(numbers, numbers[1:], strict=False))
        near = sorted(pairs, key=lambda pair: (pair[1] - pair[0], abs(pair[0])))
        down = [Try(low, high, update=True) for low, high in near]
        return down, [Try(high, high, update=True) for _, high in near] + [Try(h, low, update=True) for low, h in near]

    def update_value(self, test: Test) -> _Tries:
        constraints = test.operands[0]
        assert isinstance(constraints, tuple)
        value = self.set()
        broken = {
            "NoSet": [Try(value, ABSENT, update=True)],
            "NoUnset": [Try(ABSENT, value, update=True)],
            "NoModify": list(self._changes()),
        }
        return [each for name in constraints for each in broken.get(name, [])], self._same()

    update_pointer = update_struct = update_value

    def update_list(self, test: Test) -> _Tries:
        constraints = test.operands[0]
        assert isinstance(constraints, tuple)
        if self.site.type == "FieldValueInvalid":
            return self.update_value(test)
        two = self.of_size(2, next((operand for operand in test.operands if isinstance(operand, Match)), None))
        few = [two[:1], two[1:]] if isinstance(two, list) else [dict(list(two.items())[:1])]
        outside = []
        if "NoAddItem" in constraints and self.site.suffix == "[*]":
            outside += [Try(two, one, update=True) for one in few]
        if "NoRemoveItem" in constraints and (self.site.suffix == "" or isinstance(two, dict)):
            outside += [Try(one, two, update=True) for one in few]
        return outside, [Try(two, two, update=True), *self._same()]

    update_map = update_list

    # --- structs ----------------------------------------------------------------------------------------------------

    def membership(self, rule: Membership) -> _Tries:
        if not relations.members_of(rule):
            return self._items(rule)
        names = [relations.json_name(p) for p in rule.participants]
        first, second = names[0], names[1] if len(names) > 1 else names[0]
        match rule.kind:
            case MembershipKind.EXACTLY_ONE:
                return [self._with(rule, {first, second}), self._with(rule, set())], self._each_alone(rule)
            case MembershipKind.AT_MOST_ONE:
                return [self._with(rule, {first, second})], self._each_alone(rule)
            case MembershipKind.DEPENDENT_REQUIRED:
                return [self._with(rule, {first})], [self._with(rule, {first, second}), self._with(rule, set())]
            case MembershipKind.DEPENDENT_FORBIDDEN:
                return [self._with(rule, {first, second})], [self._with(rule, {first}), self._with(rule, {second})]
            case _:
                return self._selected(rule)

    def _with(self, rule: Membership, names: set[str]) -> Try:
        """The struct with these participants set and no others."""
        obj = dict(self.value or {})
        relations.choose(rule, obj, names, lambda n: Objects().set_value(self.place.members[n], self.conditions))
        return Try(obj)

    def _each_alone(self, rule: Membership) -> Iterator[Try]:
        yield from (self._with(rule, {relations.json_name(p)}) for p in rule.participants)

    def _selected(self, rule: Membership) -> _Tries:
        """Unions whose discriminator names the member; the error stands at the member that is meant here."""
        mine = next(p for p in rule.participants if f".{p.name}" == self.site.suffix)
        others = [p for p in rule.participants if p.name != mine.name]
        right = [self._choice(rule, p.discriminator_value, {relations.json_name(p)}) for p in (mine, *others)]
        wrong = [self._choice(rule, mine.discriminator_value, set())]
        for other in others:
            both = {relations.json_name(mine), relations.json_name(other)}
            wrong.append(self._choice(rule, other.discriminator_value, both))
        wrong += [self._choice(rule, value, {relations.json_name(mine)}) for value in ("", "a")]
        return wrong, right

    def _choice(self, rule: Membership, value: str, names: set[str]) -> Try:
        chosen = self._with(rule, names).new
        return Try({**chosen, rule.discriminator: value} if value else _without(chosen, rule.discriminator))

    def _items(self, rule: Membership) -> _Tries:
        """Unions of items of a list."""
        rest = [i for i in self.value or [] if not any(_matches(i, p.presence) for p in rule.participants)]
        items = [self._item(participant) for participant in rule.participants]
        alone = [Try([*rest, item]) for item in items]
        if rule.kind is MembershipKind.DEPENDENT_REQUIRED:
            return alone[:1], [Try([*rest, *items[:2]]), Try(rest)]
        if rule.kind is MembershipKind.EXACTLY_ONE:
            return [Try([*rest, *items[:2]]), Try(rest)], alone
        return [Try([*rest, *items[:2]])], [*alone, Try(rest)]

    def _item(self, participant: Participant) -> Any:
        assert isinstance(participant.presence, ItemPresence)
        wanted = {term.json: term.value for term in participant.presence.selector}
        return {**Objects().value(self.place.elem, self.conditions), **wanted}

    def modes(self, modes: Modes) -> _Tries:
        """A member in a mode that forbids it, and in one that does not."""
        known = {mode for mode, _ in modes.rules}
        others: list[Any] = [modes.zero, *edges(self.place.members[modes.discriminator])]
        member = self.place.members[modes.json]
        outside, inside = [], []
        for mode in dict.fromkeys(chain((mode for mode, _ in modes.rules), islice(others, 8))):
            obj = {**(self.value or {}), modes.discriminator: mode}
            conditions = {**self.conditions, self.place.mode_name(modes): mode}
            obj[modes.json] = Objects().set_value(member, conditions)
            (inside if mode in known else outside).append(Try(obj))
            if mode in known:
                inside.append(Try(_without(obj, modes.json)))
        return outside, inside

    # --- checks that say nothing of values --------------------------------------------------------------------------

    def unknown(self, test: Test) -> _Tries:
        """Checks that fail always, or on nobody knows what."""
        values = [self.set(), *self.variants(), *short(edges(self.place))[:6], *self._unset()]
        changes = [Try(value, ABSENT, update=True) for value in values[:2]]
        return [*map(Try, values), *changes], [*map(Try, values[:4]), *self._same()]


def _matches(item: Any, presence: object) -> bool:
    assert isinstance(presence, ItemPresence)
    item = item if isinstance(item, dict) else {}
    return all(item.get(term.json, term.zero) == term.value for term in presence.selector)


def _without(obj: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in obj.items() if key != name}


def _others(place: Place, item: Any, match: Match, known: set[str], conditions: Conditions) -> Iterator[Any]:
    """Items none of which is the same as another."""
    for other in unlike(place, item, match, conditions):
        if relations.identifier(other, match) not in known:
            yield other


def distinct_few(place: Place, conditions: Conditions) -> list[Any]:
    """Some values of a place, no two the same."""
    return list(islice(distinct(place, conditions), 12))


def variants(place: Place, value: Any, conditions: Conditions, depth: int = 0) -> Iterator[Any]:
    """Values of a place unlike a given one."""
    shape = place.value
    if isinstance(shape, StructRef):
        obj = value if isinstance(value, dict) else {}
        for name, member in place.members.items() if depth < _DEEPEST else ():
            for other in islice(variants(member, obj.get(name), conditions, depth + 1), 1):
                yield {**obj, name: other}
    elif isinstance(shape, ListOf) and not shape.packed:
        items = value if isinstance(value, list) else []
        if items:
            others = variants(place.elem, items[0], conditions, depth + 1)
            yield from ([other, *items[1:]] for other in islice(others, 3))
        else:
            yield [Objects().value(place.elem, conditions)]
    elif isinstance(shape, MapOf):
        entries = value if isinstance(value, dict) else {}
        for key, entry in islice(entries.items(), 1):
            others = variants(place.elem, entry, conditions, depth + 1)
            yield from ({**entries, key: other} for other in islice(others, 3))
        for key in islice(distinct(place.key, conditions), len(entries) + 1):
            if str(key) not in entries:
                yield {**entries, str(key): Objects().value(place.elem, conditions)}
    else:
        yield from (other for other in distinct_few(place, conditions) if other != value)
