"""Locations of the rules of a kind, and the values that they test, with possible replacements.

It filters `ir.visit` as `coverage.declared` does, and has the values beside the paths.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice, repeat
from typing import Any

from validation_gen.commands.coverage import find_errors
from validation_gen.commands.edgecases import relations
from validation_gen.commands.edgecases.objects import Objects, unlike
from validation_gen.commands.edgecases.steps import ABSENT
from validation_gen.commands.edgecases.value_specs import Conditions, ValueSpec, When, mode_name, option_name
from validation_gen.commands.edgecases.values import distinct, edges
from validation_gen.ir import (
    InMode,
    ListOf,
    Location,
    MapOf,
    Match,
    Membership,
    Modes,
    Predicate,
    Root,
    Scalar,
    StructRef,
    TagRef,
    Visit,
    visit,
)
from validation_gen.ir.traverse import Condition, Entry, FieldStep, Item

PathStep = str | Item | Entry
#: Modes of discriminators, each with the number of steps to its struct.
ModesByDepth = tuple[tuple[int, InMode], ...]


@dataclass(frozen=True, slots=True)
class ErrorSite:
    """A predicate on a value, and one of its possible errors.

    Attributes:
        path: the path of the error with `[*]`, as coverage has it.
        type: the type of the error, and its `origin`.
        tag: the tag that the error is marked with.
        operation: the predicate; `Modes` represents the modes that forbid the member.
        place: the tested value. For a rule about keys this is the key.
        way: path from the object to that value.
        suffix: the path of the error below the value.
        when: the options on which the predicate depends.
        modes: the modes in which the predicate applies.
    """

    path: str
    type: str
    origin: str
    tag: TagRef
    operation: Predicate | Membership | Modes
    place: ValueSpec
    way: tuple[PathStep, ...]
    suffix: str
    when: When
    modes: ModesByDepth

    @property
    def key(self) -> tuple[str, str, str, str, object]:
        """Attributes that identify the site, in the terms of coverage."""
        return self.path, self.type, self.origin, self.tag.text, self.tag.span


def find_sites(root: Root, spec: ValueSpec) -> Iterator[ErrorSite]:
    """Yields all predicates of a kind with their errors. Several may give the same declared error."""
    values = _Values(spec)
    for visited in visit(spec.places.program, root.type):
        if visited.tag.text:
            yield from values.sites(visited)


@dataclass(slots=True)
class _Values:
    """Finds the `ValueSpec` of the value that a check tests, and the steps to it; none if JSON lacks the field."""

    root: ValueSpec
    known: dict[Location, tuple[ValueSpec | None, tuple[PathStep, ...]]] = field(default_factory=dict)

    def sites(self, visited: Visit) -> Iterator[ErrorSite]:
        operation = visited.operation
        place, way = self.find(visited.at)
        if place is None:
            return
        when = tuple(map(self._when, visited.conditions))
        modes = tuple((len(self.find(each.struct)[1]), each) for each in visited.modes)
        for suffix, type, origin in find_errors(visited):
            if type != "InternalError" and isinstance(operation, Predicate | Membership | Modes):
                path = f"{visited.at.path}{suffix}".removeprefix(".")
                yield ErrorSite(path, type, origin, visited.tag, operation, place, way, suffix, when, modes)

    def find(self, at: Location) -> tuple[ValueSpec | None, tuple[PathStep, ...]]:
        """Returns the `ValueSpec` of a value, and the steps to it."""
        if at.around is None:
            return self.root, ()
        if at not in self.known:
            self.known[at] = self._part(at, *self.find(at.around))
        return self.known[at]

    @staticmethod
    def _part(
        at: Location, place: ValueSpec | None, steps: tuple[PathStep, ...]
    ) -> tuple[ValueSpec | None, tuple[PathStep, ...]]:
        match at.step:
            case FieldStep(json="", plan=plan):
                return (place if plan is not None and plan.merged else None), steps
            case FieldStep(json=json):
                return (place.members.get(json) if place is not None else None), (*steps, json)
            case Item(selector=selector) as step:
                if place is not None:
                    place = next((item for known, item in place.selected if known == selector), place.elem)
                return place, (*steps, step)
            case Entry(key=key) as step:
                return (place and (place.key if key else place.elem)), (*steps, step)
        raise AssertionError(at.step)

    def _when(self, condition: Condition) -> tuple[str, object]:
        if isinstance(condition, InMode):
            struct, _ = self.find(condition.struct)
            assert struct is not None
            return mode_name(struct.value.type, condition.modes.discriminator), condition.mode
        return option_name(condition.check.option), condition.check.enabled


_DEEPEST = 5


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate value at the site of a rule, or `ABSENT`; for an update, also the old value."""

    new: Any
    old: Any = ABSENT
    update: bool = False


#: Candidates that may break a rule, and that may obey it; the best first.
Candidates = tuple[Iterable[Candidate], Iterable[Candidate]]


@dataclass(frozen=True, slots=True)
class TestTarget:
    """The site of a rule, in an otherwise valid object. `value` is the current value."""

    site: ErrorSite
    value: Any
    conditions: Conditions

    @property
    def place(self) -> ValueSpec:
        return self.site.place

    def filled(self) -> Any:
        """Returns the smallest value that counts as set."""
        return self.value or Objects().set_value(self.place, self.conditions)

    def unset(self) -> Iterator[Any]:
        """Yields values that count as unset, among them `ABSENT` for members."""
        if self.site.way and isinstance(self.site.way[-1], str):
            yield ABSENT
        shape = self.place.value
        if isinstance(shape, Scalar):
            yield shape.zero
        if self.site.way and not isinstance(self.site.way[-1], Entry):
            yield None
        if isinstance(shape, ListOf) and not shape.packed:
            yield []

    def of_size(self, size: int, match: Match | None = None) -> Any:
        """Returns a list or map with `size` valid items, or as many as possible."""
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
        fresh = items[0] if items else Objects().value(place.elem, conditions)
        others: Iterator[Any] = repeat(fresh)
        if match is not None:
            known = {relations.identifier(item, match) for item in items}
            unused = unlike(place.elem, fresh, match, conditions)
            others = (item for item in unused if relations.identifier(item, match) not in known)
        return [*items, *islice(others, size - len(items))]

    def variants(self) -> list[Any]:
        """Returns different values for the site, all of which count as set."""
        return list(islice(variants(self.place, self.filled(), self.conditions), 8))


def distinct_few(spec: ValueSpec, conditions: Conditions) -> list[Any]:
    """Returns some values of a place, without duplicates."""
    return list(islice(distinct(spec, conditions), 12))


def variants(spec: ValueSpec, value: Any, conditions: Conditions, depth: int = 0) -> Iterator[Any]:
    """Yields values for a place that differ from a given value."""
    shape = spec.value
    if isinstance(shape, StructRef):
        obj = value if isinstance(value, dict) else {}
        for name, member in spec.members.items() if depth < _DEEPEST else ():
            for other in islice(variants(member, obj.get(name), conditions, depth + 1), 1):
                yield {**obj, name: other}
    elif isinstance(shape, ListOf) and not shape.packed:
        items = value if isinstance(value, list) else []
        if items:
            others = variants(spec.elem, items[0], conditions, depth + 1)
            yield from ([other, *items[1:]] for other in islice(others, 3))
        else:
            yield [Objects().value(spec.elem, conditions)]
    elif isinstance(shape, MapOf):
        entries = value if isinstance(value, dict) else {}
        for key, entry in islice(entries.items(), 1):
            others = variants(spec.elem, entry, conditions, depth + 1)
            yield from ({**entries, key: other} for other in islice(others, 3))
        for key in islice(distinct(spec.key, conditions), len(entries) + 1):
            if str(key) not in entries:
                yield {**entries, str(key): Objects().value(spec.elem, conditions)}
    else:
        yield from (other for other in distinct_few(spec, conditions) if other != value)
