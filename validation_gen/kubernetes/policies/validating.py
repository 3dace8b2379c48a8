"""Evaluates a ValidatingAdmissionPolicy, and decides which requests a policy or a binding matches.

Equivalent versions of a resource are not known here: the request has to be in the version that a rule names.

Sources of the behaviour: `validator.go`, `dispatcher.go` and `policy_decision.go` in
`pkg/admission/plugin/policy/validating`, `pkg/admission/plugin/policy/matching`, and
`pkg/admission/plugin/webhook/{matchconditions,predicates}` of `k8s.io/apiserver`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from validation_gen.kubernetes.admission.compiling import ANNOTATION, CONDITION, MESSAGE, Expression, compiled
from validation_gen.kubernetes.admission.environment import Names
from validation_gen.kubernetes.admission.selectors import ResourceRule, is_empty, selects
from validation_gen.kubernetes.cel.declarations import NEWEST
from validation_gen.kubernetes.policies.reading import (
    Binding,
    MatchResources,
    Policy,
)
from validation_gen.kubernetes.policies.requests import (
    BUDGET,
    OutOfBudgetError,
    PolicyRun,
    Request,
    Result,
    matched,
    results,
)

_OWN_GROUP = "admissionregistration.k8s.io"
_OWN = ("validatingadmissionpolicies", "validatingadmissionpolicybindings")
_OWN_MUTATING = ("mutatingadmissionpolicies", "mutatingadmissionpolicybindings")


def matches(resources: MatchResources | None, request: Request, *, needed: bool = False) -> bool:
    """Returns whether a request matches. Without resources every request does, unless they are `needed`."""
    if resources is None:
        return not needed
    if request.resource.group == _OWN_GROUP and request.resource.resource in (*_OWN, *_OWN_MUTATING):
        return False  # so that a policy cannot block its own repair
    if any(_rule_matches(rule, request) for rule in resources.excluded):
        return False
    if resources.rules and not any(_rule_matches(rule, request) for rule in resources.rules):
        return False
    if not resources.rules and needed:
        return False
    return _namespaces(resources.namespaces, request) and _objects(resources.objects, request)


def _rule_matches(rule: ResourceRule, request: Request) -> bool:
    resource = request.resource
    return (
        _has(rule.operations, request.operation)
        and _has(rule.groups, resource.group)
        and _has(rule.versions, resource.version)
        and _scope(rule.scope, request)
        and any(_resource(each, request) for each in rule.resources)
        and (not rule.names or request.name in rule.names)
    )


def _has(values: Sequence[str], value: str) -> bool:
    return value in values or "*" in values


def _scope(scope: str, request: Request) -> bool:
    if scope == "*":
        return True
    is_namespace = request.resource.group == "" and request.resource.resource == "namespaces"
    namespaced = bool(request.namespace) and not is_namespace
    return namespaced == (scope == "Namespaced")


def _resource(text: str, request: Request) -> bool:
    resource, _, subresource = text.partition("/")
    return resource in ("*", request.resource.resource) and subresource in _subresources(text, request)


def _subresources(text: str, request: Request) -> tuple[str, ...]:
    return ("*", request.subresource) if "/" in text else (request.subresource,)


def _namespaces(selector: Mapping[str, Any], request: Request) -> bool:
    """Returns whether the labels of the namespace match; cluster-scoped objects always do."""
    if is_empty(selector):
        return True
    if request.resource.group == "" and request.resource.resource == "namespaces":
        return selects(selector, _labels(request.object if request.object is not None else request.old))
    if not request.namespace:
        return True
    known = _labels(request.namespace_object) if request.namespace_object is not None else {}
    return selects(selector, {"kubernetes.io/metadata.name": request.namespace} | known)


def _objects(selector: Mapping[str, Any], request: Request) -> bool:
    if is_empty(selector):
        return True
    return any(isinstance(each, Mapping) and selects(selector, _labels(each)) for each in (request.object, request.old))


def _labels(obj: Any) -> dict[str, str]:
    metadata = obj.get("metadata") if isinstance(obj, Mapping) else None
    labels = metadata.get("labels") if isinstance(metadata, Mapping) else None
    if not isinstance(labels, Mapping):
        return {}
    return {key: value for key, value in labels.items() if isinstance(key, str) and isinstance(value, str)}


_LONGEST_MESSAGE, _LONGEST_ANNOTATION, _MOST_FAILURES = 5 * 1024, 10 * 1024, 50
#: Key of the audit annotation with failures, and the status codes of reasons.
FAILURES_KEY = "validation.policy.admission.k8s.io/validation_failure"
_CODES = {"Forbidden": 403, "Unauthorized": 401, "RequestEntityTooLarge": 413, "Invalid": 422}


@dataclass(frozen=True, slots=True)
class Decision:
    """Decision of one validation. `errored`: it failed, so the failure policy decided.

    `index` is the number of the validation, -1 for the whole policy.
    """

    denied: bool
    message: str = ""
    reason: str = ""
    errored: bool = False
    index: int = -1

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
        self.variables: dict[str, Expression] = {}
        for variable in policy.variables:
            found = compiled(variable.expression, names.environment(), minor=minor)
            names.add(variable.name, found.type)
            self.variables[variable.name] = found
        whole, message = names.environment(), names.environment(authorizer=False)
        self.conditions = [compiled(each.expression, whole, CONDITION, minor=minor) for each in policy.conditions]
        self.validations = [compiled(each.expression, whole, CONDITION, minor=minor) for each in policy.validations]
        self.messages = [
            compiled(each.message_expression, message, MESSAGE, minor=minor) if each.message_expression else None
            for each in policy.validations
        ]
        self.annotations = [compiled(each.expression, whole, ANNOTATION, minor=minor) for each in policy.annotations]

    def evaluate(self, request: Request, params: Any = None) -> Evaluation:
        """Evaluates the policy on a request, without checking its constraints."""
        fails = self.policy.failure_policy != "Ignore"
        holds, problem, spent = matched(self.conditions, self.variables, request, params, fails=fails)
        if problem:
            return Evaluation((Decision(fails, problem, errored=True),), cost=spent)
        if not holds:
            return Evaluation(cost=spent, matched=False)
        run = PolicyRun(request, params, self.variables)
        try:
            found = results(run, self.validations)
        except OutOfBudgetError as error:
            return Evaluation((Decision(fails, str(error), errored=True),), cost=spent + run.cost)
        told = PolicyRun(request, params, self.variables, run.budget)
        out_of_budget = ""
        messages: list[Result | None] = []
        try:
            messages = results(told, self.messages)
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
        annotations, more = self._annotations(last, fails)
        return Evaluation((*decisions, *more), annotations, spent + run.cost + told.cost + last.cost)

    def _message(self, index: int, told: Result | None) -> str:
        validation = self.policy.validations[index]
        message = ""
        if told is not None and not told.error and isinstance(told.value, str):
            message = told.value.strip()
            if len(message.encode("utf-8", "surrogatepass")) > _LONGEST_MESSAGE or "\n" in message:
                message = ""
        return message or validation.message.strip() or f"failed expression: {validation.expression.strip()}"

    def _annotations(self, run: PolicyRun, fails: bool) -> tuple[dict[str, str], list[Decision]]:
        found: dict[str, str] = {}
        decisions: list[Decision] = []
        try:
            for annotation, result in zip(self.policy.annotations, results(run, self.annotations), strict=True):
                assert result is not None
                if result.error and fails:
                    decisions.append(Decision(True, result.error, errored=True))
                elif isinstance(result.value, str) and (value := result.value.strip()):
                    found[annotation.key] = _cut(value)
        except OutOfBudgetError as error:
            return {}, [Decision(fails, str(error), errored=True)]
        return found, decisions


def answered(validator: Validator, binding: Binding, request: Request, params: Sequence[Any] = (None,)) -> Answer:
    """Returns the API server's answer to a request for a policy with one binding.

    Args:
        validator: the policy.
        binding: has the actions for a decision.
        request: is validated if policy and binding match it.
        params: the parameters that the binding selects, each of which is evaluated.
    """
    policy = validator.policy
    if not matches(policy.constraints, request, needed=True) or not matches(binding.resources, request):
        return Answer(True)
    warnings: list[str] = []
    failures: list[dict[str, Any]] = []
    annotations: dict[str, list[str]] = {}
    first: Decision | None = None
    cost = 0
    for each in params:
        evaluation = validator.evaluate(request, each)
        cost += evaluation.cost
        for decision in evaluation.denied:
            for action in binding.actions:
                if action == "Deny":
                    first = first or decision
                elif action == "Warn":
                    said = f"Validation failed for ValidatingAdmissionPolicy '{policy.name}' with binding "
                    warnings.append(f"{said}'{binding.name}': {decision.message}")
                elif action == "Audit":
                    failures.append(_failure(binding, decision))
        for key, value in evaluation.annotations.items():
            known = annotations.setdefault(key, [])
            if value not in known:
                known.append(value)
    told = {f"{policy.name}/{key}": ", ".join(values) for key, values in annotations.items()}
    if failures:
        told[FAILURES_KEY] = json.dumps(failures[:_MOST_FAILURES], separators=(",", ":"), ensure_ascii=False)
    status = _status(policy, binding, request, first) if first is not None else None
    return Answer(first is None, status, tuple(warnings), told, cost)


def _failure(binding: Binding, decision: Decision) -> dict[str, Any]:
    return {
        "message": decision.message,
        "policy": binding.policy,
        "binding": binding.name,
        "expressionIndex": max(decision.index, 0),
        "validationActions": [*binding.actions],
    }


def _status(policy: Policy, binding: Binding, request: Request, decision: Decision) -> dict[str, Any]:
    """Returns the status of a refused request: the API server uses the text of a forbidden one, with another reason."""
    said = f"ValidatingAdmissionPolicy '{policy.name}' with binding '{binding.name}' denied request: {decision.message}"
    resource = request.resource
    qualified = f"{resource.resource}.{resource.group}" if resource.group else resource.resource
    name = request.name or _generated(request.object)
    return {
        "status": "Failure",
        "message": f'{qualified} "{name}" is forbidden: {said}',
        "reason": decision.reason or "Invalid",
        "details": {
            "name": name,
            "group": resource.group,
            "kind": resource.resource,
            "causes": [{"message": said}],
        },
        "code": decision.code,
    }


def _generated(obj: Any) -> str:
    metadata = obj.get("metadata") if isinstance(obj, Mapping) else None
    found = metadata if isinstance(metadata, Mapping) else {}
    name = found.get("name") or found.get("generateName") or "Unknown"
    return name if isinstance(name, str) else "Unknown"


def _cut(value: str) -> str:
    data = value.encode("utf-8", "surrogatepass")
    return value if len(data) <= _LONGEST_ANNOTATION else data[:_LONGEST_ANNOTATION].decode("utf-8", "replace")
