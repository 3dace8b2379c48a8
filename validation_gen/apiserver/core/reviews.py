"""Reviews: questions about access and users, which are answered and never stored. The one user may do everything.

Sources of the behaviour: `pkg/registry/authorization`, `pkg/registry/authentication` and
`pkg/apis/authorization/validation` of `k8s.io/kubernetes`, with the authorizer that allows everything.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping
from typing import Any

from validation_gen.apiserver.bodies import read_object
from validation_gen.apiserver.calls import USER, Call, Response, find_manager
from validation_gen.apiserver.core.types import encode
from validation_gen.apiserver.decoding import check_namespace, decode_sent
from validation_gen.apiserver.errors import bad_request, internal, invalid
from validation_gen.apiserver.negotiation import input_type
from validation_gen.apiserver.requests import write_options
from validation_gen.runtime.errors import FieldError

_ALL = ["*"]


async def review(call: Call, token: str) -> Response:
    """Answers a review. `token` is the server's token, empty if it needs none."""
    input_type(call.headers.get("content-type"), protobuf=call.resource.reads_protobuf)
    options = write_options("CreateOptions", call.query)
    obj = decode_sent(call, *read_object(call), options).object
    meta = obj["metadata"]
    check_namespace(call, meta)
    if meta.pop("resourceVersion", None):
        raise internal("resourceVersion should not be set on objects to be created")
    _check_request(obj)
    errors = [*_errors(obj, call.target.namespace)]
    if errors:
        raise invalid(call.resource.group, obj["kind"], meta.get("name") or "", errors)
    fields = call.resource.fields(call.version, "")
    found = fields.update(None, {**obj, "status": {}}, find_manager(call, options), call.clock.stamp())
    if obj["kind"] == "SelfSubjectReview":
        found["metadata"] = {"creationTimestamp": call.clock.stamp()}
    return Response(201, encode(call.version.type, {**found, "status": _status(obj, token)}))


def _check_request(obj: Mapping[str, Any]) -> None:
    """Refuses reviews without the part that they are about."""
    if obj["kind"] == "SelfSubjectRulesReview" and not obj["spec"].get("namespace"):
        raise bad_request("no namespace on request")
    if obj["kind"] == "TokenReview" and not obj["spec"].get("token"):
        raise bad_request("token is required for TokenReview in authentication")


def _errors(obj: Mapping[str, Any], namespace: str) -> Iterator[FieldError]:
    kind, spec = obj["kind"], obj.get("spec") or {}
    if not kind.endswith("AccessReview"):
        return
    resource, other = spec.get("resourceAttributes"), spec.get("nonResourceAttributes")
    if resource is not None and other is not None:
        detail = "cannot be specified in combination with resourceAttributes"
        yield FieldError.invalid("spec.nonResourceAttributes", other, detail)
    if resource is None and other is None:
        detail = "exactly one of nonResourceAttributes or resourceAttributes must be specified"
        yield FieldError.invalid("spec.resourceAttributes", None, detail)
    if not kind.startswith("Self") and not spec.get("user") and not spec.get("groups"):
        yield FieldError.invalid("spec.user", "", "at least one of user or group must be specified")
    meta = {name: value for name, value in obj["metadata"].items() if name != "managedFields" and value != namespace}
    if meta:
        only = "must be empty except for namespace" if kind.startswith("Local") else "must be empty"
        yield FieldError.invalid("metadata", meta, only)
    if kind.startswith("Local"):
        if resource is not None and (resource.get("namespace") or "") != namespace:
            yield FieldError.invalid(
                "spec.resourceAttributes.namespace", resource.get("namespace") or "", "must match metadata.namespace"
            )
        if other is not None:
            yield FieldError.invalid("spec.nonResourceAttributes", other, "disallowed on this kind of request")


def _status(obj: Mapping[str, Any], token: str) -> dict[str, Any]:
    kind = obj["kind"]
    if kind == "SelfSubjectReview":
        return {"userInfo": USER}
    if kind == "SelfSubjectRulesReview":
        return {
            "resourceRules": [{"verbs": _ALL, "apiGroups": _ALL, "resources": _ALL}],
            "nonResourceRules": [{"verbs": _ALL, "nonResourceURLs": _ALL}],
            "incomplete": False,
        }
    if kind != "TokenReview":
        return {"allowed": True}
    if token and hmac.compare_digest(obj["spec"]["token"].encode(), token.encode()):
        return {"authenticated": True, "user": USER}
    return {"error": "invalid bearer token"}
