"""`explain DEFINITIONS FIELD`: what a definition says of a field, and what is said where there is no such field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from tests.tables import each
from validation_gen.cli.app import app, arguments

SPEC: dict[str, Any] = {
    "type": "object",
    "required": ["ports"],
    "x-kubernetes-validations": [
        {
            "rule": "self.ports.all(p, p.number > 0 || has(self.__namespace__))",
            "message": "no",
            "reason": "FieldValueInvalid",
        },
        {"rule": "!oldSelf.hasValue() || self.other == 'portside'", "optionalOldSelf": True},
    ],
    "properties": {
        "namespace": {"type": "string", "description": "Where \x1b[31mit\u202e is.\nMore."},
        "ports": {
            "type": "array",
            "maxItems": 9,
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
            "items": {
                "type": "object",
                "required": ["name"],
                "properties": {
                    "name": {"type": "string", "enum": ["a", "b"], "default": "a"},
                    "number": {"type": "integer", "minimum": 1, "exclusiveMinimum": True, "nullable": True},
                },
            },
        },
        "sizes": {"type": "object", "additionalProperties": {"x-kubernetes-int-or-string": True}},
        "other": {"type": "string", "anyOf": [{"maxLength": 3}, {"pattern": "^a"}]},
        "wet": {"type": "boolean", "default": False},
        "raw": {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "properties": None},
    },
}


def definition() -> dict[str, Any]:
    schema = {"type": "object", "properties": {"spec": SPEC}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "things", "kind": "Thing"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
        },
    }


@pytest.fixture
def crd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "crd.json").write_text(json.dumps(definition()))
    return "crd.json"


def run(*args: str) -> Result:
    result = CliRunner().invoke(app, arguments(["explain", *args]))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_a_field_with_what_is_demanded_of_it_and_the_rules_that_see_it(crd: str) -> None:
    done = run(crd, "Thing.spec.ports")
    assert done.exit_code == 0
    assert (
        done.stdout
        == """Thing.spec.ports: list of object, required

Field
  It is in example.com/v1, as crd.json:1:217 defines it.

What a value must be
  what            value
  items, at most  9
  list type       map
  keys of items   ["name"]

Rules of Thing.spec that name it
  self.ports.all(p, p.number > 0 || has(self.__namespace__))
  If it does not hold: no; reason FieldValueInvalid
"""
    )


@each(
    ("field", "title"),
    [
        ("Thing", "object"),
        ("example.com/v1.Thing.spec", "object, optional"),
        ("Thing.spec.ports[*]", "object, optional"),
        ("Thing.spec.ports[0].number", "integer or null, optional"),
        ("Thing.spec.ports[*].name", "string, required"),
        ("Thing.spec.sizes", "map of integer or string, optional"),
        ("Thing.spec.sizes[a]", "integer or string, optional"),
        ("Thing.spec.raw", "object, optional"),
        ("Thing.metadata", "object, optional"),
    ],
)
def test_types_are_told_in_words(crd: str, field: str, title: str) -> None:
    done = run(crd, field, "--format", "json")
    assert (done.exit_code, json.loads(done.stdout)["title"]) == (0, title)


def test_values_bounds_and_alternatives(crd: str) -> None:
    assert "  at least  1 (and not that itself)\n" in run(crd, "Thing.spec.ports[*].number").stdout
    name = run(crd, "Thing.spec.ports[*].name").stdout
    assert '  one of   ["a", "b"]\n  default  "a"\n' in name
    assert '"pattern": "^a"' in run(crd, "Thing.spec.other").stdout
    assert "also on create" in run(crd, "Thing.spec.other").stdout
    assert "unknown fields  are kept" in run(crd, "Thing.spec.raw").stdout
    assert "ports      list of object" in run(crd, "Thing.spec").stdout


def test_rules_are_found_by_escaped_names_and_terminals_are_safe(crd: str) -> None:
    done = run(crd, "Thing.spec.namespace")
    assert "self.__namespace__" in done.stdout
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout
    assert "Where" in done.stdout


@each(
    ("field", "message", "help"),
    [
        ("Thing.spec.port", "Thing.spec has no field port", "did you mean ports?"),
        ("Thing.spec.zzzzzz", "Thing.spec has no field zzzzzz", "there is namespace, other, ports, raw or sizes"),
        ("Thing.spec.ports.name", "Thing.spec.ports is a list", "write Thing.spec.ports[*].name"),
        ("Thing.spec.other[*]", "Thing.spec.other is no list and no map", "it is string"),
        ("Thing.spec.raw.a", "Thing.spec.raw takes any fields", ""),
        ("Thing.metadata.name", "Kubernetes declares Thing.metadata itself", ""),
        ("Thang.spec", "there is no type Thang", "did you mean Thing?"),
        ("Thing.spec.[", "is no path of a field", ""),
    ],
)
def test_what_is_not_there(crd: str, field: str, message: str, help: str) -> None:
    done = run(crd, field)
    assert done.exit_code == 2
    assert message in done.output
    assert help in done.output


def test_definitions_that_cannot_be_read(crd: str, tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text('{"kind": ')
    assert run("broken.json", "Thing.spec").exit_code != 0
    assert run("missing.json", "Thing.spec").exit_code == 2
    spoilt = definition()
    del spoilt["spec"]["group"]
    (tmp_path / "spoilt.json").write_text(json.dumps(spoilt))
    assert "spec.group" in run("spoilt.json", "Thing.spec").output


def test_defaults_that_are_false_are_told(crd: str) -> None:
    assert "false" in run(crd, "Thing.spec.wet").output
