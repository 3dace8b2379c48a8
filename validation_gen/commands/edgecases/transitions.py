"""Both sides of rules about changes: updates from one value to another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, islice, pairwise

from validation_gen.commands.edgecases.spot import Spot, Tries, Try, distinct_few
from validation_gen.commands.edgecases.steps import ABSENT
from validation_gen.ir import Match, Predicate


def immutable(spot: Spot, _: Predicate) -> Tries:
    """Handles immutable values. Where objects are not compared as a whole, only a create passes."""
    value = spot.filled()
    set_or_not = [Try(value, ABSENT, update=True), Try(ABSENT, value, update=True)]
    return chain(islice(_changes(spot), 6), set_or_not), chain(islice(unchanged(spot), 6), [Try(value)])


def monotonic(spot: Spot, _: Predicate) -> Tries:
    """Handles numbers that must not fall."""
    numbers = sorted(n for n in distinct_few(spot.place, spot.conditions) if isinstance(n, int))
    pairs = list(pairwise(numbers))
    near = sorted(pairs, key=lambda pair: (pair[1] - pair[0], abs(pair[0])))
    down = [Try(low, high, update=True) for low, high in near]
    return down, [Try(high, high, update=True) for _, high in near] + [Try(h, low, update=True) for low, h in near]


def update_value(spot: Spot, test: Predicate) -> Tries:
    """Handles values that must not be set, unset or modified."""
    constraints = test.operands[0]
    assert isinstance(constraints, tuple)
    value = spot.filled()
    broken = {
        "NoSet": [Try(value, ABSENT, update=True)],
        "NoUnset": [Try(ABSENT, value, update=True)],
        "NoModify": list(_changes(spot)),
    }
    return [each for name in constraints for each in broken.get(name, [])], unchanged(spot)


def update_items(spot: Spot, test: Predicate) -> Tries:
    """Handles lists and maps whose items must not be added or removed."""
    constraints = test.operands[0]
    assert isinstance(constraints, tuple)
    if spot.site.type == "FieldValueInvalid":
        return update_value(spot, test)
    two = spot.of_size(2, next((operand for operand in test.operands if isinstance(operand, Match)), None))
    few = [two[:1], two[1:]] if isinstance(two, list) else [dict(list(two.items())[:1])]
    outside: list[Try] = []
    if "NoAddItem" in constraints and spot.site.suffix == "[*]":
        outside += [Try(two, one, update=True) for one in few]
    if "NoRemoveItem" in constraints and (spot.site.suffix == "" or isinstance(two, dict)):
        outside += [Try(one, two, update=True) for one in few]
    return outside, [Try(two, two, update=True), *unchanged(spot)]


def _changes(spot: Spot) -> Iterator[Try]:
    pairs = combinations([spot.filled(), *spot.variants()], 2)
    yield from (Try(new, old, update=True) for old, new in islice(pairs, 8))


def unchanged(spot: Spot) -> Iterator[Try]:
    """Yields updates that keep the value."""
    yield from (Try(value, value, update=True) for value in [spot.filled(), *spot.variants(), *spot.unset()])
