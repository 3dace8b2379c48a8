"""Shapes of objects with known names, and the functions that validate them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any

from validation_gen.runtime.containers import ListOf, MapOf, Pointer, Quoted, behind_pointers, refuses_null
from validation_gen.runtime.differences import DIFFERENT, differ
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.instances import plain_value
from validation_gen.runtime.scalars import STRING
from validation_gen.runtime.shape import Recovered, Shape, WrongTypeError, move_below, wrong_type

#: The checks of a struct (`""`) and of its members: the steps of each by its name.
Table = Mapping[str, tuple[Any, ...]]

#: Function of a generated module: of a value and the request, or of a value, an old one and the request.
Validate = Callable[..., list[FieldError] | None]

_JSON = (dict, list, str, int, float, bool)
_NO_INSTANCES = (str, bytes, int, float, list, tuple, set, frozenset)


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
    is_object = True

    def __init__(self, name: str) -> None:
        self.name = name
        self.members: dict[str, Shape] = {}
        #: Members that accept any text.
        self.texts: frozenset[str] = frozenset()
        #: Members that do not decode from null.
        self.not_null: frozenset[str] = frozenset()
        #: What mends a member that is not null, by its name.
        self._menders: dict[str, Callable[[Any], Recovered | None]] = {}
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
        """Sets the members by JSON name, and the names that encoding omits if empty (separated by blanks).

        `preserves` are the names of the members that keep unknown fields, `*` for the struct itself. `attributes` are
        the names that differ in the Python class, for structs with a class.
        """
        self.members = dict(members)
        self.texts = frozenset(
            name
            for name, shape in members.items()
            if shape is STRING or (isinstance(shape, Pointer) and shape.elem is STRING)
        )
        self.not_null = frozenset(name for name, shape in members.items() if refuses_null(shape))
        self._menders = {name: behind_pointers(shape).recover for name, shape in members.items()}
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
            self._confusables = tuple(
                (name, shape) for name, shape in self.members.items() if any(leaf.confusable for leaf in _leaves(shape))
            )
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

    def recover(self, value: Any) -> Recovered | None:
        if type(value) is not dict and not isinstance(value, dict):
            return None if value is None else Recovered({}, wrong_type(value, "an object"))
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
                move_below(f".{name}", mended.errors, errors)
        return None if copy is None else Recovered(copy, errors)

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
        if omit is None or (item.__class__ not in _JSON and shape.recover(item)):
            return False
        # A wrong value is kept. The search for one takes long in large values, so it is only for those that could go.
        return (shape.is_empty(item) if omit == "empty" else shape.is_zero(item)) and not shape.recover(item)

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


def functions(module: Mapping[str, Any], name: str) -> tuple[Validate, Validate]:
    """Returns the functions of a type for creates and updates.

    A type that compares nothing has one function, which gets no old value.
    """
    create: Validate = module[f"create_{name}"]
    update: Validate | None = module.get(f"update_{name}")
    return create, update or (lambda obj, old, op: create(obj, op))


def _leaves(shape: Shape) -> Iterator[Shape]:
    """Returns the shapes without parts in a shape, and those of values in strings. Structs may contain themselves."""
    waiting, met = [shape], set[Shape]()
    while waiting:
        shape = waiting.pop()
        if isinstance(shape, Pointer | ListOf | MapOf):
            waiting.append(shape.elem)
        elif not isinstance(shape, Struct):
            yield shape
        elif shape not in met:
            met.add(shape)
            waiting += shape.members.values()


def holds_quoted(shape: Shape) -> bool:
    """Returns whether a shape has members that are encoded in strings, at any depth."""
    return any(isinstance(leaf, Quoted) for leaf in _leaves(shape))
