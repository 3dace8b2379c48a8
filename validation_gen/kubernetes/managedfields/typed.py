"""Typed values: validation, field sets, comparison, merging, and removal of fields.

Sources of the behaviour: `typed/` of `sigs.k8s.io/structured-merge-diff`; its walkers are functions here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from validation_gen.kubernetes.cel.data import go_type
from validation_gen.kubernetes.managedfields.fieldset import (
    FieldSet,
    Path,
    key_element,
    show_element,
    show_value,
    value_element,
)
from validation_gen.kubernetes.managedfields.types import Atom, ListType, MapType
from validation_gen.runtime.gotext import go_quote
from validation_gen.runtime.wire import identical

#: A value that is not there, unlike null.
ABSENT: Any = object()


class TypeConflictError(Exception):
    """A value does not fit its type; the text is the server's."""


class ItemError(Exception):
    """An item of a list has no path element."""


@dataclass(frozen=True, slots=True)
class TypedValue:
    """A value and its type."""

    value: Any
    atom: Atom


@dataclass(slots=True)
class Comparison:
    """Differences of two values; no path is in two of the sets."""

    removed: FieldSet = field(default_factory=FieldSet)
    modified: FieldSet = field(default_factory=FieldSet)
    added: FieldSet = field(default_factory=FieldSet)


def are_equal(a: Any, b: Any) -> bool:
    """Returns whether two JSON values are equal: 1 and 1.0 are, 1 and true are not."""
    return identical(a, b)


def item_element(list_type: ListType, item: Any) -> str:
    """Returns the path element of an item of a set, or of a list with keys.

    Raises:
        ItemError: it has none; the text is the server's.
    """
    if not list_type.associative:
        raise ItemError("invalid indexing of non-associative list")
    if not list_type.keys:
        if isinstance(item, dict):
            raise ItemError("associative list without keys has an element that's a map type")
        if isinstance(item, list):
            raise ItemError("not supported: associative list with lists as elements")
        if item is None:
            raise ItemError("associative list without keys has an element that's an explicit null")
        return value_element(item)
    if item is None:
        raise ItemError("associative list with keys may not have a null element")
    if not isinstance(item, dict):
        raise ItemError("associative list with keys may not have non-map elements")
    found = {}
    for key in list_type.keys:
        if key in item:
            found[key] = item[key]
        elif list_type.element.map is None:
            raise ItemError(f"couldn't find default value for {key}: associative list may not have non-map types")
        elif key in list_type.element.map.defaults:
            found[key] = list_type.element.map.defaults[key]
    if not found:
        keys = " ".join(map(go_quote, list_type.keys))
        raise ItemError(
            f"associative list with keys has an element that omits all key fields [{keys}] "
            "(and doesn't have default values for any key fields)"
        )
    return key_element(found)


# --- validation -------------------------------------------------------------------------------------------------------


def to_typed(value: Any, atom: Atom, *, allow_duplicates: bool = False) -> TypedValue:
    """Returns a value with its type.

    Raises:
        TypeConflictError: it does not fit.
    """
    errors: list[str] = []
    _validate(value, atom, "", errors, allow_duplicates)
    if errors:
        raise TypeConflictError(errors[0] if len(errors) == 1 else "\n".join(["errors:", *(f"  {e}" for e in errors)]))
    return TypedValue(value, atom)


def _validate(value: Any, atom: Atom, path: str, errors: list[str], allow_duplicates: bool) -> None:
    def report(text: str) -> None:
        errors.append(f"{path}: {text}" if path else text)

    atom = atom.narrowed(value)
    if atom.map is not None:
        if isinstance(value, dict):
            _validate_map(value, atom.map, path, errors, allow_duplicates)
        elif value is not None:
            report(f"expected map, got {_show(value)}")
    elif atom.scalar:
        if value is not None and (text := _scalar_error(value, atom.scalar)):
            report(text)
    elif atom.list is not None:
        if isinstance(value, list):
            _validate_list(value, atom.list, path, errors, allow_duplicates)
        elif value is not None:
            report(f"expected list, got {_show(value)}")
    else:
        report("schema error: invalid atom: inlined")


def _validate_map(value: dict[str, Any], kind: MapType, path: str, errors: list[str], allow_duplicates: bool) -> None:
    for name, item in value.items():
        below = kind.find_type(name)
        if below is None:
            errors.append(f"{path}.{name}: field not declared in schema")
            continue
        _validate(item, below, f"{path}.{name}", errors, allow_duplicates)


def _validate_list(value: list[Any], kind: ListType, path: str, errors: list[str], allow_duplicates: bool) -> None:
    known: set[str] = set()
    for index, item in enumerate(value):
        shown = f"[{index}]"
        if kind.associative:
            try:
                element = item_element(kind, item)
            except ItemError as problem:
                text = f"element {index}: {problem}"
                errors.append(f"{path}: {text}" if path else text)
                return
            shown = show_element(element)
            if element in known and not allow_duplicates:
                errors.append(f"{path}: duplicate entries for key {shown}")
            known.add(element)
        _validate(item, kind.element, path + shown, errors, allow_duplicates)


def _scalar_error(value: Any, scalar: str) -> str:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if scalar == "numeric" and not is_number:
        return f"expected numeric (int or float), got {go_type(value)}"
    if scalar == "string" and not isinstance(value, str):
        return f"expected string, got &value.valueUnstructured{{Value:{_go_syntax(value)}}}"
    if scalar == "boolean" and not isinstance(value, bool):
        return f"expected boolean, got {_show(value)}"
    if scalar == "untyped" and isinstance(value, (dict, list)):
        return f"expected any scalar, got {_show(value)}"
    return ""


def _show(value: Any) -> str:
    """Returns a value as Go prints it with `%v`."""
    return f"&{{{_go_value(value)}}}"


def _go_value(value: Any) -> str:
    if isinstance(value, dict):
        return "map[" + " ".join(f"{name}:{_go_value(item)}" for name, item in sorted(value.items())) + "]"
    if isinstance(value, list):
        return "[" + " ".join(map(_go_value, value)) + "]"
    return str(value) if isinstance(value, str) else "<nil>" if value is None else show_value(value)


def _go_syntax(value: Any) -> str:
    """Returns a value as Go prints it with `%#v`."""
    if isinstance(value, dict):
        inner = ", ".join(f"{go_quote(name)}:{_go_syntax(item)}" for name, item in sorted(value.items()))
        return f"map[string]interface {{}}{{{inner}}}"
    if isinstance(value, list):
        return "[]interface {}{" + ", ".join(map(_go_syntax, value)) + "}"
    return go_quote(value) if isinstance(value, str) else "interface {}(nil)" if value is None else show_value(value)


# --- field sets -------------------------------------------------------------------------------------------------------


def to_field_set(typed: TypedValue) -> FieldSet:
    """Returns the paths of all leaves and items of a value."""
    found = FieldSet()
    _collect(typed.value, typed.atom, (), found)
    return found


def _collect(value: Any, atom: Atom, path: Path, found: FieldSet) -> None:
    atom = atom.narrowed(value)
    if atom.map is not None:
        if atom.map.atomic:
            found.insert(path)
        elif isinstance(value, dict):
            for name, item in value.items():
                below, its = atom.map.find_type(name), (*path, f"f:{name}")
                if below is not None:
                    _collect(item, below, its, found)
                if item is None or item == {} or name not in atom.map.fields:
                    found.insert(its)
    elif atom.scalar:
        found.insert(path)
    elif atom.list is not None:
        if not atom.list.associative:
            found.insert(path)
        elif isinstance(value, list):
            _collect_items(value, atom.list, path, found)


def _collect_items(items: list[Any], kind: ListType, path: Path, found: FieldSet) -> None:
    elements = [item_element(kind, item) for item in items]
    twice = {element for element in elements if elements.count(element) > 1} if len({*elements}) < len(items) else ()
    for element, item in zip(elements, items, strict=True):
        its = (*path, element)
        found.insert(its)
        if element not in twice:
            _collect(item, kind.element, its, found)


# --- comparison -------------------------------------------------------------------------------------------------------


def compare(old: TypedValue, new: TypedValue) -> Comparison:
    """Returns the differences of two values of one type."""
    found = Comparison()
    _compare(old.value, new.value, old.atom, (), found)
    return found


def _compare(old: Any, new: Any, atom: Atom, path: Path, found: Comparison) -> None:
    mine, its = (atom if value is ABSENT else atom.narrowed(value) for value in (old, new))
    if new is ABSENT:
        is_leaf = _compare_as(old, new, mine, path, found)
    else:
        if old is not ABSENT and _parts(mine) != _parts(its):
            _compare_as(old, new, mine, path, found)
        is_leaf = _compare_as(old, new, its, path, found)
    if not is_leaf:
        if old is ABSENT:
            found.added.insert(path)
        elif new is ABSENT:
            found.removed.insert(path)


def _parts(atom: Atom) -> tuple[bool, bool, bool]:
    return atom.map is not None, bool(atom.scalar), atom.list is not None


def _compare_as(old: Any, new: Any, atom: Atom, path: Path, found: Comparison) -> bool:
    """Compares two values as one type, and returns whether they are a leaf."""
    kind: MapType | ListType | None = atom.map if atom.map is not None else None if atom.scalar else atom.list
    if isinstance(kind, MapType):
        before, after = (value if isinstance(value, dict) else {} for value in (old, new))
        if not kind.atomic and (before or after):
            for name in {**before, **after}:
                below = kind.find_type(name)
                if below is None:
                    raise TypeConflictError(f".{name}: schema error: invalid atom: inlined")
                _compare(before.get(name, ABSENT), after.get(name, ABSENT), below, (*path, f"f:{name}"), found)
            return False
    elif isinstance(kind, ListType):
        lists = [value if isinstance(value, list) else [] for value in (old, new)]
        if kind.associative and any(lists):
            _compare_items(lists[0], lists[1], kind, path, found)
            return False
    if old is ABSENT:
        found.added.insert(path)
    elif new is ABSENT:
        found.removed.insert(path)
    elif not are_equal(old, new):
        found.modified.insert(path)
    return True


def _compare_items(old: list[Any], new: list[Any], kind: ListType, path: Path, found: Comparison) -> None:
    before, after = _by_element(old, kind), _by_element(new, kind)
    for element in {**before, **after}:
        mine, its = before.get(element, ()), after.get(element, ())
        at = (*path, element)
        if len(mine) <= 1 and len(its) <= 1:
            _compare(mine[0] if mine else ABSENT, its[0] if its else ABSENT, kind.element, at, found)
        elif len(mine) >= 2 and len(its) >= 2:
            if not are_equal(mine, its):
                found.modified.insert(at)
        elif len(mine) >= 2:
            if its:
                _compare(ABSENT, its[0], kind.element, at, found)
            found.removed.insert(at)
        else:
            if mine:
                _compare(mine[0], ABSENT, kind.element, at, found)
            found.added.insert(at)


def _by_element(items: list[Any], kind: ListType) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for item in items:
        found.setdefault(item_element(kind, item), []).append(item)
    return found


# --- merging ----------------------------------------------------------------------------------------------------------


def merge(live: TypedValue, config: TypedValue) -> TypedValue:
    """Returns the live value with the fields of a configuration. Nothing is removed."""
    found = _merge(live.value, config.value, live.atom)
    return TypedValue(None if found is ABSENT else found, live.atom)


def _merge(live: Any, config: Any, atom: Atom) -> Any:
    mine, its = (atom if value is ABSENT else atom.narrowed(value) for value in (live, config))
    return _merge_as(live, config, mine if config is ABSENT else its)


def _merge_as(live: Any, config: Any, atom: Atom) -> Any:
    if atom.map is not None:
        before, after = (value if isinstance(value, dict) else {} for value in (live, config))
        if not atom.map.atomic and (before or after):
            merged = {}
            for name in {**before, **after}:
                below = atom.map.find_type(name)
                if below is None:
                    raise TypeConflictError(f".{name}: schema error: invalid atom: inlined")
                value = _merge(before.get(name, ABSENT), after.get(name, ABSENT), below)
                if value is not ABSENT:
                    merged[name] = value
            return merged or ABSENT
    elif not atom.scalar and atom.list is not None:
        lists = [value if isinstance(value, list) else [] for value in (live, config)]
        if atom.list.associative and any(lists):
            return _merge_items(lists[0], lists[1], atom.list) or ABSENT
    return live if config is ABSENT else config


def _merge_items(live: list[Any], config: list[Any], kind: ListType) -> list[Any]:
    """Merges items in the order of the configuration, with those between them that only the live list has."""
    mine = [item_element(kind, item) for item in live]
    its = [item_element(kind, item) for item in config]
    if len({*its}) < len(its):
        raise TypeConflictError("duplicate entries in the configuration")
    # Items that the live list has twice are not merged.
    values: dict[str, Any] = {}
    for element, item in zip(mine, live, strict=True):
        values[element] = None if element in values else item
    applied = dict(zip(its, config, strict=True))
    shared = iter([element for element in its if element in values])
    following = next(shared, None)
    found: list[Any] = []
    done: set[str] = set()

    def take(value: Any, other: Any) -> None:
        merged = _merge(value, other, kind.element)
        if merged is not ABSENT:
            found.append(merged)

    i = j = 0
    while i < len(mine) or j < len(its):
        if i < len(mine) and j < len(its):
            element = mine[i]
            if element == its[j]:
                done.add(element)
                take(values[element], applied[element])
                i, j, following = i + 1, j + 1, next(shared, None)
                continue
            if element in applied and following is not None and following != element:
                i += 1  # shared, but another one is next
                continue
        if i < len(mine):
            element = mine[i]
            if element not in applied:
                take(live[i], ABSENT)
                i += 1
                continue
            if element in done:
                i += 1
        if j < len(its):
            element = its[j]
            done.add(element)
            take(values.get(element, ABSENT), applied[element])
            j += 1
            if following == element:
                following = next(shared, None)
    return found


# --- removal ----------------------------------------------------------------------------------------------------------


def remove(typed: TypedValue, paths: FieldSet) -> TypedValue:
    """Returns a value without the fields and items at some paths."""
    return TypedValue(_remove(typed.value, paths, typed.atom), typed.atom)


def _remove(value: Any, paths: FieldSet, atom: Atom) -> Any:
    """Returns a value without some parts. An object or a list of which nothing is left stays, and is empty."""
    atom = atom.narrowed(value)
    empty: Any = {} if isinstance(value, dict) else [] if isinstance(value, list) else None
    if atom.map is not None:
        if not isinstance(value, dict) or not value or atom.map.atomic:
            return empty
        found = {}
        for name, item in value.items():
            element = f"f:{name}"
            if element in paths.members:
                continue
            below, kind = paths.children.get(element), atom.map.find_type(name)
            found[name] = item if below is None or kind is None else _remove(item, below, kind)
        return found
    if atom.scalar or atom.list is None:
        return value
    if not isinstance(value, list) or not value or not atom.list.associative:
        return empty
    items = []
    for item in value:
        element = item_element(atom.list, item)
        if element in paths.members:
            continue
        its = paths.children.get(element)
        items.append(item if its is None else _remove(item, its, atom.list.element))
    return items


# --- changes of a schema ----------------------------------------------------------------------------------------------


def reconcile(fields: FieldSet, atom: Atom) -> FieldSet:
    """Returns a set in which parts that have become atomic since are one field.

    Source of the behaviour: `typed/reconcile_schema.go`.
    """
    dropped, added = FieldSet(), FieldSet()
    _reconcile(fields, atom, (), False, dropped, added)
    return fields.recursive_difference(dropped).union(added) if dropped else fields


def _reconcile(
    fields: FieldSet | None, atom: Atom, path: Path, is_atomic: bool, dropped: FieldSet, added: FieldSet
) -> None:
    below: Any
    if atom.map is not None:
        if atom.map.is_deduced:
            return
        if not is_atomic and atom.map.atomic:
            if fields:
                dropped.insert(path)
                added.insert(path)
            return
        below = atom.map
    elif atom.scalar or atom.list is None:
        return
    else:
        if not is_atomic and not atom.list.associative:
            dropped.insert(path)
            added.insert(path)
            return
        below = atom.list
    if fields is None:
        return
    for element in fields.members | fields.children.keys():
        kind = below.element if isinstance(below, ListType) else below.find_type(element[2:])
        if kind is None:
            continue
        child = fields.children.get(element)
        leaf = element in fields.members and child is None
        _reconcile(child, kind, (*path, element), leaf, dropped, added)
