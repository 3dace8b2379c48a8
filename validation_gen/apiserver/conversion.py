"""Conversion webhooks: objects in another version, from the webhook of a definition.

Source of the behaviour: `pkg/apiserver/conversion/webhook_converter.go` of `k8s.io/apiextensions-apiserver`. All
objects of a list go to the webhook in one call; errors have the words for a single object, as clients get them from a
server.
"""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from validation_gen.apiserver.bodies import check_type, describe_mistype
from validation_gen.apiserver.errors import aggregate, internal
from validation_gen.apiserver.webhook_client import MOST_CALLS, CallError, WebhookClient, read_review
from validation_gen.kubernetes.objects import metadata
from validation_gen.kubernetes.objects.outcome import DecodingError
from validation_gen.runtime.gotext import go_quote
from validation_gen.webhooks.converting import API_VERSION, KIND

T = TypeVar("T")

#: Seconds for one call, and the greatest size of its answer in bytes.
SECONDS, MOST_ANSWER = 30.0, 64 << 20
_GROUP = API_VERSION.partition("/")[0]
#: An answer within a request, as servers send it.
_NO_RESPONSE: dict[str, Any] = {"uid": "", "convertedObjects": None, "result": {"metadata": {}}}


class ConversionError(Exception):
    """A webhook has not converted objects; the text is the end of the server's message."""


class WebhookConverter:
    """Converts objects by the webhook of a definition.

    Args:
        webhook: `spec.conversion.webhook` of the definition.
    """

    def __init__(self, webhook: Mapping[str, Any]) -> None:
        self._client = WebhookClient(webhook.get("clientConfig") or {})
        known = [each for each in webhook.get("conversionReviewVersions") or () if each in ("v1", "v1beta1")]
        self._version = known[0] if known else ""
        self._threads = ThreadPoolExecutor(MOST_CALLS, "conversion")

    async def run(self, work: Callable[..., T], *args: Any) -> T:
        """Runs a function that may convert objects, in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *args)

    def close(self) -> None:
        """Ends the calls that are under way."""
        self._client.close()

    def convert(self, objects: Sequence[dict[str, Any]], api_version: str) -> list[dict[str, Any]]:
        """Returns objects in a version. Objects in this version already are not sent."""
        waiting = [obj for obj in objects if obj.get("apiVersion") != api_version and not _is_empty(obj)]
        converted = iter(self._request_conversion(waiting, api_version) if waiting else ())
        found = []
        for obj in objects:
            if obj.get("apiVersion") == api_version:
                found.append(obj)
            else:
                found.append({**obj, "apiVersion": api_version} if _is_empty(obj) else next(converted))
        return found

    def _request_conversion(self, objects: Sequence[dict[str, Any]], api_version: str) -> list[dict[str, Any]]:
        about = f"conversion webhook for {objects[0].get('apiVersion')}, Kind={objects[0].get('kind')}"
        if not self._version:
            raise internal("no supported conversion review versions")
        uid = str(uuid.uuid4())
        try:
            answers = _read_answer(*self._call(uid, objects, api_version), uid, f"{_GROUP}/{self._version}")
        except (CallError, ConversionError) as problem:
            raise internal(f"{about} failed: {problem}") from None
        if len(answers) != len(objects):
            raise internal(f"{about} returned {len(answers)} objects, expected {len(objects)}")
        try:
            return [
                _check_object(obj, answer, api_version, index)
                for index, (obj, answer) in enumerate(zip(objects, answers, strict=True))
            ]
        except ConversionError as problem:
            raise internal(f"{about} returned {problem}") from None

    def _call(self, uid: str, objects: Sequence[dict[str, Any]], api_version: str) -> tuple[bytes, str]:
        """Returns the body of an answer, and its media type."""
        request = {
            "uid": uid,
            "desiredAPIVersion": api_version,
            "objects": [_without_revision(obj) for obj in objects],
        }
        review = {
            "kind": KIND,
            "apiVersion": f"{_GROUP}/{self._version}",
            "request": request,
            "response": _NO_RESPONSE,
        }
        return self._client.post(json.dumps(review, separators=(",", ":")).encode(), SECONDS, MOST_ANSWER)


def _without_revision(obj: dict[str, Any]) -> dict[str, Any]:
    meta = {name: value for name, value in (obj.get("metadata") or {}).items() if name != "resourceVersion"}
    return {**obj, "metadata": meta}


def _is_empty(obj: dict[str, Any]) -> bool:
    return obj.keys() == {"apiVersion", "kind"}


# --- answers ----------------------------------------------------------------------------------------------------------


def _read_answer(data: bytes, media: str, uid: str, wanted: str) -> list[Any]:
    """Returns the objects of an answer, which may be of any types.

    Raises:
        CallError: it is no review.
        ConversionError: it is a wrong one.
    """
    review = read_review(data, media, KIND, wanted)
    response = review.get("response")
    if response is None:
        raise ConversionError("no response provided")
    response = _add_type(response, dict, "response")
    found_uid = _add_type(response.get("uid", ""), str, "response.uid")
    if wanted.endswith("/v1") and found_uid != uid:
        raise ConversionError(f"expected response.uid={go_quote(uid)}, got {go_quote(found_uid)}")
    result = _add_type({} if response.get("result") is None else response["result"], dict, "response.result")
    status = _add_type(result.get("status") or "", str, "response.result.status")
    if status != "Success":
        message = _add_type(result.get("message") or "", str, "response.result.message")
        raise ConversionError(message or f"response.result.status was '{status}', not 'Success'")
    return list(_add_type(response.get("convertedObjects") or [], list, "response.convertedObjects"))


def _add_type(value: Any, kind: type, field: str) -> Any:
    """Returns a value that has a type."""
    if not isinstance(value, kind):
        wanted = "string" if kind is str else "struct" if kind is dict else "slice"
        raise ConversionError(describe_mistype(value, f"struct field {field} of type {wanted}"))
    return value


def _go_name(value: Any) -> str:
    names: dict[type, str] = {dict: "map[string]interface {}", list: "[]interface {}", str: "string", bool: "bool"}
    return {**names, int: "int64", type(None): "<nil>"}.get(type(value), "float64")


def _check_object(obj: dict[str, Any], answer: Any, api_version: str, index: int) -> dict[str, Any]:
    """Returns a converted object with the metadata of the original one, besides labels and annotations."""
    try:
        check_type(answer)
    except DecodingError as problem:
        raise ConversionError(f"invalid object at index {index}: {problem}") from None
    at, version = f"invalid object at index {index}", answer.get("apiVersion") or ""
    if version != api_version:
        raise ConversionError(f"{at}: invalid groupVersion (expected {api_version}, received {version})")
    if answer["kind"] != obj.get("kind"):
        raise ConversionError(f"{at}: invalid kind (expected {obj.get('kind')}, received {answer['kind']})")
    own = obj.get("metadata") or {}
    sent = answer.get("metadata")
    its = sent if isinstance(sent, dict) else {}
    for name, shown in (("name", "name"), ("namespace", "namespace"), ("uid", "UID")):
        before, after = (each.get(name) if isinstance(each.get(name), str) else "" for each in (own, its))
        if before != after:
            raise ConversionError(f"invalid object: must have the same {shown}: {before} != {after}")
    try:
        return {**answer, "metadata": _restore_metadata(own, sent, has_metadata="metadata" in answer)}
    except ConversionError as problem:
        raise ConversionError(f"invalid metadata: {problem}") from None


def _restore_metadata(own: dict[str, Any], sent: Any, *, has_metadata: bool) -> dict[str, Any]:
    if not has_metadata:
        raise ConversionError("missing metadata in converted object")
    if not isinstance(sent, dict):
        raise ConversionError(f"invalid metadata of type {_go_name(sent)} in converted object")
    found = {name: value for name, value in own.items() if name not in ("labels", "annotations")}
    for name in ("labels", "annotations"):
        texts = sent.get(name)
        if texts is None:
            continue
        if not isinstance(texts, dict):
            raise ConversionError(f"invalid metadata.{name} of type {_go_name(texts)} in converted object")
        for key, text in texts.items():
            if not isinstance(text, str):
                kind = _go_name(text)
                raise ConversionError(f"metadata.{name}[{key}] must be a string, but is {kind} in converted object")
        if texts != (own.get(name) or {}):
            errors = metadata.create_errors({"name": "a", name: texts}, namespaced=False)
            if errors:
                # The path of annotations is a slip of the server's.
                shown = (str(error).replace("metadata.annotations", "metadata.annotation") for error in errors)
                raise ConversionError(aggregate(shown))
        found[name] = texts
    return found
