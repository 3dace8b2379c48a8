"""Shapes: the JSON form of the values of a type.

Shapes are equal when their values are alike. The `type` of a shape does not count: it is the id of the declared type of
a value, `""` for an unnamed one.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Scalar:
    """A JSON string, number or boolean by its Go type name. `named`: it is a defined type (`type Phase string`)."""

    go: str
    named: bool = False
    type: str = field(default="", compare=False)

    @property
    def zero(self) -> str | int | bool:
        if self.go == "string":
            return ""
        return False if self.go == "bool" else 0


@dataclass(frozen=True, slots=True)
class Wire:
    """A type with a JSON form of its own: `time`, `quantity`, `intorstring`, `raw`, `any` and others.

    An `opaque` one is decoded by unknown code. Its form is `any`.
    """

    form: str
    type: str = field(default="", compare=False)
    opaque: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class PointerTo:
    elem: Shape


@dataclass(frozen=True, slots=True)
class ListOf:
    """A JSON list. A `packed` one, Go's `[]byte`, is a base64 string instead, and its items are the bytes.

    One with a `length` is a Go array: it has that many items whatever the list has. Missing ones are zero values,
    further ones are dropped. Rules do not apply to it.
    """

    elem: Shape
    packed: bool = False
    length: int | None = None
    type: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class MapOf:
    """A JSON object with free names; integer keys are written as decimal names."""

    elem: Shape
    key: Scalar = Scalar("string")
    type: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class StructRef:
    """A struct type by its id (`import/path.Name`); its members are in `Program.structs`."""

    id: str

    @property
    def type(self) -> str:
        return self.id


Shape = Scalar | Wire | PointerTo | ListOf | MapOf | StructRef


def value_shape(shape: Shape) -> Shape:
    """Returns the shape without pointers."""
    while isinstance(shape, PointerTo):
        shape = shape.elem
    return shape


@dataclass(frozen=True, slots=True)
class Member:
    """One name of a struct's JSON object, embedded structs flattened as by Go's decoder. `omit` as in `model.Field`.

    A `quoted` one is a JSON string that contains JSON of the shape, which is that of a single value. `attribute` is the
    path of the value in an instance of the Python class (`rollout.strategy`), `""` if there is no class.
    """

    json: str
    shape: Shape
    omit: str
    attribute: str = field(default="", compare=False)
    quoted: bool = False
