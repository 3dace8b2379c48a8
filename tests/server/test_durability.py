"""A server, or its etcd, that is killed has lost nothing that it has answered."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.kubernetes.crd.schemas import definition
from tests.kubernetes.objects.answers import root
from tests.server.stores import Etcd
from tests.thorough import THOROUGH

KIND = definition(root({"type": "object", "properties": {"count": {"type": "integer"}}}))
_VERSION, _NAMES = KIND["spec"]["versions"][0]["name"], KIND["spec"]["names"]
_GROUP_VERSION = f"{KIND['spec']['group']}/{_VERSION}"
_URL = f"/apis/{_GROUP_VERSION}/namespaces/a/{_NAMES['plural']}"
_KILLS = int(os.environ.get("VALIDATION_GEN_KILLS") or (100 if THOROUGH else 3))
_WRITERS, _SECONDS = 3, 0.5
#: etcd 3.5.0 to 3.5.2 may lose a write, which its log has, if it is killed at its regular commit.
_SAFE = ("--backend-batch-interval=1h",)


class _RefusedError(Exception):
    """The server does not answer as wished."""


@contextmanager
def _served(directory: Path, store: Sequence[str]) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Runs a server in a process, and yields it with its port."""
    words = ["apiserver", "crd.json", *store, "--insecure-port", "0"]
    with subprocess.Popen(
        [sys.executable, "-m", "validation_gen", *words], cwd=directory, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith("without TLS"):
                    yield process, int(line.rsplit(":", 1)[1])
                    break
        finally:
            process.kill()


def _ask(client: http.client.HTTPConnection, method: str, url: str, body: Any = None) -> Any:
    headers = {"Content-Type": "application/merge-patch+json" if method == "PATCH" else "application/json"}
    client.request(method, url, None if body is None else json.dumps(body), headers)
    answer = client.getresponse()
    text = answer.read()
    if answer.status >= 300:
        raise _RefusedError(text)
    return json.loads(text)


def _write(port: int, prefix: str, answered: dict[str, Any]) -> None:
    """Creates and patches objects until the server is gone, and notes each answer."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as client:
        for number in range(100_000):
            name = f"{prefix}-{number}"
            obj = {
                "apiVersion": _GROUP_VERSION,
                "kind": _NAMES["kind"],
                "metadata": {"name": name},
                "spec": {"count": 0},
            }
            try:
                answered[name] = _ask(client, "POST", _URL, obj)
                answered[name] = _ask(client, "PATCH", f"{_URL}/{name}", {"spec": {"count": number}})
            except (OSError, http.client.HTTPException, _RefusedError):
                return


def _write_until(kill: Callable[[], None], port: int, number: int, answered: dict[str, Any]) -> None:
    """Kills something while some clients write."""
    before = len(answered)
    writers = [threading.Thread(target=_write, args=(port, f"w{number}-{each}", answered)) for each in range(_WRITERS)]
    for writer in writers:
        writer.start()
    deadline = time.monotonic() + 20
    while len(answered) < before + 10 and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(_SECONDS * (number % 7) / 7)
    kill()
    for writer in writers:
        writer.join(30)
        assert not writer.is_alive()
    assert len(answered) >= before + 10


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize("victim", ["server with a file", "server with etcd", "etcd"])
def test_answered_writes_outlive_a_kill(victim: str, tmp_path: Path) -> None:
    (tmp_path / "crd.json").write_text(json.dumps(KIND), encoding="utf-8")
    answered: dict[str, Any] = {}
    with ExitStack() as stack:
        store = ["--data", "state.db"]
        if victim != "server with a file":
            etcd = stack.enter_context(Etcd(tmp_path, *_SAFE))
            store = ["--etcd", etcd.url]
        if victim == "etcd":
            _, port = stack.enter_context(_served(tmp_path, store))
            for number in range(_KILLS):
                _write_until(etcd.kill, port, number, answered)
                etcd.run()
                _wait_until_ready(port)
        else:
            for number in range(_KILLS):
                with _served(tmp_path, store) as (process, port):
                    _write_until(process.kill, port, number, answered)
            _, port = stack.enter_context(_served(tmp_path, store))
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as client:
            kept = {each["metadata"]["name"]: each for each in _ask(client, "GET", _URL)["items"]}
    lost = [name for name in answered if name not in kept]
    older = [
        name
        for name, obj in answered.items()
        if name in kept and int(kept[name]["metadata"]["resourceVersion"]) < int(obj["metadata"]["resourceVersion"])
    ]
    assert (lost, older) == ([], [])
    versions = [each["metadata"]["resourceVersion"] for each in kept.values()]
    assert len(set(versions)) == len(versions)


def _wait_until_ready(port: int) -> None:
    """Waits until the server has its store again."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as client:
            try:
                _ask(client, "GET", _URL)
            except _RefusedError:
                time.sleep(0.02)
            else:
                return
    raise AssertionError("the store does not come back")
