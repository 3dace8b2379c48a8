"""`validation-gen webhook serve PATH…`: serves the validators of types and definitions as an admission webhook.

`--watch` reloads types when they change; later requests use the new ones. Errors are reported, and the old types stay.
"""

from __future__ import annotations

import base64
import contextlib
import contextvars
import enum
import errno
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import typer

from validation_gen.cli import checks, terminal
from validation_gen.cli.options import Defined, Options, Sources, TextOrJson, expand_groups, option
from validation_gen.cli.serve_handlers import Beside
from validation_gen.cli.terminal import FINDINGS
from validation_gen.cli.watching import check_watching
from validation_gen.commands.definitions import split
from validation_gen.commands.watch import WatchError, changes
from validation_gen.diagnostics import Diagnostics
from validation_gen.diagnostics.visible import one_line
from validation_gen.runtime.words import counted
from validation_gen.sources.recording_fs import record
from validation_gen.webhooks import Limits, Webhook
from validation_gen.webhooks.logs import SERVER, Log, log_to

if TYPE_CHECKING:
    import ssl

    from validation_gen.commands.serve.tls import Certificate, Watched
    from validation_gen.runtime.registry import Registry
    from validation_gen.sources.fs_queries import Question
    from validation_gen.webhooks import Endpoint


class LogLevel(str, enum.Enum):
    """Lowest level of logged events."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True)
class Serving(Options):
    """Options of the server, and of its log."""

    panel: ClassVar[str | None] = "The server"
    host: str = option("127.0.0.1", "The address to listen at.")
    port: int = option(9443, "The port; 0 is any free port.", min=0, max=65535)
    workers: int = option(1, "Number of processes.", min=1, max=256)
    shutdown_delay: float = option(
        5, "Time that it answers after SIGTERM, while /readyz fails. Ctrl-C does not wait.", "SECONDS", min=0, max=3600
    )
    max_requests: int = option(64, "Concurrent requests of each process; others get 429.", min=1)
    max_body: int = option(
        3 << 20, "Largest body of a request. That of an update has two objects.", "BYTES", min=1 << 10, max=32 << 20
    )
    watch: bool = option(False, "Read types again when they change, for development. Needs `watchfiles`.")
    log_format: TextOrJson = option(TextOrJson.TEXT, "Format of log lines.")
    log_level: LogLevel = option(
        LogLevel.INFO, "Level of the log: `info` has refusals, `error` only failures, `debug` all requests."
    )


@dataclass(frozen=True)
class Certificates(Options):
    """Options of TLS."""

    panel: ClassVar[str | None] = "TLS"
    tls_cert: str = option("", "The certificate, as PEM. Read again when it changes.", "FILE")
    tls_key: str = option("", "Its key, as PEM.", "FILE")
    self_signed: bool = option(False, "Make a certificate for tests. Its key is not kept.")
    write_ca: str = option(
        "", "Write the certificate of --self-signed, which clients have to trust, into this file, as PEM.", "FILE"
    )
    client_ca: str = option(
        "", "Answer only clients that show a certificate of these authorities; probes need none.", "FILE"
    )

    def check(self) -> None:
        """Refuses options that conflict."""
        files = bool(self.tls_cert or self.tls_key)
        if self.self_signed == files or bool(self.tls_cert) != bool(self.tls_key):
            raise typer.BadParameter("name both --tls-cert and --tls-key, or else --self-signed")
        if self.write_ca and not self.self_signed:
            raise typer.BadParameter("it writes the certificate of --self-signed; add that", param_hint="--write-ca")


@expand_groups
def serve(paths: Defined, *, serving: Serving, certificates: Certificates, beside: Beside, sources: Sources) -> None:
    """Answer admission reviews over HTTPS, until Ctrl-C. Needs the extra `serve`. Writes no files."""
    certificates.check()
    if serving.watch and serving.workers > 1:
        raise typer.BadParameter("it is for development, with one worker", param_hint="--watch")
    terminal.require("serving", "serve", "starlette", "uvicorn", "cryptography", "prometheus_client")
    from validation_gen.commands.serve.workers import counting_together  # noqa: PLC0415 - late, so that --help stays fast

    log_to(sys.stderr, form=serving.log_format.value, level=serving.log_level.value)
    # Before the user's modules are imported, which may have metrics as well.
    with counting_together() if serving.workers > 1 else contextlib.nullcontext():
        _serve(_Source(list(paths), sources, beside), serving, certificates)


class _Source:
    """Loads the endpoints that the arguments name."""

    def __init__(self, paths: list[str], sources: Sources, beside: Beside) -> None:
        self._beside = beside
        definitions, types = split(paths)
        self._options = replace(sources.settings(types), rules=beside.rules).with_definitions(definitions, types)
        self._given = checks.assignments(beside.option, "--option")

    def load(self) -> tuple[dict[str, Endpoint[Any]], set[str]]:
        """Returns the endpoints by path, and the names of the kinds.

        Raises:
            typer.Exit: there are no kinds, or there are errors, which have been printed.
        """
        from validation_gen.cli.loading import load  # noqa: PLC0415
        from validation_gen.compiler.lower.comments import unknown_options  # noqa: PLC0415 - late, so that --help stays fast

        result, registry = load(self._options)
        kinds = _kinds(registry)
        code = terminal.exit_code(result.diagnostics)
        if code or not kinds:
            raise typer.Exit(code or FINDINGS)  # a webhook without some rules would accept invalid objects
        diagnostics = Diagnostics()
        diagnostics.extend(unknown_options(self._given, result.program.options))
        terminal.print_diagnostics(diagnostics, "concise")
        known = dict.fromkeys(result.program.options, False) | self._given
        return self._beside.endpoints(result, registry, self._options, known, SERVER.warning), kinds


def _kinds(registry: Registry) -> set[str]:
    return {kind.name for kind in registry.kinds if kind.api_version}


def _serve(source: _Source, serving: Serving, certificates: Certificates) -> None:
    from validation_gen.commands.serve.running import Served, Server, listening_at  # noqa: PLC0415
    from validation_gen.commands.serve.workers import Workers  # noqa: PLC0415
    from validation_gen.mismatch.metrics import exposition, mark_process_dead  # noqa: PLC0415 - as above
    from validation_gen.webhooks.metrics import Metrics  # noqa: PLC0415

    metrics = Metrics()
    limits = Limits(serving.max_body, requests=serving.max_requests)
    webhook = Webhook({}, limits, [metrics, Log()], exposition)

    def use(loaded: Loaded) -> None:
        webhook.endpoints, metrics.kinds = loaded
        SERVER.info("%s: %s", counted(len(loaded[1]), "kind"), ", ".join(sorted(loaded[1])))

    if serving.watch:
        check_watching()
        load_again(source.load, use)
    else:
        use(source.load())
    made = _make_certificate(serving.host, certificates)
    context, watched = _tls(certificates, made)
    try:
        sockets = listening_at(serving.host, serving.port)
    except OSError as problem:
        where = f"{serving.host}:{serving.port}"
        help = "; choose another with --port" if problem.errno == errno.EADDRINUSE else ""
        terminal.fail(f"nothing can listen at {where}: {problem.strerror or problem}{help}")
    served = Served(webhook, sockets, context, watched, bool(certificates.client_ca), serving.shutdown_delay)

    def listening() -> None:
        host = f"[{serving.host}]" if ":" in serving.host else serving.host
        port = sockets[0].getsockname()[1]
        for path in webhook.endpoints:
            SERVER.info("listening at %s", f"https://{host}:{port}{path}")
        if certificates.self_signed:
            where = "" if port == 9443 else f" --url https://127.0.0.1:{port}"
            SERVER.info("try it with: validation-gen webhook review -f object.yaml --insecure%s", where)
        if made is not None:
            SERVER.info("caBundle: %s", base64.b64encode(made.certificate).decode())

    if serving.workers > 1:
        Workers(served, serving.workers, listening, SERVER.warning, mark_process_dead).run()
    else:
        Server(served, listening).run()


def _make_certificate(host: str, certificates: Certificates) -> Certificate | None:
    """Returns the self-signed certificate, after writing it to the file of `--write-ca`.

    Raises:
        typer.Exit: the file cannot be written, which has been printed.
    """
    if not certificates.self_signed:
        return None
    from validation_gen.commands.serve.tls import self_signed  # noqa: PLC0415 - late, as above

    made = self_signed(host)
    if certificates.write_ca:
        try:
            Path(certificates.write_ca).write_bytes(made.certificate)
        except OSError as problem:
            where = one_line(certificates.write_ca)
            terminal.fail(f"the certificate cannot be written to {where}: {problem.strerror or problem}")
    return made


def _tls(certificates: Certificates, made: Certificate | None) -> tuple[ssl.SSLContext, Watched | None]:
    """Returns the TLS settings, and the watcher of certificate files if they can change."""
    from validation_gen.commands.serve.tls import Files, UnusableError, Watched  # noqa: PLC0415 - late, as above

    try:
        if made is not None:
            return made.context(certificates.client_ca), None
        files = Files(certificates.tls_cert, certificates.tls_key, certificates.client_ca)
        return files.context(), Watched(files, SERVER.warning)
    except UnusableError as problem:
        terminal.fail(str(problem))


#: The endpoints by path, and the names of the kinds.
Loaded = tuple["dict[str, Endpoint[Any]]", set[str]]


def load_again(load: Callable[[], Loaded], use: Callable[[Loaded], None]) -> None:
    """Loads the types, and reloads them in a thread whenever they change.

    Args:
        load: loads them. It prints errors, and raises `typer.Exit`.
        use: receives the loaded endpoints, each time.

    Raises:
        typer.Exit: the first load fails.
    """
    known = set(sys.modules)
    with record() as notes:
        use(load())
    answers = dict(notes.answers)
    files = sum(1 for kind, _ in answers if kind == "file")
    SERVER.info("watching %s", counted(files, "file"))
    context = contextvars.copy_context()  # it holds the configuration
    threading.Thread(target=context.run, args=(_go_on, load, use, answers, known), daemon=True).start()


def _go_on(
    load: Callable[[], Loaded], use: Callable[[Loaded], None], answers: dict[Question, str], known: set[str]
) -> None:
    while True:
        try:
            changes(answers, known)
        except WatchError as problem:
            SERVER.warning("%s; the types are not read again", problem)
            return
        with record() as notes:
            try:
                use(load())
            except typer.Exit:
                SERVER.warning("the types of before stay")
            except typer.BadParameter as problem:  # an argument is no longer valid, such as a deleted file
                SERVER.warning("%s; the types of before stay", problem.format_message())
            except Exception as problem:  # the server keeps running after any error
                SERVER.exception("the types of before stay: %s", type(problem).__name__)
            else:
                SERVER.info("the types were read again")
        answers = {**answers, **notes.answers}
