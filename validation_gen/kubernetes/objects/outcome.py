"""Result of one request to the API server, and the changes from the sent to the stored object, with their reasons."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.wire import identical


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


class UnsupportedRequestError(Exception):
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


_PLAIN = re.compile(r"[^.\[\]]+")
_OWNED = ("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "selfLink")


def find_changes(sent: Any, stored: Any) -> list[Change]:
    """Returns the parts that differ, in the order of the sent object, each once."""
    return list(_changes(sent, stored, ""))


def _changes(sent: Any, stored: Any, path: str) -> Iterator[Change]:
    if isinstance(sent, dict) and isinstance(stored, dict):
        for name, value in sent.items():
            inner = _inside(path, name)
            if name in stored:
                yield from _changes(value, stored[name], inner)
            else:
                yield Change(inner, _why_gone(path, name, value), value)
        for name, value in stored.items():
            if name not in sent:
                yield Change(_inside(path, name), "set by the server" if path == "metadata" else "defaulted", value)
    elif isinstance(sent, list) and isinstance(stored, list) and len(sent) == len(stored):
        for index, (one, other) in enumerate(zip(sent, stored, strict=True)):
            yield from _changes(one, other, f"{path}[{index}]")
    elif sent is None and stored is not None:
        yield Change(path, "defaulted", stored)
    elif not identical(sent, stored) and sent != stored:
        yield Change(path, "kept as it was" if path.partition(".")[0] in ("metadata", "status") else "changed", stored)


def _inside(path: str, name: str) -> str:
    step = f".{name}" if _PLAIN.fullmatch(name) else f"[{name}]"
    return f"{path}{step}".removeprefix(".")


def _why_gone(path: str, name: str, value: Any) -> str:
    if value is None:
        return "dropped: null means nothing here"
    if path == "metadata":
        return "ignored: the server sets it" if name in _OWNED else "dropped: it is empty, or metadata does not have it"
    if not path and name == "status":
        return "ignored: status is a subresource"
    return "pruned: no schema has it"
