"""What is told of definitions that an API server would refuse, and of rules that get lost on the way."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from validation_gen.cli.main import app, arguments

KIND = """
// {marker}
type {kind} struct {{
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec {kind}Spec `json:"spec"`
}}

type {kind}Spec struct {{
{fields}
}}
"""


def package(directory: Path, *kinds: str, version: str = "v1") -> None:
    place = directory / "api" / version
    place.mkdir(parents=True)
    head = f"// +groupName=example.com\npackage {version}\n"
    metav1 = '\nimport metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"\n'
    (place / "types.go").write_text(head + metav1 + "".join(kinds))


def kind(name: str, fields: str = "", marker: str = "+kubebuilder:resource") -> str:
    return KIND.format(kind=name, fields=fields, marker=marker)


@pytest.fixture
def api(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*args: str) -> Result:
    result = CliRunner().invoke(app, arguments(["crd", "api", "--format", "concise", *args]))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_handwritten_checks_need_no_file(api: Path) -> None:
    package(api, kind("Robot", "\t// +k8s:customValidation\n\tName string `json:\"name\"`"))
    result = run()
    assert result.exit_code == 0, result.stderr
    assert "VG540 +k8s:customValidation: handwritten code has no schema" in result.stderr
    assert (api / "crds" / "example.com_robots.yaml").exists()


def test_keys_of_a_marker_are_no_keys_of_a_set(api: Path) -> None:
    fields = "\t// +k8s:listType=set\n\t// +listType=map\n\t// +listMapKey=x\n\tD []string `json:\"d,omitempty\"`"
    package(api, kind("Robot", fields))
    assert "VG526" in run().stderr
    assert "list-map-keys" not in (api / "crds" / "example.com_robots.yaml").read_text()
