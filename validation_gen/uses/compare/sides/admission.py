"""Builds admission requests as the API server does, and reads the answers of webhooks.

Source of the form: `AdmissionReview` of `k8s.io/api/admission/v1`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from validation_gen.mismatch.adapters.protocol import MalformedError
from validation_gen.mismatch.adapters.statuses import errors_of
from validation_gen.mismatch.adapters.subject import Subject
from validation_gen.runtime.errors import Mark
from validation_gen.runtime.shapes import Shape
from validation_gen.types.naming import plural_of
from validation_gen.uses.compare.requests import Request
from validation_gen.uses.compare.sides.answer import Answer, Refusal
from validation_gen.uses.compare.sides.limits import MOST_ERRORS
from validation_gen.uses.compare.sides.untrusted import UnreadableError, check_names, decoded

_API = "admission.k8s.io/v1"
_COVERED = frozenset({Mark.COVERED})


class UnaskableError(ValueError):
    """A request that cannot be sent to a webhook; the text is the reason."""


def review_of(request: Request, uid: str, plurals: Mapping[str, str]) -> dict[str, Any]:
    """Returns the review of a dry run.

    Raises:
        UnaskableError: the object lacks data that a review needs.
    """
    obj = request.obj if isinstance(request.obj, dict) else {}
    version, kind = _text(obj.get("apiVersion")) or request.api_version, _text(obj.get("kind")) or request.kind
    if not version:
        raise UnaskableError("a request to a webhook needs an apiVersion, which the object does not have")
    if request.update and request.old is None:
        raise UnaskableError("a request to a webhook about an update needs the old object")
    group, _, name = version.rpartition("/")
    of_kind = {"group": group, "version": name, "kind": kind}
    resource = {"group": group, "version": name, "resource": plurals.get(kind) or plural_of(kind)}
    metadata = obj.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    part = request.subresource.strip("/")
    asked: dict[str, Any] = {
        "uid": uid,
        "kind": of_kind,
        "resource": resource,
        **({"subResource": part} if part else {}),
        "requestKind": of_kind,
        "requestResource": resource,
        **({"requestSubResource": part} if part else {}),
        **{field: value for field in ("name", "namespace") if (value := _text(metadata.get(field)))},
        "operation": "UPDATE" if request.update else "CREATE",
        "userInfo": {"username": "validation-gen", "groups": ["system:authenticated"]},
        "object": _named(request.obj, version, kind),
        "oldObject": _named(request.old, version, kind) if request.update else None,
        "dryRun": True,
        "options": {
            "apiVersion": "meta.k8s.io/v1",
            "kind": "UpdateOptions" if request.update else "CreateOptions",
            "dryRun": ["All"],
        },
    }
    return {"apiVersion": _API, "kind": "AdmissionReview", "request": asked}


def _named(obj: Any, version: str, kind: str) -> Any:
    return {"apiVersion": version, "kind": kind} | obj if isinstance(obj, dict) else obj


def answer_of(body: bytes, uid: str, obj: Any, shape: Shape | None = None) -> Answer:
    """Reads the answer of a webhook: the causes of a refusal, or the errors of its message. Warnings are not errors."""
    try:
        data = decoded(body)
    except UnreadableError as error:
        why = f": {error}" if error.args else ""
        return Refusal(f"the webhook answered with {_quoted(body)}, which is no JSON{why}")
    response = data.get("response") if isinstance(data, dict) else None
    if not isinstance(response, dict) or not isinstance(response.get("allowed"), bool):
        return Refusal(f"the webhook answered with {_quoted(body)}, which is no response to an AdmissionReview")
    if response.get("uid") != uid:
        return Refusal(f"the webhook answered to another uid ({response.get('uid')!r:.80})")
    if response["allowed"]:
        return []
    try:
        _check(response.get("status"))
    except MalformedError as error:
        return Refusal(f"the webhook answered with a malformed error: {error}")
    return errors_of(response.get("status"), Subject(obj, shape, marks=_COVERED))


def _check(status: Any) -> None:
    """Refuses more causes than the limit, and names that are too long.

    Raises:
        MalformedError: the text names the exceeded limit.
    """
    details = status.get("details") if isinstance(status, Mapping) else None
    causes = details.get("causes") if isinstance(details, Mapping) else None
    if isinstance(causes, list):
        if len(causes) > MOST_ERRORS:
            raise MalformedError(f"there are {len(causes)} causes, of which only {MOST_ERRORS} are read")
        for cause in causes:
            check_names(cause)


def _quoted(body: bytes) -> str:
    text = body[:500].decode("utf-8", "replace").strip()
    return repr(text if len(text) <= 120 else f"{text[:119]}…")


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
