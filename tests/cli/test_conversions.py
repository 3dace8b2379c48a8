"""`validation-gen crd test-conversion` and `crd new-conversion`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import HOME, Program
from tests.commands.conversions.definitions import INTEGER, STRING, written

CRD = written(v1={"size": INTEGER, "model": STRING}, v2={"length": INTEGER, "model": STRING, "dock": STRING})
RIGHT = """\
from validation_gen.webhooks.conversions import Conversion, FieldOnlyIn, Rename

ROBOT = Conversion("v1", "v2", kind="Robot", moves=[Rename("spec.size", "length"), FieldOnlyIn("v2", "spec.dock")])
"""
WRONG = RIGHT.replace(', FieldOnlyIn("v2", "spec.dock")', "")
SAMPLE = HOME / "testdata" / "apis"


@pytest.fixture
def robots(program: Program) -> Program:
    program.write({"robots.yaml": CRD, "right.py": RIGHT, "wrong.py": WRONG})
    return program


def test_conversions_that_are_right(robots: Program) -> None:
    done = robots("crd", "test-conversion", "robots.yaml", "--with", "right.py", "--cases", "40")
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "Robot v1 -> v2 -> v1: 40 objects, no problem\n"
        "Robot v2 -> v1 -> v2: 40 objects, no problem\n"
        "  kept in the annotation: spec.dock\n"
    )
    assert {name for name in robots.files() if "__pycache__" not in name} == {"right.py", "robots.yaml", "wrong.py"}


def test_what_is_lost_is_told_in_each_format(robots: Program) -> None:
    check = ("crd", "test-conversion", "robots.yaml", "--with", "wrong.py", "--cases", "40")
    done = robots(*check)
    assert done.code == 1
    assert (
        'error[VG640]: Robot from v2 to v1: spec.dock is not a field of v1, so that servers drop it, such as "", in '
        in done.out
    )
    assert '"spec": {"dock": ""}' in done.out
    assert 'help: move it, or declare FieldOnlyIn("v2", "spec.dock")' in done.out
    assert "Robot v2 -> v1 -> v2: 40 objects, 1 problem\n" in done.out
    found = json.loads(robots(*check, "--format", "json").out)
    assert found["summary"] == {"ways": 2, "failed": 1, "objects": 80, "problems": 1}
    (problem,) = found["ways"][1]["problems"]
    assert (problem["code"], problem["field"], problem["example"]["spec"]) == ("VG640", "spec.dock", {"dock": ""})
    (line,) = robots(*check, "--format", "github").out.splitlines()
    assert line.startswith("::error file=wrong.py,")
    assert robots(*check, "--format", "junit").out.startswith("<?xml")
    assert json.loads(robots(*check, "--format", "sarif").out)["runs"][0]["results"][0]["ruleId"] == "VG640"
    assert len(robots(*check, "--format", "jsonl").out.splitlines()) == 2


def test_other_seeds_draw_other_objects(robots: Program) -> None:
    check = ("crd", "test-conversion", "robots.yaml", "--with", "wrong.py", "--cases", "300", "--format", "json")
    first, again, other = (robots(*check, "--seed", seed).out for seed in ("1", "1", "2"))
    assert first == again != other


def test_a_function_is_named_by_its_place(robots: Program) -> None:
    head = "from validation_gen.webhooks.conversions import converts\n\n\n"
    text = head + '@converts("{}", "{}", kind="Robot")\ndef f(robot):\n    {}\n'
    robots.write(
        {"up.py": text.format("v1", "v2", "raise ValueError(robot)"), "down.py": text.format("v2", "v1", "pass")}
    )
    robots.write({"both.py": "from up import f as up\nfrom down import f as down\nprint('noise')\n"})
    done = robots("crd", "test-conversion", "robots.yaml", "--with", "both.py", "--cases", "5", "--format", "concise")
    assert done.code == 1
    assert done.out.startswith(
        "both.py: error VG642 the conversion of Robot from v1 to v2 failed: ValueError at up.py:6 ({"
    )
    assert "noise" in done.err
    assert "noise" not in done.out
    done = robots("crd", "test-conversion", "robots.yaml", "--with", "up.py", "--cases", "5")
    assert done.code == 2
    assert "up.py: there is no way of Robot from v2 to v1\n" in done.err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("import nothing_of_the_kind\n", "wrong.py cannot be imported: ModuleNotFoundError: No module named 'nothing_"),
        ("x = (\n", "wrong.py cannot be imported: SyntaxError"),
        ("raise SystemExit(5)\n", "wrong.py cannot be imported: SystemExit: 5"),
        ("x = 5\n", "wrong.py: wrong has no conversions"),
        (
            "from validation_gen.webhooks.conversions import Move\n\nMove('spec.a', 'spec.a')\n",
            "spec.a does not move\n --> wrong.py:3:1\n",
        ),
        (RIGHT.replace("Robot", "Crane"), "none of the conversions is of a kind with several versions here"),
        (RIGHT.replace('"v2", kind', '"v3", kind').replace('"v2", "spec', '"v3", "spec'), "none of the conversions is"),
    ],
)
def test_a_module_that_cannot_be_used_is_told(robots: Program, text: str, told: str) -> None:
    robots.write({"wrong.py": text})
    done = robots("crd", "test-conversion", "robots.yaml", "--with", "wrong.py")
    assert done.code == 2
    assert told in done.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["robots.yaml", "--with", "rihgt.py"], "there is no file rihgt.py"),
        (["nothing.yaml", "--with", "right.py"], "nothing.yaml"),
        (["robots.yaml", "--with", "right.py", "--kind", "Robto"], "there is no kind Robto with several versions"),
        (["robots.yaml", "--with", ""], "--with"),
        (["robots.yaml", "--with", "right.py", "--cases", "0"], "--cases"),
        (["robots.yaml"], "--with"),
        (["-", "--with", "right.py", "--write-test", "test.py"], "a test cannot read - again"),
    ],
)
def test_arguments_that_are_wrong_are_told(robots: Program, arguments: list[str], told: str) -> None:
    done = robots("crd", "test-conversion", *arguments)
    assert done.code == 2
    assert told in done.err


def test_types_and_kinds_can_be_chosen(robots: Program) -> None:
    sample = HOME / "tests" / "webhooks" / "conversions" / "sample.py"
    arguments = ("--with", sample, "--kind", "Robot", "--cases", "40")
    done = robots("crd", "test-conversion", SAMPLE, *arguments)
    assert done.code == 0
    assert "Robot v1 -> v1beta1 -> v1: 40 objects, no problem" in done.out


SHELVES = '''\
"""Shelves of a shop.

+groupName=shop.example.com
"""

from dataclasses import dataclass
from typing import Annotated

from validation_gen.tags import MaxLength, Minimum, Optional, Required
from validation_gen.types import Int32
from validation_gen.types.meta import ObjectMeta, TypeMeta


@dataclass(kw_only=True)
class ShelfSpec:
    aisle: Annotated[str, Required(), MaxLength(5)]
    levels: Annotated[int, Int32, Optional(), Minimum(1)] | None = None


@dataclass(kw_only=True)
class Shelf(TypeMeta):
    metadata: ObjectMeta
    spec: ShelfSpec
'''


def test_python_classes_are_types_too(program: Program) -> None:
    program.write({"shop/v1.py": SHELVES, "shop/v2.py": SHELVES.replace("levels:", "shelf_levels:")})
    new = program("crd", "new-conversion", "shop", "--kind", "Shelf", "--from", "v1", "--to", "v2", "-o", "shelf.py")
    assert (new.code, new.err) == (0, "")
    assert 'Rename("spec.levels", "shelfLevels"),' in program.files()["shelf.py"].decode()
    done = program("crd", "test-conversion", "shop", "--with", "shelf.py", "--cases", "30")
    assert (done.code, done.out.count("30 objects, no problem")) == (0, 2)


# --- tests -----------------------------------------------------------------------------------------------------------


@pytest.mark.process
def test_the_test_that_is_written_does_the_same(robots: Program) -> None:
    check = ("crd", "test-conversion", "robots.yaml", "--cases", "20", "--write-test", "tests/test_robots.py")
    assert robots(*check, "--with", "right.py").code == 0
    text = robots.files()["tests/test_robots.py"].decode()
    assert text.startswith("# Code generated by validation-gen. DO NOT EDIT.\n")
    assert '    HERE / "../right.py",\n' in text
    assert _pytest(robots.directory / "tests").returncode == 0
    assert robots(*check, "--with", "wrong.py", "--kind", "Robot", "--seed", "7").code == 1
    text = robots.files()["tests/test_robots.py"].decode()
    assert '    kinds=[\n        "Robot",\n    ],\n    cases=20,\n    seed=7,\n' in text
    failed = _pytest(robots.directory / "tests")
    assert failed.returncode == 1
    assert "spec.dock is not a field of v1, so that servers drop it" in failed.stdout
    assert "1 failed, 1 passed" in failed.stdout


def _pytest(directory: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."]
    environ = {"PYTHONPATH": str(HOME), "PATH": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(command, cwd=directory, env=environ, capture_output=True, text=True, check=False)


def test_a_file_of_others_is_not_replaced(robots: Program) -> None:
    robots.write({"test_mine.py": "assert True\n"})
    for arguments in (
        ("test-conversion", "robots.yaml", "--with", "right.py", "--cases", "5", "--write-test", "test_mine.py"),
        ("new-conversion", "robots.yaml", "--kind", "Robot", "--from", "v1", "--to", "v2", "--output", "test_mine.py"),
    ):
        done = robots("crd", *arguments)
        assert done.code == 2
        assert "VG903" in done.out + done.err
    assert robots.files()["test_mine.py"] == b"assert True\n"


# --- new -------------------------------------------------------------------------------------------------------------


def test_a_skeleton_is_printed_or_written_once(robots: Program) -> None:
    new = ("crd", "new-conversion", "robots.yaml", "--kind", "Robot", "--from", "v1", "--to", "v2")
    done = robots(*new)
    assert (done.code, done.err) == (0, "")
    assert 'FieldOnlyIn("v2", "spec.dock"),' in done.out
    written = robots(*new, "--output", "conversions/robot.py")
    assert (written.code, written.out) == (0, "")
    assert robots.files()["conversions/robot.py"].decode() == done.out
    robots.write({"conversions/robot.py": f"{done.out}# mine\n"})
    assert robots(*new, "--output", "conversions/robot.py").code == 2
    assert robots("crd", "test-conversion", "robots.yaml", "--with", "conversions/robot.py", "--cases", "9").code == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--kind", "Robto", "--from", "v1", "--to", "v2"], "did you mean Robot?"),
        (["--kind", "Robot", "--from", "v7", "--to", "v2"], "Robot has no version v7"),
        (["--kind", "Robot", "--from", "v1", "--to", "v1"], "v1 is named twice"),
        (["--kind", "Robot", "--from", "v1"], "--to"),
    ],
)
def test_a_skeleton_of_what_there_is_not_is_told(robots: Program, arguments: list[str], told: str) -> None:
    done = robots("crd", "new-conversion", "robots.yaml", *arguments)
    assert done.code == 2
    assert told in done.out + done.err


def test_kinds_of_the_same_name_are_told_apart_by_their_groups(robots: Program) -> None:
    robots.write({"others.yaml": CRD.replace("example.com", "example.org")})
    asked = ("crd", "new-conversion", "robots.yaml", "others.yaml", "--from", "v1", "--to", "v2", "--kind")
    done = robots(*asked, "Robot")
    assert done.code == 2
    assert "several groups have a kind Robot" in done.err
    assert "name one of Robot.example.com, Robot.example.org" in done.err
    done = robots(*asked, "Robot.example.org")
    assert done.code == 0
    assert 'group="example.org"' in done.out


def test_a_module_that_is_there_is_kept(robots: Program) -> None:
    done = robots(
        "crd", "new-conversion", "robots.yaml", "--kind", "Robot", "--from", "v1", "--to", "v2", "-o", "right.py"
    )
    assert done.code == 2
    assert "choose another place with --output;" in done.err
    assert robots.files()["right.py"] == RIGHT.encode()


def test_what_was_not_checked_for_what_is_wrong_is_no_problem(robots: Program) -> None:
    spec: dict[str, Any] = {"type": "object", "required": ["dock"], "properties": {"dock": STRING, "model": STRING}}
    spec["x-kubernetes-validations"] = [{"rule": "self.model != 'x'"}]
    robots.write({"robots.yaml": written(v1={"model": STRING}, v2=spec)})
    robots.write({"right.py": RIGHT.replace('Rename("spec.size", "length"), ', "")})
    done = robots("crd", "test-conversion", "robots.yaml", "--with", "right.py", "--cases", "5")
    assert "spec.dock is not valid in v2: Required value" in done.err + done.out
    assert "not checked" not in done.err + done.out
