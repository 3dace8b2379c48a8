"""One process, several, partitions in any order, and Dask: the same findings, byte for byte."""

from __future__ import annotations

import gzip
import os
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import API
from tests.commands.distributed.test_same_results import Shuffled
from tests.commands.several import FORKS, told_alike
from tests.commands.validate.inputs import odd, plain, write
from validation_gen.commands.distributed import chunking
from validation_gen.commands.distributed.chunking import ChunkReader, decompress
from validation_gen.commands.distributed.engines import Engine, EngineError, InProcess, Interruption
from validation_gen.commands.distributed.partitions import Content, Partition
from validation_gen.commands.distributed.worker import PartitionError
from validation_gen.commands.validate import clustered
from validation_gen.commands.validate.clustered import MOST, build_corpus, check_on, check_part, work_on
from validation_gen.commands.validate.judging import Request
from validation_gen.commands.validate.pieces import Checked, Judge, OldFiles, Origin, check
from validation_gen.compiler.pipeline import Settings, build_files, build_program, load_validators
from validation_gen.diagnostics import Diagnostics

_VALIDATE = ("validate", "apis", "--option", "Glitter")


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("same")
    write({**API, **plain(), **odd()}, found)
    return found


@pytest.mark.process
@FORKS
def test_processes_tell_what_one_tells(directory: Path) -> None:
    formats = "full,json,junit,concise,github,jsonl,sarif"
    told_alike(directory, "_fork", formats, *_VALIDATE, "-f", "in", "-f", "nowhere", "-f", "in/b.jsonl,in/c/d.yaml")


@pytest.mark.process
@FORKS
@pytest.mark.parametrize("more", [(), ("--old", "odd")])
def test_what_cannot_be_read_in_parts_is_read_again(directory: Path, more: tuple[str, ...]) -> None:
    told_alike(directory, "_fork", "concise", *_VALIDATE, "-f", "odd", *more)


@pytest.mark.process
def test_processes_that_inherit_nothing(directory: Path) -> None:
    told_alike(directory, "_start", "json", *_VALIDATE, "-f", "in", "--old", "in/a.yaml")


# --- partitions -------------------------------------------------------------------------------------------------------


@pytest.fixture
def judge(directory: Path, monkeypatch: pytest.MonkeyPatch) -> Judge:
    monkeypatch.chdir(directory)
    return judge_here()


def judge_here() -> Judge:
    program = build_program(Settings(("apis",))).program
    made = Judge(load_validators(program), Request({"Glitter": True}))
    made.origin = Origin(lambda: build_files(program))
    return made


def told(checked: Checked) -> tuple[list[Any], list[Any], str, list[str]]:
    results = checked.results
    return results.verdicts, checked.problems, results.summary(), results.tally()


def here(judge: Judge, *paths: str) -> tuple[Any, ...]:
    return told(
        check(judge, ChunkReader(paths, recursive=True, size=None, unpack=decompress), OldFiles(), 1, Interruption())
    )


def on(engine: Engine, judge: Judge, size: int, *paths: str) -> tuple[Any, ...]:
    found = Diagnostics()
    corpus = build_corpus(paths, found, size, recursive=True)
    assert not found.items
    assert len(corpus.partitions) > 5
    checked = check_on(engine, judge, work_on(judge, corpus, Interruption(), 0))
    assert checked.refused is None
    assert corpus.done == corpus.weight
    return told(checked)


@pytest.mark.parametrize(("size", "chunk"), [(500, 1 << 20), (3001, 1 << 20), (3001, 100)])
def test_partitions_in_any_order(judge: Judge, size: int, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clustered, "_CHUNK", chunk)  # some lines at a time, and parts of a line
    wanted = here(judge, "in", "in/b.jsonl")
    assert len(wanted[0]) > 100
    with closing(Shuffled()) as engine:
        assert on(engine, judge, size, "in", "in/b.jsonl") == wanted


def test_compressed_files_are_read_as_what_they_hold(judge: Judge, directory: Path, tmp_path: Path) -> None:
    wanted = [str(each) for each in here(judge, "in/a.yaml", "in/b.jsonl")[0]]
    assert len(wanted) > 20
    for name in ("a.yaml", "b.jsonl"):
        (tmp_path / name).with_suffix(".gz").write_bytes(gzip.compress((directory / "in" / name).read_bytes()))
    paths = [str(tmp_path / "a.gz"), str(tmp_path / "b.gz")]

    def renamed(verdicts: list[Any]) -> list[str]:
        texts = (str(each).replace(paths[0], "in/a.yaml") for each in verdicts)
        return [text.replace(paths[1], "in/b.jsonl") for text in texts]

    corpus = build_corpus(paths, Diagnostics(), 100, recursive=True)
    assert len(corpus.partitions) == 2
    assert renamed(here(judge, *paths)[0]) == wanted
    checked = check_on(InProcess(), judge, work_on(judge, corpus, Interruption(), 0))
    assert renamed(checked.results.verdicts) == wanted
    olds = check(
        judge,
        ChunkReader(["in/a.yaml"], recursive=True, size=None, unpack=decompress),
        OldFiles(paths[:1]),
        1,
        Interruption(),
    )
    assert olds.results.updates


def test_what_is_wrong_with_compression_is_told(
    judge: Judge, directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = gzip.compress((directory / "in/a.yaml").read_bytes())
    monkeypatch.setattr(chunking, "MOST_OF_DATA", 1 << 20)
    monkeypatch.setattr(clustered, "MOST_OF_DATA", 1 << 20)
    for name, content, message in (
        ("cut.gz", packed[:-20], "cannot read: the gzip data end too early"),
        ("large.gz", gzip.compress(b" " * (2 << 20)), "more than 1 MiB when it is unpacked, the most that is read"),
    ):
        file = str(tmp_path / name)
        Path(file).write_bytes(content)
        for found in (
            check(
                judge, ChunkReader([file], recursive=True, size=None, unpack=decompress), OldFiles(), 1, Interruption()
            ),
            checked_on([file], judge),
        ):
            assert [(each.code, each.span.file) for each in found.problems] == [("VG901", file)]
            assert message in found.problems[0].message
            assert name == "cut.gz" or "compress it again" not in found.problems[0].help
            assert not found.results.objects


def checked_on(paths: list[str], judge: Judge, size: int = 700) -> Checked:
    corpus = build_corpus(paths, Diagnostics(), size, recursive=True)
    return check_on(InProcess(), judge, work_on(judge, corpus, Interruption(), 1))


def test_a_line_that_is_no_text_hides_what_is_read_with_it(
    judge: Judge, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clustered, "_CHUNK", 300)
    lines = (directory / "in/b.jsonl").read_bytes().splitlines()
    lines[8] = b'"\xff"'
    Path("bytes.jsonl").write_bytes(b"\n".join(lines))
    found = checked_on(["bytes.jsonl"], judge, 2000)
    (problem,) = found.problems
    assert (problem.code, str(problem.span)) == ("VG905", "bytes.jsonl:9:2")
    cut = b"\n".join(lines).index(b"\n", 2000) + 1
    assert found.results.objects == b"\n".join(lines)[cut:].count(b"kind")


@pytest.mark.parametrize(("mark", "line"), [(b"\xef\xbb\xbf", 8), (b"\xef\xbb\xbf", 0), (b"\xff\xfe", 8)])
def test_a_mark_of_an_encoding_inside_of_a_file_is_no_json(
    judge: Judge, directory: Path, mark: bytes, line: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clustered, "_CHUNK", 1)  # a line at a time
    lines = (directory / "in/b.jsonl").read_bytes().splitlines(keepends=True)
    lines[line] = mark + lines[line]
    Path("marked.jsonl").write_bytes(b"".join(lines))
    found = checked_on(["marked.jsonl"], judge, 2000)
    assert [each.code for each in found.problems] == ["VG901"] * bool(line)
    assert not line or "something else than a JSON value on each line" in found.problems[0].message


def test_dask(dask: Engine, judge: Judge, directory: Path) -> None:
    paths = [str(directory / "in"), str(directory / "in/b.jsonl")]
    assert on(dask, judge, 700, *paths) == here(judge, *paths)


# --- partitions that fail ---------------------------------------------------------------------------------------------


def test_a_bad_partition_is_told_and_the_rest_is_checked(judge: Judge, directory: Path) -> None:
    lines = (directory / "in/b.jsonl").read_text().splitlines()
    lines[20] = "{broken"
    write({"bad.jsonl": "\n".join(lines)}, directory)

    def checked(most_bad: int) -> Checked:
        corpus = build_corpus(["bad.jsonl"], Diagnostics(), 1500, recursive=True)
        return check_on(InProcess(), judge, work_on(judge, corpus, Interruption(), most_bad))

    found = checked(1)
    (problem,) = found.problems
    assert (problem.code, str(problem.span)) == ("VG901", "bad.jsonl[1500:3000]")
    assert "something else than a JSON value on each line" in problem.message
    assert {verdict.file for verdict in found.results.verdicts} == {
        "bad.jsonl",
        "bad.jsonl from byte 3000 on",
        "bad.jsonl from byte 4500 on",
    }
    assert found.results.objects > 40
    assert str(checked(0).refused) == "1 partition could not be read"


def test_definitions_that_other_processes_do_not_see_are_told(judge: Judge) -> None:
    corpus = build_corpus(["odd/d.yaml", "odd/e.json"], Diagnostics(), 1 << 20, recursive=True)
    checked = check_on(InProcess(), judge, work_on(judge, corpus, Interruption(), 0))
    assert [(each.code, each.span.file) for each in checked.problems] == [("VG904", "--cluster")]


def test_work_goes_on_where_it_has_ended(judge: Judge, directory: Path, tmp_path: Path) -> None:
    wanted = here(judge, "in/b.jsonl", "in/a.yaml")
    state = str(tmp_path / "state.json")

    def work() -> Any:
        corpus = build_corpus(["in/b.jsonl", "in/a.yaml"], Diagnostics(), 700, recursive=True)
        made = work_on(judge, corpus, Interruption(), 0)
        made.resume(state)
        return made

    first = work()
    with closing(first.run(InProcess())) as parts:
        for _ in range(3):
            next(parts)
    second = work()
    assert len(second.kept.numbers) == 3
    assert told(check_on(InProcess(), judge, second)) == wanted
    assert second.kept.is_complete


def test_nothing_is_kept_while_something_is_missing(judge: Judge, tmp_path: Path) -> None:
    corpus = build_corpus(["in/a.yaml", "gone.yaml"], Diagnostics(), 700, recursive=True)
    with pytest.raises(EngineError, match="so nothing can be kept"):
        work_on(judge, corpus, Interruption(), 0).resume(str(tmp_path / "state.json"))
    assert not (tmp_path / "state.json").exists()


def test_no_partition_is_larger_than_what_is_read_at_once(tmp_path: Path) -> None:
    large = tmp_path / "large.jsonl"
    large.write_bytes(b"{}\n")
    os.truncate(large, 600 << 20)  # it takes no room
    cut = build_corpus([str(large)], Diagnostics(), 4096 << 20, recursive=True)
    ranges = [(each.begin, each.end) for each in cut.partitions]
    assert len(ranges) == 4
    assert all(end is not None and end - begin <= MOST for begin, end in ranges)


def test_a_greater_size_is_advised_only_where_it_helps(judge: Judge, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"{}\n{\n}\n")
    for size, advised in ((8, True), (MOST + 1, False)):
        cut = Partition(1, str(tmp_path / "a.jsonl"), 0, 5, Content.LINES, size)
        with pytest.raises(PartitionError, match="write each object on a line") as caught:
            check_part(judge, cut)
        assert ("--partition-size" in str(caught.value)) is advised
