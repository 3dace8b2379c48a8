"""Validates objects on a cluster: lists the sources, runs partitions on an engine, and numbers lines at the end."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.diagnostics.visible import redact
from validation_gen.files.paths import is_manifest
from validation_gen.kubernetes.manifestfiles import files, names, nothing_at
from validation_gen.uses.corpora.engines import Engine
from validation_gen.uses.corpora.interruption import Interruption
from validation_gen.uses.corpora.keeping import identity_of
from validation_gen.uses.corpora.opening import Listing, OpeningError, Stored, is_url, listed
from validation_gen.uses.corpora.partitions import Partition
from validation_gen.uses.corpora.running import Corpus, Work
from validation_gen.uses.validate.partitioned import MOST, TASK, content_of
from validation_gen.uses.validate.pieces import Judge, serialize_judge
from validation_gen.uses.validate.results import Block, Results
from validation_gen.uses.validate.work import Checked, Tell, is_ambiguous

_AMBIGUOUS = "definitions among the objects decide which other objects are lists, and other workers read those"


def corpus_of(paths: Sequence[str], diagnostics: Diagnostics, size: int, *, recursive: bool) -> Corpus:
    """Returns the partitions of the arguments: for paths, the files that one machine would read. Problems are reported.

    No partition is larger than the limit of one read, whatever the `size`.
    """
    corpus = Corpus()
    size = min(size, MOST)
    listings = []
    for name in (name for path in paths for name in ([path] if is_url(path) else names([path]))):
        own = Diagnostics()
        listing = _of_url(name, own) if is_url(name) else _of_path(name, own, recursive=recursive)
        if not listing.files and not own.items:
            own.add(nothing_at(name))
        for problem in own.items:
            diagnostics.add(problem)
        is_there = is_url(name) or all(each.size is not None for each in listing.files)
        corpus.is_listed &= is_there and not own.items
        listings.append(listing)
    corpus.add(listings, partial(content_of, size), size, diagnostics)
    return corpus


def _of_url(url: str, diagnostics: Diagnostics) -> Listing:
    try:
        found = listed(url)
    except OpeningError as error:
        diagnostics.error("VG901", error.message, Span(url), error.help)
        return Listing(url)
    if len(found.files) > 1 and not any(sign in url for sign in "*?["):  # folders contain other files beside manifests
        found.files = [each for each in found.files if is_manifest(each.url)]
    return found


def _of_path(path: str, diagnostics: Diagnostics, *, recursive: bool) -> Listing:
    found = Listing(path)
    for file in files(path, diagnostics, recursive=recursive):
        try:
            state = os.stat(file)  # noqa: PTH116 - as below
            found.files.append(Stored(file.as_posix(), state.st_size, str(state.st_mtime_ns)))
        except (OSError, ValueError):  # ValueError: a NUL in the name
            found.files.append(Stored(file.as_posix()))  # reading it reports the reason
    return found


def work_on(judge: Judge, corpus: Corpus, interruption: Interruption, most_bad: int) -> Work[Results]:
    """Returns the work on the partitions: it judges them, and more than `most_bad` failures end it."""
    return Work(TASK, serialize_judge(judge), Results.of_data, corpus, interruption, most_bad)


def resume(work: Work[Results], where: str) -> None:
    """Enables a checkpoint at a path or URL, and resumes from it; see `Work.resume`."""
    data = dict(work.common)
    rules = {name: data.pop(name) for name in ("files", "definitions", "defaults")}
    del data["directories"]  # import paths; the rules name the code
    work.resume(where, identity_of(rules, data))


def check_on(engine: Engine, judge: Judge, work: Work[Results], tell: Tell = lambda objects: None) -> Checked:
    """Validates all partitions on an engine, with the same report as one process."""
    results = Results()
    checked = Checked(results)
    corpus, interruption = work.corpus, work.interruption
    checked.collect(
        work.run(engine),
        interruption,
        lambda part: results.merge(part.results),
        lambda: tell(results.objects),
    )
    _settle(results, corpus)
    found = Diagnostics()
    for argument, numbers in corpus.arguments:
        blocks = [results.blocks.get(number, Block()) for number in numbers]
        for problem in (problem for block in blocks for problem in block.problems):
            found.add(problem)
        is_read = all(number in results.blocks for number in numbers)
        if is_read and numbers and not any(block.objects or block.problems for block in blocks):
            found.add(nothing_at(argument))
    corpus.report(found)
    if is_ambiguous(judge.lists, results):
        found.error("VG904", _AMBIGUOUS, Span("--cluster"), "name the definitions as PATH, too")
    checked.problems = found.items
    return checked


def _settle(results: Results, corpus: Corpus) -> None:
    """Converts line numbers of partitions to line numbers of their source."""
    for partition, base in corpus.bases():
        block = results.blocks.get(partition.number)
        if block is not None:
            results.blocks[partition.number] = block.moved(base) if base is not None else _apart(block, partition)


def _apart(block: Block, partition: Partition) -> Block:
    """Returns the block of a partition behind a missing one: its line numbers are unknown."""
    file = f"{redact(partition.url)} from byte {partition.begin} on"

    def place(span: Span | None) -> Span | None:
        return None if span is None else replace(span, file=file)

    verdicts = [
        replace(
            each,
            file=file,
            errors=tuple(replace(error, place=place(error.place)) for error in each.errors),
            warnings=tuple((text, place(where)) for text, where in each.warnings),
            place=place(each.place),
        )
        for each in block.verdicts
    ]
    problems = [replace(each, span=replace(each.span, file=file)) for each in block.problems]
    return Block(block.objects, verdicts, problems)
