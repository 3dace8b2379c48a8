"""The walk over checks that schemas and policies share: which checks are active, and which cannot be written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from validation_gen.emit.schema import SchemaOptions
from validation_gen.emit.schema.expressions import Member
from validation_gen.ir import (
    Aspect,
    Check,
    EachValue,
    IfOption,
    ListOf,
    MapOf,
    PointerTo,
    Predicate,
    Presence,
    Program,
    Scalar,
    Shape,
    StructRef,
    TagRef,
    plain_predicates,
    predicates,
    value_shape,
)


@dataclass(frozen=True, slots=True)
class Gap:
    """A rule that a schema does not have, with the reason."""

    tag: TagRef
    reason: str


@dataclass(slots=True)
class CheckWalk:
    """Walks the checks of a program, and records those that it cannot write."""

    program: Program
    options: SchemaOptions
    gaps: list[Gap] = field(default_factory=list)

    def gap(self, check: Check, reason: str) -> None:
        self.gaps.append(Gap(check.tag, reason))

    def leave_out(self, checks: Iterable[Check], reason: str) -> None:
        """Records gaps for the active checks that report errors."""
        for check in all_decided(self.options, checks):
            if not check.silent:
                self.gap(check, reason)

    def find_member(self, shape: Shape, json: str) -> Member:
        """Returns a member of a struct by its JSON name."""
        struct = value_shape(shape)
        assert isinstance(struct, StructRef)
        found = next((m.shape for m in self.program.structs[struct.id] if m.json == json), None)
        return Member((json,), found if found is not None else PointerTo(Scalar("string")))

    def find_remaining(self, predicate: Predicate) -> Predicate:
        """Returns the predicate of an enum without the values that options remove."""
        values, exclusions, _ = predicate.operands
        out = {v for v, option, when in exclusions if self.options.options.get(option, False) == when}  # type: ignore[attr-defined]
        return Predicate(predicates.ENUM, (tuple(v for v in values if v not in out),))  # type: ignore[attr-defined]


def apply_options(options: SchemaOptions, check: Check) -> Check | None:
    """Returns a check with its options decided, `None` if they disable it."""
    operation = check.operation
    while isinstance(operation, IfOption):
        if options.options.get(operation.option, False) != operation.enabled:
            return None
        check = replace(check, operation=operation.inner.operation, level=check.level or operation.inner.level)
        operation = check.operation
    return check if options.wants(check.level) else None


def all_decided(options: SchemaOptions, checks: Iterable[Check]) -> list[Check]:
    """Returns the active checks, with their options decided."""
    return [found for check in checks if (found := apply_options(options, check)) is not None]


def find_active(options: SchemaOptions, checks: Iterable[Check]) -> tuple[list[Check], list[Check], bool]:
    """Returns the active checks of a value, those of the default cohort, and whether an unset value stops them.

    A forbidden value is checked only for being unset and unchanged.
    """
    active = all_decided(options, checks)
    default = [check for check in active if not check.cohort]
    stops = {predicate.record.presence for predicate in plain_predicates(c for c in default if c.short_circuit)} - {
        None
    }
    if Presence.FORBIDDEN in stops:
        active = [c for c in default if isinstance(c.operation, Predicate) and _counts_in_forbidden(c.operation)]
    return active, default, bool(stops)


def _counts_in_forbidden(predicate: Predicate) -> bool:
    """Returns whether a predicate also applies to a forbidden field."""
    return predicate.record.presence is Presence.FORBIDDEN or predicate.record.measures is Aspect.CHANGE


def inner_check(check: Check) -> Check:
    """Returns the check of each item."""
    assert isinstance(check.operation, EachValue)
    inner = check.operation.inner
    return replace(inner, silent=True, short_circuit=check.short_circuit) if check.silent else inner


def absent_value(shape: Shape) -> tuple[object, bool]:
    """Returns the value of an absent field, and whether it exists: pointers and structs have none."""
    if isinstance(shape, Scalar):
        return shape.zero, True
    return None, isinstance(shape, ListOf | MapOf)
