"""Schemas of structs that embed a type which cannot be found."""

from __future__ import annotations

from pathlib import Path

import pytest

from validation_gen.compiler.pipeline import Settings, build_program
from validation_gen.emit.schema import SchemaMode, SchemaOptions
from validation_gen.emit.schema.jsonschema import SchemaEmitter
from validation_gen.emit.schema.resources import ResourceEmitter, definitions
from validation_gen.ir import Program

_TYPES = """
// +groupName=example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/elsewhere/paint"
)

type Wall struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   WallSpec   `json:"spec"`
	Status WallStatus `json:"status,omitempty"`
}

type WallSpec struct {
	Base `json:",inline"`

	Height int32 `json:"height"`
}

type Base struct {
	*paint.Colour

	Named paint.Primer `json:"named"`
}

type WallStatus struct {
	Result `json:",inline"`
	paint.Mix[string] `json:",inline"`
}

type Result paint.Result
"""


@pytest.fixture
def program(tmp_path: Path) -> Program:
    (tmp_path / "v1").mkdir()
    (tmp_path / "v1" / "types.go").write_text(_TYPES)
    return build_program(Settings((str(tmp_path / "v1"),), every_kind=True)).program


@pytest.mark.parametrize("manner", [SchemaMode.IDIOMATIC, SchemaMode.EXACT])
def test_the_struct_around_keeps_unknown_fields(program: Program, manner: SchemaMode) -> None:
    (definition,) = definitions(program)
    schema = ResourceEmitter(program, SchemaOptions(manner)).schema(definition.versions[0][1]).as_json()
    spec, status = (schema["properties"][name] for name in ("spec", "status"))
    assert spec["x-kubernetes-preserve-unknown-fields"] is status["x-kubernetes-preserve-unknown-fields"] is True
    assert (set(spec["properties"]), set(status.get("properties", ()))) == ({"height", "named"}, set())
    assert set(spec.get("required", ())) <= {"height", "named"}
    assert "required" not in status
    assert "x-kubernetes-preserve-unknown-fields" not in schema


def test_editors_refuse_no_unknown_field(program: Program) -> None:
    (definition,) = definitions(program)
    ((package, root),) = definition.versions
    schema = SchemaEmitter(program, SchemaOptions(SchemaMode.IDIOMATIC)).schema(package, root)
    assert "additionalProperties" not in schema["properties"]["spec"]
    assert schema["additionalProperties"] is False
