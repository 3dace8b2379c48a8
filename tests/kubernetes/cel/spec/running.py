"""One test of the specification, run as a server runs a rule: parsed, checked, validated, planned and evaluated."""

from __future__ import annotations

from tests.kubernetes.cel.spec.tables import Case, kept
from tests.kubernetes.cel.spec.unchecked import unchecked
from validation_gen.kubernetes.cel.check import check_expression
from validation_gen.kubernetes.cel.declarations import Environment, functions
from validation_gen.kubernetes.cel.parser import parse
from validation_gen.kubernetes.cel.plan import make_plan
from validation_gen.kubernetes.cel.tree import InvalidExpression, Typed
from validation_gen.kubernetes.cel.types import spell
from validation_gen.kubernetes.cel.validators import constant_issues
from validation_gen.kubernetes.cel.values import EvaluationError

#: The release at whose server this aims. Names in backquotes are those of the next one.
_MINOR = 36
_LIMIT = 1 << 62


def difference(case: Case, *, validated: bool = True) -> str:
    """In what we differ from what a test wants; empty where we agree.

    Args:
        validated: as servers do, refuse constants that cannot be, and lists and maps of several types.
    """
    environment = Environment(case.variables, {**functions(_MINOR, stored=True), **case.functions}, {})
    wants_error = case.wanted is None and case.runs
    try:
        expression = parse(case.text, quoted=True)
        typed = check_expression(expression, environment) if case.checks else unchecked(expression, environment)
        if case.type is not None and typed.type != case.type:
            return f"the type {spell(typed.type)} instead of {spell(case.type)}"
        if not case.runs:
            return ""
        issues = constant_issues(typed) if validated and case.checks else []
        if mixed := next((issue.message for issue in issues if issue.message.startswith("expected type")), ""):
            return f"refused: {mixed}"
        if issues:
            raise InvalidExpression(issues)
        values = case.values if case.checks else {**_unknown(typed), **case.values}
        found, _ = make_plan(typed, tuple(values)).run(list(values.values()), _LIMIT)
    except InvalidExpression as error:
        return "" if wants_error else f"refused: {error}"
    except EvaluationError as error:
        found = error
    if isinstance(found, EvaluationError):
        return "" if wants_error else f"the error {found.message}"
    if wants_error:
        return f"{kept(found)} instead of an error"
    return "" if kept(found) == case.wanted else f"{kept(found)} instead of {case.wanted}"


def _unknown(typed: Typed) -> dict[str, EvaluationError]:
    """The names that mean nothing to an expression that nobody has checked, which fail when they are read."""
    return {name: EvaluationError(f"no such attribute(s): {name}") for name in typed.variables}
