"""Handwritten validation in another program that answers line by line (docs/protocol.md)."""

from __future__ import annotations

import shlex
import shutil
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from validation_gen.compare.requests import Request
from validation_gen.compare.sides.answer import Answer, Opened, Shapes, SpecError
from validation_gen.compare.sides.batch import Batch
from validation_gen.compare.sides.options import SideOptions
from validation_gen.compare.sides.process import Program

_TIMEOUT = 60.0
#: How long a proper answer is waited for after a line that was none, in seconds.
_GRACE = 0.25
#: So often in a row a program may end without a single answer, before its batch is given up.
_FRUITLESS = 2


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
        batch = Batch(self._last_id + 1)
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

    def _talk(self, batch: Batch) -> str:
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
