"""Reviews of admission as JSON: an `AdmissionReview` of `admission.k8s.io/v1` in, the same with an answer out.

Sources of the behaviour: `k8s.io/api/admission/v1`, `NewInvalid` in `pkg/api/errors` of `k8s.io/apimachinery` for the
text of an answer, and `pkg/admission/plugin/webhook/request` of `k8s.io/apiserver` for its limits. Nothing here
validates.
"""

from __future__ import annotations

import functools
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.gotext import go_quote
from validation_gen.runtime.levels import describe_level

API_VERSION, KIND = "admission.k8s.io/v1", "AdmissionReview"
#: Operations with a new object, and all operations.
WRITING = ("CREATE", "UPDATE")
OPERATIONS = (*WRITING, "DELETE", "CONNECT")
_INVALID = 422
#: Greatest number of causes in an answer, and of errors in its message; characters of a message, before the last error.
_MOST_CAUSES, _MOST_TEXTS, _MOST_TEXT = 100, 1000, 32 << 10
#: Characters of one cause, and of a path and a value of an annotation.
_LONGEST_CAUSE, _LONGEST = 4096, 1000
#: Characters of all warnings, and of one if all are too long, as in servers.
_MOST_WARNINGS, _LONGEST_WARNING = 4096, 256
#: Greatest size of a small body in bytes.
_SMALL = 16 << 10
_TAG = re.compile(r"(?:\+[^=(]+(?:\([^)]*\))?=(?=\+))*\+(?:\w+:)?(\w+)")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")


class ReviewError(ValueError):
    """A body that is no review; the text has the reason."""


@dataclass(frozen=True, slots=True)
class Request:
    """An admission request of a server.

    Attributes:
        uid: id of the request; the answer repeats it.
        operation: `CREATE`, `UPDATE`, `DELETE` or `CONNECT`.
        object: the new object, None where there is none.
        old: the old object, None where there is none.
        subresource: the subresource, such as `status`; empty for the object itself.
        name: the name of the object; empty before it is generated.
        namespace: empty for cluster-scoped objects.
        user: the user, in the form of `authentication.k8s.io/v1`: `username`, `groups` …
        dry_run: whether nothing will be stored, so that nothing may be changed elsewhere.
        content: the whole request, as it was sent.
        size: the bytes of its body, 0 without one.
        due: deadline of the answer, by the clock of the event loop; infinite without one.
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
    size: int = 0
    due: float = math.inf

    @property
    def is_small(self) -> bool:
        """True if its object can be validated in the event loop: that takes less time than starting a thread."""
        return 0 < self.size <= _SMALL

    @property
    def about(self) -> tuple[str, str, str]:
        """The group, version and kind of the object."""
        obj = self.object if isinstance(self.object, dict) else self.old
        obj = obj if isinstance(obj, dict) else {}
        group, _, version = _text(obj.get("apiVersion")).rpartition("/")
        return group, version, _text(obj.get("kind"))

    @property
    def resource(self) -> tuple[str, str, str]:
        """The group, version and plural name of the resource; for a scale, those of the scaled object."""
        found = self.content.get("resource")
        found = found if isinstance(found, dict) else {}
        return _text(found.get("group")), _text(found.get("version")), _text(found.get("resource"))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, with the facts for metrics and logs.

    Attributes:
        review: as JSON.
        allowed: whether the request is.
        kind: the kind of the object, empty if there is none.
        rules: the names of the broken rules, each once.
        warned: the names of those whose errors are only warnings.
        failure: internal failure, empty if there is none.
        names: the objects of a refused conversion.
        reason: why it is refused, for the log.
    """

    review: Mapping[str, Any]
    allowed: bool = True
    kind: str = ""
    rules: tuple[str, ...] = ()
    warned: tuple[str, ...] = ()
    failure: str = ""
    names: tuple[str, ...] = ()
    reason: str = ""


_Asked = TypeVar("_Asked")


class Endpoint(Protocol[_Asked]):
    """Handler of one path."""

    def read(self, body: bytes) -> _Asked:
        """Reads a body.

        Raises:
            ReviewError: it is no review.
        """

    async def answer(self, asked: _Asked) -> Answer:
        """Returns the answer. It never raises for a bad request."""

    def failed(self, asked: _Asked, code: int, reason: str, message: str) -> Answer:
        """Returns the answer that refuses a request, for a failure or at its deadline."""


# --- in ---------------------------------------------------------------------------------------------------------------


def read_review(body: bytes) -> Request:
    """Reads the request of a review, and checks the types of the parts that are used.

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
            raise ReviewError(f"request.{name} is not a string")
    if request["operation"] not in OPERATIONS:
        raise ReviewError(f"request.operation is none of {', '.join(OPERATIONS)}")
    for name in ("subResource", "name", "namespace"):
        if not isinstance(request.get(name), str | None):
            raise ReviewError(f"request.{name} is not a string")
    if request["operation"] in WRITING and not isinstance(request.get("object"), dict):
        raise ReviewError("request.object is not an object")
    for name in ("object", "oldObject", "userInfo"):
        if not isinstance(request.get(name), dict | None):
            raise ReviewError(f"request.{name} is not an object")
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
        len(body),
    )


def read_object(body: bytes) -> dict[str, Any]:
    """Returns a body as a JSON object.

    Raises:
        ReviewError: the body is no JSON object.
    """
    try:
        found = _decode(body.decode(json.detect_encoding(body), "surrogatepass"))
    except (ValueError, RecursionError) as problem:
        raise ReviewError(f"the body is not JSON: {problem!s:.200}") from None
    if not isinstance(found, dict):
        raise ReviewError("the body is not a JSON object")
    return found


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is not a number")


#: Like `json.loads`, which would make a decoder each time.
_decode = json.JSONDecoder(parse_constant=_no_number).decode


# --- out --------------------------------------------------------------------------------------------------------------


def allowed(
    request: Request, *, warnings: Sequence[str] = (), annotations: Mapping[str, str] | None = None, **more: Any
) -> Answer:
    """Returns the answer that allows a request; the parts of `more` that have a value are added."""
    response = {"uid": request.uid, "allowed": True, **{name: value for name, value in more.items() if value}}
    _tell(response, warnings, annotations)
    return Answer(_review(response), kind=request.about[2])


def invalid(
    request: Request,
    errors: Sequence[FieldError],
    warnings: Sequence[str] = (),
    annotations: Mapping[str, str] | None = None,
) -> Answer:
    """Returns the answer to a request about an invalid object, in a server's words.

    A server lists all errors, however many and long they are. Here a message and its values are limited.
    """
    texts: dict[str, None] = {}
    causes: list[dict[str, str]] = []
    length = left = 0
    for number, error in enumerate(errors):
        if length > _MOST_TEXT or number >= _MOST_TEXTS:
            left = len(errors) - number
            break
        body, at = f"{_truncate(error.body, _LONGEST_CAUSE)}{describe_level(error)}", _truncate(error.field, _LONGEST)
        if len(causes) < _MOST_CAUSES:
            causes.append({"reason": error.type.value, "message": body, "field": at})
        text = f"{at}: {body}"
        if text not in texts:
            texts[text] = None
            length += len(text)
    shown = [*texts, *([f"and {left} more"] if left else [])]
    message = shown[0] if len(shown) == 1 else f"[{', '.join(shown)}]"
    group, _, kind = request.about
    name = request.name or _own_name(request.object)
    status = _status(
        _INVALID, "Invalid", f"{kind}{f'.{group}' if group else ''} {go_quote(name)} is invalid: {message}"
    )
    details = {"name": name, "group": group, "kind": kind}
    status["details"] = {**{key: value for key, value in details.items() if value}, "causes": causes}
    rules = find_rules(errors)
    response: dict[str, Any] = {"uid": request.uid, "allowed": False, "status": status}
    _tell(response, warnings, {**({"rules": ",".join(rules)} if rules else {}), **(annotations or {})})
    return Answer(_review(response), allowed=False, kind=kind, rules=rules)


def refused(
    request: Request,
    code: int,
    reason: str,
    message: str,
    warnings: Sequence[str] = (),
    annotations: Mapping[str, str] | None = None,
) -> Answer:
    """Returns the answer that refuses a request for another reason than errors of its object."""
    message = _truncate(message, _LONGEST_CAUSE)
    response = {"uid": request.uid, "allowed": False, "status": _status(code, reason, message)}
    _tell(response, warnings, annotations)
    failure = message if code >= 500 else ""
    return Answer(_review(response), allowed=False, kind=request.about[2], failure=failure)


def find_rules(errors: Iterable[FieldError]) -> tuple[str, ...]:
    """Returns the names of the broken rules, each once. Errors of presence and of types have no origin."""
    return tuple(sorted({error.origin or _tag(error.tag) or error.type.value for error in errors}))


@functools.lru_cache(maxsize=1000)
def _tag(text: str) -> str:
    """Returns the name of a tag; for a chain, the name of the innermost tag."""
    found = _TAG.match(text)
    return found[1] if found else ""


def _review(response: Mapping[str, Any]) -> dict[str, Any]:
    return {"apiVersion": API_VERSION, "kind": KIND, "response": response}


def _own_name(obj: Any) -> str:
    metadata = obj.get("metadata") if isinstance(obj, dict) else None
    return _text(metadata.get("name")) if isinstance(metadata, dict) else ""


def _status(code: int, reason: str, message: str) -> dict[str, Any]:
    return {"status": "Failure", "code": code, "reason": reason, "message": message}


def _tell(response: dict[str, Any], warnings: Sequence[str], annotations: Mapping[str, str] | None) -> None:
    """Adds warnings and audit annotations to an answer, if there are any."""
    if warnings:
        response["warnings"] = truncate_warnings(warnings)
    if annotations:
        response["auditAnnotations"] = {name: _truncate(value, _LONGEST) for name, value in sorted(annotations.items())}


def truncate_warnings(warnings: Sequence[str]) -> list[str]:
    """Returns warnings as clients see them: each once, with those that are too long for a server cut here.

    Source of the limits: `WithWarningRecorder` in `pkg/endpoints/filters/warning.go` of `k8s.io/apiserver`. A server
    would drop a warning with control characters.
    """
    distinct = [_CONTROL.sub(" ", text[: _MOST_WARNINGS + 1]) for text in dict.fromkeys(warnings) if text]
    if sum(map(len, distinct)) <= _MOST_WARNINGS:
        return distinct
    found: list[str] = []
    room = _MOST_WARNINGS - _LONGEST_WARNING  # the last one has their number
    for text in distinct:
        shown = _truncate(text, _LONGEST_WARNING)
        if len(shown) > room:
            break
        found.append(shown)
        room -= len(shown)
    left = len(distinct) - len(found)
    return [*found, f"and {left} more"] if left else found


def _truncate(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
