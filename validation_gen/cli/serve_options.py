"""Options of `validation-gen webhook serve`: addresses, certificates and logs."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Annotated

import typer

_TLS = "TLS"
_RUN = "The server"
_TOLD = "What it tells"


class LogFormat(str, enum.Enum):
    """Format of log lines."""

    TEXT = "text"
    JSON = "json"


class LogLevel(str, enum.Enum):
    """Lowest level of logged events."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


Host = Annotated[str, typer.Option("--host", rich_help_panel=_RUN, help="The address to listen at.")]
Port = Annotated[
    int, typer.Option("--port", rich_help_panel=_RUN, min=0, max=65535, help="The port; 0 is any free port.")
]
WorkerCount = Annotated[
    int, typer.Option("--workers", rich_help_panel=_RUN, min=1, max=256, help="Number of processes.")
]
ShutdownDelay = Annotated[
    float,
    typer.Option(
        "--shutdown-delay",
        rich_help_panel=_RUN,
        metavar="SECONDS",
        min=0,
        max=3600,
        help="Time that it answers after SIGTERM, while /readyz fails. Ctrl-C does not wait.",
    ),
]
MaxRequests = Annotated[
    int,
    typer.Option(
        "--max-requests", rich_help_panel=_RUN, min=1, help="Concurrent requests of each process; others get 429."
    ),
]
MaxBody = Annotated[
    int,
    typer.Option(
        "--max-body",
        rich_help_panel=_RUN,
        metavar="BYTES",
        min=1 << 10,
        max=32 << 20,
        help="Largest body of a request. That of an update has two objects.",
    ),
]
Watch = Annotated[
    bool,
    typer.Option(
        "--watch", rich_help_panel=_RUN, help="Read types again when they change, for development. Needs `watchfiles`."
    ),
]
TlsCert = Annotated[
    str,
    typer.Option(
        "--tls-cert", rich_help_panel=_TLS, metavar="FILE", help="The certificate, as PEM. Read again when it changes."
    ),
]
TlsKey = Annotated[str, typer.Option("--tls-key", rich_help_panel=_TLS, metavar="FILE", help="Its key, as PEM.")]
SelfSigned = Annotated[
    bool, typer.Option("--self-signed", rich_help_panel=_TLS, help="Make a certificate for tests. Its key is not kept.")
]
WriteCa = Annotated[
    str,
    typer.Option(
        "--write-ca",
        rich_help_panel=_TLS,
        metavar="FILE",
        help="Write the certificate of --self-signed, which clients have to trust, into this file, as PEM.",
    ),
]
ClientCa = Annotated[
    str,
    typer.Option(
        "--client-ca",
        rich_help_panel=_TLS,
        metavar="FILE",
        help="Answer only clients that show a certificate of these authorities; probes need none.",
    ),
]
Format = Annotated[LogFormat, typer.Option("--log-format", rich_help_panel=_TOLD, help="Format of log lines.")]
Level = Annotated[
    LogLevel,
    typer.Option(
        "--log-level",
        rich_help_panel=_TOLD,
        help="Level of the log: `info` has refusals, `error` only failures, `debug` all requests.",
    ),
]


@dataclass(frozen=True)
class Serving:
    """Options of the server."""

    host: Host = "127.0.0.1"
    port: Port = 9443
    workers: WorkerCount = 1
    shutdown_delay: ShutdownDelay = 5
    max_requests: MaxRequests = 64
    max_body: MaxBody = 3 << 20
    watch: Watch = False
    tls_cert: TlsCert = ""
    tls_key: TlsKey = ""
    self_signed: SelfSigned = False
    write_ca: WriteCa = ""
    client_ca: ClientCa = ""
    log_format: Format = LogFormat.TEXT
    log_level: Level = LogLevel.INFO

    def check(self) -> None:
        """Refuses options that conflict.

        Raises:
            typer.BadParameter: the text names them.
        """
        files = bool(self.tls_cert or self.tls_key)
        if self.self_signed == files or bool(self.tls_cert) != bool(self.tls_key):
            raise typer.BadParameter("name both --tls-cert and --tls-key, or else --self-signed")
        if self.write_ca and not self.self_signed:
            raise typer.BadParameter("it writes the certificate of --self-signed; add that", param_hint="--write-ca")
        if self.watch and self.workers > 1:
            raise typer.BadParameter("it is for development, with one worker", param_hint="--watch")
