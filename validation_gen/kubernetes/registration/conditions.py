"""The match conditions of a webhook: each a name and an expression in CEL that says whether to ask it at all.

Source of the behaviour: `validateMatchConditions` in `pkg/apis/admissionregistration/validation` of
`k8s.io/kubernetes`, and `pkg/admission/plugin/cel/compile.go` of `k8s.io/apiserver`. Their cost is no matter of a
definition: it is counted when they run.
"""

from __future__ import annotations

from validation_gen.kubernetes.cel import NEWEST, InvalidExpression, Issue, parsed
from validation_gen.kubernetes.cel.check import checked
from validation_gen.kubernetes.cel.compiling import NAMES_QUOTED
from validation_gen.kubernetes.cel.constants import first_problem
from validation_gen.kubernetes.cel.depth import TOO_DEEP
from validation_gen.kubernetes.cel.issues import rendered
from validation_gen.kubernetes.cel.typed import Typed
from validation_gen.kubernetes.cel.types import BOOL
from validation_gen.kubernetes.cel.validators import constant_issues
from validation_gen.kubernetes.crd.place import Place
from validation_gen.kubernetes.crd.report import Report
from validation_gen.kubernetes.crd.schema import JsonObject
from validation_gen.kubernetes.registration.environment import admission_environment
from validation_gen.runtime import names

#: How many conditions a webhook can have.
MOST = 64
CODE = "VG561"


def check_conditions(conditions: list[JsonObject], place: Place, report: Report) -> None:
    """What is wrong with the conditions of one webhook."""
    if len(conditions) > MOST:
        report.too_many(CODE, place, len(conditions), MOST, "join them by &&")
    known = set()
    for index, condition in enumerate(conditions):
        where = place.index(index)
        name, expression = condition.get("name") or "", (condition.get("expression") or "").strip()
        if not expression:
            report.required(CODE, where.child("expression"))
        elif problem := problem_of(expression, report.minor):
            report.invalid(CODE, where.child("expression"), expression, problem)
        if not name:
            report.required(CODE, where.child("name"))
            continue
        report.invalid_each(CODE, where.child("name"), name, names.label_key(name))
        if name in known:
            report.duplicate(CODE, where.child("name"), name)
        known.add(name)


def problem_of(expression: str, minor: int = NEWEST) -> str:
    """What the server has against a condition, `""` if nothing."""
    try:
        typed = typed_condition(expression, minor)
        problem = first_problem(typed)
    except InvalidExpression as error:
        return f"compilation failed: {rendered(expression, error.issues)}"
    except RecursionError:
        return f"compilation failed: {rendered(expression, [Issue(TOO_DEEP, -1)])}"
    if typed.type != BOOL:
        return f"must evaluate to {BOOL} but got {typed.type}"
    return f"program instantiation failed: {problem}" if problem else ""


def typed_condition(expression: str, minor: int = NEWEST) -> Typed:
    """An expression of admission with its types.

    Raises:
        InvalidExpression: it does not compile.
        RecursionError: it is nested too deeply.
    """
    typed = checked(parsed(expression, quoted=minor >= NAMES_QUOTED), admission_environment(minor))
    if issues := constant_issues(typed):
        raise InvalidExpression(issues)
    return typed
