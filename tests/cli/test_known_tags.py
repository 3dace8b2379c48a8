"""Tags inside of Kubernetes' own types: they count only where they are generated for or `--known-tags` is given."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.case_folders import inside
from tests.program import invoke

TYPES = """
// +groupName=pools.example.com
package v1

import (
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:object:root=true
type Pool struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	// +optional
	Tolerations []corev1.Toleration `json:"tolerations,omitempty"`
	// +optional
	Block *networkingv1.IPBlock `json:"block,omitempty"`
	// +kubebuilder:validation:MaxLength=9
	// +optional
	Team string `json:"team,omitempty"`
}
"""
TAGGED = '\t// +k8s:optional\n\t// +k8s:maxLength=3\n\tName string `json:"name,omitempty"`\n}\n'
OBJECT = {
    "apiVersion": "pools.example.com/v1",
    "kind": "Pool",
    "metadata": {"name": "a"},
    "tolerations": [{"key": "Not A Label!"}],
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "api/v1").mkdir(parents=True)
    (tmp_path / "go.mod").write_text("module example.com/m\n")
    (tmp_path / "api/v1/types.go").write_text(TYPES)
    (tmp_path / "a.json").write_text(json.dumps(OBJECT))
    return tmp_path


def run(project: Path, *words: str) -> tuple[int, str]:
    """Runs a command; validators enforce alpha rules, as those of core types are."""
    level = ["--level", "alpha"] if words[0] == "validate" else []
    with inside(project):
        result = invoke([*words, *level])
    return result.exit_code, result.output


def test_lint_finds_nothing_where_a_project_has_no_tags(project: Path) -> None:
    assert "VG403" not in run(project, "lint", "api")[1]
    assert "VG403" in run(project, "lint", "api", "--known-tags")[1]


def test_a_tag_of_the_project_changes_nothing_about_others(project: Path) -> None:
    (project / "api/v1/types.go").write_text(TYPES.rstrip("}\n") + "\n" + TAGGED)
    assert "VG403" not in run(project, "lint", "api")[1]
    code, told = run(project, "validate", "api", "-f", "a.json")
    assert (code, "1 valid" in told) == (0, True), told


def test_validators_refuse_by_tags_of_kubernetes_on_request_alone(project: Path) -> None:
    assert run(project, "validate", "api", "-f", "a.json")[0] == 0
    for option in (("--known-tags",), ("--readonly-pkg", "k8s.io/api/..."), ("--readonly-pkg", "k8s.io/api/core/v1")):
        code, told = run(project, "validate", "api", "-f", "a.json", *option)
        assert (code, "tolerations[0].key: Invalid value" in told) == (1, True), told


def test_definitions_have_no_rules_of_kubernetes_types(project: Path) -> None:
    for command in ("crd", "openapi", "jsonschema"):
        assert run(project, command, "api", "-o", f"{command}-plain")[0] == 0
        assert run(project, command, "api", "-o", f"{command}-tags", "--known-tags")[0] == 0
        plain, tagged = (
            "".join(path.read_text() for path in sorted((project / f"{command}-{name}").rglob("*")) if path.is_file())
            for name in ("plain", "tags")
        )
        assert ("minLength" in plain, "minLength" in tagged) == (False, True), command


def test_the_configuration_can_ask_for_them(project: Path) -> None:
    (project / "validation-gen.toml").write_text("known-tags = true\n")
    assert run(project, "validate", "api", "-f", "a.json")[0] == 1


def test_tags_of_apimachinery_count_for_kinds_of_kubernetes(tmp_path: Path) -> None:
    """The API server applies them to its own kinds."""
    types = tmp_path / "api/v1"
    types.mkdir(parents=True)
    meta = 'metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"'
    kind = 'type Pool struct {\n\tmetav1.TypeMeta\n\tmetav1.ObjectMeta `json:"metadata"`\n}\n'
    (types / "types.go").write_text(f"package v1\n\nimport {meta}\n\n{kind}")
    machinery = tmp_path / "machinery/pkg/apis/meta/v1"
    machinery.mkdir(parents=True)
    name = '\t// +k8s:optional\n\t// +k8s:maxLength=3\n\tName string `json:"name,omitempty"`\n'
    type_meta = 'type TypeMeta struct {\n\tKind string `json:"kind"`\n\tAPIVersion string `json:"apiVersion"`\n}\n'
    (machinery / "types.go").write_text(f"package v1\n\n{type_meta}\ntype ObjectMeta struct {{\n{name}}}\n")
    (tmp_path / "a.json").write_text(json.dumps({"apiVersion": "v1", "kind": "Pool", "metadata": {"name": "long"}}))
    for module, counts in (("k8s.io/api", True), ("example.com/api", False)):
        (tmp_path / "api/go.mod").write_text(f"module {module}\n")
        words = ("--module", "k8s.io/apimachinery=machinery", "--type", "Pool")
        told = run(tmp_path, "validate", "api", "-f", "a.json", *words)[1]
        assert ("1 invalid" in told) is counts, (module, told)


def test_tags_count_where_the_package_is_generated_for(project: Path) -> None:
    """A package with types of the same module, and one that another package's directive names."""
    types = project / "api/k8s.io/api/core/v1"
    types.mkdir(parents=True)
    tolerations = "package v1\n\ntype Toleration struct {\n\t// +k8s:optional\n\t// +k8s:maxLength=3\n"
    (types / "types.go").write_text(tolerations + '\tKey string `json:"key,omitempty"`\n}\n')
    module = ("--module", "k8s.io/api=api/k8s.io/api")
    assert "1 invalid" in run(project, "validate", "api", "-f", "a.json", *module)[1]
    (types / "types.go").rename(project / "types.go")
    other = project / "rules"
    other.mkdir()
    (other / "doc.go").write_text(
        "// +k8s:validation-gen=*\n// +k8s:validation-gen-input=k8s.io/api/core/v1\npackage rules\n"
    )
    assert "1 invalid" in run(project, "validate", "api", "rules", "-f", "a.json")[1]


def test_definitions_have_the_values_of_enums_and_nothing_else_of_kubernetes_tags(project: Path) -> None:
    """As controller-gen writes them; the key of a toleration has no `minLength` there."""
    types = TYPES.replace("// +optional\n\tBlock *networkingv1.IPBlock", "// +optional\n\tJob *batchv1.JobSpec")
    types = types.replace('networkingv1 "k8s.io/api/networking/v1"', 'batchv1 "k8s.io/api/batch/v1"')
    claim = '\t// +optional\n\tClaim *corev1.PersistentVolumeClaimStatus `json:"claim,omitempty"`\n}\n'
    (project / "api/v1/types.go").write_text(types.rstrip().removesuffix("}") + claim)
    code, output = run(project, "crd", "api", "-o", "crds")
    assert (code, "VG" in output) == (0, False), output
    text = next((project / "crds").rglob("*.yaml")).read_text()
    assert "- DataLoss\n" in text
    assert "rule: '!has(oldSelf.schedulingConstraints) || has(self.schedulingConstraints)'" in text
    assert "minLength" not in text
