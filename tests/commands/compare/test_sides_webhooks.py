"""Sides that are admission webhooks: a server of our own that can misbehave, and kopf's."""

from __future__ import annotations

import asyncio
import contextlib
import json
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import kopf
import pytest
import trustme
from hypothesis import given
from hypothesis import strategies as st
from kopf._cogs.configs.configuration import OperatorSettings
from kopf._cogs.structs.ephemera import AnyMemo, Memo
from kopf._cogs.structs.references import Insights, Resource
from kopf._core.engines.admission import serve_admission_request
from kopf._core.reactor.inventory import ResourceMemories

from tests.commands.compare.test_sides import shown
from tests.mismatch.adapted import told
from tests.mismatch.test_adapters import JSON
from tests.tables import each
from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.sides import Answer, Refusal, SideOptions, parse_spec
from validation_gen.commands.compare.sides.webhooks import read_answer
from validation_gen.runtime.errors import FieldError, Mark

Reply = Callable[[dict[str, Any]], "tuple[int, bytes] | dict[str, Any]"]


class Server(ThreadingHTTPServer):
    """Answers reviews with what a function says, and remembers what it was asked."""

    daemon_threads = True
    request_queue_size = 50

    def __init__(self, reply: Reply) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.reply = reply
        self.seen: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.connections = 0
        self.scheme = "http"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that have gone are no error."""

    @property
    def spec(self) -> str:
        return f"webhook:{self.scheme}://127.0.0.1:{self.server_port}/validate"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def setup(self) -> None:
        self.server.connections += 1
        super().setup()

    def do_POST(self) -> None:
        review = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.seen.append(review)
        self.server.headers.append(dict(self.headers))
        answer = self.server.reply(review)
        if isinstance(answer, dict):
            response = {"uid": review["request"]["uid"], **answer}
            answer = 200, json.dumps({"apiVersion": review["apiVersion"], "response": response}).encode()
        status, body = answer
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextlib.contextmanager
def serving(reply: Reply, context: ssl.SSLContext | None = None) -> Iterator[Server]:
    server = Server(reply)
    if context:
        server.scheme = "https"
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def ask(spec: str, *requests: Request, **options: Any) -> list[Answer]:
    with parse_spec(spec, SideOptions(**options)).side() as side:
        return side.ask(requests)


def widget(**spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "shop.example.com/v1",
        "kind": "Widget",
        "metadata": {"name": "w", "namespace": "n"},
        "spec": spec,
    }


CREATE = Request("Widget", widget(size=1))


# --- what is asked ----------------------------------------------------------------------------------------------------


def test_what_a_webhook_is_asked() -> None:
    old: dict[str, Any] = {"metadata": {}, "spec": {}}
    update = Request("Widget", widget(size=2), old, update=True, subresource="/status")
    core = Request("Pod", {"metadata": {}}, api_version="v1")
    with serving(lambda review: {"allowed": True}) as server:
        headers = (("Authorization", "Bearer x"),)
        assert (
            ask(server.spec, CREATE, update, core, headers=headers, plurals=(("Pod", "podden"),), in_flight=1)
            == [[]] * 3
        )
    first, second, third = (review["request"] for review in server.seen)
    assert {review["apiVersion"] for review in server.seen} == {"admission.k8s.io/v1"}
    uid = first.pop("uid")
    assert first == {
        "kind": {"group": "shop.example.com", "version": "v1", "kind": "Widget"},
        "resource": {"group": "shop.example.com", "version": "v1", "resource": "widgets"},
        "requestKind": {"group": "shop.example.com", "version": "v1", "kind": "Widget"},
        "requestResource": {"group": "shop.example.com", "version": "v1", "resource": "widgets"},
        "name": "w",
        "namespace": "n",
        "operation": "CREATE",
        "userInfo": {"username": "validation-gen", "groups": ["system:authenticated"]},
        "object": CREATE.obj,
        "oldObject": None,
        "dryRun": True,
        "options": {"apiVersion": "meta.k8s.io/v1", "kind": "CreateOptions", "dryRun": ["All"]},
    }
    assert (second["operation"], second["subResource"], second["options"]["kind"]) == (
        "UPDATE",
        "status",
        "UpdateOptions",
    )
    assert second["oldObject"] == {"apiVersion": "shop.example.com/v1", "kind": "Widget", **old}
    assert third["resource"] == {"group": "", "version": "v1", "resource": "podden"}
    assert third["object"] == {"apiVersion": "v1", "kind": "Pod", "metadata": {}}
    assert len({uid, second["uid"], third["uid"]}) == 3
    assert {headers["Authorization"] for headers in server.headers} == {"Bearer x"}
    assert server.connections == 1


def test_what_a_webhook_cannot_be_asked() -> None:
    with serving(lambda review: {"allowed": True}) as server:
        answers = shown(ask(server.spec, Request("Widget", {}), Request("Widget", widget(), update=True),
                            Request("Widget", widget(size=float("nan"))), CREATE))  # fmt: skip
    assert answers == [
        "a request to a webhook needs an apiVersion, which the object does not have",
        "a request to a webhook about an update needs the old object",
        "the request cannot be written as JSON: Out of range float values are not JSON compliant",
        [],
    ]


def test_requests_are_under_way_together() -> None:
    together = threading.Barrier(4, timeout=60)
    requests = [Request("Widget", widget(size=size)) for size in range(4)]

    def reply(review: dict[str, Any]) -> dict[str, Any]:
        together.wait()
        return {
            "allowed": False,
            "status": {"message": f"spec.size: Invalid value: {review['request']['object']['spec']['size']}"},
        }

    with serving(reply) as server:
        assert shown(ask(server.spec, *requests, in_flight=4)) == [[f"spec.size: Invalid value: {n}"] for n in range(4)]


# --- answers ----------------------------------------------------------------------------------------------------------


def test_answers() -> None:
    causes = [
        {"reason": "FieldValueInvalid", "field": "spec.size", "message": "Invalid value: 1: must be greater than 2"},
        {"reason": "FieldValueRequired", "field": "spec.name", "message": "Required value"},
    ]
    replies: list[dict[str, Any]] = [
        {"allowed": True, "warnings": ["odd"]},
        {"allowed": False, "status": {"message": "no", "details": {"causes": causes}}},
        {"allowed": False, "status": {"code": 422, "message": "spec.a: Forbidden: no\nspec.b: Required value"}},
        {"allowed": False, "status": {"reason": "odd"}},
        {"allowed": False},
    ]
    wanted: list[list[tuple[str, str, str]]] = [
        [],
        [("spec.size", "Invalid", "?"), ("spec.name", "Required", "?")],
        [("spec.a", "Forbidden", "?"), ("spec.b", "Required", "?")],
        [("?", "?", "?")],
        [("?", "?", "?")],
    ]
    left = iter(replies)
    with serving(lambda review: next(left)) as server:
        answers = ask(server.spec, *[CREATE] * len(replies), in_flight=1)
    assert [[told(error) for error in answer] for answer in answers if isinstance(answer, list)] == wanted
    assert all(Mark.COVERED in error.marks for answer in answers if isinstance(answer, list) for error in answer)


@each(
    ("reply", "refusal"),
    [
        ((500, b"crashed"), "the webhook answered with status 500: crashed"),
        ((404, b""), "the webhook answered with status 404"),
        ((302, b""), "the webhook answered with status 302"),
        ((200, b"<html>"), "the webhook answered with '<html>', which is not JSON"),
        ((200, b"{}"), "the webhook answered with '{}', which is no response to an AdmissionReview"),
        ({"uid": "other", "allowed": True}, "the webhook answered to another uid ('other')"),
        ({"allowed": "yes"}, "which is no response to an AdmissionReview"),
    ],
)
def test_what_is_no_answer(reply: Any, refusal: str) -> None:
    with serving(lambda review: reply) as server:
        [answer] = ask(server.spec, CREATE)
    assert isinstance(answer, Refusal)
    assert refusal in answer.text


def _maybe(**values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """A JSON object that may have these, or any JSON."""
    return JSON | st.fixed_dictionaries({}, optional=values)


CAUSES = JSON | st.lists(_maybe(reason=JSON, field=JSON, message=JSON))
STATUSES = _maybe(message=JSON, reason=JSON, details=_maybe(causes=CAUSES))
RESPONSES = st.fixed_dictionaries({"uid": st.just("1"), "allowed": st.booleans()}, optional={"status": STATUSES})
BODIES = (JSON | st.builds(lambda response: {"response": response}, RESPONSES)).map(
    lambda data: json.dumps(data).encode()
)


@given(data=st.binary() | BODIES)
def test_every_body_is_read_or_refused(data: bytes) -> None:
    answer = read_answer(data, "1", {"spec": {}})
    assert isinstance(answer, Refusal) or all(isinstance(error, FieldError) and str(error) for error in answer)


# --- the way there ----------------------------------------------------------------------------------------------------


def test_busy_webhooks_are_asked_again() -> None:
    times: list[int] = []

    def reply(review: dict[str, Any]) -> Any:
        times.append(1)
        return (503, b"later") if len(times) < 3 else {"allowed": True}

    with serving(reply) as server:
        assert ask(server.spec, CREATE) == [[]]
        times.clear()
        assert shown(ask(server.spec, CREATE, retries=0)) == ["the webhook answered with status 503: later"]
        assert len(times) == 1


def test_slow_and_absent_webhooks() -> None:
    def reply(review: dict[str, Any]) -> dict[str, Any]:
        time.sleep(1)
        return {"allowed": True}

    with serving(reply) as server:
        [slow] = shown(ask(server.spec, CREATE, timeout=0.1, retries=0))
    assert slow == "the webhook has not answered within 0.1 seconds"
    [absent] = shown(ask(server.spec, CREATE, retries=0))
    assert "Connection refused" in absent
    assert "0x" not in absent


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


def pem(path: Path, *blobs: trustme.Blob) -> str:
    path.write_bytes(b"".join(blob.bytes() for blob in blobs))
    return str(path)


def test_certificates(authority: trustme.CA, tmp_path: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("webhook.shop.svc").configure_cert(context)
    authority.configure_trust(context)
    context.verify_mode = ssl.CERT_REQUIRED
    client = authority.issue_cert("me@example.com")
    ca = pem(tmp_path / "ca.pem", authority.cert_pem)
    certificate = pem(tmp_path / "cert.pem", *client.cert_chain_pems)
    key = pem(tmp_path / "key.pem", client.private_key_pem)
    both = pem(tmp_path / "both.pem", client.private_key_and_cert_chain_pem)
    with serving(lambda review: {"allowed": True}, context) as server:
        named = {"ca_file": ca, "server_name": "webhook.shop.svc"}
        assert ask(server.spec, CREATE, cert_file=certificate, key_file=key, **named) == [[]]
        assert ask(server.spec, CREATE, cert_file=both, **named) == [[]]
        [untrusted] = shown(ask(server.spec, CREATE, server_name="webhook.shop.svc"))
        assert "certificate verify failed" in untrusted
        [misnamed] = shown(ask(server.spec, CREATE, ca_file=ca, cert_file=both))
        assert "IP address mismatch, certificate is not valid for '127.0.0.1'" in misnamed
        [anonymous] = shown(ask(server.spec, CREATE, retries=0, **named))
        assert anonymous.startswith("the webhook cannot be reached: ")


def test_without_urllib3(tmp_path: Path) -> None:
    (tmp_path / "urllib3.py").write_text("raise ImportError('not installed')\n")
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from validation_gen.commands.compare.sides import SpecError, parse_spec\n"
        "try: parse_spec('webhook:https://localhost/')\n"
        "except SpecError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "webhooks need urllib3; pip install 'validation-gen[webhook]'\n"


# --- kopf -------------------------------------------------------------------------------------------------------------

WIDGETS = Resource("shop.example.com", "v1", "widgets", kind="Widget", namespaced=True)


def _handlers() -> kopf.OperatorRegistry:
    registry = kopf.OperatorRegistry()

    @kopf.on.validate("widgets", registry=registry, id="check")  # type: ignore[arg-type]
    def check(spec: Any, old: Any, dryrun: bool, warnings: list[str], **_: Any) -> None:
        warnings.append("a warning")
        assert dryrun
        if spec.get("size", 0) > 5:
            raise kopf.AdmissionError(f"spec.size: Invalid value: {spec['size']}: must be at most 5", code=422)
        if old is not None and spec["size"] < old["spec"]["size"]:
            raise kopf.AdmissionError("too small", code=400)
        if "size" not in spec:
            raise KeyError("size")

    return registry


@contextlib.contextmanager
def operator(authority: trustme.CA, tmp_path: Path) -> Iterator[str]:
    """The address of kopf's webhook server with these handlers."""
    registry, insights = _handlers(), Insights()
    insights.webhook_resources.add(WIDGETS)

    async def answer(request: Any, **given: Any) -> Any:
        return await serve_admission_request(
            request, settings=OperatorSettings(), memories=ResourceMemories(), memobase=AnyMemo(Memo()),
            registry=registry, insights=insights, indices={}, **given,
        )  # fmt: skip

    loop = asyncio.new_event_loop()
    ready: list[Any] = []
    known = threading.Event()

    async def serve() -> None:
        own = authority.issue_cert("localhost")
        certificate, key = (
            pem(tmp_path / "cert.pem", *own.cert_chain_pems),
            pem(tmp_path / "key.pem", own.private_key_pem),
        )
        async with kopf.WebhookServer(addr="127.0.0.1", host="localhost", certfile=certificate, pkeyfile=key) as server:
            async for config in server(answer):
                ready.append(config)
                known.set()

    task = loop.create_task(serve())

    def run() -> None:
        with contextlib.suppress(asyncio.CancelledError):
            loop.run_until_complete(task)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        assert known.wait(60)
        yield ready[0]["url"]
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join()
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


def test_kopf_as_a_server(authority: trustme.CA, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(100)
    ca = pem(tmp_path / "ca.pem", authority.cert_pem)
    with operator(authority, tmp_path) as url:
        answers = ask(
            f"webhook:{url}/check",
            Request("Widget", widget(size=1)),
            Request("Widget", widget(size=6)),
            Request("Widget", widget(size=1), widget(size=2), update=True),
            Request("Widget", widget()),
            Request("Gadget", {"apiVersion": "shop.example.com/v1", "kind": "Gadget"}),
            ca_file=ca,
        )
    assert shown(answers[:2]) == [[], ["spec.size: Invalid value: 6: must be at most 5"]]
    assert [told(error) for answer in answers[2:4] if isinstance(answer, list) for error in answer] == [
        ("?", "?", "?")
    ] * 2
    assert "status 404" in shown(answers)[4]
