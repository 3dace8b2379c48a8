"""`validate` and `validate()` of a generated package give the same errors for the same object, raw or not."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_validate_definitions import run, write
from tests.tables import each
from validation_gen.compiler.pipeline import Settings, build_files, build_program, load_validators
from validation_gen.runtime import native
from validation_gen.runtime.registry import Registry

TYPES = """// +k8s:validation-gen=*
// +groupName=fleet.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Ship struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec   ShipSpec `json:"spec"`
	Status State    `json:"status,omitempty"`
}

// +kubebuilder:resource:scope=Cluster
type Port struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec   ShipSpec `json:"spec"`
}

type State struct {
	// +k8s:optional
	// +k8s:maximum=3
	Size int32 `json:"size,omitempty"`
}

type ShipSpec struct {
	Common `json:",inline"`
	// +k8s:optional
	// +k8s:maxLength=5
	Name string `json:"name,omitempty"`
	Part *Part `json:"part,omitempty"`
	Parts []Part `json:"parts,omitempty"`
	ByName map[string]Part `json:"byName,omitempty"`
	Labels map[string]string `json:"labels,omitempty"`
	// +kubebuilder:pruning:PreserveUnknownFields
	Loose Part `json:"loose,omitempty"`
	// +kubebuilder:validation:XPreserveUnknownFields
	LooseParts []Part `json:"looseParts,omitempty"`
	// +kubebuilder:pruning:PreserveUnknownFields
	// +kubebuilder:validation:EmbeddedResource
	Raw runtime.RawExtension `json:"raw,omitempty"`
	Open Open `json:"open,omitempty"`
	OpenParts OpenParts `json:"openParts,omitempty"`
	Template Template `json:"template,omitempty"`
	Next *ShipSpec `json:"next,omitempty"`
}

type Common struct {
	Owner string `json:"owner,omitempty"`
	// +kubebuilder:pruning:PreserveUnknownFields
	Extra *Part `json:"extra,omitempty"`
}

type Part struct {
	Size int32 `json:"size,omitempty"`
	Inner *State `json:"inner,omitempty"`
}

// +kubebuilder:pruning:PreserveUnknownFields
type Open struct {
	Known Part `json:"known,omitempty"`
}

// +kubebuilder:pruning:PreserveUnknownFields
type OpenParts []Part

type Template struct {
	metav1.ObjectMeta `json:"metadata,omitempty"`
}
"""

NAMED = {"name": "a", "namespace": "b"}
#: Objects, with the fields at which something is wrong: by default, and by the rules alone.
OBJECTS: dict[str, tuple[dict[str, Any], list[str], list[str]]] = {
    "valid": ({"metadata": NAMED, "spec": {"name": "a"}}, [], []),
    "a bad name": ({"metadata": {"name": "A_b"}}, ["metadata.name"], []),
    "no name": ({"metadata": {}}, ["metadata.name"], []),
    "no metadata": ({}, ["metadata.name"], []),
    "a bad name and a rule": (
        {"metadata": {"name": "A"}, "spec": {"name": "too long", "nmae": 1}},
        ["metadata.name", "spec.name", "spec.nmae"],
        ["spec.name"],
    ),
    "a generated name": ({"metadata": {"generateName": "a-"}}, [], []),
    "a bad generated name": (
        {"metadata": {"generateName": "Ab-"}},
        ["metadata.generateName", "metadata.name"],
        [],
    ),
    "no namespace": ({"metadata": {"name": "a"}}, [], []),
    "a bad namespace": ({"metadata": {"name": "a", "namespace": "B.c"}}, ["metadata.namespace"], []),
    "of a cluster, with a namespace": ({"kind": "Port", "metadata": {"name": "a", "namespace": "B.c"}}, [], []),
    "of a cluster, a bad name": ({"kind": "Port", "metadata": {"name": "a/b"}}, ["metadata.name"], []),
    "bad labels": ({"metadata": {**NAMED, "labels": {"a b": "c"}}}, ["metadata.labels"], []),
    "good labels": ({"metadata": {**NAMED, "labels": {"a.b/c": "c"}, "annotations": {"d": "e"}}}, [], []),
    "an unknown field of metadata": ({"metadata": {**NAMED, "lables": {}}}, ["metadata.lables"], []),
    "metadata of a wrong type": ({"metadata": {"name": 5}}, ["metadata.name"], ["metadata.name"]),
    "metadata that is a list": ({"metadata": []}, ["metadata"], ["metadata"]),
    "unknown at the root": ({"metadata": NAMED, "sepc": {}}, ["sepc"], []),
    "unknown and null": ({"metadata": NAMED, "spec": {"nmae": None}}, ["spec.nmae"], []),
    "unknown in a struct": ({"metadata": NAMED, "spec": {"part": {"sise": 1}}}, ["spec.part.sise"], []),
    "unknown in a list": (
        {"metadata": NAMED, "spec": {"parts": [{"size": 1}, {"sise": 1, "inner": {"x": []}}]}},
        ["spec.parts[1].sise", "spec.parts[1].inner.x"],
        [],
    ),
    "unknown in a map": ({"metadata": NAMED, "spec": {"byName": {"a": {"b": 1}}}}, ["spec.byName.a.b"], []),
    "any key of a map": ({"metadata": NAMED, "spec": {"labels": {"any": "b"}}}, [], []),
    "of an inlined struct": ({"metadata": NAMED, "spec": {"owner": "a", "onwer": "b"}}, ["spec.onwer"], []),
    "a field that preserves": (
        {"metadata": NAMED, "spec": {"loose": {"any": {"b": 1}, "inner": {"c": 1}}}},
        ["spec.loose.inner.c"],
        [],
    ),
    "items that are preserved": ({"metadata": NAMED, "spec": {"looseParts": [{"any": 1}]}}, [], []),
    "an embedded resource": (
        {"metadata": NAMED, "spec": {"raw": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "b": 1}}},
        [],
        [],
    ),
    "a type that preserves": (
        {"metadata": NAMED, "spec": {"open": {"any": 1, "known": {"b": 1}}}},
        ["spec.open.known.b"],
        [],
    ),
    "a list type that preserves": ({"metadata": NAMED, "spec": {"openParts": [{"any": 1}]}}, [], []),
    "an inlined field that preserves": ({"metadata": NAMED, "spec": {"extra": {"any": 1}}}, [], []),
    "metadata of a template": (
        {"metadata": NAMED, "spec": {"template": {"metadata": {"labels": {"a": "b"}, "lables": {}}}}},
        ["spec.template.metadata.lables"],
        [],
    ),
    "a type in itself": ({"metadata": NAMED, "spec": {"next": {"next": {"nmae": 1}}}}, ["spec.next.next.nmae"], []),
    "a status apart": ({"metadata": NAMED, "status": {"size": 9, "sise": 1}}, ["status.sise"], ["status.size"]),
    "a key that is not a string": ({"metadata": NAMED, "spec": {"5": 1}}, ["spec.5"], []),
}


@pytest.fixture(params=["native", "pure"])
def registry(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry:
    monkeypatch.chdir(tmp_path)
    Path("v1").mkdir()
    Path("v1/types.go").write_text(TYPES, encoding="utf-8")
    if request.param == "pure":
        monkeypatch.setattr(native, "accept", None)
    return load_validators(build_program(Settings(("v1",))).program)


def ship(parts: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": "fleet.example.com/v1", "kind": "Ship", "spec": {}, **copy.deepcopy(parts)}


def answers(obj: dict[str, Any], *args: str) -> list[dict[str, Any]]:
    """Returns the errors that the command prints for an object."""
    write("ship.json", obj)
    _, out, _ = run("v1", "-f", "ship.json", "--format", "json", *args)
    found = json.loads(out)
    return [{**error, "message": ""} for error in found[0]["errors"]] if found else []


def of_package(registry: Registry, obj: dict[str, Any], old: Any = None, **options: Any) -> list[dict[str, Any]]:
    errors = registry.validate(obj, old, **options)
    return [{**json.loads(json.dumps(error.as_dict())), "message": ""} for error in errors]


@pytest.fixture
def answers_of_all(registry: Registry) -> dict[tuple[str, bool], list[dict[str, Any]]]:
    """Errors of the command by case, and by whether it judges rules alone."""
    documents = (json.dumps(ship(parts)) for parts, _, _ in OBJECTS.values())
    Path("all.json").write_text("\n---\n".join(documents), encoding="utf-8")
    found = {}
    for raw in (False, True):
        _, out, _ = run("v1", "-f", "all.json", "--format", "json", *(["--raw"] if raw else []))
        for case, judged in zip(OBJECTS, json.loads(out), strict=True):
            found[case, raw] = [{**error, "message": ""} for error in judged["errors"]]
    return found


@each("case", OBJECTS)
def test_both_say_the_same(
    registry: Registry, answers_of_all: dict[tuple[str, bool], list[dict[str, Any]]], case: str
) -> None:
    parts, sent, raw = OBJECTS[case]
    obj = ship(parts)
    before = copy.deepcopy(obj)
    found = of_package(registry, obj)
    assert [error["field"] for error in found] == sent
    assert answers_of_all[case, False] == found
    found = of_package(registry, obj, raw=True)
    assert [error["field"] for error in found] == raw
    assert answers_of_all[case, True] == found
    assert obj == before
    for _ in range(40):  # native code takes part after a few dozen objects
        registry.validate(ship({"metadata": NAMED}))
    assert [error.field for error in registry.validate(obj)] == sent


@each("case", OBJECTS)
def test_both_say_the_same_of_updates(registry: Registry, case: str) -> None:
    obj, old = ship(OBJECTS[case][0]), ship({"metadata": NAMED})
    write("old.json", old)
    old["metadata"] = {**NAMED, "name": (obj.get("metadata") and dict(obj["metadata"] or ()).get("name")) or "a"}
    old["kind"] = obj["kind"]
    old["metadata"]["namespace"] = (dict(obj.get("metadata") or ())).get("namespace", "default")
    write("old.json", old)
    options: dict[str, Any] = {"raw": True, "level": "standard"}
    options_of_rules = [(options, ("--raw", "--level", "standard"))] if OBJECTS[case][2] else []
    for option, args in [({}, ()), *options_of_rules]:
        found = answers(obj, "--old", "old.json", *args)
        update, create = of_package(registry, obj, old, **option), of_package(registry, obj, **option)
        assert found in (update, create), "a create where the names are not those of the old object"


def test_a_name_that_was_taken_once_is_no_error_of_an_update(registry: Registry) -> None:
    obj = ship({"metadata": {"name": "A_b"}})
    assert registry.validate(obj, obj) == []
    assert [error.field for error in registry.validate({**obj, "metadata": {"name": "a/b"}}, obj)] == ["metadata.name"]


def test_types_and_validators_of_one_kind_judge_rules_alone(registry: Registry) -> None:
    obj = ship({"metadata": {"name": "A"}, "spec": {"nmae": 1}})
    assert registry.validate(obj, type="Ship") == []
    assert registry.validator("fleet.example.com/v1", "Ship")(obj) == []
    write("ship.json", obj)
    assert run("v1", "-f", "ship.json", "--type", "Ship")[0] == 0


def test_a_package_of_definitions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    schema = {
        "type": "object",
        "properties": {
            "spec": {
                "type": "object",
                "properties": {
                    "size": {"type": "integer", "maximum": 3},
                    "loose": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
                },
            }
        },
    }
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    names = {"kind": "Ship", "plural": "ships"}
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "ships.fleet.example.com"},
        "spec": {"group": "fleet.example.com", "scope": "Cluster", "names": names, "versions": [version]},
    }
    Path("v1").mkdir()
    write("v1/ships.json", definition)
    registry = load_validators(build_program(Settings((), definitions=("v1",))).program)
    assert [kind.namespaced for kind in registry.kinds] == [False]
    for parts, fields in (
        ({"metadata": {"name": "a", "namespace": "B.c"}}, []),
        ({"metadata": {"name": "A"}}, ["metadata.name"]),
        ({"metadata": {"name": "A"}, "spec": {"size": 9}}, ["metadata.name", "spec.size"]),
        ({"metadata": {"name": "a"}, "spec": {"sise": 1, "loose": {"any": 1}}}, ["spec.sise"]),
        ({"metadata": {"name": "a", "lables": {}}, "sepc": {}}, ["metadata.lables", "sepc"]),
        ({"metadata": {"name": "A"}, "spec": {"sise": 1, "size": 9}}, ["spec.sise"]),
    ):
        found = of_package(registry, ship(parts))
        assert [error["field"] for error in found] == fields
        assert sorted(answers(ship(parts)), key=str) == sorted(found, key=str)


def test_packages_say_what_they_need(registry: Registry) -> None:
    """A line for the kinds of a cluster, for a status apart, and for what keeps unknown fields."""
    text = "".join(build_files(build_program(Settings(("v1",))).program).values())
    for line in (
        'cluster="Port",',
        'status="Ship",',
        'preserves="*",',
        'preserves="loose looseParts raw openParts extra"',
    ):
        assert line in text
    assert text.count("preserves=") == 3
