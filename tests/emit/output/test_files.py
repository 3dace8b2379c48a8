"""Generated files on disk: what is written, what is left alone, and what becomes of it when something goes wrong."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.tables import each
from validation_gen.diagnostics import Diagnostics
from validation_gen.emit.output import JSON_KEYS, JSON_MARKER, MARKER, Written, replace_files, write_files
from validation_gen.emit.schema import yamltext

ROOT = f"{MARKER}\nregistry = 1\n"
EMPTY = f"{MARKER}\n"
FILES = {"__init__.py": ROOT, "a/__init__.py": EMPTY, "a/v1.py": f"{MARKER}\nx = 1\n"}


def write(directory: Path | str, files: dict[str, str], *, prune: bool = True) -> tuple[Written, list[tuple[str, str]]]:
    diagnostics = Diagnostics()
    result = write_files(str(directory), files, diagnostics, prune=prune)
    assert all(d.help and d.code == "VG903" for d in diagnostics.items)
    return result, [(d.span.file, d.message) for d in diagnostics.items]


def content(directory: Path) -> dict[str, str]:
    return {p.relative_to(directory).as_posix(): p.read_text() for p in sorted(directory.rglob("*")) if p.is_file()}


# --- what is written -------------------------------------------------------------------------------------------------


def test_files_are_written_once(tmp_path: Path) -> None:
    root = tmp_path / "far/below/out"
    assert write(root, FILES) == (Written(written=list(FILES)), [])
    assert content(root) == FILES
    known = {path: path.stat() for path in root.rglob("*")}
    assert write(root, FILES) == (Written(unchanged=list(FILES)), [])
    assert {path: path.stat() for path in root.rglob("*")} == known


def test_only_what_differs_is_replaced(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    changed = FILES | {"a/v1.py": f"{MARKER}\nx = 2\n", "b.py": EMPTY}
    assert write(tmp_path, changed) == (
        Written(written=["a/v1.py", "b.py"], unchanged=["__init__.py", "a/__init__.py"]),
        [],
    )
    assert content(tmp_path) == changed


def test_line_ends_and_letters_are_bytes(tmp_path: Path) -> None:
    files = {"a.py": f"{MARKER}\n# größe 日本\n", "b.py": f"{MARKER}\r\nx\r\n", "c.py": f"{MARKER}\n# \udcff\n"}
    write(tmp_path, files)
    assert (tmp_path / "a.py").read_bytes() == files["a.py"].encode()
    assert (tmp_path / "b.py").read_bytes() == files["b.py"].encode()
    assert (tmp_path / "c.py").read_bytes() == f"{MARKER}\n# ?\n".encode()
    assert write(tmp_path, files)[0].unchanged == list(files)


def test_permissions_follow_the_umask_and_are_kept(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write(tmp_path, {"a.py": EMPTY})
    finally:
        os.umask(before)
    path = tmp_path / "a.py"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o600)
    write(tmp_path, {"a.py": ROOT})
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_nothing_to_write_makes_no_directory(tmp_path: Path) -> None:
    assert write(tmp_path / "out", {}) == (Written(), [])
    assert not (tmp_path / "out").exists()


# --- what belongs to others ------------------------------------------------------------------------------------------


@each("text", ["x = 1\n", f"\n{MARKER}\n", f"#!/usr/bin/python\n{MARKER}\n", MARKER[:-1], f"\ufeff{MARKER}\n", "\0"])
def test_files_that_were_not_generated_are_kept(tmp_path: Path, text: str) -> None:
    (tmp_path / "__init__.py").write_text(text)
    result, problems = write(tmp_path, FILES)
    assert result.written == ["a/__init__.py", "a/v1.py"]
    assert problems == [(f"{tmp_path}/__init__.py", "the file exists and was not generated, so it is kept")]
    assert (tmp_path / "__init__.py").read_text() == text


@pytest.mark.parametrize("text", ["", "\n", " \t\r\n"])
def test_files_without_content_belong_to_nobody(tmp_path: Path, text: str) -> None:
    (tmp_path / "__init__.py").write_text(text)
    assert write(tmp_path, FILES)[1] == []
    assert content(tmp_path) == FILES


def test_generated_files_with_other_line_ends_are_ours(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_bytes(ROOT.replace("\n", "\r\n").encode())
    assert write(tmp_path, FILES)[1] == []
    assert content(tmp_path) == FILES


def test_links(tmp_path: Path) -> None:
    """A link is followed to see whose the file is; it is the link that is replaced."""
    root = tmp_path / "out"
    root.mkdir()
    for name, text in {"mine.py": "mine\n", "generated.py": EMPTY}.items():
        (tmp_path / name).write_text(text)
    for name, target in {"a.py": "../mine.py", "b.py": "../generated.py", "c.py": "../nowhere.py"}.items():
        (root / name).symlink_to(target)
    result, problems = write(root, dict.fromkeys(("a.py", "b.py", "c.py"), ROOT))
    assert result.written == ["b.py", "c.py"]
    assert [file for file, _ in problems] == [f"{root}/a.py"]
    assert (tmp_path / "mine.py").read_text() == "mine\n"
    assert (tmp_path / "generated.py").read_text() == EMPTY
    assert not (tmp_path / "nowhere.py").exists()


# --- what is removed -------------------------------------------------------------------------------------------------


def test_stale_files_are_removed_with_their_directories(tmp_path: Path) -> None:
    write(tmp_path, FILES | {"old/__init__.py": EMPTY, "old/deep/__init__.py": EMPTY, "old/deep/v1.py": EMPTY})
    result, problems = write(tmp_path, FILES)
    assert problems == []
    assert result.removed == ["old/__init__.py", "old/deep/__init__.py", "old/deep/v1.py"]
    assert content(tmp_path) == FILES
    assert sorted(p.name for p in tmp_path.iterdir()) == ["__init__.py", "a"]


def test_nothing_is_removed_without_pruning(tmp_path: Path) -> None:
    write(tmp_path, FILES | {"b.py": EMPTY})
    assert write(tmp_path, FILES, prune=False)[0].removed == []
    assert (tmp_path / "b.py").exists()


def test_what_others_put_there_stays(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    write(tmp_path / "second", FILES)  # the package of another run
    write(tmp_path / "a/third", {"__init__.py": ROOT, "b.py": EMPTY})
    others = {
        "notes.py": "mine\n",
        "a/notes.py": "mine\n",
        "a/data.json": "{}",
        "kept/want/a.py": EMPTY,  # a copy that somebody keeps
        "kept/__init__.py": "",
        ".venv/x.py": EMPTY,
    }
    for name, text in others.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "linked").symlink_to("second/a")
    (tmp_path / "circle").symlink_to(".")
    (tmp_path / "folder.py").mkdir()
    before = content(tmp_path)
    result, problems = write(tmp_path, {"__init__.py": ROOT})
    assert problems == []
    assert result.removed == ["a/__init__.py", "a/v1.py"]
    assert content(tmp_path) == {name: text for name, text in before.items() if name not in result.removed}


# --- YAML and JSON ---------------------------------------------------------------------------------------------------

CRD = f"---\n{MARKER}\nkind: A\n"
SCHEMA = f'{{\n  "$comment": "{JSON_MARKER}",\n  "type": "object"\n}}\n'


def test_one_marker_for_all_that_is_written() -> None:
    assert yamltext.as_yaml({"kind": "A"}) == CRD
    assert yamltext.MARKER == MARKER


@each(
    ("name", "text"),
    [
        ("a.yaml", f"---\n{MARKER}\nx: 1\n"),
        ("a.yml", f"---\r\n{MARKER}\r\nx: 1\r\n"),
        ("a.yaml", f"{MARKER}\nx: 1\n"),
        *(("a.json", f'{{"{key}":"{JSON_MARKER}","x":1}}') for key in JSON_KEYS),
        ("a.json", f'\n{{\n\t"$comment" : "{JSON_MARKER}"\n}}\n'),
    ],
)
def test_generated_yaml_and_json_is_ours(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    new = SCHEMA if name.endswith(".json") else CRD
    assert write(tmp_path, {name: new}) == (Written(written=[name]), [])
    assert content(tmp_path) == {name: new}


@each(
    ("name", "text"),
    [
        ("a.yaml", "x: 1\n"),
        ("a.yaml", f"x: 1\n---\n{MARKER}\n"),
        ("a.yaml", f"---\nx: 1\n{MARKER}\n"),
        ("a.yaml", f"--- |\n{MARKER}\n"),
        ("a.json", "{}"),
        ("a.json", f"{MARKER}\n{{}}"),
        ("a.json", f'{{"x": {{"$comment": "{JSON_MARKER}"}}}}'),
        ("a.json", f'{{"x": 1, "$comment": "{JSON_MARKER}"}}'),
        ("a.json", '{"$comment": "by hand"}'),
        ("a.json", f'["$comment", "{JSON_MARKER}"]'),
    ],
)
def test_other_yaml_and_json_is_kept(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    result, problems = write(tmp_path, {name: SCHEMA if name.endswith(".json") else CRD})
    assert result == Written()
    assert problems == [(f"{tmp_path}/{name}", "the file exists and was not generated, so it is kept")]
    assert content(tmp_path) == {name: text}


def test_stale_files_go_where_others_of_their_kind_are_written(tmp_path: Path) -> None:
    others = {"mine.yaml": "x: 1\n", "b/c.yaml": CRD, "a.json": SCHEMA, "m.py": f"{MARKER}\n"}
    write(tmp_path, {"old.yaml": CRD, "a.yaml": CRD, **others}, prune=False)
    (tmp_path / "mine.yaml").write_text("x: 1\n")
    assert write(tmp_path, {"a.yaml": CRD}) == (Written(unchanged=["a.yaml"], removed=["old.yaml"]), [])
    assert content(tmp_path) == {"a.yaml": CRD, **others}


# --- files that people own -------------------------------------------------------------------------------------------


def replace(files: dict[Path, str]) -> tuple[Written, list[tuple[str, str]]]:
    diagnostics = Diagnostics()
    result = replace_files({str(path): text for path, text in files.items()}, diagnostics)
    return result, [(d.code, d.message) for d in diagnostics.items]


def _written(path: Path) -> tuple[int, int, int]:
    """What tells that a file was written again; that it was read changes nothing."""
    found = path.stat()
    return found.st_ino, found.st_mtime_ns, found.st_mode


def test_files_of_others_are_replaced_when_that_is_asked_for(tmp_path: Path) -> None:
    path, same = tmp_path / "a.yaml", tmp_path / "b.yaml"
    path.write_bytes(b"x: 1\r\n")
    path.chmod(0o600)
    same.write_text("y: 1\n")
    known = _written(same)
    assert replace({path: "\ufeffx: ä\r\n", same: "y: 1\n"}) == (
        Written(written=[str(path)], unchanged=[str(same)]),
        [],
    )
    assert path.read_bytes() == "\ufeffx: ä\r\n".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert _written(same) == known
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.yaml", "b.yaml"]


def test_links_to_files_of_others_stay_links(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real/a.yaml").write_text("x: 1\n")
    (tmp_path / "a.yaml").symlink_to("real/a.yaml")
    assert replace({tmp_path / "a.yaml": "x: 2\n"})[1] == []
    assert (tmp_path / "a.yaml").is_symlink()
    assert (tmp_path / "real/a.yaml").read_text() == "x: 2\n"


def test_files_of_others_that_cannot_be_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("x: 1\n")
    (tmp_path / "circle").symlink_to("circle")
    (tmp_path / "folder").mkdir()
    with _failing(monkeypatch, "replace", _full):
        assert replace({path: "x: 2\n"}) == (Written(), [("VG903", "cannot write: No space left on device")])
    assert content(tmp_path) == {"a.yaml": "x: 1\n"}
    result, problems = replace({tmp_path / "circle": "x", tmp_path / "folder": "x"})
    assert (result, [code for code, _ in problems]) == (Written(), ["VG903", "VG903"])


# --- what goes wrong -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("file", "this is not a directory"),
        ("dangling", "this is not a directory"),
        ("file/out", "cannot make the directory: Not a directory"),
        ("circle/out", "cannot make the directory: "),
        ("x" * 5000, "cannot make the directory: File name too long"),
    ],
)
def test_places_that_cannot_be_directories(tmp_path: Path, place: str, message: str) -> None:
    (tmp_path / "file").write_text("mine\n")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "circle").symlink_to("circle")
    result, problems = write(tmp_path / place, FILES)
    assert result == Written()
    assert [file for file, _ in problems] == [f"{tmp_path}/{place}"]
    assert problems[0][1].startswith(message)
    assert (tmp_path / "file").read_text() == "mine\n"
    assert not (tmp_path / "nowhere").exists()


def test_files_in_the_way_of_directories_and_the_reverse(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("mine\n")
    (tmp_path / "__init__.py").mkdir()
    result, problems = write(tmp_path, FILES | {"b.py": EMPTY})
    assert result.written == ["b.py"]
    assert [file.removeprefix(f"{tmp_path}/") for file, _ in problems] == ["__init__.py", "a/__init__.py", "a/v1.py"]
    assert all(message.startswith("cannot write: ") for _, message in problems)
    assert (tmp_path / "a").read_text() == "mine\n"


Fail = Callable[..., object]


def _full(*_: object, **__: object) -> object:
    raise OSError(errno.ENOSPC, "No space left on device")


def _interrupted(*_: object, **__: object) -> object:
    raise KeyboardInterrupt


@contextmanager
def _failing(monkeypatch: pytest.MonkeyPatch, method: str, fail: Fail) -> Iterator[None]:
    """Nothing but a full disk fails in the middle, and that is hard to come by."""
    with monkeypatch.context() as patch:
        patch.setattr(os, method, fail)
        yield


@pytest.mark.parametrize("method", ["fdopen", "fchmod", "replace"])
def test_a_write_that_fails_leaves_the_old_file_and_no_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    write(tmp_path, FILES)
    new = FILES | {"a/v1.py": f"{MARKER}\nx = 2\n"}
    with _failing(monkeypatch, method, _full):
        result, problems = write(tmp_path, new)
    assert problems == [(f"{tmp_path}/a/v1.py", "cannot write: No space left on device")]
    assert result.unchanged == ["__init__.py", "a/__init__.py"]
    assert content(tmp_path) == FILES
    with _failing(monkeypatch, method, _interrupted), pytest.raises(KeyboardInterrupt):
        write(tmp_path, new)
    assert content(tmp_path) == FILES
    assert write(tmp_path, new)[0].written == ["a/v1.py"]


def test_a_file_that_cannot_be_removed_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, FILES | {"b.py": EMPTY})
    with _failing(monkeypatch, "unlink", _full):
        result, problems = write(tmp_path, FILES)
    assert (result.removed, problems) == ([], [])
    assert (tmp_path / "b.py").exists()
