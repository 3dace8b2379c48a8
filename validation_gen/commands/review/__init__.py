"""Calls a webhook about objects, as an API server does, and shows its answers in the words of kubectl.

`answers` reads the answers, which are untrusted, and applies their changes.
"""

from __future__ import annotations

import importlib
import ipaddress
import json
import ssl
import threading
import time
import uuid
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit, urlunsplit

from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.sides.process import LONGEST_ANSWER
from validation_gen.commands.compare.sides.untrusted import words
from validation_gen.commands.compare.sides.webhooks import InvalidRequestError, build_review
from validation_gen.commands.review.answers import Reviewed, admission, conversion
from validation_gen.diagnostics.formats import one_line
from validation_gen.emit.schema.yamltext import as_yaml
from validation_gen.kubernetes.manifests import Manifest
from validation_gen.runtime.gotext import go_json

if TYPE_CHECKING:
    from validation_gen.webhooks.connections import Connections


#: Default address of `webhook serve`.
DEFAULT_URL = "https://127.0.0.1:9443"
_HEADERS = {"Content-Type": "application/json", "Accept": "application/json"}
#: Number of objects in one review of conversion.
_TOGETHER = 500


class WebhookConfigError(ValueError):
    """A webhook that cannot be called as configured; the text is the reason."""


@dataclass(frozen=True, slots=True)
class Question:
    """Parameters of the reviews.

    Attributes:
        operation: `CREATE`, `UPDATE` or `DELETE`; empty to choose by the presence of an old object.
        subresource: the subresource of the request, such as `status`.
        user: name of the requesting user.
        groups: the groups of that user.
        dry_run: True for a dry run.
    """

    operation: str = ""
    subresource: str = ""
    user: str = ""
    groups: Sequence[str] = ()
    dry_run: bool = True


@dataclass(frozen=True, slots=True)
class Webhook:
    """Address of a webhook, and its TLS settings.

    Attributes:
        url: its address.
        path: path of the requests, overrides that of the address; empty for that of the address, or the default.
        ca: a file with authorities to trust; empty for those of the system.
        insecure: True to accept any certificate; only on this machine.
        certificate: a file with the client certificate, and `key` with its key.
        server_name: the name in its certificate, if it is not the host of the address.
        timeout: seconds for an answer.
    """

    url: str
    path: str = ""
    ca: str = ""
    insecure: bool = False
    certificate: str = ""
    key: str = ""
    server_name: str = ""
    timeout: float = 10

    def context(self) -> ssl.SSLContext:
        """Returns the TLS context of the connection.

        Raises:
            WebhookConfigError: it is no address, or certificates cannot be used.
        """
        try:
            parts = urlsplit(self.url)
            host, _ = parts.hostname, parts.port
        except ValueError as problem:
            raise WebhookConfigError(f"{self.url!r:.200} is no URL: {problem}") from None
        if parts.scheme not in ("http", "https") or not host:
            raise WebhookConfigError(f"{self.url!r:.200} is no URL such as {DEFAULT_URL}")
        if self.insecure and not _is_here(host):
            raise WebhookConfigError("--insecure is for this machine; name the authority of other webhooks with --ca")
        try:
            context = ssl.create_default_context(cafile=self.ca or None)
            if self.certificate:
                context.load_cert_chain(self.certificate, self.key or None, password="")
        except (OSError, ValueError) as problem:
            raise WebhookConfigError(f"the certificates cannot be used: {problem}") from None
        if self.insecure:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        return context

    def at(self, path: str) -> str:
        """Returns its address with the timeout, and with a path if its own has none."""
        parts = urlsplit(self.url)
        query = "&".join(filter(None, (parts.query, urlencode({"timeout": f"{self.timeout:g}s"}))))
        found = self.path or (parts.path if parts.path.strip("/") else path)
        return urlunsplit((parts.scheme, parts.netloc, found, query, ""))


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class _Asking:
    """A connection to a webhook."""

    def __init__(self, webhook: Webhook, path: str) -> None:
        try:
            self._client = importlib.import_module("validation_gen.webhooks.connections")
        except ImportError:
            raise WebhookConfigError("it needs urllib3: pip install 'validation-gen[webhook]'") from None
        context = webhook.context()
        self._url = webhook.at(path)
        self._timeout = webhook.timeout
        self._unwanted = threading.Event()
        self._connections: Connections = self._client.Connections(
            context, 1, webhook.server_name, longest=LONGEST_ANSWER
        )

    def __enter__(self) -> _Asking:
        return self

    def __exit__(self, *_: object) -> None:
        self._connections.close()

    def send(self, review: Any) -> bytes:
        """Sends a review, and returns the body of the answer.

        Raises:
            WebhookConfigError: there is none.
        """
        try:
            body = json.dumps(review, separators=(",", ":"), allow_nan=False).encode()
        except (TypeError, ValueError, RecursionError) as problem:
            raise WebhookConfigError(f"the object cannot be written as JSON: {problem}") from None
        try:
            with (
                warnings.catch_warnings(),
                self._client.waiting_until(time.monotonic() + self._timeout, self._unwanted),
            ):
                warnings.simplefilter("ignore")  # the user has confirmed this with --insecure
                status, data, _ = self._connections.post(self._url, body, _HEADERS)
        except TimeoutError:
            raise WebhookConfigError(f"there was no answer within {self._timeout:g} seconds") from None
        except self._client.AnswerError as problem:
            raise WebhookConfigError(f"{self._url.partition('?')[0]} cannot be reached: {problem}") from None
        if status != 200:
            text = words(data)
            raise WebhookConfigError(f"the answer has the status {status}{f': {text}' if text else ''}")
        return data


def review(
    webhook: Webhook, manifests: Sequence[Manifest], olds: Sequence[Manifest], question: Question
) -> Iterator[Reviewed]:
    """Yields the answer of an admission webhook about each object.

    Raises:
        WebhookConfigError: it cannot be called at all.
    """
    before = {_identity(each): each.obj for each in olds}
    with _Asking(webhook, "/validate") as asking:
        for manifest in manifests:
            uid = str(uuid.uuid4())
            try:
                data = asking.send(_admission(manifest, before.get(_identity(manifest)), uid, question))
            except (WebhookConfigError, InvalidRequestError) as problem:
                yield Reviewed(manifest, problem=str(problem))
            else:
                yield admission(manifest, data, uid)


def _identity(manifest: Manifest) -> tuple[str, str, str, str]:
    """Returns the key of an object, the same in any version."""
    version, kind, namespace, name = manifest.identity
    return version.rpartition("/")[0], kind, namespace, name


def _admission(manifest: Manifest, old: Any, uid: str, question: Question) -> Any:
    """Returns the review of an object, as a server sends it.

    Raises:
        InvalidRequestError: the object has no kind, or there is no old one.
    """
    obj = manifest.obj
    operation = question.operation or ("CREATE" if old is None else "UPDATE")
    version, kind, _, _ = manifest.identity
    if not kind:
        raise InvalidRequestError("a request to a webhook needs a kind, which the object does not have")
    if operation == "DELETE":
        old = obj if old is None else old
    update = operation == "UPDATE"
    asked = Request(kind, obj, old, update, api_version=version, subresource=f"/{question.subresource}")
    found = build_review(asked, uid, {})
    request = found["request"]
    request["operation"] = operation
    if operation == "DELETE":
        request |= {"object": None, "oldObject": old}
        request["options"]["kind"] = "DeleteOptions"
    request["dryRun"] = question.dry_run
    if not question.dry_run:
        del request["options"]["dryRun"]
    if question.user:
        request["userInfo"]["username"] = question.user
    if question.groups:
        request["userInfo"]["groups"] = [*question.groups, "system:authenticated"]
    return found


def convert(webhook: Webhook, manifests: Sequence[Manifest], version: str) -> Iterator[Reviewed]:
    """Converts objects with a webhook to another version, such as `v1`. Objects of one kind share a request.

    Raises:
        WebhookConfigError: it cannot be called at all.
    """
    sorts: dict[tuple[str, str], list[Manifest]] = {}
    for each in manifests:
        sorts.setdefault(_identity(each)[:2], []).append(each)
    with _Asking(webhook, "/convert") as asking:
        for (group, _), all_of_it in sorts.items():
            wanted = version if "/" in version or not group else f"{group}/{version}"
            for begin in range(0, len(all_of_it), _TOGETHER):
                some = all_of_it[begin : begin + _TOGETHER]
                uid = str(uuid.uuid4())
                request = {"uid": uid, "desiredAPIVersion": wanted, "objects": [each.obj for each in some]}
                asked = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": request}
                try:
                    data = asking.send(asked)
                except WebhookConfigError as problem:
                    yield from (Reviewed(each, problem=str(problem)) for each in some)
                else:
                    yield from conversion(some, data, uid, wanted)


_SHORT, _MOST = 1000, 1000


def lines(reviewed: Reviewed, *, converted: bool) -> Iterator[str]:
    """Yields the output for an admitted object."""
    if not reviewed.allowed:
        return
    what = "allowed"
    if converted:
        what = f"converted to {reviewed.object.get('apiVersion')}"
    elif reviewed.patch:
        what = "allowed, with changes"
    yield one_line(f"{reviewed.manifest.title} {what}")
    for change in (reviewed.patch or ())[:_MOST]:
        yield one_line(f"  {_change(change):.{_SHORT}}")


def _change(change: Any) -> str:
    """Renders a change of a patch: `add /spec/replicas: 1`."""
    if not isinstance(change, dict):
        return go_json(change)
    more = (
        f": {go_json(change['value'])}" if "value" in change else f" from {change['from']}" if "from" in change else ""
    )
    return f"{change.get('op')} {change.get('path')}{more}"


def complaints(reviewed: Reviewed, url: str) -> Iterator[str]:
    """Yields warnings and errors, as kubectl writes them."""
    place = f"{reviewed.manifest.file}:{reviewed.manifest.line}"
    yield from (one_line(f"Warning: {each:.{_SHORT}}") for each in reviewed.warnings)
    if reviewed.problem:
        yield one_line(f"{place}: error: {reviewed.problem:.{_SHORT}}")
        return
    if reviewed.allowed:
        return
    kind, name = reviewed.about
    if reviewed.reason == "Invalid" and reviewed.causes:
        causes = [f"{field}: {text}" if field else text for field, text in reviewed.causes]
        head = f'{place}: The {kind:.{_SHORT}} "{name:.{_SHORT}}" is invalid:'
        if len(causes) == 1:
            yield one_line(f"{head} {causes[0]:.{_SHORT}}")
            return
        yield one_line(head)
        yield from (one_line(f"* {each:.{_SHORT}}") for each in causes)
        return
    reason = f" ({reviewed.reason:.80})" if reviewed.reason else ""
    message = reviewed.message or "without explanation"
    yield one_line(f'{place}: Error from server{reason}: webhook "{url}" denied the request: {message:.{_SHORT}}')


def render_admitted(found: Sequence[Reviewed]) -> str:
    """Renders the admitted objects as YAML documents."""
    return "---\n".join(as_yaml(each.object, marker=None) for each in found if each.allowed)


__all__ = ["Question", "Reviewed", "Webhook", "WebhookConfigError", "convert", "review"]
