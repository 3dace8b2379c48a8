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
import json
import multiprocessing
import os
import re
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
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
    OURS: "**ours**, `validation-gen serve`",
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

    from validation_gen.build.pipeline import build_program, load_validators  # noqa: PLC0415
    from validation_gen.build.settings import Settings  # noqa: PLC0415

    logging.getLogger("kopf").setLevel(logging.CRITICAL)
    validators = load_validators(build_program(Settings((str(TYPES),), every_kind=True)).program)
    registry = kopf.OperatorRegistry()

    @kopf.on.validate("brews.example.com", "v1", "brews", id="validate", registry=registry)
    def validate(body: kopf.Body, **_: Any) -> None:
        errors = validators.validate(dict(body))
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


class Talk(asyncio.Protocol):
    """A connection that asks one thing after the other."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._data = b""
        self._wanted = -1
        self.begun = 0.0
        self.transport: Any = None

    def connection_made(self, transport: Any) -> None:
        """Waits to be asked."""
        self.transport = transport

    def ask(self, at: float) -> None:
        """Sends the next request. Its time counts from `at`, when it was due."""
        self.begun = at
        self.transport.write(self._load.next())

    def data_received(self, data: bytes) -> None:
        """Reads an answer to its end."""
        self._data = self._data + data if self._data else data
        if self._wanted < 0:
            end = self._data.find(b"\r\n\r\n")
            if end < 0:
                return
            head = self._data[:end].lower()
            if not head.startswith(b"http/1.1 200"):
                self._load.failed += 1
            at = head.find(b"content-length: ") + 16
            self._wanted = end + 4 + int(head[at:].partition(b"\r\n")[0])
        if len(self._data) >= self._wanted:
            self._data, self._wanted = b"", -1
            self._load.done(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Counts as a failure while something is asked."""
        if self._load.running:
            self._load.failed += 1


class Load:
    """Asks a server over some connections: as fast as it answers, or at a rate."""

    def __init__(self, port: int, rate: float = 0) -> None:
        self._port = port
        self._rate = rate
        head = "POST /validate?timeout=10s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        self._requests = [f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body for body in bodies()]
        self._count = 0
        self._idle: list[Talk] = []
        self._due: list[float] = []
        self.failed = 0
        self.running = True
        self.times: list[float] = []

    def next(self) -> bytes:
        """What is sent next."""
        self._count += 1
        return self._requests[self._count % len(self._requests)]

    def done(self, talk: Talk) -> None:
        """An answer is there."""
        now = time.perf_counter()
        self.times.append(now - talk.begun)
        if not self.running:
            return
        if not self._rate:
            talk.ask(now)
        elif self._due:
            talk.ask(self._due.pop(0))
        else:
            self._idle.append(talk)

    async def run(self, seconds: float) -> tuple[int, float, list[float], int]:
        """How many were answered, in which time, how long each took, and how many failed."""
        loop = asyncio.get_running_loop()
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        talks = []
        for _ in range(CONNECTIONS):
            _, talk = await loop.create_connection(lambda: Talk(self), "127.0.0.1", self._port, ssl=context)
            talks.append(talk)
        begin = time.perf_counter()
        if self._rate:
            self._idle = talks
            await self._at_rate(begin, seconds)
        else:
            for talk in talks:
                talk.ask(begin)
            await asyncio.sleep(seconds)
        self.running = False
        end = time.perf_counter()
        count = len(self.times)
        await asyncio.sleep(0.2)
        for talk in talks:
            talk.transport.abort()
        return count, end - begin, self.times[:count], self.failed

    async def _at_rate(self, begin: float, seconds: float) -> None:
        """Asks when it is due, however long the answers before take; what waits for a connection is late."""
        sent = 0
        while (now := time.perf_counter()) < begin + seconds:
            while (due := begin + sent / self._rate) <= now:
                sent += 1
                if self._idle:
                    self._idle.pop(0).ask(due)
                else:
                    self._due.append(due)
            await asyncio.sleep(max(0.0, begin + sent / self._rate - time.perf_counter()))


def _ask(pipe: Pipe, port: int, seconds: float, rate: float) -> None:
    _on_core(0, 1)
    pipe.send(asyncio.run(Load(port, rate).run(seconds)))


def asked(port: int, seconds: float, rate: float = 0) -> tuple[float, float, int]:
    """The rate that a server took, the 99th percentile of its times in milliseconds, and how many failed."""
    ours, theirs = multiprocessing.Pipe()
    client = multiprocessing.Process(target=_ask, args=(theirs, port, seconds, rate))
    client.start()
    count, took, times, failed = ours.recv()
    client.join()
    return count / took, statistics.quantiles(times, n=100)[98] * 1e3 if len(times) > 1 else 0.0, failed


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
                rate, _, failed = asked(server.port, seconds)
                rates[name] = rate
                works[name] = (server.worked() - before) / (rate * seconds) * 1e6
                if failed:
                    raise SystemExit(f"{TITLES[name]} has failed {failed} times")
            half = min(rates[OURS], rates[ECHO]) / 2
            for name, server in servers.items():
                _, late, failed = asked(server.port, seconds, min(half, rates[name] / 2))
                if failed:
                    raise SystemExit(f"{TITLES[name]} has failed {failed} times at half load")
                found[name].append({"rate": rates[name], "work": works[name], "p99": late})
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
        rate = rate or asked(server.port, 2)[0] / 2
        sys.stdout.write(f"minute 0: {server.memory():.1f} MB, at {rate:.0f} requests/s\n")
        for minute in range(1, int(minutes) + 1):
            _, late, failed = asked(server.port, 60, rate)
            sys.stdout.write(f"minute {minute}: {server.memory():.1f} MB, p99 {late:.1f} ms, {failed} failed\n")
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
