"""Reviews of admission: an `AdmissionReview` of `admission.k8s.io/v1` in, the same with an answer out.

Sources of the behaviour: `k8s.io/api/admission/v1`, `NewInvalid` in `pkg/api/errors` of `k8s.io/apimachinery` for what
an answer says, and `pkg/admission/plugin/webhook/request` of `k8s.io/apiserver` for what it may.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.registry import Registry

#: Says what is wrong: an object, the old one, and the subresource (`/` for the object itself) in, errors out. A kind
#: that nobody knows is a `LookupError`.
Judge = Callable[[Any, Any, str], Sequence[FieldError]]

API_VERSION, KIND = "admission.k8s.io/v1", "AdmissionReview"
#: What is judged. All else has no new object, and is allowed.
_JUDGED = ("CREATE", "UPDATE")
_OPERATIONS = (*_JUDGED, "DELETE", "CONNECT")
_INVALID, _BAD_REQUEST, _INTERNAL = 422, 400, 500
#: How many causes an answer lists, and how many characters a value of an annotation has at most.
_MOST_CAUSES, _LONGEST = 100, 1000


class ReviewError(ValueError):
    """A body that is no review; the text says why."""


def by_validators(registry: Registry, options: Mapping[str, bool]) -> Judge:
    """Judges by generated validators, with these validation options."""

    def judge(new: Any, old: Any, subresource: str) -> Sequence[FieldError]:
        kind = registry.of_object(new)
        if kind is None:
            shown = f"{new.get('kind')} of {new.get('apiVersion')}" if isinstance(new, dict) else "what is no object"
            raise LookupError(f"no validators are here for {shown}")
        if subresource not in (kind.subresources or ()) and not kind.schemas:
            return []
        return registry.validate(new, old, options=options, subresource=subresource)

    return judge


def answered(body: bytes, judge: Judge) -> dict[str, Any]:
    """The review with its answer.

    Args:
        body: the review as JSON.
        judge: says what is wrong with objects. If it fails, the request is refused.

    Raises:
        ReviewError: the body is no review.
    """
    request = _request(body)
    operation = request["operation"]
    response: dict[str, Any] = {"uid": request["uid"], "allowed": True}
    if operation in _JUDGED:
        new, old = request.get("object"), request.get("oldObject") if operation == "UPDATE" else None
        subresource = request.get("subResource") or ""
        try:
            errors = judge(new, old, f"/{subresource}")
        except LookupError as problem:
            response |= {"allowed": False, "status": _failure(_BAD_REQUEST, "BadRequest", str(problem))}
        except Exception as problem:
            text = f"the validation of the object failed: {type(problem).__name__}"
            response |= {"allowed": False, "status": _failure(_INTERNAL, "InternalError", text)}
        else:
            if errors:
                response |= _refused(request, new, errors)
    return {"apiVersion": API_VERSION, "kind": KIND, "response": response}


# --- in ---------------------------------------------------------------------------------------------------------------


def _request(body: bytes) -> dict[str, Any]:
    """The request of a review, of which the parts that are used have the right types."""
    try:
        review = json.loads(body)
    except (ValueError, RecursionError) as problem:
        raise ReviewError(f"the body is no JSON: {problem}") from None
    if not isinstance(review, dict):
        raise ReviewError("the body is no JSON object")
    found = (review.get("apiVersion"), review.get("kind"))
    if found != (API_VERSION, KIND):
        raise ReviewError(f"a {KIND} of {API_VERSION} is wanted, this is {found[1]!r:.80} of {found[0]!r:.80}")
    request = review.get("request")
    if not isinstance(request, dict):
        raise ReviewError("the review has no request")
    for name in ("uid", "operation"):
        if not isinstance(request.get(name), str) or not request[name]:
            raise ReviewError(f"request.{name} is no text")
    if request["operation"] not in _OPERATIONS:
        raise ReviewError(f"request.operation is none of {', '.join(_OPERATIONS)}")
    if not isinstance(request.get("subResource", ""), str | None):
        raise ReviewError("request.subResource is no text")
    if request["operation"] in _JUDGED and not isinstance(request.get("object"), dict):
        raise ReviewError("request.object is no object")
    if not isinstance(request.get("oldObject"), dict | None):
        raise ReviewError("request.oldObject is no object")
    return request


# --- out --------------------------------------------------------------------------------------------------------------


def _refused(request: Mapping[str, Any], obj: Any, errors: Sequence[FieldError]) -> dict[str, Any]:
    texts = list(dict.fromkeys(map(str, errors)))
    said = texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"
    kind, group = str(obj.get("kind")), str(obj.get("apiVersion")).rpartition("/")[0]
    name = _name(request, obj)
    status = _failure(_INVALID, "Invalid", f'{kind}{f".{group}" if group else ""} "{name}" is invalid: {said}')
    status["details"] = {"name": name, "group": group, "kind": kind, "causes": [*map(_cause, errors[:_MOST_CAUSES])]}
    rules = ",".join(sorted({error.origin for error in errors if error.origin}))
    answer: dict[str, Any] = {"allowed": False, "status": status}
    if rules:
        answer["auditAnnotations"] = {"rules": rules[:_LONGEST]}
    return answer


def _name(request: Mapping[str, Any], obj: Any) -> str:
    metadata = obj.get("metadata")
    known = metadata.get("name") if isinstance(metadata, dict) else None
    return str(request.get("name") or known or "")


def _failure(code: int, reason: str, message: str) -> dict[str, Any]:
    return {"status": "Failure", "code": code, "reason": reason, "message": message}


def _cause(error: FieldError) -> dict[str, str]:
    return {"reason": error.type.value, "message": error.body, "field": error.field}
