"""Handwritten validation behind an admission webhook, called as the API server does: by HTTPS, in dry runs."""

from __future__ import annotations

import importlib
import json
import ssl
import threading
import time
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from validation_gen.uses.compare.requests import Request
from validation_gen.uses.compare.sides.admission import UnaskableError, answer_of, review_of
from validation_gen.uses.compare.sides.answer import Answer, Opened, Refusal, Shapes, SpecError
from validation_gen.uses.compare.sides.limits import WEBHOOK_SECONDS
from validation_gen.uses.compare.sides.options import SideOptions
from validation_gen.uses.compare.sides.untrusted import words

if TYPE_CHECKING:
    from validation_gen.uses.compare.sides.connections import Connections

_BACKOFF = 0.1
_LONGEST_WAIT = 5.0
#: Statuses that allow a retry.
_LATER = (429, 502, 503, 504)


@dataclass(frozen=True, slots=True)
class WebhookSpec:
    """The address of a webhook."""

    url: str
    options: SideOptions

    @property
    def hears_options(self) -> bool:
        """False: a review has no field for them."""
        return False

    def check(self) -> None:
        try:
            parts = urlsplit(self.url)
            host, _ = parts.hostname, parts.port
        except ValueError as error:
            raise SpecError(f"{self.url!r} is no URL: {error}", "write webhook:https://HOST:PORT/PATH") from None
        if parts.scheme not in ("http", "https") or not host:
            rest = self.url.rpartition("//")[2]
            raise SpecError(f"{self.url!r} is no URL of a webhook", f"write webhook:https://{rest or 'HOST:PORT/PATH'}")
        for file in (self.options.ca_file, self.options.cert_file, self.options.key_file):
            if file and not Path(file).is_file():
                raise SpecError(f"there is no file {file}", "name certificates and keys in PEM")
        if self.options.key_file and not self.options.cert_file:
            raise SpecError("a key was given without its certificate", "name the certificate, too")
        self._check_keys()
        _client()

    def _check_keys(self) -> None:
        options = self.options
        try:
            _context(options)
        except (OSError, ValueError) as error:
            raise SpecError(f"the certificates cannot be used: {error}", "name certificates and keys in PEM") from None

    def side(self, shapes: Shapes | None = None) -> WebhookSide:
        return WebhookSide(self.url, self.options, shapes)


def _client() -> ModuleType:
    try:
        return importlib.import_module("validation_gen.uses.compare.sides.connections")
    except ImportError:
        raise SpecError("webhooks need urllib3", "pip install 'validation-gen[webhook]'") from None


def _context(options: SideOptions) -> ssl.SSLContext:
    """Returns the context that verifies certificates; verification is always on."""
    context = ssl.create_default_context(cafile=options.ca_file or None)
    if options.cert_file:
        # Without a password here, OpenSSL would prompt for it on the terminal.
        context.load_cert_chain(options.cert_file, options.key_file or None, password="")
    return context


class WebhookSide(Opened):
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
        self._connections = _client().Connections(_context(options), options.in_flight, options.server_name)
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
            review = review_of(request, uid, dict(self._options.plurals))
            body = json.dumps(review, separators=(",", ":"), allow_nan=False).encode()
        except UnaskableError as error:
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
            return answer_of(data, uid, request.obj, self._shapes(request) if self._shapes else None)

    def _insist(self, body: bytes) -> tuple[int, bytes]:
        """Returns the answer of the last attempt. A dry run can be repeated; `Retry-After` is ignored."""
        assert self._connections
        client = _client()
        for attempt in range(self._options.retries + 1):
            is_last = attempt == self._options.retries
            wait = min(_BACKOFF * 2**attempt, _LONGEST_WAIT) if attempt else 0.0
            try:
                status, data = self._connections.post(self._url, body, self._headers)
            except client.AnswerError as error:
                if is_last or not error.again or not client.pause(wait):
                    raise
            else:
                if is_last or status not in _LATER or not client.pause(wait):
                    return status, data
        raise AssertionError
