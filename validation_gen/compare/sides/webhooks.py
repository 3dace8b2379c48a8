"""Handwritten validation behind an admission webhook, asked as the API server asks it: by HTTPS, in dry runs."""

from __future__ import annotations

import importlib
import json
import re
import ssl
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from validation_gen.compare.requests import Request
from validation_gen.compare.sides.admission import UnaskableError, answer_of, review_of
from validation_gen.compare.sides.answer import Answer, Opened, Refusal, Shapes, SpecError
from validation_gen.compare.sides.options import SideOptions

if TYPE_CHECKING:
    import urllib3

_ADDRESS = re.compile(r"^(?:<[^>]*>|\w+\([^)]*\)): ")
_TIMEOUT = 10.0
_BACKOFF = 0.1
_LONGEST_WAIT = 5.0
#: Answers that say to come again.
_LATER = (429, 502, 503, 504)


@dataclass(frozen=True, slots=True)
class WebhookSpec:
    """The address of a webhook."""

    url: str
    options: SideOptions

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
            context = ssl.create_default_context(cafile=options.ca_file or None)
            if options.cert_file:
                # Without a password here, OpenSSL would ask for it on the terminal.
                context.load_cert_chain(options.cert_file, options.key_file or None, password="")
        except (OSError, ValueError) as error:
            raise SpecError(f"the certificates cannot be used: {error}", "name certificates and keys in PEM") from None

    def side(self, shapes: Shapes | None = None) -> WebhookSide:
        return WebhookSide(self.url, self.options, shapes)


def _client() -> ModuleType:
    try:
        return importlib.import_module("urllib3")
    except ImportError:
        raise SpecError("webhooks need urllib3", "pip install 'validation-gen[webhook]'") from None


class WebhookSide(Opened):
    """Keeps connections open and some requests under way at a time."""

    def __init__(self, url: str, options: SideOptions, shapes: Shapes | None = None) -> None:
        self._url = url
        self._options = options
        self._shapes = shapes
        self._pool: urllib3.PoolManager | None = None
        self._threads: ThreadPoolExecutor | None = None

    def open(self) -> None:
        client, options = _client(), self._options
        timeout = options.timeout or _TIMEOUT
        settings: dict[str, Any] = {
            "ca_certs": options.ca_file or None,
            "cert_file": options.cert_file or None,
            "key_file": options.key_file or None,
            "server_hostname": options.server_name or None,
            "assert_hostname": options.server_name if self._url.startswith("https:") else None,
        }
        retry = client.Retry(
            total=options.retries,
            other=0,  # a certificate that is not trusted will not be
            redirect=0,
            status_forcelist=_LATER,
            allowed_methods=None,  # a dry run can be repeated
            backoff_factor=_BACKOFF,
            backoff_max=_LONGEST_WAIT,
            respect_retry_after_header=False,  # hours are not waited for
            raise_on_status=False,
        )
        self._pool = client.PoolManager(
            maxsize=options.in_flight,
            block=True,
            retries=retry,
            timeout=client.Timeout(connect=min(timeout, _TIMEOUT), read=timeout),
            headers={"Content-Type": "application/json", "Accept": "application/json", **dict(options.headers)},
            **{name: value for name, value in settings.items() if value},
        )
        self._threads = ThreadPoolExecutor(options.in_flight, "webhook")

    def close(self) -> None:
        threads, self._threads = self._threads, None
        if threads:
            threads.shutdown(cancel_futures=True)
        pool, self._pool = self._pool, None
        if pool:
            pool.clear()

    def ask(self, requests: Sequence[Request]) -> list[Answer]:
        assert self._threads
        return list(self._threads.map(self._answer, requests))

    def _answer(self, request: Request) -> Answer:
        assert self._pool
        client = _client()
        uid = str(uuid.uuid4())
        try:
            review = review_of(request, uid, dict(self._options.plurals))
            body = json.dumps(review, separators=(",", ":"), allow_nan=False).encode()
        except UnaskableError as error:
            return Refusal(str(error))
        except (TypeError, ValueError, RecursionError) as error:
            return Refusal(f"the request cannot be written as JSON: {error}")
        try:
            response = self._pool.request("POST", self._url, body=body, redirect=False)
        except (client.exceptions.HTTPError, OSError) as error:
            return Refusal(f"the webhook cannot be asked: {_reason(error)}")
        if response.status != 200:
            text = response.data[:200].decode("utf-8", "replace").strip()
            return Refusal(f"the webhook answered with status {response.status}{f': {text}' if text else ''}")
        return answer_of(response.data, uid, request.obj, self._shapes(request) if self._shapes else None)


def _reason(error: BaseException) -> str:
    """Why there was no answer, without the address and the attempts."""
    inner = getattr(error, "reason", None)
    return _ADDRESS.sub("", str(inner if isinstance(inner, BaseException) else error))
