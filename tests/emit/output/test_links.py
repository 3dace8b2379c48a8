"""Links, pipes and devices in an output directory: nothing is written through them, whenever they come to be there."""

from __future__ import annotations

import fcntl
import os
import socket
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from validation_gen.cli.terminal import write_step_summary
from validation_gen.commands.compare.report.history import Run, append_run
from validation_gen.diagnostics import Diagnostics
from validation_gen.emit.output import (
    MARKER,
    Root,
    compare_files,
    remove_file,
    replace_file,
    replace_files,
    root,
    write_files,
)

TEXT = f"{MARKER}\nx = 1\n"
FILES = {"__init__.py": TEXT, "a/__init__.py": f"{MARKER}\n", "a/v1.py": TEXT}


@pytest.fixture(params=["descriptors", "paths"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways to keep to a directory: that of POSIX, and that of systems without descriptors of directories."""
    if request.param == "paths":
        monkeypatch.setattr(root, "_BY_DESCRIPTOR", False)


def problems(directory: Path, files: dict[str, str] = FILES) -> list[tuple[str, str]]:
    diagnostics = Diagnostics()
    write_files(str(directory), files, diagnostics, prune=True)
    assert {d.code for d in diagnostics.items} <= {"VG903"}
    return [(Path(d.span.file).relative_to(directory).as_posix(), d.message) for d in diagnostics.items]


def snapshot(directory: Path) -> dict[str, bytes | None]:
    return {
        p.relative_to(directory).as_posix(): p.read_bytes() if p.is_file() and not p.is_symlink() else None
        for p in sorted(directory.rglob("*"))
    }


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("target", ["../elsewhere", "..", "/", "."])
def test_a_linked_directory_is_refused(tmp_path: Path, target: str) -> None:
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    out.mkdir()
    elsewhere.mkdir()
    (elsewhere / "old.py").write_text(TEXT)
    (out / "a").symlink_to(target)
    before = snapshot(elsewhere)
    found = problems(out)
    assert found == [
        (name, 'cannot write: the directory "a" is a link, which is not followed')
        for name in ("a/__init__.py", "a/v1.py")
    ]
    assert snapshot(elsewhere) == before
    assert (out / "a").is_symlink()
    diagnostics = Diagnostics()
    compare_files(str(out), FILES, diagnostics, prune=True)
    assert [d.message for d in diagnostics.items] == [
        'cannot read: the directory "a" is a link, which is not followed'
    ] * 2


@pytest.mark.usefixtures("way")
def test_the_directory_itself_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "out").symlink_to("real")
    assert problems(tmp_path / "out") == []
    assert (tmp_path / "real/a/v1.py").read_text() == TEXT


def test_a_directory_that_becomes_a_link_in_between_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    elsewhere.mkdir()
    problems(out)
    read = Root.read

    def swap(self: Root, name: str) -> bytes | None:
        known = read(self, name)
        if name == "a/v1.py":  # it has been looked at, and is written next
            (out / "a").rename(tmp_path / "moved")
            (out / "a").symlink_to("../elsewhere")
        return known

    monkeypatch.setattr(Root, "read", swap)
    found = problems(out, FILES | {"a/v1.py": f"{TEXT}y = 2\n"})
    assert found == [("a/v1.py", 'cannot write: the directory "a" is a link, which is not followed')]
    assert snapshot(elsewhere) == {}
    assert (tmp_path / "moved/v1.py").read_text() == TEXT


def test_the_root_that_becomes_a_link_in_between_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    elsewhere.mkdir()
    read = Root.read

    def swap(self: Root, name: str) -> bytes | None:
        if not out.is_symlink():
            out.rename(tmp_path / "moved")
            out.symlink_to("elsewhere")
        return read(self, name)

    monkeypatch.setattr(Root, "read", swap)
    assert problems(out) == []
    assert snapshot(elsewhere) == {}
    assert (tmp_path / "moved/a/v1.py").read_text() == TEXT


def _socket(path: Path) -> None:
    os.chdir(path.parent)  # the names of sockets are short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path.name)


SPECIAL: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "socket": _socket,
    "directory": Path.mkdir,
    "device": lambda path: path.symlink_to("/dev/zero"),
}


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("kind", SPECIAL)
def test_what_is_no_file_is_neither_opened_nor_replaced(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "out.json"
    SPECIAL[kind](path)
    before = path.lstat()
    assert problems(tmp_path, {"out.json": "{}"}) == [
        ("out.json", f"cannot write: this is a {kind}, and no regular file")
    ]
    with pytest.raises(OSError, match=kind):
        replace_file(path, b"{}")
    with pytest.raises(OSError, match=kind):
        append_run(path, Run("", {}, [], {}, 0.0, False))
    if kind != "device":  # of which there is a link
        with pytest.raises(OSError, match=kind):
            remove_file(path)
    diagnostics = Diagnostics()
    replace_files({str(path): "{}"}, diagnostics)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    for item in (*diagnostics.items, *write_step_summary([])):
        assert item.code == "VG903"
        assert kind in item.message
    assert (path.lstat().st_mode, path.lstat().st_ino) == (before.st_mode, before.st_ino)


def test_a_pipe_in_the_place_of_a_directory(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a")
    assert [name for name, _ in problems(tmp_path)] == ["a/__init__.py", "a/v1.py"]


def test_files_of_people_behind_links_that_lead_out(tmp_path: Path) -> None:
    tree, outside = tmp_path / "tree", tmp_path / "outside"
    for directory in (tree / "deep", outside):
        directory.mkdir(parents=True)
        (directory / "a.yaml").write_text("old\n")
    (tree / "in.yaml").symlink_to("deep/a.yaml")
    (tree / "out.yaml").symlink_to("../outside/a.yaml")
    (tree / "linked").symlink_to("../outside")
    diagnostics = Diagnostics()
    names = [str(tree / name) for name in ("in.yaml", "out.yaml", "linked/a.yaml")]
    written = replace_files(dict.fromkeys(names, "new\n"), diagnostics, tree=str(tree))
    assert written.written == names[:1]
    assert [d.span.file for d in diagnostics.items] == names[1:]
    assert all("a link that leads out of" in d.message for d in diagnostics.items)
    assert (outside / "a.yaml").read_text() == "old\n"
    assert (tree / "deep/a.yaml").read_text() == "new\n"


# --- what a killed run leaves ---------------------------------------------------------------------------------------


def test_what_a_killed_run_has_left_is_removed(tmp_path: Path) -> None:
    problems(tmp_path)
    left, others = tmp_path / "a/.validation-gen-0123456789abcdef.part", tmp_path / "a/.validation-gen-mine.part"
    for path in (left, others):
        path.write_text("half")
    linked = tmp_path / "a/.validation-gen-1123456789abcdef.part"
    linked.symlink_to("../__init__.py")
    pipe = tmp_path / "a/.validation-gen-2123456789abcdef.part"
    os.mkfifo(pipe)
    problems(tmp_path, FILES | {"a/v1.py": f"{TEXT}y = 2\n"})
    assert not left.exists()
    assert others.exists()
    assert linked.is_symlink()
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert (tmp_path / "__init__.py").read_text() == TEXT


def test_what_another_run_is_writing_stays(tmp_path: Path) -> None:
    path = tmp_path / ".validation-gen-0123456789abcdef.part"
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        problems(tmp_path)
        assert path.exists()
    problems(tmp_path, {"b.py": TEXT})
    assert not path.exists()


def test_what_is_on_its_way_is_no_source() -> None:
    name = ".validation-gen-0123456789abcdef.part"
    assert root._TEMPORARY.fullmatch(name)
    assert Path(name).suffix not in (".py", ".pyi", ".go", ".yaml", ".yml", ".json", ".jsonl", ".so", ".prom")


def test_a_file_larger_than_any_of_ours(tmp_path: Path) -> None:
    """It has no content, so that it takes no room: only its size counts."""
    with (tmp_path / "__init__.py").open("wb") as sparse:
        sparse.truncate(900 * 2**30)
    found = Diagnostics()
    assert write_files(str(tmp_path), FILES, found, prune=True).written == ["a/__init__.py", "a/v1.py"]
    assert "more than 256 MiB" in found.items[0].message
