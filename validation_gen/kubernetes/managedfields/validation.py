"""Values with types: the elements of list items, and validation.

Sources of the behaviour: `typed/helpers.go` and `typed/validate.go` of `sigs.k8s.io/structured-merge-diff`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from validation_gen.kubernetes.cel.data import go_type
from validation_gen.kubernetes.managedfields.fieldset import (
    key_element,
    show_element,
    show_value,
    single_key_element,
    value_element,
)
from validation_gen.kubernetes.managedfields.types import Atom, ListType, MapType
from validation_gen.runtime.gotext import go_quote, go_value

#: Element of an item that has none.
_NO_ELEMENT = ""


class TypeConflictError(Exception):
    """A value does not fit its type; the text is the server's."""


class ItemError(Exception):
    """An item of a list has no path element."""


@dataclass(frozen=True, slots=True)
class TypedValue:
    """A value and its type."""

    value: Any
    atom: Atom


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
    first = item.get(list_type.keys[0])
    if first.__class__ is str and len(list_type.keys) == 1:
        return single_key_element(list_type.keys[0], first)
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


def find_path_elements(kind: ListType, items: list[Any]) -> list[str]:
    """Returns the path elements of items. All items without a path element share one placeholder."""
    found = []
    for item in items:
        try:
            found.append(item_element(kind, item))
        except ItemError:
            found.append(_NO_ELEMENT)
    return found


def to_typed(value: Any, atom: Atom, *, allow_duplicates: bool = False) -> TypedValue:
    """Returns a value with its type.

    Raises:
        TypeConflictError: it does not fit.
    """
    if not _fits(value, atom, allow_duplicates):
        errors: list[str] = []
        _validate(value, atom, "", errors, allow_duplicates)
        if errors:
            shown = errors[0] if len(errors) == 1 else "\n".join(["errors:", *(f"  {each}" for each in errors)])
            raise TypeConflictError(shown)
    return TypedValue(value, atom)


def _fits(value: Any, atom: Atom, allow_duplicates: bool) -> bool:
    """Returns whether a value certainly fits: the quick half of validation."""
    if isinstance(value, dict):
        kind = atom.map
        if kind is None:
            return False
        fields, element = kind.fields, kind.element
        for name, item in value.items():
            below = fields.get(name, element)
            if below is None:
                return False
            # Texts are the most frequent values by far.
            if not (item.__class__ is str and below.scalar in _TEXTUAL) and not _fits(item, below, allow_duplicates):
                return False
        return True
    if isinstance(value, list):
        its = atom.list
        if its is None:
            return False
        if its.associative:
            try:
                elements = [item_element(its, item) for item in value]
            except ItemError:
                return False
            if not allow_duplicates and len({*elements}) < len(elements):
                return False
        return all(_fits(item, its.element, allow_duplicates) for item in value)
    if value is None:
        return bool(atom.scalar) or atom.map is not None or atom.list is not None
    return bool(atom.scalar) and not _scalar_error(value, atom.scalar)


_TEXTUAL = ("string", "untyped")


def _validate(value: Any, atom: Atom, path: str, errors: list[str], allow_duplicates: bool) -> None:
    def report(text: str) -> None:
        errors.append(_at(path, text))

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
    unknown = []
    for name, item in value.items():
        below = kind.find_type(name)
        if below is None:
            unknown.append(name)
        else:
            _validate(item, below, f"{path}.{name}", errors, allow_duplicates)
    if unknown:
        # The server goes through fields in any order, and stops at the first unknown one.
        errors.append(f"{path}.{unknown[0]}: field not declared in schema")


def _validate_list(value: list[Any], kind: ListType, path: str, errors: list[str], allow_duplicates: bool) -> None:
    known: set[str] = set()
    for index, item in enumerate(value):
        shown = f"[{index}]"
        if kind.associative:
            try:
                element = item_element(kind, item)
            except ItemError as problem:
                errors.append(_at(path, f"element {index}: {problem}"))
                return
            shown = show_element(element)
            if element in known and not allow_duplicates:
                errors.append(_at(path, f"duplicate entries for key {shown}"))
            known.add(element)
        _validate(item, kind.element, path + shown, errors, allow_duplicates)


def _at(path: str, text: str) -> str:
    return f"{path}: {text}" if path else text


def _scalar_error(value: Any, scalar: str) -> str:
    if scalar == "string":
        if not isinstance(value, str):
            return f"expected string, got &value.valueUnstructured{{Value:{_go_syntax(value)}}}"
    elif scalar == "boolean":
        if not isinstance(value, bool):
            return f"expected boolean, got {_show(value)}"
    elif scalar == "numeric":
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            return f"expected numeric (int or float), got {go_type(value)}"
    elif isinstance(value, (dict, list)):
        return f"expected any scalar, got {_show(value)}"
    return ""


def _show(value: Any) -> str:
    """Returns a value as Go prints it with `%v`."""
    return f"&{{{go_value(value)}}}"


def _go_syntax(value: Any) -> str:
    """Returns a value as Go prints it with `%#v`."""
    if isinstance(value, dict):
        inner = ", ".join(f"{go_quote(name)}:{_go_syntax(item)}" for name, item in sorted(value.items()))
        return f"map[string]interface {{}}{{{inner}}}"
    if isinstance(value, list):
        return "[]interface {}{" + ", ".join(map(_go_syntax, value)) + "}"
    return go_quote(value) if isinstance(value, str) else "interface {}(nil)" if value is None else show_value(value)
