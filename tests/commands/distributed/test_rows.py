"""Parquet: a column is chosen, cut by row groups, named by row, and read in flat memory, here and on an engine."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.commands.compare.input_files import Read, pod
from tests.commands.distributed.test_same_results import corpus, here, told  # noqa: F401 - fixtures
from tests.commands.distributed.test_same_results import job as job  # noqa: PLC0414 - a fixture
from validation_gen.commands.compare.clustered import Corpus, compare_on, settle
from validation_gen.commands.compare.meeting import work_on
from validation_gen.commands.compare.portions import Job
from validation_gen.commands.compare.run import Run
from validation_gen.commands.distributed.engines import InProcess, Interruption
from validation_gen.commands.distributed.partitions import Content
from validation_gen.diagnostics import Diagnostics

pa: Any = pytest.importorskip("pyarrow", reason="the extra [parquet] is not installed")
pq: Any = pytest.importorskip("pyarrow.parquet")


def write(path: Path, rows: int = 1000, **columns: Any) -> None:
    """Some columns of different types, in groups of as many rows."""
    pq.write_table(pa.table(columns), path, row_group_size=rows)


PODS = [json.dumps(pod(f"p{n}")) for n in range(10)]


@pytest.mark.parametrize(
    "column",
    [
        pa.array(PODS),
        pa.array(PODS, pa.large_string()),
        pa.array([each.encode() for each in PODS]),
        pa.array(PODS).dictionary_encode(),
        pa.chunked_array([PODS[:4], PODS[4:]]),
    ],
    ids=["string", "large", "binary", "dictionary", "chunks"],
)
def test_the_only_column_of_texts_is_read(tmp_path: Path, column: Any) -> None:
    write(tmp_path / "a.parquet", 3, number=list(range(10)), object=column)
    read = Read(tmp_path)
    assert read.objects == [json.loads(each) for each in PODS]
    assert read.places[:2] == [f"{tmp_path}/a.parquet:1", f"{tmp_path}/a.parquet:2"]
    assert (read.bad, read.problems) == ([], [])
    assert read.total == read.items[-1].consumed == (tmp_path / "a.parquet").stat().st_size


def test_a_row_is_a_line_whatever_is_in_it(tmp_path: Path) -> None:
    rows = [json.dumps(pod("a"), indent=2), None, "", "{", "---", "[1", "\ufeff" + PODS[0], '{"a": "x\ny"}', PODS[1]]
    write(tmp_path / "a", 2, object=rows)  # by its content, not by its name
    read = Read(tmp_path / "a")
    assert [each["metadata"]["name"] for each in read.objects] == ["a", "p0", "p1"]
    assert [each.rpartition("/")[2].split(":")[1] for each in read.bad] == ["4", "5", "6", "8"]
    assert read.places[-1] == f"{tmp_path}/a:9"


def test_the_column_is_named_where_there_are_several(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    write(path, number=[1], name=["x"], object=[PODS[0]])
    assert Read(path).problems == [
        (
            "VG901",
            str(path),
            "cannot read: nothing tells which column holds the objects; its columns of texts are `name`, `object`",
        )
    ]
    assert len(Read(path, column="object").objects) == 1
    (problem,) = Read(path, column="number").problems
    assert problem[2] == "cannot read: it has no column `number` of texts; its columns of texts are `name`, `object`"
    write(path, number=[1], nested=[{"a": "x"}])
    (problem,) = Read(path).problems
    assert problem[2].endswith(
        "no column holds texts, which objects have to be as JSON; its columns are `number`, `nested`"
    )


def test_a_column_with_a_dot_in_its_name(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a.b": [PODS[0]]}), tmp_path / "a.parquet")
    assert len(Read(tmp_path).objects) == 1


def test_what_is_damaged_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    random.seed(1)
    rows = [json.dumps(pod(f"p{n}", spec={"text": random.randbytes(40).hex()})) for n in range(5000)]
    pq.write_table(pa.table({"object": rows}), path, row_group_size=500, compression="gzip", use_dictionary=False)
    whole = path.read_bytes()
    path.write_bytes(whole[:100])
    (problem,) = Read(path).problems
    assert problem[2].startswith("cannot read: the Parquet data are damaged: ")
    at = len(whole) // 2
    path.write_bytes(whole[:at] + bytes(4000) + whole[at + 4000 :])
    read = Read(path)
    assert read.bad
    assert "the Parquet data are damaged: " in read.bad[-1]
    assert len(read.objects) >= 500


def test_standard_input_and_a_pipe_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "a.parquet", object=PODS)
    with (tmp_path / "a.parquet").open("rb") as file:
        monkeypatch.setattr(sys, "stdin", type("Stdin", (), {"buffer": file, "fileno": file.fileno}))
        (problem,) = Read("-").problems
    assert problem[1:] == ("<stdin>", "cannot read: it is Parquet, of which the end is read first")


def test_without_the_package_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "a.parquet", object=PODS)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    (problem,) = Read(tmp_path).problems
    assert "needs the package pyarrow" in problem[2]
    diagnostics = Diagnostics()
    assert Corpus.from_arguments([str(tmp_path)], diagnostics, 1).partitions == []
    assert diagnostics.items[0].help == "pip install 'validation-gen[parquet]'"


@pytest.fixture(scope="module")
def parquet(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    folder = tmp_path_factory.mktemp("parquet")
    for name in ("a", "d"):
        lines = (corpus / f"{name}.jsonl").read_text().splitlines()
        write(folder / f"{name}.parquet", 100, line=lines, number=list(range(len(lines))))
    return folder


@pytest.mark.parametrize("size", [1, 3000, 64 << 20])
def test_row_groups_are_partitions_with_the_same_results(
    job: Job,
    corpus: Path,  # noqa: F811
    parquet: Path,
    size: int,
) -> None:
    wanted = here(job, parquet, 1)
    lines = [str(corpus / "a.jsonl"), str(corpus / "d.jsonl")]
    diagnostics = Diagnostics()
    cut = Corpus.from_arguments([str(parquet)], diagnostics, size)
    assert diagnostics.items == []
    assert {each.content for each in cut.partitions} == {Content.ROWS}
    assert {each.column for each in cut.partitions} == {"line"}
    assert len(cut.partitions) == {1: 18, 64 << 20: 2}.get(size, len(cut.partitions))
    with closing(InProcess()) as engine, Run(job) as run:
        run.take(compare_on(engine, work_on(job, cut, Interruption(), 0)))
        settle(run.results, cut)
        assert cut.done == cut.weight > 0
        assert told(run) == wanted
    with closing(InProcess()) as engine, Run(job) as run:  # the same as of lines, but for the places
        run.take(
            compare_on(engine, work_on(job, Corpus.from_arguments(lines, diagnostics, 1 << 30), Interruption(), 0))
        )
        totals = json.loads(told(run))["totals"]
    assert totals == json.loads(wanted)["totals"]
    assert totals["mismatches"] > 100


def test_a_group_that_is_lost_leaves_the_rest_by_group(job: Job, parquet: Path) -> None:
    from tests.commands.distributed.test_same_results import Losing  # noqa: PLC0415

    cut = Corpus.from_arguments([str(parquet / "a.parquet")], Diagnostics(), 1)
    with closing(Losing(3)) as engine, Run(job) as run:
        run.take(compare_on(engine, work_on(job, cut, Interruption(), 1)))
        settle(run.results, cut)
    assert any("a.parquet from row group 3 on:" in note for note in run.results.notes)


_PROGRAM = """
from validation_gen.commands.compare.inputs import Inputs
from validation_gen.diagnostics import Diagnostics
def peak():
    return int(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
import pyarrow.parquet
before = peak()
print(sum(1 for _ in Inputs(["a.parquet"], Diagnostics()).read_items()), peak() - before)
"""


@pytest.mark.process
@pytest.mark.slow  # a file of 80 MB
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells the memory of one process alone")
@pytest.mark.parametrize("dictionary", [True, False])
def test_memory_does_not_grow_with_rows(tmp_path: Path, dictionary: bool) -> None:
    """One row group of 80 MB, most of which would be seen."""
    row = json.dumps(pod("a", spec={"text": "x" * 3900}))
    schema = pa.schema([("object", pa.string())])
    with pq.ParquetWriter(tmp_path / "a.parquet", schema, use_dictionary=dictionary, compression="none") as writer:
        rows = [row.replace("xxx", f"{number:03}", 1) for number in range(200 if dictionary else 20_000)]
        writer.write_table(pa.table({"object": rows * (100 if dictionary else 1)}), row_group_size=20_000)
    environ = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3]), "ARROW_DEFAULT_MEMORY_POOL": "system"}
    command = [sys.executable, "-c", _PROGRAM]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path, env=environ)
    found, kilobytes = done.stdout.split()
    assert found == "20000"
    assert int(kilobytes) < 40_000
