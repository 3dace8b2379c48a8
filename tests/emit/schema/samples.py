"""The committed sample APIs as programs for schemas, and small programs from a few lines of Go."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from validation_gen.compiler.pipeline import Settings, build_program
from validation_gen.emit.schema import SchemaMode, SchemaOptions
from validation_gen.ir import Program

APIS = Path(__file__).parents[3] / "testdata" / "apis"
OPTIONS = {manner: SchemaOptions(manner) for manner in SchemaMode}

_DOC = "// +k8s:validation-gen=TypesWithField=TypeMeta\n// +groupName=things.example.com\npackage v1\n"
_TYPES = """package v1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var (
	_ resource.Quantity
	_ runtime.RawExtension
	_ intstr.IntOrString
)

type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec,omitempty"`
}
"""


@functools.cache
def sample() -> Program:
    return build_program(Settings((str(APIS),), every_kind=True)).program


def program(directory: Path, types: str) -> Program:
    """A program with the kind `Thing` of `things.example.com/v1`. `types` declares `Spec` and what it needs."""
    package = directory / "v1"
    package.mkdir()
    (directory / "go.mod").write_text("module example.com/things\n\ngo 1.24\n")
    (package / "doc.go").write_text(_DOC)
    (package / "types.go").write_text(f"{_TYPES}\n{types}\n")
    result = build_program(Settings((str(directory),), every_kind=True))
    assert not result.diagnostics.has_errors, result.diagnostics
    return result.program


def references(value: Any) -> set[str]:
    """All that a document refers to."""
    if isinstance(value, dict):
        own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        return own.union(*map(references, value.values()))
    return set().union(*map(references, value)) if isinstance(value, list) else set()
