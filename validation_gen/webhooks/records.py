"""Records of finished requests, for metrics and logs. It needs nothing but Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from validation_gen.webhooks.reviews import Answer


@dataclass(slots=True)
class RequestRecord:
    """A request, complete once it is finished.

    Attributes:
        path: path of an endpoint, or `other`.
        code: the HTTP status, 0 if the client was gone.
        seconds: its duration.
        size: the bytes of its body that were read.
        asked: the request as the endpoint has read it, None if it was no review.
        answer: the answer, None without one.
        reason: why there is no answer; it has no part of an object.
    """

    path: str
    code: int = 0
    seconds: float = 0.0
    size: int = 0
    asked: Any = None
    answer: Answer | None = None
    reason: str = ""


class Observer(Protocol):
    """Observer of requests, called in the thread that serves them: it must be fast, and raise nothing."""

    def began(self, path: str) -> None:
        """Called for a new request."""

    def ended(self, ended: RequestRecord) -> None:
        """Called for a finished request, with or without an answer."""
