"""Options of a side, and its answers: JSON from a peer that may be hostile, within limits, the same on every Python."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, ClassVar, Protocol

from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.sides.process import DEEPEST, LONGEST_NAME, MOST_DIGITS
from validation_gen.diagnostics.visible import redact
from validation_gen.mismatch.adapters.protocol import MalformedError
from validation_gen.runtime.errors import FieldError, Mark
from validation_gen.runtime.shapes import Shape

_NAMES = ("field", "type", "origin", "level", "reason", "validationStabilityLevel")

_MOST_WORDS = 300


class UnreadableError(ValueError):
    """Bytes that are not JSON, or exceed a limit. The text names the limit."""


def decode(data: bytes) -> Any:
    """Decodes JSON in UTF-8. `NaN` and `Infinity`, which are invalid, are floats; names may come twice.

    Raises:
        UnreadableError: it is not JSON, or its nesting or a number is beyond the limits.
    """
    try:
        value = json.loads(data.decode("utf-8-sig"), parse_int=_int)
    except RecursionError:
        raise _too_deep() from None
    except UnreadableError:
        raise
    except ValueError:
        raise UnreadableError from None
    if data.count(b"[") + data.count(b"{") > DEEPEST and _is_too_deep(value):
        raise _too_deep()
    return value


def words(data: bytes) -> str:
    """Returns the message of an error body: that of a Kubernetes `Status`, or else its beginning."""
    with contextlib.suppress(UnreadableError):
        status = decode(data)
        if isinstance(status, dict) and status.get("kind") == "Status" and isinstance(status.get("message"), str):
            return f"{status['message']:.{_MOST_WORDS}}"
    return data[:_MOST_WORDS].decode("utf-8", "replace").strip()


def _int(digits: str) -> int:
    if len(digits) > MOST_DIGITS:  # parsing takes the square of its length
        raise UnreadableError(f"it has a number of {len(digits)} digits")
    return int(digits)


def _too_deep() -> UnreadableError:
    return UnreadableError(f"it is nested deeper than {DEEPEST} levels")


def _is_too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(DEEPEST + 1):
        level = list(chain.from_iterable(_inside(each) for each in level if isinstance(each, dict | list)))
        if not level:
            return False
    return True


def _inside(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value


def check_names(error: Any) -> None:
    """Refuses an error with a name beyond the limit: names are kept for each sort of mismatch.

    Raises:
        MalformedError: one of them is too long.
    """
    if not isinstance(error, Mapping):
        return
    for name in _NAMES:
        for spelling in (name, name[:1].upper() + name[1:]):
            text = error.get(spelling)
            if isinstance(text, str) and len(text) > LONGEST_NAME:
                raise MalformedError(f"its {name} has {len(text)} characters, more than {LONGEST_NAME}")


class SpecError(ValueError):
    """A side that cannot be used as it was specified.

    Attributes:
        reason: the problem, in one sentence without a final full stop.
        suggestion: the remedy, `""` if none is known.
    """

    def __init__(self, reason: str, suggestion: str = "") -> None:
        reason, suggestion = redact(reason), redact(suggestion)
        super().__init__(f"{reason}; {suggestion}" if suggestion else reason)
        self.reason = reason
        self.suggestion = suggestion

    def __reduce__(self) -> tuple[type[SpecError], tuple[str, str]]:
        return SpecError, (self.reason, self.suggestion)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Reason why one request has no answer."""

    text: str


Answer = list[FieldError] | Refusal

#: Marks of errors that do not say whether a tag declares them.
COVERED = frozenset({Mark.COVERED})

#: Returns the shape of the object of a request, `None` if it is not known.
Shapes = Callable[[Request], Shape | None]


class Side:
    """A source of answers, for use by one thread. As a context manager, it is opened and closed."""

    def open(self) -> None:
        """Prepares the side. Raises SpecError if that fails."""

    def close(self) -> None:
        """Releases all resources. It can be called at any time, and repeatedly."""

    def ask(self, requests: Sequence[Request]) -> list[Answer]:
        """Returns the answer to each request, in order. No failure of the other side raises an exception."""
        raise NotImplementedError

    def __enter__(self) -> Side:
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


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


@dataclass(frozen=True, slots=True)
class NamedSpec:
    """Specification of a side as a text `SCHEME:NAME`, with options."""

    name: str
    options: SideOptions

    scheme: ClassVar[str]
    hears_options: ClassVar[bool] = True


def quote(data: bytes) -> str:
    """Quotes the beginning of an answer for a message."""
    text = data[:1000].decode("utf-8", "replace").strip()
    return repr(text if len(text) <= 120 else f"{text[:119]}…")
