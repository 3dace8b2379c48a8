"""`generate --emit harness`: what is written runs as it is, in a repository of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import black
import pytest

from tests import program
from tests.cli.conftest import HOME, Done

EXAMPLE = HOME / "testdata" / "migration"
FLEET = HOME / "testdata" / "apis"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A repository with the sources of the worked example, as they are after it."""
    take(tmp_path, "after")
    return tmp_path


def take(directory: Path, stage: str) -> None:
    shutil.copytree(EXAMPLE / stage / "apis", directory / "apis", dirs_exist_ok=True)
    shutil.copy(EXAMPLE / stage / "handwritten" / "validation.py", directory / "tables.py")
    name(directory, {"tables/v1.Reservation": "tables:validate"})


def name(directory: Path, functions: dict[str, str]) -> None:
    lines = [f'"{type}" = "{function}"\n' for type, function in functions.items()]
    (directory / "pyproject.toml").write_text("[tool.validation-gen.handwritten]\n" + "".join(lines))


def environ() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(HOME), "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1"}


def run(directory: Path, *arguments: str) -> Done:
    done = program.run(arguments, b"", directory, environ())
    assert b"Traceback" not in done.stderr, done.stderr
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def generate(directory: Path, *arguments: str) -> Done:
    return run(directory, "generate", "apis", "--emit", "harness", *arguments)


def run_tests(directory: Path) -> Done:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-W",
        "error",
        "--basetemp",
        "temporary",
        "generated",
    ]
    alone = {**environ(), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # what is written needs no plugin
    done = subprocess.run(command, cwd=directory, env=alone, capture_output=True, text=True, check=False)
    return Done(done.returncode, done.stdout, done.stderr)


def written(directory: Path) -> dict[str, bytes]:
    root = directory / "generated"
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}


def test_the_tests_pass_where_both_sides_agree(shop: Path) -> None:
    assert generate(shop).code == 0
    assert sorted(file for file in written(shop) if file.startswith("harness/")) == [
        "harness/__init__.py",
        "harness/tables_v1.py",
        "harness/tables_v1_cases.json",
        "harness/test_tables_v1.py",
    ]
    done = run_tests(shop)
    assert done.code == 0, done.out
    assert "skipped" not in done.out


def test_every_rule_has_a_request_on_each_side_of_it(shop: Path) -> None:
    generate(shop)
    cases = json.loads(written(shop)["harness/tables_v1_cases.json"])["cases"]
    assert len(cases) == 15
    assert all(case["breaks"] and case["obeys"] for case in cases)
    assert {case["rule"]["tag"] for case in cases} >= {"+k8s:maximum=20", "+k8s:immutable", '+k8s:listType="map"'}


def test_a_difference_fails_with_the_tag_to_blame(tmp_path: Path) -> None:
    take(tmp_path, "before")
    assert generate(tmp_path).code == 0
    done = run_tests(tmp_path)
    assert done.code == 1
    assert "the validators do not agree" in done.out
    assert "apis/v1/types.go" in done.out
    assert "+k8s:maximum=12" in done.out
    assert "test_both_sides_agree" in done.out


def test_a_second_run_changes_nothing_and_what_is_not_named_any_more_goes(shop: Path) -> None:
    generate(shop)
    before = written(shop)
    assert "0 files written" in generate(shop).out
    assert written(shop) == before
    run(shop, "generate", "apis")
    assert not [file for file in written(shop) if file.startswith("harness/")]


def test_what_is_written_needs_no_formatting(shop: Path) -> None:
    generate(shop)
    for file, content in written(shop).items():
        if file.endswith(".py"):
            text = content.decode()
            assert black.format_str(text, mode=black.Mode()) == text, file


def test_several_kinds_of_several_versions(tmp_path: Path) -> None:
    shutil.copytree(FLEET, tmp_path / "apis")
    (tmp_path / "checks").mkdir()
    (tmp_path / "checks" / "__init__.py").write_text("")
    (tmp_path / "checks" / "robots.py").write_text("def validate(obj):\n    return []\n")
    types = ("robots/v1.Robot", "robots/v1.RobotPool", "robots/v1beta1.Robot")
    name(tmp_path, dict.fromkeys(types, "checks.robots:validate"))
    assert generate(tmp_path, "--no-lint").code == 0
    files = written(tmp_path)
    assert {"harness/robots_v1.py", "harness/robots_v1beta1.py"} <= files.keys()
    kinds = {case["rule"]["type"] for case in json.loads(files["harness/robots_v1_cases.json"])["cases"]}
    assert kinds == {"example.com/fleet/robots/v1.Robot", "example.com/fleet/robots/v1.RobotPool"}
    program = (
        "from generated.harness.robots_v1 import harnesses\n"
        "from validation_gen.mismatch import FeatureGates\n"
        "found = harnesses(gates=FeatureGates('1.37'))\n"
        "robot = found['example.com/fleet/robots/v1.Robot']\n"
        "print(sorted(found), [e.field for e in robot.validate({'spec': {}})][:1])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(HOME), str(tmp_path)])},
        capture_output=True,
        text=True,
        check=True,
    )
    wanted = "['example.com/fleet/robots/v1.Robot', 'example.com/fleet/robots/v1.RobotPool'] ["
    assert done.stdout.startswith(wanted)
    assert "spec" in done.stdout.removeprefix(wanted)


@pytest.mark.parametrize(
    ("settings", "code", "told"),
    [
        ("", 2, "VG906"),
        ("[tool.validation-gen.handwritten]\n", 2, "no handwritten validator is named"),
        ('[tool.validation-gen.handwritten]\n"v1.Reservatoin" = "tables:validate"\n', 1, "pyproject.toml:2:1"),
        ('[tool.validation-gen.handwritten]\n"v1.Reservation" = "tables"\n', 2, "MODULE:FUNCTION"),
        ('[tool.validation-gen.handwriten]\n"v1.Reservation" = "tables:validate"\n', 2, "handwritten"),
        ("[tool.validation-gen\n", 2, "not TOML"),
    ],
)
def test_mistakes_in_the_settings_are_told(shop: Path, settings: str, code: int, told: str) -> None:
    (shop / "pyproject.toml").write_text(settings)
    done = generate(shop)
    assert done.code == code, done.err
    assert told in done.err
    assert not [file for file in written(shop) if file.startswith("harness/")]
