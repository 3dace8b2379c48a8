"""Evaluates the policies that a request matches, with the parameters of their bindings.

Sources of the behaviour: `pkg/admission/plugin/policy/{generic,mutating,validating}` of `k8s.io/apiserver`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from validation_gen.apiserver.admission.configurations import PolicyHook
from validation_gen.apiserver.admission.subject import Subject
from validation_gen.apiserver.errors import ApiError, make_details
from validation_gen.apiserver.writes import decode_object
from validation_gen.kubernetes.admission.selectors import selects
from validation_gen.kubernetes.policies.matching import find_match
from validation_gen.kubernetes.policies.mutating import Mutator
from validation_gen.kubernetes.policies.reading import Binding, ParamKind, Policy
from validation_gen.kubernetes.policies.requests import GroupVersionResource, Request
from validation_gen.kubernetes.policies.validating import Answers, Validator

if TYPE_CHECKING:
    from validation_gen.apiserver.admission.review import Review, Rounds


class _ConfigurationError(Exception):
    """A fault of a policy or a binding, which the failure policy decides."""


def validate(hooks: Sequence[PolicyHook[Validator]], subject: Subject, review: Review) -> None:
    """Lets policies accept or refuse a request. All are evaluated, and the first refusal is the answer."""
    answers = Answers(subject.request)
    for hook in hooks:
        policy = hook.policy
        resource = _match_policy(policy, subject)
        if resource is None:
            continue
        try:
            _find_params_kind(policy, review)
        except _ConfigurationError as problem:
            answers.add_error(policy, None, str(problem))
            continue
        for binding in hook.bindings:
            if find_match(binding.resources, subject.request, subject.equivalents) is None:
                continue
            try:
                params = _find_params(policy, binding, subject.request, review)
                for each in params:
                    answers.add(policy, binding, hook.evaluator.evaluate(subject.convert(resource), each))
            except _ConfigurationError as problem:
                answers.add_error(policy, binding, str(problem))
            except ApiError as problem:
                answers.add_error(policy, binding, f"failed to convert object version: {problem.message}")
    answer = answers.answer()
    review.call.warnings += answer.warnings
    for key, text in answer.annotations.items():
        review.annotate(key, text)
    if answer.status is not None:
        status = answer.status
        details = make_details(**status["details"])
        raise ApiError(status["code"], status["reason"], status["message"], details)


@dataclass(frozen=True, slots=True)
class _Invocation:
    """A policy with one of its bindings, and with one set of parameters."""

    hook: PolicyHook[Mutator]
    binding: Binding
    resource: GroupVersionResource
    params: Any

    @property
    def key(self) -> tuple[str, ...]:
        meta = (self.params or {}).get("metadata") or {}
        return (self.hook.policy.name, self.binding.name, meta.get("namespace") or "", meta.get("name") or "")


class _Errors:
    """The errors of mutating policies on one request."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._found: list[tuple[str, str]] = []

    def add(self, policy: Policy, binding: Binding | None, problem: str, reason: str = "") -> None:
        """Adds an error, unless the failure policy ignores it."""
        if policy.failure_policy != "Ignore":
            bound = f'policy "{policy.name}"'
            if binding is not None:
                bound = f"policy '{policy.name}' with binding '{binding.name}'"
            self._found.append((f"{bound} denied request: {problem}", reason))

    def add_fault(self, policy: Policy, binding: Binding | None, problem: str) -> None:
        """Adds a fault of a policy or of a binding."""
        self.add(policy, binding, f"failed to configure {'policy' if binding is None else 'binding'}: {problem}")

    def check(self) -> None:
        """Refuses the request if there are errors."""
        if not self._found:
            return
        request = self._request
        meta = (request.object or {}).get("metadata") or {}
        name = request.name or meta.get("name") or meta.get("generateName") or "Unknown"
        text, reason = self._found[0]
        causes = [{"message": message} for message, _ in self._found]
        details = make_details(request.resource.group, request.resource.resource, name, causes=causes)
        raise ApiError(403, reason or "Forbidden", text, details)


def mutate(hooks: Sequence[PolicyHook[Mutator]], subject: Subject, review: Review, rounds: Rounds) -> None:
    """Lets policies change the object of a request."""
    errors = _Errors(subject.request)
    invocations = [each for hook in hooks for each in _list_invocations(hook, subject, review, errors)]
    if not invocations:
        errors.check()
        return
    rounds.begin(subject.latest)
    changed = False
    for each in invocations:
        if not rounds.has_turn(each.key):
            continue
        policy, version = each.hook.policy, each.resource.version
        before = subject.latest
        request = subject.convert(each.resource)
        evaluator = each.hook.evaluator.with_schema(subject.call.resource.merge_schema(version))
        found = evaluator.mutate(request, each.params, revise=partial(subject.revise, version=version))
        for problem in found.errors:
            errors.add(policy, each.binding, problem, "Invalid")
        differs = False
        if found.matched and before is not None:
            changed = changed or len(found.errors) < len(policy.mutations)
            differs = found.object is not request.object and subject.change(found.object, version)
        rounds.end_turn(each.key, changed=differs, again=policy.reinvocation == "IfNeeded")
    if changed:
        rounds.request()
    rounds.end(subject.latest)
    errors.check()


def _list_invocations(
    hook: PolicyHook[Mutator], subject: Subject, review: Review, errors: _Errors
) -> list[_Invocation]:
    policy = hook.policy
    resource = _match_policy(policy, subject)
    if resource is None:
        return []
    try:
        _find_params_kind(policy, review)
    except _ConfigurationError as problem:
        errors.add_fault(policy, None, str(problem))
        return []
    found = []
    for binding in hook.bindings:
        if find_match(binding.resources, subject.request, subject.equivalents) is None:
            continue
        try:
            subject.convert(resource)
            params = _find_params(policy, binding, subject.request, review)
        except _ConfigurationError as problem:
            errors.add_fault(policy, binding, str(problem))
        except ApiError as problem:
            errors.add_fault(policy, None, problem.message)
        else:
            found += [_Invocation(hook, binding, resource, each) for each in params]
    return found


def _match_policy(policy: Policy, subject: Subject) -> GroupVersionResource | None:
    return find_match(policy.constraints, subject.request, subject.equivalents, needed=True)


# --- parameters -------------------------------------------------------------------------------------------------------


def _find_params_kind(policy: Policy, review: Review) -> Any:
    """Returns the resource of a policy's parameters and its version, None for a policy without any."""
    if policy.param_kind is None:
        return None
    group, version, kind = _split(policy.param_kind)
    resource = review.find_kind(group, version, kind)
    if resource is None:
        text = f"failed to find resource referenced by paramKind: '{group}/{version}, Kind={kind}'"
        raise _ConfigurationError(text)
    return resource, resource.version(version)


def _split(kind: ParamKind) -> tuple[str, str, str]:
    group, _, version = kind.api_version.rpartition("/")
    return group, version, kind.kind


def _find_params(policy: Policy, binding: Binding, request: Request, review: Review) -> list[Any]:
    """Returns the parameters that a binding selects, each of which is evaluated; `[None]` without parameters."""
    kind, ref = _find_params_kind(policy, review), binding.params
    if kind is None or ref is None:
        return [None]
    resource, version = kind
    space = ""
    if resource.namespaced:
        space = ref.namespace or request.namespace
        if not space:
            text = "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources"
            raise _ConfigurationError(text)
    elif ref.namespace:
        raise _ConfigurationError("paramRef.namespace must not be provided for a cluster-scoped `paramKind`")
    prefix = resource.make_prefix(space)
    if ref.name:
        entry = review.wait_for(review.store.get(f"{prefix}{ref.name}"))
        entries = [] if entry is None else [entry]
    else:
        entries, _ = review.wait_for(review.store.scan(prefix))
    found = [each.object for each in resource.load_all(version, [decode_object(entry) for entry in entries])]
    if not ref.name:
        found = [obj for obj in found if selects(ref.selector or {}, obj["metadata"].get("labels") or {})]
    if not found and ref.not_found == "Deny":
        raise _ConfigurationError("no params found for policy binding with `Deny` parameterNotFoundAction")
    return found
