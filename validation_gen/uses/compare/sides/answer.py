"""Common parts of all sides: their protocol, and their answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol

from validation_gen.diagnostics.visible import redact
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.shapes import Shape
from validation_gen.uses.compare.requests import Request


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

#: Returns the shape of the object of a request, `None` if it is not known.
Shapes = Callable[[Request], Shape | None]


class Side(Protocol):
    """A source of answers, for use by one thread."""

    def open(self) -> None:
        """Prepares the side. Raises SpecError if that fails."""

    def close(self) -> None:
        """Releases all resources. It can be called at any time, and repeatedly."""

    def ask(self, requests: Sequence[Request]) -> list[Answer]:
        """Returns the answer to each request, in order. No failure of the other side raises an exception."""

    def __enter__(self) -> Side: ...

    def __exit__(
        self, type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Opened:
    """A side as a context manager."""

    def __enter__(self) -> Side:
        side: Side = self  # type: ignore[assignment]
        side.open()
        return side

    def __exit__(
        self, type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        side: Side = self  # type: ignore[assignment]
        side.close()
