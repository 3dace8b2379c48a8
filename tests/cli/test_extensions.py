"""`--validation-extensions-file`: formats of a project in each command that knows tags."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.program import invoke
from tests.tables import each

OPTION = ("--validation-extensions-file", "formats.yaml")
FORMATS = """\
formats:
  - name: robot-serial
    docs: The serial number of a robot.
    pattern: '^[A-Z]{2}-[0-9]{4}$'
    message: must be two capitals, a dash and four digits
    valid: [RB-0042]
    invalid: [rb-0042]
"""
TYPES = """\
// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true
type Robot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +k8s:optional
	// +k8s:maxLength=7
	// +k8s:format=robot-serial
	Serial string `json:"serial,omitempty"`
}
"""
ROBOT = {"apiVersion": "example.com/v1", "kind": "Robot", "metadata": {"name": "a"}, "serial": "rb-0042"}
ERROR = 'serial: Invalid value: "rb-0042": must be two capitals, a dash and four digits'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("apis/v1").mkdir(parents=True)
    Path("apis/v1/types.go").write_text(TYPES, encoding="utf-8")
    Path("formats.yaml").write_text(FORMATS, encoding="utf-8")
    Path("robot.yaml").write_text(yaml.safe_dump(ROBOT), encoding="utf-8")
    return tmp_path


def run(*args: str) -> tuple[int, str, str]:
    result = invoke(args)
    return result.exit_code, result.stdout, result.stderr


def test_objects_are_validated() -> None:
    assert f'The Robot "a" is invalid: {ERROR}' in run("validate", "apis", "-f", "robot.yaml", *OPTION)[1]
    code, _, err = run("validate", "apis", "-f", "robot.yaml")
    assert (code, 'unsupported validation format "robot-serial"' in err) == (1, True)


def test_the_key_of_the_configuration() -> None:
    Path("validation-gen.toml").write_text('inputs = ["apis"]\nextensions = ["formats.yaml"]\n', encoding="utf-8")
    assert run("lint")[::2] == (0, "")
    assert ERROR in run("validate", "-f", "robot.yaml")[1]
    assert "robot-serial" in run("explain", "format")[1]
    assert "The serial number of a robot." in run("explain", "robot-serial")[1]


def test_outputs() -> None:
    outputs = ("--emit", "crd=crd", "--emit", "jsonschema=js", "--emit", "policies=policies")
    code, _, err = run("generate", "apis", "-o", "out", *OPTION, *outputs)
    assert code == 0, err
    (crd,) = Path("crd").glob("*.yaml")
    schema = yaml.safe_load(crd.read_text())["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    wanted = {"type": "string", "maxLength": 7, "pattern": "^[A-Z]{2}-[0-9]{4}$"}
    assert schema["properties"]["serial"] == wanted
    (document,) = Path("js").rglob("*.json")
    assert json.loads(document.read_text())["properties"]["serial"]["pattern"] == wanted["pattern"]
    (policy,) = Path("policies").glob("example*.yaml")
    assert "object.serial.matches('^[A-Z]{2}-[0-9]{4}$')" in policy.read_text()
    assert "check.matches(" in Path("out/apis/v1.py").read_text()
    assert run("check", "apis", "-o", "out", *OPTION)[0] == 0


def test_files_count_for_generated_ones() -> None:
    assert run("generate", "apis", "-o", "out", *OPTION)[0] == 0
    Path("formats.yaml").write_text(FORMATS.replace("{4}", "{5}"), encoding="utf-8")
    assert run("generate", "apis", "-o", "out", *OPTION, "--check")[0] == 1


def test_validators_with_a_copied_runtime() -> None:
    assert run("generate", "apis", "-o", "out", *OPTION, "--runtime", "vendored")[0] == 0
    code = f"import json, out; print(*out.validate(json.loads({json.dumps(json.dumps(ROBOT))})))"
    block = "import sys; sys.modules['validation_gen'] = None\n"
    found = subprocess.run(["python", "-c", block + code], capture_output=True, text=True, check=False, timeout=60)
    assert found.stdout.strip() == ERROR, found.stderr


def test_lint_runs_the_tests_in_the_file() -> None:
    assert run("lint", "apis", *OPTION)[0] == 0
    Path("formats.yaml").write_text(FORMATS.replace("invalid: [rb-0042]", "invalid: [AB-1234]"), encoding="utf-8")
    code, _, err = run("lint", "apis", *OPTION)
    assert code == 1
    assert 'error[VG208]: format "robot-serial": "AB-1234" matches the pattern "^[A-Z]{2}-[0-9]{4}$"' in err
    assert " --> formats.yaml:7:15\n  |\n7 |     invalid: [AB-1234]\n  |               ^^^^^^^\n" in err
    assert "VG208" in run("generate", "apis", "-o", "out", *OPTION)[2]
    assert run("validate", "apis", "-f", "robot.yaml", *OPTION)[2] == ""


def test_one_mistake_is_one_error() -> None:
    Path("formats.yaml").write_text(FORMATS.replace("[0-9]{4}$", "[0-9{4}$"), encoding="utf-8")
    first, last = run("lint", "apis", *OPTION, "--format", "concise")[2].splitlines()
    assert first.startswith(
        'formats.yaml:4:14: error VG207 formats[0] ("robot-serial"): pattern "^[A-Z]{2}-[0-9{4}$" does'
    )
    assert last == "1 error"
    assert run("lint", "apis", "--validation-extensions-file", "none.yaml")[2].count("error[") == 1


@each(
    ("pattern", "code"),
    [
        ("^[A-Z]{2}-[0-9]{4}$", ""),
        ("^[A-Z]{2}-[0-9]{4,5}$", "VG706"),
        ("^[A-Z]{2}-[0-9]{3}$", "VG705"),
    ],
)
def test_a_changed_pattern_is_a_change(pattern: str, code: str) -> None:
    Path("old/apis/v1").mkdir(parents=True, exist_ok=True)
    Path("old/apis/v1/types.go").write_text(TYPES, encoding="utf-8")
    Path("old/formats.yaml").write_text(FORMATS, encoding="utf-8")
    Path("formats.yaml").write_text(FORMATS.replace("^[A-Z]{2}-[0-9]{4}$", pattern), encoding="utf-8")
    _, out, err = run("breaking", "apis", "--against", "old", *OPTION, "--all", "--format", "json")
    assert [each["code"] for each in _findings(out or err)] == ([code] if code else [])


def _findings(text: str) -> list[dict[str, Any]]:
    found = json.loads(text)
    return [*found["findings"]] if isinstance(found, dict) else [*found]


def test_a_changed_pattern_since_a_revision() -> None:
    def git(*words: str) -> None:
        who = ("-c", "user.name=n", "-c", "user.email=n@example.com")
        subprocess.run(["git", *who, *words], check=True, capture_output=True, timeout=60)

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "all")
    assert run("breaking", "apis", "--against", "git:HEAD", *OPTION)[0] == 0
    Path("formats.yaml").write_text(FORMATS.replace("{4}", "{5}"), encoding="utf-8")
    for against in ("git:HEAD", "git:HEAD:."):
        code, _, err = run("breaking", "apis", "--against", against, *OPTION)
        assert (code, 'pattern is "^[A-Z]{2}-[0-9]{5}$", it was "^[A-Z]{2}-[0-9]{4}$"' in err) == (1, True), err


def test_fields_are_explained() -> None:
    out = run("explain", "apis", "Robot.serial", *OPTION)[1]
    assert "it must be two capitals, a dash and four digits. The pattern is" in " ".join(out.split())
    assert "gives FieldValueInvalid (format=robot-serial)" in out
    assert "did you mean robot-serial?" in run("explain", "robot-seria", *OPTION)[2]
