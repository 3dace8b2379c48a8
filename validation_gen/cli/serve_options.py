"""Options of `validation-gen webhook serve`: addresses, certificates and logs."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import ClassVar

import typer

from validation_gen.cli.options import Options, option


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
    log_format: LogFormat = option(LogFormat.TEXT, "Format of log lines.")
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
        """Refuses options that conflict.

        Raises:
            typer.BadParameter: the text names them.
        """
        files = bool(self.tls_cert or self.tls_key)
        if self.self_signed == files or bool(self.tls_cert) != bool(self.tls_key):
            raise typer.BadParameter("name both --tls-cert and --tls-key, or else --self-signed")
        if self.write_ca and not self.self_signed:
            raise typer.BadParameter("it writes the certificate of --self-signed; add that", param_hint="--write-ca")
