"""Turns the steps of a generated module into calls of checks.

A step is the name of a check with its operands. Around checks there are steps for parts: `each` and `keys` of a
container, `in` a member, the `item` that has some values, `modes`, what is `inline`, and `if` an option has a state.
`unset` says that an unset value is right if the steps before it hold, `guard` that any value is if its step does not.
`change` checks an update, `null` means that checks see null, `opaque` that the parts have no checks.
`never`, `merged` and `unnamed` stand for what is not said here: of any value, of what is inlined in a way of its own,
and of a field without a name, which never changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from validation_gen.runtime import checks
from validation_gen.runtime.containers import behind_pointers
from validation_gen.runtime.fastpath.nodes import Call
from validation_gen.runtime.membership import PresentItems, SetMembers
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.shape import Shape
from validation_gen.runtime.shapes import ListOf, MapOf, Pointer, Struct

Step = Any
Steps = tuple[Step, ...]
#: Steps that are left alone together where a value is unset.
Groups = tuple[Steps, ...]
#: Steps without conditions: each is a name with operands.
Resolved = list[tuple[Any, ...]]

UNSET = ("unset", "unset_pointer")
#: Steps without a check of a value that is there.
SILENT = (*UNSET, "guard", "null", "opaque")
#: Steps about parts of a value.
OF_PARTS = ("each", "in", "inline", "item", "keys", "modes")


#: Checks of whether a value is there, which see nil pointers, too.
_OF_POINTERS = ("required_pointer", "forbidden_pointer")
_PRESENCE = (*UNSET, "required", "forbidden", *_OF_POINTERS)


class NotCompilableError(Exception):
    """Raised for a step that the table cannot encode: its node is left to Python."""


class Resolver:
    """Resolves the steps of one kind of request to calls of checks."""

    def __init__(self, op: Operation) -> None:
        self.op = op
        #: Whether there are handwritten checks. They get the old value of an update, and may read any option.
        self.has_custom = False
        #: The options that conditions have read, each with its state.
        self.options: dict[str, bool | None] = {}

    def resolve(self, steps: Iterable[Step]) -> Iterator[tuple[Any, ...]]:
        """Yields steps without conditions: each as its name and operands.

        A condition about an option that the request does not define becomes `never`: functions report the option.
        """
        for step in steps:
            name, *operands = (step,) if isinstance(step, str) else step
            if name != "if":
                yield name, *operands
                continue
            option, enabled, lenient, *inner = operands
            state = self.options[option] = self.op.option(option)
            if state is None and not lenient:
                yield ("never",)
            elif bool(state) == enabled:
                yield from self.resolve(inner)

    def bind(self, name: str, operands: Iterable[Any]) -> Call:
        """Returns a check as a function of a value and further operands.

        Raises:
            NotCompilableError: there is no such check.
        """
        function = getattr(checks, name, None) if name in checks.__all__ else None
        if function is None:
            raise NotCompilableError
        if name == "custom":
            self.has_custom = True
            return function, (None, *operands, self.op)
        if name == "enum_with_options":
            _, exclusions, *_ = operands = tuple(operands)
            self.options |= {option: self.op.option(option) for _, option, _ in exclusions}
            return function, (*operands, self.op)
        return function, tuple(operands)

    def passes(self, name: str, operands: Iterable[Any], value: Any) -> bool:
        """Returns whether a value passes a check."""
        function, rest = self.bind(name, operands)
        try:
            return not function(value, *rest)
        except Exception:  # a function that raises does not prove that the value is valid
            return False

    def holds(self, shape: Shape, groups: Iterable[Resolved], value: Any) -> bool:
        """Returns whether an unset value passes all steps. Parts of structs are not checked."""
        return all(self._group_holds(shape, steps, value) for steps in groups)

    def _group_holds(self, shape: Shape, steps: Resolved, value: Any) -> bool:
        for name, *operands in steps:
            if name in UNSET:
                if value is None or name == "unset":
                    return True
            elif name == "null":
                if value is None:
                    return False
            elif name in ("change", "guard", "opaque"):
                continue
            elif name in ("custom", "never"):
                return False  # others say when their functions are called
            elif is_about(operands, PresentItems):
                if not self.membership_holds(name, operands, value):
                    return False
            elif name in OF_PARTS or is_about(operands, SetMembers):
                # An absent value has no parts; an empty struct is checked separately.
                if not (value is None or isinstance(shape, Struct | ListOf | MapOf)):
                    return False
            elif not self.passes(name, operands, value):
                return False
        return True

    def membership(self, name: str, operands: list[Any]) -> Membership:
        function, _ = self.bind(name, ())
        return Membership(function, *operands)

    def membership_holds(self, name: str, operands: list[Any], value: Any) -> bool:
        return not self.membership(name, operands)(value)


def zero_of(shape: Shape) -> Any:
    """Returns Go's zero value for an absent value."""
    if isinstance(shape, Pointer):
        return None
    if isinstance(shape, Struct):
        return {}
    return getattr(shape, "zero", None)


def is_about(operands: list[Any], kinds: Any) -> bool:
    """Returns whether a step is about which members or items are set."""
    return bool(operands) and isinstance(operands[-1], kinds)


class Membership:
    """Asks a check about the members that are set."""

    def __init__(self, function: Any, *operands: Any) -> None:
        *self.named, self.members = operands
        self.function = function

    def __call__(self, value: Any) -> Any:
        return self.function(*self._named(value), self.members(value))

    def again(self, value: Any, old: Any) -> Any:
        """Calls the check for an update: members that were set may stay set."""
        selected = [old.get(self.named[0]) or ""] if len(self.named) > 1 else []
        return self.function(*self._named(value), self.members(value), self.members(old), *selected)

    def _named(self, value: Any) -> list[Any]:
        if len(self.named) == 1:
            return self.named
        discriminator, *rest = self.named  # of which the check wants the value
        return [(discriminator, (value or {}).get(discriminator) or ""), *rest]


class Guard:
    """Decides whether a silent check fails, so that the steps after it are skipped.

    It returns `None` if the check certainly fails, false if it certainly passes, and else the value.
    """

    def __init__(self, resolver: Resolver, shape: Shape, step: Step) -> None:
        self.resolver, self.shape, self.steps = resolver, shape, _resolve_all(resolver, (step,))
        self.is_clear = _are_clear(shape, self.steps)

    def __call__(self, value: Any, old: Any = None) -> Any:
        """Decides for a new or changed value; functions skip unchanged parts."""
        if self._stop(self.shape, self.steps, value, old):
            return None
        return False if self.is_clear else [value]

    def _stop(self, shape: Shape, steps: Resolved, value: Any, old: Any) -> bool:
        """Tells whether any step fails for certain."""
        is_pointer = isinstance(shape, Pointer)
        shape = behind_pointers(shape)
        for name, *operands in steps:
            if name in UNSET:
                stops = value is None if name == "unset_pointer" else not value
            elif name in OF_PARTS:
                stops = value is not None and self._part_stops(shape, name, operands, value, old)
            elif name in ("custom", "never", *SILENT):
                stops = False
            else:
                skips = value is None and is_pointer and name not in _OF_POINTERS
                stops = not skips and not self.resolver.passes(name, operands, value)
            if stops:
                return True
        return False

    def _part_stops(self, shape: Shape, name: str, operands: list[Any], value: Any, old: Any) -> bool:
        if name == "in" and isinstance(shape, Struct):
            member, steps = operands
            part = shape.members[member]
            return self._changed_stops(part, steps, value.get(member), None if old is None else (old.get(member),))
        if name != "each" or not isinstance(shape, ListOf | MapOf):
            return False
        steps, *items = operands
        if isinstance(shape, MapOf):
            before = old or {}
            pairs = [(item, (before[key],) if key in before else None) for key, item in value.items()]
        else:
            find = items[0].finder(old) if items and items[0] is not None and old is not None else None
            pairs = [(item, None if find is None or (was := find(item)) is None else (was,)) for item in value]
        return any(
            item is not None and was != (True,) and self._changed_stops(shape.elem, steps, item, was)
            for item, was in pairs
        )

    def _changed_stops(self, shape: Shape, steps: Resolved, value: Any, old: tuple[Any] | None) -> bool:
        """Returns whether the steps fail for a changed part. `old` has the old part, if it existed."""
        zero = zero_of(shape)
        if old is not None:
            if shape.same(value, old[0]):
                return False
            was = zero if old[0] is None else old[0]
        else:
            was = None
        return self._stop(shape, steps, zero if value is None else value, was)


def _are_clear(shape: Shape, steps: Resolved) -> bool:
    """Returns whether a guard is sure of the result of some steps."""
    shape = behind_pointers(shape)
    return all(
        name in _PRESENCE
        or (name == "in" and isinstance(shape, Struct) and _are_clear(shape.members[operands[0]], operands[1]))
        or (name == "each" and isinstance(shape, ListOf | MapOf) and _are_clear(shape.elem, operands[0]))
        for name, *operands in steps
    )


def _resolve_all(resolver: Resolver, steps: Steps) -> Resolved:
    """Returns steps without conditions, those of members as well."""
    return [
        (name, operands[0], _resolve_all(resolver, operands[1]))
        if name == "in"
        else (name, _resolve_all(resolver, operands[0]), *operands[1:])
        if name == "each"
        else (name, *operands)
        for name, *operands in resolver.resolve(steps)
    ]
