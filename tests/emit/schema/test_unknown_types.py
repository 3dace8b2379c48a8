"""One import that cannot be found: one finding for each of its types, and what follows from that in its notes."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner, Result

from tests.case_folders import inside
from validation_gen.cli.app import app, arguments

TYPES = """
// +groupName=example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/missing/base"
)

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Pool struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   PoolSpec   `json:"spec,omitempty"`
	Status PoolStatus `json:"status,omitempty"`
}

type PoolStatus struct {
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []base.Condition `json:"conditions,omitempty"`
}

// +kubebuilder:validation:XValidation:rule="self.selector.name != ''",message="no name"
type PoolSpec struct {
	// +kubebuilder:validation:XValidation:rule="self.all(x, x.key != 'a')",message="a key"
	// +kubebuilder:validation:MaxItems=100
	Requirements []Requirement `json:"requirements"`
	// +kubebuilder:validation:XValidation:rule="self.all(x, x.effect == 'NoSchedule')",message="an effect"
	// +kubebuilder:default={{key: a, effect: NoSchedule}}
	Taints []base.Taint `json:"taints,omitempty"`
	// +kubebuilder:default={name: x}
	Selector base.Selector `json:"selector"`
	// +mapType=atomic
	Weights base.Weights `json:"weights,omitempty"`
}

type Requirement struct {
	base.Requirement `json:",inline"`
	// +optional
	MinValues *int `json:"minValues,omitempty"`
}
"""
UNKNOWN = ("Condition", "Requirement", "Selector", "Taint", "Weights")


def call(directory: Path, source: str, *arguments_: str) -> Result:
    (directory / "v1").mkdir(exist_ok=True)
    (directory / "go.mod").write_text("module example.com/m\n")
    (directory / "v1/types.go").write_text(source)
    with inside(directory):
        return CliRunner().invoke(app, arguments(list(arguments_)))


@pytest.mark.parametrize("allowed", [True, False])
def test_what_follows_is_a_note(tmp_path: Path, allowed: bool) -> None:
    options = ["--allow-unresolved"] if allowed else []
    result = call(tmp_path, TYPES, "crd", "v1", "-o", "out", "--format", "concise", *options)
    lines = [line for line in result.output.splitlines() if line.startswith("v1/types.go")]
    level = "warning" if allowed else "error"
    assert len(lines) == len(UNKNOWN)
    assert all(f": {level} VG301 " in line and "`go get example.com/missing/base`" in line for line in lines), lines
    assert ("--allow-unresolved" in result.output) is not allowed
    assert result.exit_code == (0 if allowed else 1)
    assert (tmp_path / "out/example.com_pools.yaml").exists() is allowed


def test_notes_say_what_the_schema_goes_without(tmp_path: Path) -> None:
    result = call(tmp_path, TYPES, "crd", "v1", "-o", "out", "--allow-unresolved")
    told = [line.partition("because missing/base.")[2] for line in result.output.splitlines() if "because" in line]
    assert sorted(told) == [
        "Condition was not found, the schema does not tell items by their keys",
        "Requirement was not found, the schema goes without this rule",
        "Selector was not found, the schema goes without this rule",
        "Taint was not found, the schema goes without this rule",
        "Weights was not found, the schema goes without the type of the map",
    ]
    text = (tmp_path / "out/example.com_pools.yaml").read_text()
    assert "x-kubernetes-validations" not in text
    spec = yaml.safe_load(text)["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
    assert spec["properties"]["selector"] == {"default": {"name": "x"}, "x-kubernetes-preserve-unknown-fields": True}
    checked = call(tmp_path, TYPES, "crd", "lint", "out")
    assert checked.exit_code == 0, checked.output


def test_the_slips_of_rules_stay_errors(tmp_path: Path) -> None:
    """A rule may be wrong on its own beside a type that cannot be found."""
    wrong = TYPES.replace("self.selector.name != ''", "self.weigths == 1")
    wrong = wrong.replace("self.all(x, x.key != 'a')", "self.(")
    wrong = wrong.replace('base.Requirement `json:",inline"`', 'Requirement base.Requirement `json:"requirement"`')
    result = call(tmp_path, wrong, "crd", "v1", "-o", "out", "--format", "concise", "--allow-unresolved")
    assert result.exit_code == 1
    assert result.output.count(" error VG542 ") == 2, result.output


TAGS = """
package v1

import "example.com/missing/base"

type Pool struct {
	// +k8s:optional
	// +k8s:minimum=3
	Size base.Size `json:"size,omitempty"`
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	Taints []base.Taint `json:"taints,omitempty"`
	// +k8s:required
	// +k8s:maxLength=3
	Name string `json:"name"`
}
"""


def test_tags_on_values_of_unknown_types(tmp_path: Path) -> None:
    result = call(tmp_path, TAGS, "generate", "v1", "-o", "out", "--format", "concise", "--allow-unresolved")
    assert result.exit_code == 0, result.output
    assert [line.split()[2] for line in result.output.splitlines() if "types.go" in line] == ["VG301", "VG301"]
    assert "maxLength" in "".join(file.read_text() for file in (tmp_path / "out").rglob("*.py"))
    assert call(tmp_path, TAGS, "generate", "v1", "-o", "other").exit_code == 1


def test_each_command_in_its_way(tmp_path: Path) -> None:
    """Whoever writes less than the sources say is told so by an error; who only looks, by a warning."""
    (tmp_path / "pool.yaml").write_text("apiVersion: v1\nkind: Pool\nname: abc\n")
    for command, level in (
        (["generate", "v1", "-o", "out"], "error"),
        (["openapi", "v1", "-o", "out"], "error"),
        (["jsonschema", "v1", "-o", "out"], "error"),
        (["lint", "v1"], "warning"),
    ):
        result = call(tmp_path, TAGS, *command, "--format", "concise")
        assert result.output.count(f" {level} VG301 ") == 2, (command, result.output)
    result = call(tmp_path, TAGS, "validate", "v1", "-f", "pool.yaml")
    assert "2 warnings about the sources; `validation-gen lint v1` shows them" in result.output


def test_one_finding_for_all_outputs(tmp_path: Path) -> None:
    result = call(tmp_path, TAGS, "generate", "v1", "-o", "out", "--emit", "crd=crds", "--format", "concise")
    assert result.output.count("VG301") == 2, result.output


def test_the_configuration_can_allow_it(tmp_path: Path) -> None:
    (tmp_path / "validation-gen.toml").write_text("allow-unresolved = true\n")
    assert call(tmp_path, TAGS, "generate", "v1", "-o", "out").exit_code == 0


@pytest.mark.parametrize(
    ("field", "help"),
    [
        ("Near Sizs", "did you mean Sizes?"),
        ("Far Something", "declare it there, or import the package that does"),
        ("Known metav1.Conditoin", "did you mean Condition?"),
        ("Known metav1.Nothing", "or name the source of its module with --module k8s.io/apimachinery=DIR"),
    ],
)
def test_types_that_their_package_does_not_declare(tmp_path: Path, field: str, help: str) -> None:
    source = 'package v1\n\nimport metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"\n\ntype Sizes struct {\n'
    source += f'\t// +k8s:required\n\tName string `json:"name"`\n\t{field} `json:"field"`\n}}\n'
    result = call(tmp_path, source, "lint", "v1", "--format", "concise")
    whose = "among the types that come with validation-gen" if "Nothing" in field else "declared in its package"
    assert f"is not {whose}" in result.output
    assert help in result.output
    assert ("--module" in result.output) is ("--module" in help)


BEHIND = """
package v1

import "example.com/missing/base"

type Size base.Size

type Sizes []*base.Item

type Loop []Loop

type Pool struct {
	// +k8s:optional
	Size *Size `json:"size,omitempty"`
	// +k8s:optional
	Sizes map[string]Sizes `json:"sizes,omitempty"`
	// +k8s:optional
	Loop Loop `json:"loop,omitempty"`
	// +k8s:opaqueType
	// +k8s:optional
	Own *Size `json:"own,omitempty"`
}
"""


def test_what_a_type_is_declared_by_counts_as_well(tmp_path: Path) -> None:
    result = call(tmp_path, BEHIND, "generate", "v1", "--format", "concise")
    found = [line.partition(" (")[0] for line in result.output.splitlines() if "VG301" in line]
    assert found == [
        f"v1/types.go:{line}: error VG301 field example.com/m/v1.Pool.{field}: type example.com/missing/base.{type} "
        "cannot be found, so any value is accepted for it"
        for line, field, type in (("6:11", "size", "Size"), ("8:15", "sizes", "Item"))
    ]


OUTSIDE = """
package parts

import "example.com/missing/base"

// +kubebuilder:validation:XValidation:rule="has(self.client.url) != has(self.client.service)",message="one"
type Spec struct {
	Client *base.Client `json:"client"`
	Others []base.Other `json:"others,omitempty"`
}

type Unused struct {
	Third base.Third `json:"third"`
}
"""
KIND = """
// +groupName=example.com
package v1

import (
	"example.com/m/parts"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:object:root=true
type Pool struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec parts.Spec `json:"spec"`
}
"""


def test_types_of_packages_outside_of_the_arguments(tmp_path: Path) -> None:
    """A definition is never weaker without a word, and no rule beside the type is blamed."""
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/parts.go").write_text(OUTSIDE)
    for command in ("crd", "openapi", "jsonschema"):
        result = call(tmp_path, KIND, command, "v1", "-o", "out", "--format", "concise")
        told = [line.partition(" (")[0].split(":", 3)[3] for line in result.output.splitlines() if " VG" in line]
        assert result.exit_code == 1, command
        assert told == [
            f" error VG301 field example.com/m/parts.Spec.{field}: type example.com/missing/base.{type} cannot be "
            "found, so any value is accepted for it"
            for field, type in (("client", "Client"), ("others", "Other"))
        ]
    allowed = call(tmp_path, KIND, "crd", "v1", "-o", "out", "--allow-unresolved")
    assert (allowed.exit_code, allowed.output.count("warning[VG301]")) == (0, 2), allowed.output
    assert "because missing/base.Client was not found, the schema goes without this rule" in allowed.output
    text = (tmp_path / "out/example.com_pools.yaml").read_text()
    assert "x-kubernetes-validations" not in text


def test_one_finding_for_a_type_that_is_a_value_and_embedded(tmp_path: Path) -> None:
    source = BEHIND.partition("type Size ")[0] + "type Box struct {\n\tbase.Size\n\t// +k8s:required\n\tA string "
    source += '`json:"a"`\n}\n\ntype Crate struct {\n\tbase.Size\n\tB Box `json:"b"`\n\tC base.Size `json:"c"`\n}\n'
    result = call(tmp_path, source, "lint", "v1")
    assert result.output.count("warning[VG301]") == 1, result.output
    assert "note: example.com/m/v1.Crate: its fields are not known and the schema of Crate keeps" in result.output


MODULES = {
    "example.com/wanted/api/v1": "run `go mod download example.com/wanted`",
    "github.com/owner/name/v2/deep": "run `go get github.com/owner/name/v2/deep`, or name the source of its module "
    "with --module github.com/owner/name/v2=DIR",
    "k8s.io/client-go/discovery": "--module k8s.io/client-go=DIR",
    "example.com/m/made": "there are no Go files in made: generate or add them",
    "text/template/parse": '--module text/template/parse="$(go env GOROOT)/src/text/template/parse"',
}


@pytest.mark.parametrize("path", MODULES)
def test_help_names_the_module_and_what_can_help(tmp_path: Path, path: str) -> None:
    source = f'package v1\n\nimport x "{path}"\n\ntype Box struct {{\n\t// +k8s:required\n\tA *x.Tree `json:"a"`\n}}\n'
    (tmp_path / "v1").mkdir()
    (tmp_path / "v1/types.go").write_text(source)
    (tmp_path / "go.mod").write_text("module example.com/m\n\nrequire example.com/wanted v1.2.3\n")
    with inside(tmp_path):
        result = CliRunner().invoke(app, arguments(["lint", "v1", "--format", "concise"]))
    assert MODULES[path] in result.output, result.output
    assert ("go mod download" in result.output) is ("wanted" in path)


def test_a_package_without_source_may_have_any_name(tmp_path: Path) -> None:
    """Its path does not tell the name, and no other import can be meant."""
    source = 'package v1\n\nimport (\n\t"example.com/missing/go-tool-kit.git"\n\n\t"encoding/json"\n)\n\n'
    source += 'type Box struct {\n\t// +k8s:required\n\tA *forge.Tree `json:"a"`\n\tB json.RawMessage `json:"b"`\n}\n'
    found = call(tmp_path, source, "lint", "v1", "--format", "concise").output
    assert "warning VG301 field example.com/m/v1.Box.a: type example.com/missing/go-tool-kit.git.Tree cannot" in found
    several = source.replace("encoding/json", "example.com/other/json")
    told = "`forge` in `forge.Tree` is not an imported package"
    assert told in call(tmp_path, several, "lint", "v1").output
    slip = source.replace("forge.Tree", "jsno.Number")
    assert "did you mean `json`?" in call(tmp_path, slip, "lint", "v1").output


def test_a_source_of_the_standard_library_can_be_named(tmp_path: Path) -> None:
    """As the help says, with a directory that has the sources of a package."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src/tree.go").write_text("package parse\n\ntype Tree struct {\n\tName string\n}\n")
    source = 'package v1\n\nimport x "text/template/parse"\n\n'
    source += 'type Box struct {\n\t// +k8s:required\n\tA *x.Tree `json:"a"`\n}\n'
    result = call(tmp_path, source, "lint", "v1", "--module", "text/template/parse=src")
    assert "VG301" not in result.output
