"""Decides how an update detects that a field has changed, in as few steps as possible.

Equality as the API server defines it (`same`) walks the whole value. For a changed field, that is wasted if all later
checks compare again, item by item and field by field. So the quick comparison comes first, and the thorough one only if
a check of the field as a whole may fail: an unchanged violation must not be reported, in any notation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from validation_gen.emit.python.place import Names, Place, is_packed
from validation_gen.emit.python.quickconditions import of_test
from validation_gen.ir import (
    AppliesOn,
    Aspect,
    Bound,
    ByKeys,
    Check,
    EachValue,
    FieldPlan,
    ListOf,
    MapOf,
    PointerTo,
    Predicate,
    Scalar,
    StructRef,
    TypePlan,
    Wire,
    called,
    plain_predicates,
    predicates,
    value_shape,
)

_OF_POINTERS = {predicates.REQUIRED_POINTER, predicates.UNSET_POINTER}
#: Tests that fail, or stop, where a list or map is empty, and nowhere else.
_OF_EMPTY = {predicates.REQUIRED, predicates.UNSET}


def changed(place: Place, names: Names, *, quick: bool) -> str:
    """The condition that a field has changed. `quick` does not see through other ways to write the same value."""
    shape, v, was = names.shape(place.shape), place.value, place.old
    return f"{v} is not {was} and not {shape}.{'unchanged' if quick else 'same'}({v}, {was})"


def doubts(member: FieldPlan, checks: Sequence[Check], place: Place, names: Names) -> list[str] | None:
    """Returns the conditions under which the quick comparison is not enough, and the thorough one must follow.

    `None` where it is always needed: later checks read the value as a whole, or are unknown.
    """
    asked = list(plain_predicates(checks))
    records = {test.record for test in asked}
    if len(asked) < len(checks) or not all(record.is_plain for record in records):
        return None
    if not _descends(member, names, distinct=predicates.UNIQUE in records):
        return None
    shape = place.shape
    if isinstance(value_shape(shape), StructRef):
        return [] if records <= (_OF_POINTERS if isinstance(shape, PointerTo) else set()) else None
    if not isinstance(shape, ListOf | MapOf) or is_packed(shape):
        return None
    there = replace(place, sure=True)
    rest: list[str] = []
    for test in asked:
        if test.record in _OF_EMPTY or _is_least(test):
            continue
        conditions = [] if test.record.presence else of_test(test, there, names)
        if not conditions:
            return None
        rest.append(conditions[-1])  # of several conditions, the last one decides
    least = max((test.limit or 0 for test in asked if _is_least(test)), default=0)
    if least > 1:  # a non-empty value may still be too small
        rest.append(f"len({place.value}) < {least}")
    return [f"not {place.value}", *rest] if asked else []


def _is_least(test: Predicate) -> bool:
    """Returns whether a test requires a minimum number of items, so that it fails for an empty list or map."""
    return test.record.measures is Aspect.SIZE and test.record.bound is Bound.LEAST


def _descends(member: FieldPlan, names: Names, *, distinct: bool) -> bool:
    """Returns whether all later checks compare their own parts.

    `distinct`: items with equal keys need a thorough comparison.
    """
    if member.keys:
        return False
    iteration = member.values.operation if member.values else None
    inside = called(member.values)
    if iteration is not None and not (isinstance(iteration, EachValue) and inside):
        return False
    if isinstance(iteration, EachValue) and isinstance(iteration.container, ListOf):
        if iteration.match is None:
            return False  # items have no old value, so all of them are looked at as soon as one has changed
        if isinstance(iteration.match, ByKeys) and not distinct:
            return False  # of old items with equal keys, the first is used for all
    type = inside or member.type
    return not type or descends(type, names)


def is_same_on_update(plan: TypePlan) -> bool:
    """Returns whether updates have the same checks as creates: for a single value without comparing checks."""
    return isinstance(value_shape(plan.shape), Scalar | Wire) and all(
        isinstance(check.operation, Predicate)
        and check.operation.record.when is AppliesOn.ALWAYS
        and not (check.operation.record.old or check.operation.record.known)
        for check in plan.checks
    )


def descends(type: str, names: Names) -> bool:
    """Returns whether a type is a struct whose fields have checks, but not the struct as a whole."""
    plan = names.plan(type)
    return isinstance(plan.shape, StructRef) and not plan.checks and not plan.gets_null
