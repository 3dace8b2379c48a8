"""What is told of a request that has ended, for those that count and log. It needs nothing but Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from validation_gen.webhooks.reviews import Answer


@dataclass(slots=True)
class Ended:
    """A request that has ended.

    Attributes:
        path: of an endpoint, or `other`.
        code: the status of HTTP, 0 if nobody was there to hear it.
        seconds: how long it took.
        size: the bytes of its body that were read.
        asked: what the endpoint has read of it, None if it was no review.
        answer: what was answered, None if nothing was.
        reason: why nothing was; it has nothing of an object.
    """

    path: str
    code: int
    seconds: float
    size: int
    asked: Any
    answer: Answer | None
    reason: str = ""


class Observer(Protocol):
    """Is told of requests, in the thread that serves them: it must be quick, and raise nothing."""

    def began(self, path: str) -> None:
        """A request has come."""

    def ended(self, ended: Ended) -> None:
        """It has its answer, or none."""
