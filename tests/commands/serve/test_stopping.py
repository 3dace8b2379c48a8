"""What must not cost a request: new certificates and the end, while clients go on asking; and one that does not end."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import ssl
import threading
import time
from pathlib import Path

import pytest
import trustme
import urllib3

from tests.commands.serve.serving import (
    Certificates,
    Process,
    answer,
    connected,
    ended,
    project,
    request,
    review,
    served,
    thing,
)
from tests.webhooks.test_app import _nothing_wrong
from validation_gen.commands.serve.tls import Files, Watched
from validation_gen.webhooks import Judge, Limits, Request, Validating, Verdict, Webhook

GOOD = review(thing("a"))
PROC = Path("/proc/self/task")
_PAUSE = 0.03  # seconds


class Clients:
    """Some clients that ask one thing after the other, on connections that are kept as long as both sides want.

    Each pauses between requests: the tests wait for seconds, and all of them would be full of requests.
    """

    def __init__(self, port: int, context: ssl.SSLContext, count: int = 4) -> None:
        self._pool = urllib3.HTTPSConnectionPool(
            "127.0.0.1", port, ssl_context=context, retries=False, maxsize=count, timeout=60
        )
        self.answered = 0
        self.connections = 0
        self.failures: list[object] = []
        self._enough = threading.Event()
        self._threads = [threading.Thread(target=self._ask) for _ in range(count)]
        for each in self._threads:
            each.start()

    def _ask(self) -> None:
        headers = {"Content-Type": "application/json"}
        while not self._enough.wait(_PAUSE):
            try:
                found = self._pool.request("POST", "/validate", body=GOOD, headers=headers)
                if found.status != 200 or not json.loads(found.data)["response"]["allowed"]:
                    self.failures.append(found.status)
                self.answered += 1
            except Exception as problem:  # whatever it is, it is a request without an answer
                self.failures.append(problem)

    def wait_for(self, count: int) -> None:
        """Until so many more are answered."""
        wanted = self.answered + count
        end = time.monotonic() + 60
        while self.answered < wanted and not self.failures:
            assert time.monotonic() < end
            time.sleep(0.01)

    def stop(self) -> None:
        self._enough.set()
        for each in self._threads:
            each.join(60)
        self.connections = self._pool.num_connections
        self._pool.close()


def test_new_certificates_cost_no_request(tmp_path: Path, authority: trustme.CA) -> None:
    certificates = Certificates(authority, tmp_path)
    told: list[str] = []
    files = Files(*certificates.files)
    watched = Watched(files, told.append)
    with served(Webhook({"/validate": Validating(_nothing_wrong)}), files, watched=watched) as (_, port):
        clients = Clients(port, certificates.client())
        try:
            for number in range(1, 4):
                clients.wait_for(50)
                before = ssl.get_server_certificate(("127.0.0.1", port))
                Certificates(authority, tmp_path)
                end = time.monotonic() + 60
                while told.count("the certificate was renewed") < number:
                    assert time.monotonic() < end, told
                    time.sleep(0.05)
                assert ssl.get_server_certificate(("127.0.0.1", port)) != before
            clients.wait_for(50)
        finally:
            clients.stop()
    assert clients.failures == []
    assert clients.connections == 4  # all go on by the connections that there were


@pytest.mark.process
def test_the_end_costs_no_request(tmp_path: Path, authority: trustme.CA) -> None:
    """Clients go elsewhere once `/readyz` says so, as in a cluster; until then all are answered."""
    project(tmp_path)
    certificates = Certificates(authority, tmp_path)
    args = ("apis", "--tls-cert", "tls.crt", "--tls-key", "tls.key", "--shutdown-delay", "2", "--log-level", "info")
    running = Process(tmp_path, *args)
    clients = Clients(running.port, certificates.client())
    try:
        clients.wait_for(100)
        running.process.send_signal(signal.SIGTERM)
        with urllib3.HTTPSConnectionPool(
            "127.0.0.1", running.port, ssl_context=certificates.client(), retries=False
        ) as probe:
            while probe.request("GET", "/readyz").status == 200:
                time.sleep(0.05)
            assert b"[-]shutdown failed" in probe.request("GET", "/readyz").data
            assert probe.request("GET", "/livez").status == 200
        with connected(running.port, certificates.client()) as sock:
            sock.sendall(request(GOOD))
            assert b"\r\nconnection: close\r\n" in sock.recv(1000)
            assert ended(sock)
        clients.wait_for(20)
    finally:
        clients.stop()
        code = running.end(signal.SIGTERM)
    assert clients.failures == []
    assert code == 0


def _slow(begun: threading.Event, go_on: threading.Event) -> Judge:
    def judge(request: Request) -> Verdict:
        begun.set()
        go_on.wait(60)
        return Verdict()

    return judge


def test_what_is_under_way_is_finished(tmp_path: Path, authority: trustme.CA) -> None:
    certificates = Certificates(authority, tmp_path)
    begun, go_on = threading.Event(), threading.Event()
    webhook = Webhook({"/validate": Validating(_slow(begun, go_on))})
    with (
        served(webhook, Files(*certificates.files)) as (server, port),
        connected(port, certificates.client()) as sock,
    ):
        sock.sendall(request(GOOD))
        assert begun.wait(60)
        server.end()
        while webhook.ready:
            time.sleep(0.01)
        go_on.set()
        assert answer(sock)[0] == 200
        assert sock.recv(1) == b""


def test_time_is_up(tmp_path: Path, authority: trustme.CA) -> None:
    """It fails closed, before the server gives up; the place is free once the work has ended."""
    certificates = Certificates(authority, tmp_path)
    begun, go_on = threading.Event(), threading.Event()
    webhook = Webhook({"/validate": Validating(_slow(begun, go_on))}, Limits(requests=1))
    with served(webhook, Files(*certificates.files)) as (_, port), connected(port, certificates.client()) as sock:
        sock.sendall(request(GOOD, path="/validate?timeout=200ms"))
        code, body = answer(sock)
        response = json.loads(body)["response"]
        assert (code, response["allowed"], response["status"]["code"]) == (200, False, 504)
        sock.sendall(request(GOOD))
        assert answer(sock)[0] == 429
        go_on.set()
        code = 429
        while code == 429:
            sock.sendall(request(GOOD))
            code, body = answer(sock)
        assert json.loads(body)["response"]["allowed"]


# --- certificates of clients ------------------------------------------------------------------------------------------


def test_clients_show_a_certificate(tmp_path: Path, authority: trustme.CA) -> None:
    certificates = Certificates(authority, tmp_path)
    first, second = trustme.CA(), trustme.CA()
    file = tmp_path / "clients.crt"
    first.cert_pem.write_to_path(file)
    files = Files(*certificates.files, str(file))
    told: list[str] = []
    webhook = Webhook({"/validate": Validating(_nothing_wrong)}, exposition=lambda accept: (b"", "text/plain"))

    def asked(shown: trustme.CA | None, path: str = "/validate", method: str = "POST") -> int:
        leaf = shown.issue_cert("api-server") if shown else None
        try:
            with connected(port, certificates.client(leaf)) as sock:
                sock.sendall(request(GOOD if method == "POST" else b"", path=path, method=method))
                return answer(sock)[0]
        except (OSError, EOFError):
            return 0

    with served(webhook, files, watched=Watched(files, told.append), certified=True) as (_, port):
        assert [asked(first), asked(None), asked(second)] == [200, 403, 0]
        assert [asked(None, f"/{name}", "GET") for name in ("livez", "readyz", "healthz")] == [200] * 3
        assert [asked(None, "/metrics", "GET"), asked(first, "/metrics", "GET")] == [403, 200]
        assert [asked(None, "/nothing", "GET"), asked(first, "/nothing", "GET")] == [403, 404]
        second.cert_pem.write_to_path(file)
        end = time.monotonic() + 60
        while not told:
            assert time.monotonic() < end
            time.sleep(0.05)
        assert [asked(first), asked(second)] == [0, 200]


# --- several processes ------------------------------------------------------------------------------------------------


@pytest.mark.process
@pytest.mark.skipif(not PROC.is_dir(), reason="Linux alone tells of the processes of a process")
def test_workers(tmp_path: Path, authority: trustme.CA) -> None:
    project(tmp_path)
    certificates = Certificates(authority, tmp_path)
    args = ("apis", "--tls-cert", "tls.crt", "--tls-key", "tls.key", "--shutdown-delay", "0", "--workers", "2")
    running = Process(tmp_path, *args, "--log-format", "json")
    context = certificates.client()

    def children() -> set[int]:
        found = Path(f"/proc/{running.process.pid}/task/{running.process.pid}/children").read_text()
        return set(map(int, found.split()))

    def counted(text: str) -> None:
        """Waits until the metrics have a text: what is answered is counted a moment later."""
        end = time.monotonic() + 60
        found = ""
        while text not in found:
            assert time.monotonic() < end, found
            with urllib3.HTTPSConnectionPool("127.0.0.1", running.port, ssl_context=context, retries=False) as pool:
                found = pool.request("GET", "/metrics").data.decode()

    try:
        for _ in range(20):  # each by a connection of its own, so that both may take them
            with connected(running.port, context) as sock:
                sock.sendall(request(GOOD))
                assert answer(sock)[0] == 200
        counted('requests_total{code="200",path="/validate"} 20.0')
        before = children()
        assert len(before) == 2
        gone = min(before)
        os.kill(gone, signal.SIGKILL)
        line = json.loads(running.lines_until("another begins"))
        assert line["message"] == "a worker was ended by signal 9; another begins in 1 s"
        end = time.monotonic() + 60
        while len(children()) < 2:
            assert time.monotonic() < end
            time.sleep(0.05)
        assert gone not in children()
        with connected(running.port, context) as sock:
            sock.sendall(request(GOOD))
            assert answer(sock)[0] == 200
        # What the one that is gone has counted stays, and its requests are under way no longer.
        counted('requests_total{code="200",path="/validate"} 21.0')
        counted("requests_in_flight 0.0")
        left = children()
    finally:
        code = running.end(signal.SIGTERM)
    assert code == 0
    for pid in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, 0)
            pytest.fail("a worker is left")
    assert not re.search(r"Traceback|Exception", running.told)


@pytest.mark.process
@pytest.mark.skipif(not PROC.is_dir(), reason="Linux alone tells of the processes of a process")
def test_workers_end_with_the_first_process(tmp_path: Path, authority: trustme.CA) -> None:
    project(tmp_path)
    Certificates(authority, tmp_path)
    running = Process(tmp_path, "apis", "--tls-cert", "tls.crt", "--tls-key", "tls.key", "--workers", "2")
    task = Path(f"/proc/{running.process.pid}/task/{running.process.pid}/children")
    pids = list(map(int, task.read_text().split()))
    running.end(signal.SIGKILL)
    end = time.monotonic() + 60
    while any(_is_there(pid) for pid in pids):
        assert time.monotonic() < end
        time.sleep(0.05)


def _is_there(pid: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False


@pytest.mark.process
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are made by fork")
def test_ctrl_c_does_not_wait(tmp_path: Path, authority: trustme.CA) -> None:
    project(tmp_path)
    Certificates(authority, tmp_path)
    args = ("apis", "--tls-cert", "tls.crt", "--tls-key", "tls.key", "--shutdown-delay", "3600")
    for more in ((), ("--workers", "2")):
        assert Process(tmp_path, *args, *more).end() == 130
