"""Values during the translation of a rule, and their conversion to the general form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from validation_gen.kubernetes.cel.compiled.writer import Writer
from validation_gen.kubernetes.cel.data import ListView, MapView, Reader, Shape
from validation_gen.kubernetes.cel.types import Kind, Type
from validation_gen.kubernetes.cel.values import EvaluationError


class UnsupportedError(Exception):
    """There is no fast form of an expression."""


@dataclass(frozen=True, slots=True)
class Value:
    """A Python expression with what is known of its value.

    Attributes:
        text: the expression. It has no effects, so it may be repeated.
        type: the type that the checker has found.
        shape: for an object, a map or a list that is a part of the validated object, in its JSON form.
        element: for a list that an expression has made of such parts, the shape of the parts.
        most: the most characters of a text, or the greatest absolute value of an integer; None if there is no limit.
        constant: whether it is the same each time.
    """

    text: str
    type: Type
    shape: Shape | None = None
    element: Shape | None = None
    most: int | None = None
    constant: bool = False

    @property
    def kind(self) -> Kind:
        return self.type.kind


def of_shape(writer: Writer, text: str, shape: Shape, type: Type) -> Value:
    """Returns the form of a part of an object that its schema has validated, and that is not null."""
    if shape.direct:
        return Value(text, type, most=shape.most)
    if shape.is_object or shape.element is not None:
        return Value(text, type, shape)
    if shape.type == "number":
        return Value(f"float({text})", type)
    return Value(f"{writer.constant(_sound(shape.read))}({text})", type)


def item_of(writer: Writer, text: str, shape: Shape, type: Type) -> Value:
    """Returns the form of an item of a list, or a value of a map.

    Raises:
        UnsupportedError: it may be null, which is a value of its own there.
    """
    if shape.nullable:
        raise UnsupportedError("items that may be null")
    return of_shape(writer, text, shape, type)


def _sound(read: Reader) -> Reader:
    """Wraps a reader so that it raises for a value that does not fit the schema's type."""

    def sound(raw: Any) -> Any:
        value = read(raw)
        if isinstance(value, EvaluationError):
            raise value.with_traceback(None)  # an error that is raised again keeps all frames
        return value

    return sound


def is_plain(shape: Shape) -> bool:
    """Returns whether expressions use the JSON value unchanged."""
    return shape.direct and not shape.nullable


def general(writer: Writer, value: Value) -> str:
    """Returns the Python expression of the value in the form that functions take."""
    if value.shape is not None:
        return _view(writer, value.text, value.shape)
    if value.element is not None:
        item = writer.fresh("x")
        return f"[{_view(writer, item, value.element)} for {item} in {value.text}]"
    return value.text


def _view(writer: Writer, text: str, shape: Shape) -> str:
    view = writer.constant(ListView if shape.type == "array" else MapView)
    return f"{view}({text}, {writer.constant(shape)})"
