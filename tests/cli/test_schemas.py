"""The commands that write schemas: what they write, what they say, how they end."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml
from typer.testing import Result

from tests.cli.conftest import Program
from tests.program import invoke

APIS = str(Path(__file__).parents[2] / "testdata" / "apis")
TYPES = """
// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Lamp struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +k8s:optional
	// +k8s:ifEnabled(Bright)=+k8s:maximum=9
	// +k8s:alpha=+k8s:minimum=2
	// +k8s:beta=+k8s:neq=5
	Watts *int32 `json:"watts,omitempty"`

	// +k8s:maxItems=3
	Colours []string `json:"colours,omitempty"`
}
"""


def run(*args: str) -> Result:
    return invoke(args)


@pytest.fixture
def lamps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lamps").mkdir()
    (tmp_path / "lamps" / "types.go").write_text(TYPES)
    return tmp_path


def watts(directory: Path) -> dict[str, object]:
    definition = yaml.safe_load((directory / "example.com_lamps.yaml").read_text())
    schema = definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    found: dict[str, object] = schema["properties"]["watts"]
    return found


def test_definitions_are_written_once(lamps: Path) -> None:
    result = run("crd", "lamps")
    assert re.fullmatch(r"1 definition: 1 written, 0 unchanged in crds \(\d\.\d s\)\n", result.stdout)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "0 written, 1 unchanged" in run("crd", "generate", "lamps").stdout


BETA = {"x-kubernetes-validations": [{"message": "must not be equal to 5", "rule": "self != 5"}]}


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ((), BETA),
        (("--level", "standard"), {}),
        (("--level", "beta"), BETA),
        (("--level", "alpha"), {"minimum": 2, **BETA}),
        (("--level", "standard", "--option", "Bright=true"), {"maximum": 9}),
        (("--level", "standard", "--option", "Bright=false"), {}),
    ],
)
def test_levels_and_options_are_decided(lamps: Path, options: tuple[str, ...], wanted: dict[str, object]) -> None:
    run("crd", "lamps", *options)
    assert watts(lamps / "crds") == {"format": "int32", "type": "integer", **wanted}


def test_options_that_nobody_asks_for_are_told(lamps: Path) -> None:
    result = run("crd", "lamps", "--option", "Brigth=true", "--format", "concise")
    assert "VG548 no rule depends on the option Brigth (did you mean Bright?)" in result.stderr


def test_files_of_others_stay(lamps: Path) -> None:
    own = lamps / "crds" / "example.com_lamps.yaml"
    own.parent.mkdir()
    own.write_text("kind: Mine\n")
    result = run("crd", "lamps")
    assert result.exit_code == 2
    assert "VG903" in result.stderr
    assert own.read_text() == "kind: Mine\n"


def test_schemas_are_put_into_manifests_that_people_maintain(lamps: Path) -> None:
    run("crd", "lamps")
    manifest = lamps / "crds" / "example.com_lamps.yaml"
    text = manifest.read_text().replace("scope: Namespaced", "scope: Namespaced  # for now")
    manifest.write_text(text.replace("maxItems: 3", "maxItems: 2"))
    result = run("crd", "lamps", "--patch-schemas", "crds")
    assert "1 manifest with new schemas in crds" in result.stdout
    assert manifest.read_text() == text
    assert "0 manifests with new schemas" in run("crd", "lamps", "--patch-schemas", "crds").stdout


def test_documents_and_json_schemas_are_written(lamps: Path) -> None:
    assert "2 documents: 2 written" in run("openapi", "lamps", "--v2").stdout
    assert "1 schema: 1 written" in run("jsonschema", "lamps").stdout
    v3 = json.loads((lamps / "openapi/v3/apis__example.com__v1_openapi.json").read_text())
    assert v3["openapi"] == "3.0.0"
    v2 = json.loads((lamps / "openapi/v2/apis__example.com__v1_swagger.json").read_text())
    assert v2["swagger"] == "2.0"
    schema = json.loads((lamps / "schemas/example.com/lamp_v1.json").read_text())
    assert schema["additionalProperties"] is False


def test_where_there_are_no_kinds_that_is_told(lamps: Path) -> None:
    (lamps / "lamps" / "types.go").write_text("package v1\n\ntype Lamp struct{}\n")
    result = run("crd", "lamps")
    assert "VG902" in result.stderr
    assert not (lamps / "crds").exists()


@pytest.mark.parametrize(
    "args",
    [
        ("crd", APIS, "--schema", "strict"),
        ("crd", APIS, "--option", "=true"),
        ("crd", APIS, "--max-description", "-1"),
        ("crd", APIS, "--output-dir", ""),
        ("crd", "chekc", "x"),
        ("openapi", "nowhere"),
        ("jsonschema", "nowhere"),
        ("crd", APIS, "--patch-schemas", "nowhere"),
    ],
)
def test_wrong_arguments(lamps: Path, args: tuple[str, ...]) -> None:
    assert run(*args).exit_code == 2


def test_descriptions_can_be_cut(lamps: Path) -> None:
    run("crd", APIS, "--max-description", "0", "-q")
    assert "description:" not in (lamps / "crds" / "robots.example.com_robots.yaml").read_text()


def test_definitions_give_json_schemas_and_no_other_ones(lamps: Path) -> None:
    assert run("crd", "lamps", "-o", "crds", "-q").exit_code == 0
    done = run("jsonschema", "crds")
    assert (done.exit_code, done.output[:36]) == (0, "1 schema: 1 written, 0 unchanged in ")
    made = Path("schemas/example.com/lamp_v1.json")
    before = made.read_bytes()
    assert "1 schema: 0 written, 1 unchanged" in run("jsonschema", "crds").output
    assert "1 schema: 0 written, 1 unchanged" in run("generate", "crds", "--emit", "jsonschema").output
    assert made.read_bytes() == before
    none = run("generate", "crds", "--emit", "openapi=documents")
    assert none.exit_code == 0
    assert "from definitions only JSON Schemas and validators can be made" in none.output
    assert not Path("documents").exists()


def test_no_definitions_have_a_reason_beside_another_warning(project: Program) -> None:
    """A warning of something else does not explain why nothing is made."""
    project.write({"bare/go.mod": "module example.com/bare\n", "bare/v1/types.go": _BARE})
    done = project("crd", "bare/v1", "--format", "concise")
    assert "VG902 there are no kinds here" in done.err
    assert len(done.err.splitlines()) > 1


_BARE = """package v1

// +k8s:validation-gen=*
// +groupName=example.com

// +kubebuilder:validation:Maxlength=3
type Name string

type Part struct {
	// +k8s:mystery=3
	Name Name `json:"name"`
}
"""
