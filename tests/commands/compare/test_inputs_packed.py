"""Zstandard as an input: told by its content, read in bounded memory, damaged, and without its package."""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.commands.compare.input_files import Read, pod
from tests.commands.compare.parts import declarations, files
from validation_gen.commands.compare.judge import ComparisonConfig
from validation_gen.commands.compare.partitioned import SourceInspector
from validation_gen.commands.compare.portions import Job
from validation_gen.commands.compare.sides import parse_spec
from validation_gen.commands.distributed import streams
from validation_gen.commands.distributed.engines import InProcess
from validation_gen.commands.distributed.opening import OpeningError, Stored
from validation_gen.commands.distributed.partitions import Content, Partition

zstd: Any = (
    pytest.importorskip("compression.zstd", reason="Python was built without Zstandard")
    if sys.version_info >= (3, 14)
    else pytest.importorskip("backports.zstd", reason="the extra [zstd] is not installed")
)
LINE = json.dumps(pod("a")).encode() + b"\n"
_SKIPPABLE = b"\x5a\x2a\x4d\x18\x04\0\0\0four"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("packed", [zstd.compress(LINE * 3), _SKIPPABLE + zstd.compress(LINE * 3)], ids=["one", "two"])
def test_it_is_told_by_its_content(here: Path, packed: bytes) -> None:
    Path("in").mkdir()
    Path("in/a.jsonl.zst").write_bytes(packed)
    Path("in/b").write_bytes(packed)  # has no name that counts in a folder
    for where, times in (("in", 3), ("in/b", 3)):
        read = Read(where)
        assert len(read.objects) == times
        assert (read.bad, read.problems, read.total) == ([], [], len(packed))
        assert read.items[-1].consumed == read.total
    assert SourceInspector().inspect(Stored("in/b")) is Content.STREAM


def test_lines_of_a_name_are_lines(here: Path) -> None:
    Path("a.log.zst").write_bytes(zstd.compress(b"{broken\n" + LINE))
    read = Read("a.log.zst")
    assert (len(read.objects), len(read.bad)) == (1, 1)


def test_what_is_damaged_is_told_and_the_rest_is_read(here: Path) -> None:
    random.seed(1)
    objects = [pod(f"p{n}", spec={"text": random.randbytes(40).hex()}) for n in range(6000)]
    packed = zstd.compress("".join(json.dumps(each) + "\n" for each in objects).encode())
    Path("a").write_bytes(packed[: len(packed) // 2])
    read = Read("a")
    assert 1000 < len(read.objects) < 5000
    assert read.objects == objects[: len(read.objects)]
    assert read.bad[0].endswith("the Zstandard data end too early; incomplete parts are left out")
    for content, reason in (
        (zstd.compress(LINE) + b"garbage", "a:1: the Zstandard data are damaged: Unknown frame descriptor"),
        (packed[:4], "a: the Zstandard data end too early"),
        (packed[:40] + b"\xff" * 40 + packed[80:], "a: the Zstandard data are damaged: "),
    ):
        Path("a").write_bytes(content)
        assert Read("a").bad[0].startswith(reason)


def test_a_window_that_takes_much_memory_is_refused(here: Path) -> None:
    parameter = zstd.CompressionParameter
    for window, read in ((27, 1), (28, 0)):
        press = zstd.ZstdCompressor(options={parameter.window_log: window, parameter.content_size_flag: 0})
        Path("a").write_bytes(press.compress(LINE) + press.flush())
        found = Read("a")
        assert len(found.objects) == read
        assert found.bad == ([] if read else [f"a: {_TOO_WIDE}; incomplete parts are left out"])


_TOO_WIDE = "the Zstandard data need more than a window of 128 MiB, the most that is read"

_PROGRAM = """
from validation_gen.commands.compare.inputs import Inputs
from validation_gen.diagnostics import Diagnostics
print(sum(1 for _ in Inputs(["bomb"], Diagnostics()).read_items()))
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells the memory of one process alone")
def test_few_bytes_that_stand_for_half_a_gigabyte_take_no_memory(here: Path) -> None:
    press = zstd.ZstdCompressor()
    with Path("bomb").open("wb") as file:
        for _ in range(512):
            file.write(press.compress(b" " * (1 << 20) + b"\n"))
        file.write(press.compress(LINE) + press.flush())
    assert Path("bomb").stat().st_size < 200_000
    done = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=True)
    found, kilobytes = done.stdout.split()
    assert found == "1"
    assert int(kilobytes) < 80_000


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> str:
    """As if nothing that reads it were installed."""
    name = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    monkeypatch.setitem(sys.modules, name, None)
    return name


def test_without_the_package_it_is_named(here: Path, without: str) -> None:
    Path("a.jsonl.zst").write_bytes(zstd.compress(LINE))
    Path("b.jsonl").write_bytes(LINE)
    read = Read("a.jsonl.zst", "b.jsonl")
    assert len(read.objects) == 1
    ((code, span, message),) = read.problems
    assert (code, span) == ("VG901", "a.jsonl.zst")
    assert message.startswith("cannot read: it is compressed by Zstandard, which needs ")
    assert without in message
    with io.FileIO("a.jsonl.zst") as stream, pytest.raises(OpeningError) as raised:
        streams.unpacker(stream.read(4), stream)
    assert raised.value.help == "pip install 'validation-gen[zstd]'"


def test_a_worker_without_the_package_names_it(here: Path, without: str) -> None:
    Path("a.jsonl.zst").write_bytes(zstd.compress(LINE))
    Path("hand.py").write_text("def check(obj):\n    return []\n")
    job = Job(files(), declarations(), parse_spec("python:hand.py:check"), ComparisonConfig())
    from datetime import date  # noqa: PLC0415

    from validation_gen.commands.compare.partitioned import PartitionJudging  # noqa: PLC0415

    with closing(InProcess()) as engine:
        (done,) = engine.run(PartitionJudging.from_job(job, date.today()), [Partition(1, "a.jsonl.zst")])
    assert without in done.problem
    assert done.problem.endswith("pip install 'validation-gen[zstd]'")
