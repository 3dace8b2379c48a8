"""Lines and documents that are too long to be kept: told with their places, and what follows is read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tests.commands.compare.input_files import Read, pod
from tests.tables import each
from validation_gen.commands.compare.partitioned import SourceInspector
from validation_gen.commands.distributed import streams
from validation_gen.commands.distributed.opening import list_sources
from validation_gen.commands.distributed.partitions import plan
from validation_gen.commands.distributed.reading import open_bytes

_MIB = 1 << 20
LONG = json.dumps(pod("long", spec={"text": "x" * (2 * _MIB)}))
TOLD = "holds more than 1 MiB, the most that is read; "


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(streams, "LONGEST", _MIB)
    monkeypatch.chdir(tmp_path)


def names(read: Read) -> list[str]:
    return [each["metadata"]["name"] for each in read.objects]


@each("at", [0, 1, 3, 7, 8])
@each("name", ["a.jsonl", "a"])
def test_a_line_is_told_and_passed_over(at: int, name: str) -> None:
    lines = [json.dumps(pod(f"p{number}")) for number in range(8)]
    lines.insert(at, LONG)
    Path(name).write_text("\n\n" + "\n".join(lines) + "\n")
    read = Read(name)
    assert names(read) == [f"p{number}" for number in range(8)]
    (bad,) = read.bad
    assert bad.startswith(f"{name}:{at + 3}: the line {TOLD}it is passed over: {LONG[:40]}")
    assert read.places == [f"{name}:{number}" for number in range(3, 12)]


def test_it_is_the_same_in_partitions() -> None:
    lines = [json.dumps(pod(f"p{number}")) for number in range(30)]
    lines.insert(4, LONG)
    lines.insert(9, LONG)
    Path("a.jsonl").write_text("\n".join(lines) + "\n")
    partitions = list(plan([list_sources("a.jsonl")], SourceInspector().inspect, size=700_000, tell=lambda *_: None))
    assert len(partitions) > 5
    found = b""
    for _, partition in partitions:
        with open_bytes(partition) as stream:
            found += b"".join(streams.Source("a.jsonl", stream).lines())
    assert found.splitlines() == [b"" if each is LONG else each.encode() for each in lines]


def test_nothing_but_such_a_line() -> None:
    Path("a").write_text(f"\n{LONG}")
    assert [bad.partition(" holds")[0] for bad in Read("a").bad] == ["a:2: the line"]


def test_of_yaml_its_document_is_passed_over() -> None:
    """With the line left out, it would be an object that nobody has written."""
    first, last = (yaml.safe_dump(pod(name)) for name in ("first", "last"))
    Path("a.yaml").write_text(f"{first}---\n# {'x' * (2 * _MIB)}\n{first}---\n{last}")
    read = Read("a.yaml")
    assert names(read) == ["first", "last"]
    line = first.count("\n") + 2
    assert [bad.partition(": # ")[0] for bad in read.bad] == [
        f"a.yaml:{line}: the line {TOLD}its document is passed over"
    ]


def test_a_document_of_many_lines_is_passed_over() -> None:
    first, last = (yaml.safe_dump(pod(name)) for name in ("first", "last"))
    Path("a.yaml").write_text(f"{first}---\n" + "a: 1\n" * 300_000 + f"---\n{last}")
    read = Read("a.yaml")
    assert names(read) == ["first", "last"]
    line = first.count("\n") + 1
    assert [bad.partition(": ---")[0] for bad in read.bad] == [f"a.yaml:{line}: the document {TOLD}it is passed over"]


def test_of_a_long_list_its_item_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "LONGEST", 2 * _MIB)
    items = [pod(f"p{number}", spec={"text": "y" * 9000}) for number in range(150)]
    lines = yaml.safe_dump({"apiVersion": "v1", "items": items, "kind": "List"}, width=10_000).splitlines()
    at = next(number for number, line in enumerate(lines) if "name: p140" in line)
    lines.insert(at + 1, "    # " + "x" * (3 * _MIB))
    Path("a.yaml").write_text("\n".join(lines) + "\n")
    read = Read("a.yaml")
    assert len(read.objects) == 149
    assert [bad.partition(": #")[0] for bad in read.bad] == [
        f"a.yaml:{at + 2}: the line {TOLD.replace('1', '2')}its item is passed over"
    ]
