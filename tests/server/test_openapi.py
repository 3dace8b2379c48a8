"""OpenAPI documents of the API server."""

from __future__ import annotations

import asyncio
import json
import struct
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.server.asking import Asking, serving
from validation_gen.apiserver.core.protobuf import _parts
from validation_gen.apiserver.openapi_protobuf import encode_document

DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
DOCUMENT = "/openapi/v3/apis/sky.example.com/v1"
META = "io.k8s.apimachinery.pkg.apis.meta.v1"
PROTOBUF = "application/com.github.proto-openapi.spec.v3@v1.0+protobuf"
PROTOBUF_V2 = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"
OLD_PROTOBUF_V2 = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf"
SPEC: dict[str, Any] = {
    "type": "object",
    "required": ["colour"],
    "properties": {
        "colour": {"type": "string", "enum": ["red", "blue"], "default": "red", "minLength": 0, "nullable": False},
        "size": {"x-kubernetes-int-or-string": True},
        "span": {"x-kubernetes-int-or-string": True, "anyOf": [{"minimum": 1}, {"pattern": "m$"}]},
        "line": {
            "x-kubernetes-int-or-string": True,
            "allOf": [{"anyOf": [{"type": "integer"}, {"type": "string"}]}, {"maxLength": 3}],
            "anyOf": [{"minimum": 1}, {"pattern": "m$"}],
        },
        "tail": {"type": "string", "nullable": True},
        "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        "parts": {
            "type": "array",
            "items": {
                "type": "object",
                "x-kubernetes-embedded-resource": True,
                "properties": {"spec": {"type": "object"}},
            },
        },
        "open": {
            "type": "object",
            "x-kubernetes-embedded-resource": True,
            "x-kubernetes-preserve-unknown-fields": True,
        },
    },
}


def kites(*, scope: str = "Namespaced", root: dict[str, Any] | None = None) -> dict[str, Any]:
    version = {
        "name": "v1",
        "served": True,
        "storage": True,
        "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n"}},
        "selectableFields": [{"jsonPath": ".spec.colour"}],
        "schema": {
            "openAPIV3Schema": {
                "type": "object",
                "description": "A kite.",
                "properties": {"spec": SPEC},
                **(root or {}),
            }
        },
    }
    names = {"plural": "kites", "singular": "kite", "kind": "Kite", "listKind": "KiteList"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "kites.sky.example.com"},
        "spec": {"group": "sky.example.com", "scope": scope, "names": names, "versions": [version]},
    }


def ask(work: Callable[[Asking], Awaitable[None]], definition: dict[str, Any]) -> None:
    async def run() -> None:
        async with serving() as asking:
            answer = await asking.ask("POST", DEFINITIONS, definition)
            assert answer.status == 201, answer.json
            await asking.settle()
            await work(asking)

    asyncio.run(run())


def read(path: str, definition: dict[str, Any]) -> Any:
    found = []

    async def work(asking: Asking) -> None:
        found.append((await asking.ask("GET", path)).json)

    ask(work, definition)
    return found[0]


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    found: dict[str, Any] = read(DOCUMENT, kites())
    return found


@pytest.fixture(scope="module")
def swagger() -> dict[str, Any]:
    found: dict[str, Any] = read("/openapi/v2", kites())
    return found


def read_message(data: bytes) -> dict[int, list[Any]]:
    """Returns the fields of a message in protobuf by their numbers."""
    found: dict[int, list[Any]] = {}
    for number, value in _parts(data):
        found.setdefault(number, []).append(value)
    return found


def references(value: Any) -> set[str]:
    if isinstance(value, list):
        return {name for part in value for name in references(part)}
    if not isinstance(value, dict):
        return set()
    own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
    return own.union(*(references(part) for part in value.values()))


# --- requests ---------------------------------------------------------------------------------------------------------


def test_documents_have_hashes_by_which_clients_cache_them() -> None:
    async def work(asking: Asking) -> None:
        index = await asking.ask("GET", "/openapi/v3")
        assert index.header("content-type") == ["text/plain; charset=utf-8"]
        assert list(index.json["paths"]) == sorted(index.json["paths"])
        url = index.json["paths"]["apis/sky.example.com/v1"]["serverRelativeURL"]
        tag = url.removeprefix(f"{DOCUMENT}?hash=")
        assert len(tag) == 128

        found = await asking.ask("GET", url)
        assert (found.status, found.header("etag")) == (200, [f'"{tag}"'])
        assert found.header("content-type") == ["application/json"]
        assert found.header("vary") == ["Accept"]
        assert found.header("cache-control") == ["public, immutable"]
        assert found.header("expires")[0].endswith(" GMT")

        plain = await asking.ask("GET", DOCUMENT)
        assert (plain.status, plain.body) == (200, found.body)
        assert plain.header("cache-control") == ["no-cache, private"]
        assert not plain.header("expires")

        known = await asking.ask("GET", url, headers={"if-none-match": f'"{tag}"'})
        assert (known.status, known.body, known.header("content-type")) == (304, b"", [])
        moved = await asking.ask("GET", f"{DOCUMENT}?hash=00")
        assert (moved.status, moved.header("location"), moved.body) == (301, [url], b"")

    ask(work, kites())


def test_the_hash_changes_with_the_schema_only() -> None:
    async def work(asking: Asking) -> None:
        async def tag() -> str:
            return (await asking.ask("GET", DOCUMENT)).header("etag")[0]

        async def change(patch: dict[str, Any]) -> None:
            headers = {"content-type": "application/merge-patch+json"}
            answer = await asking.ask("PATCH", f"{DEFINITIONS}/kites.sky.example.com", patch, headers)
            assert answer.status == 200, answer.json
            await asking.settle()

        first = await tag()
        await change({"metadata": {"labels": {"a": "b"}}})
        assert await tag() == first
        await change({"spec": kites(root={"description": "Another kite."})["spec"]})
        assert await tag() != first
        await asking.ask("DELETE", f"{DEFINITIONS}/kites.sky.example.com")
        await asking.settle()
        assert (await asking.ask("GET", DOCUMENT)).status == 404
        paths = (await asking.ask("GET", "/openapi/v3")).json["paths"]
        assert {"api/v1", "apis/apiextensions.k8s.io/v1"} <= set(paths)
        assert "apis/sky.example.com/v1" not in paths

    ask(work, kites())


def test_documents_have_the_form_that_clients_prefer() -> None:
    async def work(asking: Asking) -> None:
        json_type = "application/json"
        for accepted, v3, v2 in (
            (json_type, json_type, json_type),
            ("application/json, */*", json_type, json_type),
            (f"{PROTOBUF}, application/json;q=0.5", json_type, json_type),
            (f"{PROTOBUF_V2}, application/json;q=0.5", json_type, PROTOBUF_V2),
            (f"{PROTOBUF_V2};q=0.5, application/json", json_type, json_type),
            ("*/*", json_type, json_type),
            (PROTOBUF, "", ""),
            (PROTOBUF_V2, "", PROTOBUF_V2),
            (OLD_PROTOBUF_V2, "", PROTOBUF_V2),
            ("application/yaml", "", ""),
            ("text/html", "", ""),
        ):
            for path, vary, wanted in ((DOCUMENT, "Accept", v3), ("/openapi/v2", "Accept-Encoding, Accept", v2)):
                answer = await asking.ask("GET", path, headers={"accept": accepted})
                status = 200 if wanted else 406
                assert (answer.status, answer.header("vary")) == (status, [vary]), (path, accepted)
                assert answer.header("content-type") == ([wanted] if wanted else []), (path, accepted)
        for path in ("apis/sky.example.com/v9", "apis/sky.example.com", "apis/nothing.example.com/v1", "api/v2"):
            answer = await asking.ask("GET", f"/openapi/v3/{path}")
            assert (answer.status, answer.body) == (404, b""), path
        tag = (await asking.ask("GET", "/openapi/v2")).header("etag")[0]
        assert (await asking.ask("GET", "/openapi/v2", headers={"if-none-match": tag})).status == 304
        assert (await asking.ask("GET", "/openapi")).status == 404

    ask(work, kites())


def test_messages_have_the_schemas_and_paths_of_version_2(swagger: dict[str, Any]) -> None:
    document = read_message(encode_document(swagger))
    assert document[1] == [b"2.0"]
    definitions = {
        name[0].decode(): read_message(schema[0])
        for name, schema in ((entry[1], entry[2]) for entry in map(read_message, read_message(document[9][0])[1]))
    }
    assert definitions.keys() == swagger["definitions"].keys()
    kite = definitions["com.example.sky.v1.Kite"]
    assert read_message(kite[22][0]) == {1: [b"object"]}
    extensions = {entry[1][0]: read_message(entry[2][0])[2][0] for entry in map(read_message, kite[31])}
    mark = swagger["definitions"]["com.example.sky.v1.Kite"]["x-kubernetes-group-version-kind"]
    assert json.loads(extensions[b"x-kubernetes-group-version-kind"]) == mark
    paths = {entry[1][0].decode() for entry in map(read_message, read_message(document[8][0])[2])}
    assert paths == swagger["paths"].keys()


def test_messages_keep_negative_bounds_and_unions() -> None:
    schema = {"minimum": -1.5, "maxLength": 300, "additionalProperties": True, "items": {"$ref": "#/definitions/A"}}
    document = read_message(encode_document({"definitions": {"B": schema}}))
    message = read_message(read_message(read_message(document[9][0])[1][0])[2][0])
    assert struct.unpack("<d", message[9][0]) == (-1.5,)
    assert message[11] == [300]
    assert read_message(message[21][0]) == {2: [1]}
    assert read_message(read_message(message[23][0])[1][0]) == {1: [b"#/definitions/A"]}


# --- schemas ----------------------------------------------------------------------------------------------------------


def test_the_schema_of_a_kind_is_that_of_its_definition(document: dict[str, Any]) -> None:
    kind = document["components"]["schemas"]["com.example.sky.v1.Kite"]
    assert kind["description"] == "A kite."
    assert kind["x-kubernetes-group-version-kind"] == [{"group": "sky.example.com", "kind": "Kite", "version": "v1"}]
    assert kind["x-kubernetes-selectable-fields"] == [{"fieldPath": "spec.colour"}]
    assert set(kind["properties"]) == {"apiVersion", "kind", "metadata", "spec"}
    assert kind["properties"]["metadata"]["allOf"] == [{"$ref": f"#/components/schemas/{META}.ObjectMeta"}]
    spec = kind["properties"]["spec"]
    assert spec["required"] == ["colour"]
    colour = {"type": "string", "enum": ["red", "blue"], "default": "red", "minLength": 0}
    assert spec["properties"]["colour"] == colour
    either = [{"type": "integer"}, {"type": "string"}]
    assert spec["properties"]["size"] == {"x-kubernetes-int-or-string": True, "anyOf": either}
    assert spec["properties"]["span"]["allOf"] == [{"anyOf": either}]
    assert spec["properties"]["span"]["anyOf"] == [{"minimum": 1}, {"pattern": "m$"}]
    assert spec["properties"]["line"] == SPEC["properties"]["line"]
    part = spec["properties"]["parts"]["items"]
    assert set(part["properties"]) == {"apiVersion", "kind", "metadata", "spec"}
    assert part["required"] == ["kind", "apiVersion"]


def test_the_schema_of_a_list(document: dict[str, Any]) -> None:
    items = document["components"]["schemas"]["com.example.sky.v1.KiteList"]
    assert items["properties"]["items"]["items"] == {"$ref": "#/components/schemas/com.example.sky.v1.Kite"}
    assert items["required"] == ["items"]
    mark = {"group": "sky.example.com", "kind": "KiteList", "version": "v1"}
    assert items["x-kubernetes-group-version-kind"] == [mark]


def test_every_reference_leads_to_a_component(document: dict[str, Any], swagger: dict[str, Any]) -> None:
    schemas, definitions = document["components"]["schemas"], swagger["definitions"]
    assert references(document) <= {f"#/components/schemas/{name}" for name in schemas}
    assert references(swagger) <= {f"#/definitions/{name}" for name in definitions}
    assert f"{META}.ManagedFieldsEntry" in schemas
    assert "io.k8s.api.autoscaling.v1.ScaleSpec" in schemas


def test_version_2_has_what_old_clients_understand(swagger: dict[str, Any]) -> None:
    kind = swagger["definitions"]["com.example.sky.v1.Kite"]
    assert kind["properties"]["metadata"]["$ref"] == f"#/definitions/{META}.ObjectMeta"
    properties = kind["properties"]["spec"]["properties"]
    assert properties["size"] == {"x-kubernetes-int-or-string": True}
    assert properties["tail"] == {}
    assert properties["free"] == {"x-kubernetes-preserve-unknown-fields": True}
    assert set(properties["parts"]["items"]["properties"]) == {"apiVersion", "kind", "metadata", "spec"}
    assert set(properties["open"]) == {"x-kubernetes-embedded-resource", "x-kubernetes-preserve-unknown-fields"}
    create = swagger["paths"]["/apis/sky.example.com/v1/namespaces/{namespace}/kites"]["post"]
    body = {"name": "body", "in": "body", "required": True, "schema": {"$ref": "#/definitions/com.example.sky.v1.Kite"}}
    assert create["parameters"][0] == body
    assert create["responses"]["201"]["schema"] == body["schema"]
    assert create["consumes"] == ["application/json", "application/yaml"]


def test_a_kind_that_keeps_unknown_fields_has_no_properties_in_version_2() -> None:
    definition = kites(root={"x-kubernetes-preserve-unknown-fields": True})
    kind = read("/openapi/v2", definition)["definitions"]["com.example.sky.v1.Kite"]
    assert {"type", "x-kubernetes-group-version-kind", "x-kubernetes-selectable-fields"} == set(kind)


def test_definitions_have_a_document() -> None:
    document = read("/openapi/v3/apis/apiextensions.k8s.io/v1", kites())
    schemas, base = document["components"]["schemas"], "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1"
    assert references(document) <= {f"#/components/schemas/{name}" for name in schemas}
    kind = schemas[f"{base}.CustomResourceDefinition"]
    assert kind["required"] == ["spec"]
    mark = {"group": "apiextensions.k8s.io", "kind": "CustomResourceDefinition", "version": "v1"}
    assert kind["x-kubernetes-group-version-kind"] == [mark]
    versions = schemas[f"{base}.CustomResourceDefinitionSpec"]["properties"]["versions"]
    part = {"default": {}, "allOf": [{"$ref": f"#/components/schemas/{base}.CustomResourceDefinitionVersion"}]}
    assert versions == {"type": "array", "items": part}
    patch = document["paths"]["/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{name}"]["patch"]
    assert patch["operationId"] == "patchApiextensionsV1CustomResourceDefinition"
    assert patch["tags"] == ["apiextensions_v1"]


# --- operations -------------------------------------------------------------------------------------------------------


def test_each_path_has_its_operations(document: dict[str, Any]) -> None:
    base = "/apis/sky.example.com/v1"
    found = {
        path.removeprefix(base): {
            method: operation["operationId"] for method, operation in item.items() if method != "parameters"
        }
        for path, item in document["paths"].items()
    }
    spaces = "SkyExampleComV1NamespacedKite"
    part = {"get": "read", "put": "replace", "patch": "patch"}
    assert found == {
        "/kites": {"get": "listSkyExampleComV1KiteForAllNamespaces"},
        "/namespaces/{namespace}/kites": {
            "get": f"list{spaces}",
            "post": f"create{spaces}",
            "delete": "deleteSkyExampleComV1CollectionNamespacedKite",
        },
        "/namespaces/{namespace}/kites/{name}": {
            **{method: f"{verb}{spaces}" for method, verb in part.items()},
            "delete": f"delete{spaces}",
        },
        **{
            f"/namespaces/{{namespace}}/kites/{{name}}/{each.lower()}": {
                method: f"{verb}{spaces}{each}" for method, verb in part.items()
            }
            for each in ("Scale", "Status")
        },
    }


def test_operations_name_the_parameters_that_kubectl_looks_for(document: dict[str, Any]) -> None:
    item = document["paths"]["/apis/sky.example.com/v1/namespaces/{namespace}/kites/{name}"]
    assert [each["name"] for each in item["parameters"]] == ["name", "namespace", "pretty"]
    patch = item["patch"]
    assert [each["name"] for each in patch["parameters"]] == ["dryRun", "fieldManager", "fieldValidation", "force"]
    assert patch["x-kubernetes-group-version-kind"] == {"group": "sky.example.com", "version": "v1", "kind": "Kite"}
    kinds = ["application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml"]
    assert list(patch["requestBody"]["content"]) == kinds
    assert list(item["put"]["responses"]) == ["200", "201", "401"]
    every = document["paths"]["/apis/sky.example.com/v1/kites"]
    assert "parameters" not in every["get"]
    assert "limit" in [each["name"] for each in every["parameters"]]


def test_objects_without_namespaces_have_shorter_paths() -> None:
    paths = read(DOCUMENT, kites(scope="Cluster"))["paths"]
    base = "/apis/sky.example.com/v1/kites"
    assert list(paths) == [base, f"{base}/{{name}}", f"{base}/{{name}}/scale", f"{base}/{{name}}/status"]
    assert [each["name"] for each in paths[f"{base}/{{name}}"]["parameters"]] == ["name", "pretty"]
    assert paths[base]["get"]["operationId"] == "listSkyExampleComV1Kite"
