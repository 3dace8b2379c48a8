"""Reads what people name, cuts it into pieces, has processes judge them, and puts together what they find."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from validation_gen.diagnostics import Diagnostic, Diagnostics, Span
from validation_gen.files.reading import MOST_OF_DATA
from validation_gen.kubernetes.manifestfiles import contents, names, nothing_at
from validation_gen.kubernetes.manifests import Form, Manifest, Piece, each_manifest, parse_piece, pieces
from validation_gen.uses.corpora.engines import EngineError, WorkerDiedError
from validation_gen.uses.corpora.interruption import Interruption
from validation_gen.uses.corpora.machine import Processes
from validation_gen.uses.corpora.opening import OpeningError
from validation_gen.uses.corpora.unpacking import DamagedError, TooLargeError, undone
from validation_gen.uses.validate.jobdata import data_of
from validation_gen.uses.validate.judging import identity
from validation_gen.uses.validate.pieces import TASK, Judge, Watched
from validation_gen.uses.validate.results import Block, Results

#: Characters that a process reads at once: a quarter of a second or so, if they are YAML.
SIZE = 1 << 18
_MOST_FILES = 200  # in one task

#: Is told how many objects are judged.
Tell = Callable[[int], None]


@dataclass(slots=True)
class Checked:
    """What was found in all that was named.

    Attributes:
        results: the verdicts.
        problems: what is wrong with files, in the order of the input, and with old ones behind.
        olds: whether there are objects as they were.
        interrupted: whether somebody has ended it before the end.
        failure: the process that has ended, if one has: then what was found is what stands before.
        refused: why a cluster could not go on.
        where: what that process was at.
    """

    results: Results
    problems: list[Diagnostic] = field(default_factory=list)
    olds: bool = False
    interrupted: bool = False
    failure: WorkerDiedError | None = None
    where: str = ""
    refused: EngineError | None = None

    @property
    def is_partial(self) -> bool:
        """Whether there is more than was looked at."""
        return self.interrupted or self.failure is not None or self.refused is not None


class Reader:
    """Reads the files that arguments name, one at a time, into tasks.

    Args:
        paths: the arguments.
        recursive: whether directories inside directories are read.
        size: how many characters of a file make a piece, `None` for all.
    """

    def __init__(self, paths: Sequence[str], *, recursive: bool, size: int | None) -> None:
        self._paths = paths
        self._recursive = recursive
        self._size = size
        self._kept: dict[str, list[tuple[str, bytes]]] = {}
        self._begin()

    def _begin(self) -> None:
        self._arguments: list[tuple[str, int]] = []  # with the numbers of the first block of the next one
        self._problems: dict[int, list[Diagnostic]] = {}
        self._number = 0

    def tasks(self) -> Iterator[dict[str, Any]]:
        """The pieces of all files, in order."""
        waiting: list[list[Any]] = []
        length = 0
        for argument in names(self._paths):
            own = Diagnostics()
            for file, content in self._contents(argument, own):
                self._note(own)
                for piece in pieces(file, content, own, self._size):
                    self._number += 1
                    waiting.append([self._number, file, piece.text, piece.line, int(piece.form)])
                    length += len(piece.text)
                    if length >= SIZE or len(waiting) >= _MOST_FILES:
                        yield {"pieces": waiting}
                        waiting, length = [], 0
                self._note(own)
            self._note(own)
            self._arguments.append((argument, self._number + 1))
        if waiting:
            yield {"pieces": waiting}

    def whole(self) -> Reader:
        """The same input, not cut. What can be read once has been kept."""
        self._begin()
        self._size = None
        return self

    def problems(self, results: Results) -> list[Diagnostic]:
        """What is wrong with the files of all arguments that were read to their end."""
        found = Diagnostics()
        begin = 1
        for argument, end in self._arguments:
            blocks = [results.blocks.get(number, Block()) for number in range(begin, end)]
            wrong = [
                problem
                for number, block in enumerate(blocks, begin)
                for problem in (*self._problems.get(number, ()), *block.problems)
            ]
            if not wrong and not any(block.objects for block in blocks):
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
        for found in contents(argument, own, recursive=self._recursive, unpack=unpacked):
            if keep:
                self._kept.setdefault(argument, []).append(found)
            yield found

    def _note(self, own: Diagnostics) -> None:
        """Gives what was found while files were read a place between their pieces."""
        if own.items:
            self._number += 1
            self._problems[self._number] = list(own.items)
            own.items.clear()


def unpacked(file: str, content: bytes, diagnostics: Diagnostics) -> bytes | None:
    """What a file holds without its compression. If that cannot be undone, it is reported."""
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


def check(
    judge: Judge,
    reader: Reader,
    olds: Sequence[str],
    jobs: int,
    interruption: Interruption,
    tell: Tell = lambda objects: None,
    *,
    recursive: bool = True,
) -> Checked:
    """What a judge finds in all objects, by so many processes. One that is among the old ones too is an update.

    The findings are those of one process that reads all files one after the other.

    Args:
        judge: that of this process; it is given the old objects.
        reader: reads the files.
        olds: names files with objects as they were.
        jobs: how many processes there may be.
        interruption: what ends it early.
        tell: is told how far it has come.
        recursive: whether directories inside directories of old objects are read.
    """
    lists = Watched(judge.request)
    before = _take_olds(judge, lists, olds, recursive=recursive)
    checked = _run(judge, reader, jobs, interruption, tell)
    results = checked.results
    if not checked.is_partial and (results.cut or ((jobs > 1 or olds) and is_ambiguous(lists, results))):
        reader.whole()
        if olds:  # old ones are read behind the others, which tell what is a list
            lists = Watched(judge.request)
            _learn(lists, reader.tasks())
            before = _take_olds(judge, lists, olds, recursive=recursive)
            reader.whole()
        judge.forget()
        checked = _run(judge, reader, 1, interruption, tell)
    checked.olds = bool(judge.olds)
    checked.problems = reader.problems(checked.results)
    checked.problems += [each for each in before if each not in checked.problems]
    return checked


def _take_olds(judge: Judge, lists: Watched, olds: Sequence[str], *, recursive: bool) -> list[Diagnostic]:
    """Gives a judge the old objects. Returns what is wrong with their files."""
    found = Diagnostics()
    read: Iterator[Manifest] = each_manifest(
        olds, found, recursive=recursive, is_object=lists.is_object, unpack=unpacked
    )
    judge.olds = {identity(old, judge.request.scheme): old for old in read}
    return found.items


def _run(judge: Judge, reader: Reader, jobs: int, interruption: Interruption, tell: Tell) -> Checked:
    results = Results()
    checked = Checked(results)
    engine = Processes(jobs, interruption, judge.run)
    found = engine.run(TASK, lambda: data_of(judge), reader.tasks())
    try:
        for done in found:
            with interruption.held():
                results.merge(Results.of_data(done.data or {}))
            interruption.check()
            tell(results.objects)
    except KeyboardInterrupt:
        checked.interrupted = True
        interruption.noticed()
    except EngineError as error:
        checked.refused = error
    except WorkerDiedError as died:
        checked.failure = died
        first, last = died.task["pieces"][0], died.task["pieces"][-1]
        checked.where = f"{first[1]}:{first[3] + 1}" + (f" to {last[1]}" if last[1] != first[1] else "")
    with interruption.held():
        found.close()
    return checked


def _learn(lists: Watched, tasks: Iterator[dict[str, Any]]) -> None:
    """Has all objects asked whether they are lists, in order."""
    for task in tasks:
        for _, file, text, line, form in task["pieces"]:
            for _ in parse_piece(file, Piece(text, line, Form(form)), Diagnostics(), lists.is_object):
                pass


def is_ambiguous(olds: Watched, results: Results) -> bool:
    """Whether something that looks like a list is one or not by a definition that stands elsewhere in the input."""
    known = olds.kinds | results.defined
    return any(
        (group, name) in known and not results.defined.isdisjoint({(group, name), (group, name.removesuffix("List"))})
        for group, name in results.lists | olds.met
    )
