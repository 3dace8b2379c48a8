"""Verdict of the API server on an expression at its place in the schema: its error, or its estimated cost."""

from __future__ import annotations

from dataclasses import dataclass, replace

from validation_gen.kubernetes.cel.cost import estimate
from validation_gen.kubernetes.cel.declarations import multiply_saturated
from validation_gen.kubernetes.cel.parser import parse
from validation_gen.kubernetes.cel.plan import make_plan
from validation_gen.kubernetes.cel.program import NAMES_QUOTED, NO_TYPE, VARIABLES, check_types
from validation_gen.kubernetes.cel.schemas import MAX_REQUEST, Declared
from validation_gen.kubernetes.cel.scope import Scope
from validation_gen.kubernetes.cel.tree import TOO_DEEP, InvalidExpression, Issue, Typed, render_issues
from validation_gen.kubernetes.cel.types import BOOL, STRING
from validation_gen.kubernetes.cel.values import EvaluationError

#: Greatest cost of one rule, and of all rules of a CRD together.
RULE_LIMIT = 10_000_000
CRD_LIMIT = 100_000_000


@dataclass(frozen=True, slots=True)
class Compiled:
    """Result of compiling one expression.

    `error` has the API server's words, and is empty for an expression that compiles. `base` is the cost of one
    evaluation, `cost` that of all evaluations on one object; both are 0 if there is an error.
    """

    text: str
    error: str = ""
    issues: tuple[Issue, ...] = ()
    base: int = 0
    cost: int = 0
    uses_old_self: bool = False
    refusal: str = ""

    @property
    def within_limit(self) -> bool:
        return self.cost <= RULE_LIMIT


def compile_rule(text: str, scope: Scope, *, optional_old_self: bool | None = None) -> Compiled:
    """Compiles a rule at a place, with the API server's verdict."""
    declared = scope.declared
    if declared is None:
        return Compiled(text, NO_TYPE, (Issue(NO_TYPE, -1),))
    found = _compile(text, scope, declared, optional=bool(optional_old_self))
    times = MAX_REQUEST // (declared.smallest + 1) if scope.cardinality is None else scope.cardinality
    refusal = ""
    if found.uses_old_self and scope.uncorrelatable:
        refusal = f"oldSelf cannot be used on the uncorrelatable portion of the schema within {scope.uncorrelatable}"
    elif not found.uses_old_self and optional_old_self is not None:
        refusal = "may not be set if oldSelf is not used in rule"
    return replace(found, cost=multiply_saturated(found.base, times), refusal=refusal)


def compile_message(text: str, scope: Scope, *, optional_old_self: bool | None = None) -> Compiled:
    """Compiles a `messageExpression`, which runs at most once and whose cost is therefore not multiplied."""
    declared = scope.declared
    if declared is None:
        return Compiled(text, NO_TYPE, (Issue(NO_TYPE, -1),))
    return _compile(text, scope, declared, optional=bool(optional_old_self), message=True)


def _compile(text: str, scope: Scope, declared: Declared, *, optional: bool, message: bool = False) -> Compiled:
    subject, prefix, kind = (
        ("messageExpression", "messageExpression ", STRING) if message else ("cel expression", "", BOOL)
    )
    try:
        expression = parse(text, quoted=scope.minor >= NAMES_QUOTED)
        found = check_types(expression, scope.environment(declared, optional=optional), scope.minor)
        cost = estimate(found, declared, scope.minor).most
        instantiation = _instantiation_error(found)
    except InvalidExpression as error:
        return Compiled(text, f"{prefix}compilation failed: {render_issues(text, error.issues)}", error.issues)
    except RecursionError:  # types can be nested deeper than nodes
        issue = Issue(TOO_DEEP, -1)
        return Compiled(text, f"{prefix}compilation failed: {render_issues(text, [issue])}", (issue,))
    old = "oldSelf" in found.variables
    if found.type != kind:
        problem = f"{subject} must evaluate to a {kind}"
        return Compiled(text, problem, (Issue(problem, 0),))
    if instantiation:
        problem = f"{'messageExpression' if message else 'program'} instantiation failed: {instantiation}"
        return Compiled(text, problem, (Issue(problem, 0),), uses_old_self=old)
    return Compiled(text, base=cost, cost=cost, uses_old_self=old)


def _instantiation_error(typed: Typed) -> str:
    """Returns why the server cannot make a program of a correct expression; empty if it can."""
    try:
        make_plan(typed, VARIABLES)
    except EvaluationError as error:
        return error.message
    return ""
