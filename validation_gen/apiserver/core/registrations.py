"""Configurations of webhooks, policies and their bindings: defaults, and the checks of `kubernetes`.

Sources of the behaviour: `pkg/apis/admissionregistration/v1/defaults.go` and `pkg/registry/admissionregistration` of
`k8s.io/kubernetes`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from validation_gen.apiserver.core.rules import Rules
from validation_gen.apiserver.gojson import FindingError
from validation_gen.diagnostics import Severity
from validation_gen.kubernetes.policies.checking import binding_errors, policy_errors
from validation_gen.kubernetes.policies.reading import read_binding, read_policy
from validation_gen.kubernetes.registration import check
from validation_gen.runtime.errors import FieldError

_PORT, _SECONDS = 443, 10


class WebhookRules(Rules):
    """Configurations of webhooks."""

    namespaced = False

    def default(self, obj: dict[str, Any]) -> None:
        for hook in obj.get("webhooks") or ():
            for name, value in (("failurePolicy", "Fail"), ("matchPolicy", "Equivalent"), ("timeoutSeconds", _SECONDS)):
                hook.setdefault(name, value)
            for name in ("namespaceSelector", "objectSelector"):
                hook.setdefault(name, {})
            if obj["kind"] == "MutatingWebhookConfiguration":
                hook.setdefault("reinvocationPolicy", "Never")
            if hook["clientConfig"].get("service") is not None:
                hook["clientConfig"]["service"].setdefault("port", _PORT)
            _default_scopes(hook.get("rules"))

    def create_errors(self, obj: Mapping[str, Any]) -> list[FieldError]:
        sent = dict(obj)
        return [FindingError(found, sent) for found in check(sent) if found.severity is Severity.ERROR]


class PolicyRules(Rules):
    """Policies."""

    namespaced = False

    def default(self, obj: dict[str, Any]) -> None:
        obj["spec"].setdefault("failurePolicy", "Fail")
        _default_resources(obj["spec"].get("matchConstraints"))

    def prepare_create(self, obj: dict[str, Any]) -> None:
        if "status" in obj:
            obj["status"] = {}

    def prepare_update(self, obj: dict[str, Any], old: Mapping[str, Any], subresource: str) -> None:
        if subresource == "status":
            obj["spec"] = old["spec"]
        elif "status" in old:
            obj["status"] = old["status"]

    def create_errors(self, obj: Mapping[str, Any]) -> list[FieldError]:
        return policy_errors(read_policy(obj))

    def update_errors(self, obj: Mapping[str, Any], old: Mapping[str, Any], subresource: str) -> list[FieldError]:
        return [] if subresource == "status" else super().update_errors(obj, old, subresource)


class BindingRules(Rules):
    """Bindings of policies."""

    namespaced = False

    def default(self, obj: dict[str, Any]) -> None:
        _default_resources(obj["spec"].get("matchResources"))

    def create_errors(self, obj: Mapping[str, Any]) -> list[FieldError]:
        return binding_errors(read_binding(obj))


def _default_resources(resources: dict[str, Any] | None) -> None:
    if resources is None:
        return
    resources.setdefault("matchPolicy", "Equivalent")
    for name in ("namespaceSelector", "objectSelector"):
        resources.setdefault(name, {})
    for name in ("resourceRules", "excludeResourceRules"):
        _default_scopes(resources.get(name))


def _default_scopes(rules: list[dict[str, Any]] | None) -> None:
    for rule in rules or ():
        rule.setdefault("scope", "*")


def find_rules(kind: str) -> Rules:
    """Returns the rules of a kind."""
    if kind.endswith("Binding"):
        return BindingRules()
    return PolicyRules() if kind.endswith("Policy") else WebhookRules()
