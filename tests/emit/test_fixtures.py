"""The tests that `+k8s:validation-gen-test-fixture` writes: run by pytest, as their users run them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.case_folders import CASES, Case
from validation_gen.compiler.pipeline import Settings, build_files, build_program
from validation_gen.runtime import shapes
from validation_gen.runtime.fixtures import FILE, UPDATE, GoRandom, check_validate_false, found_arguments, sample

CASE = Case(CASES / "directive-test-fixture")
WANTED = CASE.path / "v1" / "testdata" / FILE
PACKAGE = "example.com/cases/directive-test-fixture/v1"
TEST = "directive_test_fixture/test_v1.py"


@pytest.fixture
def expected(tmp_path: Path) -> Path:
    """The file of a test that lies among the files of a generated package."""
    for name, text in CASE.files().items():
        file = tmp_path / "generated" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    file = (tmp_path / "generated" / TEST).parent / "testdata" / "v1" / FILE
    file.parent.mkdir(parents=True)
    file.write_bytes(WANTED.read_bytes())
    return file


def _pytest(directory: Path, **environ: str) -> tuple[int, str]:
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--basetemp", "temporary", "generated"],
        cwd=directory,
        env={**os.environ, "PYTHONPATH": str(root), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **environ},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_pytest_finds_the_test_and_runs_it(tmp_path: Path, expected: Path) -> None:
    code, said = _pytest(tmp_path)
    assert (code, "1 passed" in said) == (0, True), said
    content = json.loads(WANTED.read_bytes())
    content["*v1.TrainSpec"]["name"].append("surplus")
    expected.write_text(json.dumps(content), encoding="utf-8")
    code, said = _pytest(tmp_path)
    assert (code, "1 failed" in said) == (1, True), said
    assert '-    "surplus"' in said
    assert "runtime/fixtures.py" not in said, "there is nothing to see for a user"
    assert _pytest(tmp_path, **{UPDATE: "true"})[0] == 0
    assert expected.read_bytes() == WANTED.read_bytes()


def _check(expected: Path, names: tuple[str, ...] = ("StopsSpec", "TrainSpec")) -> str:
    test = expected.parents[2] / "test_v1.py"
    try:
        check_validate_false(CASE.registry(), PACKAGE, names, str(test))
    except AssertionError as error:
        return str(error)
    return ""


def test_a_file_that_is_not_there(expected: Path) -> None:
    expected.unlink()
    assert _check(expected) == f"{expected} is not there; to make it, run pytest with {UPDATE}=true in the environment"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "is not JSON"),
        ("\udcff", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "must hold an object with a member for each type"),
        ('{"*v1.TrainSpec": 1}', "*v1.TrainSpec is not as expected"),
    ],
)
def test_a_file_with_something_else(expected: Path, content: str, says: str) -> None:
    expected.write_bytes(content.encode(errors="surrogateescape"))
    assert says in _check(expected)


def test_types_that_only_one_side_has(expected: Path) -> None:
    assert "*v1.TrainSpec is expected, but has no validators" in _check(expected, ("StopsSpec",))
    expected.write_text("{}", encoding="utf-8")
    assert "*v1.StopsSpec is not expected" in _check(expected)


def test_files_that_cannot_be_read_or_written(expected: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected.unlink()
    expected.mkdir()
    assert "cannot read: Is a directory" in _check(expected)
    monkeypatch.setenv(UPDATE, "true")
    assert "cannot write: this is a link, or no regular file" in _check(expected)


def test_only_kinds_with_checks_are_tested() -> None:
    assert 'TYPES = ("StopsSpec", "TrainSpec")' in CASE.files()[TEST]
    found = found_arguments(CASE.registry(), PACKAGE, ("StopsSpec", "TrainSpec"))
    assert found == json.loads(WANTED.read_bytes())
    assert found["*v1.StopsSpec"] == {"": ["type StopsSpec"]}


def test_a_test_takes_no_name_of_a_module(tmp_path: Path) -> None:
    for name in ("v1", "test_v1"):
        (tmp_path / "a" / name).mkdir(parents=True)
        text = "// +k8s:validation-gen=*\n// +k8s:validation-gen-test-fixture=validateFalse\npackage p\n"
        (tmp_path / "a" / name / "doc.go").write_text(text, encoding="utf-8")
        text = "package p\ntype T struct {\n\t// +k8s:required\n\tA string\n}\n"
        (tmp_path / "a" / name / "types.go").write_text(text, encoding="utf-8")
    (tmp_path / "go.mod").write_text("module example.com/m\n", encoding="utf-8")
    files = build_files(build_program(Settings((str(tmp_path),))).program)
    names = {"__init__.py", "v1.py", "test_v1.py", "test_v1_.py", "test_test_v1.py"}
    assert files.keys() == {"__init__.py", *(f"a/{name}" for name in names)}


# --- samples --------------------------------------------------------------------------------------------------------


def test_random_numbers_are_those_of_go() -> None:
    random = GoRandom(1)
    assert [random.intn(100) for _ in range(10)] == [81, 87, 47, 59, 81, 18, 25, 40, 56, 0]


#: What upstream's filler makes of these fields, compiled by Go.
SAMPLE = {
    "bytes": "8vY=",
    "time": "2143-09-09T23:01:03Z",
    "pointerToTime": None,
    "microTime": "2737-05-05T23:22:33.422456Z",
    "duration": "857540h9m30.012614608s",
    "quantity": "0",
    "intOrString": [1879208024, 649801091],
    "int8": 45,
    "uint16": {"56": 42709, "93": 41188},
    "bool": [True, False],
    "float": 0.9414617908105306,
    "string": "!Ǫ",
}


def test_a_sample_of_every_shape() -> None:
    fields = {
        "bytes": shapes.BYTES,
        "time": shapes.TIME,
        "pointerToTime": shapes.Pointer(shapes.TIME),
        "microTime": shapes.MICROTIME,
        "duration": shapes.Pointer(shapes.DURATION),
        "quantity": shapes.QUANTITY,
        "intOrString": shapes.ListOf(shapes.INT_OR_STRING),
        "int8": shapes.INT8,
        "uint16": shapes.MapOf(shapes.UINT16, shapes.INT8),
        "bool": shapes.ListOf(shapes.BOOL),
        "float": shapes.FLOAT,
        "string": shapes.STRING,
    }
    everything = shapes.Struct("Everything")
    everything.define(fields)
    found = sample(everything)
    assert everything.problems(found) == []
    assert found == SAMPLE
    assert sample(shapes.Pointer(shapes.GOTIME)) == sample(shapes.GOTIME) != sample(shapes.Pointer(shapes.BYTES))
    assert sample(shapes.ANY) is None


def test_a_sample_ends_at_a_depth() -> None:
    node = shapes.Struct("Node")
    node.define({"next": shapes.Pointer(node), "name": shapes.STRING})
    found, names = sample(node), []
    while found is not None:
        names.append(found["name"])
        found = found["next"]
    assert names == ["", "袢捺悲ȅ-@烱ęssĂZ稈V噘¢>", "屃裂ÀYǎ3g成oɜH偩j", "ũ桑I朻 9铃]3g!fȺ苬ĥ", ""], "as Go has them"
