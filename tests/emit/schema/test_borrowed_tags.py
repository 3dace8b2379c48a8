"""Tags inside of Kubernetes' own types: definitions have what controller-gen makes of them, and nothing else has it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner, Result

from tests.case_folders import inside
from validation_gen.cli.app import app, arguments

TYPES = """
// +groupName=example.com
package v1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:object:root=true
type Pool struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Volume corev1.Volume `json:"volume"`
	// +listType=atomic
	// +optional
	Others []corev1.Volume `json:"others,omitempty"`
	// +kubebuilder:validation:MaxLength=9
	// +optional
	Team string `json:"team,omitempty"`
}
"""
CORE = """
package v1

// +k8s:enum
type Health string

const (
	Sick Health = "Sick"
	Fine Health = "Fine"
)

// +k8s:enum
type Number int

const One Number = 1

type Volume struct {
	// +k8s:required
	// +k8s:maxLength=5
	Name string `json:"name,omitempty"`
	// +k8s:optional
	// +k8s:immutable
	// +k8s:minimum=3
	Size int32 `json:"size"`
	// +required
	// +k8s:immutable
	Class string `json:"class"`
	// Health of the volume.
	// +optional
	Health *Health `json:"health,omitempty"`
	// +optional
	Number Number `json:"number,omitempty"`
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +optional
	Parts []Part `json:"parts,omitempty"`
}

type Part struct {
	// +required
	Name string `json:"name"`
	// +k8s:unknownThing
	// +k8s:maxLength=two
	// +optional
	Note string `json:"note,omitempty"`
}
"""
UNCHANGED = {"rule": "self == oldSelf", "message": "field is immutable"}
ONCE_SET = {"rule": "!has(oldSelf.size) || has(self.size)", "message": "field size is immutable once set"}
OBJECT: dict[str, Any] = {
    "apiVersion": "example.com/v1",
    "kind": "Pool",
    "metadata": {"name": "a"},
    "volume": {"name": "longer name", "class": "a", "size": 1, "health": "Unknown"},
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "api").mkdir()
    (tmp_path / "go.mod").write_text("module example.com/m\n")
    (tmp_path / "api/types.go").write_text(TYPES)
    (tmp_path / "core/core/v1").mkdir(parents=True)
    (tmp_path / "core/core/v1/types.go").write_text(CORE)
    (tmp_path / "a.yaml").write_text(yaml.safe_dump(OBJECT))
    return tmp_path


def run(project: Path, *words: str) -> Result:
    with inside(project):
        return CliRunner().invoke(app, arguments([*words, "--module", "k8s.io/api=core"]))


def properties(project: Path, *words: str) -> Any:
    result = run(project, "crd", "api", "-o", "crds", *words)
    assert result.exit_code == 0, result.output
    definition = yaml.safe_load((project / "crds/example.com_pools.yaml").read_text())
    return definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]


def test_definitions_have_what_controller_gen_makes_of_the_tags_that_it_knows(project: Path) -> None:
    assert properties(project)["volume"] == {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "size": {"type": "integer", "format": "int32", "x-kubernetes-validations": [UNCHANGED]},
            "class": {"type": "string", "x-kubernetes-validations": [UNCHANGED]},
            "health": {"type": "string", "description": "Health of the volume.", "enum": ["Fine", "Sick"]},
            "number": {"type": "integer"},
            "parts": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"name": {"type": "string"}, "note": {"type": "string"}},
                    "required": ["name"],
                },
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["name"],
            },
        },
        "required": ["class", "name"],
        "x-kubernetes-validations": [ONCE_SET],
    }


def test_rules_that_a_server_would_refuse_are_left_out_without_a_finding(project: Path) -> None:
    """The items of an atomic list have no old values."""
    items = properties(project)["others"]["items"]
    assert "oldSelf" not in str(items)
    assert items["properties"]["health"]["enum"] == ["Fine", "Sick"]
    result = run(project, "crd", "api", "-o", "again")
    assert "VG" not in result.output
    with inside(project):
        checked = CliRunner().invoke(app, arguments(["crd", "lint", "crds"]))
    assert checked.exit_code == 0, checked.output


def test_nothing_else_has_them(project: Path) -> None:
    """Neither findings nor refusals come from them, even where a schema judges the kind."""
    for words in (("lint", "api"), ("validate", "api", "-f", "a.yaml"), ("generate", "api", "-o", "out")):
        result = run(project, *words)
        assert (result.exit_code, "VG" in result.output) == (0, False), result.output
    assert run(project, "openapi", "api", "-o", "openapi").exit_code == 0
    text = "".join(path.read_text() for path in (project / "openapi").rglob("*") if path.is_file())
    assert "Sick" not in text
    assert "oldSelf" not in text


def test_validators_that_judge_by_definitions_have_them(project: Path) -> None:
    result = run(project, "validate", "api", "-f", "a.yaml", "--rules", "schema")
    assert result.exit_code == 1
    assert 'volume.health: Unsupported value: "Unknown"' in result.output


def test_known_tags_mean_what_they_mean_to_validators(project: Path) -> None:
    sound = CORE.replace("\t// +k8s:maxLength=two\n", "").replace("// +k8s:enum\ntype Number", "type Number")
    (project / "core/core/v1/types.go").write_text(sound)
    volume = properties(project, "--known-tags")["volume"]["properties"]
    assert (volume["name"]["maxLength"], volume["name"]["minLength"]) == (5, 1)
    assert volume["size"]["minimum"] == 3
