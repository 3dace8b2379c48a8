"""Tests of rules as pytest collects and runs them, and coverage of rules, in processes of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import validation_gen
from tests.kubernetes.crd.schemas import definition
from tests.kubernetes.objects.answers import root
from tests.webhooks.asking import answer, body
from validation_gen.commands import pytestplugin
from validation_gen.commands.cel.suites.files import SUFFIXES
from validation_gen.commands.coverage.recording import Recorder
from validation_gen.compiler.pipeline import Settings, build_files, build_program
from validation_gen.emit.loading.generated import load_registry
from validation_gen.runtime.registry import Registry
from validation_gen.runtime.validator import Validator
from validation_gen.webhooks.validating import Validating, by_validators

HOME = Path(validation_gen.__file__).parents[1]
SPEC = {
    "type": "object",
    "properties": {"most": {"type": "integer"}},
    "x-kubernetes-validations": [{"rule": "self.most > 0", "message": "there is some"}],
}
CASES = """\
crd: ../crd.yaml
cases:
  - name: some
    object: {spec: {most: 1}}
    valid: true
  - name: none
    object: {spec: {most: 0}}
    valid: true
  - name: no file
    file: gone.yaml
    valid: true
"""


def run(directory: Path, *args: str) -> tuple[int, list[str]]:
    environ = {**os.environ, "PYTHONPATH": str(HOME), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    environ.pop("PYTEST_ADDOPTS", None)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "validation_gen.commands.pytestplugin",
        "-p",
        "no:cacheprovider",
        *args,
    ]
    done = subprocess.run(command, cwd=directory, env=environ, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout.splitlines()


@pytest.mark.process
def test_cases_are_tests(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "crd.yaml").write_text(yaml.safe_dump(definition(root(SPEC))), encoding="utf-8")
    (tmp_path / "tests" / "a.celtest.yaml").write_text(CASES, encoding="utf-8")
    (tmp_path / "tests" / "b.celtest.yaml").write_text("crd: gone.yaml\ncases: [{object: {}, valid: true}]\n")
    (tmp_path / "tests" / "c.celtest.yaml").write_text("cases: [{vaild: true}]\n", encoding="utf-8")
    (tmp_path / "tests" / "test_other.py").write_text("def test_other():\n    pass\n", encoding="utf-8")
    code, lines = run(tmp_path, "-v", "--continue-on-collection-errors")
    text = "\n".join(lines)
    assert code == 1
    assert "tests/a.celtest.yaml::some PASSED" in text
    assert "tests/test_other.py::test_other PASSED" in text
    at = lines.index("tests/a.celtest.yaml:6:11: none: failed")
    assert lines[at + 1] == "    there and not expected: spec: Invalid value: there is some"
    assert "error[VG912]: gone.yaml cannot be read: No such file or directory" in lines
    assert "--> tests/a.celtest.yaml:10:11" in text
    assert "--> tests/b.celtest.yaml:1:6" in text
    assert "error[VG912]: a case has no key vaild" in lines
    assert "Traceback" not in text
    assert "3 failed, 2 passed, 1 error" in lines[-1]


@pytest.mark.process
def test_nothing_is_imported_before_there_is_a_file() -> None:
    code = (
        "import sys, pytest; before = set(sys.modules); import validation_gen.commands.pytestplugin; "
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=HOME, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["validation_gen", "validation_gen.commands", "validation_gen.commands.pytestplugin"]


def test_the_names_of_files_are_those_of_the_command() -> None:
    assert pytestplugin.SUFFIXES == SUFFIXES


# --- coverage --------------------------------------------------------------------------------------------------------

TYPES = """\
// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Shelf struct {
	metav1.TypeMeta `json:",inline"`

	// +k8s:required
	// +k8s:maxLength=3
	Aisle string `json:"aisle"`
	// +k8s:optional
	// +k8s:maxItems=2
	// +k8s:eachVal=+k8s:minimum=1
	Levels []int `json:"levels"`
}
"""
TESTS = """\
import generated
import pytest

SHELF = {"apiVersion": "example.com/v1", "kind": "Shelf"}


@pytest.mark.parametrize("more", [{}, {"aisle": "long"}, {"aisle": "a", "levels": [1, 0]}, {"aisle": "a"}])
def test_shelves(more):
    assert bool(generated.validate(SHELF | more)) == (more != {"aisle": "a"})
"""
TOLD = "3 of 4 errors triggered (75.0%); 4 verdicts recorded, the report is in report.json"
MISSING = "missing: apis/v1/types.go:13:5  Shelf  levels  FieldValueTooMany  +k8s:maxItems=2"


def _write_types(directory: Path) -> None:
    (directory / "go.mod").write_text("module example.com/shop\n", encoding="utf-8")
    (directory / "apis" / "v1").mkdir(parents=True)
    (directory / "apis" / "v1" / "types.go").write_text(TYPES, encoding="utf-8")


@pytest.fixture
def shelves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry:
    _write_types(tmp_path)
    monkeypatch.chdir(tmp_path)
    return load_registry(build_files(build_program(Settings(("apis",))).program))


def test_verdicts_are_recorded_once_a_rule(shelves: Registry) -> None:
    shelf = {"apiVersion": "example.com/v1", "kind": "Shelf"}
    usual = Validator.__call__, Validator.run
    recorder = Recorder()
    recorder.start()
    try:
        for levels in ([0], [1, 0], [1]):
            shelves.validate({**shelf, "aisle": "a", "levels": levels})
        shelves.run(shelves.kinds[0], {**shelf, "levels": []}, subresource="/")
    finally:
        recorder.stop()
    shelves.validate({**shelf, "aisle": "long"})
    assert (Validator.__call__, Validator.run) == usual
    assert recorder.verdicts == 4
    known = {"apiVersion": "example.com/v1", "kind": "Shelf"}
    expected = [
        {**known, "errors": [{"type": "FieldValueRequired", "field": "aisle", "origin": ""}]},
        {**known, "errors": [{"type": "FieldValueInvalid", "field": "levels[0]", "origin": "minimum"}]},
    ]
    assert [json.loads(line) for line in recorder.lines()] == expected
    other = Recorder()
    other.add(recorder.verdicts, json.loads(json.dumps([*recorder.records.values()])))
    assert (other.verdicts, other.records) == (recorder.verdicts, recorder.records)


def test_verdicts_of_a_webhook_are_recorded(shelves: Registry) -> None:
    recorder = Recorder()
    recorder.start()
    try:
        endpoint = Validating(by_validators(shelves))
        shelf = {"apiVersion": "example.com/v1", "kind": "Shelf", "aisle": "long"}
        assert not answer(endpoint, body(shelf)).allowed
    finally:
        recorder.stop()
    assert [record[-2:] for record in recorder.records] == [("FieldValueTooLong", "maxLength")]


@pytest.mark.slow
@pytest.mark.parametrize("runtime", ["package", "vendored"])
def test_coverage_of_a_project(tmp_path: Path, runtime: str) -> None:
    _write_types(tmp_path)
    (tmp_path / "test_shelves.py").write_text(TESTS, encoding="utf-8")
    environ = {**os.environ, "PYTHONPATH": str(HOME)}
    words = ["apis", "--runtime", runtime, "--quiet"]
    subprocess.run([sys.executable, "-m", "validation_gen", *words], cwd=tmp_path, env=environ, check=True)
    usual = ("--validation-coverage=report.json", "--validation-coverage-source=apis")
    code, lines = run(tmp_path, *usual)
    assert (code, TOLD in lines, MISSING in lines) == (0, True, True), lines
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report["summary"] == {"declared": 4, "triggered": 3, "allowed": 0, "missing": 1}
    if runtime == "vendored":
        return
    code, lines = run(tmp_path, *usual, "--validation-coverage-fail-under=75")
    assert code == 0, lines
    code, lines = run(tmp_path, *usual, "--validation-coverage-fail-under=80", "-p", "xdist", "-n", "2")
    assert (code, TOLD in lines, lines.count("failed: 75.0% is less than the required 80%")) == (1, True, 1), lines
    code, lines = run(tmp_path, "--validation-coverage=results.jsonl")
    assert (code, "4 verdicts recorded in results.jsonl" in lines) == (0, True), lines
    words = ["coverage", "apis", "--tests", "results.jsonl", "--format", "json"]
    done = subprocess.run(
        [sys.executable, "-m", "validation_gen", *words], cwd=tmp_path, env=environ, capture_output=True, check=False
    )
    assert json.loads(done.stdout) == report
    (tmp_path / "test_shelves.py").write_text("def test_nothing(): pass\n", encoding="utf-8")
    code, lines = run(tmp_path, *usual, "--validation-coverage-fail-under=1")
    assert (code, any("no validator ran in these tests" in line for line in lines)) == (1, True), lines
    code, lines = run(tmp_path, "--validation-coverage=report.json")
    assert (code, any("--validation-coverage-source=PATH" in line for line in lines)) == (1, True), lines
    shelf = {"apiVersion": "example.com/v1", "kind": "Shelf"}
    one = f"import generated\n\ndef test_one(): assert generated.validate({shelf})\n"
    (tmp_path / "test_shelves.py").write_text(one, encoding="utf-8")
    code, lines = run(tmp_path, "--validation-coverage=new/dir/report.json", "--validation-coverage-source=./apis/...")
    told = "1 of 4 errors triggered (25.0%); 1 verdict recorded, the report is in new/dir/report.json"
    assert (code, told in lines) == (0, True), lines
    written = (tmp_path / "new/dir/report.json").read_bytes()
    (tmp_path / "test_shelves.py").write_text(f"{one}def test_two(): assert False\n{TESTS}", encoding="utf-8")
    for more in ("-x", "--maxfail=1"):
        code, lines = run(
            tmp_path, "--validation-coverage=new/dir/report.json", "--validation-coverage-source=apis", more
        )
        assert (code, "no report, as the tests were not completed" in lines) == (1, True), lines
        assert (tmp_path / "new/dir/report.json").read_bytes() == written


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--validation-coverage="], "names no file"),
        (["--validation-coverage=."], ". is a directory, write --validation-coverage=report.json"),
        (["--validation-coverage=new/"], "new/ is a directory, write --validation-coverage=new/report.json"),
        (["--validation-coverage=file/a/b.json"], "cannot write file/a/b.json, as "),
        (["--validation-coverage=x", "--validation-coverage-source=gone"], "there is no file or directory gone"),
        (["--validation-coverage-fail-under=9"], "need a file for the report"),
        (["--validation-coverage=x", "--validation-coverage-fail-under=nine"], "'nine' is no percentage"),
        (["--validation-coverage=x", "--validation-coverage-fail-under=101"], "'101' is no percentage"),
    ],
)
@pytest.mark.process
def test_mistakes_in_options(tmp_path: Path, words: list[str], told: str) -> None:
    (tmp_path / "file").touch()
    environ = {**os.environ, "PYTHONPATH": str(HOME), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "-p", "validation_gen.commands.pytestplugin", *words]
    done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False)
    assert (done.returncode, told in done.stderr) == (4, True), done.stderr
