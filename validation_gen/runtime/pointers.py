"""Shapes around a single shape: pointers, and values that JSON has in a string of their own."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from typing import Any

from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.scalars import Plain, Wire
from validation_gen.runtime.shape import Recovered, Shape, WrongTypeError, wrong_type


class Pointer(Shape):
    __slots__ = ("elem", "unchanged")

    def __init__(self, elem: Shape) -> None:
        self.elem = elem
        #: As in `Shape`: null equals nothing else.
        self.unchanged: Callable[[Any, Any], bool] = elem.unchanged  # type: ignore[assignment]

    @property
    def confusable(self) -> bool:  # type: ignore[override] # what is a constant of simple shapes depends on the parts here
        return self.elem.confusable

    def decoded(self, value: Any) -> Any:
        return None if value is None else self.elem.decoded(value)

    def exact(self, value: Any) -> bool:
        return value is None or self.elem.exact(value)

    def recover(self, value: Any) -> Recovered | None:
        return None if value is None else self.elem.recover(value)

    def plain(self, value: Any) -> Any:
        return None if value is None else self.elem.plain(value)

    def same(self, a: Any, b: Any) -> bool:
        return a is b if a is None or b is None else self.elem.same(a, b)

    def identity(self, value: Any) -> Hashable:
        return None if value is None else (self.elem.identity(value),)

    def encoded(self, value: Any) -> Any:
        return None if value is None else self.elem.encoded(value)


class Quoted(Shape):
    """A single value, or a pointer to one, that JSON has in a string of its own: Go's option `string` of a `json` tag.

    To mend one is to take it out of its string. All else is about what was in there.
    """

    __slots__ = ("elem",)

    def __init__(self, elem: Shape) -> None:
        self.elem = elem

    @property
    def confusable(self) -> bool:  # type: ignore[override]
        return self.elem.confusable

    def decoded(self, value: Any) -> Any:
        return self.elem.decoded(value)

    def exact(self, value: Any) -> bool:
        return self.elem.exact(value)

    def recover(self, value: Any) -> Recovered | None:
        scalar = behind_pointers(self.elem)
        if value is None or not isinstance(scalar, Plain):
            return None
        if not isinstance(value, str):
            return Recovered(scalar.stand_in, wrong_type(value, f"{scalar.wanted} in a string"))
        try:
            return Recovered(scalar.unquoted(value), [])
        except WrongTypeError:
            detail = f"must be {scalar.wanted} in a string"
            return Recovered(scalar.stand_in, [FieldError(ErrorType.TYPE_INVALID, value, detail)])

    def same(self, a: Any, b: Any) -> bool:
        return self.elem.same(a, b)

    def identity(self, value: Any) -> Hashable:
        return self.elem.identity(value)

    def encoded(self, value: Any) -> Any:
        value = self.elem.encoded(value)
        return None if value is None else json.dumps(value, ensure_ascii=False)

    def is_zero(self, value: Any) -> bool:
        return self.elem.is_zero(value)

    def is_empty(self, value: Any) -> bool:
        return self.elem.is_empty(value)


def behind_pointers(shape: Shape) -> Shape:
    """Returns what a pointer points to, through any number of pointers, or another shape itself."""
    while isinstance(shape, Pointer):
        shape = shape.elem
    return shape


def refuses_null(shape: Shape) -> bool:
    """Returns whether null does not decode."""
    return isinstance(shape, Wire) and not shape.form.nullable
