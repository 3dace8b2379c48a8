"""Conditions that hold whenever a check fails, and are faster than the check: they only save calls.

Only the runtime has the exact semantics of a check. A condition here may hold for valid values, too; without a
condition, the check is called every time.

Equality as the API server defines it (`same`) walks the whole value. For a changed field, that is wasted if all later
checks compare again, item by item and field by field. So the quick comparison comes first, and the thorough one only if
a check of the field as a whole may fail: an unchanged violation must not be reported, in any notation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from validation_gen.emit.python.names import Names
from validation_gen.emit.python.value_ref import ValueRef, bounds, is_null, is_packed, is_there, suspect
from validation_gen.emit.text import literal
from validation_gen.ir import (
    AbsentPolicy,
    AppliesOn,
    Aspect,
    Bound,
    ByKeys,
    Check,
    EachKey,
    EachValue,
    FieldPlan,
    ListOf,
    MapOf,
    PointerTo,
    Predicate,
    PredicateSpec,
    Presence,
    Scalar,
    Shape,
    StructRef,
    TypePlan,
    Wire,
    find_called_type,
    plain_predicates,
    predicates,
    value_shape,
)
from validation_gen.runtime.formats import FORMATS

# --- one test --------------------------------------------------------------------------------------------------------


def of_test(predicate: Predicate, ref: ValueRef, names: Names) -> list[str]:
    """Returns conditions that hold for each value that fails a predicate, cheap ones first; none if useless."""
    v, record = ref.value, predicate.record
    if not record.is_plain or is_packed(value_shape(ref.shape)):
        return []
    there = [] if ref.sure else [v]
    if record.presence is Presence.FORBIDDEN:
        return [is_there(v) if record.pointer else v]
    if record.presence:
        return [is_null(v) if record.pointer else f"not {v}"]
    if record is predicates.UNIQUE:
        return [*there, f"len({v}) > 1", f"{names.distinct_items(predicate, v)} != len({v})"]
    if record.measures in (Aspect.SIZE, Aspect.ITEMS):
        return [*there, _quick(predicate, v)] if record.quick else []
    condition = _of_predicates(ref.shape, [predicate], v, names)
    return [condition] if condition else []


def _quick(predicate: Predicate, value: str) -> str:
    """Returns the quick condition in the record of a predicate."""
    operands = (literal(each) for each in predicate.operands if isinstance(each, str | int))
    return predicate.record.quick.format(*operands, v=value)


def is_unset(predicate: Predicate, value: str) -> str:
    """Returns the condition that a value is unset, for a predicate about that; empty for other predicates."""
    if predicate.record.presence is not Presence.UNSET:
        return ""
    return is_null(value) if predicate.record.pointer else f"not {value}"


def passes_on_absent(check: Check) -> bool:
    """Returns whether a check accepts an absent value of any type."""
    operation = check.operation
    return isinstance(operation, Predicate) and operation.record.passes is AbsentPolicy.ZERO


# --- single values ---------------------------------------------------------------------------------------------------


def of_scalar(shape: Shape, checks: Sequence[Check], type: str, value: str, names: Names) -> str:
    """Returns the condition that a text or a number does not decode, or may fail a check of its own or of its type.

    Empty if there is none. A zero value may satisfy the condition although it is skipped.
    """
    if type:
        if names.plan(type).gets_null:
            return ""
        checks = [*checks, *names.plan(type).checks]
    asked = list(plain_predicates(checks))
    return "" if len(asked) < len(checks) else _of_predicates(shape, asked, value, names)


def _of_predicates(shape: Shape, asked: Sequence[Predicate], value: str, names: Names) -> str:
    scalar = value_shape(shape)
    if not isinstance(scalar, Scalar) or not asked or not all(predicate.record.is_plain for predicate in asked):
        return ""
    if scalar.go == "string":
        parts = _of_text(asked, value, names)
    elif scalar.go in ("bool", "float32", "float64"):
        parts = _of_other(scalar, asked, value, names)
    else:
        parts = _of_integer(scalar, asked, value)
    return " or ".join(parts)


def _is_silent(record: PredicateSpec) -> bool:
    """Returns whether a predicate accepts every scalar that is present."""
    return record.presence is Presence.UNSET or record is predicates.REQUIRED_POINTER


def _of_text(asked: Sequence[Predicate], v: str, names: Names) -> list[str]:
    sets: list[str] = []
    rest: list[str] = []
    low, high = 0, -1
    for predicate in asked:
        record, limit = predicate.record, predicate.limit
        if _is_silent(record):
            continue
        if record is predicates.REQUIRED:
            low = max(low, 1)
        elif record.measures is Aspect.CHARACTERS and limit is not None:
            if record.bound is Bound.LEAST:
                low = max(low, limit)
            else:
                high = limit if high < 0 else min(high, limit)
        elif record is predicates.ENUM:
            sets.append(f"{v} not in {names.operand(record.name, predicate.operands[0])}")
        elif record is predicates.FORMAT:
            sets.append(f"{v} not in {names.make_known_constant(f'check.KNOWN[{literal(predicate.operands[0])}]')}")
        elif record.quick:
            rest.append(_quick(predicate, v))
        else:
            return []
    if high >= 0:
        rest.insert(0, f"len({v}) > {high}")
    if low:
        rest.insert(0, f"not {v}" if low == 1 else f"len({v}) < {low}")
    if low == 1 and _excludes_empty(asked):
        rest.remove(f"not {v}")
    # Members of a set of texts are texts.
    return [*(sets or [f"{v}.__class__ is not str"]), *rest]


def _excludes_empty(asked: Sequence[Predicate]) -> bool:
    """Returns whether no set of valid texts has the empty text."""
    enums = [predicate.operands[0] for predicate in asked if predicate.record is predicates.ENUM]
    formats = [str(predicate.operands[0]) for predicate in asked if predicate.record is predicates.FORMAT]
    return any(isinstance(values, tuple) and "" not in values for values in enums) or any(
        FORMATS[name]("") for name in formats
    )


def _of_integer(scalar: Scalar, asked: Sequence[Predicate], v: str) -> list[str]:
    low, high = bounds(scalar.go)
    rest: list[str] = []
    for predicate in asked:
        record, limit = predicate.record, predicate.limit
        if _is_silent(record):
            continue
        if record is predicates.REQUIRED:
            rest.append(f"not {v}")
        elif record.measures is Aspect.NUMBER and limit is not None:
            low, high = (max(low, limit), high) if record.bound is Bound.LEAST else (low, min(high, limit))
        elif record.quick:
            rest.append(_quick(predicate, v))
        else:
            return []
    if low > 0 or high < 0:
        rest = [condition for condition in rest if condition != f"not {v}"]
    return [f"{v}.__class__ is not int", f"not {low} <= {v} <= {high}", *rest]


def _of_other(scalar: Scalar, asked: Sequence[Predicate], v: str, names: Names) -> list[str]:
    rest: list[str] = []
    for predicate in asked:
        if predicate.record is predicates.REQUIRED:
            rest.append(f"not {v}")
        elif predicate.record.quick:
            rest.append(_quick(predicate, v))
        elif not _is_silent(predicate.record):
            return []
    conditions = suspect(scalar, v, names)
    return [*conditions, *rest] if len(conditions) == 1 else []


# --- absent fields ---------------------------------------------------------------------------------------------------

#: Maximum depth of examined structs. Deeper ones count as checked.
_DEEPEST = 50


def accepts_absent(checks: Iterable[Check], type: str, shape: Shape, names: Names) -> bool:
    """Returns whether no check can fail for an absent field on create: its code need not run."""
    null = isinstance(shape, PointerTo | ListOf | MapOf)
    first = [c for c in checks if not c.cohort]
    stops = any(
        predicate.record.presence is Presence.UNSET for predicate in plain_predicates(c for c in first if c.silent)
    )
    relevant = [c for c in first if c.short_circuit] if stops else list(checks)
    if not all(_is_passed(check, null) for check in relevant):
        return False
    return stops or not type or accepts_zero(type, shape, names)


def accepts_zero(type: str, shape: Shape, names: Names, above: frozenset[str] = frozenset()) -> bool:
    """Returns whether the checks of a type accept its zero value, or null if `shape` is a pointer to the type."""
    plan = names.plan(type)
    if plan.gets_null:
        return False
    if isinstance(value_shape(plan.shape), ListOf | MapOf | Scalar):
        null = isinstance(shape, PointerTo | ListOf | MapOf)
        return all(_is_passed(check, null) for check in plan.checks)
    if isinstance(shape, PointerTo):
        return True
    if plan.checks or type in above or not isinstance(plan.shape, StructRef) or len(above) > _DEEPEST:
        return False
    if type not in names.quiet:
        names.quiet[type] = all(_is_quiet(member, names, above | {type}) for member in plan.fields)
    return names.quiet[type]


def _is_quiet(member: FieldPlan, names: Names, above: frozenset[str]) -> bool:
    if member.inlined and not member.json:
        return not member.checks and (
            not member.type
            or (isinstance(member.shape, StructRef) and accepts_zero(member.type, member.shape, names, above))
        )
    if isinstance(member.shape, StructRef) and member.type:
        return not member.checks and accepts_zero(member.type, member.shape, names, above)
    return accepts_absent(member.checks, member.type, member.shape, names)


def _is_passed(check: Check, null: bool) -> bool:
    operation = check.operation
    if isinstance(operation, EachValue | EachKey):
        return null
    if not isinstance(operation, Predicate):
        return False
    record = operation.record
    if record.presence is Presence.UNSET:
        return True
    return record.is_plain and record.passes >= (AbsentPolicy.NULL if null else AbsentPolicy.ZERO)


_OF_POINTERS = {predicates.REQUIRED_POINTER, predicates.UNSET_POINTER}
#: Predicates that fail, or stop, only for an empty list or map.
_OF_EMPTY = {predicates.REQUIRED, predicates.UNSET}


def has_changed(ref: ValueRef, names: Names, *, quick: bool) -> str:
    """Returns the condition that a field has changed.

    `quick` treats another notation of the same value as a change.
    """
    shape, v, was = names.shape(ref.shape), ref.value, ref.old
    return f"{v} is not {was} and not {shape}.{'unchanged' if quick else 'same'}({v}, {was})"


def doubts(member: FieldPlan, checks: Sequence[Check], ref: ValueRef, names: Names) -> list[str] | None:
    """Returns the conditions under which the quick comparison does not suffice, and the complete one must follow.

    `None` if the complete one is always needed, because later checks read the whole value, or are unknown.
    """
    asked = list(plain_predicates(checks))
    records = {predicate.record for predicate in asked}
    if len(asked) < len(checks) or not all(record.is_plain for record in records):
        return None
    if not _descends(member, names, distinct=predicates.UNIQUE in records):
        return None
    shape = ref.shape
    if isinstance(value_shape(shape), StructRef):
        return [] if records <= (_OF_POINTERS if isinstance(shape, PointerTo) else set()) else None
    if not isinstance(shape, ListOf | MapOf) or is_packed(shape):
        return None
    there = replace(ref, sure=True)
    rest: list[str] = []
    for predicate in asked:
        if predicate.record in _OF_EMPTY or _is_least(predicate):
            continue
        conditions = [] if predicate.record.presence else of_test(predicate, there, names)
        if not conditions:
            return None
        rest.append(conditions[-1])  # of several conditions, the last one decides
    least = max((predicate.limit or 0 for predicate in asked if _is_least(predicate)), default=0)
    if least > 1:  # a non-empty value may still be too small
        rest.append(f"len({ref.value}) < {least}")
    return [f"not {ref.value}", *rest] if asked else []


def _is_least(predicate: Predicate) -> bool:
    """Returns whether a test requires a minimum number of items, so that it fails for an empty list or map."""
    return predicate.record.measures is Aspect.SIZE and predicate.record.bound is Bound.LEAST


def _descends(member: FieldPlan, names: Names, *, distinct: bool) -> bool:
    """Returns whether all later checks compare their own parts.

    `distinct`: items with equal keys need a thorough comparison.
    """
    if member.keys:
        return False
    iteration = member.values.operation if member.values else None
    inside = find_called_type(member.values)
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
