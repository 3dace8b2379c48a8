"""Compiles expressions of a policy to plans, with the server's error text for one that does not compile."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from validation_gen.kubernetes.admission.costs import estimated
from validation_gen.kubernetes.admission.environment import VARIABLES, Names
from validation_gen.kubernetes.cel.check import checked
from validation_gen.kubernetes.cel.compiling import NAMES_QUOTED
from validation_gen.kubernetes.cel.constants import first_problem
from validation_gen.kubernetes.cel.depth import TOO_DEEP
from validation_gen.kubernetes.cel.environment import Environment
from validation_gen.kubernetes.cel.issues import InvalidExpression, Issue, rendered
from validation_gen.kubernetes.cel.parser import parsed
from validation_gen.kubernetes.cel.plan import Plan, planned
from validation_gen.kubernetes.cel.typed import Typed
from validation_gen.kubernetes.cel.types import BOOL, NULL, STRING, Type
from validation_gen.kubernetes.cel.validators import constant_issues
from validation_gen.kubernetes.cel.values import EvaluationError

#: Result types of validations and conditions, of messages, and of values of audit annotations.
CONDITION, MESSAGE, ANNOTATION = (BOOL,), (STRING,), (STRING, NULL)


@dataclass(frozen=True, slots=True, eq=False)
class Expression:
    """Compiled expression: its `plan` runs, unless there is an `error`.

    `internal`: the server reports the error as an internal one.
    """

    text: str
    error: str = ""
    internal: bool = False
    typed: Typed | None = None
    plan: Plan | None = None

    @property
    def type(self) -> Type | None:
        """Type of the result, `None` if the expression does not compile."""
        return self.typed.type if self.typed is not None else None


def compiled(text: str, environment: Environment, results: Collection[Type] = (), *, minor: int) -> Expression:
    """Compiles an expression as the server does when it admits a policy. Without `results` any type is allowed."""
    try:
        typed = _typed(text, environment, minor)
    except InvalidExpression as error:
        return Expression(text, f"compilation failed: {rendered(text, error.issues)}")
    if results and typed.type not in results:
        wanted = [_named(each) for each in results]
        said = wanted[0] if len(wanted) == 1 else f"one of [{' '.join(wanted)}]"
        return Expression(text, f"must evaluate to {said} but got {_named(typed.type)}", typed=typed)
    try:
        if problem := first_problem(typed):
            return Expression(text, f"program instantiation failed: {problem}", internal=True, typed=typed)
        plan = planned(typed, VARIABLES)
    except RecursionError:
        return Expression(text, f"program instantiation failed: {TOO_DEEP}", internal=True, typed=typed)
    except EvaluationError as error:
        return Expression(text, f"program instantiation failed: {error.message}", internal=True, typed=typed)
    return Expression(text, typed=typed, plan=plan)


def type_checked(text: str, environment: Environment, *, minor: int) -> tuple[Typed | None, str]:
    """Checks the types of an expression as the server's type checker does; returns the typed form or an error."""
    try:
        return _typed(text, environment, minor), ""
    except InvalidExpression as error:
        return None, rendered(text, error.issues)


def estimated_cost(text: str, names: Names, *, authorizer: bool = True) -> int | None:
    """Returns the most that an expression can cost by the known schemas; `None` if it does not compile."""
    try:
        typed = _typed(text, names.environment(authorizer=authorizer), names.minor)
        return estimated(typed, names.sizes)
    except (InvalidExpression, RecursionError):
        return None


def _typed(text: str, environment: Environment, minor: int) -> Typed:
    """Returns the expression with its types.

    Raises:
        InvalidExpression: it does not compile.
    """
    try:
        typed = checked(parsed(text, quoted=minor >= NAMES_QUOTED), environment)
        issues = constant_issues(typed)
    except RecursionError:  # the expansion of macros can be nested more deeply than the text
        raise InvalidExpression([Issue(TOO_DEEP, -1)]) from None
    if issues:
        raise InvalidExpression(issues)
    return typed


def _named(type: Type) -> str:
    """Name a type as Go prints it."""
    if not type.parameters:
        return type.name
    return f"{type.name}({', '.join(map(_named, type.parameters))})"
