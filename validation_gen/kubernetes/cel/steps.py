"""Loops, logic and calls, as parts of a plan.

Source of the behaviour: `interpreter/interpretable.go` of cel-go. Calls evaluate all arguments, and `&&`, `||` and
loops discard errors that do not matter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from validation_gen.kubernetes.cel.data import ListView
from validation_gen.kubernetes.cel.equality import NO_OVERLOAD
from validation_gen.kubernetes.cel.operations import called, type_name
from validation_gen.kubernetes.cel.running import Run, Step
from validation_gen.kubernetes.cel.runtimecosts import call_cost
from validation_gen.kubernetes.cel.values import AbortedError, EvaluationError, Optional

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
    operation = called(function, overloads)
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
