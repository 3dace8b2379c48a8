"""Result of one request to the API server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from validation_gen.runtime.errors import FieldError


@dataclass(frozen=True, slots=True)
class Change:
    """A part of an object whose stored form differs from the sent one.

    Attributes:
        path: its path, such as `spec.ports[0].protocol`.
        kind: the change and its reason: `pruned: no schema has it`, `defaulted` …
        value: the removed or the new value.
    """

    path: str
    kind: str
    value: Any


class UnjudgedError(Exception):
    """A request that this package cannot validate; the text has the reason. A server may accept it."""


class DecodingError(Exception):
    """A request that the server refuses to decode: status 400, with its message."""


@dataclass(slots=True, eq=False)
class Outcome:
    """Answer to one request.

    Attributes:
        code: the HTTP status: 200, 201, 400 for decoding errors, 422 for invalid objects.
        kept: the object that a client gets, or a function that makes it; see `object`.
        errors: the errors of the object.
        problems: decoding errors, in the server's words.
        warnings: the texts of the server's `Warning` headers.
        judged: the object in its validated form, and the old one as it was read; None without validation. They may
            share parts with the sent objects, and with `object`, so that a change of one changes both.
        spent: the cost of all CEL expressions that ran, or a function that counts it; see `cost`.
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
        """The object that a client gets; None if the request is refused.

        It shares nothing with the sent object, but may share parts with `judged`. It is made at the first read, from
        the sent object in its state at that time.
        """
        if callable(self.kept):
            self.kept = self.kept()
        return self.kept

    @property
    def cost(self) -> int:
        """The cost of all CEL expressions that ran.

        Where it cannot affect the verdict it is counted at the first read, on the object in its state at that time.
        """
        if not isinstance(self.spent, int):
            self.spent = self.spent()
        return self.spent

    @property
    def ok(self) -> bool:
        """True if the server would accept the request."""
        return self.code < 300
