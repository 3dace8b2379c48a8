"""Shapes of lists, arrays and maps, of pointers, and of values that JSON has in a string of their own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Mapping
from itertools import zip_longest
from operator import length_hint
from typing import Any

from validation_gen.runtime.differences import DIFFERENT, differ
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.instances import plain_value
from validation_gen.runtime.scalars import STRING, Integer, Plain, Wire
from validation_gen.runtime.shape import Recovered, Shape, WrongTypeError, move_below, wrong_type


class _Around(Shape):
    """A shape that wraps another shape."""

    __slots__ = ("elem",)

    def __init__(self, elem: Shape) -> None:
        self.elem = elem

    @property
    def confusable(self) -> bool:  # type: ignore[override] # what is a constant of simple shapes depends on the parts here
        return self.elem.confusable


class Pointer(_Around):
    __slots__ = ("unchanged",)

    def __init__(self, elem: Shape) -> None:
        super().__init__(elem)
        #: As in `Shape`: null equals nothing else.
        self.unchanged: Callable[[Any, Any], bool] = elem.unchanged  # type: ignore[assignment]

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


class Quoted(_Around):
    """A scalar, or a pointer to one, that JSON writes as a string: Go's option `string` of a `json` tag.

    `recover` decodes the string first; all other methods are about the scalar in it.
    """

    __slots__ = ()

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
    """Returns the shape behind any number of pointers; a shape that is no pointer is returned unchanged."""
    while isinstance(shape, Pointer):
        shape = shape.elem
    return shape


def refuses_null(shape: Shape) -> bool:
    """Returns whether null does not decode."""
    return isinstance(shape, Wire) and not shape.form.nullable


_DECIMAL = re.compile(r"-?[0-9]{1,20}", re.ASCII)


class ListOf(_Around):
    __slots__ = ("_usual",)

    def __init__(self, elem: Shape) -> None:
        super().__init__(elem)
        self._usual = _usual_class(elem)

    def decoded(self, value: Any) -> Any:
        if value is None or value.__class__ is list:
            return value
        if isinstance(value, list):
            return list(value)  # YAML readers return subclasses that iterate in their own ways
        raise WrongTypeError

    def exact(self, value: Any) -> bool:
        return not value or self._usual is str or not self.elem.confusable or all(map(self.elem.exact, value))

    def recover(self, value: Any) -> Recovered | None:
        if type(value) is not list and not isinstance(value, list):
            return None if value is None else Recovered([_stand_in(self.elem)], wrong_type(value, "a list"))
        elem = self.elem
        usual, mend = self._usual, elem.recover
        copy: list[Any] | None = None
        errors: list[FieldError] = []
        items = iter(value)
        for item in items:
            if type(item) is usual:
                continue
            mended = mend(item) if item is not None else _null_item(elem)
            if mended is not None:
                i = len(value) - length_hint(items) - 1
                copy = copy or value.copy()
                copy[i] = mended.value
                move_below(f"[{i}]", mended.errors, errors)
        return None if copy is None else Recovered(copy, errors)

    def plain(self, value: Any) -> Any:
        if isinstance(value, list | tuple | set | frozenset):
            return [self.elem.plain(item) for item in value]
        return plain_value(value)

    def same(self, a: Any, b: Any) -> bool:
        if self.unchanged(a, b):
            return True
        if DIFFERENT and (id(self), id(a), id(b)) in DIFFERENT:
            return False
        items, before = [] if a is None else a, b or ()
        if isinstance(items, list) and len(items) == len(before) and all(map(self.elem.same, items, before)):
            return True
        differ(self, a, b)
        return False

    def identity(self, value: Any) -> Hashable:
        return tuple(map(self.elem.identity, value or ()))

    def encoded(self, value: Any) -> Any:
        return None if value is None else [self.elem.encoded(item) for item in value]

    def is_empty(self, value: Any) -> bool:
        return not value


class ArrayOf(ListOf):
    """A Go array: it fills missing items with zero values, and drops excess items unchecked."""

    __slots__ = ("length",)

    def __init__(self, elem: Shape, length: int) -> None:
        super().__init__(elem)
        self.length = length

    def exact(self, value: Any) -> bool:
        return super().exact(value and value[: self.length])  # further items may have any value

    def recover(self, value: Any) -> Recovered | None:
        if isinstance(value, list) and len(value) > self.length:
            value = value[: self.length]
        return super().recover(value)

    def same(self, a: Any, b: Any) -> bool:
        if self.unchanged(a, b):
            return True
        if a is None:
            a = []
        if not isinstance(a, list):
            return False
        items = zip_longest(a[: self.length], (b or ())[: self.length])
        return all(self.elem.same(item, old) for item, old in items)

    def identity(self, value: Any) -> Hashable:
        items = (value or [])[: self.length]
        while items and self.elem.same(items[-1], None):
            items = items[:-1]
        return super().identity(items)

    def encoded(self, value: Any) -> Any:
        items = (value or [])[: self.length]
        return [self.elem.encoded(item) for item in items + [None] * (self.length - len(items))]

    def is_zero(self, value: Any) -> bool:
        return all(map(self.elem.is_zero, (value or ())[: self.length]))

    def is_empty(self, value: Any) -> bool:
        return not self.length


class MapOf(_Around):
    """An object with free names. With an integer shape as `key`, names are decimal numbers."""

    __slots__ = ("_usual", "key")
    is_object = True

    def __init__(self, elem: Shape, key: Integer | None = None) -> None:
        super().__init__(elem)
        self._usual = _usual_class(elem)
        self.key = key

    def decoded(self, value: Any) -> Any:
        if value is None or isinstance(value, dict):
            return value
        raise WrongTypeError

    def demand_key(self, key: Any) -> None:
        """Looks at a key.

        Raises:
            WrongTypeError: it is not one of the map's type.
        """
        if self._wrong_key(key):
            raise WrongTypeError

    def exact(self, value: Any) -> bool:
        return not value or not self.elem.confusable or all(map(self.elem.exact, value.values()))

    def _wrong_key(self, key: Any) -> list[FieldError] | None:
        if not isinstance(key, str):
            return [FieldError(ErrorType.TYPE_INVALID, key, "must have a string as its key")]
        if self.key is None or (_DECIMAL.fullmatch(key) and self.key.fits(int(key))):
            return None
        return [FieldError(ErrorType.TYPE_INVALID, key, f"must have {self.key.wanted} as its key")]

    def recover(self, value: Any) -> Recovered | None:
        if type(value) is not dict and not isinstance(value, dict):
            name = "?" if self.key is None else "1"
            return None if value is None else Recovered({name: _stand_in(self.elem)}, wrong_type(value, "an object"))
        elem, free = self.elem, self.key is None
        usual, mend = self._usual, elem.recover
        copy: dict[Any, Any] | None = None
        errors: list[FieldError] = []
        for key, item in value.items():
            wrong = None if free and type(key) is str else self._wrong_key(key)
            if type(item) is usual and not wrong:
                continue
            mended = mend(item) if item is not None else _null_item(elem)
            if wrong or mended is not None:
                copy = copy or value.copy()
                if wrong:
                    del copy[key]
                elif mended is not None:
                    copy[key] = mended.value
                move_below(f"[{_key_text(key)}]", wrong or (mended.errors if mended else []), errors)
        return None if copy is None else Recovered(copy, errors)

    def plain(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {plain_value(key): self.elem.plain(item) for key, item in value.items()}
        return plain_value(value)

    def same(self, a: Any, b: Any) -> bool:
        if self.unchanged(a, b):
            return True
        if DIFFERENT and (id(self), id(a), id(b)) in DIFFERENT:
            return False
        values, before = {} if a is None else a, b or {}
        if (
            isinstance(values, dict)
            and values.keys() == before.keys()
            and all(self.elem.same(item, before[key]) and not self._wrong_key(key) for key, item in values.items())
        ):
            return True
        differ(self, a, b)
        return False

    def identity(self, value: Any) -> Hashable:
        return frozenset((key, self.elem.identity(item)) for key, item in (value or {}).items())

    def encoded(self, value: Any) -> Any:
        return None if value is None else {key: self.elem.encoded(value[key]) for key in sorted(value)}

    def is_empty(self, value: Any) -> bool:
        return not value


def _key_text(key: Any) -> str:
    try:
        return str(key)
    except ValueError:  # Python refuses to write out numbers of thousands of digits
        return "…"


def _null_item(shape: Shape) -> Recovered | None:
    """Replaces null by the zero value, which an item of a list or map has in Go unless it is a pointer."""
    if refuses_null(shape):
        return shape.recover(None)
    zero = shape.decoded(None)
    return None if zero is None else Recovered(zero, [])


def _stand_in(shape: Shape) -> Any:
    """Returns a set value of a shape, for an item of a list or map that is not one."""
    shape = behind_pointers(shape)
    if isinstance(shape, Plain | Wire):
        return shape.stand_in
    return {} if shape.is_object else None


def _usual_class(shape: Shape) -> type | None:
    """Returns the Python class whose instances are always valid, None if there is none."""
    return str if behind_pointers(shape) is STRING else None
