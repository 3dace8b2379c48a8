"""Where inputs come from: folders, compressed and damaged files, pipes; how much memory, and how a run goes on."""

from __future__ import annotations

import gzip
import io
import itertools
import json
import os
import random
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any, cast

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.commands.compare.input_files import Read, pod
from tests.tables import each
from tests.thorough import drawn
from validation_gen.commands.compare.inputs import Inputs, json_pieces, parse_item
from validation_gen.commands.compare.inputs.containers import read_pieces
from validation_gen.commands.distributed import streams
from validation_gen.diagnostics import Diagnostics

POD = json.dumps(pod("a"))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(read: Read) -> list[str]:
    return [obj["metadata"]["name"] for obj in read.objects]


# --- files ------------------------------------------------------------------------------------------------------------


def test_folders_are_read_with_all_that_is_below_them(here: Path) -> None:
    for name in ("b/2.yaml", "a/1.json", "b/a/0.yml", "c.ndjson", "d.jsonl", "e.log", "x.txt", "README.md", "y.go"):
        Path("in", name).parent.mkdir(parents=True, exist_ok=True)
        Path("in", name).write_text(json.dumps(pod(name)))
    for name in ("f.yaml.gz", "a/g.log.gz", "x.gz", "x.txt.gz"):
        Path("in", name).write_bytes(gzip.compress(json.dumps(pod(name)).encode()))
    Path("in/round").symlink_to(Path("in").resolve(), target_is_directory=True)
    os.mkfifo("in/pipe.yaml")  # would wait for ever
    read = Read("in")
    assert names(read) == "a/1.json a/g.log.gz b/2.yaml b/a/0.yml c.ndjson d.jsonl e.log f.yaml.gz".split()
    assert read.problems == []
    assert read.total == sum(Path("in", name).stat().st_size for name in names(read))
    assert read.items[-1].consumed == read.total
    assert read.places[0] == "in/a/1.json:1"


def test_files_that_cannot_be_read_are_told_and_the_others_are_read(here: Path) -> None:
    Path("empty").mkdir()
    Path("nothing.yaml").write_text("# nothing\n---\n# at all\n---\n...\n")
    Path("zero.json").write_text("")
    Path("links").mkdir()
    Path("links/lost.yaml").symlink_to("nowhere")
    Path("a.yaml").write_text(POD)
    read = Read("none.yaml", "empty", "nothing.yaml", "zero.json", "a\0b", "links", "a.yaml")
    assert names(read) == ["a"]
    assert read.problems == [
        ("VG901", "a\0b", "cannot read: embedded null byte"),
        ("VG902", "empty", "there are no objects here"),
        ("VG901", "links/lost.yaml", "cannot read: No such file or directory"),
        ("VG901", "none.yaml", "cannot read: No such file or directory"),
        ("VG902", "nothing.yaml", "there are no objects here"),
        ("VG902", "zero.json", "there are no objects here"),
    ]


def test_logs_of_something_else_are_told_once(here: Path) -> None:
    Path("kubelet.log").write_text("I0101 00:00:00 started\n" * 1000)
    assert Read("kubelet.log").bad == [
        "kubelet.log:1: a log of something else: its lines are not JSON: I0101 00:00:00 started"
    ]


def test_a_pipe_that_is_named_is_read(here: Path) -> None:
    os.mkfifo("pipe")
    writer = threading.Thread(target=lambda: Path("pipe").write_text(f"{POD}\n" * 3))
    writer.start()
    read = Read("pipe")
    writer.join()
    assert (names(read), read.total) == (["a"] * 3, None)


def test_standard_input_that_is_a_file_has_a_size(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a").write_text(f"{POD}\n" * 3)
    with Path("a").open("rb") as file:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=file, fileno=file.fileno))
        read = Read("-")
        assert (names(read), read.total) == (["a"] * 3, 3 * len(POD) + 3)
        assert not file.closed


def test_a_file_that_grows_or_shrinks_while_it_is_read(here: Path) -> None:
    Path("a").write_text(f"{POD}\n" * 5000)
    for change in (
        lambda: os.truncate("a", 1000),
        lambda: Path("a").write_text(f"{POD}\n" * 10000),
        lambda: Path("a").unlink(),
    ):
        with Inputs(["a"], Diagnostics()) as inputs:
            items = inputs.read_items()
            first = next(items)
            change()
            assert all(parse_item(item) for item in [first, *items])


# --- damage -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("separator", ["", "---\n"])
def test_of_truncated_gzip_the_whole_objects_are_read(here: Path, separator: str) -> None:
    random.seed(1)
    objects = [pod(f"p{n}", spec={"text": random.randbytes(40).hex()}) for n in range(500)]
    text = "".join(separator + (yaml.safe_dump(o) if separator else json.dumps(o) + "\n") for o in objects)
    packed = gzip.compress(text.encode())
    Path("a.gz").write_bytes(packed[: len(packed) // 2])
    read = Read("a.gz")
    assert 100 < len(read.objects) < 400
    assert read.objects == objects[: len(read.objects)]
    (bad,) = read.bad
    assert bad.endswith("the gzip data end too early; incomplete parts are left out")
    assert read.items[-1].consumed == read.total


def test_gzip_that_is_damaged_or_followed_by_something(here: Path) -> None:
    line = f"{POD}\n".encode()
    packed = gzip.compress(line)
    for content, reason in (
        (packed + gzip.compress(line), ""),
        (packed + b"garbage", "a:1: the gzip data are damaged: Not a gzipped file (b'ga'); incomplete"),
        (packed[:-8] + b"\0\0\0\0" + packed[-4:], "a:1: the gzip data are damaged: CRC check failed"),
        (b"\x1f\x8b", "a: the gzip data end too early"),
        (b"\x1f\x8b\x08" + bytes(30), "a: the gzip data are damaged: "),
    ):
        Path("a").write_bytes(content)
        read = Read("a")
        assert len(read.bad) == bool(reason)
        assert not reason or read.bad[0].startswith(reason)
        assert (names(read), read.problems) == (["a"] * (2 if not reason else "a:1" in reason), [])


_PARTS = [
    POD,
    "{",
    "}",
    "[",
    "]",
    "---",
    "\n",
    "%YAML 1.1",
    "- ",
    "items:\n",
    "kind: List\n",
    "\r\n",
    "\\",
    '"',
    " ",
    ",",
    "&a",
    "*a",
]
_PARTS += [
    '{"kind":"Event","apiVersion":"audit.k8s.io/v1"',
    '{"kind":"List","items":[',
    "\x1f\x8b",
    "\ufeff",
    "<<: *a",
    "\ud800",
]


@settings(max_examples=drawn(400), deadline=None)
@given(
    st.binary(max_size=200)
    | st.lists(st.sampled_from(_PARTS), max_size=20).map(lambda p: "".join(p).encode(errors="surrogatepass")),
    st.sampled_from(["a", "a.log", "a.jsonl", "a.yaml"]),
    st.sampled_from([bytes, gzip.compress, lambda data: gzip.compress(data)[:-9], lambda data: b"\xff\xfe" + data]),
)
@example(b"[", "a", bytes)
def test_nothing_raises(tmp_path_factory: pytest.TempPathFactory, content: bytes, name: str, pack: Any) -> None:
    file = tmp_path_factory.getbasetemp() / name
    file.write_bytes(pack(content))
    read = Read(file, old=[file])
    assert [item.number for item in read.items] == list(range(len(read.items)))
    assert all("\n" not in bad for bad in read.bad)
    assert read.found == Read(file, old=[file]).found


@settings(max_examples=drawn(150), deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(["lines", "pretty", "yaml"]))
def test_damaged_files_never_raise(tmp_path_factory: pytest.TempPathFactory, random: random.Random, form: str) -> None:
    objects = [pod(f"p{n}", spec={"text": "a\nb"}) for n in range(6)]
    text = {
        "lines": "\n".join(json.dumps(o) for o in objects),
        "pretty": json.dumps({"kind": "List", "items": objects, "apiVersion": "v1"}, indent=1),
        "yaml": yaml.safe_dump_all(objects),
    }[form]
    content = bytearray(text.encode())
    for _ in range(random.randrange(4)):
        at = random.randrange(len(content))
        content[at : at + random.randrange(3)] = bytes(random.choices(b'{}[]",:\n -x\xff', k=random.randrange(3)))
    file = tmp_path_factory.getbasetemp() / "damaged"
    file.write_bytes(content)
    read = Read(file)
    assert read.bad or read.objects


# --- going on ---------------------------------------------------------------------------------------------------------


def test_a_run_goes_on_where_it_was_left(here: Path) -> None:
    Path("in").mkdir()
    Path("in/a.jsonl").write_text("".join(json.dumps(pod(f"a{n}")) + "\n" for n in range(5)) + "bad\n")
    Path("in/b.yaml").write_text(yaml.safe_dump_all(pod(f"b{n}") for n in range(5)))
    Path("in/c.json").write_text(json.dumps([pod(f"c{n}") for n in range(5)]))
    whole = Read("in", old=["in/b.yaml"])
    assert len(whole.items) == 16
    for skip in range(18):
        rest = Read("in", old=["in/b.yaml"], skip=skip)
        assert [item.number for item in rest.items] == list(range(skip, 16))
        assert rest.found == whole.found[skip:]


# --- memory -----------------------------------------------------------------------------------------------------------

_PROGRAM = """
import sys
sys.path.insert(0, {root!r})
from validation_gen.commands.compare.inputs import Inputs, parse_item
from validation_gen.diagnostics import Diagnostics
count = 0
for item in Inputs([{where!r}], Diagnostics()).read_items():
    count += 1
    if count % {parsed} == 0:
        assert parse_item(item), item
print(count, next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


@pytest.mark.slow  # inputs of 100 MB
# What `getrusage` tells begins with the memory of the process that has started this one.
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells the memory of one process alone")
@pytest.mark.parametrize(
    ("form", "count"),
    [("lines", 100_000), ("lines.gz", 100_000), ("yaml", 20_000), ("pretty", 50_000), ("list", 50_000)],
)
def test_memory_stays_flat(tmp_path: Path, form: str, count: int) -> None:
    """Inputs of up to 100 MB, piped; so the least memory that could hold them would be seen."""
    obj = pod("a", spec={"containers": [{"name": "c", "image": "x" * 700}]})
    text = {
        "yaml": "---\n" + yaml.safe_dump(obj),
        "pretty": json.dumps(obj, indent=2) + "\n",
        "list": json.dumps(obj) + ",\n",
    }.get(form, json.dumps(obj) + "\n")
    head, tail = ('{"apiVersion":"v1","items":[', f'{json.dumps(obj)}],"kind":"List"}}') if form == "list" else ("", "")
    # A list in one line is read as a whole; on several lines it need not be.
    program = _PROGRAM.format(root=str(Path(__file__).parents[3]), where="-", parsed=count // 100)
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        pipe: Any = (
            gzip.GzipFile(fileobj=process.stdin, mode="wb", compresslevel=1) if form.endswith("gz") else process.stdin
        )
        pipe.write(head.encode())
        for _ in range(count // 1000):
            pipe.write(text.encode() * 1000)
        pipe.write(tail.encode())
        pipe.close()
        process.stdin.close()
        found, kilobytes = process.stdout.read().split()
    assert int(found) == count + (form == "list")
    assert int(kilobytes) < 80_000


@each(
    ("start", "rest"),
    [
        (b"", b"\0"),
        (b"", b'{"a":1'),
        (b'{\n"a": "', b"x"),
        (b"[\n", b" "),
        (b'{"items":[\n', b"x"),
        (b"a: 1\n", b"b: 2\n"),
        (b"- a\n", b"- b\n"),
    ],
)
def test_what_never_ends_is_given_up(start: bytes, rest: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A device, or few compressed bytes: no line and no document is kept beyond a limit."""
    monkeypatch.setattr(streams, "LONGEST", 1 << 20)
    monkeypatch.setattr(json_pieces, "MOST_OF_DATA", 1 << 20)
    pieces = itertools.chain([start], itertools.repeat(rest * (1 << 14)))
    taken = itertools.count()

    class Endless(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            assert next(taken) < 2000, "it is read without end"
            return next(pieces)

    source = streams.Source("x", cast("IO[bytes]", Endless()))
    assert len(list(read_pieces(source))) < 3
    assert "holds more than 1 MiB, the most that is read" in source.problem
