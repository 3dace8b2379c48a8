"""Kept results that are broken, places that cannot be used, runs that meet: the work is done, and nobody notices."""

from __future__ import annotations

import json
import os
import re
from hashlib import blake2b
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.conftest import Done, Program
from tests.cli.test_generate import WRONG
from tests.tables import each
from validation_gen.commands.generate.cache import MOST_ENTRIES, UnusableError, decode, encode, load, save
from validation_gen.commands.generate.run import GenerateResult
from validation_gen.diagnostics import Diagnostic, Severity, Span

FOUND = Diagnostic(
    "VG102", Severity.ERROR, "é\udcff", Span("a.go", 1, 2, 3), "help", (("note", Span("b.go")), ("n", None))
)
RESULT = GenerateResult({"python": {"a/b.py": "text\n\udcff", "__init__.py": ""}}, (FOUND,), 1, 2, 3)
ANSWERS = {("file", "/a\udcff"): "digest", ("variable", "HOME"): "None"}


def untimed(done: Done) -> Done:
    return Done(done.code, re.sub(r"\(\d+\.\d s\)", "(… s)", done.out), done.err)


# --- the same bytes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["full", "concise", "json"])
@pytest.mark.parametrize("more", [(), ("--check",), ("--strict-lint",), ("--quiet",)], ids=str)
def test_nobody_sees_whether_work_was_done(project: Program, format: str, more: tuple[str, ...]) -> None:
    project.write({"apis/wrong/types.go": WRONG, "apis/torn/types.go": "package torn\n\ntype T struct {\n\tA int\n"})
    args = ("apis", "--format", format, *more)
    project(*args, "--no-cache")  # so that all of them find the same on disk
    without = project(*args, "--no-cache")
    first = project(*args, "--cache-dir", "kept")
    second = project(*args, "--cache-dir", "kept")
    assert len(project.files("kept")) == 1
    assert untimed(without) == untimed(first) == untimed(second)
    assert without.code == 1
    assert (without.out + without.err).count("VG") > 5


def test_kept_results_are_written_where_they_are_wanted(project: Program) -> None:
    assert project("apis", "-o", "one", "--cache-dir", "kept").code == 0
    assert project("apis", "-o", "two", "--cache-dir", "kept").code == 0
    assert project.files("one") == project.files("two") != {}
    assert len([*(project.directory / "kept").rglob("*.json")]) == 1


# --- broken results --------------------------------------------------------------------------------------------------


def test_what_is_kept_comes_back() -> None:
    assert decode(encode(ANSWERS, RESULT)) == (ANSWERS, RESULT)
    assert decode(encode({}, GenerateResult())) == ({}, GenerateResult())


def test_cut_or_changed(project: Program) -> None:
    first = untimed(project("apis", "--cache-dir", "kept", "-o", "/dev/null"))
    (kept,) = project.directory.glob("kept/validation-gen/*")
    content = kept.read_bytes()
    middle = len(content) // 2
    for broken in (
        b"",
        b"\n",
        content[:20],
        content[:middle],
        content[:-1],
        content + b" ",
        content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :],
        b"\x80\x04cos\nsystem\n",
        os.urandom(1000),
    ):
        kept.write_bytes(broken)
        assert untimed(project("apis", "--cache-dir", "kept", "-o", "/dev/null")) == first
        assert kept.read_bytes() == content  # kept anew


def _sealed(record: object) -> bytes:
    text = json.dumps(record).encode()
    return blake2b(text, digest_size=20).hexdigest().encode() + b"\n" + text


@each(
    ("name", "value"),
    [
        ("outputs", {"python": {"../up.py": ""}}),
        ("outputs", {"python": {"/etc/passwd": ""}}),
        ("outputs", {"python": {"a//b": ""}}),
        ("outputs", {"python": {"": ""}}),
        ("outputs", {"python": {"a.py": 1}}),
        ("outputs", {"python": []}),
        ("outputs", []),
        ("answers", [["run", "rm", ""]]),
        ("answers", [["file", 5, ""]]),
        ("answers", [[["file"], "a", ""]]),
        ("answers", [["file"]]),
        ("findings", [["VG000", "error", "", ["", 0, 0, 0], "", []]]),
        ("findings", [["VG102", "fatal", "", ["", 0, 0, 0], "", []]]),
        ("findings", [["VG102", "error", "", ["", 0, 0], "", []]]),
        ("numbers", [1, 2]),
        ("numbers", [1, 2, float("inf")]),
    ],
)
def test_wrong_within(name: str, value: object) -> None:
    record = json.loads(encode(ANSWERS, RESULT).partition(b"\n")[2])
    decode(_sealed(record))
    with pytest.raises(UnusableError):
        decode(_sealed({**record, name: value}))
    with pytest.raises(UnusableError):
        decode(_sealed({key: inner for key, inner in record.items() if key != name}))


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


_records = st.fixed_dictionaries(dict.fromkeys(("answers", "files", "findings", "numbers"), _json))


@given(st.binary() | _json.map(_sealed) | _records.map(_sealed))
def test_anything_else_is_unusable(content: bytes) -> None:
    try:
        decode(content)
    except UnusableError:
        return
    record = json.loads(content.partition(b"\n")[2])  # what is taken is complete
    assert {"answers", "files", "findings", "numbers"} <= record.keys()


def test_too_deep() -> None:
    text = b"[" * 100_000
    with pytest.raises(UnusableError):
        decode(blake2b(text, digest_size=20).hexdigest().encode() + b"\n" + text)


# --- places ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["a file", "a file/below", "dangling", "/dev/null", "/proc/here", "x" * 5000])
def test_places_that_cannot_be_used(project: Program, place: str) -> None:
    if place.startswith("/") and not Path(place).parent.is_dir():
        pytest.skip("the system has no such directory")
    project.write({"a file": "mine\n"})
    (project.directory / "dangling").symlink_to("nowhere/at/all")
    for _ in range(2):
        done = project("apis", "--cache-dir", place)
        assert (done.code, done.err) == (0, "")
    assert (project.directory / "a file").read_text() == "mine\n"


def test_a_place_that_cannot_be_written(project: Program) -> None:
    """A full one can still be read. The superuser may write anywhere, so for him the entry is a directory."""
    kept = project.directory / "kept"
    kept.mkdir()
    kept.chmod(0o500)
    try:
        for _ in range(2):
            done = project("apis", "--cache-dir", "kept")
            assert (done.code, done.err) == (0, "")
    finally:
        kept.chmod(0o700)
    for entry in kept.glob("*/*"):
        entry.unlink()
        (entry / "x").mkdir(parents=True)
    assert project("apis", "--cache-dir", "kept").code == 0


def test_a_pipe_is_not_waited_for(project: Program) -> None:
    assert project("apis", "--cache-dir", "kept").code == 0
    (kept,) = project.directory.glob("kept/validation-gen/*")
    kept.unlink()
    os.mkfifo(kept)
    assert project("apis", "--cache-dir", "kept").code == 0


def test_the_place_is_the_users_own(tmp_path: Path) -> None:
    save(tmp_path / "kept", "a" * 40, b"x")
    assert (tmp_path / "kept").stat().st_mode & 0o777 == 0o700


def test_there_are_only_so_many(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text("{}")
    (tmp_path / ".part-old").write_text("")
    (tmp_path / ".part-new").write_text("")
    os.utime(tmp_path / ".part-old", (1, 1))
    keys = [f"{number:040x}" for number in range(MOST_ENTRIES + 3)]
    for number, key in enumerate(keys[:-1]):
        save(tmp_path, key, b"x")
        os.utime(tmp_path / f"{key}.json", (10**9 + number, 10**9 + number))
    assert load(tmp_path, keys[2]) == b"x"  # a use of it
    save(tmp_path, keys[-1], b"x")
    left = {path.stem for path in tmp_path.glob("*.json")} - {"mine"}
    assert left == {keys[2], *keys[4:]}
    assert (tmp_path / "mine.json").exists()
    assert not (tmp_path / ".part-old").exists()
    assert (tmp_path / ".part-new").exists()


def test_runs_that_meet(project: Program) -> None:
    runs = [project.start("apis", "--cache-dir", "kept", "-o", f"out{number}") for number in range(4)]
    said = [run.communicate(timeout=60) for run in runs]
    assert [run.returncode for run in runs] == [0, 0, 0, 0]
    assert [err for _, err in said] == [b""] * 4
    outputs = [project.files(f"out{number}") for number in range(4)]
    assert outputs[0]
    assert outputs == [outputs[0]] * 4
    (kept,) = (content for name, content in project.files("kept").items() if name.endswith(".json"))
    _, result = decode(kept)
    assert {name: text.encode() for name, text in result.outputs["python"].items()} == outputs[0]
