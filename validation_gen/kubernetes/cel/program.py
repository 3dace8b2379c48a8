"""From the text of a rule to something that runs."""

from __future__ import annotations

from validation_gen.kubernetes.cel.check import checked
from validation_gen.kubernetes.cel.compiling import NAMES_QUOTED, NO_TYPE
from validation_gen.kubernetes.cel.issues import InvalidExpression, Issue
from validation_gen.kubernetes.cel.parser import parsed
from validation_gen.kubernetes.cel.plan import Plan, planned
from validation_gen.kubernetes.cel.scope import Scope
from validation_gen.kubernetes.cel.typed import Typed
from validation_gen.kubernetes.cel.types import BOOL, STRING
from validation_gen.kubernetes.cel.values import EvaluationError

#: The variables of rules, in the order in which their values are handed to a plan.
VARIABLES = ("self", "oldSelf")


def planned_at(text: str, scope: Scope, *, optional_old_self: bool = False) -> tuple[Typed, Plan]:
    """An expression of any type at a place, ready to run.

    Raises:
        InvalidExpression: it does not compile.
    """
    declared = scope.declared
    if declared is None:
        raise InvalidExpression([Issue(NO_TYPE, -1)])
    quoted = scope.minor >= NAMES_QUOTED or scope.stored
    typed = checked(parsed(text, quoted=quoted), scope.environment(declared, optional=optional_old_self))
    try:
        return typed, planned(typed, VARIABLES)
    except EvaluationError as error:
        raise InvalidExpression([Issue(f"program instantiation failed: {error.message}", 0)]) from error


def prepared(text: str, scope: Scope, *, optional_old_self: bool = False, message: bool = False) -> tuple[Plan, bool]:
    """A rule, or a `messageExpression`, that can run, and whether it uses the old value.

    Raises:
        InvalidExpression: it does not compile, or has another type than it must have.
    """
    typed, plan = planned_at(text, scope, optional_old_self=optional_old_self)
    wanted = STRING if message else BOOL
    if typed.type != wanted:
        subject = "messageExpression" if message else "cel expression"
        raise InvalidExpression([Issue(f"{subject} must evaluate to a {wanted}", 0)])
    return plan, "oldSelf" in typed.variables
