"""Draws requests of a kind: creates and updates, most of them valid but for little, with all options and paths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from validation_gen.boundaries.mending import smallest
from validation_gen.boundaries.objects import Objects
from validation_gen.boundaries.places import Conditions, option_name
from validation_gen.boundaries.probe import Probe, Subject
from validation_gen.boundaries.source import Source, one_of
from validation_gen.boundaries.touches import Way, several, touched, ways

_MISTAKES = (0.0, 0.0, 0.02, 0.1)
_DENSITIES = (0.2, 0.5, 0.9)
_SIZES = (10, 25, 60)


@dataclass(slots=True)
class Drawing:
    """Draws requests of one kind.

    Each place of the kind has its turn, in an order that `source` decides. `texts` and `numbers` are used where no rule
    asks for others.
    """

    subject: Subject
    source: Source
    texts: Sequence[str] = ()
    numbers: Sequence[int] = ()
    _ways: list[Way] = field(default_factory=list)
    _smallest: dict[tuple[object, ...], Any] = field(default_factory=dict)
    _turns: Iterator[Way] | None = None

    def request(self) -> Probe:
        """The next request."""
        source = self.source
        options = {name: source.chance(0.5) for name in self.subject.options}
        conditions = {option_name(name): state for name, state in options.items()}
        obj = self._random(conditions) if source.chance(0.35) else self._smallest_with(conditions)
        update = source.chance(0.4)
        if not update:
            probe = self.subject.probe(self._touched(obj, conditions), options=options)
        else:
            # What changes is at the place of the new value more often than somewhere else.
            way = self._way()
            old = self._touch(obj, way, conditions)
            new = self._touch(old, way, conditions) if source.chance(0.7) else self._touched(old, conditions)
            probe = self.subject.probe(new, old, update=True, options=options)
        return replace(probe, subresource=one_of(source, self.subject.kind.subresources or ("/",)))

    def changed(self, obj: Any, conditions: Conditions) -> Any:
        """The object with some values changed."""
        return self._touched(obj, conditions)

    def _touched(self, obj: Any, conditions: Conditions) -> Any:
        for _ in range(several(self.source, 4)):
            obj = self._touch(obj, self._way(), conditions)
        return obj

    def _touch(self, obj: Any, way: Way | None, conditions: Conditions) -> Any:
        if way is None:
            return self._objects().value(self.subject.place, conditions)
        return touched(self._objects(), self.subject.place, way, obj, conditions)

    def _random(self, conditions: Conditions) -> Any:
        return self.subject.whole(self._objects().value(self.subject.place, conditions))

    def _objects(self) -> Objects:
        source = self.source
        mistakes, density, size = one_of(source, _MISTAKES), one_of(source, _DENSITIES), one_of(source, _SIZES)
        return Objects(source, mistakes, density, size, self.texts, self.numbers)

    def _smallest_with(self, conditions: Conditions) -> Any:
        key = tuple(conditions.values())
        if key not in self._smallest:
            self._smallest[key] = smallest(self.subject, conditions)
        return self._smallest[key]

    def _way(self) -> Way | None:
        """The next of all ways, each as often as the others; `None` if there are no parts."""
        while True:
            way = next(self._turns, None) if self._turns is not None else None
            if way is not None:
                return way
            self._ways = self._ways or ways(self.subject.place)
            if not self._ways:
                return None
            self._turns = iter(_shuffled(self.source, self._ways))


def _shuffled(source: Source, values: list[Way]) -> list[Way]:
    found = list(values)
    for last in range(len(found) - 1, 0, -1):
        other = source.below(last + 1)
        found[last], found[other] = found[other], found[last]
    return found
