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

from validation_gen.apiserver.conversion_answers import GROUP, ConversionError, check_object, read_answer
from validation_gen.apiserver.errors import internal
from validation_gen.apiserver.webhook_client import MOST_CALLS, CallError, WebhookClient
from validation_gen.webhooks.converting import KIND

T = TypeVar("T")

#: Seconds for one call, and the greatest size of its answer in bytes.
SECONDS, MOST_ANSWER = 30.0, 64 << 20
#: An answer within a request, as servers send it.
_NO_RESPONSE: dict[str, Any] = {"uid": "", "convertedObjects": None, "result": {"metadata": {}}}


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
        """Returns objects in a version. Those that have it already are not sent.

        Raises:
            ApiError: the webhook does not convert them.
        """
        waiting = [obj for obj in objects if obj.get("apiVersion") != api_version and not _is_empty(obj)]
        converted = iter(self._converted(waiting, api_version) if waiting else ())
        found = []
        for obj in objects:
            if obj.get("apiVersion") == api_version:
                found.append(obj)
            else:
                found.append({**obj, "apiVersion": api_version} if _is_empty(obj) else next(converted))
        return found

    def _converted(self, objects: Sequence[dict[str, Any]], api_version: str) -> list[dict[str, Any]]:
        about = f"conversion webhook for {objects[0].get('apiVersion')}, Kind={objects[0].get('kind')}"
        if not self._version:
            raise internal("no supported conversion review versions")
        uid = str(uuid.uuid4())
        try:
            answers = read_answer(*self._call(uid, objects, api_version), uid, f"{GROUP}/{self._version}")
        except (CallError, ConversionError) as problem:
            raise internal(f"{about} failed: {problem}") from None
        if len(answers) != len(objects):
            raise internal(f"{about} returned {len(answers)} objects, expected {len(objects)}")
        try:
            return [
                check_object(obj, answer, api_version, index)
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
            "apiVersion": f"{GROUP}/{self._version}",
            "request": request,
            "response": _NO_RESPONSE,
        }
        return self._client.post(json.dumps(review, separators=(",", ":")).encode(), SECONDS, MOST_ANSWER)


def _without_revision(obj: dict[str, Any]) -> dict[str, Any]:
    meta = {name: value for name, value in (obj.get("metadata") or {}).items() if name != "resourceVersion"}
    return {**obj, "metadata": meta}


def _is_empty(obj: dict[str, Any]) -> bool:
    return obj.keys() == {"apiVersion", "kind"}
