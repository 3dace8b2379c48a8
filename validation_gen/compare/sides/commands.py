"""Handwritten validation in another program that answers line by line (docs/protocol.md)."""

from __future__ import annotations

import json
import shlex
import shutil
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from validation_gen.compare.requests import Request
from validation_gen.compare.sides.answer import Answer, Opened, Refusal, Shapes, SpecError
from validation_gen.compare.sides.options import SideOptions
from validation_gen.compare.sides.process import Program
from validation_gen.mismatch.adapters.protocol import MalformedError, error_of
from validation_gen.mismatch.adapters.subject import Subject
from validation_gen.runtime.errors import Mark

_TIMEOUT = 60.0
#: How long a proper answer is waited for after a line that was none, in seconds.
_GRACE = 0.25
#: So often in a row a program may end without a single answer, before its batch is given up.
_FRUITLESS = 2
_COVERED = frozenset({Mark.COVERED})


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """A command line, split as a shell would, but not run by one."""

    command: str
    options: SideOptions

    def check(self) -> None:
        words = self._words()
        if not words:
            raise SpecError("exec: names no program", "write exec:COMMAND")
        _find(words[0])

    def side(self, shapes: Shapes | None = None) -> CommandSide:
        return CommandSide(self._words(), self.options.timeout or _TIMEOUT)

    def _words(self) -> list[str]:
        try:
            return shlex.split(self.command)
        except ValueError as error:
            raise SpecError(
                f"the command {self.command!r} cannot be split: {error}", "quote it as for a shell"
            ) from None


def _find(program: str) -> None:
    if shutil.which(program):
        return
    if Path(program).is_file():
        raise SpecError(
            f"{program} cannot be executed", f"make it executable, or name what runs it: exec:python {program}"
        )
    raise SpecError(f"there is no program {program}", "name one on the PATH, or the path to one")


class CommandSide(Opened):
    """A program that is started when it is first needed, and again after it has ended on a request."""

    def __init__(self, words: list[str], timeout: float) -> None:
        self._words = words
        self._timeout = timeout
        self._program: Program | None = None
        self._last_id = 0

    @property
    def name(self) -> str:
        return Path(self._words[0]).name

    def open(self) -> None:
        if self._program is None:
            _find(self._words[0])
            try:
                self._program = Program(self._words)
            except OSError as error:
                raise SpecError(f"{self._words[0]} cannot be started: {error.strerror or error}") from None

    def close(self) -> None:
        program, self._program = self._program, None
        if program:
            program.end()

    def ask(self, requests: Sequence[Request]) -> list[Answer]:
        batch = _Batch(self._last_id + 1)
        for request in requests:
            self._last_id += 1
            batch.add(self._last_id, request)
        fruitless = 0
        while batch.waiting and fruitless < _FRUITLESS:
            before = len(batch.answers)
            try:
                self.open()
            except SpecError as error:
                batch.refuse_all(error.reason)
                break
            trouble = self._talk(batch)
            if trouble:
                fruitless = fruitless + 1 if len(batch.answers) == before else 0
                batch.refuse_first(trouble)
        batch.refuse_all(f"{self.name} was not asked, as it ended {_FRUITLESS} times in a row without an answer")
        return batch.in_order()

    def _talk(self, batch: _Batch) -> str:
        """Asks for what the batch still waits for. Returns why there are no more answers, `""` if all is well."""
        assert self._program
        self._program.send(batch.lines())
        while batch.waiting:
            only_doubts = len(batch.doubtful) == len(batch.waiting)
            try:
                line = self._program.line(_GRACE if only_doubts else self._timeout)
            except TimeoutError:
                if only_doubts:
                    batch.accept_doubts()
                    break
                self._ended(0.1)
                return f"{self.name} has not answered within {self._timeout:g} seconds"
            if line is None:
                return self._ended()
            batch.take(line)
        return ""

    def _ended(self, grace: float = 2.0) -> str:
        """Ends a program that will not answer any more, and says how it went."""
        program, self._program = self._program, None
        assert program
        code = program.end(grace)
        how = f"exit code {code}" if code >= 0 else f"signal {signal.Signals(-code).name}"
        hint = "; does it flush its answers?" if code == 0 else ""
        words = program.complaints()
        last = f"; its last words: {' / '.join(words)}" if words else ""
        return f"{self.name} ended ({how}) before it answered{hint}{last}"


@dataclass(slots=True)
class _Batch:
    """Requests on their way. What a line means for them is decided here.

    `doubtful` are requests in whose place something came that is no answer: their own may yet come.
    """

    first_id: int
    ids: list[int] = field(default_factory=list)
    waiting: dict[int, Request] = field(default_factory=dict)
    written: dict[int, bytes] = field(default_factory=dict)
    answers: dict[int, Answer] = field(default_factory=dict)
    doubtful: dict[int, Refusal] = field(default_factory=dict)

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

    def take(self, line: bytes) -> None:
        """Reads one line of the program."""
        if not line.strip():
            return
        data = _decoded(line)
        if not isinstance(data, dict) or not ("errors" in data or "error" in data):
            self._doubt(f"answered with {_quoted(line)}, which is no answer")
            return
        id = data.get("id")
        if id is None and "errors" in data:  # it keeps the order and repeats no id
            id = next((id for id in self.waiting if id not in self.doubtful), None)
        if isinstance(id, int) and not isinstance(id, bool):
            if id in self.waiting:
                self.answers[id] = answer_of(data, self.waiting.pop(id))
                self.doubtful.pop(id, None)
                return
            if id < self.first_id or id in self.answers:
                return  # it comes too late
        self._doubt(f"answered with {_quoted(line)}, which is for no request")

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


def _decoded(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _quoted(line: bytes) -> str:
    text = line.decode("utf-8", "replace").strip()
    return repr(text if len(text) <= 120 else f"{text[:119]}…")


def answer_of(data: dict[str, Any], request: Request) -> Answer:
    """An answer of the line protocol. It may lack what a program does not know."""
    if data.get("error") is not None:
        return Refusal(str(data["error"])[:1000])
    errors = data.get("errors")
    if not isinstance(errors, list):
        return Refusal("answered with errors that are no list")
    try:
        return [error_of(error, Subject(request.obj, marks=_COVERED)) for error in errors]
    except (MalformedError, RecursionError) as error:
        return Refusal(f"answered with a malformed error: {error}")
