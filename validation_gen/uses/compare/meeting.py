"""A comparison on an engine whose objects have to meet others: two passes, with what is between them in files.

All processes write and read the same directory. It is ours alone, and removed whatever happens.
"""

from __future__ import annotations

import contextlib
import importlib
import tempfile
import uuid
from collections.abc import Generator, Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

from validation_gen.uses.compare.clustered import Corpus
from validation_gen.uses.compare.jobdata import data_of
from validation_gen.uses.compare.paired import TASK
from validation_gen.uses.compare.portions import Job, Portion
from validation_gen.uses.compare.results import Results
from validation_gen.uses.corpora.engines import Engine, EngineError
from validation_gen.uses.corpora.interruption import Interruption
from validation_gen.uses.corpora.opening import is_url
from validation_gen.uses.corpora.pairing.spill import buckets_for
from validation_gen.uses.corpora.parts import Part


@contextlib.contextmanager
def spilling(where: str, *, elsewhere: bool = False) -> Iterator[str]:
    """A directory of our own in a directory or at a URL, or among the temporary files of this machine.

    Raises:
        EngineError: it cannot be made, or none is named and the processes are `elsewhere`.
    """
    if elsewhere and not where:
        raise EngineError(
            "objects that belong together meet in files, which the processes of the cluster have to share",
            "name a directory or URL that all of them can write with --spill",
        )
    if is_url(where):
        own = f"{where.rstrip('/')}/validation-gen-{uuid.uuid4().hex}"
        try:
            yield own
        finally:
            with contextlib.suppress(Exception):  # each store has its own
                system, path = importlib.import_module("fsspec").core.url_to_fs(own)
                system.rm(path, recursive=True)
        return
    try:
        above = str(Path(where).absolute()) if where else None
        made = tempfile.TemporaryDirectory(prefix="validation-gen-", dir=above, ignore_cleanup_errors=True)
    except OSError as error:
        reason = f"cannot make a directory in {where or tempfile.gettempdir()}: {error.strerror or error}"
        raise EngineError(reason, "name another one with --spill") from None
    with made as directory:
        yield directory


def compare_paired_on(
    engine: Engine,
    job: Job,
    corpus: Corpus,
    interruption: Interruption,
    most_bad: int,
    directory: str,
    buckets: int = 0,
) -> Generator[Portion, None, None]:
    """The results of the buckets, in the order in which they come. `buckets` is 0 for as many as the input is worth.

    Raises:
        EngineError: the engine cannot go on, too many partitions could not be read, or a bucket could not be judged.
    """
    buckets = buckets or buckets_for(corpus.weight)
    common: dict[str, Any] = {"job": None, "buckets": buckets, "spill": directory}
    by_number = {each.number: each for each in corpus.partitions}
    asked: Iterator[dict[str, Any]] = (
        {"number": each.number, "partition": each.as_data(), "old": index < corpus.olds}
        for index, each in enumerate(corpus.partitions)
    )
    runs: dict[int, tuple[str, list[int]]] = {}
    with closing(engine.run(TASK, common, asked)) as kept:
        for done in kept:
            interruption.check()
            partition = by_number[done.partition["number"]]
            if done.data is None:
                corpus.fail(partition, done.problem, most_bad)
                continue
            part = Part.of_data(done.data["part"], Results.of_data)
            corpus.lines |= part.lines
            corpus.passed.update(part.passed)
            runs[partition.number] = done.data["file"], done.data["ends"]
            yield Portion(part.results, part.items, partition)
    if not runs:
        return
    ordered = sorted(runs.items())
    wanted = (
        {
            "number": bucket,
            "runs": [
                [number, file, ends[bucket - 1] if bucket else 0, ends[bucket]] for number, (file, ends) in ordered
            ],
        }
        for bucket in range(buckets)
    )
    common = {**common, "job": data_of(job, date.today())}
    weight = corpus.weight
    with closing(engine.run(TASK, common, wanted)) as judged:
        for count, done in enumerate(judged, 1):
            interruption.check()
            if done.data is None:
                bucket = int(done.partition["number"]) + 1
                raise EngineError(
                    f"objects could not be compared with others (bucket {bucket} of {buckets}): {done.problem}",
                    "look whether all processes of the cluster can read and write the directory of --spill",
                )
            part = Part.of_data(done.data, Results.of_data)
            corpus.passed.update(part.passed)
            corpus.done = weight * count // buckets
            corpus.finished = len(corpus.partitions) * count // buckets
            yield Portion(part.results, part.items, corpus.partitions[-1])
