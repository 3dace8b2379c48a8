"""Places in a definition: paths in the API server's terms and in the file, and paths to one field in an object.

The first two differ: the server moves the common parts of all versions out of `spec.versions` before validation.
`as_decoded` gives values as Go decodes them: maps in the order of their keys, and the numbers that its decoder makes.

Paths to one field are those of `selectableFields` and the `fieldPath` of rules: `.spec.arm['left hand']`. They follow
`ValidFieldPath` in `pkg/apiserver/schema/cel` of `k8s.io/apiextensions-apiserver`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from validation_gen.kubernetes.crd.schema import EMPTY, Schema
from validation_gen.runtime.errors import FieldError


class SchemaPath:
    """Path with one step more than its parent. `str` is the server's text; `keys` is the path in the file."""

    __slots__ = ("_keys", "_parent", "_text")

    def __init__(self, text: str, *keys: str | int, parent: SchemaPath | None = None) -> None:
        self._text = text
        self._keys = keys
        self._parent = parent

    def child(self, name: str, *keys: str | int) -> SchemaPath:
        """Returns the path of a field. `keys` are given where the file has other names than the server."""
        return SchemaPath(f".{name}", *(keys or (name,)), parent=self)

    def key(self, name: str) -> SchemaPath:
        """Returns the path of an entry of a map, such as of `properties`."""
        return SchemaPath(f"[{name}]", name, parent=self)

    def index(self, number: int) -> SchemaPath:
        """Returns the path of an item of a list."""
        return SchemaPath(f"[{number}]", number, parent=self)

    def _chain(self) -> list[SchemaPath]:
        chain: list[SchemaPath] = []
        place: SchemaPath | None = self
        while place is not None:
            chain.append(place)
            place = place._parent
        return chain[::-1]

    def __str__(self) -> str:
        return "".join(place._text for place in self._chain()).removeprefix(".")

    @property
    def keys(self) -> tuple[str | int, ...]:
        return tuple(key for place in self._chain() for key in place._keys)


def under(errors: Iterator[FieldError], *segments: str) -> Iterator[FieldError]:
    """Yields errors whose paths begin with further segments, which are in the order of `FieldError.segments`."""
    for error in errors:
        error.segments += segments
        yield error


#: Least absolute value of floats that Go writes with an exponent.
_EXPONENTS = 1e21


def as_decoded(value: Any) -> Any:
    """Returns a value as Go decodes it: keys are in order, and integers of more than 64 bits are floats."""
    if isinstance(value, dict):
        return {key: as_decoded(item) for key, item in sorted(value.items())}
    if isinstance(value, list):
        return [as_decoded(item) for item in value]
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return float(value)
    return value


def as_written(value: Any) -> Any:
    """Returns a copy of a value as Go writes it and reads it again: 1.0 is 1, and floats have the digits they need."""
    if isinstance(value, dict):
        return {key: as_written(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_written(item) for item in value]
    if type(value) is float and value.is_integer() and abs(value) < _EXPONENTS:
        return int(Decimal(repr(value)))
    return value


_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = dict(zip("abfnrtv'\\", "\a\b\f\n\r\t\v'\\", strict=True))
NO_FIELD = "does not refer to a valid field"
_END = "unexpected end of JSON path"


class FieldPathError(ValueError):
    """The path is malformed, or leads to no field."""


def resolve(path: str, schema: Schema, *, brackets: bool = True) -> tuple[tuple[str, ...], Schema]:
    """Returns the segments of a path as the server writes them, and the schema that it leads to.

    Raises:
        FieldPathError: the path is invalid. The text is the server's.
    """
    found: list[str] = []
    tokens = iter(_tokens(path))
    for mark in tokens:
        if mark == "[":
            if not brackets:
                raise FieldPathError("array notation is not allowed")
            name = _unquote(_next(tokens))
        elif mark == ".":
            name = _next(tokens)
        else:
            raise FieldPathError(f"expected [ or . but got: {mark}")
        if schema.properties:
            found.append(f".{name}")
            if name not in schema.properties:
                raise FieldPathError(NO_FIELD)
            schema = schema.properties[name]
        elif schema.additional_properties is not None:
            found.append(f"[{name}]")
            schema = schema.additional or EMPTY
        else:
            raise FieldPathError(NO_FIELD)
        if mark == "[" and (end := _next(tokens)) != "]":
            raise FieldPathError(f"expected ] but got {end}")
    return tuple(found), schema


def _tokens(path: str) -> list[str]:
    """Splits a path into dots, brackets, quoted texts, and the rest; a quote without an end takes the rest."""
    found: list[str] = []
    at = 0
    while at < len(path):
        if path[at] == "'":
            end = at + 1
            while end < len(path) and not (path[end] == "'" and path[end - 1] != "\\"):
                end += 1
            end = min(end + 1, len(path))
        elif path[at] in ".[]":
            end = at + 1
        else:
            end = min((position for mark in ".[]" if (position := path.find(mark, at)) >= 0), default=len(path))
        found.append(path[at:end])
        at = end
    return found


def _next(tokens: Iterator[str]) -> str:
    token = next(tokens, None)
    if token is None:
        raise FieldPathError(_END)
    return token


def _unquote(token: str) -> str:
    if len(token) < 2 or not (token.startswith("'") and token.endswith("'")):
        raise FieldPathError(f"expected single quoted string but got {token}")
    for match in _ESCAPED.finditer(token[1:-1]):
        if match[1] not in _ESCAPES:
            raise FieldPathError(f"invalid string literal: invalid escape char {match[0]}")
    return _ESCAPED.sub(lambda match: _ESCAPES[match[1]], token[1:-1])
