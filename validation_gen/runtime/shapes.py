"""The JSON shape of values: whether a decoded value has the types that Go would decode, and when two values are equal.

Go's rules hold: `null` and an absent name are the zero value of a plain field and nil of a pointer, list or map; names
that a struct does not have are ignored. Equality is the API server's semantic equality: nil and empty lists are equal,
quantities compare by amount, times by instant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Iterator, Mapping
from itertools import zip_longest
from operator import length_hint
from typing import Any

from validation_gen.runtime.differences import DIFFERENT, differ
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.instances import plain_value
from validation_gen.runtime.scalars import (
    ANY,
    BOOL,
    BYTES,
    DURATION,
    EXACT_QUANTITY,
    FLOAT,
    GOTIME,
    INT8,
    INT16,
    INT32,
    INT64,
    INT_OR_STRING,
    MICROTIME,
    OPAQUE,
    QUANTITY,
    RAW,
    STRING,
    TIME,
    UINT8,
    UINT16,
    UINT32,
    UINT64,
    Integer,
    Plain,
    Wire,
)
from validation_gen.runtime.shape import Mended, Shape, WrongTypeError, wrong_type

#: Generated code finds all shapes here.
__all__ = [
    "ANY",
    "BOOL",
    "BYTES",
    "DURATION",
    "EXACT_QUANTITY",
    "FLOAT",
    "GOTIME",
    "INT8",
    "INT16",
    "INT32",
    "INT64",
    "INT_OR_STRING",
    "MICROTIME",
    "OPAQUE",
    "QUANTITY",
    "RAW",
    "STRING",
    "TIME",
    "UINT8",
    "UINT16",
    "UINT32",
    "UINT64",
    "ArrayOf",
    "Integer",
    "ListOf",
    "MapOf",
    "Pointer",
    "Quoted",
    "Shape",
    "Struct",
    "Table",
    "Wire",
]

#: The checks of a struct (`""`) and of its members: the steps of each by its name.
Table = Mapping[str, tuple[Any, ...]]

#: Function of a generated module: of a value and the request, or of a value, an old one and the request.
Validate = Callable[..., list[FieldError] | None]

_DECIMAL = re.compile(r"-?[0-9]{1,20}", re.ASCII)


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

    def mended(self, value: Any) -> Mended | None:
        return None if value is None else self.elem.mended(value)

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

    def mended(self, value: Any) -> Mended | None:
        scalar = _behind_pointers(self.elem)
        if value is None or not isinstance(scalar, Plain):
            return None
        if not isinstance(value, str):
            return Mended(scalar.stand_in, wrong_type(value, f"{scalar.wanted} in a string"))
        try:
            return Mended(scalar.unquoted(value), [])
        except WrongTypeError:
            detail = f"must be {scalar.wanted} in a string"
            return Mended(scalar.stand_in, [FieldError(ErrorType.TYPE_INVALID, value, detail)])

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


class ListOf(Shape):
    __slots__ = ("_usual", "elem")

    def __init__(self, elem: Shape) -> None:
        self.elem = elem
        self._usual = _usual_class(elem)

    @property
    def confusable(self) -> bool:  # type: ignore[override]
        return self.elem.confusable

    def decoded(self, value: Any) -> Any:
        if value is None or value.__class__ is list:
            return value
        if isinstance(value, list):
            return list(value)  # YAML readers return subclasses that iterate in their own ways
        raise WrongTypeError

    def exact(self, value: Any) -> bool:
        return not value or self._usual is str or not self.elem.confusable or all(map(self.elem.exact, value))

    def mended(self, value: Any) -> Mended | None:
        if type(value) is not list and not isinstance(value, list):
            return None if value is None else Mended([_stand_in(self.elem)], wrong_type(value, "a list"))
        elem = self.elem
        usual, mend = self._usual, elem.mended
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
                _below(f"[{i}]", mended.errors, errors)
        return None if copy is None else Mended(copy, errors)

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
    """A list of as many items as a Go array has: missing ones are zero values, further ones are dropped unseen."""

    __slots__ = ("length",)

    def __init__(self, elem: Shape, length: int) -> None:
        super().__init__(elem)
        self.length = length

    def exact(self, value: Any) -> bool:
        return super().exact(value and value[: self.length])  # further items may have any value

    def mended(self, value: Any) -> Mended | None:
        if isinstance(value, list) and len(value) > self.length:
            value = value[: self.length]
        return super().mended(value)

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


class MapOf(Shape):
    """An object with free names. With an integer shape as `key`, names are decimal numbers."""

    __slots__ = ("_usual", "elem", "key")

    def __init__(self, elem: Shape, key: Integer | None = None) -> None:
        self.elem = elem
        self._usual = _usual_class(elem)
        self.key = key

    @property
    def confusable(self) -> bool:  # type: ignore[override]
        return self.elem.confusable

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

    def mended(self, value: Any) -> Mended | None:
        if type(value) is not dict and not isinstance(value, dict):
            name = "?" if self.key is None else "1"
            return None if value is None else Mended({name: _stand_in(self.elem)}, wrong_type(value, "an object"))
        elem, free = self.elem, self.key is None
        usual, mend = self._usual, elem.mended
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
                _below(f"[{_key_text(key)}]", wrong or (mended.errors if mended else []), errors)
        return None if copy is None else Mended(copy, errors)

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


class Struct(Shape):
    """An object with known names. The members are given later, because structs mention each other."""

    __slots__ = (
        "_confusables",
        "_menders",
        "_table",
        "attributes",
        "exact",
        "members",
        "name",
        "not_null",
        "omit",
        "preserves",
        "texts",
    )

    def __init__(self, name: str) -> None:
        self.name = name
        self.members: dict[str, Shape] = {}
        #: Members that accept any text.
        self.texts: frozenset[str] = frozenset()
        #: Members that do not decode from null.
        self.not_null: frozenset[str] = frozenset()
        #: What mends a member that is not null, by its name.
        self._menders: dict[str, Callable[[Any], Mended | None]] = {}
        self.omit: dict[str, str] = {}
        #: Attributes of the Python class by JSON name; `None` if there is no class.
        self.attributes: dict[str, str] | None = None
        #: Members in which unknown fields stay, `*` for the struct itself.
        self.preserves: frozenset[str] = frozenset()
        #: As in `Shape`; generated code brings a quicker function.
        self.exact: Callable[[Any], bool] = self._exact  # type: ignore[assignment]
        self._table: Callable[[], Table] = dict
        #: Members that hold more than texts; `None` until first use.
        self._confusables: tuple[tuple[str, Shape], ...] | None = None

    def define(
        self,
        members: Mapping[str, Shape],
        omitempty: str = "",
        omitzero: str = "",
        preserves: str = "",
        attributes: Mapping[str, str] | None = None,
    ) -> None:
        """Sets the members by JSON name, and which of them encoding leaves out (names separated by blanks).

        `preserves` are the names of the members in which unknown fields stay, `*` for the struct itself. `attributes`
        are the names that differ in the Python class; it is given for structs that have one.
        """
        self.members = dict(members)
        self.texts = frozenset(
            name
            for name, shape in members.items()
            if shape is STRING or (isinstance(shape, Pointer) and shape.elem is STRING)
        )
        self.not_null = frozenset(name for name, shape in members.items() if _refuses_null(shape))
        self._menders = {name: _behind_pointers(shape).mended for name, shape in members.items()}
        self.omit = dict.fromkeys(omitempty.split(), "empty") | dict.fromkeys(omitzero.split(), "zero")
        self.preserves = frozenset(preserves.split())
        self.attributes = None if attributes is None else dict(attributes)

    def accept(self, table: Callable[[], Table]) -> Callable[[], Table]:
        """Sets the function that returns the checks of the struct and its members beside their types."""
        self._table = table
        return table

    @property
    def table(self) -> Table:
        """Returns the checks of the struct (`""`) and of its members, step by step, for `fastpath` to read."""
        return self._table()

    @property
    def functions(self) -> tuple[Validate, Validate] | None:
        """Returns the functions for creates and updates, which are beside the table; `None` without a table."""
        module: Mapping[str, Any] = getattr(self._table, "__globals__", {})
        is_own = self._table.__name__ == f"table_{self.name}" and f"create_{self.name}" in module
        return functions(module, self.name) if is_own else None

    @property
    def confusable(self) -> bool:  # type: ignore[override]
        return bool(self._confusables or self._confusable_members())

    def _confusable_members(self) -> tuple[tuple[str, Shape], ...]:
        if self._confusables is None:
            found = tuple((name, shape) for name, shape in self.members.items() if any(_confusable_leaves(shape)))
            self._confusables = found
        return self._confusables

    def decoded(self, value: Any) -> Any:
        if value is None:
            return {}
        if isinstance(value, dict):
            return value
        raise WrongTypeError

    def _exact(self, value: Any) -> bool:
        if value:
            for name, shape in self._confusables or self._confusable_members():
                if name in value and not shape.exact(value[name]):
                    return False
        return True

    def mended(self, value: Any) -> Mended | None:
        if type(value) is not dict and not isinstance(value, dict):
            return None if value is None else Mended({}, wrong_type(value, "an object"))
        copy: dict[Any, Any] | None = None
        errors: list[FieldError] = []
        menders = self._menders
        for name, item in value.items():
            if type(item) is str:
                if name in self.texts:
                    continue
            elif item is None and name not in self.not_null:
                continue
            mend = menders.get(name)
            if mend is not None and (mended := mend(item)) is not None:
                copy = copy or value.copy()
                copy[name] = mended.value
                _below(f".{name}", mended.errors, errors)
        return None if copy is None else Mended(copy, errors)

    def plain(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {n: self.members[n].plain(item) if n in self.members else item for n, item in value.items()}
        if self.attributes is None or value is None or isinstance(value, _NO_INSTANCES):
            return plain_value(value)
        result = {}
        for name, shape in self.members.items():
            item: Any = value
            for attribute in self.attributes.get(name, name).split("."):
                item = getattr(item, attribute, None)
            item = shape.plain(item)
            if item is not None and not self._is_omitted(name, shape, item):
                result[name] = item
        return result

    def _is_omitted(self, name: str, shape: Shape, item: Any) -> bool:
        omit = self.omit.get(name)
        if omit is None or (item.__class__ not in _JSON and shape.mended(item)):
            return False
        # What is wrong is kept. To look for that takes long in large values, so that only what could go is asked.
        return (shape.is_empty(item) if omit == "empty" else shape.is_zero(item)) and not shape.mended(item)

    def same(self, a: Any, b: Any) -> bool:
        if self.unchanged(a, b):
            return True
        if DIFFERENT and (id(self), id(a), id(b)) in DIFFERENT:
            return False
        values, before = {} if a is None else a, b or {}
        if not isinstance(values, dict):
            return False
        for name, shape in self.members.items():
            if (name in values or name in before) and not shape.same(values.get(name), before.get(name)):
                differ(self, a, b)
                return False
        # A null that does not decode is not the same as nothing.
        return not any(name in values and values[name] is None and name not in before for name in self.not_null)

    def identity(self, value: Any) -> Hashable:
        value = value or {}
        return tuple([shape.identity(value.get(name)) for name, shape in self.members.items()])

    def encoded(self, value: Any) -> Any:
        value = value or {}
        result = {}
        for name, shape in self.members.items():
            item = value.get(name)
            omit = self.omit.get(name)
            if not (omit and (shape.is_empty(item) if omit == "empty" else shape.is_zero(item))):
                result[name] = shape.encoded(item)
        return result

    def is_zero(self, value: Any) -> bool:
        if not value or not isinstance(value, dict):
            return not value
        return all(shape.is_zero(value.get(name)) for name, shape in self.members.items())

    def is_empty(self, value: Any) -> bool:
        return False


_JSON = (dict, list, str, int, float, bool)
_NO_INSTANCES = (str, bytes, int, float, list, tuple, set, frozenset)


def _confusable_leaves(shape: Shape) -> Iterator[bool]:
    """Returns for each single value in a shape whether it is more than a text. Structs may contain themselves."""
    waiting, met = [shape], set()
    while waiting:
        shape = waiting.pop()
        if isinstance(shape, Pointer | ListOf | MapOf):
            waiting.append(shape.elem)
        elif not isinstance(shape, Struct):
            yield shape.confusable
        elif shape not in met:
            met.add(shape)
            waiting += shape.members.values()


def functions(module: Mapping[str, Any], name: str) -> tuple[Validate, Validate]:
    """Returns the functions of a type for creates and updates.

    A type that compares nothing has one function, which gets no old value.
    """
    create: Validate = module[f"create_{name}"]
    update: Validate | None = module.get(f"update_{name}")
    return create, update or (lambda obj, old, op: create(obj, op))


def holds_quoted(shape: Shape) -> bool:
    """Returns whether a shape has members that are encoded in strings, at any depth."""
    waiting, met = [shape], set[Shape]()
    while waiting:
        shape = waiting.pop()
        if isinstance(shape, Quoted):
            return True
        if isinstance(shape, Pointer | ListOf | MapOf):
            waiting.append(shape.elem)
        elif isinstance(shape, Struct) and shape not in met:
            met.add(shape)
            waiting += shape.members.values()
    return False


def _key_text(key: Any) -> str:
    try:
        return str(key)
    except ValueError:  # Python refuses to write out numbers of thousands of digits
        return "…"


def _below(path: str, wrong: list[FieldError], errors: list[FieldError]) -> None:
    for error in wrong:
        error.segments.append(path)
    errors += wrong


def _null_item(shape: Shape) -> Mended | None:
    """Replaces null by the zero value, which an item of a list or map has in Go unless it is a pointer."""
    if _refuses_null(shape):
        return shape.mended(None)
    zero = shape.decoded(None)
    return None if zero is None else Mended(zero, [])


def _refuses_null(shape: Shape) -> bool:
    return isinstance(shape, Wire) and not shape.form.nullable


def _stand_in(shape: Shape) -> Any:
    """Returns a set value of a shape, for an item of a list or map that is not one."""
    shape = _behind_pointers(shape)
    if isinstance(shape, Plain | Wire):
        return shape.stand_in
    return {} if isinstance(shape, Struct | MapOf) else None


def _behind_pointers(shape: Shape) -> Shape:
    while isinstance(shape, Pointer):
        shape = shape.elem
    return shape


def _usual_class(shape: Shape) -> type | None:
    """Returns the class of values that need no closer look, if there is one."""
    return str if _behind_pointers(shape) is STRING else None
