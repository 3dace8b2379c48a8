"""From the text of a rule to something that runs."""

from __future__ import annotations

from validation_gen.kubernetes.cel.check import checked
from validation_gen.kubernetes.cel.compiling import NAMES_QUOTED, NO_TYPE
from validation_gen.kubernetes.cel.constants import first_problem
from validation_gen.kubernetes.cel.depth import TOO_DEEP
from validation_gen.kubernetes.cel.environment import Environment
from validation_gen.kubernetes.cel.issues import InvalidExpression, Issue, rendered
from validation_gen.kubernetes.cel.parser import parsed
from validation_gen.kubernetes.cel.plan import Plan, planned
from validation_gen.kubernetes.cel.schemas import Declared
from validation_gen.kubernetes.cel.scope import Scope
from validation_gen.kubernetes.cel.typed import Typed
from validation_gen.kubernetes.cel.types import BOOL, STRING
from validation_gen.kubernetes.cel.validators import constant_issues
from validation_gen.kubernetes.cel.values import EvaluationError

#: The variables of rules, in the order in which their values are handed to a plan.
VARIABLES = ("self", "oldSelf")


def prepared(text: str, scope: Scope, *, optional_old_self: bool = False, message: bool = False) -> tuple[Plan, bool]:
    """A rule, or a `messageExpression`, that can run, and whether it uses the old value.

    Raises:
        InvalidExpression: it does not compile, or has another type than it must have.
    """
    declared = scope.declared
    if declared is None:
        raise InvalidExpression([Issue(NO_TYPE, -1)])
    try:
        return _prepared(text, scope, declared, optional_old_self, message)
    except RecursionError:  # what macros make can be nested more deeply than its text
        prefix = "messageExpression " if message else ""
        problem = f"{prefix}compilation failed: {rendered(text, [Issue(TOO_DEEP, -1)])}"
        raise InvalidExpression([Issue(problem, -1)]) from None


def _prepared(text: str, scope: Scope, declared: Declared, optional_old_self: bool, message: bool) -> tuple[Plan, bool]:
    subject, prefix, wanted = ("messageExpression",) * 2 + (STRING,) if message else ("cel expression", "program", BOOL)
    typed = _typed(text, scope, scope.environment(declared, optional=optional_old_self), message)
    if typed.type != wanted:
        raise InvalidExpression([Issue(f"{subject} must evaluate to a {wanted}", 0)])
    if problem := first_problem(typed):
        raise InvalidExpression([Issue(f"{prefix} instantiation failed: {problem}", 0)])
    try:
        plan = planned(typed, VARIABLES)
    except EvaluationError as error:
        raise InvalidExpression([Issue(f"{prefix} instantiation failed: {error.message}", 0)]) from error
    return plan, "oldSelf" in typed.variables


def _typed(text: str, scope: Scope, environment: Environment, message: bool) -> Typed:
    """The expression with its types. What the server finds against it is one issue, with all of the server's text."""
    quoted = scope.minor >= NAMES_QUOTED or scope.stored
    try:
        typed = checked(parsed(text, quoted=quoted), environment)
        if issues := constant_issues(typed):
            raise InvalidExpression(issues)
    except InvalidExpression as error:
        prefix = "messageExpression " if message else ""
        problem = f"{prefix}compilation failed: {rendered(text, error.issues)}"
        raise InvalidExpression([Issue(problem, -1)]) from error
    return typed
