"""Webhooks and policies of the server, kept up to date with their stored configurations.

Sources of the behaviour: `pkg/admission/configuration` and `pkg/admission/plugin/policy/generic/policy_source.go` of
`k8s.io/apiserver`.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from weakref import WeakValueDictionary

from validation_gen.apiserver.core.resource import CoreResource
from validation_gen.apiserver.storage import Change, Follower, Store
from validation_gen.apiserver.webhook_client import WebhookClient
from validation_gen.kubernetes.admission.compiling import CONDITION, Expression, compile_expression
from validation_gen.kubernetes.admission.environment import Names
from validation_gen.kubernetes.admission.selectors import ResourceRule
from validation_gen.kubernetes.cel.declarations import NEWEST
from validation_gen.kubernetes.policies.mutating import Mutator
from validation_gen.kubernetes.policies.reading import (
    Binding,
    MatchResources,
    Policy,
    PolicyError,
    read_binding,
    read_policy,
)
from validation_gen.kubernetes.policies.validating import Validator

T = TypeVar("T", Mutator, Validator)

#: The kinds of configurations.
KINDS = (
    *("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"),
    *("MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"),
    *("ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"),
)
_SECONDS = 10


@dataclass(frozen=True, slots=True, eq=False)
class Webhook:
    """A webhook of a configuration.

    Attributes:
        resources: the requests that it gets.
        fails: whether a request is refused if the webhook does not answer.
        seconds: the seconds for an answer.
        side_effects: `None`, `NoneOnDryRun` or another one, empty if there is none.
        reviews: the versions of reviews that it reads.
        reinvokes: whether it is called again after later changes.
    """

    name: str
    configuration: str
    resources: MatchResources
    conditions: tuple[Expression, ...]
    client: WebhookClient
    fails: bool
    seconds: int
    side_effects: str
    reviews: tuple[str, ...]
    reinvokes: bool


@dataclass(frozen=True, slots=True, eq=False)
class PolicyHook(Generic[T]):
    """A policy with its bindings, of which there is at least one."""

    evaluator: T
    bindings: tuple[Binding, ...]

    @property
    def policy(self) -> Policy:
        """The policy."""
        return self.evaluator.policy


class Configurations(Follower):
    """All webhooks and policies. A change of a configuration compiles that one again, at its first use.

    Args:
        resources: the resources of all kinds.
    """

    def __init__(self, store: Store, resources: Iterable[CoreResource]) -> None:
        super().__init__(store)
        self._resources = {each.prefix: each for each in resources}
        self._stored: dict[str, dict[str, dict[str, Any]]] = {kind: {} for kind in KINDS}
        self._compiled: dict[tuple[str, str], Any] = {}
        self._ended = threading.Event()
        self._clients: WeakValueDictionary[str, WebhookClient] = WeakValueDictionary()
        self._interest: dict[tuple[str, ...], bool] = {}
        self._is_stale = False
        self.mutating_policies: list[PolicyHook[Mutator]] = []
        self.mutating_webhooks: list[Webhook] = []
        self.validating_policies: list[PolicyHook[Validator]] = []
        self.validating_webhooks: list[Webhook] = []

    async def _read(self) -> int:
        self._stored, self._compiled = {kind: {} for kind in KINDS}, {}
        revisions = []
        for prefix in self._resources:
            entries, revision = await self._store.scan(prefix)
            revisions.append(revision)
            for entry in entries:
                self._note(entry.key, entry.value)
        self._is_stale = True
        return min(revisions, default=0)

    def close(self) -> None:
        """Ends the calls that are under way."""
        self._ended.set()

    def _apply(self, changes: Sequence[Change]) -> None:
        for change in changes:
            self._note(change.key, change.value)

    def _note(self, key: str, value: bytes | None) -> None:
        prefix, _, name = key.rpartition("/")
        resource = self._resources.get(f"{prefix}/")
        if resource is None:
            return
        kind, obj = resource.names.kind, None if value is None else resource.read_stored(json.loads(value))
        if obj is None:
            self._stored[kind].pop(name, None)
        else:
            self._stored[kind][name] = obj
        self._compiled.pop((kind, name), None)
        self._is_stale = True

    def concern(self, group: str, resource: str, subresource: str, operations: Sequence[str]) -> bool:
        """Returns whether a rule may match requests for this resource, in any version and with any object."""
        if self._is_stale:
            self._compile_all()
        key = (group, resource, subresource, *operations)
        if key not in self._interest:
            self._interest[key] = any(_may_match(rule, key) for rule in self._rules)
        return self._interest[key]

    @property
    def _rules(self) -> list[ResourceRule]:
        webhooks = (*self.mutating_webhooks, *self.validating_webhooks)
        policies = [
            *(each.policy.constraints for each in self.mutating_policies),
            *(each.policy.constraints for each in self.validating_policies),
        ]
        resources = [*(each.resources for each in webhooks), *policies]
        return [rule for each in resources if each is not None for rule in each.rules]

    # --- reading ------------------------------------------------------------------------------------------------------

    def _compile_all(self) -> None:
        self._is_stale = False
        self._interest = {}
        self.mutating_webhooks = self._read_webhooks("MutatingWebhookConfiguration")
        self.validating_webhooks = self._read_webhooks("ValidatingWebhookConfiguration")
        self.mutating_policies = self._read_policies("MutatingAdmissionPolicy", Mutator)
        self.validating_policies = self._read_policies("ValidatingAdmissionPolicy", Validator)

    def _read_webhooks(self, kind: str) -> list[Webhook]:
        found: list[Webhook] = []
        for name, obj in sorted(self._stored[kind].items()):
            if (kind, name) not in self._compiled:
                self._compiled[kind, name] = [self._read_webhook(name, each) for each in obj.get("webhooks") or ()]
            found += self._compiled[kind, name]
        return found

    def _read_webhook(self, configuration: str, hook: Mapping[str, Any]) -> Webhook:
        environment = Names(stored=True).environment(variables=False)
        texts = [each.get("expression") or "" for each in hook.get("matchConditions") or ()]
        return Webhook(
            hook.get("name") or "",
            configuration,
            MatchResources(
                tuple(map(_read_rule, hook.get("rules") or ())),
                namespaces=hook.get("namespaceSelector") or {},
                objects=hook.get("objectSelector") or {},
                match_policy=hook.get("matchPolicy") or "Equivalent",
            ),
            tuple(compile_expression(text, environment, CONDITION, minor=NEWEST) for text in texts),
            self._find_client(hook.get("clientConfig") or {}),
            hook.get("failurePolicy") != "Ignore",
            hook.get("timeoutSeconds") or _SECONDS,
            hook.get("sideEffects") or "",
            tuple(hook.get("admissionReviewVersions") or ()),
            hook.get("reinvocationPolicy") == "IfNeeded",
        )

    def _find_client(self, config: Mapping[str, Any]) -> WebhookClient:
        """Returns the client for an address, which all webhooks with this address share."""
        key = json.dumps(config, sort_keys=True)
        found = self._clients.get(key)
        if found is None:
            found = self._clients[key] = WebhookClient(config, self._ended)
        return found

    def _read_policies(self, kind: str, evaluator: type[T]) -> list[PolicyHook[T]]:
        bindings: dict[str, list[Binding]] = {}
        for name in sorted(self._stored[f"{kind}Binding"]):
            binding = self._compile(f"{kind}Binding", name, read_binding)
            if binding is not None:
                bindings.setdefault(binding.policy, []).append(binding)
        found = []
        for name in sorted(self._stored[kind].keys() & bindings.keys()):
            compiled_one = self._compile(kind, name, lambda obj: evaluator(read_policy(obj)))
            if compiled_one is not None:
                found.append(PolicyHook(compiled_one, tuple(bindings[name])))
        return found

    def _compile(self, kind: str, name: str, read: Any) -> Any:
        """Returns a policy or a binding; None for one that cannot be read, which no server would have stored."""
        if (kind, name) not in self._compiled:
            try:
                self._compiled[kind, name] = read(self._stored[kind][name])
            except PolicyError:
                self._compiled[kind, name] = None
        return self._compiled[kind, name]


def _read_rule(rule: Mapping[str, Any]) -> ResourceRule:
    operations, groups, versions, resources = (
        tuple(rule.get(name) or ()) for name in ("operations", "apiGroups", "apiVersions", "resources")
    )
    return ResourceRule(operations, groups, versions, resources, rule.get("scope") or "*")


def _may_match(rule: ResourceRule, key: tuple[str, ...]) -> bool:
    group, resource, subresource, *operations = key
    if not {group, "*"} & {*rule.groups} or not {*operations, "*"} & {*rule.operations}:
        return False
    pairs = (each.partition("/") for each in rule.resources)
    return any(name in ("*", resource) and below in ("*" if below else "", subresource) for name, _, below in pairs)
