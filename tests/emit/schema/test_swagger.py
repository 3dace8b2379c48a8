"""OpenAPI v2: the losses are exactly those of the API server."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.apiserver import ApiServer
from tests.emit.schema.samples import OPTIONS, references, sample
from tests.tables import each
from validation_gen.emit.schema import SchemaMode, SchemaOptions, swagger
from validation_gen.emit.schema.resources import ResourceEmitter, definitions

PART = "#/components/schemas/com.example.Part"
OPEN = "x-kubernetes-preserve-unknown-fields"

#: Schemas in version 3 and in version 2.
CONVERSIONS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "what both know": (
        {"type": "string", "maxLength": 3, "description": "d", "x-kubernetes-validations": [{"rule": "true"}]},
        {"type": "string", "maxLength": 3, "description": "d", "x-kubernetes-validations": [{"rule": "true"}]},
    ),
    "junctors": (
        {"type": "string", "allOf": [{"maxLength": 1}], "anyOf": [{}], "oneOf": [{}], "not": {}, "minLength": 1},
        {"type": "string", "minLength": 1},
    ),
    "defaults": ({"type": "string", "default": "a"}, {"type": "string"}),
    "a property called default": (
        {"type": "object", "properties": {"default": {"type": "string"}, "not": {"type": "object", "default": {}}}},
        {"type": "object", "properties": {"default": {"type": "string"}, "not": {"type": "object"}}},
    ),
    "null": ({"type": "string", "nullable": True, "maxLength": 3}, {"maxLength": 3}),
    "null instead of an object": (
        {"type": "object", "nullable": True, "properties": {"a": {"type": "string"}}, "required": ["a"]},
        {"required": ["a"]},
    ),
    "null instead of a list": ({"type": "array", "nullable": True, "items": {"type": "string"}}, {}),
    "null instead of a map": (
        {"type": "object", "nullable": True, "additionalProperties": {"type": "string"}},
        {"additionalProperties": {"type": "string"}},
    ),
    "null where something is required": (
        {
            "type": "object",
            "properties": {"a": {"type": "string", "nullable": True}, "b": {"type": "string"}},
            "required": ["a", "b"],
        },
        {"type": "object", "properties": {"a": {}, "b": {"type": "string"}}, "required": ["b"]},
    ),
    "null where nothing else is required": (
        {"type": "object", "properties": {"a": {"type": "string", "nullable": True}}, "required": ["a"]},
        {"type": "object", "properties": {"a": {}}},
    ),
    "unknown fields": (
        {"type": "object", OPEN: True, "properties": {"a": {"type": "string"}}, "required": ["a"]},
        {OPEN: True, "required": ["a"]},
    ),
    "int or string": (
        {"anyOf": [{"type": "integer"}, {"type": "string"}], "x-kubernetes-int-or-string": True},
        {"x-kubernetes-int-or-string": True},
    ),
    "deep inside": (
        {
            "type": "array",
            "items": {"type": "object", "additionalProperties": {"type": "string", "oneOf": [{}], "default": ""}},
        },
        {"type": "array", "items": {"type": "object", "additionalProperties": {"type": "string"}}},
    ),
}


def crd(spec: dict[str, Any], **root: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"spec": spec}, **root}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"},
            "versions": [version],
        },
    }


@each("name", CONVERSIONS)
def test_what_is_lost(name: str) -> None:
    given, wanted = CONVERSIONS[name]
    before = copy.deepcopy(given)
    assert swagger.to_v2(given) == wanted
    assert given == before


@each("name", [name for name in CONVERSIONS if name not in ("junctors", "int or string")])
def test_the_api_server_loses_the_same(apiserver: ApiServer, name: str) -> None:
    given, wanted = CONVERSIONS[name]
    v3, v2 = apiserver.openapi(crd(given), "v1")
    assert v2["properties"]["spec"] == wanted
    assert swagger.to_v2(v3, root=True) == v2


def test_the_api_server_drops_alternatives(apiserver: ApiServer) -> None:
    spec = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "port": {"x-kubernetes-int-or-string": True, "maxLength": 3}},
        "allOf": [{"properties": {"a": {"maxLength": 3}}}],
        "anyOf": [{"required": ["a"]}, {"required": ["port"]}],
        "not": {"properties": {"a": {"enum": ["x"]}}},
    }
    v3, v2 = apiserver.openapi(crd(spec), "v1")
    assert swagger.to_v2(v3, root=True) == v2
    assert swagger.to_v2(spec) == v2["properties"]["spec"]


def test_a_kind_that_keeps_unknown_fields_has_no_properties(apiserver: ApiServer) -> None:
    v3, v2 = apiserver.openapi(crd({"type": "object"}, **{OPEN: True}), "v1")
    assert swagger.to_v2(v3, root=True) == v2
    assert set(v2) == {"type", "x-kubernetes-group-version-kind"}


@each("manner", SchemaMode)
def test_our_definitions_are_published_like_that(apiserver: ApiServer, manner: SchemaMode) -> None:
    emitter = ResourceEmitter(sample(), OPTIONS[manner])
    compared = 0
    for one in definitions(sample()):
        definition = emitter.definition(one)
        for version in definition["spec"]["versions"]:
            v3, v2 = apiserver.openapi(definition, version["name"])
            ours = swagger.to_v2(version["schema"]["openAPIV3Schema"])["properties"]
            theirs = v2["properties"]
            assert {name: ours[name] for name in ours if name not in ("apiVersion", "kind", "metadata")} == {
                name: theirs[name] for name in theirs if name not in ("apiVersion", "kind", "metadata")
            }
            assert swagger.to_v2(v3, root=True) == v2
            compared += 1
    assert compared == 5


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"$ref": PART}, {"$ref": "#/definitions/com.example.Part"}),
        (
            {"allOf": [{"$ref": PART}], "default": {}, "description": "d", "x-kubernetes-map-type": "atomic"},
            {"$ref": "#/definitions/com.example.Part", "description": "d", "x-kubernetes-map-type": "atomic"},
        ),
        (
            {"allOf": [{"$ref": PART}, {"required": ["a"]}], "properties": {"a": {}}},
            {"$ref": "#/definitions/com.example.Part"},
        ),
        ({"allOf": [{"$ref": PART}], "nullable": True, "description": "d"}, {"description": "d"}),
        ({"$ref": "https://example.com/schema.json"}, {"$ref": "https://example.com/schema.json"}),
    ],
)
def test_references(given: dict[str, Any], wanted: dict[str, Any]) -> None:
    assert swagger.to_v2(given) == wanted


@pytest.mark.parametrize("manner", SchemaMode)
def test_documents_are_valid_and_complete(manner: SchemaMode) -> None:
    documents = swagger.files(sample(), OPTIONS[manner])
    assert list(documents) == [
        "openapi/v2/apis__missions.example.com__v1alpha1_swagger.json",
        "openapi/v2/apis__robots.example.com__v1_swagger.json",
        "openapi/v2/apis__robots.example.com__v1beta1_swagger.json",
    ]
    for document in documents.values():
        from openapi_spec_validator import OpenAPIV2SpecValidator  # noqa: PLC0415 - collection need not import it

        assert [error.message for error in OpenAPIV2SpecValidator(document).iter_errors()] == []
        assert references(document) <= {swagger.PREFIX + name for name in document["definitions"]}
        assert document["swagger"] == "2.0"


def test_types_with_a_form_of_their_own() -> None:
    documents = swagger.files(sample(), SchemaOptions())
    definitions = documents["openapi/v2/apis__robots.example.com__v1_swagger.json"]["definitions"]
    machinery = "io.k8s.apimachinery.pkg"
    assert definitions[f"{machinery}.api.resource.Quantity"]["type"] == "string"
    either = definitions[f"{machinery}.util.intstr.IntOrString"]
    assert (either["type"], either["format"]) == ("string", "int-or-string")
    metadata = definitions["com.example.fleet.robots.v1.Robot"]["properties"]["metadata"]
    assert metadata["$ref"] == f"#/definitions/{machinery}.apis.meta.v1.ObjectMeta"
    assert set(metadata) == {"$ref", "description"}


_NAMES = st.sampled_from(["a", "b"])
_SCHEMAS = st.recursive(
    st.fixed_dictionaries({}, optional={"type": st.sampled_from(["string", "object", "array"])}),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["object", "array"]),
            "nullable": st.booleans(),
            OPEN: st.booleans(),
            "required": st.lists(_NAMES, unique=True),
            "properties": st.dictionaries(_NAMES, inner),
            "items": inner,
            "additionalProperties": inner | st.booleans(),
            "allOf": st.lists(inner | st.just({"$ref": PART})),
            "not": inner,
        },
    ),
)


def words(schema: Any) -> set[str]:
    """All keywords of a schema."""
    if not isinstance(schema, dict):
        return set()
    parts = [*schema.get("properties", {}).values(), schema.get("items"), schema.get("additionalProperties")]
    return set(schema).union(*map(words, parts))


@given(_SCHEMAS, st.booleans())
def test_any_schema_can_be_converted_and_nothing_unknown_is_left(schema: dict[str, Any], root: bool) -> None:
    converted = swagger.to_v2(schema, root=root)
    assert not words(converted) & {"allOf", "anyOf", "oneOf", "not", "nullable", "default"}
    assert swagger.to_v2(converted, root=root) == converted or root
