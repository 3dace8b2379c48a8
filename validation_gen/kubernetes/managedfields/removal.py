"""Removal and extraction of fields, and changes of a schema.

Sources of the behaviour: `typed/remove.go` and `typed/reconcile_schema.go` of `sigs.k8s.io/structured-merge-diff`.
"""

from __future__ import annotations

from typing import Any

from validation_gen.kubernetes.managedfields.fieldset import FieldSet
from validation_gen.kubernetes.managedfields.types import Atom, ListType, MapType
from validation_gen.kubernetes.managedfields.validation import TypedValue, find_path_elements


def remove(typed: TypedValue, paths: FieldSet) -> TypedValue:
    """Returns a value without the fields and items at some paths; null if nothing is left."""
    if typed.value and not paths and not (typed.atom.map is not None and typed.atom.map.atomic):
        return typed
    return TypedValue(_remove(typed.value, paths, typed.atom) or None, typed.atom)


def _remove(value: Any, paths: FieldSet, atom: Atom) -> Any:
    """Returns a value without some paths. An object or a list that loses all its parts stays, and is empty."""
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
    for element, item in zip(find_path_elements(atom.list, value), value, strict=True):
        if element in paths.members:
            continue
        its = paths.children.get(element)
        items.append(item if its is None else _remove(item, its, atom.list.element))
    return items


def extract(typed: TypedValue, paths: FieldSet) -> TypedValue:
    """Returns a value with nothing but the fields and items at some paths; null if there are none."""
    return TypedValue(_extract(typed.value, paths, typed.atom), typed.atom)


def _extract(value: Any, paths: FieldSet, atom: Atom) -> Any:
    atom = atom.narrowed(value)
    if atom.map is not None:
        if not isinstance(value, dict):
            return None
        if not value or atom.map.atomic:
            return value
        found = {}
        for name, item in value.items():
            element = f"f:{name}"
            kind = atom.map.find_type(name)
            # The paths of a member's parts are looked up beside it, as the server's library does.
            below = paths if element in paths.members else paths.children.get(element)
            if below is not None:
                found[name] = item if kind is None else _extract(item, below, kind)
        return found or None
    if atom.scalar or atom.list is None:
        return value
    if not isinstance(value, list):
        return None
    if not value or not atom.list.associative:
        return value
    items = []
    for element, item in zip(find_path_elements(atom.list, value), value, strict=True):
        its = paths.children.get(element)
        if its is not None:
            items.append(_extract(item, its, atom.list.element))
        elif element in paths.members:
            items.append(item)
    return items or None


def reconcile(fields: FieldSet, atom: Atom) -> FieldSet:
    """Returns a set in which each value that the schema now declares atomic is one field."""
    return _reconcile(fields, atom) or fields


def _reconcile(fields: FieldSet, atom: Atom) -> FieldSet | None:
    """Returns a set below a value, itself if nothing changes.

    It is None below an atomic value, whose own path replaces it.
    """
    kind = atom.map or (None if atom.scalar else atom.list)
    if isinstance(kind, MapType):
        if kind.is_deduced:
            return fields
        if kind.atomic:
            return None
    elif kind is None:
        return fields
    elif not kind.associative:
        return None
    changed: dict[str, FieldSet | None] = {}
    for element, child in fields.children.items():
        below = kind.element if isinstance(kind, ListType) else kind.find_type(element[2:])
        if below is not None:
            its = _reconcile(child, below)
            if its is not child:
                changed[element] = its
    if not changed:
        return fields
    children = {element: changed.get(element, child) for element, child in fields.children.items()}
    return FieldSet(
        fields.members | {element for element, child in children.items() if child is None},
        {element: child for element, child in children.items() if child is not None},
    )
