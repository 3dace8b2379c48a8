"""Conversion webhooks: objects in another version, from the webhook of a definition.

Source of the behaviour: `pkg/apiserver/conversion/webhook_converter.go` of `k8s.io/apiextensions-apiserver`. All
objects of a list go to the webhook in one call; errors have the words for a single object, as clients get them from a
server.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import importlib
import json
import posixpath
import ssl
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar
from urllib.parse import urlsplit

from validation_gen.apiserver.conversion_answers import GROUP, ConversionError, check_object, read_answer
from validation_gen.apiserver.errors import internal
from validation_gen.kubernetes.objects import read_json
from validation_gen.runtime.gotext import go_quote
from validation_gen.webhooks.converting import KIND

T = TypeVar("T")

#: Seconds for one call, and the greatest size of its answer in bytes.
SECONDS, MOST_ANSWER = 30.0, 64 << 20
#: Calls of one webhook at a time.
_MOST_CALLS = 64
_HEADERS = {
    "Accept": "application/json, */*",
    "Content-Type": "application/json",
    "User-Agent": "kube-apiserver-admission",
}
#: An answer within a request, as servers send it.
_NO_RESPONSE: dict[str, Any] = {"uid": "", "convertedObjects": None, "result": {"metadata": {}}}
#: Words of a client for a status, by the code; an answer in plain text has others.
_STATUS_TEXTS = {
    400: "the server rejected our request for an unknown reason",
    401: "the server has asked for the client to provide credentials",
    404: "the server could not find the requested resource",
    405: "the server does not allow this method on the requested resource",
    409: "the server reported a conflict",
    422: "the server rejected our request due to an error in our request",
    429: "the server has received too many requests and has asked us to try again later",
    503: "the server is currently unable to handle the request",
    504: ("the server was unable to return a response in the time allotted, but may still be processing the request"),
}
#: Codes of OpenSSL for a certificate whose authority is not known.
_UNKNOWN_AUTHORITY = (18, 19, 20, 21)


class WebhookConverter:
    """Converts objects by the webhook of a definition.

    Args:
        webhook: `spec.conversion.webhook` of the definition.
    """

    def __init__(self, webhook: Mapping[str, Any]) -> None:
        client = webhook.get("clientConfig") or {}
        self._service: str = (client.get("service") or {}).get("name") or ""
        self._url = _find_url(client)
        self._bundle: str = client.get("caBundle") or ""
        known = [each for each in webhook.get("conversionReviewVersions") or () if each in ("v1", "v1beta1")]
        self._version = known[0] if known else ""
        self._threads = ThreadPoolExecutor(_MOST_CALLS, "conversion")
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._connections: Any = None

    async def run(self, work: Callable[..., T], *args: Any) -> T:
        """Runs a function that may convert objects, in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *args)

    def close(self) -> None:
        """Ends the calls that are under way."""
        self._ended.set()

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
        except ConversionError as problem:
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

    # --- calls --------------------------------------------------------------------------------------------------------

    def _call(self, uid: str, objects: Sequence[dict[str, Any]], api_version: str) -> tuple[bytes, str]:
        """Returns the body of an answer, and its media type."""
        post = f"Post {go_quote(self._url)}: "
        if self._service:
            text = f"service {go_quote(self._service)} not found (this server has no services: set clientConfig.url)"
            raise ConversionError(f"{post}{text}")
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
        body = json.dumps(review, separators=(",", ":")).encode()
        client = _import_client()
        try:
            with client.waiting_until(time.monotonic() + SECONDS, self._ended):
                status, data, media = self._open(client).post(self._url, body, dict(_HEADERS))
        except TimeoutError:
            raise ConversionError(f"{post}context deadline exceeded") from None
        except client.AnswerError as problem:
            raise ConversionError(f"{post}{_describe(problem, urlsplit(self._url).hostname or '')}") from None
        if not 200 <= status <= 206:
            raise ConversionError(_status_text(status, data, media))
        return data, media

    def _open(self, client: Any) -> Any:
        """Returns the connections to the webhook."""
        with self._lock:
            if self._connections is None:
                self._connections = client.Connections(self._context(), _MOST_CALLS, longest=MOST_ANSWER)
            return self._connections

    def _context(self) -> ssl.SSLContext:
        try:
            bundle = base64.b64decode(self._bundle).decode("latin-1").strip()
            return ssl.create_default_context(cadata=bundle or None)
        except (binascii.Error, ssl.SSLError, ValueError):
            text = "unable to load root certificates: unable to parse bytes as PEM block"
            raise ConversionError(text) from None


def find_converter(definition: Mapping[str, Any]) -> WebhookConverter | None:
    """Returns the converter of a definition, None if its versions differ in their names alone."""
    conversion = definition["spec"].get("conversion") or {}
    return WebhookConverter(conversion.get("webhook") or {}) if conversion.get("strategy") == "Webhook" else None


def _find_url(client: Mapping[str, Any]) -> str:
    """Returns the URL of calls, with the timeout that a server adds."""
    service = client.get("service")
    if service:
        host = f"{service.get('name')}.{service.get('namespace')}.svc:{service.get('port') or 443}"
        path = service.get("path") or ""
    else:
        parts = urlsplit(client.get("url") or "")
        host, path = parts.netloc, parts.path
    path = posixpath.normpath("/" + path.lstrip("/"))
    return f"https://{host}{path}?timeout={SECONDS:g}s"


def _import_client() -> Any:
    try:
        return importlib.import_module("validation_gen.webhooks.connections")
    except ImportError:
        raise ConversionError("the call needs urllib3: pip install 'validation-gen[serve]'") from None


def _without_revision(obj: dict[str, Any]) -> dict[str, Any]:
    meta = {name: value for name, value in (obj.get("metadata") or {}).items() if name != "resourceVersion"}
    return {**obj, "metadata": meta}


def _is_empty(obj: dict[str, Any]) -> bool:
    return obj.keys() == {"apiVersion", "kind"}


def _describe(problem: Any, host: str) -> str:
    """Returns the words of Go for a failed request."""
    cause = problem.cause
    if isinstance(cause, ssl.SSLCertVerificationError):
        if cause.verify_code in _UNKNOWN_AUTHORITY:
            return "tls: failed to verify certificate: x509: certificate signed by unknown authority"
        return f"tls: failed to verify certificate: x509: {cause.verify_message}"
    if isinstance(cause, ConnectionError) and not cause.errno:
        return "EOF"
    if isinstance(cause, OSError) and cause.strerror and not isinstance(cause, ssl.SSLError):
        words = cause.strerror[:1].lower() + cause.strerror[1:]
        address = getattr(cause, "address", "")
        return f"dial tcp {address}: connect: {words}" if address else f"dial tcp: lookup {host}: {words}"
    return str(problem)


def _status_text(status: int, data: bytes, media: str) -> str:
    """Returns what a client of Kubernetes says of a status that is no success.

    Source of the behaviour: `NewGenericServerResponse` of `k8s.io/apimachinery`.
    """
    try:
        found, _ = read_json(data)
        if isinstance(found, dict) and (found.get("apiVersion"), found.get("kind")) == ("v1", "Status"):
            return str(found.get("message") or "")
    except (ValueError, RecursionError):
        pass
    text = data.decode("utf-8", "replace").strip() if data and media.startswith("text/") else "unknown"
    if status in (403, 415):
        return text
    if status == 406:
        words = "the server was unable to respond with a content type that the client supports"
        return words if text == "unknown" else text
    if status in _STATUS_TEXTS:
        return _STATUS_TEXTS[status]
    if status >= 500:
        return f"an error on the server ({go_quote(text)}) has prevented the request from succeeding"
    return f"the server responded with the status code {status} but did not return more information"
