"""`validation-gen generate --check`: says what would be written and removed, and touches nothing."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import TYPES, Done, Program
from tests.cli.test_generate import MODULES
from validation_gen.output import MARKER


def check(project: Program, *args: str) -> tuple[Done, list[str]]:
    """How `--check` ends, and the lines about files. Whatever it says, all files are as before."""
    before = _state(project.directory)
    done = project("generate", "apis", "--check", *args)
    assert _state(project.directory) == before
    return done, [line for line in done.out.splitlines() if line.split()[0] in ("missing", "stale", "extra")]


def _state(directory: Path) -> dict[str, tuple[object, ...]]:
    """All files, with what changes when somebody writes one."""
    return {
        str(path): (path.lstat().st_mtime_ns, path.lstat().st_ino, path.read_bytes() if path.is_file() else None)
        for path in directory.rglob("*")
    }


def test_up_to_date(project: Program) -> None:
    project("apis")
    done, lines = check(project)
    assert (done.code, done.err, lines) == (0, "", [])
    assert re.fullmatch(r"1 package, 2 types, 10 rules: 5 files up to date in generated \(\d+\.\d s\)\n", done.out)
    assert check(project, "--quiet")[0] == Done(0, "", "")
    assert check(project, "--format", "json")[0] == Done(0, "", "[]\n")


def test_missing(project: Program) -> None:
    done, lines = check(project)
    assert (done.code, done.err) == (1, "")
    assert lines == [f"missing generated/{name}" for name in sorted(MODULES)]
    assert "5 missing, 0 files up to date in generated" in done.out
    assert not (project.directory / "generated").exists()


def test_stale(project: Program) -> None:
    project("apis")
    project.write({"apis/things/v1/types.go": TYPES.replace("maxLength=5", "maxLength=6")})
    done, lines = check(project)
    assert (done.code, done.err, lines) == (1, "", ["stale generated/things/v1.py"])
    assert "1 stale, 4 files up to date" in done.out
    assert check(project, "--quiet")[0] == Done(1, "stale generated/things/v1.py\n", "")
    project("apis")
    assert check(project)[0].code == 0


def test_changed_by_hand(project: Program) -> None:
    project("apis")
    with (project.directory / "generated/things/v1.py").open("a") as file:
        file.write("# mine\n")
    (project.directory / "generated/meta/v1.py").write_text("")
    assert check(project)[1] == ["stale generated/meta/v1.py", "stale generated/things/v1.py"]


def test_extra(project: Program) -> None:
    project.write({"apis/others/v1/types.go": TYPES})
    project("apis")
    shutil.rmtree(project.directory / "apis/others")
    project.write({"generated/others/mine.py": "mine\n", "generated/kept/copy.py": f"{MARKER}\n"})
    done, lines = check(project)
    assert (done.code, done.err) == (1, "")
    assert lines == [
        "stale generated/__init__.py",
        "extra generated/others/__init__.py",
        "extra generated/others/v1.py",
    ]
    project("apis")  # does what was said
    assert check(project)[0].code == 0
    assert not (project.directory / "generated/others/v1.py").exists()
    assert (project.directory / "generated/others/mine.py").exists()


def test_extra_where_a_package_has_lost_its_beginning(project: Program) -> None:
    project("apis")
    inner = next(path for path in (project.directory / "generated").iterdir() if path.is_dir())
    module = next(path for path in inner.glob("*.py") if path.name != "__init__.py")
    shutil.copy(module, inner / "older.py")
    (inner / "__init__.py").unlink()
    _, lines = check(project)
    assert lines == [f"missing generated/{inner.name}/__init__.py", f"extra generated/{inner.name}/older.py"]
    project("apis")
    assert not (inner / "older.py").exists()


def test_what_is_in_the_way_is_what_writing_would_meet(project: Program) -> None:
    project.write({"generated/things/v1.py": "mine\n", "a file": "mine\n"})
    done, lines = check(project)
    assert done.code == 2
    assert "stale" not in done.out
    assert len(lines) == 4
    written = project("apis")
    assert (written.code, written.err) == (2, done.err)
    for place in ("a file", "a file/below"):
        done, lines = check(project, "--output-dir", place)
        assert (done.code, lines) == (2, [])
        assert "error[VG903]" in done.err


@pytest.mark.parametrize("source", [TYPES + "}", TYPES.replace("maxLength=5", "maxLength=")])
def test_errors_in_the_sources(project: Program, source: str) -> None:
    """They are told as ever, and nothing is extra, as nothing would be removed."""
    project.write({"apis/others/v1/types.go": TYPES})
    project("apis")
    project.write({"apis/others/v1/types.go": source})
    done, lines = check(project)
    assert done.code == 1
    assert not [line for line in lines if line.startswith("extra")]
    assert project("apis").err == done.err != ""


def test_sources_that_cannot_be_read(project: Program) -> None:
    done = project("missing", "--check")
    assert (done.code, "error[VG902]" in done.err) == (2, True)


def test_with_a_harness(project: Program) -> None:
    named = '"example.com/m/apis/things/v1.Thing" = "fleet:validate"'
    project.write({"pyproject.toml": f"[tool.validation-gen.handwritten]\n{named}\n"})
    assert project("apis", "--emit", "harness").code == 0
    assert check(project, "--emit", "harness")[0].code == 0
    assert sorted(line.rpartition("/")[2] for line in check(project)[1]) == [
        "__init__.py",
        "test_things_v1.py",
        "things_v1.py",
        "things_v1_cases.json",
    ]
    cases = project.directory / "generated/harness/things_v1.py"
    cases.write_text(f"{cases.read_text()}# mine\n")
    assert check(project, "--emit", "harness")[1] == ["stale generated/harness/things_v1.py"]
