"""Calls a webhook of a definition or of a configuration: posts a review, and returns the body of the answer.

Each call has a deadline, and each answer a greatest size. Errors have the words of the server's client. Source of the
behaviour: `pkg/util/webhook/client.go` of `k8s.io/apiserver`, and `rest/request.go` of `k8s.io/client-go`.
"""

from __future__ import annotations

import base64
import binascii
import importlib
import posixpath
import ssl
import threading
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from validation_gen.apiserver.bodies import NOT_JSON, BodyError, check_type, parse_json
from validation_gen.kubernetes.objects import read_json
from validation_gen.kubernetes.objects.outcome import DecodingError
from validation_gen.runtime.gotext import go_quote

#: Calls of one webhook at a time.
MOST_CALLS = 64
_HEADERS = {
    "Accept": "application/json, */*",
    "Content-Type": "application/json",
    "User-Agent": "kube-apiserver-admission",
}
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


class CallError(Exception):
    """A webhook has not answered; the text is the end of the server's message."""


class SetupError(CallError):
    """A call that cannot be made: the configuration is wrong, or a package is missing."""


class WebhookClient:
    """Calls one webhook, from any thread.

    Args:
        client: its `clientConfig`.
        ended: ends the calls that are under way, once it is set.
    """

    def __init__(self, client: Mapping[str, Any], ended: threading.Event | None = None) -> None:
        self._service: str = (client.get("service") or {}).get("name") or ""
        self._url = _find_url(client)
        self._bundle: str = client.get("caBundle") or ""
        self._ended = ended or threading.Event()
        self._lock = threading.Lock()
        self._connections: Any = None

    def close(self) -> None:
        """Ends the calls that are under way."""
        self._ended.set()

    def post(self, body: bytes, seconds: float, longest: int, *, deadline: float | None = None) -> tuple[bytes, str]:
        """Returns the body of an answer, and its media type.

        Args:
            body: the review.
            seconds: the seconds that the webhook has for its answer, which it can read in the URL.
            longest: the greatest size of an answer, in bytes.
            deadline: the end of the call by the monotonic clock, in these seconds by default.

        Raises:
            CallError: there is no answer, or its status is no success.
        """
        url = f"{self._url}?timeout={seconds:g}s"
        post = f"Post {go_quote(url)}: "
        if self._service:
            text = f"service {go_quote(self._service)} not found (this server has no services: set clientConfig.url)"
            raise CallError(f"{post}{text}")
        client = _import_client()
        connections = self._open(client, longest)
        deadline = time.monotonic() + seconds if deadline is None else deadline
        try:
            with client.waiting_until(deadline, self._ended):
                status, data, media = connections.post(url, body, dict(_HEADERS))
        except TimeoutError:
            raise CallError(f"{post}context deadline exceeded") from None
        except client.AnswerError as problem:
            raise CallError(f"{post}{_describe(problem, urlsplit(url).hostname or '')}") from None
        if not 200 <= status <= 206:
            raise CallError(_status_text(status, data, media))
        return data, media

    def _open(self, client: Any, longest: int) -> Any:
        """Returns the connections to the webhook."""
        with self._lock:
            if self._connections is None:
                self._connections = client.Connections(self._context(), MOST_CALLS, longest=longest)
            return self._connections

    def _context(self) -> ssl.SSLContext:
        try:
            bundle = base64.b64decode(self._bundle).decode("latin-1").strip()
            return ssl.create_default_context(cadata=bundle or None)
        except (binascii.Error, ssl.SSLError, ValueError):
            text = "unable to load root certificates: unable to parse bytes as PEM block"
            raise SetupError(text) from None


def read_review(data: bytes, media: str, kind: str, wanted: str) -> dict[str, Any]:
    """Returns the review of an answer; it may lack its version and its kind.

    Args:
        data: the body of the answer.
        media: its media type.
        kind: the kind of the review that was sent.
        wanted: its version.

    Raises:
        CallError: it is no review, or one of another version.
    """
    if not data:
        raise CallError(f"0-length response with status code: 200 and content type: {media}")
    try:
        review, _ = parse_json(data)
        named = review
        if isinstance(review, dict):
            named = {"apiVersion": wanted, "kind": kind} | {k: v for k, v in review.items() if v not in ("", None)}
        check_type(named)
    except DecodingError as problem:
        raise CallError(str(problem)) from None
    except BodyError as problem:
        raise CallError(f"{NOT_JSON}{problem}") from None
    version, found = named["apiVersion"], named["kind"]
    group = wanted.rpartition("/")[0]
    if found != kind or version not in (f"{group}/v1", f"{group}/v1beta1"):
        scheme = "k8s.io/apiserver/pkg/util/webhook/client.go:71"
        text = f"no kind {go_quote(found)} is registered for version {go_quote(version)} in scheme {go_quote(scheme)}"
        raise CallError(text)
    if version != wanted:
        own, other = (f"({each.rpartition('/')[2]}.{kind})" for each in (version, wanted))
        raise CallError(f"converting {own} to {other}: unknown conversion")
    return review  # type: ignore[no-any-return]  # it is a dict


def _find_url(client: Mapping[str, Any]) -> str:
    """Returns the URL of calls without a query."""
    service = client.get("service")
    if service:
        host = f"{service.get('name')}.{service.get('namespace')}.svc:{service.get('port') or 443}"
        path = service.get("path") or ""
    else:
        parts = urlsplit(client.get("url") or "")
        host, path = parts.netloc, parts.path
    return f"https://{host}{posixpath.normpath('/' + path.lstrip('/'))}"


def _import_client() -> Any:
    try:
        return importlib.import_module("validation_gen.webhooks.connections")
    except ImportError:
        raise SetupError("the call needs urllib3: pip install 'validation-gen[serve]'") from None


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
    """Returns the error text of a Kubernetes client for an HTTP status that is no success.

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
