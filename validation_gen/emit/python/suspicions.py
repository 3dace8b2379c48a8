"""Conditions that hold whenever a check fails, and are quicker than the check: they spare calls and decide nothing.

What a check says is known to the runtime alone. A condition here may hold for valid values, too; where there is none,
the check is called every time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from validation_gen.emit.python.guards import bounds, suspect
from validation_gen.emit.python.place import Names, Place, is_null, is_packed, is_there
from validation_gen.emit.text import literal
from validation_gen.ir import (
    Check,
    EachKey,
    EachValue,
    FieldPlan,
    ListOf,
    MapOf,
    PointerTo,
    Scalar,
    Shape,
    StructRef,
    Test,
    value_shape,
)
from validation_gen.runtime.formats import FORMATS

# --- one test --------------------------------------------------------------------------------------------------------


def of_test(check: Check, place: Place, names: Names) -> list[str]:
    """Conditions that all hold when a value fails a test, cheap ones first; none where the test itself is as quick."""
    test, v = check.operation, place.value
    assert isinstance(test, Test)
    if test.old or test.known or test.request or is_packed(value_shape(place.shape)):
        return []
    there = [] if place.sure else [v]
    match test.name:
        case "required" | "unset":
            return [f"not {v}"]
        case "required_pointer" | "unset_pointer":
            return [is_null(v)]
        case "forbidden":
            return [v]
        case "forbidden_pointer":
            return [is_there(v)]
        case "unique":
            return [*there, f"len({v}) > 1", f"{names.distinct_items(test, v)} != len({v})"]
        case "no_nulls":
            return [*there, f"None in {v}"]
        case "max_items" | "max_properties":
            return [*there, f"len({v}) > {test.operands[0]}"]
    condition = of_scalar(place.shape, [check], "", v, names)
    return [condition] if condition else []


def unset(test: Test, value: str) -> str:
    """The very condition under which a value is unset; empty for other tests."""
    return {"unset": f"not {value}", "unset_pointer": is_null(value)}.get(test.name, "")


def passed_by_zero(check: Check) -> bool:
    """Tells whether a check finds nothing in an absent value, whatever its type."""
    return isinstance(check.operation, Test) and check.operation.name in _PASSED_BY_ZERO


# --- single values ---------------------------------------------------------------------------------------------------


def of_scalar(shape: Shape, checks: Sequence[Check], type: str, value: str, names: Names) -> str:
    """The condition that a text or a number does not decode or may fail one of several checks, those of its type, too.

    Empty where it cannot be said. A zero value may hold the condition although it is left alone.
    """
    scalar = value_shape(shape)
    if type:
        if names.plan(type).gets_null:
            return ""
        checks = [*checks, *names.plan(type).checks]
    tests = [c.operation for c in checks if isinstance(c.operation, Test)]
    if not isinstance(scalar, Scalar) or len(tests) < len(checks) or not checks:
        return ""
    if any(t.old or t.known or t.request for t in tests):
        return ""
    if scalar.go == "string":
        parts = _of_text(tests, value, names)
    elif scalar.go in ("bool", "float32", "float64"):
        parts = _of_other(scalar, tests, value, names)
    else:
        parts = _of_integer(scalar, tests, value)
    return " or ".join(parts)


def _of_text(tests: Sequence[Test], v: str, names: Names) -> list[str]:
    sets: list[str] = []
    rest: list[str] = []
    low, high = 0, -1
    for test in tests:
        operand = test.operands[0] if test.operands else None
        match test.name:
            case "unset" | "unset_pointer" | "required_pointer":
                continue
            case "required":
                low = max(low, 1)
            case "min_length" if isinstance(operand, int):
                low = max(low, operand)
            case "max_length" if isinstance(operand, int):
                high = operand if high < 0 else min(high, operand)
            case "max_bytes":
                rest.append(f"len({v}) > {operand} or not {v}.isascii()")
            case "enum":
                sets.append(f"{v} not in {names.operand('enum', operand)}")
            case "format":
                sets.append(f"{v} not in {names.known(f'check.KNOWN[{literal(operand)}]')}")
            case "not_equal":
                rest.append(f"{v} == {literal(operand)}")
            case _:
                return []
    if high >= 0:
        rest.insert(0, f"len({v}) > {high}")
    if low:
        rest.insert(0, f"not {v}" if low == 1 else f"len({v}) < {low}")
    if low == 1 and _excludes_empty(tests):
        rest.remove(f"not {v}")
    # What is in a set of texts is a text.
    return [*(sets or [f"{v}.__class__ is not str"]), *rest]


def _excludes_empty(tests: Sequence[Test]) -> bool:
    """Whether the empty text is in none of the sets of valid texts."""
    enums = [test.operands[0] for test in tests if test.name == "enum"]
    formats = [str(test.operands[0]) for test in tests if test.name == "format"]
    return any(isinstance(values, tuple) and "" not in values for values in enums) or any(
        FORMATS[name]("") for name in formats
    )


def _of_integer(scalar: Scalar, tests: Sequence[Test], v: str) -> list[str]:
    low, high = bounds(scalar.go)
    rest: list[str] = []
    for test in tests:
        operand = test.operands[0] if test.operands else None
        match test.name:
            case "unset" | "unset_pointer" | "required_pointer":
                continue
            case "required":
                rest.append(f"not {v}")
            case "minimum" if isinstance(operand, int):
                low = max(low, operand)
            case "maximum" if isinstance(operand, int):
                high = min(high, operand)
            case "not_equal":
                rest.append(f"{v} == {literal(operand)}")
            case _:
                return []
    if low > 0 or high < 0:
        rest = [condition for condition in rest if condition != f"not {v}"]
    return [f"{v}.__class__ is not int", f"not {low} <= {v} <= {high}", *rest]


def _of_other(scalar: Scalar, tests: Sequence[Test], v: str, names: Names) -> list[str]:
    rest: list[str] = []
    for test in tests:
        if test.name == "required":
            rest.append(f"not {v}")
        elif test.name == "not_equal":
            rest.append(f"{v} == {literal(test.operands[0])}")
        elif test.name not in ("unset", "unset_pointer", "required_pointer"):
            return []
    conditions = suspect(scalar, v, names)
    return [*conditions, *rest] if len(conditions) == 1 else []


# --- absent fields ---------------------------------------------------------------------------------------------------

#: Tests that an absent value passes, whatever its type: zero, or null.
_PASSED_BY_ZERO = {"max_items", "max_properties", "max_length", "max_bytes", "no_nulls", "unique", "forbidden"} | {
    "forbidden_pointer"
}
#: Tests that null passes.
_PASSED_BY_NULL = {"min_length", "minimum", "maximum", "not_equal", "enum", "format"}
_STOPS = {"unset", "unset_pointer"}
#: How many structs in one another are looked through. What is deeper counts as something to be looked at.
_DEEPEST = 50


def absence_is_fine(checks: Iterable[Check], type: str, shape: Shape, names: Names) -> bool:
    """Tells whether nothing at all can be found in a field that is not there on create: its code need not run."""
    null = isinstance(shape, PointerTo | ListOf | MapOf)
    first = [c for c in checks if not c.cohort]
    stops = any(c.silent and isinstance(c.operation, Test) and c.operation.name in _STOPS for c in first)
    relevant = [c for c in first if c.short_circuit] if stops else list(checks)
    if not all(_is_passed(check, null) for check in relevant):
        return False
    return stops or not type or zero_is_fine(type, shape, names)


def zero_is_fine(type: str, shape: Shape, names: Names, above: frozenset[str] = frozenset()) -> bool:
    """Whether the checks of a type find nothing in its zero value, or in null where `shape` is a pointer to it."""
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
            or (isinstance(member.shape, StructRef) and zero_is_fine(member.type, member.shape, names, above))
        )
    if isinstance(member.shape, StructRef) and member.type:
        return not member.checks and zero_is_fine(member.type, member.shape, names, above)
    return absence_is_fine(member.checks, member.type, member.shape, names)


def _is_passed(check: Check, null: bool) -> bool:
    operation = check.operation
    if isinstance(operation, EachValue | EachKey):
        return null
    if not isinstance(operation, Test):
        return False
    if operation.name in _STOPS | _PASSED_BY_ZERO:
        return True
    return null and operation.name in _PASSED_BY_NULL and not operation.request
