"""Runs the expressions of a policy on one request: values of variables, errors, the cost budget, match conditions.

Sources of the behaviour: `pkg/admission/plugin/cel/activation.go` and `composition.go`, and
`pkg/admission/plugin/webhook/matchconditions` of `k8s.io/apiserver`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from validation_gen.kubernetes.admission.compiling import Expression
from validation_gen.kubernetes.cel.running import CostExceededError
from validation_gen.kubernetes.cel.values import EvaluationError
from validation_gen.kubernetes.policies.requests import Request, authorizer_values, request_value

#: Greatest cost of one expression, of a policy on a request, and of all its match conditions.
CALL_LIMIT, BUDGET, CONDITIONS_BUDGET = 1_000_000, 10_000_000, 2_500_000
_EXCEEDED = "operation cancelled: actual cost limit exceeded"


class OutOfBudgetError(Exception):
    """The expressions of a policy have exceeded their common cost limit."""

    def __init__(self) -> None:
        super().__init__("validation failed due to running out of cost budget, no further validation rules will be run")


@dataclass(frozen=True, slots=True)
class Result:
    """Result of an expression: a value, or an error with the server's text."""

    value: Any = None
    error: str = ""


class _Variables(Mapping[str, Any]):
    """Variables of a policy, each evaluated at its first use."""

    def __init__(self, run: PolicyRun) -> None:
        self._run = run
        self._known: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._known:
            self._known[name] = EvaluationError(f"no such key: {name}")  # a variable that uses itself finds nothing
            self._known[name] = self._run.variable(name)
        return self._known[name]

    def __contains__(self, name: object) -> bool:
        return name in self._run.variables

    def __iter__(self) -> Iterator[str]:
        return iter(self._run.variables)

    def __len__(self) -> int:
        return len(self._run.variables)


@dataclass(slots=True)
class PolicyRun:
    """One run of some expressions of a policy: each evaluates variables once.

    `budget` is the remaining one. `cost` is the cost so far.
    """

    request: Request
    params: Any
    variables: Mapping[str, Expression]
    budget: int = BUDGET
    cost: int = 0
    _slots: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        request = self.request
        self._slots = [
            request.object,
            request.old,
            request_value(request),
            request.namespace_object,
            self.params,
            *authorizer_values(request),
            _Variables(self),
        ]

    def result(self, expression: Expression) -> Result:
        """Runs one expression.

        Raises:
            OutOfBudgetError: the budget is used up.
        """
        if expression.plan is None:
            text = f"compilation error: {expression.error}"
            return Result(error=text)
        value, cost = self._run(expression)
        self._spend(cost)
        if isinstance(value, EvaluationError):
            return Result(error=f"expression '{expression.text}' resulted in error: {value.message}")
        return Result(value)

    def variable(self, name: str) -> Any:
        """Evaluates a variable. Its error becomes an error of the expression that uses it."""
        expression = self.variables[name]
        if expression.plan is None:
            return EvaluationError(f'composited variable "{name}" fails to compile: {expression.error}')
        value, cost = self._run(expression)
        self._spend(cost)
        if isinstance(value, EvaluationError):
            return EvaluationError(f'composited variable "{name}" fails to evaluate: {value.message}')
        return value

    def _run(self, expression: Expression) -> tuple[Any, int]:
        assert expression.plan is not None
        try:
            return expression.plan.run(self._slots, CALL_LIMIT)
        except CostExceededError:
            return EvaluationError(_EXCEEDED), CALL_LIMIT + 1

    def _spend(self, cost: int) -> None:
        self.cost += cost
        self.budget -= cost
        if self.budget < 0:
            raise OutOfBudgetError


def results(run: PolicyRun, expressions: Sequence[Expression | None]) -> list[Result | None]:
    """Runs expressions one after the other.

    Raises:
        OutOfBudgetError: the budget is used up.
    """
    return [None if expression is None else run.result(expression) for expression in expressions]


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
