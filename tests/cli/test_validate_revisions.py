"""`validate --old git:REF`: objects as a revision of the repository has them."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_validate_definitions import run
from tests.kubernetes.crd.schemas import definition
from tests.kubernetes.objects.answers import root

SPEC = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "x-kubernetes-validations": [{"rule": "self == oldSelf", "message": "fixed"}]},
        "size": {"type": "integer", "maximum": 5},
    },
}


def _git(*args: str) -> None:
    who = {f"GIT_{who}_{what}": "t@example.com" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    own = os.environ | who | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(["git", *args], env=own, check=True, capture_output=True)


def _write(name: str, /, **spec: Any) -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    obj = definition(root(SPEC))["spec"]
    version, kind = f"{obj['group']}/{obj['versions'][0]['name']}", obj["names"]["kind"]
    metadata = {"name": "talos", "namespace": "default"}
    text = json.dumps({"apiVersion": version, "kind": kind, "metadata": metadata, "spec": spec}).encode()
    path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A commit with a robot that has been renamed since."""
    here = tmp_path / "repository"
    here.mkdir()
    monkeypatch.chdir(here)
    Path("crd.json").write_text(json.dumps(definition(root(SPEC))))
    _write("deploy/eu/robot.json", name="one", size=9)
    _git("init", "--quiet", ".")
    _git("add", "--all")
    _git("commit", "--quiet", "--message=one")
    _git("tag", "v1")
    _write("deploy/eu/robot.json", name="two", size=9)
    return here


def _old(*names: str, old: str = "git:v1", more: tuple[str, ...] = ()) -> tuple[int, str, str]:
    return run("crd.json", *(word for name in names for word in ("-f", name)), "--old", old, *more)


@pytest.mark.parametrize(
    "name",
    ["deploy", "deploy/eu/robot.json", "./deploy/", "deploy/**/*.json", "deploy/*/robot.*", "d*/**", "**/r*.json"],
)
def test_paths(repository: Path, name: str) -> None:
    code, out, err = _old(name)
    assert (code, err) == (1, "")
    assert 'spec.name: Invalid value: "two": fixed' in out
    assert "spec.size" not in out  # it is wrong, and was so before


def test_absolute_paths_and_several_names(repository: Path) -> None:
    _write("deploy/us/robot.json", name="one")
    _git("add", "--all")
    _git("commit", "--quiet", "--message=two")
    code, out, _ = _old(str(repository / "deploy/eu"), old="git:HEAD~1")
    assert code == 1
    assert "fixed" in out
    assert "fixed" in _old("deploy/eu,crd.json", old="git:v1")[1]


def test_an_object_that_has_moved_is_an_update(repository: Path) -> None:
    Path("deploy/us").mkdir()
    Path("deploy/eu/robot.json").rename("deploy/us/robot.json")
    for name in ("deploy", "deploy/*/*.json"):
        assert "fixed" in _old(name)[1]


def test_directories_inside_count_unless_they_are_left_out(repository: Path) -> None:
    _write("deploy/robot.json", name="two")
    assert "fixed" in _old("deploy")[1]
    code, _, err = _old("deploy", more=("--no-recursive",))
    assert code == 2
    assert "there are no objects here" in err
    assert "v1:deploy" in err


def test_a_directory_of_a_revision_and_compressed_files(repository: Path) -> None:
    _write("past/new/robot.gz", name="one")
    _git("add", "--all")
    _git("commit", "--quiet", "--message=two")
    _write("new/robot.gz", name="two")
    assert "fixed" in _old("new/robot.gz", old="git:HEAD:past")[1]


def test_what_is_new_is_a_create(repository: Path) -> None:
    _write("new.json", name="two", size=9)
    code, out, err = _old("new.json")
    assert code == 1
    assert "spec.size" in out
    assert "v1 has no new.json, so all of it counts as new" in err


def test_what_is_malformed_there_has_its_place(repository: Path) -> None:
    new = Path("deploy/eu/robot.json").read_bytes()
    Path("deploy/eu/robot.json").write_text('{"kind": "Robot",\n "a" "b"}\n')
    _git("commit", "--quiet", "--all", "--message=two")
    Path("deploy/eu/robot.json").write_bytes(new)
    code, _, err = _old("deploy", old="git:HEAD")
    assert code == 2
    assert "HEAD:deploy/eu/robot.json:2" in err


@pytest.mark.parametrize(
    ("old", "message"),
    [
        ("git:nowhere", "the repository has no revision nowhere"),
        ("git:", "'' is no revision"),
        ("git:--output=x", "'--output=x' is no revision"),
        ("git:v1:nowhere", "v1 has no directory nowhere"),
        ("git:v1:../x", "../x is no directory of a revision"),
    ],
)
def test_no_such_revision(repository: Path, old: str, message: str) -> None:
    code, out, err = _old("deploy", old=old)
    assert code == 2
    assert "VG910" in err
    assert message in err
    assert "1 valid" not in out  # as a create it would be


def test_no_repository_and_another_one(repository: Path) -> None:
    away = repository.parent / "away/robot.json"
    _write(str(away), name="two")
    code, _, err = _old(str(away))
    assert code == 2
    assert "is in no git repository" in err
    assert "--old ../old" in err
    code, _, err = _old("deploy", str(away))
    assert code == 2
    assert "is in another repository than deploy" in err


def test_standard_input(repository: Path) -> None:
    code, _, err = run("crd.json", "-f", "-", "--old", "git:v1", stdin="{}")
    assert code == 2
    assert "standard input is in no revision" in err


def test_links_that_lead_out_are_left_out(repository: Path) -> None:
    secret = repository.parent / "secret.json"
    _write(str(secret), name="one")
    Path("deploy/eu/link.json").symlink_to(secret)
    Path("deploy/eu/robot.json").unlink()
    _git("add", "--all")
    _git("commit", "--quiet", "--message=two")
    Path("deploy/eu/link.json").unlink()
    _write("deploy/eu/link.json", name="two")
    code, out, err = _old("deploy", old="git:HEAD")
    assert code != 0
    assert "fixed" not in out
    assert "it leads out of the repository" in err
