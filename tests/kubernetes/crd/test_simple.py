"""Schemas that checks go past: there is nothing that they would have said of them."""

from __future__ import annotations

import copy
import random

import pytest

from tests.kubernetes.crd.cases import all_cases
from tests.kubernetes.crd.defects import disturb
from tests.kubernetes.crd.schemas import definition
from tests.tables import each
from tests.thorough import drawn
from validation_gen.kubernetes.crd import run
from validation_gen.kubernetes.crd import schema as schemas
from validation_gen.kubernetes.crd.run import check
from validation_gen.kubernetes.crd.schema import NOTHING_PLAIN, JsonObject, Schema, parts, read_schema

_CASES = [case.manifest.obj for case in all_cases()]


@each("seed", range(drawn(40)))
def test_nothing_is_missed(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = random.Random(seed)
    objects = [copy.deepcopy(chosen.choice(_CASES)) for _ in range(10)]
    for obj in objects:
        disturb(obj, chosen)
    found = [check(obj) for obj in objects]
    monkeypatch.setattr(schemas, "_is_simple", lambda **_: False)
    monkeypatch.setattr(run, "plain_schemas", lambda _: NOTHING_PLAIN)
    assert found == [check(obj) for obj in objects]


def test_most_schemas_are_simple() -> None:
    """Without any, the test above would say nothing."""
    seen = [part for obj in _CASES for version in obj["spec"].get("versions") or () for part in _all(version)]
    assert sum(part.simple for part in seen) > len(seen) / 3


def _all(version: JsonObject) -> list[Schema]:
    raw = ((version or {}).get("schema") or {}).get("openAPIV3Schema") or {}
    try:
        pending = found = [read_schema(raw)]
    except (AttributeError, TypeError):  # it does not decode
        return []
    for schema in pending:
        found += parts(schema)
    return found


@each(
    ("raw", "simple"),
    [
        ({"type": "string", "maxLength": 3, "format": "date"}, True),
        ({"type": "string", "format": "odd"}, False),
        ({"type": "integer", "format": "date"}, False),
        ({"type": "string", "pattern": "a("}, False),
        ({"type": "string", "default": "a"}, False),
        ({"type": "null"}, False),
        ({"description": "no type"}, False),
        ({"type": "array"}, False),
        ({"type": "array", "items": {"type": "string"}}, True),
        ({"type": "array", "items": [{"type": "string"}]}, False),
        ({"type": "array", "items": {}}, False),
        ({"type": "object", "properties": {"a": {"type": "string"}}}, True),
        ({"type": "object", "properties": {"a": {"type": "string", "default": "b"}}}, False),
        ({"type": "object", "additionalProperties": {"type": "string"}}, True),
        ({"type": "object", "additionalProperties": True}, False),
        (
            {"type": "object", "additionalProperties": {"type": "string"}, "properties": {"a": {"type": "string"}}},
            False,
        ),
        ({"type": "object", "x-kubernetes-preserve-unknown-fields": True}, True),
        ({"type": "object", "x-kubernetes-preserve-unknown-fields": False}, False),
        ({"type": "string", "x-kubernetes-preserve-unknown-fields": True}, False),
        ({"x-kubernetes-preserve-unknown-fields": True}, False),
        ({"type": "object", "x-kubernetes-map-type": "granular"}, True),
        ({"type": "object", "x-kubernetes-map-type": "odd"}, False),
        ({"type": "string", "x-kubernetes-map-type": "atomic"}, False),
        ({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "atomic"}, True),
        ({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"}, False),
        ({"type": "string", "x-kubernetes-list-type": "atomic"}, False),
        ({"type": "string", "pattern": "^a+$"}, True),
        ({"type": "string", "pattern": "a" * 1000}, False),
        ({"x-kubernetes-int-or-string": True, "pattern": "^a+$"}, True),
        ({"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]}, True),
        ({"x-kubernetes-int-or-string": True, "anyOf": [{"type": "string"}, {"type": "integer"}]}, False),
        ({"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string", "items": None}]}, True),
        (
            {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer", "required": []}, {"type": "string"}]},
            False,
        ),
        ({"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}, None]}, False),
        ({"x-kubernetes-int-or-string": True, "type": "object"}, False),
        ({"x-kubernetes-int-or-string": True, "x-kubernetes-preserve-unknown-fields": True}, False),
        ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, False),
        ({"type": "string", "anyOf": [{"type": "integer"}, {"type": "string"}]}, False),
        ({"type": "string", "unheard-of": 1}, False),
    ],
)
def test_what_is_simple(raw: JsonObject, *, simple: bool) -> None:
    assert read_schema(raw).simple is simple


def test_a_root_is_judged_though_it_is_simple() -> None:
    assert [finding.code for finding in check(definition({"type": "string"}))] == ["VG501"]
