"""Requests sent to another program, and the interpretation of its output lines. It runs nothing itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from validation_gen.mismatch.adapters.protocol import MalformedError, error_of
from validation_gen.mismatch.adapters.subject import Subject
from validation_gen.runtime.errors import Mark
from validation_gen.runtime.words import counted
from validation_gen.uses.compare.requests import Request
from validation_gen.uses.compare.sides.answer import Answer, Refusal
from validation_gen.uses.compare.sides.limits import LONGEST_AT_ONCE, LONGEST_REASON, MOST_ERRORS, MOST_ERRORS_AT_ONCE
from validation_gen.uses.compare.sides.untrusted import UnreadableError, check_names, decoded

_COVERED = frozenset({Mark.COVERED})


@dataclass(slots=True)
class Batch:
    """Requests by their numbers: the waiting ones, and the answers.

    `doubtful` are requests that got a line which is no answer: the right one may still come. `by_id` is True if an
    answer has named its request; `errors` and `size` count the answers so far.
    """

    first_id: int
    ids: list[int] = field(default_factory=list)
    waiting: dict[int, Request] = field(default_factory=dict)
    written: dict[int, bytes] = field(default_factory=dict)
    answers: dict[int, Answer] = field(default_factory=dict)
    doubtful: dict[int, Refusal] = field(default_factory=dict)
    by_id: bool = False
    errors: int = 0
    size: int = 0

    def add(self, id: int, request: Request) -> None:
        self.ids.append(id)
        try:
            text = json.dumps(request.as_line(id), separators=(",", ":"), allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            self.answers[id] = Refusal(f"the request cannot be written as JSON: {error}")
            return
        self.waiting[id] = request
        self.written[id] = f"{text}\n".encode()

    def lines(self) -> Iterator[bytes]:
        return (self.written[id] for id in self.waiting)

    def take(self, line: bytes) -> bool:
        """Reads one line of the program. Returns whether it answers a waiting request."""
        if not line.strip():
            return False
        try:
            data = decoded(line)
        except UnreadableError as error:
            self._doubt(f"answered with {_quoted(line)}, which is no answer{f': {error}' if error.args else ''}")
            return False
        if not isinstance(data, dict) or not ("errors" in data or "error" in data):
            self._doubt(f"answered with {_quoted(line)}, which is no answer")
            return False
        named = data.get("id")
        id = named
        if id is None and "errors" in data:  # it keeps the order and repeats no id
            id = next((id for id in self.waiting if id not in self.doubtful), None)
        if isinstance(id, int) and not isinstance(id, bool):
            if id in self.waiting:
                self.by_id |= named is not None
                self.answers[id] = self._answer(data, self.waiting.pop(id), len(line))
                self.doubtful.pop(id, None)
                return True
            if id < self.first_id or id in self.answers:
                return False  # it comes too late
        self._doubt(f"answered with {_quoted(line)}, which is for no request")
        return False

    def _answer(self, data: dict[str, Any], request: Request, size: int) -> Answer:
        """Returns the answer, if it fits beside the others that are kept until all have come."""
        found = data.get("errors")
        self.errors += len(found) if isinstance(found, list) else 0
        self.size += size
        if self.errors > MOST_ERRORS_AT_ONCE or self.size > LONGEST_AT_ONCE:
            return Refusal(
                f"received {counted(len(self.ids), 'request')} at once, and its answers are too large together: "
                f"more than {MOST_ERRORS_AT_ONCE} errors or {LONGEST_AT_ONCE >> 20} MiB"
            )
        return answer_of(data, request)

    def _doubt(self, text: str) -> None:
        for id in self.waiting:
            if id not in self.doubtful:
                self.doubtful[id] = Refusal(text)
                return

    def accept_doubts(self) -> None:
        for id, refusal in self.doubtful.items():
            self.answers[id] = refusal
            del self.waiting[id]
        self.doubtful.clear()

    def refuse_first(self, text: str) -> None:
        id = next(iter(self.waiting))
        del self.waiting[id]
        doubt = self.doubtful.get(id)
        self.answers[id] = Refusal(f"{doubt.text}; then {text}" if doubt else text)
        self.doubtful.clear()

    def refuse_all(self, text: str) -> None:
        self.answers |= {id: Refusal(text) for id in self.waiting}
        self.waiting.clear()

    def in_order(self) -> list[Answer]:
        return [self.answers[id] for id in self.ids]


def _quoted(line: bytes) -> str:
    text = line[:1000].decode("utf-8", "replace").strip()
    return repr(text if len(text) <= 120 else f"{text[:119]}…")


def answer_of(data: dict[str, Any], request: Request) -> Answer:
    """Reads an answer of the line protocol. Optional members may be missing."""
    if (reason := data.get("error")) is not None:
        return Refusal((reason if isinstance(reason, str) else json.dumps(reason))[:LONGEST_REASON])
    errors = data.get("errors")
    if not isinstance(errors, list):
        return Refusal("answered with errors that are no list")
    if len(errors) > MOST_ERRORS:
        return Refusal(f"answered with {len(errors)} errors, of which only {MOST_ERRORS} are read")
    try:
        for error in errors:
            check_names(error)
        return [error_of(error, Subject(request.obj, marks=_COVERED)) for error in errors]
    except (MalformedError, RecursionError) as error:
        return Refusal(f"answered with a malformed error: {error}")
