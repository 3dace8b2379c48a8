"""Reviews of admission as JSON: an `AdmissionReview` of `admission.k8s.io/v1` in, the same with an answer out.

Sources of the behaviour: `k8s.io/api/admission/v1`, `NewInvalid` in `pkg/api/errors` of `k8s.io/apimachinery` for what
an answer says, and `pkg/admission/plugin/webhook/request` of `k8s.io/apiserver` for what it may. Nothing here judges.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from validation_gen.runtime.errors import FieldError

API_VERSION, KIND = "admission.k8s.io/v1", "AdmissionReview"
#: The operations that have a new object.
WRITING = ("CREATE", "UPDATE")
_OPERATIONS = (*WRITING, "DELETE", "CONNECT")
_INVALID = 422
#: How many causes an answer lists, and how many characters a value of an annotation has at most.
_MOST_CAUSES, _LONGEST = 100, 1000


class ReviewError(ValueError):
    """A body that is no review; the text says why."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a server asks about.

    Attributes:
        uid: names the request; the answer repeats it.
        operation: `CREATE`, `UPDATE`, `DELETE` or `CONNECT`.
        object: the new object, None where there is none.
        old: the old object, None where there is none.
        subresource: the part of the object that is asked about, such as `status`; empty for all of it.
        name: the name of the object; empty while nobody has given it one.
        namespace: empty for objects that are in none.
        user: who asks, as `authentication.k8s.io/v1` has it: `username`, `groups` …
        dry_run: whether nothing will be stored, so that nothing may be changed elsewhere.
        content: all of the request, as it was sent.
    """

    uid: str
    operation: str
    object: Any = None
    old: Any = None
    subresource: str = ""
    name: str = ""
    namespace: str = ""
    user: Mapping[str, Any] = field(default_factory=dict)
    dry_run: bool = False
    content: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def about(self) -> tuple[str, str, str]:
        """The group, version and kind of the object."""
        obj = self.object if isinstance(self.object, dict) else self.old
        obj = obj if isinstance(obj, dict) else {}
        group, _, version = str(obj.get("apiVersion") or "").rpartition("/")
        return group, version, str(obj.get("kind") or "")


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, and what is counted and logged of it.

    Attributes:
        review: as JSON.
        allowed: whether the request is.
        kind: the kind that it was about, empty if there is none.
        rules: the names of the rules that were broken, each once.
        failure: what has failed on our side, empty if nothing has.
    """

    review: Mapping[str, Any]
    allowed: bool = True
    kind: str = ""
    rules: tuple[str, ...] = ()
    failure: str = ""


_Asked = TypeVar("_Asked")


class Endpoint(Protocol[_Asked]):
    """What answers at one path."""

    def read(self, body: bytes) -> _Asked:
        """What a body asks.

        Raises:
            ReviewError: it is no review.
        """

    async def answer(self, asked: _Asked) -> Answer:
        """The answer. Nothing is raised for anything that was asked."""

    def failed(self, asked: _Asked, code: int, reason: str, message: str) -> Answer:
        """The answer where there is none, as when time is up: the request is refused."""


# --- in ---------------------------------------------------------------------------------------------------------------


def read_review(body: bytes) -> Request:
    """The request of a review, of which the parts that are used have the right types.

    Raises:
        ReviewError: the body is no review.
    """
    review = read_object(body)
    found = (review.get("apiVersion"), review.get("kind"))
    if found != (API_VERSION, KIND):
        raise ReviewError(f"an {KIND} of {API_VERSION} is wanted, this is {found[1]!r:.80} of {found[0]!r:.80}")
    request = review.get("request")
    if not isinstance(request, dict):
        raise ReviewError("the review has no request")
    for name in ("uid", "operation"):
        if not isinstance(request.get(name), str) or not request[name]:
            raise ReviewError(f"request.{name} is no text")
    if request["operation"] not in _OPERATIONS:
        raise ReviewError(f"request.operation is none of {', '.join(_OPERATIONS)}")
    for name in ("subResource", "name", "namespace"):
        if not isinstance(request.get(name), str | None):
            raise ReviewError(f"request.{name} is no text")
    if request["operation"] in WRITING and not isinstance(request.get("object"), dict):
        raise ReviewError("request.object is no object")
    for name in ("object", "oldObject", "userInfo"):
        if not isinstance(request.get(name), dict | None):
            raise ReviewError(f"request.{name} is no object")
    if not isinstance(request.get("dryRun"), bool | None):
        raise ReviewError("request.dryRun is neither true nor false")
    return Request(
        request["uid"],
        request["operation"],
        request.get("object"),
        request.get("oldObject"),
        request.get("subResource") or "",
        request.get("name") or "",
        request.get("namespace") or "",
        request.get("userInfo") or {},
        request.get("dryRun") or False,
        request,
    )


def read_object(body: bytes) -> dict[str, Any]:
    """A body as a JSON object.

    Raises:
        ReviewError: it is none.
    """
    try:
        found = _decode(body.decode(json.detect_encoding(body), "surrogatepass"))
    except (ValueError, RecursionError) as problem:
        raise ReviewError(f"the body is no JSON: {problem!s:.200}") from None
    if not isinstance(found, dict):
        raise ReviewError("the body is no JSON object")
    return found


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")


#: As `json.loads`, which would make a decoder each time.
_decode = json.JSONDecoder(parse_constant=_no_number).decode


# --- out --------------------------------------------------------------------------------------------------------------


def allowed(request: Request, **more: Any) -> Answer:
    """The answer that nothing is against a request; `more` is added to it, as it has a value."""
    response = {"uid": request.uid, "allowed": True, **{name: value for name, value in more.items() if value}}
    return Answer(_review(response), kind=request.about[2])


def invalid(request: Request, errors: Sequence[FieldError], warnings: Sequence[str] = ()) -> Answer:
    """The answer to a request about an object that is wrong, as a server words it."""
    texts = list(dict.fromkeys(map(str, errors)))
    said = texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"
    group, _, kind = request.about
    name = request.name or _own_name(request.object)
    status = _status(_INVALID, "Invalid", f'{kind}{f".{group}" if group else ""} "{name}" is invalid: {said}')
    status["details"] = {"name": name, "group": group, "kind": kind, "causes": [*map(_cause, errors[:_MOST_CAUSES])]}
    rules = tuple(sorted({error.origin for error in errors if error.origin}))
    response: dict[str, Any] = {"uid": request.uid, "allowed": False, "status": status}
    if warnings:
        response["warnings"] = list(warnings)
    if rules:
        response["auditAnnotations"] = {"rules": ",".join(rules)[:_LONGEST]}
    return Answer(_review(response), allowed=False, kind=kind, rules=rules)


def refused(request: Request, code: int, reason: str, message: str) -> Answer:
    """The answer that refuses a request for another reason than what is wrong with its object."""
    response = {"uid": request.uid, "allowed": False, "status": _status(code, reason, message)}
    failure = message if code >= 500 else ""
    return Answer(_review(response), allowed=False, kind=request.about[2], failure=failure)


def _review(response: Mapping[str, Any]) -> dict[str, Any]:
    return {"apiVersion": API_VERSION, "kind": KIND, "response": response}


def _own_name(obj: Any) -> str:
    metadata = obj.get("metadata") if isinstance(obj, dict) else None
    return str((metadata.get("name") if isinstance(metadata, dict) else None) or "")


def _status(code: int, reason: str, message: str) -> dict[str, Any]:
    return {"status": "Failure", "code": code, "reason": reason, "message": message}


def _cause(error: FieldError) -> dict[str, str]:
    return {"reason": error.type.value, "message": error.body, "field": error.field}
