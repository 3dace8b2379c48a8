"""Field sets of values, comparison and merging.

Sources of the behaviour: `typed/{tofieldset,compare,merge}.go` of `sigs.k8s.io/structured-merge-diff`; its walkers are
functions here.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from operator import is_
from typing import Any

from validation_gen.kubernetes.managedfields.fieldset import FieldSet, Path, show_path
from validation_gen.kubernetes.managedfields.types import Atom, ListType, MapType
from validation_gen.kubernetes.managedfields.validation import (
    ItemError,
    TypeConflictError,
    TypedValue,
    find_path_elements,
    item_element,
)

#: A value that is not there, unlike null.
ABSENT: Any = object()
_SCALARS = frozenset((str, int, float, bool))


@dataclass(slots=True)
class Comparison:
    """Differences of two values; no path is in two of the sets."""

    removed: FieldSet = field(default_factory=FieldSet)
    modified: FieldSet = field(default_factory=FieldSet)
    added: FieldSet = field(default_factory=FieldSet)


def are_equal(a: Any, b: Any) -> bool:
    """Returns whether two JSON values are equal: 1 and 1.0 are, 1 and true are not."""
    if a is b:
        return True
    if isinstance(a, dict):
        return (
            isinstance(b, dict)
            and len(a) == len(b)
            and all(name in b and are_equal(value, b[name]) for name, value in a.items())
        )
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(are_equal, a, b))
    return isinstance(a, bool) is isinstance(b, bool) and bool(a == b)


# --- field sets -------------------------------------------------------------------------------------------------------


def to_field_set(typed: TypedValue, *, named: bool = False) -> FieldSet:
    """Returns the paths of all leaves and items of a value; with `named`, also of all fields that a schema names."""
    found = FieldSet()
    _collect(typed.value, typed.atom, found, named)
    return found


def _collect(value: Any, atom: Atom, found: FieldSet, named: bool) -> bool:
    """Adds the paths below a value to a set, and returns whether its own path is one, too."""
    if isinstance(value, dict) and atom.map is not None:
        if atom.map.atomic:
            return True
        fields, element = atom.map.fields, atom.map.element
        for name, item in value.items():
            below = fields.get(name, element)
            if item.__class__ in _SCALARS and below is not None and below.scalar:
                found.members.add(f"f:{name}")
                continue
            child = FieldSet()
            is_member = below is not None and _collect(item, below, child, named)
            if child:
                found.children[f"f:{name}"] = child
                is_member = is_member or named
            if is_member or item is None or item == {} or name not in fields:
                found.members.add(f"f:{name}")
        return False
    if isinstance(value, list) and atom.list is not None:
        if not atom.list.associative:
            return True
        _collect_items(value, atom.list, found, named)
        return False
    if value is not None and atom.scalar:
        return True
    if atom.map is not None:
        return atom.map.atomic
    return bool(atom.scalar) or (atom.list is not None and not atom.list.associative)


def _collect_items(items: list[Any], kind: ListType, found: FieldSet, named: bool) -> None:
    elements = find_path_elements(kind, items)
    found.members.update(elements)
    twice: set[str] = set()
    if len(found.members) < len(elements):
        twice = {element for element, count in Counter(elements).items() if count > 1}
    for element, item in zip(elements, items, strict=True):
        if item.__class__ not in _SCALARS and element not in twice:
            child = FieldSet()
            _collect(item, kind.element, child, named)
            if child:
                found.children[element] = child


# --- comparison -------------------------------------------------------------------------------------------------------

#: A path from its end: the path of the container, and the element.
_Steps = tuple[Any, str] | None


def _to_path(steps: _Steps) -> Path:
    found = []
    while steps is not None:
        steps, element = steps
        found.append(element)
    return tuple(reversed(found))


def compare(old: TypedValue, new: TypedValue) -> Comparison:
    """Returns the differences of two values of one type.

    Raises:
        TypeConflictError: an item of a list has no element.
    """
    found = Comparison()
    _compare(old.value, new.value, old.atom, None, found)
    return found


def _compare(old: Any, new: Any, atom: Atom, steps: _Steps, found: Comparison) -> None:
    if old is new:
        return
    mine, its = (atom if value is ABSENT else atom.narrowed(value) for value in (old, new))
    if new is ABSENT:
        is_leaf = _compare_as(old, new, mine, steps, found)
    else:
        if old is not ABSENT and mine is not its and _parts(mine) != _parts(its):
            _compare_as(old, new, mine, steps, found)
        is_leaf = _compare_as(old, new, its, steps, found)
    if not is_leaf:
        if old is ABSENT:
            found.added.insert(_to_path(steps))
        elif new is ABSENT:
            found.removed.insert(_to_path(steps))


def _parts(atom: Atom) -> tuple[bool, bool, bool]:
    return atom.map is not None, bool(atom.scalar), atom.list is not None


def _compare_as(old: Any, new: Any, atom: Atom, steps: _Steps, found: Comparison) -> bool:
    """Compares two values as one type, and returns whether they are a leaf."""
    if atom.map is not None:
        before, after = (value if isinstance(value, dict) else {} for value in (old, new))
        if not atom.map.atomic and (before or after):
            _compare_fields(before, after, atom.map, steps, found)
            return False
    elif not atom.scalar and atom.list is not None:
        lists = [value if isinstance(value, list) else [] for value in (old, new)]
        if atom.list.associative and any(lists):
            _compare_items(lists[0], lists[1], atom.list, steps, found)
            return False
    if old is ABSENT:
        found.added.insert(_to_path(steps))
    elif new is ABSENT:
        found.removed.insert(_to_path(steps))
    elif not are_equal(old, new):
        found.modified.insert(_to_path(steps))
    return True


def _compare_fields(
    before: dict[str, Any], after: dict[str, Any], kind: MapType, steps: _Steps, found: Comparison
) -> None:
    for name in {**before, **after}:
        old, new = before.get(name, ABSENT), after.get(name, ABSENT)
        if old is new or (old.__class__ is str and new.__class__ is str and old == new):
            continue
        below = kind.find_type(name)
        if below is None:
            raise TypeConflictError(f"{show_path(_to_path((steps, f'f:{name}')))}: schema error: invalid atom: inlined")
        _compare(old, new, below, (steps, f"f:{name}"), found)


def _compare_items(old: list[Any], new: list[Any], kind: ListType, steps: _Steps, found: Comparison) -> None:
    before, after = _by_element(old, kind, steps), _by_element(new, kind, steps)
    for element in {**before, **after}:
        mine, its = before.get(element, ()), after.get(element, ())
        at = (steps, element)
        if len(mine) <= 1 and len(its) <= 1:
            _compare(mine[0] if mine else ABSENT, its[0] if its else ABSENT, kind.element, at, found)
        elif len(mine) >= 2 and len(its) >= 2:
            if not are_equal(mine, its):
                found.modified.insert(_to_path(at))
        elif len(mine) >= 2:
            if its:
                _compare(ABSENT, its[0], kind.element, at, found)
            found.removed.insert(_to_path(at))
        else:
            if mine:
                _compare(mine[0], ABSENT, kind.element, at, found)
            found.added.insert(_to_path(at))


def _elements(kind: ListType, items: list[Any]) -> list[str]:
    """Returns the path elements of items.

    Raises:
        TypeConflictError: an item has none.
    """
    found = []
    for index, item in enumerate(items):
        try:
            found.append(item_element(kind, item))
        except ItemError as problem:
            raise TypeConflictError(f"element {index}: {problem}") from None
    return found


def _by_element(items: list[Any], kind: ListType, steps: _Steps) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    try:
        elements = _elements(kind, items)
    except TypeConflictError as problem:
        raise TypeConflictError(f"{show_path(_to_path(steps))}: {problem}") from None
    for element, item in zip(elements, items, strict=True):
        found.setdefault(element, []).append(item)
    return found


# --- merging ----------------------------------------------------------------------------------------------------------


def merge(live: TypedValue, config: TypedValue) -> TypedValue:
    """Returns the live value with the fields of a configuration. Nothing is removed; both are valid.

    Parts that stay as they are in the live value are the same objects in the result.
    """
    return TypedValue(_merge(live.value, config.value, live.atom), live.atom)


def _merge(live: Any, config: Any, atom: Atom) -> Any:
    if config is ABSENT or live is config:
        return live
    if live is ABSENT:
        return config
    atom = atom.narrowed(config)
    if atom.map is not None:
        before, after = (value if isinstance(value, dict) else {} for value in (live, config))
        if not atom.map.atomic and (before or after):
            return _merge_fields(before, after, atom.map, live)
    elif not atom.scalar and atom.list is not None:
        lists = [value if isinstance(value, list) else [] for value in (live, config)]
        if atom.list.associative and any(lists):
            merged = _merge_items(lists[0], lists[1], atom.list)
            return live if len(merged) == len(lists[0]) and all(map(is_, merged, lists[0])) else merged
    return live if live.__class__ is config.__class__ and are_equal(live, config) else config


def _merge_fields(before: dict[str, Any], after: dict[str, Any], kind: MapType, live: Any) -> Any:
    changed = {}
    for name, value in after.items():
        old = before.get(name, ABSENT)
        below = kind.find_type(name)
        merged = value if old is ABSENT or below is None else _merge(old, value, below)
        if merged is not old:
            changed[name] = merged
    return {**before, **changed} if changed or live is not before else live


def _merge_items(live: list[Any], config: list[Any], kind: ListType) -> list[Any]:
    """Merges items in the order of the configuration, with those between them that only the live list has."""
    mine, its = find_path_elements(kind, live), find_path_elements(kind, config)
    # Items that the live list has twice are not merged.
    values: dict[str, Any] = {}
    for element, item in zip(mine, live, strict=True):
        values[element] = None if element in values else item
    applied = dict(zip(its, config, strict=True))
    shared = iter([element for element in its if element in values])
    following = next(shared, None)
    found: list[Any] = []
    done: set[str] = set()
    i = j = 0
    while i < len(mine) or j < len(its):
        if i < len(mine) and j < len(its):
            element = mine[i]
            if element == its[j]:
                done.add(element)
                found.append(_merge(values[element], applied[element], kind.element))
                i, j, following = i + 1, j + 1, next(shared, None)
                continue
            if element in applied and following is not None and following != element:
                i += 1  # shared, but another one is next
                continue
        if i < len(mine):
            element = mine[i]
            if element not in applied:
                found.append(live[i])
                i += 1
                continue
            if element in done:
                i += 1
        if j < len(its):
            element = its[j]
            done.add(element)
            found.append(_merge(values.get(element, ABSENT), applied[element], kind.element))
            j += 1
            if following == element:
                following = next(shared, None)
    return found
