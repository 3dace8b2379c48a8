"""The application without a server: how many requests are taken at once, and bodies that come slowly."""

from __future__ import annotations

import threading
from typing import Any

import anyio

from tests.webhooks.test_reviews import _body
from validation_gen.webhooks import Judge, Limits, Request, Validating, Verdict, Webhook


def _nothing_wrong(request: Request) -> Verdict:
    return Verdict()


def _webhook(judge: Judge, limits: Limits | None = None) -> Webhook:
    return Webhook({"/validate": Validating(judge)}, limits)


async def _asked(webhook: Webhook, body: bytes | None) -> int:
    """The status of an answer to a body, or to one that does not come."""
    codes: list[int] = []
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

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "https",
        "path": "/validate",
        "raw_path": b"/validate",
        "query_string": b"",
        "root_path": "",
        "headers": [(b"content-type", b"application/json")],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 2),
    }
    await webhook.app(scope, receive, send)
    return codes[0]


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
