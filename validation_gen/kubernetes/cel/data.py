"""Parts of an object as CEL values: each has its schema, which decides its equality.

Source of the behaviour: `pkg/cel/common/valuesunstructured.go` of `k8s.io/apiserver`. Null is absent in objects that
have properties, and a value that does not fit the schema's type is an error, which is a value here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from validation_gen.kubernetes.cel.functions import times
from validation_gen.kubernetes.cel.functions.conversions import decode_base64
from validation_gen.kubernetes.cel.schemas import Schema, escape, with_metadata
from validation_gen.kubernetes.cel.values import EvaluationError, GoValue

#: Converts a part of an object to a CEL value.
Reader = Callable[[Any], Any]

#: Names that look escaped, and that expressions would unescape.
_LIKE_ESCAPED = re.compile("__[^_]+__")

_GO_TYPES = {bool: "bool", int: "int64", float: "float64", str: "string", list: "[]interface {}"}


def go_type(value: object) -> str:
    """Returns the Go type of a part of an object."""
    if isinstance(value, GoValue):
        return value.type
    return _GO_TYPES.get(type(value), "map[string]interface {}")


@dataclass(slots=True, eq=False)
class Shape:
    """Facts of a schema that expressions need. `fields` has the names of properties, `names` those in expressions.

    `read` converts a value.
    """

    type: str
    read: Reader = EvaluationError  # replaced when the shape is complete
    nullable: bool = False
    is_object: bool = False
    fields: dict[str, Shape] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    element: Shape | None = None
    list_type: str = ""
    keys: tuple[str, ...] = ()
    #: True if the JSON value is already the CEL value.
    direct: bool = False
    #: The most characters of a text, None if there is no limit.
    most: int | None = None


class MapView(Mapping[str, Any]):
    """An object, or a map. Iterating gives the names that expressions use."""

    __slots__ = ("raw", "shape")

    def __init__(self, raw: dict[str, Any], shape: Shape) -> None:
        self.raw = raw
        self.shape = shape

    def find(self, key: object) -> tuple[Any, bool]:
        """Returns the value of a field or an entry, and whether there is one. Another key than a string is an error."""
        if not isinstance(key, str):
            return EvaluationError("no such overload"), True
        shape = self.shape
        if shape.is_object:
            name = shape.names.get(key)
            if name is None:
                return None, False
            value = self.raw.get(name)
            return (None, False) if value is None else (shape.fields[name].read(value), True)
        if shape.element is not None and key in self.raw:
            return shape.element.read(self.raw[key]), True
        return None, False

    def part(self, name: str) -> Shape | None:
        """Returns the shape of an entry, by its own name."""
        return self.shape.fields.get(name) if self.shape.is_object else self.shape.element

    def __getitem__(self, key: str) -> Any:
        """Returns the value of a field or an entry; an error if it is absent, or null in an object."""
        value, found = self.find(key)
        return value if found else EvaluationError(f"no such key: {key}")

    def __contains__(self, key: object) -> bool:
        return self.find(key)[1]

    def __iter__(self) -> Iterator[str]:
        if not self.shape.is_object:
            return iter(self.raw if self.shape.element is not None else ())
        return iter([escape(name) or name for name in self.raw if name in self.shape.fields])

    def __len__(self) -> int:
        return len(self.raw)


class ListView(Sequence[Any]):
    """A list. `shape.list_type` decides its equality."""

    __slots__ = ("raw", "shape")

    def __init__(self, raw: list[Any], shape: Shape) -> None:
        self.raw = raw
        self.shape = shape

    def __getitem__(self, index: Any) -> Any:
        assert self.shape.element is not None
        if isinstance(index, slice):
            return [self.shape.element.read(item) for item in self.raw[index]]
        return self.shape.element.read(self.raw[index])

    def __iter__(self) -> Iterator[Any]:
        assert self.shape.element is not None
        return map(self.shape.element.read, self.raw)

    def __len__(self) -> int:
        return len(self.raw)


@dataclass(frozen=True, slots=True, eq=False)
class Unknown:
    """Data without a schema. It can only be compared."""

    type_name: ClassVar[str] = "unknown"
    raw: Any


def build_shape(schema: Schema, *, root: bool = False) -> Shape:
    """Builds the shape of a structural schema; `root`: it is that of a whole resource."""
    if root:
        schema = with_metadata(schema)
    type = str(schema.get("type") or "")
    shape = Shape(type, nullable=bool(schema.get("nullable")))
    shape.read = _reader(schema, type, shape)
    plain = type in ("integer", "boolean") or (type == "string" and schema.get("format") not in _STRINGS)
    shape.direct = plain or bool(schema.get("x-kubernetes-int-or-string"))
    if type == "string":
        shape.most = _most_characters(schema)
    return shape


def _most_characters(schema: Schema) -> int | None:
    allowed = schema.get("enum") or ()
    if allowed and all(isinstance(value, str) for value in allowed):
        return max(map(len, allowed))
    most = schema.get("maxLength")
    return most if isinstance(most, int) else None


def _reader(schema: Schema, type: str, shape: Shape) -> Reader:
    read: Reader
    if schema.get("x-kubernetes-int-or-string"):
        read = _int_or_string
    elif type == "object":
        read = _object_reader(schema, shape)
    elif type == "array":
        read = _list_reader(schema, shape)
    elif type == "string":
        read = _STRINGS.get(schema.get("format") or "", _string)
    elif type in _SCALARS:
        read = _SCALARS[type]
    elif schema.get("x-kubernetes-preserve-unknown-fields"):
        read = Unknown
    else:
        message = (
            "invalid type, expected object, array, number, integer, boolean or string, or no type with "
            "x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got "
        )
        read = _failing(message + type)
    null = None if shape.nullable else EvaluationError("invalid data, got null for schema with nullable=false")

    def whole(value: Any) -> Any:
        return null if value is None else read(value)

    return whole


def _failing(message: str) -> Reader:
    return lambda _: EvaluationError(message)


def _viewed(wanted: type, view: Callable[[Any, Shape], Any], shape: Shape, problem: str) -> Reader:
    return lambda value: view(value, shape) if type(value) is wanted else EvaluationError(problem)


def _object_reader(schema: Schema, shape: Shape) -> Reader:
    if schema.get("x-kubernetes-embedded-resource"):
        schema = with_metadata(schema)
    properties = schema.get("properties")
    additional = schema.get("additionalProperties")
    if properties or schema.get("x-kubernetes-embedded-resource"):
        shape.is_object = True
        for name, part in (properties or {}).items():
            shape.fields[name] = build_shape(part)
            if not _LIKE_ESCAPED.search(name):
                shape.names[name] = name
            if (escaped := escape(name)) is not None:
                shape.names[escaped] = name
    elif isinstance(additional, Mapping):
        shape.element = build_shape(additional)

    return _viewed(dict, MapView, shape, "invalid data, expected a map for the provided schema with type=object")


def _list_reader(schema: Schema, shape: Shape) -> Reader:
    items = schema.get("items")
    if not isinstance(items, Mapping):
        return _failing("invalid array type, expected Items with a non-empty Schema")
    shape.element = build_shape(items)
    shape.list_type = str(schema.get("x-kubernetes-list-type") or "")
    # The server looks keys up by the names that expressions use, so that a key such as `a-b` finds nothing.
    shape.keys = tuple(escape(key) or key for key in schema.get("x-kubernetes-list-map-keys") or ())
    return _viewed(list, ListView, shape, "invalid data, expected an array for the provided schema with type=array")


def _int_or_string(value: Any) -> Any:
    if type(value) is str or type(value) is int:
        return value
    return EvaluationError("invalid data, expected XIntOrString value to be either a string or integer")


def _make_type_error(wanted: str, value: Any) -> EvaluationError:
    return EvaluationError(f"invalid data, expected {wanted}, got {go_type(value)}")


def _string(value: Any) -> Any:
    return value if type(value) is str else _make_type_error("string", value)


def _read_format(read: Callable[[str], Any]) -> Reader:
    def reader(value: Any) -> Any:
        if type(value) is not str:
            return _make_type_error("string", value)
        try:
            return read(value)
        except EvaluationError as error:
            return error

    return reader


def _number(value: Any) -> Any:
    return float(value) if type(value) in (int, float) else _make_type_error("float", value)


def _integer(value: Any) -> Any:
    return value if type(value) is int else _make_type_error("int", value)


def _boolean(value: Any) -> Any:
    return value if type(value) is bool else _make_type_error("bool", value)


_STRINGS: dict[str, Reader] = {
    "duration": _read_format(times.parse_duration_format),
    "date": _read_format(times.parse_date),
    "date-time": _read_format(times.parse_date_time),
    "byte": _read_format(decode_base64),
}
_SCALARS: dict[str, Reader] = {"number": _number, "integer": _integer, "boolean": _boolean}
