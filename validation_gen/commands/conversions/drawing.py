"""Draws valid objects of a version: first each field at its limits, then combinations of them.

Drawn objects are validated, and repaired if they are invalid; irreparable ones are dropped. The same version, number
and seed give the same objects.
"""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from validation_gen.commands.conversions.kinds import Version
from validation_gen.commands.edgecases import Objects, Source, ValueSpec, make_random_source
from validation_gen.commands.edgecases.changes import ValuePath, find_paths, open_path
from validation_gen.commands.edgecases.steps import ABSENT, Steps, get, locate, pick, with_value
from validation_gen.commands.edgecases.values import edges
from validation_gen.ir import ListOf, MapOf, StructRef
from validation_gen.runtime.errors import FieldError

#: Main part of objects: few are drawn without it, even where it is optional.
_SPEC, _WITH_SPEC = "spec", 0.97
_DENSITIES = (0.15, 0.4, 0.8)
_SIZES = (15, 40, 120)
_MOST_EDGES = 8
_MOST_ROUNDS = 12
_MOST_ERRORS = 8
_MOST_BASES = 300
_MOST_TRIED = 6
_MOST_OTHERS, _MOST_AROUND = 150, 4
_METADATA: tuple[dict[str, Any], ...] = (
    {},
    {"labels": {"a": "b", "example.com/c": ""}},
    {"annotations": {"a": "", "example.com/b": "x y"}},
    {
        "labels": {"a": "b"},
        "annotations": {"c": "d"},
        "uid": "123e4567-e89b-12d3-a456-426614174000",
        "resourceVersion": "7",
        "generation": 3,
        "creationTimestamp": "2024-05-06T07:08:09Z",
        "finalizers": ["example.com/f"],
        "ownerReferences": [
            {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "123e4567-e89b-12d3-a456-426614174001"}
        ],
    },
)


@dataclass
class Drawn:
    """The objects of one version.

    `unreached` are the fields for which no valid value was found, `skipped` those beyond the requested number of
    objects.
    """

    version: Version
    seed: int = 0
    unreached: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def objects(self, most: int) -> Iterator[Any]:
        """Yields at most `most` objects, at least a third of them with combinations."""
        source = make_random_source(self.seed, self.version.api_version, self.version.kind)
        count = 0
        with contextlib.closing(self._at_edges(source)) as at_edges:
            for obj in islice(at_edges, most - most // 3):
                count += 1
                yield obj
        misses = 0
        while count < most and misses < most:
            drawn = self._any(source)
            if drawn is None:
                misses += 1
                continue
            count += 1
            yield drawn

    # --- edges --------------------------------------------------------------------------------------------------------

    def _at_edges(self, source: Source) -> Generator[Any, None, None]:
        subject = self.version.subject
        base = self._base(source)
        if base is None:
            # A kind without valid objects has no drawn objects.
            self.unreached.append("the object itself")
            return
        yield base
        others = [each for each in (self._any(source) for _ in range(_MOST_OTHERS)) if each is not None]
        waiting = [
            (_spelt(way), self._of_field(way, place, base, others, source)) for way, place in find_paths(subject.place)
        ]
        skipped = dict.fromkeys(name for name, _ in waiting)
        try:
            # Each field has its turn before any has another one.
            while waiting:
                left = []
                for name, objects in waiting:
                    obj = next(objects, None)
                    if obj is None and name in skipped:
                        self.unreached.append(name)
                    skipped.pop(name, None)
                    if obj is not None:
                        left.append((name, objects))
                        yield obj
                waiting = left
        finally:
            self.skipped = list(skipped)

    def _of_field(
        self, path: ValuePath, spec: ValueSpec, base: Any, others: list[Any], source: Source
    ) -> Iterator[Any]:
        found = False
        # Some fields require others: objects that have them are tried as well.
        for around in (base, *[other for other in others if _leads(path, other)][:_MOST_AROUND]):
            for obj in self._around(path, spec, around, source):
                found = True
                yield obj
            if found:
                return

    def _base(self, source: Source) -> Any:
        """Returns a small valid object, None if none was found."""
        value = Objects().value(self.version.subject.place, {})
        if _SPEC in self.version.subject.place.members:
            value = {_SPEC: Objects().value(self.version.subject.place.members[_SPEC], {}, 1)} | value
        base = self._repair(self._whole(value, source), ())
        tries = (self._any(source) for _ in range(_MOST_BASES))
        return base or next((each for each in tries if each is not None), None)

    def _around(self, path: ValuePath, spec: ValueSpec, base: Any, source: Source) -> Iterator[Any]:
        """Yields valid objects, each with another limit value of one field."""
        obj, steps, end = open_path(self.version.subject.place, path, base, {})
        for value in self._edges(end, source):
            made = self._repair(self._whole(with_value(obj, steps, value), source), steps)
            if made is not None:
                yield made

    def _edges(self, spec: ValueSpec, source: Source) -> Iterator[Any]:
        schema = self.version.places.find_schema(spec)
        match spec.value:
            case StructRef():
                yield {}
                yield Objects(source, density=0.9, size=40).value(spec, {}, 1)
            case ListOf():
                yield []
                yield [Objects().value(spec.elem, {})]
                yield Objects(source, density=0.6, size=40).value(spec, {}, 1)
            case MapOf():
                yield {}
                yield Objects(source, density=0.6, size=40).value(spec, {}, 1)
            case _:
                known = edges(spec)
                yield from known[:_MOST_EDGES]
                yield from (pick(source, known) for _ in range(2) if len(known) > _MOST_EDGES)
        if schema is not None and schema.nullable:
            yield None

    # --- anything -----------------------------------------------------------------------------------------------------

    def _any(self, source: Source) -> Any:
        place = self.version.subject.place
        objects = Objects(source, density=pick(source, _DENSITIES), size=pick(source, _SIZES))
        value = objects.value(place, {})
        if _SPEC in place.members and _SPEC not in value and source.chance(_WITH_SPEC):
            value[_SPEC] = objects.value(place.members[_SPEC], {}, 1)
        return self._repair(self._whole(value, source), ())

    def _whole(self, value: Any, source: Source) -> Any:
        version = self.version
        metadata = {"name": "a", **({"namespace": "default"} if version.namespaced else {})}
        metadata |= pick(source, _METADATA)
        rest = {name: each for name, each in value.items() if name not in ("apiVersion", "kind", "metadata")}
        return {"apiVersion": version.api_version, "kind": version.kind, "metadata": metadata, **rest}

    def _repair(self, obj: Any, kept: Steps) -> Any:
        """Repairs an object, keeping the value at `kept`; None if that fails."""
        value = get(obj, kept) if kept else None
        place = self.version.subject.place
        for _ in range(_MOST_ROUNDS):
            errors = self.version.errors(obj)
            if not errors:
                return obj
            better = self._better(obj, errors, place, kept, value)
            if better is None:
                return None
            obj = better
        return None

    def _better(self, obj: Any, errors: list[FieldError], spec: ValueSpec, kept: Steps, value: Any) -> Any:
        """Returns the object with a repair for each error that has one, `None` if none has."""
        changed = obj
        fields = list(dict.fromkeys(error.field for error in errors))
        for path in fields[:_MOST_ERRORS]:
            steps, places = locate(path, spec, changed)
            found = [each for each in _remedies(changed, steps, places) if _is_kept(each, kept, value)]
            if len(fields) == 1:
                # With one error left it pays to test the remedies.
                found = [each for each in found[:_MOST_TRIED] if not self.version.errors(each)][:1] or found
            changed = found[0] if found else changed
        return None if changed is obj else changed


def _is_kept(obj: Any, kept: Steps, value: Any) -> bool:
    """Returns whether a value is unchanged; for objects and lists, whether they exist."""
    now = get(obj, kept) if kept else value
    return bool(now == value) or (isinstance(value, dict | list) and isinstance(now, type(value)))


def _remedies(obj: Any, steps: Steps, places: list[ValueSpec]) -> Iterator[Any]:
    """Yields objects that may be without an error: with a missing value added, else with a value removed."""
    complete = len(places) == len(steps) + 1
    now = get(obj, steps)
    if complete and now is ABSENT:
        yield with_value(obj, steps, Objects().set_value(places[-1], {}))
    if complete and isinstance(now, dict) and isinstance(places[-1].value, StructRef):
        # One of several members is required, or another one than is set.
        others = {name: member for name, member in places[-1].members.items() if name not in now}
        for name, member in list(others.items())[:_MOST_TRIED]:
            yield with_value(obj, (*steps, name), Objects().set_value(member, {}))
    if isinstance(now, list) and len(now) > 1:
        yield with_value(obj, steps, now[:1])
    for length in range(len(steps), 1, -1):
        if get(obj, steps[:length]) is not ABSENT:
            yield with_value(obj, steps[:length], ABSENT)


def _leads(path: ValuePath, obj: Any) -> bool:
    """Returns whether an object has a value at the end of a path."""
    level = [obj]
    for turn in path:
        if isinstance(turn, str):
            level = [each[turn] for each in level if isinstance(each, dict) and turn in each]
        else:
            level = [
                item
                for each in level
                for item in (each.values() if isinstance(each, dict) else each if isinstance(each, list) else ())
            ]
    return bool(level)


def _spelt(path: ValuePath) -> str:
    return ".".join(turn if isinstance(turn, str) else "[*]" for turn in path).replace(".[*]", "[*]")
