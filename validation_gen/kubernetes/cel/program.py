"""Compiles one expression at its place in the schema, to a plan that can run."""

from __future__ import annotations

from dataclasses import dataclass

from validation_gen.kubernetes.cel.check import checked
from validation_gen.kubernetes.cel.constants import first_problem
from validation_gen.kubernetes.cel.plan import Plan, planned
from validation_gen.kubernetes.cel.scope import Scope
from validation_gen.kubernetes.cel.serialization import deserialize
from validation_gen.kubernetes.cel.tree import TOO_DEEP, Expression, InvalidExpression, Issue, Typed, rendered
from validation_gen.kubernetes.cel.types import BOOL, STRING
from validation_gen.kubernetes.cel.validators import constant_issues
from validation_gen.kubernetes.cel.values import EvaluationError

#: First minor version with quoted names, as in a.`b.c`: they need cel-go 0.28, which no server up to 1.37.0-beta.0 has.
NAMES_QUOTED = 37

#: The answer to rules on a schema without a type that expressions could use.
NO_TYPE = (
    "internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert "
    "structural schema to CEL declarations"
)


#: Variables of rules, in the order in which a plan takes their values.
VARIABLES = ("self", "oldSelf")


def planned_at(text: str, scope: Scope, *, optional_old_self: bool = False) -> tuple[Typed, Plan]:
    """Compiles an expression of any type at a place.

    Raises:
        InvalidExpression: it does not compile.
    """
    typed = _typed(text, scope, optional_old_self)
    return typed, _planned(typed, "program")


def parsed_at(text: str, scope: Scope) -> Expression:
    """Returns the parsed expression: the one that the scope has, else from the parser.

    Raises:
        InvalidExpression: with all mistakes of the text.
    """
    if text in scope.expressions:
        return deserialize(text, scope.expressions[text])
    from validation_gen.kubernetes.cel.parser import parsed  # noqa: PLC0415 - generated validators need none

    return parsed(text, quoted=scope.minor >= NAMES_QUOTED or scope.stored)


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A rule that can run, and its checked expression."""

    plan: Plan
    typed: Typed

    @property
    def uses_old(self) -> bool:
        """True if the rule names the old value."""
        return "oldSelf" in self.typed.variables


def prepared(text: str, scope: Scope, *, optional_old_self: bool = False, message: bool = False) -> Prepared:
    """Compiles a rule, or a `messageExpression`.

    Raises:
        InvalidExpression: it does not compile, or has the wrong type. Then all of the server's text is one issue.
    """
    subject, prefix, wanted = ("messageExpression",) * 2 + (STRING,) if message else ("cel expression", "program", BOOL)
    try:
        typed = _typed(text, scope, optional_old_self)
    except InvalidExpression as error:
        if scope.declared is None:
            raise
        before = "messageExpression " if message else ""
        problem = f"{before}compilation failed: {rendered(text, error.issues)}"
        raise InvalidExpression([Issue(problem, -1)]) from error
    if typed.type != wanted:
        raise InvalidExpression([Issue(f"{subject} must evaluate to a {wanted}", 0)])
    return Prepared(_planned(typed, prefix), typed)


def _typed(text: str, scope: Scope, optional: bool) -> Typed:
    """Returns the expression with its types."""
    declared = scope.declared
    if declared is None:
        raise InvalidExpression([Issue(NO_TYPE, -1)])
    try:
        typed = checked(parsed_at(text, scope), scope.environment(declared, optional=optional))
        issues = constant_issues(typed)
    except RecursionError:  # the expansion of macros can be nested more deeply than the text
        raise InvalidExpression([Issue(TOO_DEEP, -1)]) from None
    if issues:
        raise InvalidExpression(issues)
    return typed.on_server(scope.minor)


def _planned(typed: Typed, prefix: str) -> Plan:
    """Returns the plan; raises if a constant part fails."""
    try:
        if problem := first_problem(typed):
            raise InvalidExpression([Issue(f"{prefix} instantiation failed: {problem}", 0)])
        return planned(typed, VARIABLES)
    except RecursionError:
        raise InvalidExpression([Issue(TOO_DEEP, -1)]) from None
    except EvaluationError as error:
        raise InvalidExpression([Issue(f"{prefix} instantiation failed: {error.message}", 0)]) from error
