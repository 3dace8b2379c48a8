"""Match conditions: whether a policy applies to a request that its constraints match.

Source of the behaviour: `pkg/admission/plugin/webhook/matchconditions` of `k8s.io/apiserver`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from validation_gen.kubernetes.admission.compiling import Expression
from validation_gen.kubernetes.policies.requests import Request
from validation_gen.kubernetes.policies.running import CONDITIONS_BUDGET, OutOfBudgetError, PolicyRun, results


def matched(
    conditions: Sequence[Expression], variables: Mapping[str, Expression], request: Request, params: Any, *, fails: bool
) -> tuple[bool, str, int]:
    """Returns whether all conditions hold, the error, and the cost. A condition that is false decides.

    `fails`: errors count; else the policy is skipped.
    """
    if not conditions:
        return True, "", 0
    run = PolicyRun(request, params, variables, CONDITIONS_BUDGET)
    problems = []
    try:
        for result in results(run, conditions):
            assert result is not None
            if result.error:
                problems.append(result.error)
            elif result.value is not True:
                return False, "", run.cost
    except OutOfBudgetError as error:
        problems = [str(error)]
    if not problems:
        return True, "", run.cost
    joined = problems[0] if len(problems) == 1 else f"[{', '.join(problems)}]"
    return False, joined if fails else "", run.cost
