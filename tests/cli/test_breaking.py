"""`validation-gen breaking`: exit codes, formats, and what people see."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from tests.cli.conftest import TYPES, Program

_WHO = {f"GIT_{who}_{what}": "t@example.com" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


def _git(project: Program, *args: str) -> None:
    environ = os.environ | _WHO | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(["git", *args], cwd=project.directory, env=environ, check=True, capture_output=True)


@pytest.fixture
def repository(project: Program) -> Program:
    """The API of the tests as a commit with the tag v1.0.0."""
    _git(project, "init", "--quiet")
    _git(project, "add", "--all")
    _git(project, "commit", "--quiet", "--message=one")
    _git(project, "tag", "v1.0.0")
    return project


def _change(project: Program, old: str, new: str) -> None:
    assert old in TYPES
    project.write({"apis/things/v1/types.go": TYPES.replace(old, new)})


def test_nothing_has_changed(repository: Program) -> None:
    done = repository("breaking", "apis", "--against", "git:v1.0.0")
    assert (done.code, done.err) == (0, "")
    assert done.out == "1 kind: 0 breaking, 0 dangerous, 0 safe\n"


def test_a_rule_is_tightened(repository: Program) -> None:
    _change(repository, "maxLength=5", "maxLength=4")
    done = repository("breaking", "apis", "--against", "git:v1.0.0")
    assert done.code == 1
    assert done.out == "1 kind: 1 breaking, 0 dangerous, 0 safe\n"
    assert done.err == (
        "error[VG705]: example.com/v1 Thing spec.name: maxLength is 4, it was 5\n"
        "  --> apis/things/v1/types.go:16:5\n"
        "   |\n"
        "16 |     // +k8s:maxLength=4\n"
        "   |        ^^^^^^^^^^^^^^^^\n"
        "   |\n"
        "note: in the old state it is here\n"
        "  --> v1.0.0:apis/things/v1/types.go:16:5\n"
        "   = note: stored objects that break it stay valid until this value changes\n"
        "   = help: keep the old rule in this version, or be sure that no object breaks the new one\n"
        "1 error\n"
    )


def test_warnings_do_not_fail(repository: Program) -> None:
    _change(repository, "Count *int32", "Count *int64")
    done = repository("breaking", "apis", "--against", "git:v1.0.0", "--quiet")
    assert (done.code, done.out) == (0, "")
    assert done.err.startswith("warning[VG704]: example.com/v1 Thing spec.count: the type is int64, it was int32\n")


def test_what_is_safe_is_shown_on_demand(repository: Program) -> None:
    _change(repository, "maxLength=5", "maxLength=6")
    args = ("breaking", "apis", "--against", "git:v1.0.0")
    done = repository(*args)
    assert (done.code, done.err) == (0, "")
    assert done.out == "1 kind: 0 breaking, 0 dangerous, 1 safe (--all shows them)\n"
    done = repository(*args, "--all")
    assert done.code == 0
    assert done.err.startswith("info[VG706]: example.com/v1 Thing spec.name: maxLength is 6, it was 5\n")
    assert done.err.endswith("\n1 info\n")


def test_concise_and_json(repository: Program) -> None:
    _change(repository, "maxLength=5", "maxLength=4")
    args = ("breaking", "apis", "--against", "git:v1.0.0", "--format")
    assert repository(*args, "concise").err.splitlines()[0] == (
        "apis/things/v1/types.go:16:5: error VG705 example.com/v1 Thing spec.name: maxLength is 4, it was 5 "
        "(keep the old rule in this version, or be sure that no object breaks the new one)"
    )
    done = repository(*args, "json")
    (record,) = json.loads(done.out)
    assert (record["code"], record["severity"], done.err) == ("VG705", "error", "")
    assert record["notes"][0]["file"] == "v1.0.0:apis/things/v1/types.go"


def test_the_environment_is_at_fault(repository: Program) -> None:
    done = repository("breaking", "apis", "--against", "git:v2.0.0")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error[VG910]: the repository has no revision v2.0.0\n")


@pytest.mark.parametrize("against", ["git:v1.0.0", "nowhere"])
@pytest.mark.parametrize("path", ["gone", "gone.yaml"])
def test_the_missing_argument_is_named(repository: Program, path: str, against: str) -> None:
    done = repository("breaking", path, "--against", against, "--format", "concise")
    assert (done.code, done.err.split(":")[0]) == (2, path)


def test_a_missing_old_state(repository: Program) -> None:
    done = repository("breaking", "apis", "--against", "gone.yaml", "--format", "concise")
    assert (done.code, done.err.split(" (")[0]) == (2, "gone.yaml: error VG910 there is no file or directory gone.yaml")


def test_sources_that_cannot_be_read_are_not_compared(repository: Program) -> None:
    repository.write({"apis/things/v1/types.go": "package v1\n\ntype Thing struct {\n"})
    done = repository("breaking", "apis", "--against", "git:v1.0.0")
    assert done.code == 1
    assert "VG101" in done.err
    assert "VG7" not in done.err


@pytest.mark.parametrize("args", [(), ("--against",), ("--against", "")])
def test_arguments_that_are_wrong(repository: Program, args: tuple[str, ...]) -> None:
    assert repository("breaking", "apis", *args).code == 2


def test_a_path_that_is_not_there(repository: Program) -> None:
    assert repository("breaking", "apsi", "--against", "git:v1.0.0").code == 2


def test_the_work_tree_stays_as_it_is(repository: Program) -> None:
    _change(repository, "maxLength=5", "maxLength=4")
    before = repository.files()
    repository("breaking", "apis", "--against", "git:v1.0.0")
    assert repository.files() == before
