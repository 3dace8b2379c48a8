"""Options of a side, and its specification, which can be pickled."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from validation_gen.commands.compare.sides.untrusted import Shapes, Side


@dataclass(frozen=True, slots=True)
class SideOptions:
    """Options of a side beside its name.

    Attributes:
        timeout: the seconds for each answer of a program, and for a request of a webhook with all its retries.
        ca_file: certificates in PEM to verify the webhook's with, instead of those of the system.
        cert_file: a client certificate in PEM for the webhook, and `key_file` its key if it is in another file.
        server_name: the name to expect in the webhook's certificate, if it is not the host of the URL.
        headers: headers of requests to a webhook, such as `Authorization`.
        retries: the number of retries of a request without an answer.
        in_flight: the number of concurrent requests to a webhook.
        plurals: the plural of resources by kind, where it is irregular.
        directory: search path for modules of functions, before the current directory.
    """

    timeout: float | None = None
    ca_file: str = ""
    cert_file: str = ""
    key_file: str = ""
    server_name: str = ""
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    retries: int = 3
    in_flight: int = 8
    plurals: tuple[tuple[str, str], ...] = ()
    directory: str = ""


class SideSpec(Protocol):
    """Specification of a side.

    Attributes:
        hears_options: True if it receives the validation options of a request.
    """

    @property
    def hears_options(self) -> bool: ...

    def check(self) -> None:
        """Raises SpecError if the side cannot be made, as far as that is known without a request."""

    def side(self, shapes: Shapes | None = None) -> Side:
        """Returns a new side. Shapes are used to tell keys of maps from members."""
