"""Objects as they were and events of one object meet on engines: the same results as in one process."""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.commands.compare.parts import API_VERSION, declarations, files
from tests.commands.distributed.test_same_results import HAND, Losing, Shuffled, told
from tests.tables import each
from validation_gen.commands.compare.clustered import Corpus, settle
from validation_gen.commands.compare.inputs import Inputs, sentences
from validation_gen.commands.compare.judge import ComparisonConfig
from validation_gen.commands.compare.meeting import PairedWork, compare_paired_on, spilling, work_on
from validation_gen.commands.compare.portions import Job
from validation_gen.commands.compare.run import Run
from validation_gen.commands.compare.sides import parse_spec
from validation_gen.commands.distributed.dask_engine import DaskEngine
from validation_gen.commands.distributed.engines import Cluster, Engine, EngineError, InProcess, Interruption
from validation_gen.commands.distributed.opening import PAUSES
from validation_gen.commands.distributed.pairing import buckets_for, find_bucket
from validation_gen.diagnostics import Diagnostics
from validation_gen.diagnostics.visible import redact


def shelf(draw: random.Random, name: str = "") -> dict[str, Any]:
    levels = [{"height": draw.randrange(10)} for _ in range(draw.randrange(4))]
    obj: dict[str, Any] = {"apiVersion": API_VERSION, "kind": "Shelf", "levels": levels}
    return {**obj, "metadata": {"name": name, "namespace": "a"}} if name else obj


def time_of(second: int) -> str:
    return f"2026-11-26T{10 + second // 3600}:{second // 60 % 60:02}:{second % 60:02}.000000Z"


def event(draw: random.Random) -> dict[str, Any]:
    verb = draw.choice(["create", "update", "update", "update", "patch", "get", "list", "delete", "deletecollection"])
    verb = verb if verb != "deletecollection" or draw.random() < 0.2 else "update"
    # Half of all are about one object.
    name = draw.choice(["hot", f"s{draw.randrange(30)}"])
    code = draw.choice([200, 200, 200, 201, 422, None])
    group, _, version = API_VERSION.rpartition("/")
    obj, answer = shelf(draw, name), shelf(draw, name)
    moment = draw.randrange(1000)
    said = draw.choice(
        [
            {"resourceVersion": str(90 + moment // 7), "uid": str(moment // 400)},
            {"resourceVersion": str(90 + moment + draw.randrange(9))},
            {"resourceVersion": draw.choice(["opaque", "0", ""])},
            {},
        ]
    )
    answer["metadata"] |= said
    if draw.random() < 0.2:
        obj["metadata"]["resourceVersion"] = str(90 + moment // 7)
    times = {"requestReceivedTimestamp": time_of(moment), "stageTimestamp": time_of(moment + draw.randrange(5))}
    return {
        **draw.choice([times, times, times, {}]),
        "kind": "Event",
        "apiVersion": "audit.k8s.io/v1",
        "level": "RequestResponse",
        "auditID": "1",
        "stage": draw.choice(["ResponseComplete"] * 9 + ["Panic"]),
        "requestURI": "/x" + draw.choice(["", "", "", "?dryRun=All"]),
        "verb": verb,
        "objectRef": {"apiGroup": group, "apiVersion": version, "resource": "shelves", "namespace": "a"}
        | ({} if verb == "deletecollection" else {"name": name}),
        "responseStatus": {} if code is None else {"code": code},
        **({"requestObject": obj} if verb in ("create", "update") and draw.random() < 0.9 else {}),
        **({"responseObject": answer} if draw.random() < 0.9 else {}),
    }


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Objects as they were, some twice and some broken; audit logs, a list of events, and objects."""
    folder = tmp_path_factory.mktemp("paired")
    draw = random.Random(11)
    for name in ("old", "new"):
        (folder / name).mkdir()
    olds = [json.dumps(shelf(draw, f"s{draw.randrange(50)}")) for _ in range(80)]
    (folder / "old" / "a.jsonl").write_text("\n".join([*olds, "{broken"]) + "\n")
    events = [json.dumps(event(draw), separators=(",", ":")) for _ in range(500)]
    (folder / "new" / "a.log").write_text("\n".join(events) + "\n")
    listed = {"kind": "EventList", "apiVersion": "audit.k8s.io/v1", "items": [event(draw) for _ in range(40)]}
    (folder / "new" / "b.json").write_text(json.dumps(listed, indent=1))
    objects = [shelf(draw, draw.choice(["", f"s{draw.randrange(40)}"])) for _ in range(90)]
    lists = [{"apiVersion": "v1", "kind": "List", "items": objects[each : each + 4]} for each in range(0, 40, 4)]
    lines = [json.dumps(each) for each in [*objects, *lists]]
    (folder / "new" / "c.jsonl").write_text("\n".join([*lines[:50], "[", *lines[50:]]) + "\n")
    (folder / "hand.py").write_text(HAND)
    return folder


@pytest.fixture(scope="module")
def job(corpus: Path) -> Job:
    return Job(files(), declarations(), parse_spec(f"python:{corpus / 'hand.py'}:check"), ComparisonConfig())


def here(job: Job, corpus: Path, *, old: bool) -> str:
    where = [str(corpus / "old")] if old else []
    with Run(job) as run, Inputs([str(corpus / "new")], Diagnostics(), old=where) as inputs:
        run.add(inputs.read_items())
        run.results.notes += inputs.sentences()
        return told(run) + str(run.items)


def cut_of(corpus: Path, size: int, *, old: bool) -> Corpus:
    return Corpus.from_arguments([str(corpus / "new")], Diagnostics(), size, [str(corpus / "old")] if old else [])


def paired(job: Job, cut: Corpus, most_bad: int, buckets: int) -> PairedWork:
    work = work_on(job, cut, Interruption(), most_bad, buckets)
    assert isinstance(work, PairedWork)
    return work


def on(engine: Engine, job: Job, corpus: Path, size: int, buckets: int, *, old: bool) -> str:
    cut = cut_of(corpus, size, old=old)
    work = paired(job, cut, 0, buckets)
    with Run(job) as run, spilling("", work) as directory:
        run.take(compare_paired_on(engine, work, directory))
        assert run.failure is None, cut.problems
        settle(run.results, cut)
        run.results.notes += sentences(cut.passed)
        assert (cut.done, cut.finished) == (cut.weight, len(cut.partitions))
        found = told(run) + str(run.items)
    assert not Path(directory).exists()
    return found


@pytest.fixture(scope="module", params=[False, True], ids=["events", "events and olds"])
def wanted(request: pytest.FixtureRequest, job: Job, corpus: Path) -> tuple[bool, str]:
    return request.param, here(job, corpus, old=request.param)


@each(("size", "buckets"), [(1 << 20, 1), (5000, 1), (5000, 7), (20_000, 64)])
def test_two_passes(job: Job, corpus: Path, wanted: tuple[bool, str], size: int, buckets: int) -> None:
    old, text = wanted
    assert "updates of which the old object is not known" in text
    assert "that stand before earlier ones" in text
    assert ("of --old without a new one" in text) is old
    with closing(Shuffled()) as engine:
        assert on(engine, job, corpus, size, buckets, old=old) == text


def test_what_waits_on_this_machine_waits_where_it_is_removed(
    job: Job, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    cut = cut_of(corpus, 1 << 20, old=True)
    work = paired(job, cut, 0, 2)
    with closing(InProcess()) as engine, Run(job) as run, spilling(str(tmp_path), work) as directory:
        run.take(compare_paired_on(engine, work, directory, near=True))
        assert run.failure is None
        assert run.results.compared > 100


@pytest.fixture(scope="module")
def dask() -> Iterator[Engine]:
    pytest.importorskip("distributed", reason="the extra [distributed] is not installed")
    from validation_gen.commands.distributed.dask_engine import DaskEngine  # noqa: PLC0415

    with closing(DaskEngine(Cluster(processes=2))) as engine:
        yield engine


def test_dask(dask: Engine, job: Job, corpus: Path, wanted: tuple[bool, str]) -> None:
    assert on(dask, job, corpus, 20_000, 3, old=wanted[0]) == wanted[1]


def test_a_store_may_be_between_the_passes(job: Job, corpus: Path, wanted: tuple[bool, str]) -> None:
    fsspec = pytest.importorskip("fsspec", reason="the extra [distributed] is not installed")
    cut = cut_of(corpus, 1 << 20, old=wanted[0])
    work = paired(job, cut, 0, 3)
    with closing(InProcess()) as engine, Run(job) as run, spilling("memory://between", work) as url:
        run.take(compare_paired_on(engine, work, url))
        assert fsspec.filesystem("memory").find("/between")
        settle(run.results, cut)
        run.results.notes += sentences(cut.passed)
        assert told(run) + str(run.items) == wanted[1]
    assert not fsspec.filesystem("memory").find("/between")


@pytest.mark.parametrize("engine", ["here", "dask"])
def test_a_store_that_fails_while_it_is_written_is_tried_again_after_a_pause(
    request: pytest.FixtureRequest, job: Job, corpus: Path, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    memory: Any = pytest.importorskip("fsspec.implementations.memory", reason="the extra [urls] is not installed")
    opens, times = memory.MemoryFileSystem._open, list[float]()

    def fail(self: Any, path: str, mode: str = "rb", **more: Any) -> Any:
        if mode == "wb" and path.endswith("/1.jsonl"):
            times.append(time.monotonic())
            if len(times) < 3:
                raise RuntimeError("503 slow down")  # some stores have errors that are none of the system
        return opens(self, path, mode=mode, **more)

    monkeypatch.setattr(memory.MemoryFileSystem, "_open", fail)
    cut = cut_of(corpus, 5000, old=False)
    if engine == "dask":
        distributed = pytest.importorskip("distributed", reason="the extra [distributed] is not installed")
        inside = distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None)
        request.addfinalizer(inside.close)
        using: Engine = DaskEngine(Cluster(inside.scheduler_address))
    else:
        using = InProcess()
    work = paired(job, cut, 0, 2)
    with closing(using), Run(job) as run, spilling("memory://slow", work) as url:
        run.take(compare_paired_on(using, work, url))
        assert run.failure is None
    assert len(times) == 3
    for (before, after), pause in zip(pairwise(times), PAUSES, strict=True):
        assert after - before >= 0.9 * pause


@pytest.mark.parametrize("url", ["http://u:s3cret@127.0.0.1:1/a", "file:///dev/null/a"])
def test_a_store_that_takes_nothing_is_told_first(job: Job, corpus: Path, url: str) -> None:
    pytest.importorskip("aiohttp", reason="aiohttp, which fsspec needs for https://, is not installed")
    with (
        pytest.raises(EngineError, match=f"nothing can be kept at {redact(url)}: cannot write: .") as caught,
        spilling(url, paired(job, cut_of(corpus, 5000, old=False), 0, 1)),
    ):
        pass
    assert caught.value.help == "name another place with --spill"


def test_what_is_lost_is_told(job: Job, corpus: Path, tmp_path: Path) -> None:
    cut = cut_of(corpus, 5000, old=False)
    work = paired(job, cut, 1, 2)
    with closing(Losing(2)) as engine, Run(job) as run, spilling(str(tmp_path), work) as directory:
        run.take(compare_paired_on(engine, work, directory))
        assert run.failure is None
        assert cut.problems == {2: "cannot read: gone"}
        assert run.results.compared > 50
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(EngineError, match="cannot make a directory"), spilling(str(tmp_path / "no"), work):
        pass
    with pytest.raises(EngineError, match="have to share"), spilling("", work, elsewhere=True):
        pass


def test_buckets_are_the_same_everywhere_and_bounded() -> None:
    assert [find_bucket(key, 128) for key in (b"", b"a", b"kube-root-ca.crt")] == [52, 47, 120]
    assert (buckets_for(0), buckets_for(65 << 20), buckets_for(1 << 50)) == (1, 2, 128)
