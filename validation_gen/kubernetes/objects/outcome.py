"""What the API server makes of one request."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from validation_gen.runtime.errors import FieldError


@dataclass(frozen=True, slots=True)
class Change:
    """A part of an object that is stored in another form than it was sent.

    Attributes:
        path: where, such as `spec.ports[0].protocol`.
        kind: what has become of it, and why: `pruned: no schema has it`, `defaulted` …
        value: what was there before, or is there now.
    """

    path: str
    kind: str
    value: Any


class UnjudgedError(Exception):
    """A request that is not judged here; the text says why. A server may take it."""


class DecodingError(Exception):
    """A request that the server does not look at: status 400, with its message."""


@dataclass(slots=True, eq=False)
class Outcome:
    """The answer to one request.

    Attributes:
        code: the HTTP status: 200, 201, 400 for what cannot be decoded, 422 for what is invalid.
        kept: the object as a client gets it back, or what makes it; see `object`.
        errors: what is wrong with the object.
        problems: why it cannot be decoded, in the server's words.
        warnings: as the server sends them in `Warning` headers.
        judged: the object as it was judged, and the old one as it was read; None if nothing was judged. They may share
            parts with what was sent, and with `object`, so that who changes one changes both.
        spent: the cost of all CEL expressions that were run, or what counts it; see `cost`.
    """

    code: int
    kept: dict[str, Any] | Callable[[], dict[str, Any]] | None = field(default=None, repr=False)
    errors: list[FieldError] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    judged: tuple[dict[str, Any], dict[str, Any] | None] | None = field(default=None, compare=False, repr=False)
    spent: int | Callable[[], int] = field(default=0, compare=False, repr=False)

    @property
    def object(self) -> dict[str, Any] | None:
        """The object as a client gets it back; None if the request is refused.

        Nothing of what was sent is in it; parts of `judged` may be. It is made when it is first read, of what was
        sent as that is then.
        """
        if callable(self.kept):
            self.kept = self.kept()
        return self.kept

    @property
    def cost(self) -> int:
        """The cost of all CEL expressions that were run.

        It is counted when somebody asks for it, on the object as it is then, where it could not matter to the verdict.
        """
        if not isinstance(self.spent, int):
            self.spent = self.spent()
        return self.spent

    @property
    def ok(self) -> bool:
        """Whether the server would take the request."""
        return self.code < 300
