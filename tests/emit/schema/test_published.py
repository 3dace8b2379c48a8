"""Our OpenAPI documents of Kubernetes' own types agree with those that Kubernetes publishes.

The documents are no part of this project. `VALIDATION_GEN_PUBLISHED` names a directory with three things of the same
release: `api` and `apimachinery`, the sources, and `openapi`, what Kubernetes' repository has in `api/openapi-spec/v3`
(client-go has some of them, of 1.26, in `openapi/openapitest/testdata`). Without it these tests are skipped.

What may differ, and why:

- Schemas of requests and answers (`Status`, `DeleteOptions`, …) are there because of paths. We have no paths.
- Zero values as defaults are left out where the schema refuses them; a reference with nothing beside it stands alone.
- Descriptions keep the lines of the comments.
- `+patchStrategy=merge` is taken for a list type, as server-side apply takes it with built-in types.
- Rules and other generators' markers add keywords that openapi-gen does not know.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tables import each
from validation_gen.compiler.pipeline import Settings, build_program
from validation_gen.emit.schema import SchemaOptions, swagger

PUBLISHED = Path(os.environ.get("VALIDATION_GEN_PUBLISHED", ""))
needs_documents = pytest.mark.skipif(
    "VALIDATION_GEN_PUBLISHED" not in os.environ,
    reason="VALIDATION_GEN_PUBLISHED must name a directory as tests/emit/schema/test_published.py says",
)

META = "io.k8s.apimachinery.pkg.apis.meta.v1"
OF_REQUESTS = {
    *(f"{META}.{name}" for name in ("APIResource", "APIResourceList", "DeleteOptions", "Patch", "Preconditions")),
    *(f"{META}.{name}" for name in ("Status", "StatusCause", "StatusDetails", "WatchEvent")),
    *(f"io.k8s.api.autoscaling.v1.{name}" for name in ("Scale", "ScaleSpec", "ScaleStatus")),
    "io.k8s.apimachinery.pkg.runtime.RawExtension",
}
GROUPS = ("batch", "apps")
#: What must be the same wherever it is published.
FACTS = ("type", "format", "x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-map-type", "oneOf")


@functools.cache
def ours(group: str) -> dict[str, Any]:
    settings = Settings(
        (str(PUBLISHED / "api"),),
        every_kind=True,
        modules={"k8s.io/apimachinery": str(PUBLISHED / "apimachinery")},
    )
    document = swagger.documents_v3(swagger.components_v3(build_program(settings).program, SchemaOptions()))[
        f"openapi/v3/apis__{group}__v1_openapi.json"
    ]
    schemas: dict[str, Any] = document["components"]["schemas"]
    return schemas


@functools.cache
def theirs(group: str) -> dict[str, Any]:
    text = (PUBLISHED / "openapi" / f"apis__{group}__v1_openapi.json").read_text(encoding="utf-8")
    schemas: dict[str, Any] = json.loads(text)["components"]["schemas"]
    return schemas


def pairs(group: str) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """All schemas that both have, with their parts, by path: theirs and ours."""
    for name in sorted(theirs(group).keys() & ours(group).keys()):
        yield from _pairs(name, theirs(group)[name], ours(group)[name])


def _pairs(path: str, a: dict[str, Any], b: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    yield path, a, b
    for key, part in a.get("properties", {}).items():
        yield from _pairs(f"{path}.{key}", part, b["properties"][key])
    for key in ("items", "additionalProperties"):
        if key in a:
            yield from _pairs(f"{path}.{key}", a[key], b[key])


def reference(schema: dict[str, Any]) -> str:
    found: str = schema.get("$ref") or next((part["$ref"] for part in schema.get("allOf", ()) if "$ref" in part), "")
    return found


def check_the_same_schemas(group: str) -> None:
    assert ours(group).keys() <= theirs(group).keys()
    assert theirs(group).keys() - ours(group).keys() <= OF_REQUESTS


def check_the_same_properties_and_the_same_of_them_required(group: str) -> None:
    for path, a, b in pairs(group):
        assert a.get("properties", {}).keys() == b.get("properties", {}).keys(), path
        assert sorted(a.get("required", ())) == sorted(b.get("required", ())), path


def check_the_same_types_formats_and_references(group: str) -> None:
    compared = 0
    for path, a, b in pairs(group):
        assert {fact: a[fact] for fact in FACTS if fact in a} == {fact: b[fact] for fact in FACTS if fact in a}, path
        assert (a.get("type"), a.get("format")) == (b.get("type"), b.get("format")), path
        assert reference(a) == reference(b), path
        compared += 1
    assert compared > 700


def check_list_types_that_are_not_published_follow_from_merge_keys(group: str) -> None:
    for path, a, b in pairs(group):
        if "x-kubernetes-list-map-keys" in b and "x-kubernetes-list-map-keys" not in a:
            assert b["x-kubernetes-list-map-keys"] == [a["x-kubernetes-patch-merge-key"]], path
        elif "x-kubernetes-list-type" in b and "x-kubernetes-list-type" not in a:
            assert (b["x-kubernetes-list-type"], a["x-kubernetes-patch-strategy"]) == ("set", "merge"), path


def check_defaults_are_theirs_or_refused_by_the_schema(group: str) -> None:
    for path, a, b in pairs(group):
        if a.get("default") != b.get("default"):
            target = ours(group)[reference(a).removeprefix(swagger.PREFIX_V3)]
            assert (a["default"], b.get("default")) == ({}, None), path
            # It must have members, is not an object, or is an object in a form of its own, which is no struct.
            assert target.get("required") or target.get("type") != "object" or "properties" not in target, path


def check_descriptions_have_the_same_words(group: str) -> None:
    different, compared = [], 0
    for path, a, b in pairs(group):
        if "description" in a and "description" in b:
            compared += 1
            if a["description"].split() != b["description"].split():
                different.append(path)
    # Documents and sources are rarely of the same day, and sentences change most often.
    assert len(different) < compared / 20, different


def check_the_same_kinds(group: str) -> None:
    mark = "x-kubernetes-group-version-kind"
    found = {name: schema[mark] for name, schema in ours(group).items() if mark in schema}
    assert found == {name: schema[mark] for name, schema in theirs(group).items() if mark in schema and name in found}
    assert {name for name in theirs(group) if mark in theirs(group)[name]} - found.keys() <= OF_REQUESTS


CHECKS = [
    check_the_same_schemas,
    check_the_same_properties_and_the_same_of_them_required,
    check_the_same_types_formats_and_references,
    check_list_types_that_are_not_published_follow_from_merge_keys,
    check_defaults_are_theirs_or_refused_by_the_schema,
    check_descriptions_have_the_same_words,
    check_the_same_kinds,
]


@needs_documents
@each("group", GROUPS)
@each("check", CHECKS, ids=lambda check: check.__name__)
def test_documents_agree(check: Callable[[str], None], group: str) -> None:
    check(group)
