"""Validates pieces of the input in several processes, and merges the results."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from validation_gen.commands.distributed.chunking import ChunkReader, Ending, unpacked
from validation_gen.commands.distributed.engines import Interruption
from validation_gen.commands.distributed.processes import Processes
from validation_gen.commands.revisions import NO_STATE, as_warning, is_revision, old_state
from validation_gen.commands.validate.judging import identity
from validation_gen.commands.validate.pieces import Judge, Validation, Watched
from validation_gen.commands.validate.verdicts import Results
from validation_gen.diagnostics import Diagnostic, Diagnostics
from validation_gen.files.revision import Repository
from validation_gen.kubernetes.manifests import Form, Manifest, Piece, each_manifest, parse_piece

#: Called with the number of validated objects.
Tell = Callable[[int], None]


@dataclass(slots=True)
class Checked(Ending):
    """The results of a run, and its end.

    Attributes:
        results: the verdicts.
        problems: problems of files, in the order of the input, then those of old ones.
        olds: True if there are old objects.
    """

    results: Results
    problems: list[Diagnostic] = field(default_factory=list)
    olds: bool = False


def check(
    judge: Judge,
    reader: ChunkReader,
    olds: Sequence[str],
    jobs: int,
    interruption: Interruption,
    tell: Tell = lambda objects: None,
    *,
    recursive: bool = True,
    named: Sequence[str] = (),
    repository: Repository | None = None,
) -> Checked:
    """Validates all objects in several processes. An object with an old one is an update.

    The findings are those of one process that reads all files one after the other.

    Args:
        judge: that of this process; it receives the old objects.
        reader: reads the files.
        olds: names files with old objects, or revisions: `git:REF`.
        jobs: the maximum number of processes.
        interruption: ends it early.
        tell: called with the progress.
        recursive: True to read subdirectories of old objects.
        named: the files of the objects to check, which are read from a revision below the same paths.
        repository: that of a revision which chose the files. Old files that cannot be read are no errors then.
    """
    lists = Watched(judge.request)
    before = _take_olds(judge, lists, olds, named, repository, recursive=recursive)
    if any(problem.code == NO_STATE for problem in before):
        return Checked(Results(), before)  # every verdict would be wrong
    checked = _run(judge, reader, jobs, interruption, tell)
    results = checked.results
    if not checked.is_partial and (results.cut or ((jobs > 1 or olds) and is_ambiguous(lists, results))):
        reader.whole()
        if olds:  # old objects are read last, as the others show which kinds are lists
            lists = Watched(judge.request)
            _learn(lists, reader.tasks())
            before = _take_olds(judge, lists, olds, named, repository, recursive=recursive)
            reader.whole()
        judge.forget()
        checked = _run(judge, reader, 1, interruption, tell)
    checked.olds = bool(judge.olds)
    checked.problems = reader.problems(checked.results.blocks)
    checked.problems += [each for each in before if each not in checked.problems]
    return checked


def _take_olds(
    judge: Judge,
    lists: Watched,
    olds: Sequence[str],
    named: Sequence[str],
    repository: Repository | None,
    *,
    recursive: bool,
) -> list[Diagnostic]:
    """Gives a judge the old objects. Returns the problems of their files."""
    found = Diagnostics()
    taken: dict[tuple[str, str, str, str], Manifest] = {}
    for old in olds:
        if is_revision(old):
            read = _from_revision(old, named, lists, found, repository, recursive=recursive)
        else:
            read = each_manifest([old], found, recursive=recursive, is_object=lists.is_object, unpack=unpacked)
        taken |= {identity(each, judge.request.scheme): each for each in read}
    judge.olds = taken
    return found.items


def _from_revision(
    old: str,
    named: Sequence[str],
    lists: Watched,
    diagnostics: Diagnostics,
    repository: Repository | None,
    *,
    recursive: bool,
) -> Iterator[Manifest]:
    """Yields the objects that a revision has below the paths of those to check."""
    with old_state(old, diagnostics, manifests=named, option="--old", repository=repository) as state:
        if state is None:
            return
        for path in state.manifests:
            own = Diagnostics()
            yield from each_manifest(
                [path], own, recursive=recursive, is_object=lists.is_object, unpack=unpacked, tree=state.tree
            )
            if repository is not None:
                is_there = os.path.lexists(os.path.join(state.tops[0], os.path.relpath(path, state.tops[1])))  # noqa: PTH118
                own.items = [
                    as_warning(each) for each in own.items if is_there and each.code != "VG902"
                ]  # none is fine
            for problem in own.items:
                notes = tuple((text, span and state.render_span(span)) for text, span in problem.notes)
                diagnostics.add(replace(problem, span=state.render_span(problem.span), notes=notes))


def _run(judge: Judge, reader: ChunkReader, jobs: int, interruption: Interruption, tell: Tell) -> Checked:
    results = Results()
    checked = Checked(results)
    engine = Processes(jobs, interruption, judge.run)
    found = engine.run(lambda: Validation.from_judge(judge), reader.tasks())
    checked.collect(
        found,
        interruption,
        lambda done: results.merge(Results.of_data(done.data or {})),
        lambda: tell(results.objects),
    )
    return checked


def _learn(lists: Watched, tasks: Iterator[dict[str, Any]]) -> None:
    """Checks for all objects whether they are lists, in order."""
    for task in tasks:
        for _, file, text, line, form in task["pieces"]:
            for _ in parse_piece(file, Piece(text, line, Form(form)), Diagnostics(), lists.is_object):
                pass


def is_ambiguous(olds: Watched, results: Results) -> bool:
    """Returns whether an object looks like a list, and a definition elsewhere in the input decides it."""
    known = olds.kinds | results.defined
    return any(
        (group, name) in known and not results.defined.isdisjoint({(group, name), (group, name.removesuffix("List"))})
        for group, name in results.lists | olds.met
    )
