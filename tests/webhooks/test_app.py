"""The application without a server: how many requests are taken at once, and bodies that come slowly."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from typing import Any

import anyio
import pytest

from tests.tables import each
from tests.webhooks.test_reviews import OBJECT, _body
from validation_gen.webhooks import Answer, Judge, Limits, Request, Validating, Verdict, Webhook


def _nothing_wrong(request: Request) -> Verdict:
    return Verdict()


def _webhook(judge: Judge, limits: Limits | None = None) -> Webhook:
    return Webhook({"/validate": Validating(judge)}, limits)


async def _asked(webhook: Webhook, body: bytes | None) -> int:
    """The status of an answer to a body, or to one that does not come."""
    return (await _answered(webhook.app, body))[0]


async def _answered(app: Any, body: bytes | None, path: str = "/validate", **more: Any) -> tuple[int, bytes]:
    codes: list[int] = []
    said: list[bytes] = []
    sent = False

    async def receive() -> dict[str, Any]:
        nonlocal sent
        if body is None or sent:
            await anyio.sleep_forever()
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            codes.append(message["status"])
        else:
            said.append(message["body"])

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "https",
        "path": path,
        "raw_path": path.encode(errors="replace"),
        "query_string": b"",
        "root_path": "",
        "headers": [(b"content-type", b"application/json")],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 2),
        **more,
    }
    await app(scope, receive, send)
    assert len(codes) == 1
    return codes[0], b"".join(said)


def test_more_than_are_taken_at_once_are_put_off() -> None:
    running, go_on = threading.Barrier(3), threading.Event()

    def judge(request: Request) -> Verdict:
        running.wait(60)
        go_on.wait(60)
        return Verdict()

    webhook = _webhook(judge, Limits(requests=2))
    codes: list[int] = []

    async def ask() -> None:
        codes.append(await _asked(webhook, _body()))

    async def main() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            group.start_soon(ask)
            await anyio.to_thread.run_sync(running.wait, 60)
            await ask()
            go_on.set()

    anyio.run(main)
    assert codes == [429, 200, 200]
    assert anyio.run(_asked, _webhook(_nothing_wrong), _body()) == 200


def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    webhook = _webhook(_nothing_wrong, Limits(reading=0.05))
    assert anyio.run(_asked, webhook, None) == 408
    assert anyio.run(_asked, webhook, b"{") == 400


def test_no_more_bodies_are_held_than_there_is_room_for() -> None:
    body = _body()
    assert anyio.run(_asked, _webhook(_nothing_wrong, Limits(bodies=len(body))), body) == 200
    webhook = _webhook(_nothing_wrong, Limits(bodies=len(body) - 1))
    for _ in range(3):  # what was refused counts no longer
        assert anyio.run(_asked, webhook, body) == 429


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("raises", "the answer failed: ZeroDivisionError"),
        ("is not JSON", "the answer cannot be written as JSON"),
        ("is deep", "the answer cannot be written as JSON"),
    ],
)
def test_what_fails_inside_refuses(wrong: str, said: str) -> None:
    class Broken(Validating):
        async def answer(self, asked: Request) -> Answer:
            if wrong == "raises":
                raise ZeroDivisionError
            deep: Any = object()
            if wrong == "is deep":
                for _ in range(100_000):
                    deep = [deep]
            return Answer({"response": deep})

    code, body = anyio.run(_answered, Webhook({"/validate": Broken(_nothing_wrong)}).app, _body())
    response = json.loads(body)["response"]
    assert (code, response["allowed"], response["status"]["code"]) == (200, False, 500)
    assert response["status"]["message"] == said


def test_a_body_that_breaks_its_reader_is_a_bad_one() -> None:
    class Broken(Validating):
        def read(self, body: bytes) -> Request:
            raise MemoryError

    webhook = Webhook({"/validate": Broken(_nothing_wrong)})
    code, body = anyio.run(_answered, webhook.app, _body())
    assert (code, json.loads(body)["message"]) == (400, "the body cannot be read: MemoryError")


@each(
    ("body", "more", "code", "reason", "said"),
    [
        (b"{", {}, 400, "BadRequest", "the body is not JSON"),
        (b"{}", {"query_string": b"timeout=ten"}, 400, "BadRequest", "timeout is no duration such as 10s: 'ten'"),
        (b"{}", {"path": "/validat"}, 404, "NotFound", "nothing is at /validat; there is /validate, /mutate"),
        (b"{}", {"path": "/\ud800\n"}, 404, "NotFound", "nothing is at /\ud800\n; there is"),
        (b"{}", {"method": "GET"}, 405, "MethodNotAllowed", "reviews are sent by POST"),
        (None, {}, 408, "Timeout", "the body did not come in time"),
        (b"{" + b" " * 100, {}, 413, "RequestEntityTooLarge", "the body has more than 100 bytes"),
        (b"{}", {"headers": []}, 415, "UnsupportedMediaType", "send application/json"),
        (b" " * 60, {}, 429, "TooManyRequests", "too many requests"),
    ],
    ids=lambda value: str(value) if isinstance(value, int) else "",
)
def test_what_is_no_review_is_a_status(body: bytes | None, more: Any, code: int, reason: str, said: str) -> None:
    """Of another body, a server that asks tells its client nothing."""
    endpoint = Validating(_nothing_wrong)
    webhook = Webhook({"/validate": endpoint, "/mutate": endpoint}, Limits(body=100, reading=0.05, bodies=50))
    found, text = anyio.run(lambda: _answered(webhook.app, body, **more))
    status = json.loads(text)
    assert (found, status["code"], status["reason"]) == (code, code, reason)
    assert said in status["message"]
    assert {name: status[name] for name in ("kind", "apiVersion", "status")} == {
        "kind": "Status",
        "apiVersion": "v1",
        "status": "Failure",
    }


def test_who_answers_knows_when_it_is_due() -> None:
    asked: list[Request] = []

    class Noting(Validating):
        async def answer(self, request: Request) -> Answer:
            asked.append(request)
            return await super().answer(request)

    async def main() -> None:
        begun = asyncio.get_running_loop().time()
        await _answered(Webhook({"/validate": Noting(_nothing_wrong)}).app, _body(), query_string=b"timeout=20s")
        assert begun + 19 <= asked[0].due <= asyncio.get_running_loop().time() + 19

    anyio.run(main)


def test_an_answer_in_time_or_a_refusal() -> None:
    """The place is taken until the work has ended."""
    go_on = threading.Event()

    def judge(request: Request) -> Verdict:
        go_on.wait(60)
        return Verdict()

    webhook = _webhook(judge, Limits(requests=1, answering=0.1))
    found: list[tuple[int, bytes]] = []

    async def ask(wait: float, set_: bool) -> None:
        await anyio.sleep(wait)
        found.append(await _answered(webhook.app, _body()))
        if set_:
            go_on.set()

    async def main() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(ask, 0, False)
            group.start_soon(ask, 0.3, True)

    anyio.run(main)
    (code, body), (put_off, _) = found
    assert put_off == 429
    assert code == 200
    assert json.loads(body)["response"]["status"]["code"] == 504


def test_who_blocks_the_loop_is_late_and_answered() -> None:
    """The refusal has only begun when the work is done: the request ends after it, and not before."""

    class Blocking(Validating):
        async def answer(self, asked: Request) -> Answer:
            time.sleep(0.2)
            await asyncio.sleep(0)
            return await super().answer(asked)

    webhook = Webhook({"/validate": Blocking(_nothing_wrong)}, Limits(answering=0.05))
    code, text = anyio.run(_answered, webhook.app, _body())
    assert (code, json.loads(text)["response"]["status"]["code"]) == (200, 504)


def test_what_is_slow_at_once_is_judged_apart() -> None:
    threads: list[threading.Thread] = []

    def judge(request: Request) -> Verdict:
        threads.append(threading.current_thread())
        if len(threads) == 2:
            end = time.thread_time() + 0.05
            while time.thread_time() < end:
                pass
        return Verdict()

    webhook = Webhook({"/validate": Validating(judge, at_once=True)})

    async def main() -> None:
        for _ in range(4):
            assert await _asked(webhook, _body()) == 200

    anyio.run(main)
    here = threading.current_thread()
    assert [each is here for each in threads] == [True, True, False, False]


def test_it_may_stand_within_another_application() -> None:
    """Below a path, and with a server that tells when it begins and ends."""
    from starlette.applications import Starlette  # noqa: PLC0415
    from starlette.routing import Mount  # noqa: PLC0415

    inner = Webhook({"/validate": Validating(_nothing_wrong)})
    outer = Starlette(routes=[Mount("/hooks", app=inner.app)])
    assert anyio.run(lambda: _answered(outer, _body(), path="/hooks/validate"))[0] == 200
    assert anyio.run(lambda: _answered(outer, _body(), path="/validate"))[0] == 404
    assert anyio.run(lambda: _answered(outer, None, path="/hooks/readyz", method="GET")) == (200, b"ok")
    inner.ready = False
    assert anyio.run(lambda: _answered(outer, None, path="/hooks/readyz", method="GET"))[0] == 503
    assert anyio.run(lambda: _answered(outer, None, path="/hooks/livez", method="GET"))[0] == 200
    inner.ready = True
    told: list[str] = []
    asked = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])

    async def receive() -> Any:
        return next(asked)

    async def send(message: Any) -> None:
        told.append(message["type"])

    anyio.run(inner.app, {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, receive, send)
    assert told == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


def test_what_is_large_is_judged_apart() -> None:
    threads: list[threading.Thread] = []

    def judge(request: Request) -> Verdict:
        threads.append(threading.current_thread())
        return Verdict()

    webhook = Webhook({"/validate": Validating(judge, at_once=True)})
    assert anyio.run(_asked, webhook, _body(object={**OBJECT, "spec": "x" * 20_000})) == 200
    assert threads[0] is not threading.current_thread()
