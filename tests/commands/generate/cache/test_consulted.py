"""What readers ask is noted, and asked again later."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import HOME, Program
from tests.tables import each
from validation_gen.compiler.pipeline import Settings, build_program
from validation_gen.sources import fs_queries, recording_fs


def test_nothing_is_noted_without_being_asked_for(tmp_path: Path) -> None:
    with recording_fs.record() as notes:
        pass
    recording_fs.is_file(tmp_path)
    assert notes.answers == {}


def _replace(path: Path, make: Callable[[Path], object]) -> None:
    path.rename(path.with_name("old"))
    make(path)


CHANGES: dict[str, tuple[Callable[[Path], object], Callable[[Path], object]]] = {
    "content": (lambda d: recording_fs.read(d / "a.go"), lambda d: (d / "a.go").write_text("other")),
    "lost": (lambda d: recording_fs.read(d / "a.go"), lambda d: (d / "a.go").unlink()),
    "became a pipe": (
        lambda d: recording_fs.read(d / "a.go"),
        lambda d: _replace(d / "a.go", os.mkfifo),
    ),
    "became a directory": (
        lambda d: recording_fs.read(d / "a.go"),
        lambda d: _replace(d / "a.go", Path.mkdir),
    ),
    "new source": (recording_fs.entries, lambda d: (d / "b.py").touch()),
    "new directory": (recording_fs.entries, lambda d: (d / "b").mkdir()),
    "new environment": (recording_fs.entries, lambda d: (d / "pyvenv.cfg").touch()),
    "new link": (recording_fs.entries, lambda d: (d / "b").symlink_to("nowhere")),
    "file for directory": (
        recording_fs.entries,
        lambda d: _replace(d / "sub", lambda path: path.symlink_to("a.go")),
    ),
    "link leads nowhere": (recording_fs.entries, lambda d: (d / "target").rename(d / "moved")),
    "directory lost": (lambda d: recording_fs.entries(d / "sub"), lambda d: (d / "sub").rmdir()),
    "file appears": (lambda d: recording_fs.is_file(d / "go.mod"), lambda d: (d / "go.mod").touch()),
    "directory appears": (lambda d: recording_fs.is_directory(d / "x"), lambda d: (d / "x").mkdir()),
    "anything appears": (lambda d: recording_fs.exists(d / "x"), lambda d: (d / "x").symlink_to("nowhere")),
    "link moves": (
        lambda d: recording_fs.real_path(d / "link.go"),
        lambda d: _replace(d / "link.go", lambda path: path.symlink_to("a.go")),
    ),
}


@each("name", CHANGES)
def test_every_change_counts(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.go").write_text("package a")
    (tmp_path / "target").write_text("package a")
    (tmp_path / "link.go").symlink_to("target")
    (tmp_path / "sub").mkdir()
    ask, change = CHANGES[name]
    with recording_fs.record() as notes:
        ask(tmp_path)
    assert len(notes.answers) == 1
    assert fs_queries.still_holds(notes.answers)
    change(tmp_path)
    assert not fs_queries.still_holds(notes.answers)


@pytest.mark.parametrize("appears", ["file", "entries"])
def test_what_was_not_there_and_appears(tmp_path: Path, appears: str) -> None:
    missing = tmp_path / "missing"
    with recording_fs.record() as notes, pytest.raises(FileNotFoundError):
        recording_fs.read(missing) if appears == "file" else recording_fs.entries(missing)
    assert fs_queries.still_holds(notes.answers)
    missing.touch() if appears == "file" else missing.mkdir()
    assert not fs_queries.still_holds(notes.answers)


def test_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GOWORK", raising=False)
    with recording_fs.record() as notes:
        assert recording_fs.variables("GOWORK") == {}
    assert fs_queries.still_holds(notes.answers)
    monkeypatch.setenv("GOWORK", "")
    assert not fs_queries.still_holds(notes.answers)


def test_what_is_nobodys_source_does_not_count(tmp_path: Path) -> None:
    with recording_fs.record() as notes:
        assert recording_fs.entries(tmp_path) == []
    for name in ("README.md", ".types.go.swp", "data.json"):
        (tmp_path / name).touch()
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / ".git").mkdir()
    assert fs_queries.still_holds(notes.answers)


def test_two_answers_are_no_answer(tmp_path: Path) -> None:
    file = tmp_path / "a.go"
    file.write_text("one")
    with recording_fs.record() as notes:
        recording_fs.read(file)
        recording_fs.read(file)
        assert notes.consistent
        file.write_text("two")
        recording_fs.read(file)
    assert not notes.consistent


@pytest.mark.parametrize("path", ["a\0b", "\udcff", "x" * 5000])
def test_odd_names(path: str) -> None:
    asked = {(kind, path): "no such answer" for kind in fs_queries._QUESTIONS}
    assert not fs_queries.still_holds(asked)
    with recording_fs.record() as notes:
        for ask in (recording_fs.read, recording_fs.entries):
            with pytest.raises((OSError, ValueError)):
                ask(Path(path))
    assert fs_queries.still_holds(notes.answers)


# --- nobody asks elsewhere -------------------------------------------------------------------------------------------

_FORBIDDEN = set(
    "open read_text read_bytes iterdir glob rglob scandir listdir stat lstat isfile isdir islink exists lexists "
    "is_file is_dir is_symlink realpath readlink getenv os.walk environ.get".split()
)


def test_readers_ask_nowhere_else() -> None:
    """The text of every reader is looked at: whoever asks the file system himself would make results stale."""
    found = []
    for file in sorted((HOME / "validation_gen" / "sources").rglob("*.py")):
        if file.name in ("recording_fs.py", "fs_queries.py"):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called = ast.unparse(node.func)
            if ("." not in called and called != "open") or called.startswith("recording_fs."):
                continue  # a function of our own
            if {called, called.rpartition(".")[2]} & _FORBIDDEN:
                found.append(f"{file.name}:{node.lineno} {called}")
    # Our own declarations of well-known types are part of the program.
    assert [place.partition(":")[0] for place in found] == ["wellknown.py"], found


def test_every_file_that_is_opened_was_noted(project: Program) -> None:
    """The same, seen from the system: a run opens nothing below its directory without a note."""
    project.write(
        {
            "checks.py": "def ValidateCustom_X(*args):\n    return []\n",
            "apis/robots/__init__.py": "# +k8s:validation-gen\n",
            "apis/robots/v1.py": "class A:\n    # +k8s:minimum=1\n    n: int\n",
            "go.work": "go 1.24\n\nuse .\n",
        }
    )
    code = """
import sys
sys.path.remove("")  # where Python itself would look for modules
opened = set()
events = ("open", "os.scandir", "os.listdir")
sys.addaudithook(lambda event, args: opened.add(str(args[0])) if event in events else None)
from pathlib import Path
from validation_gen.sources import fs_queries, recording_fs
from validation_gen.compiler.pipeline import Settings, build_files, build_program
with recording_fs.record() as notes:
    build_files(build_program(Settings(("apis",), custom=("checks.py",), lint=True)).program)
here = str(Path.cwd())
asked = {str(Path.cwd() / path) for _, path in notes.answers}
ours = {str(Path.cwd() / path) for path in opened if str(Path.cwd() / path).startswith(here)}
assert len(ours) > 8, ours
print(*sorted(ours - asked))
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=project.directory,
        env=project.environ(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout.strip(), done.stderr) == ("", "")


def test_a_run_notes_what_was_not_there(project: Program) -> None:
    with recording_fs.record() as notes:
        build_program(Settings(("apis",)))
    assert notes.consistent
    answers = notes.answers
    assert answers["file", str(project.directory / "apis/go.mod")] == "failed: 2"
    assert answers["file", str(project.directory / "go.work")] == "failed: 2"
    assert ("variable", "GOMODCACHE") in answers
    shutil.rmtree(project.directory / "apis")
    assert not fs_queries.still_holds(answers)
