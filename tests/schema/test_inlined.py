"""Rules of a type whose members stand among those of another one."""

from __future__ import annotations

from pathlib import Path

from validation_gen.emit.schema.manner import Manner, SchemaOptions
from validation_gen.emit.schema.resources import ResourceEmitter, definitions
from validation_gen.pipeline import Settings, build_program

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
    (tmp_path / "v1").mkdir()
    (tmp_path / "v1" / "types.go").write_text(_TYPES)
    program = build_program(Settings((str(tmp_path / "v1"),), every_kind=True)).program
    (definition,) = definitions(program)
    schema = ResourceEmitter(program, SchemaOptions(Manner.IDIOMATIC)).schema(definition.versions[0][1])
    (rule,) = schema.properties["spec"].rules
    assert rule.entry.rule == "has(self.arms) == has(oldSelf.arms) && (!has(self.arms) || self.arms == oldSelf.arms)"
