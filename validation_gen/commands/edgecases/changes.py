"""Changes objects: one value becomes another, is dropped or is added, with the missing values above it.

This draws updates, and creates that are nearly valid. All paths of a kind are listed first, so that deep ones have the
same share as those at the top.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from validation_gen.commands.edgecases.objects import Objects
from validation_gen.commands.edgecases.sites import ErrorSite, ModesByDepth, PathStep
from validation_gen.commands.edgecases.steps import ABSENT, Source, Steps, get, pick, with_value
from validation_gen.commands.edgecases.value_specs import Conditions, ValueSpec
from validation_gen.commands.edgecases.values import distinct, edges, fitting, short
from validation_gen.ir import ListOf, MapOf, Predicate, Presence, Scalar, StructRef, Wire
from validation_gen.ir.traverse import Entry, Item


def open_path(
    spec: ValueSpec, steps: Sequence[PathStep], obj: Any, conditions: Conditions, modes: ModesByDepth = ()
) -> tuple[Any, Steps, ValueSpec]:
    """Creates the missing values on a path. Returns the object, the steps to the last value, and its `ValueSpec`.

    A step to a key ends at the value of the key.
    """
    opener = _Opener(spec, obj, conditions)
    for length, turn in enumerate(steps):
        for above, condition in modes:
            if above == length:
                discriminator = (*opener.steps, condition.modes.discriminator)
                opener.obj = with_value(opener.obj, discriminator, condition.mode)
        opener.turn(turn)
    return opener.obj, opener.steps, opener.place


class _Opener:
    def __init__(self, spec: ValueSpec, obj: Any, conditions: Conditions) -> None:
        self.place, self.obj, self.conditions = spec, obj, conditions
        self.steps: Steps = ()

    def turn(self, turn: PathStep) -> None:
        value = get(self.obj, self.steps)
        if isinstance(turn, str):
            self._go(turn, self.place.members[turn])
        elif isinstance(turn, Item):
            self._to_item(turn, value if isinstance(value, list) else [])
        else:
            entries = value if isinstance(value, dict) else {}
            key = next(iter(entries), None)
            missing = key is None
            if key is None:
                key = str(next(distinct(self.place.key, self.conditions), "a"))
            self._go(key, self.place.elem, missing=missing)

    def _to_item(self, turn: Item, items: list[Any]) -> None:
        item = next((item for known, item in self.place.selected if known == turn.selector), self.place.elem)
        wanted = {term.json: term.value for term in turn.selector}
        for index, each in enumerate(items):
            if isinstance(each, dict) and all(each.get(name) == value for name, value in wanted.items()):
                self._go(index, item)
                return
        if items and not wanted:
            self._go(0, item)
            return
        value = Objects().selected(item, turn.selector, self.conditions)
        self.obj = with_value(self.obj, (*self.steps, len(items)), value)
        self._go(len(items), item)

    def _go(self, step: str | int, spec: ValueSpec, *, missing: bool = False) -> None:
        self.steps = (*self.steps, step)
        self.place = spec
        if missing or get(self.obj, self.steps) in (ABSENT, None):
            self.obj = with_value(self.obj, self.steps, Objects().set_value(spec, self.conditions))


def render_path(site: ErrorSite, steps: Steps) -> str:
    """Returns the path of a site's value, with keys and indexes of the object. Keys have the path of their map."""
    parts = f".{site.path}".removesuffix(site.suffix).split("[*]")
    indexes = [step for step, turn in zip(steps, site.way, strict=True) if not isinstance(turn, str)]
    if site.way and isinstance(site.way[-1], Entry) and site.way[-1].key:
        indexes.pop()
    path = parts[0]
    for index, part in zip(indexes, parts[1:], strict=False):
        path += f"[{index}]{part}"
    return path


_MOST_WAYS = 3000
_LONGEST = 14

ValuePath = tuple[PathStep, ...]


def find_paths(spec: ValueSpec) -> list[tuple[ValuePath, ValueSpec]]:
    """Returns the paths to all values of an object, with their places. Recursion is entered once."""
    found = spec.notes.get("ways")
    if found is None:
        found = spec.notes["ways"] = [
            (way, end) for way, end in _find_paths(spec) if way[0] not in ("apiVersion", "kind")
        ]
    assert isinstance(found, list)
    return found


def _find_paths(spec: ValueSpec) -> list[tuple[ValuePath, ValueSpec]]:
    found: list[tuple[ValuePath, ValueSpec]] = []
    waiting: deque[tuple[ValueSpec, ValuePath, frozenset[str]]] = deque([(spec, (), frozenset())])
    while waiting and len(found) < _MOST_WAYS:
        spec, way, above = waiting.popleft()
        if way:
            found.append((way, spec))
        id = spec.value.id if isinstance(spec.value, StructRef) else ""
        if len(way) < _LONGEST and id not in above:
            inside = above | {id} if id else above
            waiting += [(below, (*way, turn), inside) for turn, below in _turns(spec)]
    return found


def is_free(spec: ValueSpec) -> bool:
    """Returns whether a value is a scalar whose rules constrain at most its presence."""
    if not isinstance(spec.value, Scalar | Wire):
        return False
    return not spec.hints and all(
        fact.operation.record.presence in (Presence.REQUIRED, Presence.UNSET)
        for fact in spec.facts
        if isinstance(fact.operation, Predicate)
    )


def _turns(spec: ValueSpec) -> Iterator[tuple[PathStep, ValueSpec]]:
    shape = spec.value
    if isinstance(shape, ListOf) and not shape.packed:
        yield Item(), spec.elem
        for selector, item in spec.selected:
            yield Item(selector), item
    elif isinstance(shape, MapOf):
        yield Entry(), spec.elem
    else:
        yield from spec.members.items()


def replace_value(objects: Objects, spec: ValueSpec, path: ValuePath, obj: Any, conditions: Conditions) -> Any:
    """Returns the object with another value at the end of a path, or with none."""
    source = objects.source
    if source.chance(0.15):
        # An existing value is removed; a missing one is added below.
        steps = _existing(path, obj)
        if steps is not None and steps:
            return with_value(obj, steps, ABSENT)
    obj, steps, end = open_path(spec, path, obj, conditions)
    return with_value(obj, steps, another(objects, end, get(obj, steps), conditions))


def _existing(path: ValuePath, obj: Any) -> tuple[str | int, ...] | None:
    steps: list[str | int] = []
    for turn in path:
        step: str | int | None = turn if isinstance(turn, str) else 0
        if isinstance(turn, Entry):
            step = next(iter(obj), None) if isinstance(obj, dict) else None
        if step is None or get(obj, (step,)) is ABSENT:
            return None
        steps.append(step)
        obj = get(obj, (step,))
    return tuple(steps)


def another(objects: Objects, spec: ValueSpec, value: Any, conditions: Conditions) -> Any:
    """Draws a replacement value at or just beyond a limit."""
    source = objects.source
    shape = spec.value
    if spec.is_pointer and source.chance(objects.nulls):
        return None
    if isinstance(shape, ListOf) and not shape.packed:
        return _other_list(objects, spec, value if isinstance(value, list) else [], conditions)
    if isinstance(shape, MapOf):
        return _other_map(objects, spec, value if isinstance(value, dict) else {}, conditions)
    if isinstance(shape, StructRef):
        if isinstance(value, dict) and value and source.chance(0.6):
            return _other_members(objects, spec, value, conditions)
        return objects.value(spec, conditions, 2)
    if source.chance(0.12):
        return objects.single(spec, conditions)
    good = fitting(spec, conditions)
    known = good if good and source.chance(0.4) else edges(spec)
    return pick(source, known if source.chance(0.1) else short(known))


def _other_members(objects: Objects, spec: ValueSpec, value: dict[str, Any], conditions: Conditions) -> Any:
    """Draws a struct with one member added or removed, to test rules about several members."""
    source = objects.source
    name = pick(source, list(spec.members))
    if name in value and not source.chance(0.3):
        return {key: each for key, each in value.items() if key != name}
    return {**value, name: objects.set_value(spec.members[name], conditions, 3)}


def _other_list(objects: Objects, spec: ValueSpec, items: list[Any], conditions: Conditions) -> list[Any]:
    source = objects.source
    match source.below(6):
        case 0:
            return [*items, objects.value(spec.elem, conditions, 2)]
        case 1 if items:
            return [*items, pick(source, items)]
        case 2 if items:
            return items[:-1]
        case 3 if len(items) > 1:
            return items[::-1]
        case 4 if spec.selected:
            selector, item = pick(source, spec.selected)
            return [*items, objects.selected(item, selector, conditions, 3)]
    found = objects.value(spec, conditions, 2)
    assert isinstance(found, list)
    return found


def _other_map(objects: Objects, spec: ValueSpec, entries: dict[str, Any], conditions: Conditions) -> dict[str, Any]:
    source = objects.source
    if source.chance(0.3):
        found = objects.value(spec, conditions, 2)
        assert isinstance(found, dict)
        return found
    if entries and source.chance(0.3):
        removed = pick(source, list(entries))
        return {key: value for key, value in entries.items() if key != removed}
    keys = edges(spec.key)
    key = str(pick(source, keys if source.chance(0.1) else short(keys)))
    return {**entries, key: objects.value(spec.elem, conditions, 3)}


def several(source: Source, most: int) -> int:
    """Draws a number from 1 to `most`; small numbers are more likely."""
    count = 1
    while count < most and source.chance(0.35):
        count += 1
    return count
