"""Places in generated code: a value with its variable, its old value, its path and its shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from validation_gen.emit.text import literal
from validation_gen.ir import (
    Check,
    ListOf,
    Match,
    Member,
    Membership,
    Operation,
    Predicate,
    Scalar,
    Selector,
    Shape,
    StructRef,
    TypePlan,
)

Path = tuple[str, ...]  # literal text, or a variable in braces


@dataclass(slots=True)
class Trace:
    """Operations of traced code by number. It reports each check to its `op`, and has no shortcuts past checks."""

    operations: list[Operation] = field(default_factory=list)

    def number(self, operation: Operation) -> int:
        self.operations.append(operation)
        return len(self.operations) - 1


class Names(Protocol):
    """Interface of a function body to its module."""

    #: Structs with a cached result: whether checks accept their zero values.
    quiet: dict[str, bool]
    #: Structs with checks, and those that contain them.
    holding: frozenset[str]
    #: The operations of traced code; `None` for usual code.
    trace: Trace | None

    def rule(self, check: Check, shape: Shape) -> str:
        """Returns the constant of a check's rule."""

    def shape(self, shape: Shape) -> str:
        """Returns an expression for a shape."""

    def items(self, match: Match, elem: Shape) -> str:
        """Returns the constant for the identity of list items."""

    def make_items_constant(self, test: Predicate) -> str:
        """Returns the constant for the matching of list items in a test."""

    def distinct_items(self, test: Predicate, value: str) -> str:
        """Returns the number of different items in a list, or a smaller one."""

    def selector(self, selector: Selector) -> str:
        """Returns the constant for an item selector."""

    def membership(self, union: Membership, shape: Shape) -> str:
        """Returns the constant that tells which members of a union are set."""

    def operand(self, check: str, value: object) -> str:
        """Returns an operand of a check, as a literal or a constant."""

    def function(self, mode: str, type: str) -> str:
        """Returns the validator of a type."""

    def struct_names(self, shape: Shape) -> str:
        """Returns the constant with the JSON names of a struct."""

    def make_known_constant(self, expression: str) -> str:
        """Returns the constant for a set of texts that have been found valid."""

    def members(self, struct: StructRef) -> Sequence[Member]:
        """Returns the members of a struct as they are decoded."""

    def typed(self, struct: StructRef) -> str:
        """Returns a function that looks at the types of a struct's members, where no rules do."""

    def plan(self, type: str) -> TypePlan:
        """Returns the checks of a type."""

    def checks_something(self, type: str) -> bool:
        """Returns whether a type has checks, on itself or inside."""


@dataclass(frozen=True, slots=True)
class ValueRef:
    """A value in generated code: its variable, that of its old value (`None` if there is none), its path and shape.

    `known` is a condition that there is an old value, where that may be null itself. `sure` is True if the value is not
    null although its shape allows it.
    """

    value: str
    old: str
    path: Path
    shape: Shape
    inlined: str = ""  # the type name of the inlined struct in which the path begins
    known: str = ""
    sure: bool = False

    @property
    def has_old(self) -> str:
        return self.known or f"{self.old} is not None"

    def below(self, element: str, value: str, old: str, shape: Shape, known: str = "") -> ValueRef:
        return ValueRef(value, old, (*self.path, element), shape, self.inlined, known)


def path_expression(path: Path) -> str:
    """Returns a string literal, or an f-string when the path has variables."""
    if any(p.startswith("{") for p in path):
        text = "".join(p if p.startswith("{") else p.replace("{", "{{").replace("}", "}}") for p in path)
        quoted = literal(text)
        return f"f{quoted}"
    return literal("".join(path))


@dataclass(frozen=True, slots=True)
class FailureTarget:
    """Handling of a failed check: its errors go to the list `errors`, the variable `flag` becomes true."""

    errors: str = "errs"
    flag: str = ""


def zero(shape: Shape) -> str:
    """Returns the zero value of a shape as source text; pointers, lists and maps are nil."""
    if isinstance(shape, Scalar):
        return literal(shape.zero)
    return "{}" if isinstance(shape, StructRef) else "None"


def is_packed(shape: Shape) -> bool:
    return isinstance(shape, ListOf) and shape.packed


def as_go(source: str, shape: Shape) -> str:
    """Returns an expression for Go's value of the JSON value `source`, which may be absent or null."""
    if is_packed(shape):
        return f"unpacked({source})"
    return f"{source} or {zero(shape)}" if isinstance(shape, Scalar | StructRef) else source


def is_null(value: str) -> str:
    """Returns the null check of a value, in the order from which pyright infers nothing.

    After `if v is None:` it takes an untyped `v` for `Any | None`, even if the null was replaced.
    """
    return f"None is {value}"


def is_there(value: str) -> str:
    """Returns the opposite question."""
    return f"None is not {value}"
