"""Handwritten validation in another program that answers line by line (docs/protocol.md)."""

from __future__ import annotations

import errno
import json
import os
import shlex
import shutil
import signal
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.sides.process import (
    LONGEST_ANSWER,
    LONGEST_AT_ONCE,
    LONGEST_REASON,
    MOST_ERRORS,
    MOST_ERRORS_AT_ONCE,
    MOST_FRUITLESS,
    MOST_FRUITLESS_IN_ALL,
    MOST_STARTS,
    MOST_UNRELATED,
    PROGRAM_SECONDS,
    LineTooLongError,
    Program,
)
from validation_gen.commands.compare.sides.untrusted import (
    COVERED,
    Answer,
    NamedSpec,
    Refusal,
    Shapes,
    Side,
    SpecError,
    UnreadableError,
    check_names,
    decode,
    quote,
)
from validation_gen.mismatch.adapters.protocol import MalformedError, read_error
from validation_gen.mismatch.adapters.subject import Subject
from validation_gen.runtime.words import counted


@dataclass(slots=True)
class Batch:
    """Requests by their numbers: the waiting ones, and the answers.

    `doubtful` are requests with a malformed answer: the right one may still follow. `by_id` is True if an answer has
    named its request. `errors` and `size` are the totals of the answers so far.
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
            data = decode(line)
        except UnreadableError as error:
            self._doubt(f"answered with {quote(line)}, which is no answer{f': {error}' if error.args else ''}")
            return False
        if not isinstance(data, dict) or not ("errors" in data or "error" in data):
            self._doubt(f"answered with {quote(line)}, which is no answer")
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
        self._doubt(f"answered with {quote(line)}, which is for no request")
        return False

    def _answer(self, data: dict[str, Any], request: Request, size: int) -> Answer:
        """Parses an answer, or refuses it if all answers together are too large to keep until the last has arrived."""
        found = data.get("errors")
        self.errors += len(found) if isinstance(found, list) else 0
        self.size += size
        if self.errors > MOST_ERRORS_AT_ONCE or self.size > LONGEST_AT_ONCE:
            return Refusal(
                f"received {counted(len(self.ids), 'request')} at once, and its answers are too large together: "
                f"more than {MOST_ERRORS_AT_ONCE} errors or {LONGEST_AT_ONCE >> 20} MiB"
            )
        return read_answer(data, request)

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


def read_answer(data: dict[str, Any], request: Request) -> Answer:
    """Reads an answer of the line protocol. Optional members may be missing."""
    if (reason := data.get("error")) is not None:
        return Refusal((reason if isinstance(reason, str) else json.dumps(reason))[:LONGEST_REASON])
    errors = data.get("errors")
    if not isinstance(errors, list):
        return Refusal("answered with errors that are not a list")
    if len(errors) > MOST_ERRORS:
        return Refusal(f"answered with {len(errors)} errors, of which only {MOST_ERRORS} are read")
    try:
        for error in errors:
            check_names(error)
        return [read_error(error, Subject(request.obj, marks=COVERED)) for error in errors]
    except (MalformedError, RecursionError) as error:
        return Refusal(f"answered with a malformed error: {error}")


#: Seconds to wait for a proper answer after an invalid line.
_GRACE = 0.25


@dataclass(frozen=True, slots=True)
class CommandSpec(NamedSpec):
    """A command line, split by the rules of a shell, but run without one."""

    scheme: ClassVar[str] = "exec"

    def check(self) -> None:
        words = self._words()
        if not words:
            raise SpecError("exec: names no program", "write exec:COMMAND")
        if os.name != "posix":
            raise SpecError("programs run on Linux and macOS only", "name a function or a webhook")
        _find(words[0])

    def side(self, shapes: Shapes | None = None) -> CommandSide:
        return CommandSide(self._words(), self.options.timeout or PROGRAM_SECONDS)

    def _words(self) -> list[str]:
        try:
            return shlex.split(self.name)
        except ValueError as error:
            raise SpecError(f"the command {self.name!r} cannot be split: {error}", "quote it as for a shell") from None


def _find(program: str) -> None:
    if shutil.which(program):
        return
    if Path(program).is_dir():
        raise SpecError(f"{program} is a directory", "name a program")
    if Path(program).is_file():
        raise SpecError(
            f"{program} cannot be executed", f"make it executable, or name what runs it: exec:python {program}"
        )
    raise SpecError(f"there is no program {program}", "name one on the PATH, or the path to one")


class CommandSide(Side):
    """A program that is started on the first request, and again after it has ended on a request."""

    def __init__(self, words: list[str], timeout: float) -> None:
        self._words = words
        self._timeout = timeout
        self._program: Program | None = None
        self._last_id = 0
        self._starts = 0
        self._fruitless = 0  # consecutive ends without an answer
        self._repeats_ids = False

    @property
    def name(self) -> str:
        return Path(self._words[0]).name

    def open(self) -> None:
        if self._program is None:
            _find(self._words[0])
            try:
                self._program = Program(self._words)
            except OSError as error:
                raise _unstartable(self._words[0], error) from None
            self._starts += 1

    def close(self) -> None:
        program, self._program = self._program, None
        if program:
            program.end()

    def ask(self, requests: Sequence[Request]) -> list[Answer]:
        batch = Batch(self._last_id + 1)
        for request in requests:
            self._last_id += 1
            batch.add(self._last_id, request)
        fruitless = 0
        while batch.waiting and fruitless < MOST_FRUITLESS:
            if self._program is None and (reason := self._given_up()):
                batch.refuse_all(f"{self.name} did not run, as it {reason}")
                break
            before = len(batch.answers)
            try:
                self.open()
            except SpecError as error:
                batch.refuse_all(error.reason)
                break
            trouble = self._talk(batch)
            answered = len(batch.answers) > before
            self._fruitless = 0 if answered else self._fruitless + bool(trouble)
            if trouble:
                fruitless = 0 if answered else fruitless + 1
                batch.refuse_first(trouble)
        batch.refuse_all(f"{self.name} did not run, as it ended {MOST_FRUITLESS} times in a row without an answer")
        return batch.in_order()

    def _given_up(self) -> str:
        """Returns why the program must not be started again, because it has ended too often; `""` if it may."""
        if self._fruitless >= MOST_FRUITLESS_IN_ALL:
            return f"ended {MOST_FRUITLESS_IN_ALL} times in a row without an answer, and is not started any more"
        if self._starts >= MOST_STARTS:
            return f"has been started {MOST_STARTS} times, and is not started any more"
        return ""

    def _talk(self, batch: Batch) -> str:
        """Sends the waiting requests of the batch.

        Returns the reason why there are no more answers, `""` if all is well.

        The time limit of a request begins with the answer before it: other lines do not prolong it.
        """
        program = self._program
        assert program
        if program.unread > LONGEST_AT_ONCE:  # it answers without reading
            self._ended(0.1)
            return f"{self.name} does not read its requests, and was ended"
        program.send(batch.lines())
        deadline, doubted = time.monotonic() + self._timeout, None
        unrelated, most = 0, MOST_UNRELATED + len(batch.waiting)
        while batch.waiting:
            if doubted is None and len(batch.doubtful) == len(batch.waiting):
                doubted = min(deadline, time.monotonic() + _GRACE)
            try:
                line = program.line(deadline if doubted is None else doubted)
            except TimeoutError:
                if doubted is not None:
                    self._accept_doubts(batch)
                    break
                self._ended(0.1)
                return f"{self.name} has not answered within {self._timeout:g} seconds"
            except LineTooLongError:
                self._ended(0.1)
                return f"{self.name} wrote a line of more than {LONGEST_ANSWER >> 20} MiB, and was ended"
            if line is None:
                return self._ended()
            if batch.take(line):
                deadline, unrelated = time.monotonic() + self._timeout, 0
            elif (unrelated := unrelated + 1) > most:
                self._ended(0.1)
                return f"{self.name} wrote {unrelated} lines in a row that answer nothing, and was ended"
        self._repeats_ids |= batch.by_id
        return ""

    def _accept_doubts(self, batch: Batch) -> None:
        """Stops to wait for late answers. Without ids, a later line would be read as the next answer."""
        batch.accept_doubts()
        if not (self._repeats_ids or batch.by_id):
            self._ended(0.1)

    def _ended(self, grace: float = 2.0) -> str:
        """Ends a program that will not answer any more, and describes its end."""
        program, self._program = self._program, None
        assert program
        code = program.end(grace)
        how = f"exit code {code}" if code >= 0 else f"signal {_signal(-code)}"
        hint = "; does it flush its answers?" if code == 0 else ""
        words = program.complaints()
        last = f"; its last words: {' / '.join(words)}" if words else ""
        return f"{self.name} ended ({how}) before it answered{hint}{last}"


def _unstartable(program: str, error: OSError) -> SpecError:
    help = ""
    if error.errno == errno.ENOEXEC:
        help = f"let it begin with a line like #!/bin/sh, or name what runs it: exec:sh {program}"
    elif error.errno == errno.ENOENT:
        help = "the interpreter that its first line names is not there"
    return SpecError(f"{program} cannot be started: {error.strerror or error}", help)


def _signal(number: int) -> str:
    """Returns the name of a signal; real-time signals have only a number."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)
