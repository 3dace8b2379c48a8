"""Reads the named files, one at a time, and cuts them into tasks for processes; collects results and problems."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from validation_gen.commands.distributed.engines import EngineError, Interruption, WorkerDiedError
from validation_gen.commands.distributed.opening import OpeningError
from validation_gen.commands.distributed.streams import DamagedError, TooLargeError, undone
from validation_gen.diagnostics import Diagnostic, Diagnostics, Span
from validation_gen.files.reading import MOST_OF_DATA
from validation_gen.kubernetes.manifestfiles import Unpack, as_it_is, contents, names, nothing_at
from validation_gen.kubernetes.manifests import Piece, pieces


@dataclass(frozen=True, slots=True)
class NumberedPiece:
    """A piece of a file, and its number in the input."""

    number: int
    file: str
    piece: Piece


#: Characters that a process reads at once: about a quarter of a second of YAML.
SIZE = 1 << 18
_MOST_FILES = 200  # in one task
Found = TypeVar("Found")


class Chunk(Protocol):
    """Result of one piece."""

    @property
    def objects(self) -> int:
        """Number of objects in it."""

    @property
    def problems(self) -> Sequence[Diagnostic]:
        """Problems of its text."""


@dataclass(slots=True, kw_only=True)
class Ending:
    """The end of work in processes or on a cluster.

    Attributes:
        failure: the process that has ended, if one has: then the results are those of the input before it.
        where: location of the failed process in the input.
        refused: the reason why another process could not begin, or a cluster could not go on.
    """

    interrupted: bool = False
    failure: WorkerDiedError | None = None
    where: str = ""
    refused: EngineError | None = None

    @property
    def is_partial(self) -> bool:
        """True if the input was not read completely."""
        return self.interrupted or self.failure is not None or self.refused is not None

    def collect(
        self,
        found: Generator[Found, None, None],
        interruption: Interruption,
        take: Callable[[Found], None],
        tell: Callable[[], None],
    ) -> None:
        """Takes all results, calls `tell` after each, and closes the generator. Records here if it ended early."""
        try:
            for each in found:
                with interruption.held():
                    take(each)
                interruption.check()
                tell()
        except KeyboardInterrupt:
            self.interrupted = True
            interruption.noticed()
        except EngineError as error:
            self.refused = error
        except WorkerDiedError as died:
            self.failure = died
            self.where = _describe_place(died.task)
        with interruption.held():
            found.close()


class ChunkReader:
    """Reads the files of the arguments, one at a time, into tasks.

    `size` is the number of characters in a piece, `None` for the whole file. By default, no file is decompressed.
    """

    def __init__(self, paths: Sequence[str], *, recursive: bool, size: int | None, unpack: Unpack = as_it_is) -> None:
        self._unpack = unpack
        self._paths = paths
        self._recursive = recursive
        self._size = size
        self._kept: dict[str, list[tuple[str, bytes]]] = {}
        self._begin()

    def _begin(self) -> None:
        self._arguments: list[tuple[str, int]] = []  # with the numbers of the first block of the next one
        self._problems: dict[int, list[Diagnostic]] = {}
        self._number = 0

    def tasks(self) -> Iterator[list[NumberedPiece]]:
        """Yields the pieces of all files, in order."""
        waiting: list[NumberedPiece] = []
        length = 0
        for argument in names(self._paths):
            own = Diagnostics()
            for file, content in self._contents(argument, own):
                self._note(own)
                for piece in pieces(file, content, own, self._size):
                    self._number += 1
                    waiting.append(NumberedPiece(self._number, file, piece))
                    length += len(piece.text)
                    if length >= SIZE or len(waiting) >= _MOST_FILES:
                        yield waiting
                        waiting, length = [], 0
                self._note(own)
            self._note(own)
            self._arguments.append((argument, self._number + 1))
        if waiting:
            yield waiting

    def whole(self) -> ChunkReader:
        """Returns the same input, not cut. Standard input was cached by the first reading."""
        self._begin()
        self._size = None
        return self

    def problems(self, blocks: Mapping[int, Chunk]) -> list[Diagnostic]:
        """Returns the problems of the files that were read to their end. `blocks` are the results, by piece."""
        found = Diagnostics()
        begin = 1
        for argument, end in self._arguments:
            numbers = range(begin, end)
            read = [blocks[number] for number in numbers if number in blocks]
            wrong = [
                problem
                for number in numbers
                for problem in (*self._problems.get(number, ()), *(blocks[number].problems if number in blocks else ()))
            ]
            complete = all(number in blocks or number in self._problems for number in numbers)
            if not wrong and complete and not any(block.objects for block in read):
                wrong = [nothing_at(argument)]
            for each in wrong:
                found.add(each)
            begin = end
        return found.items

    def _contents(self, argument: str, own: Diagnostics) -> Iterator[tuple[str, bytes]]:
        if argument in self._kept:
            yield from self._kept[argument]
            return
        keep = argument == "-" or (os.path.exists(argument) and not _is_lasting(argument))  # noqa: PTH110 - of a text
        for found in contents(argument, own, recursive=self._recursive, unpack=self._unpack):
            if keep:
                self._kept.setdefault(argument, []).append(found)
            yield found

    def _note(self, own: Diagnostics) -> None:
        """Stores the problems of the reader at a position between the pieces."""
        if own.items:
            self._number += 1
            self._problems[self._number] = list(own.items)
            own.items.clear()


def decompress(file: str, content: bytes, diagnostics: Diagnostics) -> bytes | None:
    """Returns the decompressed content of a file. Reports a file that cannot be decompressed."""
    try:
        return undone(content, MOST_OF_DATA)
    except TooLargeError as error:
        diagnostics.error("VG901", f"cannot read: {error}", Span(file), "give it in parts")
    except DamagedError as error:
        diagnostics.error("VG901", f"cannot read: {error}", Span(file), "compress it again, or unpack it")
    except OpeningError as error:
        diagnostics.error("VG901", error.message, Span(file), error.help)
    return None


def _is_lasting(path: str) -> bool:
    return os.path.isfile(path) or os.path.isdir(path)  # noqa: PTH112, PTH113 - they never raise


def _describe_place(task: Sequence[NumberedPiece]) -> str:
    """Describes the location of the pieces of a task for messages."""
    first, last = task[0], task[-1]
    return f"{first.file}:{first.piece.line + 1}" + (f" to {last.file}" if last.file != first.file else "")
