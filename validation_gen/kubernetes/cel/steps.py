"""Parts of a plan: loops, logic, calls, and attributes.

An attribute is a variable or a value with the chain of fields and indices after it, looked up and charged as one. Calls
evaluate all arguments, and `&&`, `||` and loops discard errors that do not matter. Sources of the behaviour:
`interpreter/interpretable.go` and `interpreter/attributes.go` of cel-go.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from validation_gen.kubernetes.cel.data import ListView, MapView
from validation_gen.kubernetes.cel.entries import INDICES, NO_OVERLOAD, find, no_index
from validation_gen.kubernetes.cel.functions.numbers import type_name
from validation_gen.kubernetes.cel.operations import Run, Step, find_operation, render_value
from validation_gen.kubernetes.cel.runtimecosts import call_cost
from validation_gen.kubernetes.cel.values import ABSENT, AbortedError, EvaluationError, Optional, Uint

#: Marker of a result that has not been computed: the start of a loop's accumulator.
_UNSET = object()


def read(slot: int) -> Step:
    return lambda run: run.slots[slot]


def lazy(slot: int, init: Step) -> Step:
    """Reads the accumulator of a loop, and initializes it at the first read."""

    def value(run: Run) -> Any:
        found = run.slots[slot]
        if found is _UNSET:
            found = run.slots[slot] = init(run)
        return found

    return value


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    items: Step
    condition: Step
    step: Step
    result: Step
    slot: int
    is_double: bool

    def run(self, run: Run) -> Any:
        items = self.items(run)
        if isinstance(items, EvaluationError):
            return items
        slots, slot = run.slots, self.slot
        # An inner loop (`x.all(…, y.all(…))`) has slots of its own; only its accumulator starts anew.
        slots[slot] = _UNSET
        if self.is_double:
            pairs = _pairs(items)
            if pairs is None:
                return EvaluationError(f"unsupported comprehension range type: {type_name(items)}")
            for slots[slot + 1], slots[slot + 2] in pairs:
                if self.condition(run) is False:
                    break
                slots[slot] = self.step(run)
        else:
            if not isinstance(items, list | ListView | Mapping):
                return EvaluationError(f"got '{type_name(items)}', expected iterable type")
            for item in items:
                slots[slot + 1] = item
                if self.condition(run) is False:
                    break
                slots[slot] = self.step(run)
        return self.result(run)


def _pairs(items: Any) -> Any:
    if isinstance(items, list | ListView):
        return enumerate(items)
    return items.items() if isinstance(items, Mapping) else None


def logic(left: Step, right: Step, decided: bool) -> Step:
    """Evaluates `&&` and `||`: the first operand that decides, else the first error."""

    def decide(run: Run) -> Any:
        first = left(run)
        if first is decided:
            return decided
        second = right(run)
        if second is decided:
            return decided
        for value in (first, second):
            if type(value) is not bool:
                return value if isinstance(value, EvaluationError) else NO_OVERLOAD
        return not decided

    return decide


def alternative(optional: Step, other: Step, held: bool) -> Step:
    """Evaluates `a.or(b)` and `a.orValue(b)`, which evaluate `b` only if `a` is empty, and cost nothing."""

    def chosen(run: Run) -> Any:
        first = optional(run)
        if isinstance(first, EvaluationError):
            return first
        if type(first) is not Optional:
            return NO_OVERLOAD
        if first.present:
            return first.value if held else first
        return other(run)

    return chosen


#: Functions with one implementation for all overloads, which evaluate both operands although the first one fails.
_SINGLE = frozenset(("_==_", "_!=_", "_+_", "_-_", "_*_", "_/_", "_%_", "_<_", "_<=_", "_>_", "_>=_", "@in", "matches"))


def _is_eager(function: str, overloads: tuple[str, ...], count: int) -> bool:
    """Returns whether a call evaluates all arguments; others end at the first one that fails, and cost nothing then."""
    if count < 2:
        return True
    return count == 2 and (len(overloads) == 1 or function in _SINGLE or function == "@sortByAssociatedKeys")


def call(function: str, overloads: tuple[str, ...], steps: list[Step], *, optimized: bool = False) -> Step:
    """Returns the step of a call; the first error among its arguments is the result.

    Args:
        function: the name of the function.
        overloads: the overloads that the types allow.
        steps: the arguments.
        optimized: the call matches a constant pattern, and ends at the first argument that fails.
    """
    operation = find_operation(function, overloads)
    overload = overloads[0] if len(overloads) == 1 else ""
    strict = function != "@not_strictly_false"
    eager = not optimized and _is_eager(function, overloads, len(steps))
    last = len(steps) - 1

    def run_call(run: Run) -> Any:
        values = []
        value: Any = None
        for index, step in enumerate(steps):
            values.append(each := step(run))
            if value is None and strict and isinstance(each, EvaluationError):
                value = each
                if not eager and index < last:
                    return value
        if value is None:
            try:
                value = operation(*values)
            except AbortedError:
                raise
            except EvaluationError as error:
                value = error
        run.charge(call_cost(function, overload, values, value))
        return value

    return run_call


@dataclass(slots=True, eq=False)
class Qualifier:
    """One step of an attribute: a constant key, or a computed one."""

    key: Any = None
    worked_out: Step | None = None
    optional: bool = False
    test_only: bool = False

    def select(self, run: Run, value: Any, optional: bool) -> tuple[Any, bool]:
        """Returns the value that the step selects, and whether it is there.

        Only an optional or a tested one may be missing.

        An optional step that fails costs nothing, unless it has found an item that does not fit its schema.
        """
        key = self.key if self.worked_out is None else self.worked_out(run)
        if isinstance(key, EvaluationError):
            if not optional:
                run.charge(1)
            return key, True
        found, present = _select_part(value, key)
        failed = isinstance(found, EvaluationError) and not isinstance(value, list | ListView)
        if not optional or (present and not failed):
            run.charge(1)
        if isinstance(found, EvaluationError):
            return found, True
        if self.test_only and not optional:
            return present, True
        if not present and not optional:
            return _missing(value, key), True
        return found, present


@dataclass(slots=True, eq=False)
class Attribute:
    """A variable or a value, and the fields selected from it. A ternary has two alternatives in `ways`."""

    root: Step
    qualifiers: list[Qualifier] = field(default_factory=list)
    ways: tuple[Attribute, Attribute] | None = None
    test_only: bool = False

    def add(self, qualifier: Qualifier) -> None:
        if self.ways is None:
            self.qualifiers.append(qualifier)
        else:
            for path in self.ways:
                path.add(qualifier)

    def resolve(self, run: Run) -> Any:
        value = self.root(run)
        if self.ways is not None:
            if value is True:
                return self.ways[0].resolve(run)
            if value is False:
                return self.ways[1].resolve(run)
            return value if isinstance(value, EvaluationError) else NO_OVERLOAD
        if isinstance(value, EvaluationError):
            return value
        optional = False
        if type(value) is Optional:
            if not value.present:
                return value
            optional, value = True, _native(value.value)
        for qualifier in self.qualifiers:
            optional = optional or qualifier.optional
            value, present = qualifier.select(run, value, optional)
            if isinstance(value, EvaluationError):
                return value
            if not present:
                return ABSENT
        return Optional(True, value) if optional else value

    def step(self) -> Step:
        resolve = self.resolve
        if self.ways is not None:
            return resolve
        if self.test_only:
            return lambda run: _test_presence(resolve(run))

        def observed(run: Run) -> Any:
            value = resolve(run)
            run.charge(1)
            return value

        return observed


def _native(value: Any) -> Any:
    """Returns the content of an optional without its schema: servers up to 1.36 lose the schema here."""
    if isinstance(value, MapView | ListView):
        return value.raw
    if isinstance(value, EvaluationError):
        return EvaluationError(f"unsupported conversion to ref.Val: (*errors.errorString){value.message}")
    return value


def _test_presence(value: Any) -> Any:
    return value.present if type(value) is Optional else value


def _select_part(value: Any, key: Any) -> tuple[Any, bool]:
    """Returns the part of a value that a key names, and whether it is there."""
    if type(key) not in INDICES:
        return no_index(key), True
    if isinstance(value, Mapping):
        return find(value, key)
    if isinstance(value, EvaluationError):
        return value, True
    if isinstance(value, list | ListView):
        kind = type(key)
        if kind is float and key.is_integer():
            key = int(key)
        elif kind is not int and kind is not Uint:
            return EvaluationError(f"unsupported index type '{type_name(key)}' in list"), True
        return (value[key], True) if 0 <= key < len(value) else (None, False)
    return None, False


def _missing(value: Any, key: Any) -> EvaluationError:
    kind = "index out of bounds" if isinstance(value, list | ListView) else "no such key"
    return EvaluationError(f"{kind}: {render_value(key)}")
