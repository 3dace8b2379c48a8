"""Reviews of conversions: a `ConversionReview` of `apiextensions.k8s.io/v1` in, the same with an answer out.

Sources of the behaviour: `pkg/apis/apiextensions/v1` and `pkg/apiserver/conversion/webhook_converter.go` of
`k8s.io/apiextensions-apiserver`. A server sends the items of lists one by one, each as an object of its own. It takes
all objects, in the order in which it has sent them, or else shows whoever asks the message of the answer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from validation_gen.conversions import ConversionError, Converter
from validation_gen.conversions.values import shown
from validation_gen.runtime.words import counted

API_VERSION, KIND = "apiextensions.k8s.io/v1", "ConversionReview"
#: How many failures a message tells, and how many characters it tells of each.
_MOST_TOLD, _LONGEST = 10, 400


class ReviewError(ValueError):
    """A body that is no review; the text says why."""


def converted(body: bytes, converter: Converter) -> dict[str, Any]:
    """The review with its answer: all objects converted, or none and the reasons.

    Args:
        body: the review as JSON.
        converter: converts objects. If it fails, the object is told as one that cannot be converted.

    Raises:
        ReviewError: the body is no review.
    """
    request = _request(body)
    done: list[Any] = []
    failures: list[str] = []
    for index, obj in enumerate(request["objects"]):
        try:
            done.append(converter.convert(obj, request["desiredAPIVersion"]))
        except ConversionError as problem:
            failures.append(f"objects[{index}]{_name(obj)}: {problem}")
        except Exception as problem:
            failures.append(f"objects[{index}]{_name(obj)}: the conversion failed: {type(problem).__name__}")
    if failures:
        result = {"status": "Failure", "message": _message(failures, len(request["objects"]))}
        done = []
    else:
        result = {"status": "Success"}
    response = {"uid": request["uid"], "convertedObjects": done, "result": result}
    return {"apiVersion": API_VERSION, "kind": KIND, "response": response}


def _request(body: bytes) -> dict[str, Any]:
    """The request of a review, of which the parts that are used have the right types."""
    try:
        review = json.loads(body, parse_constant=_refused)
    except (ValueError, RecursionError) as problem:
        raise ReviewError(f"the body is no JSON: {problem}") from None
    if not isinstance(review, dict):
        raise ReviewError("the body is no JSON object")
    found = (review.get("apiVersion"), review.get("kind"))
    if found != (API_VERSION, KIND):
        version, kind = map(shown, found)
        raise ReviewError(f"a {KIND} of {API_VERSION} is wanted, this is {kind:.80} of {version:.80}")
    request = review.get("request")
    if not isinstance(request, dict):
        raise ReviewError("the review has no request")
    for name in ("uid", "desiredAPIVersion"):
        if not isinstance(request.get(name), str) or not request[name]:
            raise ReviewError(f"request.{name} is no text")
    # An empty list of Go is null.
    objects = request.get("objects")
    if objects is not None and not isinstance(objects, list):
        raise ReviewError("request.objects is no list")
    return {**request, "objects": objects or []}


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _name(obj: Any) -> str:
    """Which object it is, for people."""
    metadata = obj.get("metadata") if isinstance(obj, Mapping) else None
    if not isinstance(metadata, Mapping) or not isinstance(metadata.get("name"), str):
        return ""
    namespace = metadata.get("namespace")
    return f' "{namespace:.80}/{metadata["name"]:.80}"' if isinstance(namespace, str) else f' "{metadata["name"]:.80}"'


def _message(failures: list[str], total: int) -> str:
    told = [text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…" for text in failures[:_MOST_TOLD]]
    more = len(failures) - len(told)
    rest = [f"and {counted(more, 'other')}"] if more else []
    return f"{len(failures)} of {counted(total, 'object')} cannot be converted: {'; '.join([*told, *rest])}"
