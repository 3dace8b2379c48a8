"""When work is done again, and when not: every ingredient of a result counts, and nothing else does."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.conftest import HOME, TYPES, Program
from validation_gen.commands.generate.cache import VARIABLE, cache_directory, load_or_run
from validation_gen.commands.generate.run import GenerateResult
from validation_gen.compiler.pipeline import Settings, build_files, build_program

SETTINGS = Settings(("apis",), lint=True)


class Worker:
    """Does the real work, and counts how often."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.done = 0

    def __call__(self, settings: Settings = SETTINGS) -> GenerateResult:
        return load_or_run(settings, self.directory, lambda: self.work(settings))

    def work(self, settings: Settings) -> GenerateResult:
        self.done += 1
        result = build_program(settings)
        findings = tuple(result.diagnostics.items)
        return GenerateResult({"python": build_files(result.program)}, findings, 1, len(result.program.validated), 7)

    def works(self, settings: Settings = SETTINGS) -> bool:
        """Whether work is done now; what comes back is right in any case."""
        before = self.done
        found = self(settings)
        again = self.done > before
        assert found == self.work(settings)
        return again


@pytest.fixture
def worker(project: Program) -> Worker:
    worker = Worker(project.directory / ".results")
    assert worker.works()
    assert not worker.works()
    return worker


def test_a_change_of_neither_size_nor_time(worker: Worker, project: Program) -> None:
    """A build or an editor that keeps times can leave it so: contents are read, whatever a file says of itself."""
    file = next(file for file in sorted(project.directory.rglob("*.go")) if "minimum=1" in file.read_text())
    before = file.stat()
    file.write_text(file.read_text().replace("minimum=1", "minimum=2", 1))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = file.stat()
    assert (after.st_size, after.st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    assert worker.works()


def test_nothing_changed(worker: Worker, project: Program) -> None:
    for file in project.directory.rglob("*.go"):
        os.utime(file, (1, 1))  # contents count, not times
    project.write({"README.md": "text", "apis/notes.txt": "text", "elsewhere/a.go": "package a\n"})
    assert not worker.works()


CHANGES: dict[str, Callable[[Program], object]] = {
    "a source": lambda p: p.write({"apis/things/v1/types.go": TYPES.replace("maxLength=5", "maxLength=6")}),
    "a new source": lambda p: p.write({"apis/things/v1/more.go": "package v1\n\n// +k8s:maxLength=1\ntype N string\n"}),
    "a new package": lambda p: p.write({"apis/more/more.go": "package more\n\ntype N string\n"}),
    "a source is gone": lambda p: (p.directory / "apis/things/v1/doc.go").unlink(),
    "go.mod": lambda p: p.write({"go.mod": "module example.com/other\n"}),
    "go.mod appears": lambda p: p.write({"apis/go.mod": "module example.com/nearer\n"}),
    "go.work appears": lambda p: p.write({"go.work": "use ./apis\n"}),
    "vendor appears": lambda p: p.write(
        {"vendor/k8s.io/apimachinery/pkg/apis/meta/v1/types.go": "package v1\n\ntype TypeMeta struct{}\n"}
    ),
    "a module is downloaded": lambda p: p.write(
        {"no cache/k8s.io/apimachinery@v0.34.0/pkg/apis/meta/v1/types.go": "package v1\n\ntype TypeMeta struct{}\n"}
    ),
    "a module of Python": lambda p: p.write({"apis/robots.py": "# +k8s:validation-gen\n"}),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_was_consulted_has_changed(worker: Worker, project: Program, name: str) -> None:
    CHANGES[name](project)
    assert worker.works()
    assert not worker.works()


def test_a_file_of_handwritten_checks(worker: Worker, project: Program) -> None:
    project.write({"checks.py": "def ValidateCustom_Thing(*args):\n    return []\n"})
    settings = replace(SETTINGS, custom=("checks.py",))
    assert worker.works(settings)
    assert not worker.works(settings)
    project.write({"checks.py": "def ValidateCustom_Other(*args):\n    return []\n"})
    assert worker.works(settings)


def test_the_environment(worker: Worker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("UNRELATED", "1")
    assert not worker.works()
    monkeypatch.setenv("GOMODCACHE", str(tmp_path / "another"))
    assert worker.works()


@pytest.mark.parametrize(
    "settings",
    [
        replace(SETTINGS, paths=("./apis",)),
        replace(SETTINGS, modules={"example.com/x": "apis"}),
        replace(SETTINGS, readonly=("example.com/x",)),
        replace(SETTINGS, require_directive=True),
        replace(SETTINGS, target="1.35"),
        replace(SETTINGS, lint=False),
        replace(SETTINGS, strict_lint=True),
        replace(SETTINGS, every_type=True),
        replace(SETTINGS, every_kind=True),
    ],
    ids=str,
)
def test_settings(worker: Worker, settings: Settings) -> None:
    assert worker.works(settings)
    assert not worker.works(settings)
    assert not worker.works()  # the other result is still there


def test_the_directory(worker: Worker, project: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """Findings name files as seen from the current directory."""
    absolute = replace(SETTINGS, paths=(str(project.directory / "apis"),))
    assert worker.works(absolute)
    monkeypatch.chdir(project.directory / "apis")
    assert worker.works(absolute)


def test_a_source_that_changes_while_it_is_read(project: Program) -> None:
    """What was read is half old and half new, so nobody shall get it again."""
    worker = Worker(project.directory / ".results")
    work = worker.work

    def disturbed(settings: Settings) -> GenerateResult:
        result = work(settings)
        project.write({"apis/things/v1/types.go": TYPES.replace("maxLength=5", "maxLength=6")})
        return result if worker.done > 1 else work(settings)

    worker.work = disturbed  # type: ignore[method-assign]
    worker()
    assert list((project.directory / ".results").glob("*")) == []


_PROBE = """
import sys
from pathlib import Path
from validation_gen.commands.generate.cache import load_or_run
from validation_gen.commands.generate.run import GenerateResult
from validation_gen.compiler.settings import Settings
load_or_run(Settings(("apis",)), Path(".results"), lambda: print("work") or GenerateResult())
"""


def test_the_program_itself(project: Program, tmp_path: Path) -> None:
    """In a checkout the version stays the same from one line to the next, so the lines count."""
    for name in ("validation_gen", "templates"):
        shutil.copytree(HOME / name, tmp_path / "checkout" / name, ignore=shutil.ignore_patterns("__pycache__"))

    def works() -> bool:
        environ = project.environ({"PYTHONPATH": str(tmp_path / "checkout"), "PYTHONDONTWRITEBYTECODE": "1"})
        done = subprocess.run(
            [sys.executable, "-c", _PROBE],
            cwd=project.directory,
            env=environ,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout == "work\n"

    assert (works(), works()) == (True, False)
    for name in ("validation_gen/emit/text.py", "validation_gen/tags/grammar.lark", "templates/python/module.py.j2"):
        file = tmp_path / "checkout" / name
        text = file.read_text(encoding="utf-8")
        file.write_text(f"{text}\n", encoding="utf-8")
        assert (name, works()) == (name, True)
        file.write_text(text, encoding="utf-8")
        assert (name, works()) == (name, False)  # as before, so what was kept then is right again
    # Another version of what it parses with.
    (tmp_path / "checkout" / "lark-99.0.dist-info").mkdir()
    assert works()


# --- where results are kept ------------------------------------------------------------------------------------------


def test_places() -> None:
    environ = {"HOME": "/home/me", "XDG_CACHE_HOME": "/var/cache/me"}
    assert cache_directory("here", environ) == Path("here/validation-gen")
    assert cache_directory("~/here", environ) == Path.home() / "here" / "validation-gen"
    assert cache_directory("", environ) == Path("/var/cache/me/validation-gen")
    assert cache_directory("", {**environ, "XDG_CACHE_HOME": "relative"}) == Path("/home/me/.cache/validation-gen")
    assert cache_directory("", {"USERPROFILE": "/users/me"}) == Path("/users/me/.cache/validation-gen")
    assert cache_directory("", {}) is None


def test_options_and_variables(project: Program) -> None:
    home = {VARIABLE: "", "XDG_CACHE_HOME": str(project.directory / "xdg"), "HOME": str(project.directory / "home")}
    assert project("apis", **home).code == 0
    assert len(project.files("xdg/validation-gen")) == 1
    assert project("apis", **{**home, VARIABLE: "from variable"}).code == 0
    assert len(project.files("from variable")) == 1
    assert project("apis", "--cache-dir", "given", **{**home, VARIABLE: "unused"}).code == 0
    assert len(project.files("given")) == 1
    assert not (project.directory / "unused").exists()
    before = project.files()
    assert project("apis", "--no-cache", "--cache-dir", "nothing", **home).code == 0
    assert project.files() == before
    assert project("apis", **{VARIABLE: "", "XDG_CACHE_HOME": "", "HOME": "", "USERPROFILE": ""}).code == 0


def test_fixes_are_kept(project: Program) -> None:
    """Findings are equal with and without them, so this asks."""
    project.write({"apis/things/v1/types.go": TYPES.replace("+k8s:maxLength=5", "+k8s:MaxLength=5")})
    worker = Worker(project.directory / ".results")
    first, second = worker(), worker()
    assert worker.done == 1
    fixes = [finding.fix for finding in first.findings]
    assert [fix.title for fix in fixes if fix] == ["write +k8s:maxLength=5"]
    assert [finding.fix for finding in second.findings] == fixes


def test_purposes_do_not_mix(project: Program) -> None:
    directory = project.directory / ".results"
    worker = Worker(directory)
    worker()
    other = GenerateResult({}, (), 1, 2, 3)
    assert load_or_run(SETTINGS, directory, lambda: other, wanted=["lint"]) == other
    assert load_or_run(SETTINGS, directory, GenerateResult, wanted=["lint"]) == other
    assert worker().outputs
