"""Handwritten validation behind an admission webhook, called as the API server does: by HTTPS, in dry runs.

Source of the form: `AdmissionReview` of `k8s.io/api/admission/v1`.
"""

from __future__ import annotations

import importlib
import json
import ssl
import threading
import time
import uuid
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlsplit

from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.sides.process import LONGEST_ANSWER, MOST_ERRORS, WEBHOOK_SECONDS
from validation_gen.commands.compare.sides.untrusted import (
    COVERED,
    Answer,
    NamedSpec,
    Refusal,
    Shapes,
    Side,
    SideOptions,
    SpecError,
    UnreadableError,
    check_names,
    decode,
    quote,
    words,
)
from validation_gen.mismatch.adapters.protocol import MalformedError
from validation_gen.mismatch.adapters.protocol import status_errors as errors_of
from validation_gen.mismatch.adapters.subject import Subject
from validation_gen.runtime.shapes import Shape
from validation_gen.types.naming import pluralize

if TYPE_CHECKING:
    from validation_gen.webhooks.connections import Connections


_API = "admission.k8s.io/v1"


class InvalidRequestError(ValueError):
    """A request that cannot be sent to a webhook; the text is the reason."""


def build_review(request: Request, uid: str, plurals: Mapping[str, str]) -> dict[str, Any]:
    """Returns the review of a dry run.

    Raises:
        InvalidRequestError: the object lacks data that a review needs.
    """
    obj = request.obj if isinstance(request.obj, dict) else {}
    version, kind = _text(obj.get("apiVersion")) or request.api_version, _text(obj.get("kind")) or request.kind
    if not version:
        raise InvalidRequestError("a request to a webhook needs an apiVersion, which the object does not have")
    if request.update and request.old is None:
        raise InvalidRequestError("a request to a webhook about an update needs the old object")
    group, _, name = version.rpartition("/")
    of_kind = {"group": group, "version": name, "kind": kind}
    resource = {"group": group, "version": name, "resource": plurals.get(kind) or pluralize(kind)}
    metadata = obj.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    part = request.subresource.strip("/")
    asked: dict[str, Any] = {
        "uid": uid,
        "kind": of_kind,
        "resource": resource,
        **({"subResource": part} if part else {}),
        "requestKind": of_kind,
        "requestResource": resource,
        **({"requestSubResource": part} if part else {}),
        **{field: value for field in ("name", "namespace") if (value := _text(metadata.get(field)))},
        "operation": "UPDATE" if request.update else "CREATE",
        "userInfo": {"username": "validation-gen", "groups": ["system:authenticated"]},
        "object": _named(request.obj, version, kind),
        "oldObject": _named(request.old, version, kind) if request.update else None,
        "dryRun": True,
        "options": {
            "apiVersion": "meta.k8s.io/v1",
            "kind": "UpdateOptions" if request.update else "CreateOptions",
            "dryRun": ["All"],
        },
    }
    return {"apiVersion": _API, "kind": "AdmissionReview", "request": asked}


def _named(obj: Any, version: str, kind: str) -> Any:
    return {"apiVersion": version, "kind": kind} | obj if isinstance(obj, dict) else obj


def read_answer(body: bytes, uid: str, obj: Any, shape: Shape | None = None) -> Answer:
    """Reads the answer of a webhook: the causes of a refusal, or the errors of its message. Warnings are not errors."""
    try:
        data = decode(body)
    except UnreadableError as error:
        why = f": {error}" if error.args else ""
        return Refusal(f"the webhook answered with {quote(body)}, which is not JSON{why}")
    response = data.get("response") if isinstance(data, dict) else None
    if not isinstance(response, dict) or not isinstance(response.get("allowed"), bool):
        return Refusal(f"the webhook answered with {quote(body)}, which is no response to an AdmissionReview")
    if response.get("uid") != uid:
        return Refusal(f"the webhook answered to another uid ({response.get('uid')!r:.80})")
    if response["allowed"]:
        return []
    try:
        _check(response.get("status"))
    except MalformedError as error:
        return Refusal(f"the webhook answered with a malformed error: {error}")
    return errors_of(response.get("status"), Subject(obj, shape, marks=COVERED))


def _check(status: Any) -> None:
    """Refuses more causes than the limit, and names that are too long.

    Raises:
        MalformedError: the text names the exceeded limit.
    """
    details = status.get("details") if isinstance(status, Mapping) else None
    causes = details.get("causes") if isinstance(details, Mapping) else None
    if isinstance(causes, list):
        if len(causes) > MOST_ERRORS:
            raise MalformedError(f"there are {len(causes)} causes, of which only {MOST_ERRORS} are read")
        for cause in causes:
            check_names(cause)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


_BACKOFF = 0.1
_LONGEST_WAIT = 5.0
#: Statuses that allow a retry.
_LATER = (429, 502, 503, 504)


@dataclass(frozen=True, slots=True)
class WebhookSpec(NamedSpec):
    """The address of a webhook."""

    scheme: ClassVar[str] = "webhook"
    hears_options: ClassVar[bool] = False  # a review has no field for options

    def check(self) -> None:
        url, options = self.name, self.options
        try:
            parts = urlsplit(url)
            host, _ = parts.hostname, parts.port
        except ValueError as error:
            raise SpecError(f"{url!r} is no URL: {error}", "write webhook:https://HOST:PORT/PATH") from None
        if parts.scheme not in ("http", "https") or not host:
            rest = url.rpartition("//")[2]
            raise SpecError(f"{url!r} is no URL of a webhook", f"write webhook:https://{rest or 'HOST:PORT/PATH'}")
        for file in (options.ca_file, options.cert_file, options.key_file):
            if file and not Path(file).is_file():
                raise SpecError(f"there is no file {file}", "name certificates and keys in PEM")
        if options.key_file and not options.cert_file:
            raise SpecError("a key was given without its certificate", "name the certificate, too")
        if options.ca_file or options.cert_file:
            try:
                _context(url, options)
            except (OSError, ValueError) as error:
                help = "name certificates and keys in PEM"
                raise SpecError(f"the certificates cannot be used: {error}", help) from None
        _client()

    def side(self, shapes: Shapes | None = None) -> WebhookSide:
        return WebhookSide(self.name, self.options, shapes)


def _client() -> ModuleType:
    try:
        return importlib.import_module("validation_gen.webhooks.connections")
    except ImportError:
        raise SpecError("webhooks need urllib3", "pip install 'validation-gen[webhook]'") from None


def _context(url: str, options: SideOptions) -> ssl.SSLContext:
    """Returns the context that verifies certificates; verification is always on.

    Those of the system are read only for a URL that needs them, as that takes long.
    """
    if urlsplit(url).scheme == "https" or options.ca_file:
        context = ssl.create_default_context(cafile=options.ca_file or None)
    else:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if options.cert_file:
        # Without a password here, OpenSSL would prompt for it on the terminal.
        context.load_cert_chain(options.cert_file, options.key_file or None, password="")
    return context


class WebhookSide(Side):
    """Keeps connections open and several requests in flight."""

    def __init__(self, url: str, options: SideOptions, shapes: Shapes | None = None) -> None:
        self._url = url
        self._options = options
        self._shapes = shapes
        self._timeout = options.timeout or WEBHOOK_SECONDS
        self._headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            **dict(options.headers),
        }
        self._connections: Connections | None = None
        self._threads: ThreadPoolExecutor | None = None
        self._unwanted = threading.Event()
        self._reading = threading.Lock()

    def open(self) -> None:
        options = self._options
        self._unwanted = threading.Event()
        self._connections = _client().Connections(
            _context(self._url, options), options.in_flight, options.server_name, longest=LONGEST_ANSWER
        )
        self._threads = ThreadPoolExecutor(options.in_flight, "webhook")

    def close(self) -> None:
        self._unwanted.set()
        threads, self._threads = self._threads, None
        if threads:
            threads.shutdown(cancel_futures=True)
        connections, self._connections = self._connections, None
        if connections:
            connections.close()

    def ask(self, requests: Sequence[Request]) -> list[Answer]:
        assert self._threads
        return list(self._threads.map(self._answer, requests))

    def _answer(self, request: Request) -> Answer:
        uid = str(uuid.uuid4())
        try:
            review = build_review(request, uid, dict(self._options.plurals))
            body = json.dumps(review, separators=(",", ":"), allow_nan=False).encode()
        except InvalidRequestError as error:
            return Refusal(str(error))
        except (TypeError, ValueError, RecursionError) as error:
            return Refusal(f"the request cannot be written as JSON: {error}")
        client = _client()
        try:
            with client.waiting_until(time.monotonic() + self._timeout, self._unwanted):
                status, data = self._insist(body)
        except TimeoutError:
            return Refusal(f"the webhook has not answered within {self._timeout:g} seconds")
        except client.AnswerError as error:
            return Refusal(f"the webhook cannot be reached: {error}")
        if status != 200:
            text = words(data)
            return Refusal(f"the webhook answered with status {status}{f': {text}' if text else ''}")
        with self._reading:  # one at a time: decoded JSON is much larger than its text
            return read_answer(data, uid, request.obj, self._shapes(request) if self._shapes else None)

    def _insist(self, body: bytes) -> tuple[int, bytes]:
        """Returns the answer of the last attempt. A dry run can be repeated; `Retry-After` is ignored."""
        assert self._connections
        client = _client()
        for attempt in range(self._options.retries + 1):
            is_last = attempt == self._options.retries
            wait = min(_BACKOFF * 2**attempt, _LONGEST_WAIT) if attempt else 0.0
            try:
                status, data, _ = self._connections.post(self._url, body, self._headers)
            except client.AnswerError as error:
                if is_last or not error.again or not client.pause(wait):
                    raise
            else:
                if is_last or status not in _LATER or not client.pause(wait):
                    return status, data
        raise AssertionError
