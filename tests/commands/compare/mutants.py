"""Programs that differ from another one in a single rule: what somebody has got wrong who wrote the checks by hand."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from validation_gen.ir import Check, Modes, Predicate, Program, TagRef

_LIMITS = frozenset(
    "max_bytes max_items max_length max_properties maximum min_items min_length min_properties minimum".split()
)


@dataclass(frozen=True)
class Mutant:
    """A program with another rule, and what is other about it."""

    name: str
    program: Program


def shifted(program: Program) -> Iterator[Mutant]:
    """Each limit one higher, and one lower."""
    for tag, test in sorted({(c.tag, c.operation.name) for c in _tests(program)}, key=str):
        if test in _LIMITS:
            for step in (-1, 1):
                yield Mutant(f"{tag.span}: {tag.text}, {step:+}", _changed(program, tag, test, step))


# --- going through checks ---------------------------------------------------------------------------------------------


def _tests(program: Program) -> Iterator[Any]:
    for plan in program.types.values():
        for check in (*plan.checks, *(check for member in plan.fields for check in member.checks)):
            yield from _inside(check)


def _inside(check: Check) -> Iterator[Check]:
    operation = check.operation
    if isinstance(operation, Predicate):
        yield check
    elif isinstance(operation, Modes):
        for _, checks in operation.rules:
            for inner in checks:
                yield from _inside(inner)
    elif hasattr(operation, "inner"):
        yield from _inside(operation.inner)


def _changed(program: Program, tag: TagRef, test: str, step: int) -> Program:
    other = copy.copy(program)
    other.types = {}
    for id, plan in program.types.items():
        fields = [
            dataclasses.replace(member, checks=[_with(check, tag, test, step) for check in member.checks])
            for member in plan.fields
        ]
        checks = [_with(check, tag, test, step) for check in plan.checks]
        other.types[id] = dataclasses.replace(plan, checks=checks, fields=fields)
    return other


def _with(check: Check, tag: TagRef, test: str, step: int) -> Check:
    operation: Any = check.operation
    if isinstance(operation, Predicate):
        if (check.tag, operation.name) != (tag, test):
            return check
        limit, *others = operation.operands
        assert isinstance(limit, int)
        return dataclasses.replace(check, operation=dataclasses.replace(operation, operands=(limit + step, *others)))
    if isinstance(operation, Modes):
        rules = tuple((mode, tuple(_with(c, tag, test, step) for c in checks)) for mode, checks in operation.rules)
        return dataclasses.replace(check, operation=dataclasses.replace(operation, rules=rules))
    if hasattr(operation, "inner"):
        inner = _with(operation.inner, tag, test, step)
        return dataclasses.replace(check, operation=dataclasses.replace(operation, inner=inner))
    return check
