"""Conditions that hold whenever a check fails, and are quicker than the check: they spare calls and decide nothing.

What a check says is known to the runtime alone. A condition here may hold for valid values, too; where there is none,
the check is called every time.
"""

from __future__ import annotations

from collections.abc import Iterable

from validation_gen.emit.place import Names, Place, is_packed
from validation_gen.emit.text import literal
from validation_gen.ir import Check, EachKey, EachValue, ListOf, MapOf, PointerTo, Scalar, Test, value_shape

#: Tests of lists and maps by the number of items.
_COUNTS = {"max_items": ">", "max_properties": ">", "min_items": "<", "min_properties": "<"}
_LENGTHS = {"max_length": ">", "min_length": "<"}
_BOUNDS = {"minimum": "<", "maximum": ">"}


def suspicion(test: Test, place: Place, names: Names) -> str:
    """The condition that a value may fail a test, empty where none is quicker than the test itself."""
    v, name = place.value, test.name
    if test.old or test.known or test.request or is_packed(value_shape(place.shape)):
        return ""
    if name == "required":
        return f"not {v}"
    if name == "required_pointer":
        return f"{v} is None"
    if name == "forbidden_pointer":
        return f"{v} is not None"
    if name == "unique":
        return f"len({v}) > 1" if place.sure else f"{v} and len({v}) > 1"
    if name == "no_nulls":
        return f"None in {v}" if place.sure else f"{v} and None in {v}"
    sure = place.sure or isinstance(place.shape, Scalar)
    condition = _of_operand(test, v, names)
    return condition if not condition or sure or name in ("enum", "format") else f"{v} is not None and {condition}"


def _of_operand(test: Test, v: str, names: Names) -> str:
    name = test.name
    operand = test.operands[0] if test.operands else None
    if name in _COUNTS and _COUNTS[name] == ">":
        return f"len({v}) > {operand}"
    if name in _LENGTHS:
        return f"len({v}) {_LENGTHS[name]} {operand}"
    if name in _BOUNDS:
        return f"{v} {_BOUNDS[name]} {operand}"
    if name == "max_bytes":
        return f"(len({v}) > {operand} or not {v}.isascii())"
    if name == "enum":
        return f"{v} not in {names.operand('enum', operand)}"
    if name == "format":
        return f"{v} not in {names.known(f'check.KNOWN[{literal(operand)}]')}"
    return ""


def of_type(type: str, place: Place, names: Names) -> str:
    """The condition that a value may fail one of the checks of a type; only for types of single values."""
    plan = names.plan(type)
    if not isinstance(value_shape(place.shape), Scalar) or plan.gets_null:
        return ""
    conditions = []
    for check in plan.checks:
        condition = suspicion(check.operation, place, names) if isinstance(check.operation, Test) else ""
        if not condition:
            return ""
        conditions.append(condition)
    return " or ".join(conditions)


# --- absent fields ---------------------------------------------------------------------------------------------------

#: Tests that an absent value passes, whatever its type: zero, or null.
_PASSED_BY_ZERO = {"max_items", "max_properties", "max_length", "max_bytes", "no_nulls", "unique", "forbidden"} | {
    "forbidden_pointer"
}
#: Tests that null passes.
_PASSED_BY_NULL = {"min_length", "minimum", "maximum", "not_equal", "enum", "format"}
_STOPS = {"unset", "unset_pointer"}


def absence_is_fine(checks: Iterable[Check], type: str, place: Place, names: Names) -> bool:
    """Whether nothing at all can be found in a field that is not there on create: its code need not run."""
    null = isinstance(place.shape, PointerTo | ListOf | MapOf)
    first = [c for c in checks if not c.cohort]
    stops = any(c.silent and isinstance(c.operation, Test) and c.operation.name in _STOPS for c in first)
    relevant = [c for c in first if c.short_circuit] if stops else list(checks)
    if not all(_is_passed(check, null) for check in relevant):
        return False
    if stops or not type:
        return True
    plan = names.plan(type)
    if isinstance(value_shape(plan.shape), ListOf | MapOf | Scalar) and not plan.gets_null:
        return all(_is_passed(check, null) for check in plan.checks)
    return isinstance(place.shape, PointerTo) and not plan.gets_null


def _is_passed(check: Check, null: bool) -> bool:
    operation = check.operation
    if isinstance(operation, EachValue | EachKey):
        return null
    if not isinstance(operation, Test):
        return False
    if operation.name in _STOPS | _PASSED_BY_ZERO:
        return True
    return null and operation.name in _PASSED_BY_NULL and not operation.request
