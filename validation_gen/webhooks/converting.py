"""Reviews of conversions: a `ConversionReview` of `apiextensions.k8s.io/v1` in, the same with an answer out.

Sources of the behaviour: `pkg/apis/apiextensions/v1` and `pkg/apiserver/conversion/webhook_converter.go` of
`k8s.io/apiextensions-apiserver`. A server sends the items of lists one by one, each as an object of its own. It accepts
all objects, in the order in which it has sent them, or else shows its client the message of the answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from validation_gen.runtime.words import counted
from validation_gen.webhooks.conversions import ConversionError, Converter
from validation_gen.webhooks.conversions.values import describe, find_cause, find_line, render_value
from validation_gen.webhooks.reviews import Answer, ReviewError, read_object

API_VERSION, KIND = "apiextensions.k8s.io/v1", "ConversionReview"
#: Greatest number of failures in a message, and of characters of each.
_MOST_TOLD, _LONGEST = 10, 400


@dataclass(frozen=True, slots=True)
class Asked:
    """Request of a conversion.

    Attributes:
        uid: id of the request; the answer repeats it.
        wanted: the target API version.
        objects: the objects; their types have not been checked.
    """

    uid: str
    wanted: str
    objects: Sequence[Any] = field(repr=False)

    @property
    def kind(self) -> str:
        """The kind of the objects: a request has objects of one kind only."""
        first = self.objects[0] if self.objects else None
        found = first.get("kind") if isinstance(first, dict) else None
        return found if isinstance(found, str) else ""


class Converting:
    """Endpoint of `/convert`.

    Args:
        converter: converts objects. If it fails, the answer reports the object as one that cannot be converted.
    """

    def __init__(self, converter: Converter) -> None:
        self._converter = converter

    def read(self, body: bytes) -> Asked:
        """Reads a body as `read_review` does."""
        return read_review(body)

    async def answer(self, asked: Asked) -> Answer:
        """Does the same as `converted`, in a thread."""
        import anyio.to_thread  # noqa: PLC0415 - it comes with the extra `serve`, which not everybody needs

        return await anyio.to_thread.run_sync(self.converted, asked)

    def failed(self, asked: Asked, code: int, reason: str, message: str) -> Answer:
        """Returns the answer that nothing was converted, with the reason."""
        result = {"status": "Failure", "code": code, "reason": reason, "message": message}
        return _answer(asked, [], result, failure=message)

    def converted(self, asked: Asked) -> Answer:
        """Returns all objects in their order, or none and the reasons."""
        done: list[Any] = []
        failures: list[str] = []
        reasons: list[str] = []
        names: list[str] = []
        for index, obj in enumerate(asked.objects):
            try:
                done.append(self._converter.convert(obj, asked.wanted))
            except Exception as problem:  # a defect in one conversion must not hide the other results
                about = f"objects[{index}]{_name(obj)}"
                text, reason = _texts(problem, obj)
                failures.append(f"{about}: {text}")
                reasons.append(f"{about}: {reason}")
                names.append(_name(obj).strip(' "') or f"objects[{index}]")
        if failures:
            total = len(asked.objects)
            result = {"status": "Failure", "message": _message(failures, total)}
            return _answer(asked, [], result, names=names, reason=_message(reasons, total))
        return _answer(asked, done, {"status": "Success"})


def converted(body: bytes, converter: Converter) -> Mapping[str, Any]:
    """Returns the review with its answer, for programs with another kind of server.

    Raises:
        ReviewError: the body is no review.
    """
    endpoint = Converting(converter)
    return endpoint.converted(endpoint.read(body)).review


def read_review(body: bytes) -> Asked:
    """Reads a review, and checks the types of the parts that are used.

    Raises:
        ReviewError: the body is no review.
    """
    review = read_object(body)
    found = (review.get("apiVersion"), review.get("kind"))
    if found != (API_VERSION, KIND):
        version, kind = map(render_value, found)
        raise ReviewError(f"a {KIND} of {API_VERSION} is wanted, this is {kind:.80} of {version:.80}")
    request = review.get("request")
    if not isinstance(request, dict):
        raise ReviewError("the review has no request")
    for name in ("uid", "desiredAPIVersion"):
        if not isinstance(request.get(name), str) or not request[name]:
            raise ReviewError(f"request.{name} is not a string")
    # An empty list of Go is null.
    objects = request.get("objects")
    if objects is not None and not isinstance(objects, list):
        raise ReviewError("request.objects is not a list")
    return Asked(request["uid"], request["desiredAPIVersion"], objects or [])


def _texts(problem: Exception, obj: Any) -> tuple[str, str]:
    """Returns why an object cannot be converted, for the client and for the log.

    The client gets the class of an exception and its line, the log its text as well, without values of the object.
    """
    text = str(problem) if isinstance(problem, ConversionError) else f"the conversion failed: {type(problem).__name__}"
    cause = find_cause(problem)
    if cause is None:
        return text, text
    line = find_line(cause)
    place = f" at {line}" if line else ""
    return f"{text}{place}", f"{text.removesuffix(type(cause).__name__)}{describe(cause, obj)}{place}"


def _answer(
    asked: Asked,
    done: Sequence[Any],
    result: Mapping[str, Any],
    *,
    failure: str = "",
    names: Sequence[str] = (),
    reason: str = "",
) -> Answer:
    response = {"uid": asked.uid, "convertedObjects": list(done), "result": dict(result)}
    review = {"apiVersion": API_VERSION, "kind": KIND, "response": response}
    return Answer(review, result["status"] == "Success", asked.kind, failure=failure, names=tuple(names), reason=reason)


def _name(obj: Any) -> str:
    """Returns the name of an object, for people."""
    metadata = obj.get("metadata") if isinstance(obj, Mapping) else None
    if not isinstance(metadata, Mapping) or not isinstance(metadata.get("name"), str):
        return ""
    namespace = metadata.get("namespace")
    return f' "{namespace:.80}/{metadata["name"]:.80}"' if isinstance(namespace, str) else f' "{metadata["name"]:.80}"'


def _message(failures: list[str], total: int) -> str:
    texts = [text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…" for text in failures[:_MOST_TOLD]]
    more = len(failures) - len(texts)
    rest = [f"and {counted(more, 'other')}"] if more else []
    return f"{len(failures)} of {counted(total, 'object')} cannot be converted: {'; '.join([*texts, *rest])}"
