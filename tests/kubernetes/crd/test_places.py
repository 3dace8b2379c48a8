"""Paths in messages are the server's, places are those of the file."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from tests.kubernetes.crd.schemas import definition, messages, with_properties
from tests.tables import each
from validation_gen.kubernetes.crd.run import check, is_definition

BAD = {"type": "object", "properties": {"a": {}}}


def test_one_version_is_moved_to_the_top() -> None:
    (finding,) = check(definition(BAD))
    assert finding.field == "spec.validation.openAPIV3Schema.properties[a].type"
    assert finding.keys == ("spec", "versions", 0, "schema", "openAPIV3Schema", "properties", "a", "type")


@pytest.mark.parametrize("empty", [{"required": []}, {"enum": None}, {"description": ""}, {"dependencies": {}}])
def test_versions_with_the_same_schema_are_told_of_once(empty: dict[str, Any]) -> None:
    """Where lists that are empty count like those that are not there."""
    obj = definition(BAD)
    (first,) = obj["spec"]["versions"]
    again = deepcopy(first) | {"name": "v2", "storage": False}
    again["schema"]["openAPIV3Schema"] |= empty
    obj["spec"]["versions"].append(again)
    assert [f.field for f in check(obj)] == ["spec.validation.openAPIV3Schema.properties[a].type"]


def test_versions_with_other_schemas_are_told_of_apart() -> None:
    obj = definition(BAD)
    (first,) = obj["spec"]["versions"]
    again = deepcopy(first) | {"name": "v2", "storage": False}
    again["schema"]["openAPIV3Schema"]["title"] = "other"
    obj["spec"]["versions"].append(again)
    assert [f.field for f in check(obj)] == [
        f"spec.versions[{index}].schema.openAPIV3Schema.properties[a].type" for index in (0, 1)
    ]


def test_values_in_defaults_have_a_place_of_their_own() -> None:
    part = {"type": "object", "properties": {"a.b": {"type": "array", "items": {"type": "string"}}}}
    (finding,) = check(with_properties(spec={**part, "default": {"a.b": ["x", 1]}}))
    assert finding.field == "spec.validation.openAPIV3Schema.properties[spec].default.a.b[1]"
    assert finding.keys[-3:] == ("default", "a.b", 1)


def test_names_of_the_server_that_the_file_does_not_have() -> None:
    obj = definition(conversion={"strategy": "Webhook", "webhook": {"clientConfig": {}}})
    places = {f.field: f.keys for f in check(obj)}
    assert places == {
        "spec.conversion.webhookClientConfig": ("spec", "conversion", "webhook", "clientConfig"),
        "spec.conversion.conversionReviewVersions": ("spec", "conversion", "webhook", "conversionReviewVersions"),
    }


@each(
    "obj",
    [
        None,
        [],
        {"kind": "CustomResourceDefinition"},
        {"kind": "CustomResourceDefinition", "apiVersion": "v1"},
        {"kind": "CustomResourceDefinition", "apiVersion": "example.com/v1"},
        {"kind": "Robot", "apiVersion": "apiextensions.k8s.io/v1"},
        {"kind": ["CustomResourceDefinition"], "apiVersion": "apiextensions.k8s.io/v1"},
    ],
)
def test_other_objects_are_no_definitions(obj: Any) -> None:
    assert not is_definition(obj)


def test_what_is_nested_too_deeply_is_told() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(2000):
        schema = {"type": "array", "items": schema}
    assert messages(with_properties(a=schema)) == ["the schema is nested too deeply to be checked"]


@pytest.mark.parametrize(("path", "warned"), [(".first", False), (".second", False), (".third", True)])
def test_columns_of_all_versions_show_something_of_one_of_them(path: str, warned: bool) -> None:
    obj = definition({"type": "object", "properties": {"first": {"type": "string"}}})
    (first,) = obj["spec"]["versions"]
    first["additionalPrinterColumns"] = [{"name": "Any", "type": "string", "jsonPath": path}]
    again = deepcopy(first) | {"name": "v2", "storage": False}
    again["schema"]["openAPIV3Schema"]["properties"] = {"second": {"type": "string"}}
    obj["spec"]["versions"].append(again)
    assert [f.code for f in check(obj)] == ["VG507"] * warned
