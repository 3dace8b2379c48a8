"""Asks endpoints in an event loop, as servers do."""

from __future__ import annotations

import asyncio
import base64
import functools
import json
from collections.abc import Callable, Coroutine
from typing import Any

from tests.webhooks.test_reviews import REQUEST
from validation_gen.webhooks import Endpoint
from validation_gen.webhooks.reviews import Answer, Request


def body(obj: Any, old: Any = None, **more: Any) -> bytes:
    """The body of a review, with all that a server sends."""
    operation = more.pop("operation", "CREATE" if old is None else "UPDATE")
    about = obj if isinstance(obj, dict) else old or {}
    group, _, version = str(about.get("apiVersion", "")).rpartition("/")
    kind = {"group": group, "version": version, "kind": about.get("kind")}
    resource = {"group": group, "version": version, "resource": "robots"}
    request = {
        **REQUEST,
        "kind": kind,
        "resource": resource,
        "requestKind": kind,
        "requestResource": resource,
        "operation": operation,
        "object": obj,
        "oldObject": old,
        **more,
    }
    return json.dumps({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}).encode()


def answer(endpoint: Endpoint[Any], asked: bytes) -> Answer:
    """What an endpoint answers to a body."""
    return asyncio.run(_answer(endpoint, asked))


async def _answer(endpoint: Endpoint[Any], asked: bytes) -> Answer:
    return await endpoint.answer(endpoint.read(asked))


def response(endpoint: Endpoint[Request], obj: Any, old: Any = None, **more: Any) -> dict[str, Any]:
    """The response about an object."""
    review = answer(endpoint, body(obj, old, **more)).review
    found: dict[str, Any] = json.loads(json.dumps(review))["response"]
    assert found["uid"] == REQUEST["uid"]
    return found


def patch(response: dict[str, Any]) -> list[dict[str, Any]]:
    """The patch of a response, as a server reads it: it has none, or it is base64 of JSON, with its type."""
    assert ("patch" in response) is ("patchType" in response)
    if "patch" not in response:
        return []
    assert response["patchType"] == "JSONPatch"
    found = json.loads(base64.b64decode(response["patch"], validate=True))
    assert found
    assert isinstance(found, list)
    return found


def post(app: Any, path: str, asked: bytes) -> tuple[int, Any]:
    """The answer of an application."""
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": asked, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "https",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"timeout=10s",
        "root_path": "",
        "headers": [(b"content-type", b"application/json")],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 2),
    }
    asyncio.run(app(scope, receive, send))
    text = b"".join(message.get("body", b"") for message in sent)
    code = sent[0]["status"]
    return code, json.loads(text)["response"] if code == 200 else text.decode()


def in_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Makes a coroutine function a test: it runs in an event loop of its own."""

    @functools.wraps(test)
    def run(**fixtures: Any) -> None:
        asyncio.run(test(**fixtures))

    return run
