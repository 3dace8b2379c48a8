"""Answers of conversion webhooks: their decoding, and the checks of converted objects.

Source of the behaviour: `pkg/apiserver/conversion/webhook_converter.go` of `k8s.io/apiextensions-apiserver`.
"""

from __future__ import annotations

from typing import Any

from validation_gen.apiserver.bodies import check_type
from validation_gen.apiserver.errors import aggregate
from validation_gen.apiserver.webhook_client import read_review
from validation_gen.kubernetes.objects import metadata
from validation_gen.kubernetes.objects.outcome import DecodingError
from validation_gen.runtime.gotext import go_quote
from validation_gen.webhooks.converting import KIND

GROUP = "apiextensions.k8s.io"


class ConversionError(Exception):
    """A webhook has not converted objects; the text is the end of the server's message."""


def read_answer(data: bytes, media: str, uid: str, wanted: str) -> list[Any]:
    """Returns the objects of an answer, which may be of any types.

    Raises:
        CallError: it is no review.
        ConversionError: it is a wrong one.
    """
    review = read_review(data, media, KIND, wanted)
    response = review.get("response")
    if response is None:
        raise ConversionError("no response provided")
    response = _typed(response, dict, "response")
    found_uid = _typed(response.get("uid", ""), str, "response.uid")
    if wanted.endswith("/v1") and found_uid != uid:
        raise ConversionError(f"expected response.uid={go_quote(uid)}, got {go_quote(found_uid)}")
    result = _typed({} if response.get("result") is None else response["result"], dict, "response.result")
    status = _typed(result.get("status") or "", str, "response.result.status")
    if status != "Success":
        message = _typed(result.get("message") or "", str, "response.result.message")
        raise ConversionError(message or f"response.result.status was '{status}', not 'Success'")
    return list(_typed(response.get("convertedObjects") or [], list, "response.convertedObjects"))


def _typed(value: Any, kind: type, field: str) -> Any:
    """Returns a value that has a type."""
    if not isinstance(value, kind):
        wanted = "string" if kind is str else "struct" if kind is dict else "slice"
        raise ConversionError(
            f"json: cannot unmarshal {_json_name(value)} into Go struct field {field} of type {wanted}"
        )
    return value


def _json_name(value: Any) -> str:
    return {dict: "object", list: "array", str: "string", bool: "bool", type(None): "null"}.get(type(value), "number")


def _go_name(value: Any) -> str:
    names: dict[type, str] = {dict: "map[string]interface {}", list: "[]interface {}", str: "string", bool: "bool"}
    return {**names, int: "int64", type(None): "<nil>"}.get(type(value), "float64")


def check_object(obj: dict[str, Any], answer: Any, api_version: str, index: int) -> dict[str, Any]:
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
        return {**answer, "metadata": _restored(own, sent, has_metadata="metadata" in answer)}
    except ConversionError as problem:
        raise ConversionError(f"invalid metadata: {problem}") from None


def _restored(own: dict[str, Any], sent: Any, *, has_metadata: bool) -> dict[str, Any]:
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
