"""Admission webhooks and their configurations, for tests of the server."""

from __future__ import annotations

import base64
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from tests.kubernetes.crd.schemas import definition
from tests.server.asking import Answer, Asking, serving
from tests.server.converting import Webhook

GROUP = "admissionregistration.k8s.io"
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
ROBOTS = "/apis/example.com/v1/namespaces/a/robots"
OLD_ROBOTS = "/apis/example.com/v1beta1/namespaces/a/robots"
JSON_PATCH, MERGE = ({"content-type": f"application/{kind}-patch+json"} for kind in ("json", "merge"))
APPLY = {"content-type": "application/apply-patch+yaml"}
RULE = {"operations": ["*"], "apiGroups": ["example.com"], "apiVersions": ["v1"], "resources": ["robots"]}
_PLURALS = {
    "MutatingWebhookConfiguration": "mutatingwebhookconfigurations",
    "ValidatingWebhookConfiguration": "validatingwebhookconfigurations",
    "MutatingAdmissionPolicy": "mutatingadmissionpolicies",
    "MutatingAdmissionPolicyBinding": "mutatingadmissionpolicybindings",
    "ValidatingAdmissionPolicy": "validatingadmissionpolicies",
    "ValidatingAdmissionPolicyBinding": "validatingadmissionpolicybindings",
}


def robots() -> dict[str, Any]:
    """A definition with two versions, whose names alone differ but for a default."""

    def version(name: str, wheels: int, *, storage: bool) -> dict[str, Any]:
        spec = {
            "type": "object",
            "properties": {
                "color": {"type": "string", "maxLength": 8},
                "wheels": {"type": "integer", "default": wheels},
                "replicas": {"type": "integer"},
                "tools": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
            },
        }
        status = {"type": "object", "properties": {"state": {"type": "string"}, "replicas": {"type": "integer"}}}
        return {
            "name": name,
            "served": True,
            "storage": storage,
            "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec, "status": status}}},
            "subresources": {
                "status": {},
                "scale": {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"},
            },
        }

    return definition(versions=[version("v1", 4, storage=True), version("v1beta1", 3, storage=False)])


def robot(name: str = "talos", *, version: str = "v1", meta: Any = None, **spec: Any) -> dict[str, Any]:
    about = {"name": name} | (meta or {})
    return {"apiVersion": f"example.com/{version}", "kind": "Robot", "metadata": about, "spec": spec}


def webhook(hook: Webhook | None, name: str = "robots.example.com", **fields: Any) -> dict[str, Any]:
    client = {} if hook is None else {"url": hook.url, "caBundle": hook.bundle}
    known = {
        "name": name,
        "clientConfig": client,
        "rules": [RULE],
        "failurePolicy": "Fail",
        "matchPolicy": "Equivalent",
        "sideEffects": "None",
        "timeoutSeconds": 10,
        "admissionReviewVersions": ["v1"],
    }
    return known | fields


def configuration(kind: str, *webhooks: dict[str, Any], name: str = "hooks") -> dict[str, Any]:
    return {
        "apiVersion": f"{GROUP}/v1",
        "kind": f"{kind}WebhookConfiguration",
        "metadata": {"name": name},
        "webhooks": list(webhooks),
    }


async def configure(asking: Asking, *objects: dict[str, Any]) -> None:
    """Stores configurations, instead of all of the same kind that are there."""
    for kind in {obj["kind"] for obj in objects}:
        assert (await asking.ask("DELETE", f"/apis/{GROUP}/v1/{_PLURALS[kind]}")).status == 200
    for obj in objects:
        made = await asking.ask("POST", f"/apis/{GROUP}/v1/{_PLURALS[obj['kind']]}", obj)
        assert made.status == 201, made.body


async def store(asking: Asking, obj: dict[str, Any]) -> None:
    """Stores a configuration that only older servers accept."""
    resource = asking.app.builtin[GROUP, _PLURALS[obj["kind"]]]
    key = f"{resource.prefix}{obj['metadata']['name']}"
    known = await asking.app.store.get(key)
    await asking.app.store.put(key, json.dumps(obj).encode(), known.revision if known else 0)
    await asking.settle()


def allow(review: dict[str, Any]) -> dict[str, Any]:
    """Allows a request, and has the form of all answers."""
    response = {"uid": review["request"]["uid"], "allowed": True}
    return {"apiVersion": review["apiVersion"], "kind": "AdmissionReview", "response": response}


def responding(**fields: Any) -> Callable[[dict[str, Any]], None]:
    """Returns a change of an answer: it has these fields in its response."""

    def change(answer: dict[str, Any]) -> None:
        answer["response"] |= fields

    return change


def patching(*operations: dict[str, Any]) -> Callable[[dict[str, Any]], None]:
    """Returns a change of an answer: it has a patch."""
    patch = base64.b64encode(json.dumps(operations).encode()).decode()
    return responding(patch=patch, patchType="JSONPatch")


@asynccontextmanager
async def serving_robots() -> AsyncIterator[Asking]:
    async with serving() as asking:
        assert (await asking.ask("POST", DEFINITIONS, robots())).status == 201
        await asking.settle()
        yield asking


def noting(asking: Asking) -> list[dict[str, str]]:
    """Returns a list that gets the annotations of all later requests, each as soon as its admission begins."""
    found: list[dict[str, str]] = []
    begin = asking.app.admission.begin

    async def noted(call: Any) -> Any:
        found.append(call.annotations)
        return await begin(call)

    asking.app.admission.begin = noted  # type: ignore[method-assign]
    return found


def shown(answer: Answer) -> tuple[int, str, str]:
    """The code, the reason and the message of a refusal."""
    with contextlib.suppress(KeyError):
        return answer.status, answer.json.get("reason", ""), answer.json["message"]
    return answer.status, "", ""
