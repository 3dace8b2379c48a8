"""A directory that holds what was generated from other sources: nothing of theirs is removed or written over."""

from __future__ import annotations

import shutil

import pytest

from tests.cli.conftest import DOC, TYPES, Program
from tests.program import invoke

SECOND = {
    "second/go.mod": "module example.org/second\n",
    "second/boxes/v1/doc.go": DOC.replace("example.com", "example.org"),
    "second/boxes/v1/types.go": TYPES.replace("Thing", "Box"),
}


def run(*args: str) -> tuple[int, str, str]:
    result = invoke(args)
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize("command", [["generate"], ["check"], ["generate", "--diff"]])
def test_validators_of_another_api_stay(project: Program, command: list[str]) -> None:
    project.write(SECOND)
    assert run("generate", "apis")[0] == 0
    before = project.files("generated")
    code, _, err = run(*command, "second")
    assert code == 2
    assert "error[VG903]: the validators there are of another API (example.com/m/apis/things/v1)" in err
    assert "--output-dir" in err
    assert project.files("generated") == before


def test_both_in_one_run_share_a_directory(project: Program) -> None:
    project.write(SECOND)
    run("generate", "apis")
    assert run("generate", "apis", "second")[0] == 0
    assert {"things/v1.py", "boxes/v1.py"} <= set(project.files("generated"))


def test_a_new_version_is_the_same_api(project: Program) -> None:
    run("generate", "apis")
    shutil.move(project.directory / "apis/things/v1", project.directory / "apis/things/v2alpha1")
    code, out, _ = run("generate", "apis")
    assert code == 0
    assert "1 removed" in out


def test_definitions_of_other_groups_stay(project: Program) -> None:
    project.write(SECOND)
    run("crd", "generate", "apis")
    before = project.files("crds")
    assert len(before) == 1
    code, out, _ = run("crd", "generate", "second")
    assert (code, "removed" in out) == (0, False)
    assert before.items() < project.files("crds").items()
    assert run("crd", "generate", "apis", "--check")[0] == 0
    project.write({"apis/things/v1/types.go": TYPES.replace("Thing", "Other")})
    assert "1 removed" in run("crd", "generate", "apis")[1]
    assert len(project.files("crds")) == 2


def test_documents_of_other_groups_stay(project: Program) -> None:
    project.write(SECOND)
    run("openapi", "apis", "-o", "out")
    before = project.files("out")
    assert run("openapi", "second", "-o", "out")[0] == 0
    assert before.items() < project.files("out").items()


def test_a_module_with_a_name_now_is_the_same_api(project: Program) -> None:
    (project.directory / "go.mod").rename(project.directory / "no.mod")
    assert run("generate", "apis")[0] == 0
    (project.directory / "no.mod").rename(project.directory / "go.mod")
    assert run("generate", "apis")[0] == 0


def test_a_directory_of_the_same_name_is_no_same_api(project: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    (project.directory / "go.mod").unlink()
    project.write({"second/v1/doc.go": SECOND["second/boxes/v1/doc.go"]})
    project.write({"second/v1/types.go": SECOND["second/boxes/v1/types.go"]})
    monkeypatch.chdir(project.directory / "apis/things")
    assert run("generate", "v1", "-o", "../../out")[0] == 0
    monkeypatch.chdir(project.directory / "second")
    code, _, err = run("generate", "v1", "-o", "../out")
    assert (code, "of another API" in err) == (2, True)
