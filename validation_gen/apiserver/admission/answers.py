"""Reviews of admission webhooks: the requests that are sent, and the checks of their answers.

Sources of the behaviour: `pkg/admission/plugin/webhook/{request,errors}` of `k8s.io/apiserver`, and the types of
`k8s.io/api/admission`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from validation_gen.apiserver.errors import ApiError
from validation_gen.apiserver.openapi_types import DETAILS, STATUS
from validation_gen.apiserver.webhook_client import CallError, read_review
from validation_gen.kubernetes.cel.functions.conversions import decode_base64
from validation_gen.kubernetes.cel.values import EvaluationError
from validation_gen.kubernetes.crd.decode import mistakes
from validation_gen.kubernetes.crd.gotypes import (
    ANYTHING,
    BOOL,
    STRING,
    STRING_MAP,
    STRINGS,
    GoType,
    Scalar,
    Struct,
)
from validation_gen.kubernetes.crd.schema_path import SchemaPath
from validation_gen.kubernetes.policies.requests import Request, request_value
from validation_gen.runtime.gotext import go_quote

GROUP, KIND = "admission.k8s.io", "AdmissionReview"
#: The versions of reviews that the server knows.
REVIEWS = ("v1", "v1beta1")
JSON_PATCH = "JSONPatch"
_TO_URL_ALPHABET = str.maketrans("+/-_", "-_+/")


def _review_type(version: str) -> Struct:
    response: dict[str, GoType] = {
        "uid": Scalar("types.UID", "string"),
        "allowed": BOOL,
        "status": STATUS,
        "patch": Scalar("[]uint8", "string"),
        "patchType": Scalar(f"{version}.PatchType", "string"),
        "auditAnnotations": STRING_MAP,
        "warnings": STRINGS,
    }
    return Struct(
        f"{version}.{KIND}",
        {
            **dict.fromkeys(("apiVersion", "kind"), STRING),
            "request": ANYTHING,
            "response": Struct(f"{version}.AdmissionResponse", response),
        },
    )


_TYPES = {version: _review_type(version) for version in REVIEWS}


class AnswerError(Exception):
    """An answer that the server does not accept; the text has the reason."""


@dataclass(frozen=True, slots=True)
class WebhookAnswer:
    """The answer of a webhook."""

    allowed: bool
    patch: bytes = b""
    patch_type: str = ""
    status: Mapping[str, Any] = field(default_factory=dict)
    annotations: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def write_review(uid: str, version: str, request: Request) -> bytes:
    """Returns a review for a webhook."""
    content = {**request_value(request), "uid": uid, "object": request.object, "oldObject": request.old}
    review = {"kind": KIND, "apiVersion": f"{GROUP}/{version}", "request": content}
    return json.dumps(review, separators=(",", ":")).encode()


def read_answer(data: bytes, media: str, uid: str, version: str, *, mutating: bool) -> WebhookAnswer:
    """Returns the answer in a review.

    Raises:
        CallError: it cannot be decoded.
        AnswerError: it is not accepted.
    """
    review = read_review(data, media, KIND, f"{GROUP}/{version}")
    for mistake in mistakes(review, _TYPES[version], SchemaPath("")):
        if mistake.unknown is None:
            raise CallError(mistake.text)
    response = review.get("response")
    if response is None:
        raise AnswerError("webhook response was absent")
    patch = _decode_patch(response.get("patch") or "")
    kind = response.get("patchType")
    if version == "v1":
        _check(review, uid, patch, kind, mutating=mutating)
    else:  # of older reviews, the server checks nothing
        kind = JSON_PATCH
    return WebhookAnswer(
        bool(response.get("allowed")),
        patch if mutating else b"",
        kind or "",
        response.get("status") or {},
        {key: text or "" for key, text in (response.get("auditAnnotations") or {}).items()},
        tuple(text or "" for text in response.get("warnings") or ()),
    )


def _decode_patch(text: str) -> bytes:
    try:
        return decode_base64(text.translate(_TO_URL_ALPHABET))
    except EvaluationError as problem:
        raise CallError(problem.message.rpartition(": ")[2]) from None


def _check(review: Mapping[str, Any], uid: str, patch: bytes, kind: str | None, *, mutating: bool) -> None:
    found = review["response"].get("uid") or ""
    if found != uid:
        raise AnswerError(f"expected response.uid={go_quote(uid)}, got {go_quote(found)}")
    group, _, version = (review.get("apiVersion") or "").rpartition("/")
    name = f"{group}/{version}, Kind={review.get('kind') or ''}"
    if name != f"{GROUP}/v1, Kind={KIND}":
        raise AnswerError(f"expected webhook response of {GROUP}/v1, Kind={KIND}, got {name}")
    if not mutating:
        if patch:
            raise AnswerError("validating webhook may not return response.patch")
        if kind is not None:
            raise AnswerError("validating webhook may not return response.patchType")
    elif patch and kind is None:
        raise AnswerError("webhook returned response.patch but not response.patchType")
    elif kind is not None and not patch:
        raise AnswerError("webhook returned response.patchType but not response.patch")
    elif kind == "":
        raise AnswerError('webhook returned invalid response.patchType of ""')


def make_refusal(name: str, status: Mapping[str, Any]) -> ApiError:
    """Returns the refusal of a request that a webhook does not allow."""
    message = f"admission webhook {go_quote(name)} denied the request"
    reason = status.get("reason") or ""
    explained = status.get("message") or reason
    code = max(status.get("code") or 0, 400)
    details = {key: value for key, value in (status.get("details") or {}).items() if key in DETAILS.fields and value}
    return ApiError(
        code if code < 1000 else 500,
        reason,
        f"{message}: {explained}" if explained else f"{message} without explanation",
        details if status.get("details") is not None else None,
        retry_after=max(details.get("retryAfterSeconds") or 0, 0),
    )
