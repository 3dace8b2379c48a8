"""Runs a comparison with joined objects on an engine: two passes, with intermediate files.

All processes write and read the same directory. It belongs to this run, and is removed at the end unless the run can be
resumed.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
import tempfile
import uuid
from collections.abc import Collection, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import cast

from validation_gen.commands.compare.clustered import Corpus
from validation_gen.commands.compare.paired import Bucket, BucketJudging, Sorted, Sorting, Unsorted, spill_path
from validation_gen.commands.compare.partitioned import PartitionJudging
from validation_gen.commands.compare.portions import Job, Portion
from validation_gen.commands.compare.results import Results
from validation_gen.commands.distributed.checkpoint import Checkpoint, build_identity, compute_digest
from validation_gen.commands.distributed.engines import Engine, EngineError, Interruption
from validation_gen.commands.distributed.opening import OpeningError, find_file_system, is_url
from validation_gen.commands.distributed.pairing import buckets_for, is_there, writing
from validation_gen.commands.distributed.partitions import Partition
from validation_gen.commands.distributed.running import Work

_NAME = re.compile(r"validation-gen-[0-9a-f]{32}")


@contextlib.contextmanager
def spilling(where: str, work: PairedWork, *, elsewhere: bool = False) -> Iterator[str]:
    """Creates a directory for intermediate files: in a directory, at a URL, or among this machine's temporary files.

    It is removed at the end, unless the checkpoint of the work allows a later run to resume.

    Args:
        where: the directory or URL, `""` for that of temporary files.
        work: the work, whose checkpoint has the name of an existing directory.
        elsewhere: True if other machines need access.

    Raises:
        EngineError: it cannot be made, or no directory is named and the processes are `elsewhere`.
    """
    if elsewhere and not where:
        raise EngineError(
            "objects that belong together meet in files, which the processes of the cluster have to share",
            "name a directory or URL that all of them can write with --spill",
        )
    name = work.passes.name
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
        if work.kept is None or work.is_complete:
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


@dataclass(slots=True)
class Passes:
    """Data of a checkpoint beside the results: the directory with the intermediate files, and the first pass.

    Attributes:
        name: the directory.
        first: output of the first pass, by partition.
        lost: the partitions that could not be read when the second pass began.
    """

    name: str = field(default_factory=lambda: f"validation-gen-{uuid.uuid4().hex}")
    first: dict[int, Sorted] = field(default_factory=dict)
    lost: list[int] = field(default_factory=list)

    def check(self, partitions: Iterable[Partition], units: Collection[int]) -> None:
        """Checks data that was read.

        Raises:
            ValueError: it does not belong to these partitions and buckets.
        """
        is_right = self.first.keys() <= {each.number for each in partitions}
        for each in self.first.values():
            is_right &= len(each.ends) == len(units) and sorted([0, *each.ends]) == [0, *each.ends]
        if not is_right or not _NAME.fullmatch(self.name):  # the directory is removed at the end
            raise ValueError


@dataclass(slots=True)
class PairedWork(Work[Results]):
    """A comparison in two passes. The batch belongs to the second pass."""

    batch: BucketJudging
    corpus: Corpus

    @property
    def passes(self) -> Passes:
        """The passes of the checkpoint, or new ones."""
        return cast("Passes", self.kept.beside) if self.kept is not None else Passes()

    def checkpoint(self, where: str) -> Checkpoint[Results]:
        """Returns the checkpoint at a path or URL, whose units are buckets."""
        buckets = self.batch.buckets
        inputs = compute_digest([self.corpus.olds, buckets])
        identity = {**build_identity(*self.batch.identity()), "inputs": inputs}
        return Checkpoint(where, identity, self.corpus.partitions, self.batch.OUTCOME, range(buckets), Passes())


def work_on(
    job: Job, corpus: Corpus, interruption: Interruption, most_bad: int, buckets: int = 0
) -> Work[Results] | PairedWork:
    """Returns the work on the partitions of a comparison. More than `most_bad` failures end it.

    With 0 `buckets`, their number depends on the input size.
    """
    if not corpus.is_paired:
        return Work(PartitionJudging.from_job(job, date.today()), corpus, interruption, most_bad)
    batch = replace(BucketJudging.from_job(job, date.today()), buckets=buckets or buckets_for(corpus.weight))
    return PairedWork(batch, corpus, interruption, most_bad)


def compare_paired_on(
    engine: Engine, work: PairedWork, directory: str, *, near: bool = False
) -> Generator[Portion, None, None]:
    """Yields the results of the buckets as they arrive.

    If all processes are `near`, on this machine, temporary files of the second pass are in the directory, too. Its
    removal then includes the files of killed processes. On other machines, a shared directory would be slow for them.

    A bucket that cannot be judged counts as a partition that cannot be compared.

    Raises:
        EngineError: the engine cannot go on, or too many partitions could not be compared.
    """
    corpus, buckets, passes = work.corpus, work.batch.buckets, work.passes
    with work.saving():
        yield from _first_pass(engine, work, passes, directory)
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
            passes.lost = lost
            left = [bucket for bucket in left if bucket not in work.kept.numbers]
        _count(corpus, buckets - len(left), buckets)
        last = corpus.partitions[-1]
        if work.before is not None:
            part = work.taken(work.before)
            yield Portion(part.results, part.items, last)
        if not left:
            return
        batch = replace(work.batch, waiting=directory if near and not is_url(directory) else None)
        wanted = (Bucket(bucket, _runs(passes, directory, bucket), corpus.has_gaps) for bucket in left)
        with closing(work.sent(engine, batch, wanted)) as judged:
            for count, done in enumerate(judged, buckets - len(left) + 1):
                _count(corpus, count, buckets)
                bucket = done.chunk.number
                if done.problem:
                    corpus.fail_bucket(f"bucket {bucket + 1} of {buckets}", done.problem, work.most_bad)
                    continue
                work.keep(bucket, done.outcome)
                part = work.taken(done.outcome)
                yield Portion(part.results, part.items, last)


def _first_pass(engine: Engine, work: PairedWork, passes: Passes, directory: str) -> Generator[Portion, None, None]:
    """Sorts partitions into buckets, except those whose files are complete."""
    kept, corpus = work.kept, work.corpus
    if kept is None or passes.lost or not kept.is_complete:
        for number in [n for n, each in passes.first.items() if not is_there(spill_path(directory, n), each.ends[-1])]:
            del passes.first[number]
    unsorted = [
        Unsorted(each, index < corpus.olds)
        for index, each in enumerate(corpus.partitions)
        if each.number not in passes.first
    ]
    if not unsorted:
        return
    with closing(work.sent(engine, Sorting(work.batch.buckets, directory), unsorted)) as found:
        for done in found:
            partition = done.chunk.partition
            if done.problem:
                corpus.fail(partition, done.problem, work.most_bad)
                continue
            with work.interruption.held():
                passes.first[partition.number] = done.outcome
                if kept is not None:
                    kept.save_sometimes()
            yield Portion(Results(), 0, partition)


def _runs(passes: Passes, directory: str, bucket: int) -> list[tuple[int, str, int, int]]:
    """Returns the range of a bucket in each file, in the order of the input."""
    return [
        (number, spill_path(directory, number), each.ends[bucket - 1] if bucket else 0, each.ends[bucket])
        for number, each in sorted(passes.first.items())
    ]


def _count(corpus: Corpus, buckets: int, of: int) -> None:
    corpus.done = corpus.weight * buckets // of
    corpus.finished = len(corpus.partitions) * buckets // of
