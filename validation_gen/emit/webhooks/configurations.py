"""Registrations for the API server: a configuration for verdicts, and one for defaults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from validation_gen.emit.webhooks.kinds import EXPRESSION, NAME, SCALE, STATUS, Resource
from validation_gen.emit.webhooks.settings import WebhookSettings

_VERSION = "admissionregistration.k8s.io/v1"
#: The label that every namespace has with its own name.
_NAMESPACE_NAME = "kubernetes.io/metadata.name"
#: Namespace of the cluster's own components: it must work without the webhook.
_SYSTEM = "kube-system"
VALIDATE, MUTATE, CONVERT = "/validate", "/mutate", "/convert"


def validating(resources: Sequence[Resource], settings: WebhookSettings) -> dict[str, Any]:
    """The configuration for verdicts, a webhook for each resource."""
    skips = settings.skip_unchanged and not settings.arguments
    hooks = []
    for resource in resources:
        parts = ("", STATUS, *([SCALE] if settings.scale else []))
        hook = _hook("validate", resource, settings, VALIDATE, *parts)
        if skips and resource.skips:
            hook["matchConditions"] = [{"name": NAME, "expression": EXPRESSION}]
        hooks.append(hook)
    return _configuration("ValidatingWebhookConfiguration", hooks, settings)


def mutating(resources: Sequence[Resource], settings: WebhookSettings) -> dict[str, Any] | None:
    """The configuration for defaults, `None` if nothing has any."""
    hooks = []
    for resource in resources:
        if settings.mutate and resource.has_defaults:
            hook = _hook("mutate", resource, settings, MUTATE, "")
            hooks.append(hook | {"reinvocationPolicy": "IfNeeded"})
    return _configuration("MutatingWebhookConfiguration", hooks, settings) if hooks else None


def client_config(settings: WebhookSettings, path: str) -> dict[str, Any]:
    """Returns the address of the server. The CA bundle is added later."""
    service = {"name": settings.name, "namespace": settings.namespace, "path": path, "port": 443}
    return {"service": service}


def _configuration(kind: str, hooks: list[dict[str, Any]], settings: WebhookSettings) -> dict[str, Any]:
    return {
        "apiVersion": _VERSION,
        "kind": kind,
        "metadata": {"labels": settings.labels, "name": settings.name},
        "webhooks": hooks,
    }


def _hook(verb: str, resource: Resource, settings: WebhookSettings, path: str, *parts: str) -> dict[str, Any]:
    # The name of a hook needs three parts, which the core group would not give.
    name = f"{verb}.{resource.plural}.{resource.group or 'core'}"
    return {
        "name": name,
        "admissionReviewVersions": ["v1"],
        "clientConfig": client_config(settings, path),
        "failurePolicy": settings.failure_policy,
        "matchPolicy": "Equivalent",
        "namespaceSelector": {
            "matchExpressions": [
                {"key": _NAMESPACE_NAME, "operator": "NotIn", "values": sorted({_SYSTEM, settings.namespace})}
            ]
        },
        "rules": [
            {
                "apiGroups": [resource.group],
                "apiVersions": versions,
                "operations": ["CREATE", "UPDATE"],
                "resources": names,
                "scope": resource.scope,
            }
            for versions, names in resource.parts(*parts)
        ],
        "sideEffects": "None",
        "timeoutSeconds": settings.timeout_seconds,
    }
