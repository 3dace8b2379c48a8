"""Rules of a type whose members stand among those of another one."""

from __future__ import annotations

from pathlib import Path

from validation_gen.compiler.pipeline import Settings, build_program
from validation_gen.emit.schema import SchemaMode, SchemaOptions
from validation_gen.emit.schema.node import Node
from validation_gen.emit.schema.resources import ResourceEmitter, definitions

_TYPES = """
// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Robot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec RobotSpec `json:"spec"`
}

// +k8s:immutable
type Base struct {
	// +k8s:optional
	Arms *int32 `json:"arms,omitempty"`
}

type RobotSpec struct {
	Base `json:",inline"`

	Other string `json:"other,omitempty"`
}
"""


def test_only_the_own_members_of_an_inlined_type_are_immutable(tmp_path: Path) -> None:
    (rule,) = _schema(tmp_path, _TYPES).properties["spec"].rules
    assert rule.entry.rule == "has(self.arms) == has(oldSelf.arms) && (!has(self.arms) || self.arms == oldSelf.arms)"


def test_rules_of_structs_come_before_those_of_what_they_embed(tmp_path: Path) -> None:
    spec = _schema(tmp_path, _ORDER).properties["spec"]
    wanted = ["self.holder", "self.second", "self.first", "self.field", "self.deep"]
    assert _rules(spec.properties["b"]) == ["self.member", *wanted]
    items = spec.properties["items"].items
    assert items is not None
    assert _rules(items) == wanted


def test_a_kind_has_the_rules_of_what_it_embeds_first(tmp_path: Path) -> None:
    assert _rules(_schema(tmp_path, _ORDER)) == ["self.more", "self.kind"]


def test_markers_of_an_embedded_field_count(tmp_path: Path) -> None:
    spec = _schema(tmp_path, _MARKED).properties["spec"].as_json()
    assert spec == {
        "type": "object",
        "minProperties": 1,
        "properties": {"a": {"type": "string"}},
        "x-kubernetes-validations": [{"rule": "has(self.a)", "message": "set a"}],
    }


_KIND = """
// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
"""

_ORDER = (
    _KIND
    + """
// +kubebuilder:validation:XValidation:rule="self.kind"
type Robot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	More              `json:",inline"`

	Spec RobotSpec `json:"spec"`
}

// +kubebuilder:validation:XValidation:rule="self.more"
type More struct{}

type RobotSpec struct {
	// +kubebuilder:validation:XValidation:rule="self.member"
	B Holder `json:"b"`

	Items []Holder `json:"items"`
}

// +kubebuilder:validation:XValidation:rule="self.holder"
type Holder struct {
	First   `json:",inline"`
	*Second `json:",inline"`
}

// +kubebuilder:validation:XValidation:rule="self.first"
type First struct {
	// +kubebuilder:validation:XValidation:rule="self.field"
	Deep `json:",inline"`
}

// +kubebuilder:validation:XValidation:rule="self.deep"
type Deep struct{}

// +kubebuilder:validation:XValidation:rule="self.second"
type Second struct{}
"""
)

_MARKED = (
    _KIND
    + """
type Robot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec RobotSpec `json:"spec"`
}

type RobotSpec struct {
	// Nothing of this describes the spec.
	// +kubebuilder:title=Base
	// +kubebuilder:validation:MinProperties=1
	// +kubebuilder:validation:XValidation: message="set a", rule="has(self.a)"
	Base `json:",inline"`

	// Without members there is nothing to merge.
	// +kubebuilder:validation:Schemaless
	Other `json:",inline"`

	// What JSON does not have has no members here.
	// +kubebuilder:validation:MinProperties=2
	Gone Other `json:"-"`
}

type Base struct {
	A string `json:"a,omitempty"`
}

type Other struct {
	B string `json:"b"`
}
"""
)


def _schema(directory: Path, types: str) -> Node:
    """The schema of the only kind."""
    (directory / "v1").mkdir()
    (directory / "v1" / "types.go").write_text(types)
    program = build_program(Settings((str(directory / "v1"),), every_kind=True)).program
    (definition,) = definitions(program)
    return ResourceEmitter(program, SchemaOptions(SchemaMode.IDIOMATIC)).schema(definition.versions[0][1])


def _rules(node: Node) -> list[str]:
    return [rule.entry.rule for rule in node.rules]
