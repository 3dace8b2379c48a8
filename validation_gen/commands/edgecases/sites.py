"""Locations of the rules of a kind: for each error that a tag declares the tested value, and the path to it.

It filters `ir.visit` as `coverage.declared` does, and has the values beside the paths.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from validation_gen.commands.edgecases.places import Place, When, mode_name, option_name
from validation_gen.ir import InMode, Location, Membership, Modes, Predicate, Root, TagRef, Visit, visit
from validation_gen.ir.traverse import Condition, Entry, FieldStep, Item

Turn = str | Item | Entry


@dataclass(frozen=True, slots=True)
class InStruct:
    """A struct on the path by the number of steps to it, and the mode that its discriminator must name."""

    length: int
    modes: Modes
    mode: str | bool


@dataclass(frozen=True, slots=True)
class Site:
    """A test of a value, and one of the errors that it can give.

    Attributes:
        path: the path of the error with `[*]`, as coverage has it.
        type: the type of the error, and its `origin`.
        tag: the tag that the error is marked with.
        operation: the test; `Modes` represents the modes that forbid the member.
        place: the tested value. For a rule about keys this is the key.
        way: path from the object to that value.
        suffix: the path of the error below the value.
        when: the options on which the test depends.
        modes: the modes in which the test counts.
    """

    path: str
    type: str
    origin: str
    tag: TagRef
    operation: Predicate | Membership | Modes
    place: Place
    way: tuple[Turn, ...]
    suffix: str
    when: When
    modes: tuple[InStruct, ...]

    @property
    def key(self) -> tuple[str, str, str, str, object]:
        """Attributes that identify the site, in the terms of coverage."""
        return self.path, self.type, self.origin, self.tag.text, self.tag.span


def sites(root: Root, place: Place) -> Iterator[Site]:
    """Yields all tests of a kind with their errors. Several may give the same declared error."""
    values = _Values(place)
    for visited in visit(place.places.program, root.type):
        if visited.tag.text and not visited.silent:
            yield from values.sites(visited)


@dataclass(slots=True)
class _Values:
    """The tested values of visits, and the steps to them. A field without a value in JSON has no place."""

    root: Place
    known: dict[Location, tuple[Place | None, tuple[Turn, ...]]] = field(default_factory=dict)

    def sites(self, visited: Visit) -> Iterator[Site]:
        operation = visited.operation
        place, way = self.find(visited.at)
        if place is None:
            return
        when = tuple(map(self._when, visited.conditions))
        modes = tuple(InStruct(len(self.find(each.struct)[1]), each.modes, each.mode) for each in visited.modes)
        errors: list[tuple[str, str, str]] = []
        if isinstance(operation, Modes):
            errors.append((f".{operation.path}", "FieldValueForbidden", ""))
        elif isinstance(operation, Predicate | Membership):
            errors += [(e.path, e.type, e.origin) for e in visited.check.emits]
        else:
            return
        for suffix, type, origin in errors:
            if type != "InternalError":
                path = f"{visited.at.path}{suffix}".removeprefix(".")
                yield Site(path, type, origin, visited.tag, operation, place, way, suffix, when, modes)

    def find(self, at: Location) -> tuple[Place | None, tuple[Turn, ...]]:
        """Returns the place of a value, and the steps to it."""
        if at.around is None:
            return self.root, ()
        if at not in self.known:
            self.known[at] = self._part(at, *self.find(at.around))
        return self.known[at]

    @staticmethod
    def _part(at: Location, place: Place | None, way: tuple[Turn, ...]) -> tuple[Place | None, tuple[Turn, ...]]:
        match at.step:
            case FieldStep(json="", plan=plan):
                return (place if plan is not None and plan.merged else None), way
            case FieldStep(json=json):
                return (place.members.get(json) if place is not None else None), (*way, json)
            case Item(selector=selector) as step:
                if place is not None:
                    place = next((item for known, item in place.selected if known == selector), place.elem)
                return place, (*way, step)
            case Entry(key=key) as step:
                return (place and (place.key if key else place.elem)), (*way, step)
        raise AssertionError(at.step)

    def _when(self, condition: Condition) -> tuple[str, object]:
        if isinstance(condition, InMode):
            struct, _ = self.find(condition.struct)
            assert struct is not None
            return mode_name(struct.value.type, condition.modes.discriminator), condition.mode
        return option_name(condition.check.option), condition.check.enabled
