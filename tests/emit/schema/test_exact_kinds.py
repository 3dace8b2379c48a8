"""What the exact manner says of kinds of values: the verdict on an object is that of the validators."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.emit.schema.judge import Judge
from tests.tables import each
from validation_gen.compiler.pipeline import Settings, build_files, build_program
from validation_gen.emit.loading.generated import load_registry
from validation_gen.emit.schema import SchemaMode, SchemaOptions
from validation_gen.emit.schema.resources import Definition, ResourceEmitter
from validation_gen.emit.schema.values import EXACT_WIRE
from validation_gen.runtime.quantity import read_quantity
from validation_gen.runtime.registry import Registry

_PACKAGE = """\
// +k8s:validation-gen=TypeMeta
// +groupName=example.com
package v1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

type Robot struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +k8s:eachVal=+k8s:subfield(w)=+k8s:maximum=90
	// +k8s:eachVal=+k8s:subfield(v)=+k8s:minimum=5
	// +k8s:eachVal=+k8s:subfield(p)=+k8s:minimum=5
	// +k8s:eachVal=+k8s:subfield(s)=+k8s:minLength=3
	Items []Item `json:"items,omitempty"`
	// +k8s:eachVal=+k8s:subfield(v)=+k8s:minimum=5
	Map map[string]Item `json:"map,omitempty"`
	// +k8s:eachVal=+k8s:subfield(n)=+k8s:minimum=5
	Plain []Item `json:"plain,omitempty"`
	Port intstr.IntOrString `json:"port,omitempty"`
	Size resource.Quantity `json:"size,omitempty"`
	Closures map[string]Closure `json:"closures,omitempty"`
}

type Item struct {
	// +k8s:optional
	// +k8s:minimum=10
	W int `json:"w,omitempty"`
	// +k8s:optional
	V int `json:"v,omitempty"`
	// +k8s:optional
	P *int `json:"p,omitempty"`
	// +k8s:optional
	S string `json:"s,omitempty"`
	N int `json:"n,omitempty"`
}

type Closure struct {
	// +k8s:optional
	FromHour *int32 `json:"fromHour"`
	// +k8s:required
	Hours int32 `json:"hours"`
}
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Judge, Registry, list[Any]]:
    """The schema as a judge, the validators, and what the schema says less well than it could."""
    folder: Path = tmp_path_factory.mktemp("kinds") / "v1"
    folder.mkdir()
    (folder / "types.go").write_text(_PACKAGE, encoding="utf-8")
    build = build_program(Settings((str(folder),)))
    (plan,) = [package for package in build.program.packages.values() if package.roots]
    (root,) = plan.roots
    definition = Definition("example.com", "Robot")
    schema = ResourceEmitter(build.program, SchemaOptions(SchemaMode.EXACT)).schema(root, definition)
    return Judge(schema.as_json()), load_registry(build_files(build.program)), definition.excesses


def _agree(made: tuple[Judge, Registry, list[Any]], **fields: Any) -> bool:
    judge, registry, _ = made
    obj = {"apiVersion": "example.com/v1", "kind": "Robot", "metadata": {"name": "a"}, **fields}
    errors = registry.validate(obj)
    assert bool(judge.verdict(obj).errors) is bool(errors), (errors, judge.verdict(obj))
    return not errors


@each(
    ("fields", "good"),
    [
        ({"items": [{}]}, True),
        ({"items": [{"w": 0, "v": 0, "s": ""}]}, True),
        ({"items": [{"w": 91, "v": 5, "p": 5, "s": "abc"}]}, False),
        ({"items": [{"w": 90, "v": 4, "p": 5, "s": "abc"}]}, False),
        ({"items": [{"w": 90, "v": 5, "p": 4, "s": "abc"}]}, False),
        ({"items": [{"w": 90, "v": 5, "p": 5, "s": "ab"}]}, False),
        ({"items": [{"w": 90, "v": 5, "p": 5, "s": "abc"}]}, True),
        ({"map": {"a": {}}}, True),
        ({"map": {"a": {"v": 4}}}, False),
        ({"plain": [{}]}, False),
        ({"port": 2**31 - 1}, True),
        ({"port": 2**31}, False),
        ({"port": -(2**31)}, True),
        ({"port": -(2**31) - 1}, False),
        ({"port": "http"}, True),
        ({"size": " 100m"}, True),
        ({"size": ".039E-0."}, False),
        ({"size": "1e2.5"}, False),
        ({"size": "1e+05"}, True),
        ({"size": "k"}, True),
        ({"size": "Pi"}, False),
        ({"size": "."}, True),
        ({"size": ""}, False),
        ({"size": 3}, True),
    ],
)
def test_verdict(made: tuple[Judge, Registry, list[Any]], fields: dict[str, Any], good: bool) -> None:
    assert _agree(made, **fields) is good


@given(text=st.text("0123456789+-.eEinumkKMGTP ", max_size=12))
def test_texts_of_quantities(text: str) -> None:
    """The pattern matches what the parser takes, and nothing else."""
    pattern = EXACT_WIRE["quantity"]["pattern"]
    assert bool(re.search(pattern.removesuffix("$") + r"\Z", text, re.ASCII)) is (read_quantity(text) is not None)


def test_a_rule_that_judges_again_is_told(made: tuple[Judge, Registry, list[Any]]) -> None:
    """Without a limit on the map, the rule with the old object costs too much."""
    again = [excess.rule.entry.field_path for excess in made[2] if excess.again]
    assert again == [".hours"]
