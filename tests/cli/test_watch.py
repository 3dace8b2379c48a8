"""`generate --watch`: what starts a round, what does not, what rounds say and write, and how it ends."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.conftest import TYPES, Program, definition
from validation_gen.commands import watch
from validation_gen.sources import fs_queries, recording_fs

watchfiles = pytest.importorskip("watchfiles", reason="the extra `watch` is not installed")

_PATIENCE = 120.0  # seconds until a round is missed
_CALM = 1.0  # seconds in which a round that should not be would have begun


@dataclass
class Watched:
    """A running `--watch`, and all that it has said."""

    process: subprocess.Popen[bytes]
    said: Path

    def text(self) -> str:
        return self.said.read_text(encoding="utf-8")

    def until(self, pattern: str, count: int = 1) -> str:
        """What it has said when a pattern has been seen that many times."""
        end = time.monotonic() + _PATIENCE
        while len(re.findall(pattern, self.text())) < count:
            assert time.monotonic() < end, f"{count} x {pattern} in:\n{self.text()}"
            assert self.process.poll() is None, self.text()
            time.sleep(0.05)
        return self.text()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=_PATIENCE)


@contextmanager
def start(project: Program, *args: str, **environ: str) -> Iterator[Watched]:
    said = project.directory.parent / "said.txt"
    with said.open("wb") as file:
        process = subprocess.Popen(
            project.command(*args, "--watch"),
            cwd=project.directory,
            env=project.environ(environ),
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
        )
    try:
        yield Watched(process, said)
        assert "Traceback" not in said.read_text(encoding="utf-8")
    finally:
        process.kill()
        process.wait()


SUMMARY = r"rules?: .* in generated \(\d"
READY = r"watching \d+ files; Ctrl-C ends"
TYPES_FILE = "apis/things/v1/types.go"


@pytest.mark.process
def test_a_change_a_mistake_and_its_repair(project: Program) -> None:
    module = project.directory / "generated/things/v1.py"
    with start(project, "apis") as run:
        run.until(READY)
        assert "5 files written, 0 unchanged" in run.text()

        project.write({TYPES_FILE: TYPES.replace("maxLength=5", "maxLength=6")})
        run.until(SUMMARY, 2)
        assert f"changed: {TYPES_FILE}\n" in run.text()
        assert "1 file written, 4 unchanged" in run.text()
        assert "maxLength=6" in module.read_text()

        before = {path: path.stat().st_mtime_ns for path in (project.directory / "generated").rglob("*.py")}
        project.write({TYPES_FILE: TYPES.replace("maxLength=5", "maxLength=six")})
        run.until("1 error")
        assert f" --> {TYPES_FILE}:" in run.text()
        run.until(SUMMARY, 3)
        assert "maxLength=6" in module.read_text()  # no type is left, so nothing is written

        project.write({TYPES_FILE: TYPES.replace("maxLength=5", "maxLength=6")})
        run.until(SUMMARY, 4)
        assert "maxLength=6" in module.read_text()
        after = {path: path.stat().st_mtime_ns for path in (project.directory / "generated").rglob("*.py")}
        assert {path for path in before if before[path] != after[path]} <= {module}
        assert run.stop() == 130
        assert run.text().endswith(" s)\n")


@pytest.mark.process
def test_new_files_removed_directories_and_what_does_not_matter(project: Program) -> None:
    with start(project, ".") as run:  # the output is below what is read
        run.until(READY)
        project.write(
            {".git/index.go": "x", "README.md": "x", "apis/things/v1/.types.go.swp": "x", "generated/n.py": "x"}
        )
        os.utime(project.directory / TYPES_FILE)
        project.write({TYPES_FILE: TYPES})  # the same bytes
        time.sleep(_CALM)
        assert len(re.findall(SUMMARY, run.text())) == 1

        project.write({"apis/others/v1/types.go": TYPES})
        run.until("2 packages")
        project.write({"apis/others/v1/more.go": "package v1\n"})
        run.until(r"changed: apis/others/v1\n")
        shutil.rmtree(project.directory / "apis/others")
        run.until(", 2 removed in generated")
        assert not (project.directory / "generated/others").exists()
        assert run.stop() == 130


@pytest.mark.process
def test_a_directory_that_is_replaced_is_still_watched(project: Program) -> None:
    place = project.directory / "apis/things/v1"
    with start(project, "apis") as run:
        run.until(READY)
        for number in (7, 8):
            shutil.copytree(place, project.directory / "copy")
            shutil.rmtree(place)
            (project.directory / "copy").rename(place)
            time.sleep(0.5)
            project.write({TYPES_FILE: TYPES.replace("maxLength=5", f"maxLength={number}")})
            end = time.monotonic() + _PATIENCE
            while f"maxLength={number}" not in (project.directory / "generated/things/v1.py").read_text():
                assert time.monotonic() < end, run.text()
                time.sleep(0.05)


@pytest.mark.process
def test_handwritten_functions_and_what_is_not_there_yet(project: Program) -> None:
    tagged = TYPES.replace("// +k8s:maxLength=5", "// +k8s:customValidation")
    project.write({TYPES_FILE: tagged})
    with start(project, "apis", "--custom-validations", "checks.py") as run:
        run.until(r"error\[VG901\].*\n --> checks.py")
        run.until(READY)
        project.write({"checks.py": "def ValidateCustom_ThingSpec_Name(value, old, op):\n    return []\n"})
        run.until(r"changed: checks.py\n")
        run.until(SUMMARY)  # the first run has stopped at the error, and has no totals


@pytest.mark.process
def test_a_path_that_comes_later(project: Program) -> None:
    with start(project, "later/deep") as run:
        run.until(r"error\[VG902\]")
        run.until(READY)
        project.write({"later/deep/types.go": TYPES})
        run.until("1 package, ")


@pytest.mark.process
def test_settings_and_modules_that_handwritten_functions_import(project: Program) -> None:
    checks = "from own.rules import LIMIT\n\n\ndef ValidateCustom_ThingSpec_Name(value, old, op):\n    return []\n"
    project.write(
        {
            TYPES_FILE: TYPES.replace("// +k8s:maxLength=5", "// +k8s:customValidation"),
            "pyproject.toml": "",
            "checks.py": checks,
            "own/rules.py": "LIMIT = 1\n",
        }
    )
    with start(project, "apis", "--emit", "harness", "--custom-validations", "checks.py") as run:
        run.until("VG906")  # nothing is named
        run.until(READY)
        project.write({"pyproject.toml": '[tool.validation-gen.handwritten]\n"v1.Thing" = "own.checks:validate"\n'})
        run.until(r"changed: pyproject.toml\n")
        run.until(SUMMARY)
        for number in (2, 3):  # what one round has imported is imported again by the next
            time.sleep(0.5)  # a file is looked at when it has been imported, at the end of the round
            project.write({"own/rules.py": f"LIMIT = {number}\n"})
            run.until(r"changed: own/rules.py\n", number - 1)
            run.until(SUMMARY, number)


@pytest.mark.process
def test_check_looks_again_and_writes_nothing(project: Program) -> None:
    assert project("apis").code == 0
    before = project.files("generated")
    with start(project, "apis", "--check") as run:
        run.until("5 files up to date")
        run.until(READY)
        project.write({TYPES_FILE: TYPES.replace("maxLength=5", "maxLength=6")})
        run.until(r"is stale.*\n +--> generated/things/v1.py:")
        run.until("1 stale, 4 files up to date")
        assert run.stop() == 130
    assert project.files("generated") == before


@pytest.mark.process
def test_quiet_rounds_tell_findings_only(project: Program) -> None:
    with start(project, "apis", "-q") as run:
        end = time.monotonic() + _PATIENCE
        while not (project.directory / "generated/things/v1.py").exists() and time.monotonic() < end:
            time.sleep(0.05)
        project.write({TYPES_FILE: TYPES.replace("maxLength=5", "maxLength=six")})
        run.until("1 error")
        assert run.stop() == 130
        assert run.text().startswith("error[VG203]")
        assert run.text().endswith("1 error\n")


@pytest.mark.process
def test_many_writes_are_one_round(project: Program) -> None:
    with start(project, "apis") as run:
        run.until(READY)
        for number in range(10):
            project.write({TYPES_FILE: TYPES.replace("maxLength=5", f"maxLength={number + 10}")})
            time.sleep(0.02)
        end = time.monotonic() + _PATIENCE
        while "maxLength=19" not in (project.directory / "generated/things/v1.py").read_text():
            assert time.monotonic() < end, run.text()
            time.sleep(0.05)
        time.sleep(0.3)
        assert 2 <= len(re.findall(SUMMARY, run.text())) <= 4


def test_wrong_arguments_are_not_waited_for(project: Program) -> None:
    for args in (("apis", "--target", "9.9"), ("apis", "--nope"), ("apis", "--module", "x")):
        done = project(*args, "--watch")
        assert done.code == 2
        assert "watching" not in done.err


@pytest.mark.process
def test_without_the_extra_one_line_says_what_to_do(project: Program) -> None:
    code = (
        "import importlib.abc, sys\n"
        "class Without(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == 'watchfiles': raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Without())\n"
        "from validation_gen.cli.main import run\n"
        "run()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "apis", "--watch"],
        cwd=project.directory,
        env=project.environ(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: --watch needs watchfiles: python -m pip install 'validation-gen[watch]'\n"


@pytest.mark.process
def test_a_terminal_has_the_rounds_apart(project: Program) -> None:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        project.command("apis", "--watch"),
        cwd=project.directory,
        env=project.environ(),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    seen = ""

    def until(text: str) -> None:
        nonlocal seen
        while text not in seen:
            seen += os.read(ours, 4096).decode().replace("\r\n", "\n")

    try:
        until("Ctrl-C ends")
        project.write({TYPES_FILE: TYPES.replace("maxLength=5", "maxLength=6")})
        until("1 file written")
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=_PATIENCE) == 130
        os.close(ours)
    assert re.search(r"\n\n\x1b\[1m-- changed: apis/things/v1/types.go -{3,}\x1b\[0m\n", seen)
    assert "\x1b[2J" not in seen
    assert "\x1bc" not in seen


def test_what_the_system_does_not_tell_is_seen_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "types.go"
    file.write_text("a")

    def silent(*_: object, **__: object) -> Iterator[set[tuple[int, str]]]:
        for number in range(40):
            if number == 3:
                file.write_text("b")
            yield set()
            time.sleep(0.01)

    monkeypatch.setattr(watchfiles, "watch", silent)
    monkeypatch.setattr(watch, "_NEXT_LOOK", 0.02)
    answers = {("file", str(file)): fs_queries.ask(("file", str(file)))}
    assert list(watch.wait(answers, [])) == [str(file)]
    assert fs_queries.ask(("file", str(file))) != answers["file", str(file)]


# --- what rounds depend on -------------------------------------------------------------------------------------------


def test_notes_reach_whoever_notes_around_them(tmp_path: Path) -> None:
    file = tmp_path / "a.go"
    file.write_text("package a\n")
    with recording_fs.record() as outer:
        with recording_fs.record() as inner:
            recording_fs.read(file)
        assert inner.answers
    assert outer.answers == inner.answers
    with recording_fs.record() as notes:
        recording_fs.replay_queries(outer.answers)
    assert notes.answers == outer.answers
    assert fs_queries.still_holds(notes.answers)
    file.write_text("package b\n")
    assert not fs_queries.still_holds(notes.answers)


def test_a_question_that_cannot_be_asked_has_an_answer() -> None:
    assert fs_queries.ask(("real_path", "a\0b"))
    assert fs_queries.ask(("file", "a\0b")).startswith("failed")


def test_the_places_of_what_is_missing(tmp_path: Path) -> None:
    places, names, listed = watch._places({("file", str(tmp_path / "a/b/c.go")): "", ("entries", str(tmp_path)): ""})
    assert (places, listed) == ({str(tmp_path)}, {str(tmp_path)})
    assert {str(tmp_path / "a"), str(tmp_path / "a/b"), str(tmp_path / "a/b/c.go")} <= names


# --- definitions ------------------------------------------------------------------------------------------------------


@pytest.mark.process
def test_definitions_are_watched(project: Program) -> None:
    module = project.directory / "generated/example_com/v1_schemas.py"
    project.write({"crds/thing.json": definition(5), "crds/README.md": "x"})
    with start(project, "crds") as run:
        run.until(READY)
        assert '"maxLength": 5' in module.read_text()
        project.write({"crds/thing.json": definition(6)})
        run.until(r"changed: crds/thing.json\n")
        run.until(SUMMARY, 2)
        assert '"maxLength": 6' in module.read_text()
        project.write({"crds/more/other.json": definition(7).replace("hing", "hong")})
        run.until(r"2 types")
        (project.directory / "crds/thing.json").unlink()
        run.until(SUMMARY, 4)
        assert "judge_Thong" in module.read_text()
        assert "judge_Thing" not in module.read_text()
        assert run.stop() == 130
