"""Usage: what the program answers to arguments that it does not understand, and to questions about itself."""

from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tests.cli.conftest import Program
from tests.tables import each
from validation_gen.cli import main
from validation_gen.cli.app import COMMANDS as ALL_COMMANDS
from validation_gen.cli.app import GROUPS, RENAMED, app, arguments, replace_former_names
from validation_gen.runtime import native

COMMANDS = ("generate", "validate", "webhook stdio")


def run(*args: str) -> Result:
    """Runs the program in this process."""
    return CliRunner().invoke(app, arguments(list(args)))


@each(
    ("given", "meant"),
    [
        ([], []),
        (["./apis"], ["generate", "./apis"]),
        (["a", "b/..."], ["generate", "a", "b/..."]),
        (["-o", "out", "apis"], ["generate", "-o", "out", "apis"]),
        (["--quiet", "apis"], ["generate", "--quiet", "apis"]),
        (["--", "validate"], ["generate", "--", "validate"]),
        (["generate", "apis"], ["generate", "apis"]),
        (["validate", "apis"], ["validate", "apis"]),
        (["webhook", "stdio", "apis"], ["webhook", "stdio", "apis"]),
        (["./validate"], ["generate", "./validate"]),
        (["-h"], ["-h"]),
        (["--help"], ["--help"]),
        (["--version"], ["--version"]),
        ([""], ["generate", ""]),
    ],
)
def test_the_main_command_need_not_be_named(given: list[str], meant: list[str]) -> None:
    assert arguments(given) == meant


def test_names_of_the_release_before_have_a_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for old, new in RENAMED.items():
        group, name = new.split()
        assert name in GROUPS[group]
        assert replace_former_names([*old.split(), "apis"]) == [group, name, "apis"]
        assert replace_former_names(["--config", "x.toml", *old.split()]) == ["--config", "x.toml", group, name]
        assert capsys.readouterr().err == f"hint: `{old}` is now `{new}`\n" * 2
        assert replace_former_names([group, name, "apis"]) == [group, name, "apis"]
    (tmp_path / "serve").mkdir()
    assert replace_former_names(["serve"]) == ["serve"]
    assert capsys.readouterr().err == ""


def test_options_of_the_release_before_have_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    assert replace_former_names(["compare", "apis", "--objects", "a"]) == ["compare", "apis", "--filename", "a"]
    assert replace_former_names(["explain", "apis", "--object=a"]) == ["explain", "apis", "--filename=a"]
    assert replace_former_names(["stdio", "--objects"]) == ["webhook", "stdio", "--custom-objects"]
    assert replace_former_names(["validate", "--objects"]) == ["validate", "--objects"]
    told = [line for line in capsys.readouterr().err.splitlines() if "--" in line]
    assert told == [
        "hint: `--objects` is now `--filename`",
        "hint: `--object` is now `--filename`",
        "hint: `--objects` is now `--custom-objects`",
    ]


def test_an_old_command_runs(program: Program) -> None:
    done = program("crd", "check", "nowhere.yaml")
    assert (done.code, done.err.splitlines()[0]) == (2, "hint: `crd check` is now `crd lint`")
    done = program("monitoring")
    assert done.code == 2
    assert "`generate PATH --emit monitoring`" in " ".join(done.err.split())


def test_a_path_may_look_like_a_misspelt_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert arguments(["validte"]) == ["validte"]
    (tmp_path / "validte").mkdir()
    assert arguments(["validte"]) == ["generate", "validte"]


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help(flag: str) -> None:
    result = run(flag)
    assert result.exit_code == 0
    assert all(f"  {command} " in result.stdout for command in ALL_COMMANDS)
    assert "validation-gen PATH" in result.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_commands(command: str) -> None:
    result = run(*command.split(), "--help")
    assert result.exit_code == 0
    assert f"{command} [OPTIONS]" in result.stdout
    for option in ("--module", "--readonly-pkg", "--require-directive", "--target"):
        assert option in result.stdout


def test_version(program: Program) -> None:
    done = program("--version")
    assert (done.code, done.err) == (0, "")
    assert done.out == f"validation-gen {importlib.metadata.version('validation-gen')}\n"


@pytest.mark.parametrize("asked", [["--version", "-v"], ["--verbose", "--version"]])
def test_version_tells_how_validators_run(asked: list[str], program: Program) -> None:
    done = program(*asked)
    assert done.code == 0
    version, told = done.out.splitlines()
    assert version == f"validation-gen {importlib.metadata.version('validation-gen')}"
    assert told == f"validators run {native.told}"


@pytest.mark.parametrize(
    ("noted", "wanted"),
    [
        ({"validation_gen-9.9.dist-info": "Name: validation-gen\nVersion: 9.9\n"}, "9.9"),
        ({"validation_gen_more-9.9.dist-info": "Version: 9.9\n"}, ""),
        ({"validation_gen-9.9.dist-info": "Name: validation-gen\n"}, ""),
        ({}, ""),
    ],
)
def test_a_version_is_what_an_installer_has_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, noted: dict[str, str], wanted: str
) -> None:
    for name, text in noted.items():
        (tmp_path / "packages" / name).mkdir(parents=True)
        (tmp_path / "packages" / name / "METADATA").write_text(text, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "archive.zip"), str(tmp_path / "packages")])
    assert main._read_noted_version() == wanted


def test_no_arguments_give_the_help() -> None:
    result = run()
    assert result.exit_code in (0, 2)  # older releases of typer hold it for a success
    assert "Usage:" in result.output
    assert "generate" in result.output


@each(
    ("args", "words"),
    [
        (["generate"], ["Missing argument", "PATH"]),
        (["validate", "apis"], ["Missing option", "--filename"]),
        (["validate"], ["Missing option", "--filename"]),
        (["webhook", "stdio"], ["Missing argument", "PATH"]),
        (["validte", "apis"], ["no command or path", "validte", "validate"]),
        (["genrate", "apis"], ["no command or path", "genrate", "generate"]),
        (["apis", "--outputdir", "x"], ["No such option", "--outputdir", "--output-dir"]),
        (["apis", "--nope"], ["No such option", "--nope"]),
        (["validate", "apis", "-f", "x", "--option"], ["--option", "requires an argument"]),
        (["apis", "-o"], ["-o", "requires an argument"]),
        (["apis", "--format", "yaml"], ["--format", "yaml", "full", "concise", "json"]),
        (["apis", "--format", ""], ["--format", "full", "concise", "json"]),
        (["apis", "--target", "1.2"], ["--target", "1.2", "1.37"]),
        (["apis", "--quiet=maybe"], ["--quiet"]),
        (["apis", "--module", "k8s.io/api"], ["--module", "k8s.io/api", "IMPORT=DIR"]),
        (["apis", "--module", "=."], ["--module", "IMPORT=DIR"]),
        (["apis", "--module", "k8s.io/api="], ["--module", "IMPORT=DIR"]),
        (["apis", "--module", ""], ["--module", "IMPORT=DIR"]),
        (["apis", "--module", "k8s.io/api=nowhere"], ["--module", "nowhere", "not a directory"]),
        (["apis", "--module", f"k8s.io/api={'x' * 5000}"], ["--module", "not a directory"]),
        (["apis", "--module", f"k8s.io/api={__file__}/x"], ["--module", "not a directory"]),
        ([""], ["PATH", "empty"]),
        (["apis", "-o", ""], ["--output-dir", "empty"]),
        (["apis", "--custom-validations", ""], ["empty"]),
        (["apis", "--readonly-pkg", ""], ["--readonly-pkg", "empty"]),
        (["validate", "apis", "-f", ""], ["--filename", "empty"]),
        (["validate", "apis", "-f", "x", "--old", ""], ["--old", "empty"]),
        (["coverage", "apis", "--tests", ""], ["--tests", "empty"]),
        (["coverage", "apis", "--tests", "x", "--allow", ""], ["--allow", "empty"]),
        (["validate", "apis", "-f", "-", "--old", "-"], ["--old", "standard input"]),
        (["validate", "apis", "-f", "-", "-f", "-"], ["--filename", "standard input is named twice"]),
        (["validate", "apis", "-f", "-,a.yaml,-"], ["--filename", "standard input is named twice"]),
        (["validate", "apis", "-f", "x", "--old", "-", "--old", "-"], ["--old", "standard input is named twice"]),
        (["crd", "lint", "-", "-"], ["FILE", "standard input is named twice"]),
        (["coverage", "apis", "--tests", "-", "--tests", "-"], ["--tests", "standard input is named twice"]),
        (
            ["compare", "apis", "--handwritten", "x", "--filename", "-", "--filename", "-"],
            ["--filename", "named twice"],
        ),
        (["compare", "apis", "--handwritten", "x", "--filename", "-", "--old", "-"], ["--old", "--filename already"]),
        (["validate", "apis", "-f", "x", "--option", "A=yes"], ["--option", "A=yes", "NAME=true"]),
        (["validate", "apis", "-f", "x", "--option", "=true"], ["--option", "NAME=true"]),
        (["validate", "apis", "-f", "x", "--option", ""], ["--option", "NAME=true"]),
        (["validate", "apis", "-f", "x", "--option", "A=true=false"], ["--option", "NAME=true"]),
    ],
)
def test_usage_errors(args: list[str], words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*args)
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    assert "Error: " in result.stderr
    for word in words:
        assert word in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_values_of_options(project: Program) -> None:
    """Every spelling of a switch, and a switch that is given twice."""
    project.write(
        {"a.yaml": "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec: {name: a, glitter: much}\n"}
    )
    verdicts = {
        ("Glitter",): 0,
        ("Glitter=true",): 0,
        ("Glitter=TRUE",): 0,
        ("Glitter=false",): 1,
        ("Glitter=true", "Glitter=false"): 1,
        ("Glitter=false", "Glitter=true"): 0,
        ("Other=true", "Glitter=true"): 0,
        ("Other=true",): 1,  # an option that the request does not define
        ("glitter=true",): 1,
    }
    for values, code in verdicts.items():
        options = [arg for value in values for arg in ("--option", value)]
        assert run("validate", "apis", "-f", "a.yaml", *options).exit_code == code, values


def test_an_interruption_is_one_whatever_comes_of_it() -> None:
    """Python's own locks are not safe from it: "release unlocked lock" is all that is left then."""

    def lock() -> None:
        try:
            raise KeyboardInterrupt
        finally:
            raise RuntimeError("release unlocked lock")

    with pytest.raises(RuntimeError) as caught:
        lock()
    assert main._is_interruption(caught.value)
    assert not main._is_interruption(RuntimeError("another"))
