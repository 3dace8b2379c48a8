"""`validate --changed-since REF`: only files that differ from a revision, with their objects there as old ones."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.test_validate_definitions import run
from tests.cli.test_validate_revisions import _git, _write, repository

__all__ = ["repository"]

FIXED = 'spec.name: Invalid value: "two": fixed'


def _changed(*names: str, since: str = "v1", more: tuple[str, ...] = ()) -> tuple[int, str, str]:
    return run("crd.json", *(word for name in names for word in ("-f", name)), "--changed-since", since, *more)


def _commit(message: str) -> str:
    _git("add", "--all")
    _git("commit", "--quiet", f"--message={message}")
    return subprocess.run(["git", "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.parametrize("name", ["deploy", "deploy/eu/robot.json", "./deploy/", "deploy/**/*.json", "d*/**"])
def test_only_changed_files_are_checked(repository: Path, name: str) -> None:
    _git("checkout", "--quiet", "deploy")
    _write("deploy/eu/other.json", name="one", size=7)
    head = _commit("two")
    code, out, err = _changed(name, since="HEAD")
    assert (code, out) == (0, "")
    assert f"no file changed since HEAD (compared with commit {head[:12]})\n" in err
    _write("deploy/eu/robot.json", name="two", size=9)
    code, out, err = _changed(name, since="git:HEAD")
    assert (code, FIXED in out, "spec.size" in out) == (1, True, False)
    assert out.endswith("1 object: 0 valid, 1 invalid\n")
    assert "1 file changed since HEAD" in err


def test_new_renamed_and_deleted_files(repository: Path) -> None:
    _write("deploy/us/robot.json", name="one", size=9)
    os.remove("deploy/eu/robot.json")  # noqa: PTH107
    code, out, err = _changed("deploy")
    assert (code, "1 file changed since v1" in err, "1 deleted" in err) == (0, True, True)
    assert out == "1 object: 1 valid, 0 invalid\n"  # the size was wrong before, in the other file
    os.remove("deploy/us/robot.json")  # noqa: PTH107
    code, _, err = _changed("deploy", "deploy/eu/robot.json")
    assert (code, "no file changed since v1" in err) == (0, True)
    code, _, err = _changed("nowhere")
    assert (code, "cannot read: No such file" in err) == (2, True)
    code, _, err = _changed("deploy/*.txt")
    assert (code, "no file has a name of this pattern" in err) == (2, True)


def test_files_of_several_names_count_once(repository: Path) -> None:
    code, out, err = _changed("deploy", "deploy/eu", "./deploy/**/*.json")
    assert (code, "1 file changed since v1" in err) == (1, True)
    assert out.endswith("1 object: 0 valid, 1 invalid\n")
    os.remove("deploy/eu/robot.json")  # noqa: PTH107
    assert "no file changed since v1" in (err := _changed("deploy", "deploy/eu/")[2])
    assert "1 deleted" in err


def test_broken_files_are_repaired_and_deleted(repository: Path) -> None:
    Path("deploy/bad.yaml").write_text("kind: [Robot\n", encoding="utf-8")
    Path("deploy/empty.yaml").write_text("# later\n", encoding="utf-8")
    Path("deploy/lost.yaml").symlink_to("nowhere")
    _commit("two")
    Path("deploy/empty.yaml").write_bytes(Path("deploy/eu/robot.json").read_bytes())
    _write("deploy/bad.yaml", name="one", size=9)
    os.remove("deploy/lost.yaml")  # noqa: PTH107
    code, out, err = _changed("deploy", since="HEAD")
    assert (code, "deploy/bad.yaml:1: The Robot" in out, "2 objects: 0 valid" in out) == (1, True, True)
    assert "warning[VG905]: the old file cannot be read, so that its objects count as new: " in err
    assert ":deploy/bad.yaml:" in err
    assert "error" not in err
    assert "empty" not in err
    os.remove("deploy/bad.yaml")  # noqa: PTH107
    os.remove("deploy/empty.yaml")  # noqa: PTH107
    code, out, err = _changed("deploy", since="HEAD")
    assert (code, out, "VG9" in err, "2 deleted" in err) == (0, "", False, True)
    code, _, err = run("crd.json", "-f", "deploy", "--old", "git:HEAD")
    assert (code, "error[VG905]" in err) == (2, True)


def test_files_of_submodules(repository: Path) -> None:
    library = (repository.parent / "library").as_posix()
    Path("deploy/eu").rename("eu")
    _git("clone", "--quiet", ".", library)
    _git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "library")
    _commit("two")
    _write("library/deploy/eu/robot.json", name="two", size=9)
    code, out, err = _changed(".", since="HEAD")
    assert (code, FIXED in out, "spec.size" in out, "1 file changed" in err) == (1, True, False, True), err


def test_the_commit_in_common_counts(repository: Path) -> None:
    _git("checkout", "--quiet", "deploy")
    _git("checkout", "--quiet", "-b", "mine")
    _write("deploy/eu/mine.json", name="one", size=1)
    base = subprocess.run(["git", "rev-parse", "v1"], check=True, capture_output=True, text=True).stdout[:12]
    _commit("mine")
    _git("checkout", "--quiet", "-b", "theirs", "v1")
    _write("deploy/eu/robot.json", name="one", size=4)
    _commit("theirs")
    _git("checkout", "--quiet", "mine")
    code, _, err = _changed("deploy", since="theirs")
    assert (code, err) == (0, f"1 file changed since theirs (compared with commit {base})\n")


def test_ends_of_lines_are_no_change(repository: Path) -> None:
    text = Path("deploy/eu/robot.json").read_text(encoding="utf-8").replace(", ", ",\n")
    Path("deploy/eu/robot.json").write_bytes(text.encode())
    _commit("two")
    Path("deploy/eu/robot.json").write_bytes(text.replace("\n", "\r\n").encode())
    assert "no file changed" in _changed("deploy", since="HEAD")[2]


@pytest.mark.parametrize(
    ("names", "since", "more", "told"),
    [
        (["deploy"], "v9", (), "the repository has no revision v9"),
        (["deploy"], "", (), "the revision is empty"),
        (["deploy"], "-x", (), "'-x' is no revision"),
        (["-"], "v1", (), "standard input is in no revision"),
        (["deploy"], "v1", ("--old", "git:v1"), "it cannot be used with --old"),
        (["deploy"], "v1", ("--cluster", "local"), "it cannot be used with --cluster"),
        (["deploy", "../outside"], "v1", (), "is in another repository"),
        (["../outside"], "v1", (), "is in no git repository"),
        (["../outside"], "v1", (), "check all without --changed-since"),
        (["deploy"], "v9:x", (), "look at `git branch --all` and `git tag`\n"),
        (["deploy"], "v9", (), "git fetch origin v9\n"),
    ],
)
def test_mistakes(repository: Path, names: list[str], since: str, more: tuple[str, ...], told: str) -> None:
    Path("../outside").mkdir()
    code, _, err = _changed(*names, since=since, more=more)
    assert (code, told in err) == (2, True), err


def test_histories_without_a_common_commit(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _git("checkout", "--quiet", "--orphan", "other")
    _commit("other")
    code, _, err = _changed("deploy")
    assert (code, "HEAD and v1 have no commit in common" in err, "or use --old git:v1" in err) == (2, True, True)
    _git("checkout", "--quiet", "-B", "main", "v1", "--force")
    _write("deploy/eu/robot.json", name="one", size=3)
    _commit("two")
    _git("clone", "--quiet", "--depth=1", f"file://{repository.as_posix()}", "../shallow")
    monkeypatch.chdir("../shallow")
    code, _, err = _changed("deploy", since="HEAD~1")
    assert (code, "git fetch --unshallow\n" in err) == (2, True)
    _git("fetch", "--quiet", "--depth=1", "origin", "tag", "v1")
    code, _, err = _changed("deploy")
    assert (code, "git fetch --unshallow" in err) == (2, True)


def test_a_repository_starts_no_program(repository: Path) -> None:
    trap = repository / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {repository / 'sprung'}\ncat\n", encoding="utf-8")
    trap.chmod(0o755)
    Path(".gitattributes").write_text("* filter=trap diff=trap text\n", encoding="utf-8")
    for key in ("core.fsmonitor", "filter.trap.clean", "filter.trap.smudge", "diff.trap.textconv", "diff.external"):
        _git("config", key, str(trap))
    hooks = Path(".git/hooks")
    hooks.mkdir(exist_ok=True)
    for name in ("post-checkout", "post-index-change", "reference-transaction"):
        (hooks / name).write_text(f"#!/bin/sh\n{trap}\n", encoding="utf-8")
        (hooks / name).chmod(0o755)
    code, out, _ = _changed("deploy")
    assert (code, FIXED in out) == (1, True)
    assert not (repository / "sprung").exists()


def test_changed_rules_are_named(repository: Path) -> None:
    told = "types or definitions differ, too: validate without --changed-since to check all objects by them\n"
    assert told not in _changed("deploy")[2]
    text = Path("crd.json").read_text(encoding="utf-8")
    Path("crd.json").write_text(f"{text} ", encoding="utf-8")
    assert _changed("deploy")[2].endswith(told)
    Path("crds").mkdir()
    Path("crd.json").rename("crds/crd.json")
    assert run("crds", "-f", "deploy", "--changed-since", "v1")[2].endswith(told)
    _commit("two")
    assert told not in run("crds", "-f", "deploy", "--changed-since", "HEAD")[2]
    assert told not in run("crds", "-f", "deploy", "--changed-since", "HEAD", "--quiet")[2]


def test_new_rules_and_those_of_options_are_named(repository: Path) -> None:
    told = "types or definitions differ, too"
    Path("crds").mkdir()
    Path("crd.json").rename("crds/crd.json")
    Path("own.yaml").write_text("formats: []\n", encoding="utf-8")
    _commit("two")
    arguments = ("crds", "-f", "deploy", "--changed-since", "HEAD")
    Path("crds/README.md").write_text("Lamps\n", encoding="utf-8")
    Path("crds/.cache").mkdir()
    Path("crds/.cache/lamps.yaml").touch()
    assert told not in run(*arguments)[2]
    Path("crds/lamps.yaml").touch()
    assert told in run(*arguments)[2]
    Path("crds/lamps.yaml").unlink()
    assert told not in run(*arguments, "--validation-extensions-file", "own.yaml")[2]
    Path("own.yaml").write_text("formats: []  # none\n", encoding="utf-8")
    assert told in run(*arguments, "--validation-extensions-file", "own.yaml")[2]
    Path("own.py").touch()
    assert told in run(*arguments, "--custom-validations", "own.py")[2]
