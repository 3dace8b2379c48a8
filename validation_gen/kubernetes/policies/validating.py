"""Evaluates ValidatingAdmissionPolicies, and collects the answer to a request.

Sources of the behaviour: `validator.go`, `dispatcher.go` and `policy_decision.go` in
`pkg/admission/plugin/policy/validating` of `k8s.io/apiserver`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from validation_gen.kubernetes.admission.compiling import ANNOTATION, CONDITION, MESSAGE, compile_expression
from validation_gen.kubernetes.admission.environment import Names
from validation_gen.kubernetes.cel.declarations import NEWEST
from validation_gen.kubernetes.policies.matching import matches
from validation_gen.kubernetes.policies.reading import Binding, Policy
from validation_gen.kubernetes.policies.requests import (
    BUDGET,
    OutOfBudgetError,
    PolicyRun,
    Request,
    Result,
    compile_variables,
    match_conditions,
    results,
)
from validation_gen.runtime.gotext import go_json

_LONGEST_MESSAGE, _LONGEST_ANNOTATION, _MOST_FAILURES = 5 * 1024, 10 * 1024, 50
#: Key of the audit annotation with failures, and the status codes of reasons.
FAILURES_KEY = "validation.policy.admission.k8s.io/validation_failure"
_CODES = {"Forbidden": 403, "Unauthorized": 401, "RequestEntityTooLarge": 413, "Invalid": 422}


@dataclass(frozen=True, slots=True)
class Decision:
    """Decision of one validation. `errored`: it failed, so the failure policy decided.

    `index` is the number of the validation, -1 for the whole policy. A `certain` one counts whatever the actions of a
    binding are.
    """

    denied: bool
    message: str = ""
    reason: str = ""
    errored: bool = False
    index: int = -1
    certain: bool = False

    @property
    def code(self) -> int:
        """Status code of a request that this decision refuses."""
        return _CODES.get(self.reason or "Invalid", 422)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Evaluation of a policy on a request with one set of parameters, and its cost.

    `matched` is false if the policy does not apply to the request.
    """

    decisions: tuple[Decision, ...] = ()
    annotations: Mapping[str, str] = field(default_factory=dict)
    cost: int = 0
    matched: bool = True

    @property
    def denied(self) -> list[Decision]:
        """The decisions against the request."""
        return [decision for decision in self.decisions if decision.denied]


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer of the API server for a policy with its binding.

    Attributes:
        allowed: whether the request goes on.
        status: the reason of a refusal, as a `Status`.
        warnings: warnings for the client.
        annotations: annotations of the audit log.
        cost: cost of the expressions.
    """

    allowed: bool
    status: Mapping[str, Any] | None = None
    warnings: tuple[str, ...] = ()
    annotations: Mapping[str, str] = field(default_factory=dict)
    cost: int = 0


class Validator:
    """A compiled policy. Create it once, and use it for any number of requests."""

    def __init__(self, policy: Policy, *, minor: int = NEWEST) -> None:
        self.policy = policy
        names = Names(policy.param_kind is not None, minor=minor, stored=True)
        self.variables = compile_variables(policy, names)
        whole, message = names.environment(), names.environment(authorizer=False)
        self.conditions = [
            compile_expression(each.expression, whole, CONDITION, minor=minor) for each in policy.conditions
        ]
        self.validations = [
            compile_expression(each.expression, whole, CONDITION, minor=minor) for each in policy.validations
        ]
        self.messages = [
            compile_expression(each.message_expression, message, MESSAGE, minor=minor)
            if each.message_expression
            else None
            for each in policy.validations
        ]
        self.annotations = [
            compile_expression(each.expression, whole, ANNOTATION, minor=minor) for each in policy.annotations
        ]

    def evaluate(self, request: Request, params: Any = None) -> Evaluation:
        """Evaluates the policy on a request, without checking its constraints."""
        fails = self.policy.failure_policy != "Ignore"
        holds, problem, spent = match_conditions(self.conditions, self.variables, request, params, fails=fails)
        if problem:
            return Evaluation((Decision(fails, problem, errored=True),), cost=spent)
        if not holds:
            return Evaluation(cost=spent, matched=False)
        run = PolicyRun(request, params, self.variables)
        try:
            found = results(run, self.validations)
        except OutOfBudgetError as error:
            return Evaluation((Decision(fails, str(error), errored=True),), cost=spent + run.cost)
        text = PolicyRun(request, params, self.variables, run.budget)
        out_of_budget = ""
        messages: list[Result | None] = []
        try:
            messages = results(text, self.messages)
        except OutOfBudgetError as error:
            out_of_budget = f"failed messageExpression: {error}"
        decisions = []
        for index, result in enumerate(found):
            assert result is not None
            if result.error or out_of_budget:
                decisions.append(Decision(fails, result.error or out_of_budget, errored=True, index=index))
            elif result.value is not True:
                message = self._message(index, messages[index])
                reason = self.policy.validations[index].reason
                decisions.append(Decision(True, message, "Invalid" if reason is None else reason, index=index))
            else:
                decisions.append(Decision(False, index=index))
        last = PolicyRun(request, params, self.variables, BUDGET)
        try:
            annotations, more = self._annotations(last, fails)
        except OutOfBudgetError as error:
            return Evaluation(
                (Decision(fails, str(error), errored=True),), cost=spent + run.cost + text.cost + last.cost
            )
        return Evaluation((*decisions, *more), annotations, spent + run.cost + text.cost + last.cost)

    def _message(self, index: int, text: Result | None) -> str:
        validation = self.policy.validations[index]
        message = ""
        if text is not None and not text.error and isinstance(text.value, str):
            message = text.value.strip()
            if len(message.encode("utf-8", "surrogatepass")) > _LONGEST_MESSAGE or "\n" in message:
                message = ""
        return message or validation.message.strip() or f"failed expression: {validation.expression.strip()}"

    def _annotations(self, run: PolicyRun, fails: bool) -> tuple[dict[str, str], list[Decision]]:
        found: dict[str, str] = {}
        decisions: list[Decision] = []
        for annotation, result in zip(self.policy.annotations, results(run, self.annotations), strict=True):
            assert result is not None
            if result.error and fails:
                decisions.append(Decision(True, result.error, errored=True, certain=True))
            elif isinstance(result.value, str) and (value := result.value.strip()):
                found[annotation.key] = _truncate(value)
        return found, decisions


class Answers:
    """Collects the decisions of policies on one request.

    Args:
        request: the request, as its client sent it.
    """

    def __init__(self, request: Request) -> None:
        self._request = request
        self._status: dict[str, Any] | None = None
        self._warnings: list[str] = []
        self._failures: list[dict[str, Any]] = []
        self._annotations: dict[str, list[str]] = {}
        self._cost = 0

    def add(self, policy: Policy, binding: Binding, evaluation: Evaluation) -> None:
        """Adds the evaluation of a policy for a binding."""
        self._cost += evaluation.cost
        for decision in evaluation.denied:
            for action in ("Deny",) if decision.certain else binding.actions:
                if action == "Deny":
                    self._deny(policy, binding, decision)
                elif action == "Warn":
                    message = f"Validation failed for ValidatingAdmissionPolicy '{policy.name}' with binding "
                    self._warnings.append(f"{message}'{binding.name}': {decision.message}")
                elif action == "Audit":
                    self._failures.append(_failure(binding, decision))
        for key, value in evaluation.annotations.items():
            known = self._annotations.setdefault(f"{policy.name}/{key}", [])
            if value not in known:
                known.append(value)

    def add_error(self, policy: Policy, binding: Binding | None, problem: str) -> None:
        """Adds a fault of a policy, or of a binding, which the failure policy decides."""
        if policy.failure_policy != "Ignore":
            text = f"failed to configure {'policy' if binding is None else 'binding'}: {problem}"
            self._deny(policy, binding, Decision(True, text, errored=True))

    def answer(self) -> Answer:
        """Returns the answer to the request."""
        text = {key: ", ".join(values) for key, values in self._annotations.items()}
        if self._failures:
            text[FAILURES_KEY] = go_json(self._failures[:_MOST_FAILURES])
        return Answer(self._status is None, self._status, tuple(self._warnings), text, self._cost)

    def _deny(self, policy: Policy, binding: Binding | None, decision: Decision) -> None:
        if self._status is None:  # the first one counts
            self._status = _status(policy, binding, self._request, decision)


def answered(validator: Validator, binding: Binding, request: Request, params: Sequence[Any] = (None,)) -> Answer:
    """Returns the API server's answer to a request for a policy with one binding.

    Args:
        validator: the policy.
        binding: has the actions for a decision.
        request: is validated if policy and binding match it.
        params: the parameters that the binding selects, each of which is evaluated.
    """
    policy = validator.policy
    answers = Answers(request)
    if matches(policy.constraints, request, needed=True) and matches(binding.resources, request):
        for each in params:
            answers.add(policy, binding, validator.evaluate(request, each))
    return answers.answer()


def _failure(binding: Binding, decision: Decision) -> dict[str, Any]:
    return {
        "message": decision.message,
        "policy": binding.policy,
        "binding": binding.name,
        "expressionIndex": max(decision.index, 0),
        "validationActions": [*binding.actions],
    }


def _status(policy: Policy, binding: Binding | None, request: Request, decision: Decision) -> dict[str, Any]:
    """Returns the status of a refused request: with the text of `Forbidden`, but another reason, as upstream."""
    bound = "" if binding is None else f" with binding '{binding.name}'"
    message = f"ValidatingAdmissionPolicy '{policy.name}'{bound} denied request: {decision.message}"
    resource = request.resource
    qualified = f"{resource.resource}.{resource.group}" if resource.group else resource.resource
    name = request.name or _generated(request.object)
    return {
        "status": "Failure",
        "message": f'{qualified} "{name}" is forbidden: {message}',
        "reason": decision.reason or "Invalid",
        "details": {
            "name": name,
            "group": resource.group,
            "kind": resource.resource,
            "causes": [{"message": message}],
        },
        "code": decision.code,
    }


def _generated(obj: Any) -> str:
    metadata = obj.get("metadata") if isinstance(obj, Mapping) else None
    found = metadata if isinstance(metadata, Mapping) else {}
    name = found.get("name") or found.get("generateName") or "Unknown"
    return name if isinstance(name, str) else "Unknown"


def _truncate(value: str) -> str:
    data = value.encode("utf-8", "surrogatepass")
    return value if len(data) <= _LONGEST_ANNOTATION else data[:_LONGEST_ANNOTATION].decode("utf-8", "replace")
