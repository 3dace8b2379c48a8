"""Sets of field paths, and their form in `managedFields`, `FieldsV1`.

Sources of the behaviour: `fieldpath/set.go`, `element.go` and `serialize.go` of `sigs.k8s.io/structured-merge-diff`.

A path is a tuple of elements. An element is a text in its serialized form: `f:name` (a field), `k:{"port":80}` (an item
of a list with keys), `v:"a"` (an item of a set) or `i:0` (an index). Equal elements have equal texts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from validation_gen.kubernetes.managedfields.types import Atom
from validation_gen.runtime.gotext import go_json

Path = tuple[str, ...]

#: Greatest depth of a set that is read: each level of an object costs one, and no server stores deeper objects.
_MOST_LEVELS = 500


class FieldSetError(ValueError):
    """A document is no `FieldsV1`."""


class FieldSet:
    """A set of paths, as a tree.

    Attributes:
        members: the elements of paths with one element.
        children: the sets of the other paths' ends, by their first element. No child is empty.
    """

    __slots__ = ("children", "members")

    def __init__(self, members: set[str] | None = None, children: dict[str, FieldSet] | None = None) -> None:
        self.members: set[str] = set() if members is None else members
        self.children: dict[str, FieldSet] = {} if children is None else children

    @staticmethod
    def from_paths(*paths: Path) -> FieldSet:
        """Returns the set of some paths."""
        found = FieldSet()
        for path in paths:
            found.insert(path)
        return found

    def __bool__(self) -> bool:
        return bool(self.members) or any(self.children.values())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FieldSet):
            return NotImplemented
        return self.members == other.members and self.children == other.children

    __hash__ = None  # type: ignore[assignment]  # sets grow

    def insert(self, path: Path) -> None:
        """Adds a path; the empty path is no member of any set."""
        if not path:
            return
        node = self
        for element in path[:-1]:
            child = node.children.get(element)
            if child is None:
                child = node.children[element] = FieldSet()
            node = child
        node.members.add(path[-1])

    def has(self, path: Path) -> bool:
        """Returns whether a path is a member."""
        node = self
        for element in path[:-1]:
            child = node.children.get(element)
            if child is None:
                return False
            node = child
        return bool(path) and path[-1] in node.members

    def paths(self) -> Iterator[Path]:
        """Yields the members in the order of the server's reports: at each level fields, keys, values, indexes."""
        for element in sorted(self.members, key=_order):
            yield (element,)
        for element in sorted(self.children, key=_order):
            for path in self.children[element].paths():
                yield (element, *path)

    # --- algebra ------------------------------------------------------------------------------------------------------

    def union(self, other: FieldSet) -> FieldSet:
        """Returns the paths that are in one of both sets."""
        children = dict(self.children)
        for element, child in other.children.items():
            mine = children.get(element)
            children[element] = child if mine is None else mine.union(child)
        return FieldSet(self.members | other.members, children)

    def intersection(self, other: FieldSet) -> FieldSet:
        """Returns the paths that are in both sets."""
        children = {}
        for element, child in self.children.items():
            its = other.children.get(element)
            if its is not None and (both := child.intersection(its)):
                children[element] = both
        return FieldSet(self.members & other.members, children)

    def difference(self, other: FieldSet) -> FieldSet:
        """Returns the paths that are not in the other set. Paths below one of its members stay."""
        children = {}
        for element, child in self.children.items():
            its = other.children.get(element)
            left = child if its is None else child.difference(its)
            if left:
                children[element] = left
        return FieldSet(self.members - other.members, children)

    def recursive_difference(self, other: FieldSet) -> FieldSet:
        """Returns the paths that are neither in the other set nor below one of its members."""
        children = {}
        for element, child in self.children.items():
            if element in other.members:
                continue
            its = other.children.get(element)
            left = child if its is None else child.recursive_difference(its)
            if left:
                children[element] = left
        return FieldSet(self.members - other.members, children)

    def with_named_fields(self, atom: Atom | None) -> FieldSet:
        """Returns the set with all fields of structs above its members: those that a schema names."""
        fields = atom.map.fields if atom is not None and atom.map is not None else {}
        members = set(self.members)
        members.update(element for element in self.children if element[:2] == "f:" and element[2:] in fields)
        children = {}
        for element, child in self.children.items():
            below: Atom | None = None
            if atom is not None and element[:2] == "f:" and atom.map is not None:
                below = atom.map.find_type(element[2:])
            elif atom is not None and element[:2] == "k:" and atom.list is not None:
                below = atom.list.element
            children[element] = child.with_named_fields(below)
        return FieldSet(members, children)

    # --- JSON ---------------------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Returns the set as `FieldsV1`."""
        found: dict[str, Any] = {}
        for element in sorted(self.members | self.children.keys(), key=_order):
            child = self.children.get(element)
            below = {} if child is None else child.to_json()
            found[element] = {".": {}, **below} if below and element in self.members else below
        return found

    @staticmethod
    def from_json(fields: Any) -> FieldSet:
        """Reads `FieldsV1`.

        Raises:
            FieldSetError: an element has no known form, or a value is no object, or there are too many levels.
        """
        return _read(fields, _MOST_LEVELS)


def _read(fields: Any, levels: int) -> FieldSet:
    if not isinstance(fields, Mapping):
        raise FieldSetError("expected an object")
    if levels == 0:
        raise FieldSetError("nested too deeply")
    found = FieldSet()
    for name, below in fields.items():
        if name == ".":
            continue
        element = read_element(name)
        if not isinstance(below, Mapping):
            raise FieldSetError("expected an object")
        if not below or "." in below:
            found.members.add(element)
        child = _read(below, levels - 1)
        if child:
            found.children[element] = child
    return found


# --- elements ---------------------------------------------------------------------------------------------------------


def key_element(fields: Mapping[str, Any]) -> str:
    """Returns the element of a list item with some key fields."""
    return f"k:{go_json(dict(sorted(fields.items())))}"


def value_element(value: Any) -> str:
    """Returns the element of a set item."""
    return f"v:{go_json(value)}"


def read_element(text: str) -> str:
    """Returns an element in the form in which equal ones are equal texts.

    Raises:
        FieldSetError: it has no known form.
    """
    if len(text) < 2 or text[1] != ":":
        raise FieldSetError(f"missing colon: {text}" if len(text) >= 2 else "key must be 2 characters long:")
    form, rest = text[0], text[2:]
    if form == "f":
        return text
    try:
        if form == "i":
            return f"i:{int(rest)}"
        value = json.loads(rest)
    except (ValueError, RecursionError) as problem:
        raise FieldSetError(str(problem)) from None
    if form == "v":
        return value_element(value)
    if form == "k" and isinstance(value, dict):
        return key_element(value)
    raise FieldSetError("unknown path element type")


def show_element(element: str) -> str:
    """Returns an element as it is in the server's messages: `.spec`, `[port=80,protocol="TCP"]`, `[="a"]`, `[0]`."""
    form, rest = element[0], element[2:]
    if form == "f":
        return f".{rest}"
    if form == "i":
        return f"[{rest}]"
    value = json.loads(rest)
    if form == "v":
        return f"[={show_value(value)}]"
    return "[" + ",".join(f"{name}={show_value(item)}" for name, item in sorted(value.items())) + "]"


def show_path(path: Path) -> str:
    """Returns a path as it is in the server's messages, such as `.spec.ports[port=80]`."""
    return "".join(map(show_element, path))


def show_value(value: Any) -> str:
    """Returns a value as it is in the server's messages.

    Source of the behaviour: `ToString` in `value/value.go`.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "[" + ",".join(map(show_value, value)) + "]"
    if isinstance(value, dict):
        return "{" + ";".join(f"{name}={show_value(item)}" for name, item in value.items()) + "}"
    return str(go_json(value))


_FORMS = {"f": 0, "k": 1, "v": 2, "i": 3}


def _order(element: str) -> tuple[int, Any]:
    form, rest = element[0], element[2:]
    if form == "f":
        return 0, rest
    if form == "i":
        return 3, int(rest)
    return _FORMS[form], _rank(json.loads(rest))


def _rank(value: Any) -> tuple[Any, ...]:
    """Sort key of JSON values. Source of the behaviour: `Compare` in `value/value.go`."""
    if isinstance(value, dict):
        return 4, tuple((name, _rank(item)) for name, item in sorted(value.items()))
    if isinstance(value, list):
        return 3, tuple(map(_rank, value))
    if isinstance(value, bool):
        return 2, value
    if isinstance(value, str):
        return 1, value
    return (5,) if value is None else (0, value)
