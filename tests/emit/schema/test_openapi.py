"""OpenAPI v3 documents: valid, complete, and in the form that API servers publish."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.emit.schema.samples import OPTIONS, program, references, sample
from tests.tables import each
from tests.upstream_packages import API, APIMACHINERY
from validation_gen.compiler.pipeline import Settings, build_program
from validation_gen.diagnostics import Diagnostics
from validation_gen.emit.output import write_files
from validation_gen.emit.schema import SchemaMode, SchemaOptions, swagger
from validation_gen.emit.schema.components import component_name, component_names
from validation_gen.emit.schema.defaults import default_is_valid
from validation_gen.emit.schema.jsonschema import as_json
from validation_gen.emit.schema.node import Node

META = "io.k8s.apimachinery.pkg.apis.meta.v1"
FLEET = "com.example.fleet"
THINGS = "com.example.things.v1"


def problems(document: dict[str, Any]) -> list[str]:
    from openapi_spec_validator import OpenAPIV30SpecValidator  # noqa: PLC0415 - collection need not import it

    return [error.message for error in OpenAPIV30SpecValidator(document).iter_errors()]


def dangling(document: dict[str, Any]) -> set[str]:
    return references(document) - {swagger.PREFIX_V3 + name for name in document["components"]["schemas"]}


def things(directory: Path, types: str, manner: SchemaMode = SchemaMode.IDIOMATIC) -> dict[str, Any]:
    """The schemas of a small program."""
    (document,) = swagger.documents_v3(swagger.components_v3(program(directory, types), OPTIONS[manner])).values()
    assert problems(document) == []
    assert dangling(document) == set()
    schemas: dict[str, Any] = document["components"]["schemas"]
    return schemas


# --- names ----------------------------------------------------------------------------------------------------------


@each(
    ("id", "name"),
    [
        ("k8s.io/api/core/v1.Pod", "io.k8s.api.core.v1.Pod"),
        ("k8s.io/apimachinery/pkg/util/intstr.IntOrString", "io.k8s.apimachinery.pkg.util.intstr.IntOrString"),
        ("csi.storage.k8s.io/v1alpha1.CSINodeInfo", "io.k8s.storage.csi.v1alpha1.CSINodeInfo"),
        ("example.com/robots/v1.Robot", "com.example.robots.v1.Robot"),
        ("robots/v1.Robot", "robots.v1.Robot"),
        ("models.Robot", "models.Robot"),
        ("example.com/a~b/ü.T", "com.example.a_b._.T"),
    ],
)
def test_the_name_of_a_type(id: str, name: str) -> None:
    assert component_name(id) == name


@given(st.lists(st.text(st.sampled_from("ab./~_2"), min_size=1)))
def test_names_are_allowed_and_unique(ids: list[str]) -> None:
    names = component_names(ids)
    assert len(set(names.values())) == len(names) == len(set(ids))
    assert all(re.fullmatch(r"[A-Za-z0-9._-]*", name) for name in names.values())


# --- documents ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("manner", SchemaMode)
def test_documents_are_valid_and_complete(manner: SchemaMode) -> None:
    documents = swagger.documents_v3(swagger.components_v3(sample(), OPTIONS[manner]))
    assert list(documents) == [
        "openapi/v3/apis__missions.example.com__v1alpha1_openapi.json",
        "openapi/v3/apis__robots.example.com__v1_openapi.json",
        "openapi/v3/apis__robots.example.com__v1beta1_openapi.json",
    ]
    for document in documents.values():
        assert problems(document) == []
        assert dangling(document) == set()
        assert (document["openapi"], document["paths"]) == ("3.0.0", {})


def test_a_document_has_what_its_kinds_need() -> None:
    document = swagger.documents_v3(swagger.components_v3(sample(), SchemaOptions()))[
        "openapi/v3/apis__robots.example.com__v1beta1_openapi.json"
    ]
    assert document["info"] == {"title": "robots.example.com", "version": "v1beta1"}
    assert set(document["components"]["schemas"]) == {
        *(f"{FLEET}.robots.v1beta1.{name}" for name in ("Drive", "Robot", "RobotList", "RobotSpec", "RobotStatus")),
        *(f"{FLEET}.robots.v1.{name}" for name in ("LeggedDrive", "RotorDrive", "WheeledDrive")),
        *(f"{META}.{name}" for name in ("FieldsV1", "ListMeta", "ManagedFieldsEntry", "ObjectMeta", "OwnerReference")),
        f"{META}.Time",
        "io.k8s.apimachinery.pkg.api.resource.Quantity",
    }


def test_kinds_and_lists_say_what_they_are() -> None:
    documents = swagger.documents_v3(swagger.components_v3(sample(), SchemaOptions()))
    schemas = documents["openapi/v3/apis__robots.example.com__v1_openapi.json"]["components"]["schemas"]
    marks = {
        name.removeprefix(f"{FLEET}.robots.v1."): schema["x-kubernetes-group-version-kind"]
        for name, schema in schemas.items()
        if "x-kubernetes-group-version-kind" in schema
    }
    assert marks == {
        kind: [{"group": "robots.example.com", "kind": kind, "version": "v1"}]
        for kind in ("Robot", "RobotList", "RobotPool", "RobotPoolList", "Scale")
    }
    robots = schemas[f"{FLEET}.robots.v1.RobotList"]["properties"]["items"]
    assert robots == {"items": {"$ref": f"{swagger.PREFIX_V3}{FLEET}.robots.v1.Robot"}, "type": "array"}


def test_rules_stand_at_the_types_that_have_them() -> None:
    documents = swagger.documents_v3(swagger.components_v3(sample(), SchemaOptions()))
    schemas = documents["openapi/v3/apis__robots.example.com__v1_openapi.json"]["components"]["schemas"]
    pool = schemas[f"{FLEET}.robots.v1.RobotPoolSpec"]
    assert pool["properties"]["replicas"] == {
        "default": 1,
        "description": "replicas is how many robots are wanted. Zero sends all of them to the depot.",
        "format": "int32",
        "minimum": 0,
        "type": "integer",
    }
    areas = pool["properties"]["areas"]
    assert areas["items"] == {"$ref": f"{swagger.PREFIX_V3}{FLEET}.geo.Area"}
    assert (areas["maxItems"], areas["x-kubernetes-list-type"]) == (16, "map")
    # What a field says of a member of its struct stands beside the reference.
    metadata = schemas[f"{FLEET}.robots.v1.RobotPool"]["properties"]["metadata"]
    assert metadata["allOf"] == [{"$ref": f"{swagger.PREFIX_V3}{META}.ObjectMeta"}]
    assert metadata["properties"]["name"]["pattern"]


# --- single types ---------------------------------------------------------------------------------------------------


def test_zero_values_of_what_is_no_pointer_are_defaults(tmp_path: Path) -> None:
    schemas = things(
        tmp_path,
        """
type Spec struct {
	Text     string  `json:"text"`
	Number   int64   `json:"number"`
	Real     float64 `json:"real"`
	Truth    bool    `json:"truth"`
	Left     string  `json:"left,omitempty"`
	Pointer  *string `json:"pointer"`
	Part     Part    `json:"part"`
	Away     *Part   `json:"away,omitempty"`
	Texts    []string `json:"texts,omitempty"`
	Parts    []Part   `json:"parts,omitempty"`
	Pointers []*Part  `json:"pointers,omitempty"`
	ByName   map[string]Part    `json:"byName,omitempty"`
	Matrix   [][]int32          `json:"matrix,omitempty"`
	Data     []byte             `json:"data,omitempty"`
	When     metav1.Time        `json:"when,omitempty"`
	Size     resource.Quantity  `json:"size"`
	Port     intstr.IntOrString `json:"port"`
	Raw      runtime.RawExtension `json:"raw,omitempty"`
	// +default="red"
	Color string `json:"color,omitempty"`
}

type Part struct {
	Name string `json:"name,omitempty"`
}
""",
    )
    part = {"$ref": f"{swagger.PREFIX_V3}{THINGS}.Part"}
    by_value = {"allOf": [part], "default": {}}
    machinery = f"{swagger.PREFIX_V3}io.k8s.apimachinery.pkg"
    assert schemas[f"{THINGS}.Spec"]["properties"] == {
        "text": {"default": "", "type": "string"},
        "number": {"default": 0, "format": "int64", "type": "integer"},
        "real": {"default": 0, "format": "double", "type": "number"},
        "truth": {"default": False, "type": "boolean"},
        "left": {"type": "string"},
        "pointer": {"type": "string"},
        "part": by_value,
        "away": part,
        "texts": {"items": {"default": "", "type": "string"}, "type": "array"},
        "parts": {"items": by_value, "type": "array"},
        "pointers": {"items": part, "type": "array"},
        "byName": {"additionalProperties": by_value, "type": "object"},
        "matrix": {
            "items": {"items": {"default": 0, "format": "int32", "type": "integer"}, "type": "array"},
            "type": "array",
        },
        "data": {"format": "byte", "type": "string"},
        "when": {"$ref": f"{machinery}.apis.meta.v1.Time"},
        "size": {"$ref": f"{machinery}.api.resource.Quantity"},
        "port": {"$ref": f"{machinery}.util.intstr.IntOrString"},
        "raw": {"$ref": f"{machinery}.runtime.RawExtension"},
        "color": {"default": "red", "type": "string"},
    }
    machinery = machinery.removeprefix(swagger.PREFIX_V3)
    assert schemas[f"{machinery}.apis.meta.v1.Time"]["format"] == "date-time"
    assert schemas[f"{machinery}.api.resource.Quantity"]["oneOf"] == [{"type": "string"}, {"type": "number"}]
    assert schemas[f"{machinery}.util.intstr.IntOrString"]["format"] == "int-or-string"
    assert schemas[f"{machinery}.runtime.RawExtension"]["type"] == "object"


def test_a_default_that_the_schema_refuses_is_left_out(tmp_path: Path) -> None:
    schemas = things(
        tmp_path,
        """
type Spec struct {
	// +k8s:required
	Text string `json:"text"`
	// +k8s:minimum=1
	Number int32 `json:"number"`
	// +k8s:format=k8s-short-name
	Name string `json:"name"`
	// +k8s:optional
	Color Color `json:"color"`
	Colors []Color `json:"colors,omitempty"`
	Part Part `json:"part"`
	Whole Whole `json:"whole"`
}

// +k8s:enum
type Color string

const Red Color = "Red"

type Part struct {
	// +k8s:required
	Name string `json:"name"`
}

type Whole struct {
	Part Part `json:"part,omitempty"`
}
""",
    )
    properties = schemas[f"{THINGS}.Spec"]["properties"]
    assert {name for name, schema in properties.items() if "default" in schema} == {"whole"}
    assert "default" not in properties["colors"]["items"]
    assert properties["part"] == {"$ref": f"{swagger.PREFIX_V3}{THINGS}.Part"}
    assert schemas[f"{THINGS}.Spec"]["required"] == ["name", "number", "part", "text", "whole"]


def test_a_written_default_that_the_type_refuses_is_left_out(tmp_path: Path) -> None:
    schemas = things(
        tmp_path,
        """
type Spec struct {
	// +default={"name": "a"}
	Good Part `json:"good,omitempty"`
	// +default={"name": "too long"}
	Bad Part `json:"bad,omitempty"`
	// +default="abc"
	// +k8s:maxLength=2
	Text string `json:"text,omitempty"`
}

type Part struct {
	// +k8s:maxLength=3
	Name string `json:"name,omitempty"`
}
""",
    )
    properties = schemas[f"{THINGS}.Spec"]["properties"]
    assert properties["good"]["default"] == {"name": "a"}
    assert "default" not in properties["text"]
    assert properties["bad"].get("default") == {}


def test_types_may_be_inside_themselves(tmp_path: Path) -> None:
    schemas = things(
        tmp_path,
        """
type Spec struct {
	Root  *Tree `json:"root,omitempty"`
	Again Again `json:"again,omitempty"`
}

type Tree struct {
	// +k8s:maxLength=5
	Name     string          `json:"name,omitempty"`
	Children []Tree          `json:"children,omitempty"`
	ByName   map[string]Tree `json:"byName,omitempty"`
}

type Again struct {
	Spec *Spec `json:"spec,omitempty"`
}
""",
    )
    tree = {"allOf": [{"$ref": f"{swagger.PREFIX_V3}{THINGS}.Tree"}], "default": {}}
    properties = schemas[f"{THINGS}.Tree"]["properties"]
    assert properties["name"]["maxLength"] == 5
    assert (properties["children"]["items"], properties["byName"]["additionalProperties"]) == (tree, tree)
    assert schemas[f"{THINGS}.Again"]["properties"]["spec"] == {"$ref": f"{swagger.PREFIX_V3}{THINGS}.Spec"}


def test_what_stands_beside_a_reference_is_kept(tmp_path: Path) -> None:
    schemas = things(
        tmp_path,
        """
type Spec struct {
	// part is a part.
	// +k8s:optional
	// +k8s:immutable
	Part *Part `json:"part,omitempty"`
	// +kubebuilder:validation:Type=string
	Odd Part `json:"odd,omitempty"`
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Any Part `json:"any,omitempty"`
}

type Part struct {
	Name string `json:"name,omitempty"`
}
""",
    )
    properties = schemas[f"{THINGS}.Spec"]["properties"]
    assert properties["part"]["allOf"] == [{"$ref": f"{swagger.PREFIX_V3}{THINGS}.Part"}]
    assert properties["part"]["description"] == "part is a part."
    assert properties["odd"] == {"type": "string"}
    assert properties["any"] == {"x-kubernetes-preserve-unknown-fields": True}


def test_a_list_of_the_source_is_taken_as_it_is(tmp_path: Path) -> None:
    schemas = things(
        tmp_path,
        """
type Spec struct{
	Others *ThingList `json:"others,omitempty"`
}

// ThingList is a list of ours.
type ThingList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	// items are the things.
	Items []Thing `json:"items"`
}
""",
    )
    things_list = schemas[f"{THINGS}.ThingList"]
    assert things_list["description"] == "ThingList is a list of ours."
    assert things_list["properties"]["items"]["description"] == "items are the things."
    assert things_list["required"] == ["items"]
    assert things_list["x-kubernetes-group-version-kind"][0]["kind"] == "ThingList"


def test_a_type_with_the_name_of_a_list_is_no_list(tmp_path: Path) -> None:
    schemas = things(
        tmp_path,
        """
type Spec struct{
	Others *ThingList `json:"others,omitempty"`
}

type ThingList struct {
	First string `json:"first,omitempty"`
}
""",
    )
    assert schemas[f"{THINGS}.ThingList"] == {"properties": {"first": {"type": "string"}}, "type": "object"}
    assert f"{META}.ListMeta" not in schemas


# --- everything else ------------------------------------------------------------------------------------------------


@each(
    ("keywords", "value", "taken"),
    [
        ({}, "", True),
        ({"type": "string", "minLength": 1}, "", False),
        ({"type": "string", "pattern": "^a*$"}, "", True),
        ({"type": "string", "pattern": "^a+$"}, "", False),
        ({"type": "string", "pattern": r"^\p{L}*$"}, "", False),
        ({"type": "string", "enum": ["a"]}, "", False),
        ({"type": "integer"}, "", False),
        ({"type": "integer", "minimum": 0}, 0, True),
        ({"type": "integer", "minimum": 0, "exclusiveMinimum": True}, 0, False),
        ({"type": "number", "maximum": -0.5}, 0, False),
        ({"type": "boolean"}, False, True),
        ({"type": "integer"}, False, False),
        ({"type": "object", "minProperties": 1}, {}, False),
        ({"type": "object", "anyOf": [{"required": ["a"]}]}, {}, False),
    ],
)
def test_whether_a_schema_takes_a_zero_value(keywords: dict[str, Any], value: Any, taken: bool) -> None:
    assert default_is_valid(Node(keywords), value) is taken
    assert default_is_valid(Node({}, all_of=[keywords]), value) is taken


def test_required_members_refuse_an_empty_object() -> None:
    assert not default_is_valid(Node({"type": "object"}, required={"a"}), {})


def test_text_is_stable_and_known_again(tmp_path: Path) -> None:
    documents = swagger.documents_v3(swagger.components_v3(sample(), SchemaOptions()))
    texts = {path: as_json(document) for path, document in documents.items()}
    for path, text in texts.items():
        marker, *rest = json.loads(text).items()
        assert marker == ("x-generated-by", "Code generated by validation-gen. DO NOT EDIT.")
        assert dict(rest) == documents[path]
        assert text == json.dumps(json.loads(text), ensure_ascii=False, indent=2) + "\n"
        assert problems(json.loads(text)) == []
    diagnostics = Diagnostics()
    write_files(str(tmp_path), texts, diagnostics, prune=False)
    changed = {path: text.replace("robot", "machine") for path, text in texts.items()}
    written = write_files(str(tmp_path), changed, diagnostics, prune=False)
    assert written.written
    assert not diagnostics.has_errors


def check_documents(directory: Path) -> None:
    """Checks that the documents of sources are valid, and that no reference in them leads nowhere."""
    found = build_program(Settings((str(directory),), every_kind=True, every_type=True)).program
    for options in OPTIONS.values():
        for document in swagger.documents_v3(swagger.components_v3(found, options)).values():
            assert problems(document) == []
            assert dangling(document) == set()


@pytest.mark.skipif(
    API is None or APIMACHINERY is None,
    reason="VALIDATION_GEN_API and VALIDATION_GEN_APIMACHINERY must name directories, as tests/test_upstream.py says",
)
def test_documents_of_kubernetes_are_valid() -> None:
    settings = Settings((str(API),), every_kind=True, modules={"k8s.io/apimachinery": str(APIMACHINERY)})
    documents = swagger.documents_v3(swagger.components_v3(build_program(settings).program, SchemaOptions()))
    assert len(documents) > 50
    for document in documents.values():
        assert problems(document) == []
        assert dangling(document) == set()


# --- lists that are merged by patches -------------------------------------------------------------------------------

_PATCHED = """
type Spec struct {
	// +patchStrategy=merge
	// +patchMergeKey=name
	Parts []Part `json:"parts,omitempty"`

	// +patchStrategy=merge
	Names []string `json:"names,omitempty"`

	// +patchStrategy=merge
	// +listType=atomic
	Whole []string `json:"whole,omitempty"`

	// +k8s:optional
	// +k8s:maxItems=3
	Others []string `json:"others,omitempty"`
}

type Part struct {
	Name string `json:"name"`
}
"""


def test_lists_that_are_merged_by_patches_are_maps_and_sets(tmp_path: Path) -> None:
    properties = things(tmp_path, _PATCHED)[f"{THINGS}.Spec"]["properties"]
    found = {
        name: (p.get("x-kubernetes-list-type"), p.get("x-kubernetes-list-map-keys")) for name, p in properties.items()
    }
    assert (found["parts"], found["names"]) == (("map", ["name"]), ("set", None))
    assert (found["whole"], found["others"]) == (("atomic", None), (None, None))
