"""OpenAPI schemas of the types that all kinds share, and of the built-in kinds, made of their Go types.

Descriptions (`core/texts.json`) are our own and short: names and shapes are those of a real server, texts are not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from validation_gen.kubernetes.crd.gotypes import (
    ANYTHING,
    BOOL,
    DEFINITION,
    INT32,
    INT64,
    OBJECT_META,
    SCHEMA_OR_ARRAY,
    SCHEMA_OR_BOOL,
    SCHEMA_OR_STRINGS,
    STRING,
    STRINGS,
    TIME,
    GoType,
    ListOf,
    MapOf,
    Scalar,
    Struct,
)

PREFIX = "#/components/schemas/"
_META = "io.k8s.apimachinery.pkg.apis.meta.v1"
_DEFINITIONS = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1"
_PACKAGES = {"meta": _META, "apiextensions": _DEFINITIONS, "autoscaling": "io.k8s.api.autoscaling.v1"}

_TYPE_META: dict[str, GoType] = {"apiVersion": STRING, "kind": STRING}
LIST_META = Struct(
    "v1.ListMeta",
    {
        **dict.fromkeys(("continue", "resourceVersion", "selfLink"), STRING),
        "remainingItemCount": INT64,
        "shardInfo": Struct("v1.ShardInfo", {"selector": STRING}),
    },
)
_CAUSE = Struct("v1.StatusCause", {"field": STRING, "message": STRING, "reason": Scalar("v1.CauseType", "string")})
DETAILS = Struct(
    "v1.StatusDetails",
    {
        **dict.fromkeys(("group", "kind", "name"), STRING),
        "uid": Scalar("types.UID", "string"),
        "causes": ListOf(_CAUSE, "[]v1.StatusCause"),
        "retryAfterSeconds": INT32,
    },
)
STATUS = Struct(
    "v1.Status",
    {
        **_TYPE_META,
        **dict.fromkeys(("message", "status"), STRING),
        "reason": Scalar("v1.StatusReason", "string"),
        "metadata": LIST_META,
        "details": DETAILS,
        "code": INT32,
    },
)
DELETE_OPTIONS = Struct(
    "v1.DeleteOptions",
    {
        **_TYPE_META,
        "dryRun": STRINGS,
        "gracePeriodSeconds": INT64,
        **dict.fromkeys(("ignoreStoreReadErrorWithClusterBreakingPotential", "orphanDependents"), BOOL),
        "preconditions": Struct("v1.Preconditions", dict.fromkeys(("resourceVersion", "uid"), STRING)),
        "propagationPolicy": STRING,
    },
)
PATCH = Struct("v1.Patch")
_FIELDS = Struct("v1.FieldsV1")
#: Types with a JSON form of their own: the name, and the schema.
_OWN: list[tuple[GoType, str, dict[str, Any]]] = [
    (TIME, f"{_META}.Time", {"type": "string", "format": "date-time"}),
    (ANYTHING, f"{_DEFINITIONS}.JSON", {}),
    (SCHEMA_OR_ARRAY, f"{_DEFINITIONS}.JSONSchemaPropsOrArray", {}),
    (SCHEMA_OR_BOOL, f"{_DEFINITIONS}.JSONSchemaPropsOrBool", {}),
    (SCHEMA_OR_STRINGS, f"{_DEFINITIONS}.JSONSchemaPropsOrStringArray", {}),
]
_GROUP_VERSION_KINDS = {
    "Scale": ("autoscaling", "v1"),
    "Status": ("", "v1"),
    "DeleteOptions": ("", "v1"),
    "CustomResourceDefinition": ("apiextensions.k8s.io", "v1"),
}
_META_TYPES = frozenset(
    "DeleteOptions FieldsV1 ListMeta ManagedFieldsEntry ObjectMeta OwnerReference Patch Preconditions ShardInfo Status "
    "StatusCause StatusDetails".split()
)
_REQUIRED = {
    "CustomResourceColumnDefinition": ("name", "type", "jsonPath"),
    "CustomResourceConversion": ("strategy",),
    "CustomResourceDefinition": ("spec",),
    "CustomResourceDefinitionCondition": ("type", "status"),
    "CustomResourceDefinitionNames": ("plural", "kind"),
    "CustomResourceDefinitionSpec": ("group", "names", "scope", "versions"),
    "CustomResourceDefinitionVersion": ("name", "served", "storage"),
    "CustomResourceSubresourceScale": ("specReplicasPath", "statusReplicasPath"),
    "OwnerReference": ("apiVersion", "kind", "name", "uid"),
    "ScaleStatus": ("replicas",),
    "SelectableField": ("jsonPath",),
    "ServiceReference": ("namespace", "name"),
    "ShardInfo": ("selector",),
    "ValidationRule": ("rule",),
    "WebhookConversion": ("conversionReviewVersions",),
}
#: Structs that are there even if they are empty.
_PRESENT = {
    "CustomResourceDefinition": ("metadata", "spec", "status"),
    "CustomResourceDefinitionSpec": ("names",),
    "CustomResourceDefinitionStatus": ("acceptedNames",),
    "Scale": ("metadata", "spec", "status"),
    "Status": ("metadata",),
}
_ATOMIC = {"x-kubernetes-list-type": "atomic"}
_EXTENSIONS: dict[tuple[str, str], dict[str, Any]] = {
    ("DeleteOptions", "dryRun"): _ATOMIC,
    ("ObjectMeta", "finalizers"): {"x-kubernetes-list-type": "set", "x-kubernetes-patch-strategy": "merge"},
    ("ObjectMeta", "managedFields"): _ATOMIC,
    ("ObjectMeta", "ownerReferences"): {
        "x-kubernetes-list-map-keys": ["uid"],
        "x-kubernetes-list-type": "map",
        "x-kubernetes-patch-merge-key": "uid",
        "x-kubernetes-patch-strategy": "merge",
    },
    ("OwnerReference", ""): {"x-kubernetes-map-type": "atomic"},
    ("StatusDetails", "causes"): _ATOMIC,
    ("CustomResourceDefinitionStatus", "conditions"): {
        "x-kubernetes-list-map-keys": ["type"],
        "x-kubernetes-list-type": "map",
    },
}
CONVENTIONS = "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md"
API_VERSION = f"The API group and the version in which the object is written. More info: {CONVENTIONS}#resources"
KIND = f"The kind of the object. It cannot change. More info: {CONVENTIONS}#types-kinds"
METADATA = f"The metadata that every object has. More info: {CONVENTIONS}#metadata"
LIST_METADATA = f"The metadata that every list has. More info: {CONVENTIONS}#types-kinds"


@cache
def read_texts() -> dict[str, dict[str, str]]:
    """Returns descriptions by type and field, and those of parameters, which few requests need."""
    text = Path(__file__).with_name("core").joinpath("texts.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = json.loads(text)
    return found


def component_name(go_type: Struct) -> str:
    """Returns the name of a type in OpenAPI documents."""
    short = go_type.name.removeprefix("v1.")
    return f"{_PACKAGES[_qualify(short).partition('.')[0]]}.{short}"


def _qualify(short: str) -> str:
    """Returns the name of a type with its group and version."""
    group = "meta" if short in _META_TYPES else "autoscaling" if short.startswith("Scale") else "apiextensions"
    return f"{group}.v1.{short}"


def describe(text: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a schema with a description. A reference goes into `allOf`, as it can have no description itself."""
    body = {"allOf": [dict(schema)]} if "$ref" in schema else dict(schema)
    return {**({"description": text} if text else {}), **body}


def reference(name: str) -> dict[str, Any]:
    """Returns a reference to a component."""
    return {"$ref": f"{PREFIX}{name}"}


def type_meta() -> dict[str, Any]:
    """Returns the properties that name the type of an object."""
    return {
        "apiVersion": {"description": API_VERSION, "type": "string"},
        "kind": {"description": KIND, "type": "string"},
    }


def components(*roots: Struct) -> dict[str, dict[str, Any]]:
    """Returns the components of some types and of all types that they refer to."""
    found: dict[str, dict[str, Any]] = {}
    for root in roots:
        _collect(root, found)
    return dict(sorted(found.items()))


def _collect(go_type: GoType, found: dict[str, dict[str, Any]]) -> None:
    for known, name, schema in _OWN:
        if go_type is known:
            found[name] = dict(schema)
            return
    if isinstance(go_type, ListOf | MapOf):
        _collect(go_type.item if isinstance(go_type, ListOf) else go_type.value, found)
    elif isinstance(go_type, Struct) and component_name(go_type) not in found:
        short = go_type.name.removeprefix("v1.")
        found[component_name(go_type)] = _struct(go_type, short)
        for _, part in _fields(go_type):
            _collect(part, found)


def _fields(go_type: Struct) -> Iterator[tuple[str, GoType]]:
    for name, part in sorted(go_type.fields.items()):
        yield name, _FIELDS if name == "fieldsV1" else part


def _struct(go_type: Struct, short: str) -> dict[str, Any]:
    texts, required = read_texts().get(_qualify(short), {}), _REQUIRED.get(short, ())
    schema: dict[str, Any] = {"type": "object"}
    if required:
        schema["required"] = list(required)
    properties = {}
    for name, part in _fields(go_type):
        text = texts.get(name, "")
        if name in _TYPE_META and short in _GROUP_VERSION_KINDS:
            text = type_meta()[name]["description"]
        found = describe(text, _part(part))
        if name in _PRESENT.get(short, ()):
            found = {"default": {}, **describe("", found)}
        elif (name in required or short == "ScaleSpec") and isinstance(part, Scalar):
            found["default"] = _zero(part)
        properties[name] = {**found, **_EXTENSIONS.get((short, name), {})}
    if properties:
        schema["properties"] = properties
    if short in _GROUP_VERSION_KINDS:
        group, version = _GROUP_VERSION_KINDS[short]
        schema["x-kubernetes-group-version-kind"] = [{"group": group, "kind": short, "version": version}]
    return describe(texts.get("", ""), {**schema, **_EXTENSIONS.get((short, ""), {})})


def _zero(go_type: Scalar) -> Any:
    return {"string": "", "bool": False}.get(go_type.kind, 0)


def _part(go_type: GoType) -> dict[str, Any]:
    for known, name, _ in _OWN:
        if go_type is known:
            return reference(name)
    if isinstance(go_type, Scalar):
        if go_type.kind in ("string", "bool"):
            return {"type": {"bool": "boolean"}.get(go_type.kind, "string")}
        is_float = go_type.kind == "float64"
        return {"type": "number" if is_float else "integer", "format": "double" if is_float else go_type.kind}
    if isinstance(go_type, ListOf):
        return {"type": "array", "items": _element(go_type.item)}
    if isinstance(go_type, MapOf):
        return {"type": "object", "additionalProperties": _element(go_type.value)}
    if isinstance(go_type, Struct):
        return reference(component_name(go_type))
    return {"type": "string", "format": "byte"}


def _element(go_type: GoType) -> dict[str, Any]:
    """Returns the schema of an item, which has the default of its type if it is a string or a struct."""
    if isinstance(go_type, Struct):
        return {"default": {}, **describe("", _part(go_type))}
    return {**_part(go_type), **({"default": _zero(go_type)} if isinstance(go_type, Scalar) else {})}


#: The types that the operations of every kind refer to.
SHARED = (OBJECT_META, LIST_META, STATUS, DELETE_OPTIONS, PATCH)
#: The built-in kinds with a Go type, by group and kind.
BUILTIN = {("apiextensions.k8s.io", "CustomResourceDefinition"): DEFINITION}
