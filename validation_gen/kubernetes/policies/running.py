"""Runs the expressions of a policy on one request: values of variables, errors, and the budget that all of them share.

Source of the behaviour: `pkg/admission/plugin/cel/activation.go` and `composition.go` of `k8s.io/apiserver`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from validation_gen.kubernetes.admission.compiling import Expression
from validation_gen.kubernetes.cel.running import CostExceededError
from validation_gen.kubernetes.cel.values import EvaluationError
from validation_gen.kubernetes.policies.requests import Request, authorizer_values, request_value

#: What one expression may cost, all of a policy on a request, and all its match conditions.
CALL_LIMIT, BUDGET, CONDITIONS_BUDGET = 1_000_000, 10_000_000, 2_500_000
_EXCEEDED = "operation cancelled: actual cost limit exceeded"


class OutOfBudgetError(Exception):
    """The expressions of a policy have cost more than all of them may."""

    def __init__(self) -> None:
        super().__init__("validation failed due to running out of cost budget, no further validation rules will be run")


@dataclass(frozen=True, slots=True)
class Result:
    """What came of an expression: a value, or an error with the server's text."""

    value: Any = None
    error: str = ""


class _Variables(Mapping[str, Any]):
    """The variables of a policy, each worked out when it is first asked for."""

    def __init__(self, run: PolicyRun) -> None:
        self._run = run
        self._known: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._known:
            self._known[name] = EvaluationError(f"no such key: {name}")  # one that asks for itself finds nothing
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
    """One go through some expressions of a policy: variables are worked out once in each.

    `budget` is what is left. `cost` counts what was spent.
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
        """Run one expression.

        Raises:
            OutOfBudgetError: the budget is spent.
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
        """Work out a variable. What is wrong with it is an error of the expression that asks for it."""
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
    """Run expressions one after the other.

    Raises:
        OutOfBudgetError: the budget is spent.
    """
    return [None if expression is None else run.result(expression) for expression in expressions]
