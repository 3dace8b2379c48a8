"""What an update asks before it looks at a field: whether the field has changed, in as few steps as possible.

Equality to the API server (`same`) looks through the whole value. Where a field has changed, that is wasted if all that
follows compares again, item by item and field by field. So the quick question is asked first, and the thorough one only
if a check of the field as a whole may fail: what was wrong before must not be reported, however it is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from validation_gen.emit.python.place import Names, Place, is_packed
from validation_gen.emit.python.suspicions import of_test
from validation_gen.ir import (
    ByKeys,
    CallType,
    Check,
    EachValue,
    FieldPlan,
    ListOf,
    MapOf,
    PointerTo,
    Scalar,
    StructRef,
    Test,
    TypePlan,
    When,
    Wire,
    value_shape,
)

_OF_POINTERS = {"required_pointer", "unset_pointer"}
#: Tests of lists and maps that ask for a least number of items.
_LEAST = {"min_items", "min_properties"}
#: Tests of lists and maps that fail, or stop, where they are empty; of these only `_LEAST` may do so elsewhere.
_OF_EMPTY = {"required", "unset"} | _LEAST
_OF_CONTAINERS = _OF_EMPTY | {"max_items", "max_properties", "unique", "no_nulls"}


def changed(place: Place, names: Names, *, quick: bool) -> str:
    """The condition that a field has changed. `quick` does not see through other ways to write the same value."""
    shape, v, was = names.shape(place.shape), place.value, place.old
    return f"{v} is not {was} and not {shape}.{'unchanged' if quick else 'same'}({v}, {was})"


def doubts(member: FieldPlan, checks: Sequence[Check], place: Place, names: Names) -> list[str] | None:
    """Returns the conditions under which the quick question will not do, and the thorough one must be asked, too.

    `None` where it will not: what follows looks at the value as a whole, or cannot be foreseen.
    """
    tests = [c.operation for c in checks if isinstance(c.operation, Test)]
    called = {test.name for test in tests}
    if len(tests) < len(checks) or any(t.old or t.known or t.request for t in tests):
        return None
    if not _descends(member, names, distinct="unique" in called):
        return None
    shape = place.shape
    if isinstance(value_shape(shape), StructRef):
        return [] if called <= (_OF_POINTERS if isinstance(shape, PointerTo) else set()) else None
    if not isinstance(shape, ListOf | MapOf) or is_packed(shape) or not called <= _OF_CONTAINERS:
        return None
    there = replace(place, sure=True)
    looking = [c for c in checks if isinstance(c.operation, Test) and c.operation.name not in _OF_EMPTY]
    # Of several conditions, the last one decides.
    rest = [of_test(check, there, names)[-1] for check in looking]
    least = max((t.operands[0] for t in tests if t.name in _LEAST and isinstance(t.operands[0], int)), default=0)
    if least > 1:  # what is not empty may still be too little
        rest.append(f"len({place.value}) < {least}")
    return [f"not {place.value}", *rest] if called else []


def _descends(member: FieldPlan, names: Names, *, distinct: bool) -> bool:
    """Whether all that follows compares its own parts. `distinct` says that items with equal keys raise doubts."""
    if member.keys:
        return False
    iteration = member.values.operation if member.values else None
    inner = iteration.inner.operation if isinstance(iteration, EachValue) else None
    if iteration is not None and not isinstance(inner, CallType):
        return False
    if isinstance(iteration, EachValue) and isinstance(iteration.container, ListOf):
        if iteration.match is None:
            return False  # items have no old value, so all of them are looked at as soon as one has changed
        if isinstance(iteration.match, ByKeys) and not distinct:
            return False  # of old items with equal keys, the first stands for all
    type = inner.type if isinstance(inner, CallType) else member.type
    return not type or descends(type, names)


def is_same_on_update(plan: TypePlan) -> bool:
    """Whether an update asks of a value of a type what a create does: a single value, which no check compares."""
    return isinstance(value_shape(plan.shape), Scalar | Wire) and all(
        isinstance(check.operation, Test)
        and check.operation.when is When.ALWAYS
        and not (check.operation.old or check.operation.known)
        for check in plan.checks
    )


def descends(type: str, names: Names) -> bool:
    """Tells whether a type is a struct whose fields have checks, but not the struct as a whole."""
    plan = names.plan(type)
    return isinstance(plan.shape, StructRef) and not plan.checks and not plan.gets_null
