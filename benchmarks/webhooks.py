"""Our webhook beside kopf's admission server and a server that only sends back what it was sent.

    python -m benchmarks.webhooks [--seconds 2] [--rounds 5] [--write]
    python -m benchmarks.webhooks soak [--minutes 10] [--rate R]

All have TLS and HTTP/1.1 with connections that stay open, and are sent the same bodies: AdmissionReviews of 60 objects,
of which one in ten is refused. Each server is a process of its own, and so is the client, which sends prepared bytes.
They take turns, so that what happens on the machine happens to all. kopf's handler calls the same validators as ours.
It needs the extras `serve` and `test`, and a network interface for this machine alone.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import itertools
import json
import multiprocessing
import os
import re
import select
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from typing import Any

from benchmarks.objects import brew, edited

HERE = Path(__file__).parent
TYPES = HERE / "apis" / "brews"
PAGE = HERE.parent / "docs" / "performance.md"
CONNECTIONS = 8
OURS, ECHO, KOPF = "ours", "echo", "kopf"
TITLES = {
    ECHO: "a bare echo: starlette on uvicorn",
    OURS: "**ours**, `validation-gen webhook serve`",
    KOPF: "kopf's admission server",
}


def bodies() -> list[bytes]:
    """AdmissionReviews as a cluster sends them."""
    found = []
    for number in range(60):
        obj = edited(brew(), (("metadata", "name"), f"porter-{number}"))
        if number % 10 == 9:
            obj = edited(obj, (("spec", "boil", "minutes"), 301))
        resource = {"group": "brews.example.com", "version": "v1", "resource": "brews"}
        kind = {"group": "brews.example.com", "version": "v1", "kind": "Brew"}
        request = {
            "uid": f"705ab4f5-6393-11e8-b7cc-42010a8000{number:02}",
            "kind": kind,
            "resource": resource,
            "requestKind": kind,
            "requestResource": resource,
            "name": f"porter-{number}",
            "namespace": "cellar",
            "operation": "CREATE",
            "userInfo": {"username": "brewer", "groups": ["brewers", "system:authenticated"]},
            "object": obj,
            "oldObject": None,
            "dryRun": False,
            "options": {"kind": "CreateOptions", "apiVersion": "meta.k8s.io/v1"},
        }
        review = {"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": request}
        found.append(json.dumps(review, separators=(",", ":")).encode())
    return found


# --- servers ----------------------------------------------------------------------------------------------------------


def serve_echo(certificate: str, key: str) -> None:
    """Sends back what it was sent."""
    import uvicorn  # noqa: PLC0415 - only this process needs it
    from starlette.applications import Starlette  # noqa: PLC0415
    from starlette.requests import Request  # noqa: PLC0415
    from starlette.responses import Response  # noqa: PLC0415
    from starlette.routing import Route  # noqa: PLC0415

    async def echo(request: Request) -> Response:
        return Response(await request.body(), media_type="application/json")

    class Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            _say_port(self.servers[0].sockets[0].getsockname()[1])

    app = Starlette(routes=[Route("/validate", echo, methods=["POST"])])
    config = uvicorn.Config(
        app, port=0, http="h11", log_level="error", access_log=False, ssl_certfile=certificate, ssl_keyfile=key
    )
    Server(config).run()


def serve_kopf(certificate: str, key: str) -> None:
    """What kopf does with a request, with a handler that calls the validators which we serve."""
    import functools  # noqa: PLC0415 - only this process needs these
    import logging  # noqa: PLC0415

    import kopf  # noqa: PLC0415
    from kopf._cogs.configs.configuration import OperatorSettings  # noqa: PLC0415
    from kopf._cogs.structs.ephemera import AnyMemo, Memo  # noqa: PLC0415
    from kopf._cogs.structs.references import Insights, Resource  # noqa: PLC0415
    from kopf._core.engines.admission import serve_admission_request  # noqa: PLC0415
    from kopf._core.intents.causes import WebhookType  # noqa: PLC0415
    from kopf._core.reactor.inventory import ResourceMemories  # noqa: PLC0415

    from validation_gen.compiler.pipeline import build_program, load_validators  # noqa: PLC0415
    from validation_gen.compiler.settings import Settings  # noqa: PLC0415

    logging.getLogger("kopf").setLevel(logging.CRITICAL)
    validators = load_validators(build_program(Settings((str(TYPES),), every_kind=True)).program)
    registry = kopf.OperatorRegistry()

    @kopf.on.validate("brews.example.com", "v1", "brews", id="validate", registry=registry)
    def validate(body: kopf.Body, **_: Any) -> None:
        errors = validators.validate(dict(body), raw=True)
        if errors:
            raise kopf.AdmissionError("; ".join(map(str, errors)), code=422)

    insights = Insights()
    insights.webhook_resources.add(Resource("brews.example.com", "v1", "brews", kind="Brew", namespaced=True))
    answer = functools.partial(
        serve_admission_request,
        reason=WebhookType.VALIDATING,
        settings=OperatorSettings(),
        memories=ResourceMemories(),
        memobase=AnyMemo(Memo()),
        registry=registry,
        insights=insights,
        indices={},
    )

    async def main() -> None:
        server = kopf.WebhookServer(addr="127.0.0.1", certfile=certificate, pkeyfile=key, cafile=certificate)
        async for config in server(answer):
            _say_port(int(str(config["url"]).rpartition(":")[2]))

    asyncio.run(main())


def _say_port(port: int) -> None:
    sys.stderr.write(f"listening at https://127.0.0.1:{port}/validate\n")
    sys.stderr.flush()


class Server:
    """A server as a process of its own."""

    def __init__(self, name: str, directory: Path) -> None:
        files = [str(directory / "tls.crt"), str(directory / "tls.key")]
        ours = [
            "validation_gen",
            "serve",
            str(TYPES),
            "--port",
            "0",
            "--tls-cert",
            files[0],
            "--tls-key",
            files[1],
            "--log-level",
            "error",
        ]
        args = ours if name == OURS else ["benchmarks.webhooks", name, *files]
        environment = {**os.environ, "PYTHONPATH": str(HERE.parent)}
        self.process = subprocess.Popen(  # noqa: S603 - our own words
            [sys.executable, "-m", *args], stderr=subprocess.PIPE, text=True, env=environment, cwd=HERE.parent
        )
        assert self.process.stderr is not None
        told = ""
        for line in self.process.stderr:
            told += line
            if found := re.search(r"listening at https://127\.0\.0\.1:(\d+)/validate", line):
                self.port = int(found[1])
                break
        else:
            raise SystemExit(f"{name} has not begun: {told}")
        threading.Thread(target=_drain, args=(self.process.stderr,), daemon=True).start()
        _on_core(self.process.pid, 0)

    def memory(self) -> float:
        """What it holds in MB."""
        text = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        found = re.search(r"VmRSS:\s+(\d+) kB", text)
        assert found
        return int(found[1]) / 1024

    def worked(self) -> float:
        """Seconds of a processor that it has had."""
        text = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8")
        user, system = text.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def end(self) -> int:
        """Ends it in good order."""
        self.process.terminate()
        return self.process.wait(60)


def _drain(stream: Any) -> None:
    for _ in stream:
        pass


def _on_core(pid: int, core: int) -> None:
    """Servers have a processor of their own, and so has the client, where there are two."""
    if hasattr(os, "sched_setaffinity") and (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(pid, {core})


# --- the client -------------------------------------------------------------------------------------------------------


def requests() -> list[bytes]:
    """The same bodies as they go over the wire."""
    head = "POST /validate?timeout=10s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    return [f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body for body in bodies()]


def _trusting() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _length(data: bytes) -> int:
    """The length of an answer, 0 if its head is not there yet."""
    end = data.find(b"\r\n\r\n")
    if end < 0:
        return 0
    head = data[:end].lower()
    if not head.startswith(b"http/1.1 200"):
        raise RuntimeError(f"it answered {head.decode()}")
    at = head.find(b"content-length: ") + 16
    return end + 4 + int(head[at:].partition(b"\r\n")[0])


def flat_out(port: int, seconds: float) -> int:
    """How many requests are answered, as fast as they are: each connection asks as soon as it has its answer.

    Sockets are used as they are, so that the client costs less than any server.
    """
    context, sent, poll = _trusting(), itertools.cycle(requests()), select.poll()
    socks = {}
    for _ in range(CONNECTIONS):
        plain = socket.create_connection(("127.0.0.1", port))
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock = context.wrap_socket(plain)
        socks[sock.fileno()] = sock
        poll.register(sock, select.POLLIN)
        sock.sendall(next(sent))
    parts: dict[int, bytes] = {}
    count = 0
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for number, _ in poll.poll(1000):
            sock = socks[number]
            data = parts.pop(number, b"") + sock.recv(1 << 16)
            while sock.pending():
                data += sock.recv(1 << 16)
            length = _length(data)
            if length and len(data) >= length:
                count += 1
                sock.sendall(next(sent))
            else:
                parts[number] = data
    for sock in socks.values():
        sock.close()
    return count


class Talk(asyncio.Protocol):
    """A connection that asks one thing after the other."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._data = b""
        self._due = 0.0
        self.transport: Any = None

    def connection_made(self, transport: Any) -> None:
        """Waits to be asked."""
        self.transport = transport

    def ask(self, due: float) -> None:
        """Sends the next request. Its time counts from when it was due."""
        self._due = due
        self.transport.write(next(self._load.sent))

    def data_received(self, data: bytes) -> None:
        """Reads an answer to its end."""
        self._data += data
        length = _length(self._data)
        if length and len(self._data) >= length:
            self._data = b""
            self._load.answered(self, time.perf_counter() - self._due)

    def connection_lost(self, exc: Exception | None) -> None:
        """Is a failure while something is asked."""
        self._load.failed += self._load.running


class Load:
    """Asks a server at a rate, however long its answers take; what has to wait for a connection is late."""

    def __init__(self) -> None:
        self.sent = itertools.cycle(requests())
        self.running = True
        self.failed = 0
        self._times: list[float] = []
        self._idle: list[Talk] = []
        self._due: collections.deque[float] = collections.deque()

    def answered(self, talk: Talk, seconds: float) -> None:
        """An answer is there: on with what is due."""
        self._times.append(seconds)
        if self._due:
            talk.ask(self._due.popleft())
        else:
            self._idle.append(talk)

    async def run(self, port: int, seconds: float, rate: float) -> tuple[list[float], int]:
        """How long each request took, and how many failed."""
        loop, context = asyncio.get_running_loop(), _trusting()
        for _ in range(CONNECTIONS):
            _, talk = await loop.create_connection(lambda: Talk(self), "127.0.0.1", port, ssl=context)
            self._idle.append(talk)
        talks = list(self._idle)
        begin, asked = time.perf_counter(), 0
        while (now := time.perf_counter()) < begin + seconds:
            while (due := begin + asked / rate) <= now:
                asked += 1
                if self._idle:
                    self._idle.pop(0).ask(due)
                else:
                    self._due.append(due)
            await asyncio.sleep(max(0.0, begin + asked / rate - time.perf_counter()))
        while self._due or len(self._idle) < len(talks):
            await asyncio.sleep(0.01)
        self.running = False
        for talk in talks:
            talk.transport.abort()
        return self._times, self.failed


def _on_its_own(pipe: Pipe, function: Callable[..., Any], *args: Any) -> None:
    _on_core(0, 1)
    pipe.send(function(*args))


def _apart(function: Callable[..., Any], *args: Any) -> Any:
    """What a function returns in a process of its own."""
    ours, theirs = multiprocessing.Pipe()
    client = multiprocessing.Process(target=_on_its_own, args=(theirs, function, *args))
    client.start()
    theirs.close()
    found = ours.recv()
    client.join()
    return found


def asked(port: int, seconds: float) -> float:
    """The rate at which a server answers."""
    return float(_apart(flat_out, port, seconds)) / seconds


def _at_rate(port: int, seconds: float, rate: float) -> tuple[list[float], int]:
    return asyncio.run(Load().run(port, seconds, rate))


def late(port: int, seconds: float, rate: float) -> tuple[float, int]:
    """The 99th percentile of the times that requests take at a rate, in milliseconds, and how many failed."""
    times, failed = _apart(_at_rate, port, seconds, rate)
    return statistics.quantiles(times, n=100)[98] * 1e3, failed


# --- runs -------------------------------------------------------------------------------------------------------------


@contextmanager
def certified() -> Iterator[Path]:
    """A directory with a certificate and its key."""
    import trustme  # noqa: PLC0415 - tests have it

    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        issued = trustme.CA().issue_cert("127.0.0.1")
        issued.private_key_pem.write_to_path(directory / "tls.key")
        for blob in issued.cert_chain_pems:
            blob.write_to_path(directory / "tls.crt", append=True)
        yield directory


def measured(seconds: float, rounds: int) -> dict[str, dict[str, float]]:
    """Of each contender the rate, what a request costs it, and the 99th percentile at half load.

    Half load is half of what ours and the echo take, or of what it takes itself if that is less. Medians over rounds.
    """
    found: dict[str, list[dict[str, float]]] = {name: [] for name in TITLES}
    with certified() as directory, ExitStack() as stack:
        servers = {name: Server(name, directory) for name in TITLES}
        for server in servers.values():
            stack.callback(server.process.wait)
            stack.callback(server.process.terminate)
        for server in servers.values():
            asked(server.port, 1)
        for _ in range(rounds):
            rates, works = {}, {}
            for name, server in servers.items():
                before = server.worked()
                rates[name] = asked(server.port, seconds)
                works[name] = (server.worked() - before) / (rates[name] * seconds) * 1e6
            half = min(rates[OURS], rates[ECHO]) / 2
            for name, server in servers.items():
                p99, failed = late(server.port, seconds, min(half, rates[name] / 2))
                if failed:
                    raise SystemExit(f"{TITLES[name]} has failed {failed} times at half load")
                found[name].append({"rate": rates[name], "work": works[name], "p99": p99})
    return {
        name: {
            **{what: statistics.median(run[what] for run in runs) for what in ("rate", "work", "p99")},
            **{f"{what} ratio": _ratio(runs, found[ECHO], what) for what in ("rate", "work", "p99")},
        }
        for name, runs in found.items()
    }


def _ratio(runs: Sequence[dict[str, float]], others: Sequence[dict[str, float]], what: str) -> float:
    return statistics.median(run[what] / other[what] for run, other in zip(runs, others, strict=True))


def table(found: dict[str, dict[str, float]]) -> list[str]:
    """The results as Markdown."""
    lines = [
        "| | requests/s | of echo's | processor, µs a request | of echo's | p99 at half load, ms | of echo's |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    lines += [
        f"| {TITLES[name]} | {each['rate']:,.0f} | {each['rate ratio']:.2f} | {each['work']:.0f} "
        f"| {each['work ratio']:.2f} | {each['p99']:.1f} | {each['p99 ratio']:.2f} |"
        for name, each in found.items()
    ]
    return lines


def soak(minutes: float, rate: float) -> None:
    """Asks our server at a rate, by default at half of what it takes, and prints its memory each minute."""
    with certified() as directory:
        server = Server(OURS, directory)
        rate = rate or asked(server.port, 2) / 2
        sys.stdout.write(f"minute 0: {server.memory():.1f} MB, at {rate:.0f} requests/s\n")
        for minute in range(1, int(minutes) + 1):
            p99, failed = late(server.port, 60, rate)
            sys.stdout.write(f"minute {minute}: {server.memory():.1f} MB, p99 {p99:.1f} ms, {failed} failed\n")
            sys.stdout.flush()
        server.end()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", nargs="?", default="run", choices=("run", "soak", ECHO, KOPF))
    parser.add_argument("files", nargs="*", help="the certificate and its key, for a server")
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--rate", type=float, default=0, help="requests a second, for the soak")
    parser.add_argument("--write", action="store_true", help="write the table into docs/performance.md")
    options = parser.parse_args()
    if options.what == ECHO:
        serve_echo(*options.files)
    elif options.what == KOPF:
        serve_kopf(*options.files)
    elif options.what == "soak":
        soak(options.minutes, options.rate)
    else:
        lines = table(measured(options.seconds, options.rounds))
        sys.stdout.write("\n".join(lines) + "\n")
        if options.write:
            text = PAGE.read_text(encoding="utf-8")
            before, begin, rest = text.partition("<!-- webhooks -->\n")
            _, end, after = rest.partition("<!-- /webhooks -->\n")
            if not end:
                raise SystemExit(f"{PAGE.name} has no <!-- webhooks --> and <!-- /webhooks -->")
            PAGE.write_text(before + begin + "\n".join(lines) + "\n" + end + after, encoding="utf-8")


if __name__ == "__main__":
    main()
