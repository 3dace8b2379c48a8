"""`validation-gen generate --check`: says what would be written and removed, and touches nothing."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import TYPES, Done, Program
from tests.cli.test_generate import MODULES
from validation_gen.compiler.emitters import EMITTERS
from validation_gen.emit.output import MARKER

STATES = {"VG801": "missing", "VG802": "stale", "VG803": "extra"}


def check(project: Program, *args: str) -> tuple[Done, list[str]]:
    """How `--check` ends, and which files are what. Whatever it says, all files are as before."""
    before = _state(project.directory)
    done = project("generate", "apis", "--check", *args)
    assert _state(project.directory) == before
    found = re.findall(r"^error\[(VG80\d)\].*\n +--> (.*?)(?::\d+:1)?$", done.err, re.M)
    return done, sorted(
        (f"{STATES[code]} {file}" for code, file in found), key=lambda line: ORDER.index(line.split()[0])
    )


ORDER = ["missing", "stale", "extra"]


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
    assert check(project, "--format", "json")[0] == Done(0, "[]\n", "")


def test_missing(project: Program) -> None:
    done, lines = check(project)
    assert done.code == 1
    assert lines == [f"missing generated/{name}" for name in sorted(MODULES)]
    assert "5 missing, 0 files up to date in generated" in done.out
    assert not (project.directory / "generated").exists()


def test_stale(project: Program) -> None:
    project("apis")
    project.write({"apis/things/v1/types.go": TYPES.replace("maxLength=5", "maxLength=6")})
    done, lines = check(project)
    assert (done.code, lines) == (1, ["stale generated/things/v1.py"])
    assert "1 stale, 4 files up to date" in done.out
    assert '_ThingSpec_name_maxLength = RULES.of("ThingSpec.name", "+k8s:maxLength=5")' in done.err
    short = check(project, "--quiet", "--format", "concise")[0]
    assert short == Done(
        1,
        "",
        "generated/things/v1.py:133:1: error VG802 a generated file is stale: from this line on it is not what the "
        "sources give (generate again, and commit the result)\n1 error\n",
    )
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
    assert done.code == 1
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
    project.write({"generated/things/v1.py": "mine\n", "a_file": "mine\n"})
    done, lines = check(project)
    assert done.code == 2
    assert "stale" not in done.out + done.err
    assert lines == []
    written = project("apis")
    assert written.code == 2
    assert written.err.removesuffix("1 error\n") in done.err
    for place in ("a_file", "a_file/below"):
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
    assert project("apis").err.removesuffix("1 error\n").strip() in done.err


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
    assert project("apis").code == 0  # a part of the package, which is no longer wanted
    assert not (project.directory / "generated/harness").exists()


# --- patches ---------------------------------------------------------------------------------------------------------


def git(project: Program, *args: str, stdin: str = "") -> str:
    done = subprocess.run(
        ["git", "-c", "user.name=n", "-c", "user.email=e@example.com", *args],
        cwd=project.directory,
        input=stdin,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.mark.parametrize("command", [("generate", "apis", "--diff"), ("check", "apis")])
def test_the_patch_does_what_generating_does(project: Program, command: tuple[str, ...]) -> None:
    """Also to files that git does not know, and to new ones."""
    git(project, "init", "-q")
    project.write({"apis/others/v1/types.go": TYPES})
    project("apis")
    git(project, "add", "apis", "go.mod")
    shutil.rmtree(project.directory / "apis/others")
    project.write({"apis/things/v1/types.go": TYPES.replace("maxLength=5", "maxLength=6")})
    project.write({"apis/more/v1/types.go": TYPES})
    before = _state(project.directory)
    done = project(*command)
    assert _state(project.directory) == before
    assert done.code == 1
    assert done.out.startswith("--- a/generated/__init__.py\n")
    assert '-_ThingSpec_name_maxLength = RULES.of("ThingSpec.name", "+k8s:maxLength=5")' in done.out
    assert "2 missing, 2 stale, 2 extra" in done.err
    git(project, "apply", stdin=done.out)
    patched = project.files("generated")
    project("apis")
    assert project.files("generated") == patched
    assert project(*command).out == ""
    assert project(*command).code == 0


def test_patches_without_the_list_of_findings(project: Program) -> None:
    project("apis")
    (project.directory / "generated/things/v1.py").write_text(f"{MARKER}\nno end")
    done = project("check", "apis", "--quiet", "--format", "concise")
    assert done.code == 1
    assert "-no end\n\\ No newline at end of file\n+" in done.out
    assert project("apis", "--check").out.endswith("s)\n")


@pytest.mark.parametrize("command", [("crd", "generate"), ("openapi",), ("jsonschema",)])
def test_schemas(project: Program, command: tuple[str, ...]) -> None:
    assert project(*command, "apis", "--check").err.count("VG801") == 1
    project(*command, "apis")
    done = project(*command, "apis", "--check")
    assert (done.code, done.err) == (0, "")
    assert "0 unchanged" not in done.out
    assert "1 up to date" in done.out
    project.write({"apis/things/v1/types.go": TYPES.replace("maxLength=5", "maxLength=6")})
    before = _state(project.directory)
    done = project(*command, "apis", "--diff")
    assert _state(project.directory) == before
    assert done.code == 1
    git(project, "init", "-q")
    git(project, "apply", stdin=done.out)
    assert project(*command, "apis", "--check").code == 0
    for path in project.directory.rglob("*.yaml"):
        path.rename(path.with_name("old.yaml"))
        done = project(*command, "apis", "--check", "--format", "concise")
        assert "old.yaml: error VG803" in done.err
        assert "VG801" in done.err


def test_manifests_of_people(project: Program) -> None:
    project("crd", "apis")
    manifest = next((project.directory / "crds").iterdir())
    mine = manifest.read_text().replace(f"{MARKER}\n", "# mine\n")
    manifest.write_text(mine)
    args = ("crd", "apis", "--patch-schemas", "crds")
    assert project(*args, "--check").code == 0
    project.write({"apis/things/v1/types.go": TYPES.replace("maxLength=5", "maxLength=6")})
    done = project(*args, "--check", "--diff")
    assert done.code == 1
    assert "the schemas in this manifest are stale" in done.err
    assert "-                maxLength: 5\n+                maxLength: 6\n" in done.out
    assert manifest.read_text() == mine
    project(*args)
    assert project(*args, "--check").code == 0


# --- several emitters ------------------------------------------------------------------------------------------------


def test_all_emitters_at_once(project: Program) -> None:
    emit = ["--emit", "crd=config/crd", "--emit", "openapi=api", "--emit", "jsonschema"]
    done = project("apis", *emit)
    assert (done.code, done.err) == (0, "")
    assert re.fullmatch(
        r"1 package, 2 types, 10 rules: 5 files written, 0 unchanged in generated; "
        r"1 definition: 1 written, 0 unchanged in config/crd; 1 document: 1 written, 0 unchanged in api; "
        r"1 schema: 1 written, 0 unchanged in \. \(\d+\.\d s\)\n",
        done.out,
    )
    together = project.files()
    for command in ("generate", "crd", "openapi", "jsonschema"):
        shutil.rmtree(project.directory / "schemas", ignore_errors=True)
        place = {"crd": "config/crd", "openapi": "api", "generate": "generated"}.get(command, ".")
        assert project(command, "apis", "--output-dir", place).code == 0
    assert project.files() == together
    assert project("check", "apis", *emit).code == 0
    next((project.directory / "config/crd").iterdir()).unlink()
    done = project("check", "apis", *emit)
    assert done.err.count("VG8") == 1
    assert "1 definition: 1 missing, 0 up to date in config/crd" in done.err


@pytest.mark.parametrize(
    ("emit", "says"),
    [
        (
            "crds",
            f"'crds' is none of {', '.join(name for name in EMITTERS if name != 'python')}; did you mean crd?",
        ),
        ("python", "python is always written; --output-dir says where"),
        ("crd=", "crd has no directory"),
        ("harness=here", "harness is a part of the package of validators"),
    ],
)
def test_wrong_emitters(project: Program, emit: str, says: str) -> None:
    done = project("apis", "--emit", emit)
    assert done.code == 2
    assert says in " ".join(done.err.split())


def test_kept_results_know_what_was_wanted(project: Program) -> None:
    args = ("apis", "--cache-dir", "kept")
    project(*args)
    project(*args, "--emit", "crd")
    first = project.files("crds")
    project(*args, "--emit", "crd", "--schema", "exact")
    assert project.files("crds") != first
    project(*args, "--emit", "crd")
    assert project.files("crds") == first
    assert len([*(project.directory / "kept").rglob("*.json")]) == 3
