"""What the Kubernetes documentation says of CustomResourceDefinitions, shown with types of our own.

Sources: the pages "Extend the Kubernetes API with CustomResourceDefinitions" and "Versions in
CustomResourceDefinitions". Each folder of `testdata/definitions-documented` holds types and the
definition that they must give.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.apiserver import ApiServer
from tests.case_folders import ROOT, inside
from tests.tables import each
from validation_gen.compiler.definitions import build_definitions
from validation_gen.compiler.pipeline import Settings, build_program
from validation_gen.diagnostics.formats import render
from validation_gen.emit.schema import SchemaOptions
from validation_gen.emit.schema.resources import priority

CASES = {path.name: path for path in sorted((ROOT / "testdata" / "definitions-documented").iterdir()) if path.is_dir()}


@functools.cache
def _generated(name: str) -> tuple[dict[str, str], str]:
    """The files of a case by name, and what is said of its sources."""
    with inside(CASES[name]):
        built = build_program(Settings((".",), every_kind=True))
        files = build_definitions(built.program, SchemaOptions(), built.diagnostics)
        return files, render(built.diagnostics.sorted(), color=False, format="concise")


def _definition(name: str) -> Any:
    (text,) = _generated(name)[0].values()
    return yaml.safe_load(text)


def _schema(name: str, version: int = 0) -> Any:
    return _definition(name)["spec"]["versions"][version]["schema"]["openAPIV3Schema"]


def _property(name: str, *path: str) -> Any:
    node = _schema(name)
    for step in path:
        node = node["properties"][step]
    return {key: value for key, value in node.items() if key not in ("description", "properties")}


def _object(name: str, version: str = "v1", **fields: Any) -> dict[str, Any]:
    spec = _definition(name)["spec"]
    return {
        "apiVersion": f"{spec['group']}/{version}",
        "kind": spec["names"]["kind"],
        "metadata": {"name": "one"},
        **fields,
    }


# --- all of them ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_the_files_are_as_wanted(name: str, update: bool) -> None:
    files, _ = _generated(name)
    want: Path = CASES[name] / "want"
    if update:
        want.mkdir(exist_ok=True)
        for file in want.iterdir():
            file.unlink()
        for file_name, text in files.items():
            (want / file_name).write_text(text, encoding="utf-8")
    assert {file.name: file.read_text(encoding="utf-8") for file in want.iterdir()} == files


@each("name", CASES)
def test_the_api_server_accepts_them(name: str, apiserver: ApiServer) -> None:
    assert apiserver.check_crd(_definition(name)) == ()
    assert apiserver.warnings(_definition(name)) == ()
    for version in _definition(name)["spec"]["versions"]:
        assert apiserver.ask("structural", schema=version["schema"]["openAPIV3Schema"])["errors"] in (None, [])


@each("name", [name for name in CASES if name != "non-structural"])
def test_nothing_is_said_of_them(name: str) -> None:
    assert _generated(name)[1] == ""


# --- structural schemas ---------------------------------------------------------------------------------------------


def _nodes(schema: Any) -> Iterator[Any]:
    yield schema
    for part in (*schema.get("properties", {}).values(), schema.get("items"), schema.get("additionalProperties")):
        if part is not None:
            yield from _nodes(part)


@each("name", CASES)
def test_structural_schemas(name: str) -> None:
    """Each part has a type, with two exceptions, and nothing is said in logical junctors that belongs outside."""
    for version in _definition(name)["spec"]["versions"]:
        for node in _nodes(version["schema"]["openAPIV3Schema"]):
            exempt = node.get("x-kubernetes-int-or-string") or node.get("x-kubernetes-preserve-unknown-fields")
            assert exempt or node["type"]
            assert not {"$ref", "definitions", "readOnly", "discriminator", "uniqueItems"} & node.keys()
            assert not ("properties" in node and "additionalProperties" in node)
            for junctor in ("allOf", "anyOf", "oneOf"):
                for part in node.get(junctor, ()):
                    pattern = bool(node.get("x-kubernetes-int-or-string")) and set(part) == {"type"}
                    assert pattern or not {"type", "description", "default", "nullable"} & part.keys()
        metadata = version["schema"]["openAPIV3Schema"]["properties"]["metadata"]
        assert set(metadata.get("properties", {})) <= {"name", "generateName"}


def test_names_of_a_resource() -> None:
    definition = _definition("structural")
    assert definition["metadata"]["name"] == "sprinklers.garden.example.com"
    assert definition["spec"]["names"] == {
        "categories": ["all", "garden"],
        "kind": "Sprinkler",
        "listKind": "SprinklerList",
        "plural": "sprinklers",
        "shortNames": ["sp", "spr"],
        "singular": "sprinkler",
    }
    assert definition["spec"]["scope"] == "Namespaced"
    assert _definition("printer-columns")["spec"]["scope"] == "Cluster"


def test_validation(apiserver: ApiServer) -> None:
    bad = _object("structural", spec={"schedule": "* * * *", "nozzles": 15})
    errors = apiserver.validate(_definition("structural"), bad).errors
    assert {error.field for error in errors} == {"spec.nozzles", "spec.schedule"}
    good = _object("structural", spec={"schedule": "* * * * */5", "nozzles": 5, "beds": {"roses": 4}})
    assert apiserver.validate(_definition("structural"), good).errors == ()


def test_what_is_not_structural_is_not_written() -> None:
    """Of metadata the name alone is restricted, and a type inside itself ends somewhere."""
    metadata = _schema("non-structural")["properties"]["metadata"]
    assert set(metadata["properties"]) == {"name"}
    said = _generated("non-structural")[1]
    assert "VG540" in said
    assert "finalizers" in said
    rooms = _property("non-structural", "spec", "rooms")["items"]["properties"]["rooms"]
    assert rooms["items"] == {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    assert not {"oneOf", "anyOf"} & _property("non-structural", "spec").keys(), "unions are rules in CEL"


# --- fields that no schema knows ------------------------------------------------------------------------------------


def test_unknown_fields() -> None:
    assert _property("unknown-fields", "anything") == {"x-kubernetes-preserve-unknown-fields": True}
    assert _property("unknown-fields", "free") == {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    assert _property("unknown-fields", "partial") == {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    assert _property("unknown-fields", "partial", "known") == {"type": "object"}
    assert _property("unknown-fields", "closed") == {"type": "object"}


def test_unknown_fields_are_pruned(apiserver: ApiServer) -> None:
    known = {"colour": "red", "size": 4}
    given = _object("unknown-fields", anything=[{"a": 1}], free=known, partial={"known": known, "x": 1}, closed=known)
    verdict = apiserver.validate(_definition("unknown-fields"), given)
    assert verdict.errors == ()
    assert verdict.object is not None
    kept = {key: verdict.object[key] for key in ("anything", "free", "partial", "closed")}
    assert kept == {
        "anything": [{"a": 1}],
        "free": known,
        "partial": {"known": {"colour": "red"}, "x": 1},
        "closed": {"colour": "red"},
    }


# --- integers or strings --------------------------------------------------------------------------------------------


def test_int_or_string(apiserver: ApiServer) -> None:
    """One of the two patterns that are allowed, and both forms are accepted."""
    either = {"anyOf": [{"type": "integer"}, {"type": "string"}], "x-kubernetes-int-or-string": True}
    assert _property("int-or-string", "take") == either
    assert _property("int-or-string", "leave") == {
        **either,
        "default": "10%",
        "pattern": "^((100|[0-9]{1,2})%|[0-9]+)$",
    }
    assert _property("int-or-string", "steps")["items"] == either
    for value, accepted in ((3, True), ("30%", True), ("some", True), (True, False), (1.5, False)):
        errors = apiserver.validate(_definition("int-or-string"), _object("int-or-string", take=value)).errors
        assert ("take" not in {error.field for error in errors}) is accepted, value
    errors = apiserver.validate(_definition("int-or-string"), _object("int-or-string", leave="all")).errors
    assert [error.field for error in errors] == ["leave"]


# --- objects in objects ---------------------------------------------------------------------------------------------


def test_embedded_resources() -> None:
    whole = {"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True}
    assert _property("embedded-resource", "plant") == whole
    assert _property("embedded-resource", "others")["items"] == whole
    assert _property("embedded-resource", "pot") == {"type": "object", "x-kubernetes-embedded-resource": True}


def test_embedded_resources_are_objects(apiserver: ApiServer) -> None:
    definition = _definition("embedded-resource")
    plant = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"anything": 1}}
    pot = {"apiVersion": "v1", "kind": "Pot", "metadata": {"name": "a", "odd": 1}, "spec": {"size": 3, "colour": "red"}}
    verdict = apiserver.validate(definition, _object("embedded-resource", plant=plant, pot=pot))
    assert verdict.errors == ()
    assert verdict.object is not None
    assert verdict.object["plant"] == plant
    assert verdict.object["pot"] == {**pot, "metadata": {"name": "a"}, "spec": {"size": 3}}
    errors = apiserver.validate(definition, _object("embedded-resource", plant={"spec": {}})).errors
    assert sorted(error.field for error in errors) == ["plant.apiVersion", "plant.kind"]


# --- defaults and null ----------------------------------------------------------------------------------------------


def test_defaults() -> None:
    assert _property("defaults-and-nullable", "spec", "colour") == {"default": "green", "type": "string"}
    assert _property("defaults-and-nullable", "spec", "rails")["default"] == 3
    assert _property("defaults-and-nullable", "spec", "sides")["default"] == ["north", "south"]
    assert _property("defaults-and-nullable", "spec", "materials")["default"] == {"wood": "oak"}
    assert _property("defaults-and-nullable", "spec", "lock")["default"] == {}
    assert _property("defaults-and-nullable", "spec", "gate") == {"nullable": True, "type": "string"}


def test_null_is_pruned_and_defaulted_unless_it_is_a_value(apiserver: ApiServer) -> None:
    given = _object("defaults-and-nullable", spec={"colour": None, "gate": None, "label": None})
    verdict = apiserver.validate(_definition("defaults-and-nullable"), given)
    assert verdict.errors == ()
    assert verdict.object is not None
    assert verdict.object["spec"] == {
        "colour": "green",
        "gate": None,
        "rails": 3,
        "sides": ["north", "south"],
        "materials": {"wood": "oak"},
        "lock": {"code": "0000"},
    }


# --- columns, subresources, selectable fields -----------------------------------------------------------------------


def test_printer_columns() -> None:
    """Columns stand in the order of their markers; priority 0 is not written."""
    assert _definition("printer-columns")["spec"]["versions"][0]["additionalPrinterColumns"] == [
        {
            "description": "What sort of tree it is",
            "jsonPath": ".spec.species",
            "name": "Species",
            "type": "string",
        },
        {"format": "float", "jsonPath": ".spec.height", "name": "Height", "type": "number"},
        {"format": "int32", "jsonPath": ".spec.rings", "name": "Rings", "priority": 1, "type": "integer"},
        {"jsonPath": ".spec.felled", "name": "Felled", "priority": 2, "type": "boolean"},
        {"jsonPath": ".metadata.creationTimestamp", "name": "Age", "type": "date"},
    ]


def test_subresources_and_selectable_fields() -> None:
    (version,) = _definition("subresources")["spec"]["versions"]
    assert version["subresources"] == {
        "scale": {
            "labelSelectorPath": ".status.selector",
            "specReplicasPath": ".spec.frames",
            "statusReplicasPath": ".status.frames",
        },
        "status": {},
    }
    assert version["selectableFields"] == [{"jsonPath": ".spec.queen"}, {"jsonPath": ".spec.sealed"}]


def test_the_status_is_written_apart(apiserver: ApiServer) -> None:
    definition = _definition("subresources")
    given = _object("subresources", spec={"frames": 3, "queen": "Bea"}, status={"frames": "three"})
    created = apiserver.validate(definition, given)
    assert created.errors == ()
    assert created.object is not None
    assert "status" not in created.object
    errors = apiserver.validate(definition, given, subresource="status").errors
    assert "status.frames" in {error.field for error in errors}
    assert created.selectable == {"spec.queen": "Bea", "spec.sealed": ""}


# --- rules ----------------------------------------------------------------------------------------------------------


def test_rules(apiserver: ApiServer) -> None:
    """A rule at the root sees the name, messages can be computed, and `oldSelf` makes a rule about updates."""
    definition = _definition("validation-rules")

    def found(spec: dict[str, Any], old: dict[str, Any] | None = None) -> list[str]:
        before = _object("validation-rules", spec=old) if old is not None else None
        errors = apiserver.validate(definition, _object("validation-rules", spec=spec), old=before).errors
        return [f"{error.field} {error.type}" for error in errors]

    good = {"prefix": "o", "least": 0, "fish": 5, "most": 10, "depth": 2}
    assert found(good) == []
    assert found({**good, "prefix": "two"}) == ["spec.prefix FieldValueInvalid"]
    assert found({**good, "least": 6}) == ["spec FieldValueInvalid"]
    assert found({**good, "fish": 20}) == ["spec.fish FieldValueForbidden"]
    assert found({**good, "depth": 3}, old=good) == ["spec.depth FieldValueInvalid"]
    assert found({**good, "shape": "round"}, old=good) == ["spec.shape FieldValueInvalid"]


# --- versions -------------------------------------------------------------------------------------------------------


def test_versions() -> None:
    """One version is stored; others can be deprecated, with a warning of their own or the usual one, or not served."""
    versions = {version["name"]: version for version in _definition("versions")["spec"]["versions"]}
    assert {name: (version["served"], version["storage"]) for name, version in versions.items()} == {
        "v1": (True, True),
        "v1alpha1": (True, False),
        "v1beta1": (True, False),
        "v1beta2": (False, False),
    }
    assert versions["v1alpha1"]["deprecationWarning"] == (
        "garden.example.com/v1alpha1 Bench is deprecated; use garden.example.com/v1 Bench"
    )
    assert versions["v1beta1"]["deprecated"] is True
    assert "deprecationWarning" not in versions["v1beta1"]
    assert "deprecated" not in versions["v1"]
    seats = [v["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"].get("seats") for v in versions.values()]
    assert seats == [{"format": "int32", "type": "integer"}, None, {"type": "string"}, seats[0]]


def test_version_priority() -> None:
    """The documented example, the highest first, as far as names are versions; other names come behind them."""
    documented = ["v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1", "v11alpha2"]
    names = ["foo10", *sorted(documented), "foo1"]
    assert sorted(names, key=priority, reverse=True)[: len(documented)] == documented
    assert set(sorted(names, key=priority)[:2]) == {"foo1", "foo10"}


def test_conversion() -> None:
    assert _definition("versions")["spec"]["conversion"] == {
        "strategy": "Webhook",
        "webhook": {
            "clientConfig": {
                "service": {"name": "benches", "namespace": "garden", "path": "/convert", "port": 1234},
            },
            "conversionReviewVersions": ["v1", "v1beta1"],
        },
    }
    assert _definition("conversion-url")["spec"]["conversion"] == {
        "strategy": "Webhook",
        "webhook": {
            "clientConfig": {"url": "https://sheds.example.com:9443/convert"},
            "conversionReviewVersions": ["v1"],
        },
    }
    assert "conversion" not in _definition("structural")["spec"], "None is what the API server takes it for"
