"""What can be said of a side beside its name, and what comes of the two: a specification, which can be pickled."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from validation_gen.uses.compare.sides.answer import Shapes, Side


@dataclass(frozen=True, slots=True)
class SideOptions:
    """What can be said of a side beside its name.

    Attributes:
        timeout: the seconds for each answer of a program, and for a request of a webhook with all its repeats.
        ca_file: certificates in PEM that a webhook's own is verified with, instead of those of the system.
        cert_file: a certificate in PEM to show to the webhook, and `key_file` its key if it stands elsewhere.
        server_name: the name to expect in the webhook's certificate, if it is not the host of the URL.
        headers: headers of requests to a webhook, such as `Authorization`.
        retries: how often a request is repeated that a webhook did not answer.
        in_flight: how many requests a webhook gets at once.
        plurals: the plural of resources by kind, where it is not the usual one.
        directory: where modules of functions are looked for, before the current directory.
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
    """A side as it was named.

    Attributes:
        hears_options: whether it is told the validation options of a request.
    """

    @property
    def hears_options(self) -> bool: ...

    def check(self) -> None:
        """Raises SpecError unless a side can be made of it, as far as that is known without asking it."""

    def side(self, shapes: Shapes | None = None) -> Side:
        """A new side. Shapes are used to tell keys of maps from members."""
