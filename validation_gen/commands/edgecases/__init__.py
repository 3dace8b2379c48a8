"""Objects at the limits of rules, drawn from a program for tests of validators.

- `boundary_cases` finds for each declared rule a request that breaks it and a similar one that does not.
- `Drawing` draws requests of a kind from a source of choices: creates and updates, most of them nearly valid, with all
  options and paths. `Objects` draws single values.
- `shrink` makes a request as small as possible while a predicate holds.

Nothing here reads a file or prints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from validation_gen.commands.edgecases.cases import Case, boundary_cases
from validation_gen.commands.edgecases.changes import ValuePath, find_paths, is_free, open_path, replace_value, several
from validation_gen.commands.edgecases.objects import Objects
from validation_gen.commands.edgecases.repairs import Probe, Subject, subject
from validation_gen.commands.edgecases.shrinking import shrink
from validation_gen.commands.edgecases.steps import RandomSource, Source, make_random_source, pick, with_value
from validation_gen.commands.edgecases.texts import LONG
from validation_gen.commands.edgecases.value_specs import Conditions, ValueSpec, ValueSpecs, option_name
from validation_gen.commands.edgecases.values import sample_without_rules
from validation_gen.ir import Scalar

_MISTAKES = (0.0, 0.0, 0.02, 0.1)
_DENSITIES = (0.2, 0.5, 0.9)
_SIZES = (10, 25, 60)
_NULLS = 0.03
_FREE = 5


@dataclass(slots=True)
class Drawing:
    """Draws requests of one kind.

    Each path of the kind has its turn, in an order that `source` decides. Values without rules are varied, several in
    each request, as handwritten checks may constrain them. `texts` and `numbers` are used there, too.
    """

    subject: Subject
    source: Source
    texts: Sequence[str] = ()
    numbers: Sequence[int] = ()
    _ruled: _Rotation = field(default_factory=lambda: _Rotation([]))
    _free: _Rotation = field(default_factory=lambda: _Rotation([]))
    _uses: dict[ValuePath, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        known = find_paths(self.subject.place)
        free = [way for way, place in known if is_free(place)]
        self._ruled = _Rotation([way for way, place in known if not is_free(place)] or free)
        # Every kind has metadata, with many fields.
        self._free = _Rotation([way for way in free if way[0] != "metadata"], [w for w in free if w[0] == "metadata"])

    def request(self) -> Probe:
        """Returns the next request."""
        source = self.source
        options = {name: source.chance(0.5) for name in self.subject.options}
        conditions = {option_name(name): state for name, state in options.items()}
        obj = self._random(conditions) if source.chance(0.3) else self.subject.smallest(conditions)
        obj = self._fill(obj, conditions)
        if source.chance(0.6):
            probe = self.subject.probe(self.changed(obj, conditions), options=options)
        else:
            # The change is usually at the path of the new value.
            way = self._ruled.next(source)
            old = self._change_one(obj, way, conditions)
            new = self._change_one(old, way, conditions) if source.chance(0.7) else self.changed(old, conditions)
            probe = self.subject.probe(new, old, update=True, options=options)
        return replace(probe, subresource=pick(source, self.subject.kind.subresources or ("/",)))

    def changed(self, obj: Any, conditions: Conditions) -> Any:
        """Returns the object with some values changed."""
        for _ in range(several(self.source, 4)):
            obj = self._change_one(obj, self._ruled.next(self.source), conditions)
        return obj

    def _change_one(self, obj: Any, way: ValuePath | None, conditions: Conditions) -> Any:
        if way is None:
            return self._objects().value(self.subject.place, conditions)
        return replace_value(self._objects(), self.subject.place, way, obj, conditions)

    def _fill(self, obj: Any, conditions: Conditions) -> Any:
        """Returns the object with some values that have no rules."""
        for _ in range(_FREE):
            way = self._free.next(self.source)
            if way is None:
                break
            other, steps, place = open_path(self.subject.place, way, obj, conditions)
            values = sample_without_rules(place)
            use = self._uses.setdefault(way, self.source.below(3))
            self._uses[way] = use + 1
            value = values[use % len(values)]
            if isinstance(value, str) and self.source.chance(0.01):
                value = LONG if isinstance(place.value, Scalar) else value
            obj = with_value(other, steps, value)
        return obj

    def _random(self, conditions: Conditions) -> Any:
        return self.subject.whole(self._objects().value(self.subject.place, conditions))

    def _objects(self) -> Objects:
        source = self.source
        mistakes, density, size = pick(source, _MISTAKES), pick(source, _DENSITIES), pick(source, _SIZES)
        return Objects(source, mistakes, density, size, nulls=_NULLS, texts=self.texts, numbers=self.numbers)


class _Rotation:
    """Yields paths in rounds: each path once a round, in a new order in each round, later groups last."""

    def __init__(self, *groups: list[ValuePath]) -> None:
        self.groups = [group for group in groups if group]
        self.round: list[ValuePath] = []

    def next(self, source: Source) -> ValuePath | None:
        if not self.round:
            self.round = [way for group in self.groups for way in _shuffle(source, group)][::-1]
        return self.round.pop() if self.round else None


def _shuffle(source: Source, values: list[ValuePath]) -> list[ValuePath]:
    found = list(values)
    for last in range(len(found) - 1, 0, -1):
        other = source.below(last + 1)
        found[last], found[other] = found[other], found[last]
    return found


__all__ = [
    "Case",
    "Drawing",
    "Objects",
    "Probe",
    "RandomSource",
    "Source",
    "Subject",
    "ValueSpec",
    "ValueSpecs",
    "boundary_cases",
    "make_random_source",
    "shrink",
    "subject",
]
