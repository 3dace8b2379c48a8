"""Subject of foreign errors: one object, its types if they are known, and constructors of its errors.

Libraries name paths by elements (`("spec", "ports", 0)`) or in a notation of their own; here they become paths as
Kubernetes writes them. This module knows no library.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from validation_gen.mismatch.adapters.codes import ErrorMapping
from validation_gen.runtime.errors import OMITTED, ErrorType, FieldError, Mark
from validation_gen.runtime.paths import Path
from validation_gen.runtime.shapes import ListOf, MapOf, Pointer, Shape, Struct


class Key(str):
    """An element in brackets: without a shape it is the key of a map, not a member."""

    __slots__ = ()


Element = str | int

#: A path as Kubernetes writes it. Keys of maps are in brackets and not escaped.
PATH = r"(?:<nil>|(?:[A-Za-z_$*][\w$*/-]*|\[[^\]\n]*\])(?:\.[\w$*/-]+|\[[^\]\n]*\])*)"
_ELEMENT = re.compile(r"\.?([^.\[\]]+)|\.?\[([^\]]*)\]")
_INDEX = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)


def to_path(elements: Iterable[Element], shape: Shape | None = None) -> Path:
    """Converts path elements to the path of a value.

    With the `shape` of the object (`Registry.shape(kind)`) keys of maps become `[key]`, members `.name`, and attributes
    of Python classes the names of their members. Without it, numbers are indexes and texts members.
    """
    path = Path()
    for element in elements:
        while isinstance(shape, Pointer):
            shape = shape.elem
        if isinstance(shape, Struct):
            name = _member(shape, str(element))
            path, shape = path.child(name), shape.members.get(name)
        elif isinstance(shape, MapOf | ListOf):
            path, shape = path.key(str(element)), shape.elem
        elif isinstance(element, int):
            path, shape = path.index(element), None
        else:
            path, shape = path.key(element) if isinstance(element, Key) else path.child(str(element)), None
    return path


def _member(shape: Struct, name: str) -> str:
    """Returns the JSON name of a member, given that name or the name of its Python attribute."""
    if name not in shape.members and shape.attributes:
        return next((json for json, attribute in shape.attributes.items() if attribute == name), name)
    return name


def shape_below(shape: Shape | None, element: Element) -> Shape | None:
    """Returns the shape of an element in a shape, `None` if there is none."""
    while isinstance(shape, Pointer):
        shape = shape.elem
    if isinstance(shape, Struct):
        return shape.members.get(_member(shape, str(element)))
    return shape.elem if isinstance(shape, MapOf | ListOf) else None


def parse_elements(text: str) -> list[Element]:
    """The elements of a path in any usual notation: `spec.ports[0]`, `$.spec.ports[0]`, `/spec/ports/0`, `a.0.b`."""
    if text in ("", "<nil>", "$", ".", "/"):
        return []
    if text.startswith("/"):
        return [_number(part.replace("~1", "/").replace("~0", "~")) for part in text[1:].split("/")]
    text = text.removeprefix("$").removeprefix(".")
    found: list[Element] = []
    end = 0
    while match := _ELEMENT.match(text, end):  # a search would try each place
        end = match.end()
        name, inside = match.groups()
        found.append(_number(name) if name is not None else _bracket(inside))
    return found if end == len(text) else [text]


def _number(text: str) -> Element:
    return int(text) if _INDEX.fullmatch(text) else text


def _bracket(text: str) -> Element:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return Key(text[1:-1])
    return int(text) if _INDEX.fullmatch(text) else Key(text)


_EMPTY = frozenset({ErrorType.REQUIRED, ErrorType.FORBIDDEN})
_COUNTED = frozenset({ErrorType.TOO_MANY, ErrorType.TOO_FEW})


@dataclass(frozen=True, slots=True)
class Subject:
    """The object that errors are about.

    Attributes:
        obj: the object as decoded JSON.
        shape: its shape, if that is known.
        at: the part of the object that the validator sees; its paths begin there.
        marks: marks of every error that is made here.
    """

    obj: Any = None
    shape: Shape | None = None
    at: Sequence[Element] = ()
    marks: frozenset[str] = frozenset()

    def path(self, elements: Iterable[Element]) -> Path:
        """Returns the path of a value below the part that the validator sees."""
        return to_path((*self.at, *elements), self.shape)

    def shape_at(self, elements: Iterable[Element]) -> Shape | None:
        """Returns the shape of the value there, `None` if it is not known."""
        shape = self.shape
        for element in (*self.at, *elements):
            shape = shape_below(shape, element)
        return shape

    def value(self, elements: Iterable[Element]) -> Any:
        """Returns the value at a path, `None` if there is none."""
        return self.reach(elements)[1]

    def reach(self, elements: Iterable[Element]) -> tuple[int, Any]:
        """Returns how many of the elements exist in the object, and the value there, `None` if some do not."""
        value, count = self.obj, -len(self.at)
        for element in (*self.at, *elements):
            value = _below(value, element)
            if value is _NOTHING:
                return max(count, 0), None
            count += 1
        return count, value

    def error(
        self, elements: Iterable[Element] | None, code: ErrorMapping, bad_value: object = "", detail: str = ""
    ) -> FieldError:
        """Returns an error at a path, `None` if it is unknown; missing parts are marked."""
        type = code.type or ErrorType.INVALID
        if type in _EMPTY:
            bad_value = ""
        elif type is ErrorType.TOO_LONG:
            bad_value = OMITTED
        elif type in _COUNTED and isinstance(bad_value, list | tuple | dict | set | frozenset):
            bad_value = len(bad_value)
        error = FieldError.at(None if elements is None else self.path(elements), type, bad_value, detail)
        error.origin = code.origin or ""
        unknown = [
            mark
            for mark, is_unknown in (
                (Mark.ANY_TYPE, code.type is None),
                (Mark.ANY_ORIGIN, code.origin is None),
                (Mark.ANY_FIELD, elements is None),
            )
            if is_unknown
        ]
        return error.marked(*unknown, *self.marks)


_NOTHING = object()


def _below(value: Any, element: Element) -> Any:
    if isinstance(value, dict):
        return value.get(element, value.get(str(element), _NOTHING))
    if isinstance(value, list) and isinstance(element, int) and 0 <= element < len(value):
        return value[element]
    return _NOTHING
