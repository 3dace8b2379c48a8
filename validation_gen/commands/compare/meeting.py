"""Runs a comparison with joined objects on an engine: two passes, with intermediate files.

All processes write and read the same directory. It belongs to this run, and is removed at the end unless the run can be
resumed.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from validation_gen.commands.compare.clustered import Corpus, First, Passes, Progress
from validation_gen.commands.compare.paired import BucketJudging, Sorting, spill_path
from validation_gen.commands.compare.portions import Job, Portion
from validation_gen.commands.compare.results import Results
from validation_gen.commands.distributed.engines import Engine, EngineError, Interruption
from validation_gen.commands.distributed.opening import OpeningError, find_file_system, is_url
from validation_gen.commands.distributed.pairing import buckets_for, is_there, writing
from validation_gen.commands.distributed.partitions import Part
from validation_gen.commands.distributed.running import Work


@contextlib.contextmanager
def spilling(
    where: str, *, elsewhere: bool = False, name: str = "", is_kept: Callable[[], bool] = lambda: False
) -> Iterator[str]:
    """Creates a directory for intermediate files: in a directory, at a URL, or among this machine's temporary files.

    Args:
        where: the directory or URL, `""` for that of temporary files.
        elsewhere: True if other machines need access.
        name: its name, by default a unique one. It may already exist.
        is_kept: returns at the end whether to keep the directory for a resumed run.

    Raises:
        EngineError: it cannot be made, or no directory is named and the processes are `elsewhere`.
    """
    if elsewhere and not where:
        raise EngineError(
            "objects that belong together meet in files, which the processes of the cluster have to share",
            "name a directory or URL that all of them can write with --spill",
        )
    name = name or Passes().name
    if is_url(where):
        own = f"{where.rstrip('/')}/{name}"
        _try(own, where)
    else:
        above = Path(where).absolute() if where else Path(tempfile.gettempdir())
        own = str(above / name)
        _make(own, str(above))
    try:
        yield own
    finally:
        if not is_kept():
            with contextlib.suppress(Exception):  # each store has its own exceptions
                _remove(own)


def _try(own: str, where: str) -> None:
    """Writes and removes a small object, so that an unwritable store is reported before anything is read."""
    try:
        system, path = find_file_system(f"{own}/trial")
        with writing(f"{own}/trial") as target:
            target.write(b"{}\n")
    except OpeningError as error:
        raise EngineError(f"nothing can be kept at {where}: {error}", error.help) from None
    with contextlib.suppress(Exception):  # some stores do not allow removal
        system.rm_file(path)


def _make(own: str, above: str) -> None:
    try:
        with contextlib.suppress(FileExistsError):
            Path(own).mkdir(0o700)
        found = Path(own).lstat()
        if not stat.S_ISDIR(found.st_mode) or (hasattr(os, "geteuid") and found.st_uid != os.geteuid()):
            raise OSError(0, "it belongs to another user")
    except OSError as error:
        reason = f"cannot make a directory in {above}: {error.strerror or error}"
        raise EngineError(reason, "name another one with --spill") from None


def _remove(own: str) -> None:
    if is_url(own):
        system, path = find_file_system(own)
        system.rm(path, recursive=True)
    else:
        shutil.rmtree(own, ignore_errors=True)


def compare_paired_on(
    engine: Engine,
    job: Job,
    corpus: Corpus,
    interruption: Interruption,
    most_bad: int,
    directory: str,
    buckets: int = 0,
    progress: Progress | None = None,
    *,
    near: bool = False,
) -> Generator[Portion, None, None]:
    """Yields the results of the buckets as they arrive. With 0 `buckets`, their number depends on the input size.

    If all processes are `near`, on this machine, temporary files of the second pass are in the directory, too. Its
    removal then includes the files of killed processes. On other machines, a shared directory would be slow for them.

    With `progress`, finished work is not repeated, and new work is checkpointed. A bucket that cannot be judged counts
    as a partition that cannot be compared.

    Raises:
        EngineError: the engine cannot go on, or more than `most_bad` partitions could not be compared.
    """
    buckets = buckets or buckets_for(corpus.weight)
    work = Work(Sorting(buckets, directory), Results.of_data, corpus, interruption, most_bad)
    passes = Passes()
    if progress is not None:
        work.kept, work.before, passes = progress.kept, progress.before, progress.passes or passes
    with work.saving():
        yield from _first_pass(engine, work, corpus, passes, directory)
        for each in passes.first.values():
            corpus.lines |= each.lines
            corpus.passed.update(each.passed)
        if not passes.first:
            return
        left = list(range(buckets))
        if work.kept is not None:
            lost = sorted(corpus.problems)
            if passes.lost != lost:  # earlier buckets were judged with other partitions than are readable now
                work.kept.drop()
                work.before = None
            work.kept.beside["lost"] = passes.lost = lost
            left = [bucket for bucket in left if bucket not in work.kept.numbers]
        _count(corpus, buckets - len(left), buckets)
        last = corpus.partitions[-1]
        if work.before is not None:
            part = work.taken(work.before)
            yield Portion(part.results, part.items, last)
        if not left:
            return
        waiting = directory if near and not is_url(directory) else None
        batch = replace(BucketJudging.from_job(job, date.today()), buckets=buckets, waiting=waiting)
        wanted = (
            {"number": bucket, "runs": _runs(passes, directory, bucket), "gaps": corpus.has_gaps} for bucket in left
        )
        with closing(work.sent(engine, batch, wanted)) as judged:
            for count, done in enumerate(judged, buckets - len(left) + 1):
                _count(corpus, count, buckets)
                bucket = int(done.partition["number"])
                if done.data is None:
                    corpus.fail_bucket(f"bucket {bucket + 1} of {buckets}", done.problem, most_bad)
                    continue
                work.keep(bucket, done.data)
                part = work.taken(Part.of_data(done.data, Results.of_data))
                yield Portion(part.results, part.items, last)


def _first_pass(
    engine: Engine, work: Work[Results], corpus: Corpus, passes: Passes, spill: str
) -> Generator[Portion, None, None]:
    """Sorts partitions into buckets, except those whose files are complete."""
    kept = work.kept
    if kept is None or passes.lost or not kept.is_complete:
        for number in [n for n, each in passes.first.items() if not is_there(spill_path(spill, n), each.ends[-1])]:
            del passes.first[number]
    by_number = {each.number: each for each in corpus.partitions}
    asked = [
        {"number": each.number, "partition": each.as_data(), "old": index < corpus.olds}
        for index, each in enumerate(corpus.partitions)
        if each.number not in passes.first
    ]
    if not asked:
        return
    with closing(work.sent(engine, work.batch, asked)) as found:
        for done in found:
            partition = by_number[done.partition["number"]]
            if done.data is None:
                corpus.fail(partition, done.problem, work.most_bad)
                continue
            part = Part.of_data(done.data["part"], Results.of_data)
            first = First(list(done.data["ends"]), part.lines, part.passed)
            if kept is None:
                passes.first[partition.number] = first
            else:
                with work.interruption.held():
                    passes.keep(kept.beside, partition.number, first)
                    kept.save_sometimes()
            yield Portion(part.results, part.items, partition)


def _runs(passes: Passes, directory: str, bucket: int) -> list[list[Any]]:
    """Returns the range of a bucket in each file, in the order of the input."""
    return [
        [number, spill_path(directory, number), each.ends[bucket - 1] if bucket else 0, each.ends[bucket]]
        for number, each in sorted(passes.first.items())
    ]


def _count(corpus: Corpus, buckets: int, of: int) -> None:
    corpus.done = corpus.weight * buckets // of
    corpus.finished = len(corpus.partitions) * buckets // of
