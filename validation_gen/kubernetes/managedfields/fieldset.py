"""Sets of field paths, and their form in `managedFields`, `FieldsV1`.

Sources of the behaviour: `fieldpath/set.go`, `element.go` and `serialize.go` of `sigs.k8s.io/structured-merge-diff`.

A path is a tuple of elements. An element is a text in its serialized form: `f:name` (a field), `k:{"port":80}` (an item
of a list with keys), `v:"a"` (an item of a set) or `i:0` (an index). Equal elements have equal texts.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, TypeVar

from validation_gen.kubernetes.managedfields.types import Atom
from validation_gen.runtime.gotext import go_json, go_quote, render_bad_value, sort_members

Path = tuple[str, ...]
_T = TypeVar("_T")

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
        return bool(self.members or self.children)

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
        for element in _in_order(self.members):
            yield (element,)
        for element in _in_order(self.children.keys()):
            for path in self.children[element].paths():
                yield (element, *path)

    # --- algebra ------------------------------------------------------------------------------------------------------

    def union(self, other: FieldSet) -> FieldSet:
        """Returns the paths of both sets."""
        if not other or self is other:
            return self
        if not self:
            return other
        children = dict(self.children)
        for element, child in other.children.items():
            mine = children.get(element)
            children[element] = child if mine is None else mine.union(child)
        return FieldSet(self.members | other.members, children)

    def intersection(self, other: FieldSet) -> FieldSet:
        """Returns the paths that are in both sets."""
        children = {}
        for element in self.children.keys() & other.children.keys():
            if both := self.children[element].intersection(other.children[element]):
                children[element] = both
        return FieldSet(self.members & other.members, children)

    def difference(self, other: FieldSet, *, recursive: bool = False) -> FieldSet:
        """Returns the paths that are not in the other set; `recursive`: nor below one of its members."""
        if not other:
            return self
        children = {}
        for element, child in self.children.items():
            if recursive and element in other.members:
                continue
            its = other.children.get(element)
            left = child if its is None else child.difference(its, recursive=recursive)
            if left:
                children[element] = left
        return FieldSet(self.members - other.members, children)

    def with_named_fields(self, atom: Atom | None) -> FieldSet:
        """Returns the set with all fields of structs above its members: those that a schema names."""
        kind = None if atom is None else atom.map
        items = None if atom is None or atom.list is None else atom.list.element
        members, children = set(self.members), {}
        for element, child in self.children.items():
            below: Atom | None = None
            if element[0] == "f":
                if kind is not None:
                    below = kind.fields.get(element[2:])
                    if below is None:
                        below = kind.element
                    else:
                        members.add(element)
            elif element[0] == "k":
                below = items
            children[element] = child.with_named_fields(below) if child.children else child
        return FieldSet(members, children)

    def leaves(self) -> FieldSet:
        """Returns the members without those that have members below them."""
        children = {element: child.leaves() for element, child in self.children.items()}
        return FieldSet(self.members - self.children.keys(), children)

    def is_subset(self, other: FieldSet) -> bool:
        """Returns whether all members are in another set, too."""
        if self is other:
            return True
        if not self.members <= other.members:
            return False
        for element, child in self.children.items():
            its = other.children.get(element)
            if its is None or not child.is_subset(its):
                return False
        return True

    # --- JSON ---------------------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Returns the set as `FieldsV1`."""
        found: dict[str, Any] = {}
        children = self.children
        for element in _in_order(self.members | children.keys() if children else self.members):
            child = children.get(element)
            if child is None:
                found[element] = {}
            elif element in self.members:
                found[element] = {".": {}, **child.to_json()}
            else:
                found[element] = child.to_json()
        return found

    @staticmethod
    def from_json(fields: Any) -> FieldSet:
        """Reads `FieldsV1`.

        Raises:
            FieldSetError: an element has no known form, or a value is no object, or there are too many levels.
        """
        if not isinstance(fields, Mapping):
            raise FieldSetError("expected an object")
        return _read(fields, _MOST_LEVELS)


def _read(fields: Mapping[str, Any], levels: int) -> FieldSet:
    if levels == 0:
        raise FieldSetError("nested too deeply")
    found = FieldSet()
    for name, below in fields.items():
        if name == ".":
            continue
        element = name if name[:2] == "f:" else read_element(name)
        if element is None:
            continue
        if not below and (below is None or isinstance(below, dict)):
            found.members.add(element)
            continue
        if not isinstance(below, Mapping):
            raise FieldSetError("expected an object")
        child = _read(below, levels - 1)
        if child:
            found.children[element] = child
        if "." in below or not child:
            found.members.add(element)
    return found


# --- elements ---------------------------------------------------------------------------------------------------------


def key_element(fields: Mapping[str, Any]) -> str:
    """Returns the element of a list item with some key fields."""
    return f"k:{go_json(sort_members(fields))}"


def single_key_element(name: str, value: str) -> str:
    """Returns the element of a list item with one key field, a text."""
    return f"k:{{{_quoted_name(name)}:{go_json(value)}}}"


_quoted_name = functools.lru_cache(maxsize=1024)(go_json)


def value_element(value: Any) -> str:
    """Returns the element of a set item."""
    return f"v:{go_json(sort_members(value))}"


#: Elements of a longer text are not cached.
_LONGEST_CACHED = 200


def _cache_short(function: Callable[[str], _T]) -> Callable[[str], _T]:
    """Caches the results of a function for short elements, since these occur often."""
    cached = functools.lru_cache(maxsize=4096)(function)
    return lambda element: function(element) if len(element) > _LONGEST_CACHED else cached(element)


@_cache_short
def read_element(text: str) -> str | None:
    """Normalizes an element, so that equal elements have equal texts. None for an element of an unknown type.

    Raises:
        FieldSetError: it has no known form.
    """
    if len(text) < 2:
        raise FieldSetError("key must be 2 characters long:")
    if text[1] != ":":
        raise FieldSetError(f"missing colon: {text}")
    form, rest = text[0], text[2:]
    if form == "f":
        return text
    if form not in _FORMS:
        return None
    try:
        if form == "i":
            if not _INTEGER.fullmatch(rest):
                raise FieldSetError(f"strconv.Atoi: parsing {go_quote(rest)}: invalid syntax")
            return f"i:{int(rest)}"
        value = json.loads(rest)
    except FieldSetError:
        raise
    except (ValueError, RecursionError) as problem:
        raise FieldSetError(str(problem)) from None
    if form == "v":
        return value_element(value)
    if value is not None and not isinstance(value, dict):
        raise FieldSetError("expected an object")
    return key_element(value or {})


_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")


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
    if isinstance(value, list):
        return "[" + ",".join(map(show_value, value)) + "]"
    if isinstance(value, dict):
        return "".join(f"{name}={show_value(item)}" for name, item in value.items())
    return render_bad_value(value, json_string=False)


_FORMS = {"f": 0, "k": 1, "v": 2, "i": 3}


def _in_order(elements: Collection[str]) -> list[str]:
    """Returns elements in the server's order."""
    if len(elements) < 2:
        return list(elements)
    if all(element[0] == "f" for element in elements):
        return sorted(elements)
    return sorted(elements, key=_order)


@_cache_short
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
