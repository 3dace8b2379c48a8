"""Steps as questions: what a generated module says of a struct and its members, asked of the checks themselves.

A step is the name of a check with its operands. Around checks there are steps for parts: `each` and `keys` of a
container, `in` a member, the `item` that has some values, `modes`, what is `inline`, and `if` an option has a state.
`unset` says that an unset value is right if the steps before it hold, `guard` that any value is if its step does not.
`change` asks about an update, `null` that checks look at null, `opaque` that nothing is asked of what is inside.
`never`, `merged` and `unnamed` stand for what is not said here: of any value, of what is inlined in a way of its own,
and of a field without a name, which never changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from validation_gen.runtime import checks
from validation_gen.runtime.acceptance.nodes import Ask
from validation_gen.runtime.items import Selector
from validation_gen.runtime.membership import PresentItems, SetMembers
from validation_gen.runtime.native import accept as _accept
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.shape import Shape
from validation_gen.runtime.shapes import ListOf, MapOf, Pointer, Struct

accept: Any = _accept

Step = Any
Steps = tuple[Step, ...]
#: Steps that are left alone together where a value is unset.
Groups = tuple[Steps, ...]
#: Steps without conditions: each is a name with operands.
Resolved = list[tuple[Any, ...]]

UNSET = ("unset", "unset_pointer")
#: Steps that ask nothing of a value that is there.
SILENT = (*UNSET, "guard", "null", "opaque")
#: Steps about parts of a value.
OF_PARTS = ("each", "in", "inline", "item", "keys", "modes")


class NeverSureError(Exception):
    """A step that cannot be said in the table: its place is left to Python."""


class Questions:
    """What steps ask in a request."""

    def __init__(self, op: Operation) -> None:
        self.op = op
        #: Whether there are handwritten checks. An update tells them the old value, and they may ask for any option.
        self.calls_others = False
        #: The options that have been asked for, each with its state.
        self.options: dict[str, bool | None] = {}

    def resolved(self, steps: Iterable[Step]) -> Iterator[tuple[Any, ...]]:
        """Steps without conditions: each as its name and operands.

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
                yield from self.resolved(inner)

    def ask(self, name: str, operands: Iterable[Any]) -> Ask:
        """A check as a function of a value and further operands.

        Raises:
            NeverSureError: there is no such check.
        """
        function = getattr(checks, name, None) if name in checks.__all__ else None
        if function is None:
            raise NeverSureError
        if name == "custom":
            self.calls_others = True
            return function, (None, *operands, self.op)
        if name == "enum_with_options":
            _, exclusions, *_ = operands = tuple(operands)
            self.options |= {option: self.op.option(option) for _, option, _ in exclusions}
            return function, (*operands, self.op)
        return function, tuple(operands)

    def passes(self, name: str, operands: Iterable[Any], value: Any) -> bool:
        """Whether a check has nothing to say of a value."""
        function, rest = self.ask(name, operands)
        try:
            return not function(value, *rest)
        except Exception:  # what a function trips over is not known to be right
            return False

    def holds(self, shape: Shape, groups: Iterable[Resolved], value: Any) -> bool:
        """Whether steps have nothing to say of an unset value. Parts of structs are not asked about."""
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
            elif speaks_of(operands, PresentItems):
                if not self.membership_holds(name, operands, value):
                    return False
            elif name in OF_PARTS or speaks_of(operands, SetMembers):
                # There are no parts in nothing; an empty struct is looked at by itself.
                if not (value is None or isinstance(shape, Struct | ListOf | MapOf)):
                    return False
            elif not self.passes(name, operands, value):
                return False
        return True

    def membership(self, name: str, operands: list[Any]) -> Membership:
        function, _ = self.ask(name, ())
        return Membership(function, *operands)

    def membership_holds(self, name: str, operands: list[Any], value: Any) -> bool:
        return not self.membership(name, operands)(value)


def zero_of(shape: Shape) -> Any:
    """Returns what Go has where a value is not there."""
    if isinstance(shape, Pointer):
        return None
    if isinstance(shape, Struct):
        return {}
    return getattr(shape, "zero", None)


def speaks_of(operands: list[Any], kinds: Any) -> bool:
    """Whether a step is about which members or items are set."""
    return bool(operands) and isinstance(operands[-1], kinds)


class Membership:
    """Asks a check about the members that are set."""

    def __init__(self, function: Any, *operands: Any) -> None:
        *self.named, self.members = operands
        self.function = function

    def __call__(self, value: Any) -> Any:
        return self.function(*self._named(value), self.members(value))

    def again(self, value: Any, old: Any) -> Any:
        """The same for an update: who was set before may be set."""
        selected = [old.get(self.named[0]) or ""] if len(self.named) > 1 else []
        return self.function(*self._named(value), self.members(value), self.members(old), *selected)

    def _named(self, value: Any) -> list[Any]:
        if len(self.named) == 1:
            return self.named
        discriminator, *rest = self.named  # of which the check wants the value
        return [(discriminator, (value or {}).get(discriminator) or ""), *rest]


class Item:
    """Asks what is asked of the first item that has some values."""

    def __init__(self, questions: Questions, selector: Selector, pointers: bool, steps: Steps) -> None:
        self.questions, self.selector, self.pointers = questions, selector, pointers
        self.steps = _settled(questions, steps)
        self.of_changes, self.calls_others = _of_changes(self.steps), _calls_others(self.steps)

    def __call__(self, value: Any) -> Any:
        position, item = self.selector.find(value, pointers=self.pointers)
        return None if position < 0 or _all_pass(self.questions, self.steps, item) else [position]

    def again(self, value: Any, old: Any) -> Any:
        """The same for an update: an item may be what it was, and so may its parts."""
        _, item = self.selector.find(value, pointers=self.pointers)
        _, was = self.selector.find(old, pointers=self.pointers)
        if was is not None and (accept.same(item, was) or _all_pass(self.questions, self.steps, item, was)):
            return None
        return [item]

    def changed(self, value: Any, old: Any) -> Any:
        """Asks what is asked of the change of an item."""
        _, item = self.selector.find(value, pointers=self.pointers)
        _, was = self.selector.find(old, pointers=self.pointers)
        if item is None or (was is not None and accept.same(item, was)):
            return None
        return None if _may_change(self.questions, self.steps, item, was) else [item]


class Guard:
    """Finds nothing where a silent check stops all that follows it: where that check fails."""

    def __init__(self, questions: Questions, shape: Shape, step: Step) -> None:
        self.questions, self.shape, self.steps = questions, shape, _settled(questions, (step,))

    def __call__(self, value: Any) -> Any:
        return None if self._stop(self.shape, self.steps, value, None) else [value]

    def again(self, value: Any, old: Any) -> Any:
        """The same for an update: functions do not look at parts that have not changed."""
        return None if self._stop(self.shape, self.steps, value, old) else [value]

    def _stop(self, shape: Shape, steps: Resolved, value: Any, old: Any) -> bool:
        """Tells whether any step fails for certain."""
        is_pointer = isinstance(shape, Pointer)
        while isinstance(shape, Pointer):
            shape = shape.elem
        for name, *operands in steps:
            if name in UNSET:
                stops = value is None if name == "unset_pointer" else not value
            elif name in OF_PARTS:
                stops = value is not None and self._part_stops(shape, name, operands, value, old)
            elif name in ("custom", "never", *SILENT):
                stops = False
            else:
                stops = not (value is None and is_pointer) and not self.questions.passes(name, operands, value)
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
        """Tells whether steps stop for a part that has changed; `old` has what was there, if anything was."""
        zero = zero_of(shape)
        if old is not None:
            if shape.same(value, old[0]):
                return False
            was = zero if old[0] is None else old[0]
        else:
            was = None
        return self._stop(shape, steps, zero if value is None else value, was)


class Modes:
    """Asks what the mode of a struct asks of the member that depends on it."""

    def __init__(self, questions: Questions, member: str, zero: Any, selector: tuple[str, Any], *rest: Any) -> None:
        rules, otherwise = rest
        self.questions, self.member, self.zero, self.selector, self.otherwise = (
            questions,
            member,
            zero,
            selector,
            otherwise,
        )
        self.rules = {mode: _settled(questions, steps) for mode, steps in rules}
        self.of_changes = any(map(_of_changes, self.rules.values()))
        self.calls_others = any(map(_calls_others, self.rules.values()))

    def __call__(self, value: Any) -> Any:
        mode, item = self._found(value)
        return None if _all_pass(self.questions, self._steps(mode), item) else [mode]

    def again(self, value: Any, old: Any) -> Any:
        """The same for an update: in the same mode, the member may be what it was, and so may its parts."""
        (mode, item), (was_mode, was) = self._found(value), self._found(old)
        if mode == was_mode and accept.same(item, was):
            return None
        there = item is not None and was is not None
        return None if there and _all_pass(self.questions, self._steps(mode), item, was) else [mode]

    def changed(self, value: Any, old: Any) -> Any:
        """Asks what is asked of the change of the member, if that or the mode has changed.

        Where handwritten checks are asked in some mode, nobody else asks an update about the others.
        """
        (mode, item), (was_mode, was) = self._found(value), (None, None) if old is None else self._found(old)
        if mode == was_mode and accept.same(item, was):
            return None
        there = item is not None and was is not None
        steps = self._steps(mode)
        if self.calls_others and (
            _calls_others(steps) or not _all_pass(self.questions, steps, item, was if there else None)
        ):
            return [mode]
        return None if not _of_changes(steps) or (there and _may_change(self.questions, steps, item, was)) else [mode]

    def _found(self, value: Any) -> tuple[Any, Any]:
        """The mode of a struct, and the member."""
        (name, zero), item = self.selector, value.get(self.member)
        return value.get(name) or zero, self.zero if item is None else item

    def _steps(self, mode: Any) -> Resolved:
        return self.rules.get(mode, [(self.otherwise,)])


def _settled(questions: Questions, steps: Steps) -> Resolved:
    """Steps without conditions, those of members as well."""
    return [
        (name, operands[0], _settled(questions, operands[1]))
        if name == "in"
        else (name, _settled(questions, operands[0]), *operands[1:])
        if name == "each"
        else (name, *operands)
        for name, *operands in questions.resolved(steps)
    ]


def _of_changes(steps: Resolved) -> bool:
    """Whether an update may ask more of parts than a create."""
    return any(name in ("change", "custom", "never") or name in OF_PARTS for name, *_ in steps)


def _calls_others(steps: Any) -> bool:
    """Whether there are handwritten checks in steps."""
    return any(step == "custom" or (isinstance(step, tuple | list) and _calls_others(step)) for step in steps)


def _all_pass(questions: Questions, steps: Resolved, value: Any, old: Any = None) -> bool:
    """Whether steps have nothing to say of a value. What is as it was in an `old` one is not asked about."""
    for name, *operands in steps:
        if name in ("change", "guard", "null", "opaque"):
            continue
        if name in UNSET:
            if (not value) if name == "unset" else value is None:
                return True
            continue
        if name == "in":
            member, inner = operands
            part, was = value.get(member), None if old is None else old.get(member)
            if not ((old is not None and accept.same(part, was)) or _passes_below(questions, inner, part, was)):
                return False
        elif name == "never" or not questions.passes(name, operands, value):
            return False
    return True


def _passes_below(questions: Questions, steps: Resolved, value: Any, old: Any) -> bool:
    """The same for a member. What stands for one that is not there is known to its shape only."""
    if value is None:
        return bool(steps) and steps[0][0] in UNSET
    return _all_pass(questions, steps, value, old)


def _may_change(questions: Questions, steps: Resolved, value: Any, old: Any) -> bool:
    """Whether rules of changes have nothing to say of a value that was another one, or none, which then is `None`."""
    for name, *operands in steps:
        if name == "in":
            member, inner = operands
            part, was = value.get(member), None if old is None else old.get(member)
            if not _of_changes(inner) or (old is not None and accept.same(part, was)):
                continue
            # What stands for one that is not there is known to its shape only.
            if part is None or was is None or not _may_change(questions, inner, part, was):
                return False
        elif name == "change":
            test, *rest = operands
            function, further = questions.ask(test, rest)
            if test in ("immutable", "update_struct") or function(value, old, *further):
                return False
        elif name in ("custom", "never") or name in OF_PARTS:
            return False
    return True
