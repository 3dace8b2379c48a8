"""Locations of the rules of a kind: for each error that a tag declares the tested value, and the path to it.

The walk is that of `coverage.declared`, with the values beside the paths.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from validation_gen.ir import (
    Check,
    EachKey,
    EachValue,
    FieldPlan,
    IfOption,
    InItem,
    InMember,
    MapOf,
    Membership,
    Modes,
    Predicate,
    Root,
    Selector,
    TagRef,
    called,
)
from validation_gen.uses.edgecases.places import Place, When, mode_name, option_name


@dataclass(frozen=True, slots=True)
class Item:
    """A step to an item of a list: any, or one that a selector matches."""

    selector: Selector = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """A step to a value of a map, or to its key."""

    key: bool = False


Turn = str | Item | Entry


@dataclass(frozen=True, slots=True)
class InMode:
    """A struct on the path, and the mode that its discriminator must name."""

    length: int  # length of the path to the struct
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
    modes: tuple[InMode, ...]

    @property
    def key(self) -> tuple[str, str, str, str, object]:
        """Attributes that identify the site, in the terms of coverage."""
        return self.path, self.type, self.origin, self.tag.text, self.tag.span


@dataclass(frozen=True, slots=True)
class _Way:
    """A value on the walk. `place` is `None` where JSON has no value."""

    place: Place | None
    path: str = ""
    turns: tuple[Turn, ...] = ()
    when: When = ()
    modes: tuple[InMode, ...] = ()

    def member(self, name: str, path: str) -> _Way:
        place = self.place.members.get(name) if self.place is not None else None
        return replace(self, place=place, path=path, turns=(*self.turns, name))

    def item(self, selector: Selector = ()) -> _Way:
        place = self.place
        if place is not None:
            place = next((item for known, item in place.selected if known == selector), place.elem)
        return replace(self, place=place, path=f"{self.path}[*]", turns=(*self.turns, Item(selector)))

    def entry(self, *, key: bool) -> _Way:
        place = self.place and (self.place.key if key else self.place.elem)
        path = self.path if key else f"{self.path}[*]"
        return replace(self, place=place, path=path, turns=(*self.turns, Entry(key)))


def sites(root: Root, place: Place) -> Iterator[Site]:
    """Yields all tests of a kind with their errors. Several may give the same declared error."""
    for site in _of_type(root.type, _Way(place), frozenset()):
        if site.tag.text and site.type != "InternalError":
            yield replace(site, path=site.path.removeprefix("."))


def _of_type(id: str, way: _Way, above: frozenset[str]) -> Iterator[Site]:
    place = way.place
    if place is None or id in above:
        return
    plan = place.places.program.types.get(id)
    if plan is None:
        return
    above |= {id}
    yield from _of_checks(plan.checks, way)
    yield from _of_iterations((plan.keys, plan.values), way, above)
    for member in () if plan.opaque else plan.fields:
        yield from _of_field(member, way, above)


def _of_field(member: FieldPlan, around: _Way, above: frozenset[str]) -> Iterator[Site]:
    path = around.path
    if member.path:
        path = f"{path}.{member.path}"
    elif not path:
        path = f".{member.inlined}"  # upstream uses the name of an inlined struct where the path would be empty
    if member.json:
        way = around.member(member.json, path)
    else:
        way = replace(around, path=path, place=around.place if member.merged else None)
    yield from _of_checks(member.checks, way)
    if member.type:
        yield from _of_type(member.type, way, above)
    yield from _of_iterations((member.keys, member.values), way, above)


def _of_iterations(checks: Iterable[Check | None], way: _Way, above: frozenset[str]) -> Iterator[Site]:
    for check in checks:
        operation, type = check.operation if check is not None else None, called(check)
        if type and isinstance(operation, EachKey | EachValue):
            yield from _of_type(type, _inside(operation, way), above)


def _inside(operation: EachKey | EachValue, way: _Way) -> _Way:
    if isinstance(operation, EachKey):
        return way.entry(key=True)
    return way.entry(key=False) if isinstance(operation.container, MapOf) else way.item()


def _of_checks(checks: Iterable[Check], way: _Way) -> Iterator[Site]:
    for check in checks:
        if not check.silent:
            yield from _of_check(check, way, check.tag)


def _of_check(check: Check, way: _Way, tag: TagRef) -> Iterator[Site]:
    """Yields the tests in a check. All its errors are marked with the outermost tag, but each mode has its own."""
    operation = check.operation
    match operation:
        case Predicate() | Membership():
            if way.place is not None:
                for e in check.emits:
                    path = way.path + e.path
                    yield Site(
                        path, e.type, e.origin, tag, operation, way.place, way.turns, e.path, way.when, way.modes
                    )
        case IfOption():
            when = (*way.when, (option_name(operation.option), operation.enabled))
            yield from _of_check(operation.inner, replace(way, when=when), tag)
        case EachValue() | EachKey():
            yield from _of_check(operation.inner, _inside(operation, way), tag)
        case InMember():
            yield from _of_check(operation.inner, way.member(operation.json, f"{way.path}.{operation.json}"), tag)
        case InItem():
            yield from _of_check(operation.inner, way.item(operation.selector), tag)
        case Modes():
            yield from _of_modes(operation, way, tag)


def _of_modes(modes: Modes, way: _Way, tag: TagRef) -> Iterator[Site]:
    place = way.place
    if place is None:
        return
    path = f"{way.path}.{modes.path}"
    forbidden = (path, "FieldValueForbidden", "", tag)
    yield Site(*forbidden, modes, place, way.turns, f".{modes.path}", way.when, way.modes)
    for mode, checks in modes.rules:
        condition = (mode_name(place.value.type, modes.discriminator), mode)
        inside = replace(
            way.member(modes.json, path),
            when=(*way.when, condition),
            modes=(*way.modes, InMode(len(way.turns), modes, mode)),
        )
        for check in checks:
            if not check.silent:
                yield from _of_check(check, inside, check.tag)
