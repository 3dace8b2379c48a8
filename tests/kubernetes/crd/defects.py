"""Definitions that are broken at random: keywords that are missing, wrong, of the wrong type or in the wrong place.

Values are chosen so that servers answer alike each time: nothing depends on the order of maps in Go, and no default
has a rule that would have to be run.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

Chosen = random.Random

_TYPES = ["object", "array", "string", "integer", "number", "boolean", "null", "text", ""]
_NAMES = ["", "A", "a_b", "-a", "a.b", "x" * 64, "ok", "Ä", "1a", "a-"]
_PART = {
    "type": "object",
    "properties": {"a": {"type": "string"}, "b": {"type": "array", "items": {"type": "integer"}}},
}

#: Keywords with values, most of which are wrong somewhere.
_KEYWORDS: dict[str, list[Any]] = {
    "id": ["", "x"],
    "$schema": ["", "x"],
    "$ref": ["", "#/x"],
    "format": ["int32", "date", "odd", "uri", ""],
    "title": ["", "t"],
    "default": ["", "a", 1, 2.5, True, None, [], [1, "a"], {}, {"a": "b"}],
    "maximum": [0, 5.5],
    "minimum": [1, 10],
    "maxLength": [0, 1, -1],
    "minLength": [1, 5],
    "pattern": ["^a", "(?=a)", "a(", "[", "\\1", "a{1001}", "[[:alpha:]]+"],
    "maxItems": [0, 2],
    "uniqueItems": [True, False],
    "multipleOf": [0, 2, 0.5],
    "enum": [[], [1, 2], ["a"], [None]],
    "maxProperties": [0, 1],
    "required": [[], ["a"], ["zz"]],
    "items": [{}, [], [{"type": "string"}], {"type": "string"}, 5, _PART],
    "allOf": [[], [{}], [_PART], [{"required": ["a"]}], [{"anyOf": [{"type": "integer"}, {"type": "string"}]}]],
    "anyOf": [[], [{"type": "integer"}, {"type": "string"}], [{"type": "string"}], [{"properties": {"zz": {}}}]],
    "oneOf": [[{"description": "x"}], [{"required": ["a"]}]],
    "not": [{}, {"properties": {"metadata": {}}}, _PART],
    "properties": [
        {},
        {"metadata": {"type": "object"}},
        {"metadata": {"description": "x"}},
        {"kind": {"type": "integer"}},
    ],
    "additionalProperties": [True, False, {}, {"type": "string"}, 5],
    "patternProperties": [{}, {"a": {"type": "string"}}],
    "dependencies": [{}, {"a": ["b"]}, {"a": _PART}],
    "additionalItems": [True, _PART],
    "definitions": [{}, {"a": _PART}],
    "nullable": [True, False],
    "x-kubernetes-preserve-unknown-fields": [True, False],
    "x-kubernetes-embedded-resource": [True],
    "x-kubernetes-int-or-string": [True],
    "x-kubernetes-list-map-keys": [[], ["name"], ["a"], ["a", "a"]],
    "x-kubernetes-list-type": ["atomic", "set", "map", "bag", ""],
    "x-kubernetes-map-type": ["atomic", "granular", "odd"],
    "unheard": [1],
}


def disturb(obj: dict[str, Any], chosen: Chosen) -> None:
    """Breaks a definition in one to three places."""
    for _ in range(chosen.randint(1, 3)):
        roots = list(_roots(obj))
        if roots and chosen.random() < 0.75:
            _disturb_schema(chosen.choice(list(_schemas(chosen.choice(roots)))), chosen)
        else:
            chosen.choice(_OTHERS)(obj, chosen)


def _roots(obj: dict[str, Any]) -> Iterator[dict[str, Any]]:
    versions = obj["spec"].get("versions")
    for version in versions if isinstance(versions, list) else ():
        schema = ((version or {}).get("schema") or {}).get("openAPIV3Schema")
        if isinstance(schema, dict):
            yield schema


def _schemas(schema: Any) -> Iterator[dict[str, Any]]:
    if not isinstance(schema, dict):
        return
    yield schema
    for name in ("items", "not", "additionalProperties"):
        yield from _schemas(schema.get(name))
    for name in ("allOf", "anyOf", "oneOf"):
        for part in schema.get(name) or ():
            yield from _schemas(part)
    properties = schema.get("properties")
    for part in properties.values() if isinstance(properties, dict) else ():
        yield from _schemas(part)


def _disturb_schema(schema: dict[str, Any], chosen: Chosen) -> None:
    action = chosen.random()
    if action < 0.2 and schema:
        del schema[chosen.choice(list(schema))]
    elif action < 0.35:
        schema["type"] = chosen.choice(_TYPES)
    elif action < 0.4 and schema:
        schema[chosen.choice(list(schema))] = chosen.choice([5, "x", [], {}, True, None])
    else:
        name = chosen.choice(list(_KEYWORDS))
        if name != "default" or not any(part.get("x-kubernetes-validations") for part in _schemas(schema)):
            schema[name] = copy.deepcopy(chosen.choice(_KEYWORDS[name]))


def _version(obj: dict[str, Any], chosen: Chosen) -> dict[str, Any]:
    versions = obj["spec"].get("versions")
    return chosen.choice(versions) if isinstance(versions, list) and versions and all(versions) else {}


def _put(part: Callable[[dict[str, Any], Chosen], dict[str, Any]], name: str, values: list[Any]) -> Callable[..., None]:
    def put(obj: dict[str, Any], chosen: Chosen) -> None:
        part(obj, chosen)[name] = copy.deepcopy(chosen.choice(values))

    return put


def _spec(obj: dict[str, Any], _: Chosen) -> dict[str, Any]:
    return obj["spec"]  # type: ignore[no-any-return]


def _metadata(obj: dict[str, Any], _: Chosen) -> dict[str, Any]:
    return obj["metadata"]  # type: ignore[no-any-return]


def _names(obj: dict[str, Any], _: Chosen) -> dict[str, Any]:
    names = obj["spec"].get("names")
    return names if isinstance(names, dict) else {}


def _repeat(obj: dict[str, Any], chosen: Chosen) -> None:
    versions = obj["spec"].get("versions")
    if isinstance(versions, list) and versions:
        versions.append(dict(chosen.choice(versions) or {}))


_ODD_URL = {"url": "http://u@x?a#b"}
_OTHERS: list[Callable[..., None]] = [
    _repeat,
    _put(_spec, "group", [*_NAMES, "x.k8s.io"]),
    _put(_spec, "scope", ["", "Cluster", "cluster"]),
    _put(_spec, "preserveUnknownFields", [True, False]),
    _put(_spec, "versions", [[], None, 5]),
    _put(
        _spec,
        "conversion",
        [
            {"strategy": "Odd"},
            {"strategy": "Webhook"},
            {"strategy": "None", "webhook": {"clientConfig": {}, "conversionReviewVersions": ["v1"]}},
            {
                "strategy": "Webhook",
                "webhook": {"clientConfig": {"url": "http://u@x?a#b"}, "conversionReviewVersions": ["A"]},
            },
            {"strategy": "Webhook", "webhook": {"clientConfig": {"service": {"port": 0, "path": "/a//b"}}}},
        ],
    ),
    _put(_names, "plural", _NAMES),
    _put(_names, "singular", _NAMES),
    _put(_names, "kind", _NAMES),
    _put(_names, "listKind", _NAMES),
    _put(_names, "shortNames", [[], ["ok", "A"], "x"]),
    _put(_names, "categories", [[], ["all", "1"]]),
    _put(_metadata, "name", _NAMES),
    _put(_metadata, "labels", [{"a b": "c"}, {"a": "-"}, {"a": 1}]),
    _put(_metadata, "annotations", [{"/a": "b"}, {"api-approved.kubernetes.io": "x"}]),
    _put(_metadata, "finalizers", [["a b"], ["orphan", "foregroundDeletion"]]),
    _put(_version, "name", [*_NAMES, "v1"]),
    _put(_version, "storage", [True, False, "yes"]),
    _put(_version, "deprecationWarning", ["", "use v2", "x" * 257]),
    _put(_version, "schema", [None, {}, {"openAPIV3Schema": {}}]),
    _put(_version, "subresources", [{"status": {}}, {"scale": {"specReplicasPath": ".x", "statusReplicasPath": ""}}]),
    _put(
        _version,
        "additionalPrinterColumns",
        [
            [{"name": "", "type": "odd", "format": "odd", "jsonPath": "x"}],
            [{"name": "a", "type": "date", "jsonPath": "."}],
        ],
    ),
    _put(_version, "selectableFields", [[{"jsonPath": "x"}], [{"jsonPath": ".spec"}, {"jsonPath": ".spec"}], [{}]]),
]
