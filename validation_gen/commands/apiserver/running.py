"""Runs an API server until a signal, or until a command has ended: sockets, TLS, a token, and a kubeconfig."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import logging
import os
import secrets
import signal
import socket
import ssl
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import uvicorn

from validation_gen.apiserver.application import Application
from validation_gen.apiserver.errors import ApiError
from validation_gen.apiserver.storage import StoreError
from validation_gen.commands.serve.running import BoundedServer, Patience, listening_at
from validation_gen.commands.serve.tls import Certificate, self_signed

#: Seconds for pending requests at the end; watches do not count.
_GRACE = 2
#: Seconds until a client reads, and bytes of the head of a request, which has selectors and tokens.
_UNREAD, _LONGEST_HEAD = 60.0, 128 << 10
#: Connections at a time, each of which may be a watch, and other files that are open.
_CONNECTIONS, _OTHER_FILES = 12_000, 200
#: Exit code of a command that a signal has ended, less the signal.
_SIGNALLED = 128


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a server.

    Attributes:
        port: the port of HTTPS on loopback, 0 for any free one.
        insecure_port: the port of plain HTTP on loopback, where no token is needed; None for none, 0 for any free one.
        kubeconfig: where to write the kubeconfig; None for a temporary file.
        objects: objects to begin with, definitions first.
        command: a command to run beside the server, which ends with it.
    """

    port: int = 0
    insecure_port: int | None = None
    kubeconfig: Path | None = None
    objects: Sequence[dict[str, Any]] = field(default_factory=tuple)
    command: Sequence[str] = ()


class Announce:
    """Receives the reports of a server; a caller prints them."""

    def listening(self, url: str, kubeconfig: Path) -> None:
        """Called once the server accepts connections."""

    def insecure(self, url: str) -> None:
        """Called once the server also accepts connections without TLS."""


class _Server(BoundedServer):
    """A uvicorn server without signal handlers, because several servers run in one process."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def run(app: Application, options: Options, announce: Announce) -> int:
    """Runs a server. Returns the exit code of the command, 0 without a command.

    Raises:
        OSError: nothing can listen at a port, or a file cannot be written.
        StoreError: the store cannot be opened.
        ApiError: an object to begin with is refused.
    """
    return asyncio.run(_run(app, options, announce))


async def _run(app: Application, options: Options, announce: Announce) -> int:
    app.token = secrets.token_urlsafe(32)
    logging.getLogger("uvicorn").addHandler(logging.NullHandler())  # else each bad request is a line of the output
    ended, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):  # before there are files to remove
        loop.add_signal_handler(number, ended.set)
    with contextlib.ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="validation-gen-")))
        certificate = self_signed("localhost")
        sockets = _listen(options.port)
        for each in sockets:
            stack.callback(each.close)
        url = f"https://127.0.0.1:{sockets[0].getsockname()[1]}"
        servers = [(_server(app, sockets, make_context(certificate, directory)), sockets)]
        if options.insecure_port is not None:
            plain = _listen(options.insecure_port)
            for each in plain:
                stack.callback(each.close)
            servers.append((_server(_Insecure(app), plain), plain))
        kubeconfig = options.kubeconfig or directory / "kubeconfig"
        _write_private(kubeconfig, kubeconfig_text(url, certificate.certificate, app.token))
        await app.start()
        try:
            await app.add(options.objects)
            return await _serve(app, servers, options, announce, url, kubeconfig, ended)
        finally:
            await app.close()


async def _serve(
    app: Application,
    servers: Sequence[tuple[uvicorn.Server, Sequence[Any]]],
    options: Options,
    announce: Announce,
    url: str,
    kubeconfig: Path,
    ended: asyncio.Event,
) -> int:
    running = [asyncio.ensure_future(server.serve(sockets=list(sockets))) for server, sockets in servers]
    while not all(server.started for server, _ in servers):
        if any(task.done() for task in running):
            break
        await asyncio.sleep(0.005)
    announce.listening(url, kubeconfig)
    if options.insecure_port is not None:
        announce.insecure(f"http://127.0.0.1:{servers[1][1][0].getsockname()[1]}")
    try:
        if options.command:
            return await _run_command(options.command, kubeconfig, ended)
        await ended.wait()
        return 0
    finally:
        app.hub.close()
        for server, _ in servers:
            server.should_exit = True
        await asyncio.gather(*running, return_exceptions=True)


def _listen(port: int) -> list[socket.socket]:
    """Returns sockets at a port of loopback.

    Raises:
        OSError: the port is in use.
    """
    try:
        return listening_at("127.0.0.1", port)
    except OSError as problem:
        raise OSError(problem.errno, problem.strerror, f"127.0.0.1:{port}") from None


def _server(app: Any, sockets: Sequence[socket.socket], tls: ssl.SSLContext | None = None) -> _Server:
    patience = Patience(unread=_UNREAD, connections=_allow_connections(), size=_LONGEST_HEAD)
    return _Server(app, sockets, tls, patience, timeout_graceful_shutdown=_GRACE)


def _allow_connections() -> int:
    """Raises the limit of open files, and returns the number of connections that it allows."""
    if sys.platform == "win32":
        return _CONNECTIONS
    import resource  # noqa: PLC0415 - not everywhere

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _CONNECTIONS + _OTHER_FILES if hard == resource.RLIM_INFINITY else min(hard, _CONNECTIONS + _OTHER_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        soft = most
    return min(_CONNECTIONS, most if soft == resource.RLIM_INFINITY else soft - _OTHER_FILES)


class _Insecure:
    """ASGI application for clients on loopback without a token."""

    def __init__(self, app: Application) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self._app.serve(scope, receive, send)


def make_context(certificate: Certificate, directory: Path) -> ssl.SSLContext:
    """Returns the context of a server with a certificate, which is written into a directory."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    names = []
    for name, content in (("tls.crt", certificate.certificate), ("tls.key", certificate.key)):
        _write_private(directory / name, content.decode())
        names.append(str(directory / name))
    context.load_cert_chain(*names)
    return context


def _write_private(path: Path, text: str) -> None:
    """Writes a file that its owner alone can read."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        os.fchmod(descriptor, 0o600)
        file.write(text)


def kubeconfig_text(url: str, authority: bytes, token: str) -> str:
    """Returns a kubeconfig for one server and one user; without TLS, `authority` is empty."""
    cluster = {"server": url}
    if authority:
        cluster["certificate-authority-data"] = base64.b64encode(authority).decode()
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "validation-gen", "cluster": cluster}],
        "users": [{"name": "validation-gen", "user": {"token": token}}],
        "contexts": [
            {"name": "validation-gen", "context": {"cluster": "validation-gen", "user": "validation-gen"}},
        ],
        "current-context": "validation-gen",
    }
    return json.dumps(config, indent=2) + "\n"


async def _run_command(command: Sequence[str], kubeconfig: Path, ended: asyncio.Event) -> int:
    """Runs a command with `KUBECONFIG` set, and returns its exit code. A signal is passed on to it."""
    environment = {**os.environ, "KUBECONFIG": str(kubeconfig)}
    try:
        process = await asyncio.create_subprocess_exec(*command, env=environment)
    except OSError as problem:
        raise OSError(problem.errno, problem.strerror, f"the command {command[0]}") from None
    waiting = asyncio.ensure_future(process.wait())
    stopping = asyncio.ensure_future(ended.wait())
    await asyncio.wait({waiting, stopping}, return_when=asyncio.FIRST_COMPLETED)
    if not waiting.done():
        process.terminate()
        try:
            await asyncio.wait_for(asyncio.shield(waiting), 10)
        except asyncio.TimeoutError:
            process.kill()
    stopping.cancel()
    code = await waiting
    return code if code >= 0 else _SIGNALLED - code


__all__ = ["Announce", "ApiError", "Options", "StoreError", "kubeconfig_text", "make_context", "run"]
