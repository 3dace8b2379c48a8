"""OpenAPI documents: version 3 for each group and version, and version 2 for all.

Sources of the behaviour: `pkg/controller/openapi/builder` of `k8s.io/apiextensions-apiserver`, and `pkg/handler3` and
`pkg/handler` of `k8s.io/kube-openapi`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from copy import deepcopy
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from typing import Any

from validation_gen.apiserver.calls import Response
from validation_gen.apiserver.core.resource import CoreResource
from validation_gen.apiserver.core.types import components as core_components
from validation_gen.apiserver.lifecycle import Catalog
from validation_gen.apiserver.negotiation import JSON, find_accepted
from validation_gen.apiserver.openapi_paths import build_paths
from validation_gen.apiserver.openapi_paths import to_v2 as path_to_v2
from validation_gen.apiserver.openapi_types import (
    BUILTIN,
    CONVENTIONS,
    LIST_METADATA,
    METADATA,
    PREFIX,
    SHARED,
    component_name,
    components,
    describe,
    reference,
    type_meta,
)
from validation_gen.apiserver.resources import CustomResource
from validation_gen.kubernetes.crd.gotypes import OBJECT_META, SCALE

_ROOT = "/openapi/v3"
#: Documents of version 2 in protobuf: the name of today, and the old one, which kubectl uses.
_PROTOBUF = (
    "application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
    "application/com.github.proto-openapi.spec.v2@v1.0+protobuf",
)
_YEAR = timedelta(days=365)
_INTEGER_OR_STRING = [{"type": "integer"}, {"type": "string"}]
_OPEN, _EMBEDDED = "x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"
_LIST_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta"
_VALUES = frozenset({"additionalProperties", "default", "enum", "example"})
#: A document, with the resources of which it is made and its hash.
_Document = tuple[list[Any], bytes, str]


class OpenApi:
    """Serves the OpenAPI documents of the server's resources. They are built when a client needs them."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._documents: dict[str, _Document] = {}

    def respond(self, path: str, query: Mapping[str, list[str]], headers: Mapping[str, str]) -> Response | None:
        """Returns the response to a path of OpenAPI, None for other paths."""
        parts = [part for part in path.split("/") if part]
        if parts == ["openapi", "v2"]:
            return self._respond_v2(headers)
        if parts[:2] != ["openapi", "v3"]:
            return None
        if len(parts) == 2:
            content = json.dumps(self.index(), separators=(",", ":")).encode()
            return Response(200, content=content, content_type="text/plain; charset=utf-8")
        return self._respond_v3("/".join(parts[2:]), query.get("hash", [""])[0], headers)

    def index(self) -> dict[str, Any]:
        """Returns the list of the documents of version 3, with their hashes."""
        names = {_document_name(each.group, version) for each in self._catalog for version in each.versions}
        self._documents = {name: each for name, each in self._documents.items() if name in names | {"v2"}}
        hashes = {name: found[2] for name in sorted(names) if (found := self._find_v3(name)) is not None}
        return {"paths": {name: {"serverRelativeURL": _url(name, tag)} for name, tag in hashes.items()}}

    def _respond_v3(self, name: str, wanted: str, headers: Mapping[str, str]) -> Response:
        if not find_accepted(headers.get("accept"), JSON):
            return Response(406, content=b"", headers={"vary": "Accept"})
        found = self._find_v3(name)
        if found is None:
            return Response(404, content=b"")
        _, content, tag = found
        shared = {"etag": f'"{tag}"', "vary": "Accept"}
        if wanted and wanted != tag:
            return Response(301, content=b"", content_type=JSON, headers={**shared, "location": _url(name, tag)})
        if wanted:
            expires = format_datetime(datetime.now(timezone.utc) + _YEAR, usegmt=True)
            shared |= {"cache-control": "public, immutable", "expires": expires}
        return _unless_known(content, shared, headers)

    def _respond_v2(self, headers: Mapping[str, str]) -> Response:
        shared = {"vary": "Accept-Encoding, Accept"}
        media = find_accepted(headers.get("accept"), JSON, *_PROTOBUF)
        if not media:
            return Response(406, content=b"", headers=shared)
        _, content, tag = self._find("v2", list(self._catalog))
        shared["etag"] = f'"{tag}"'
        if media == JSON:
            return _unless_known(content, shared, headers)
        from validation_gen.apiserver.openapi_protobuf import encode_document  # noqa: PLC0415 - few clients want it

        return _unless_known(encode_document(json.loads(content)), shared, headers, _PROTOBUF[0])

    # --- documents ----------------------------------------------------------------------------------------------------

    def _find_v3(self, name: str) -> _Document | None:
        _, *groups, version = name.split("/") if "/" in name else ("", name)
        group = "/".join(groups)
        resources = [each for each in self._catalog if each.group == group and version in each.versions]
        if name != _document_name(group, version) or not resources:
            self._documents.pop(name, None)
            return None
        return self._find(name, resources, version)

    def _find(self, name: str, resources: list[Any], version: str = "") -> _Document:
        """Returns a document. It is cached until its resources change."""
        known = self._documents.get(name)
        if known is not None and known[0] == resources:
            return known
        body = _build_v3(resources, version) if version else _build_v2(resources)
        content = json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode()
        found = (resources, content, hashlib.sha512(content).hexdigest().upper())
        self._documents[name] = found
        return found


def _document_name(group: str, version: str) -> str:
    return f"apis/{group}/{version}" if group else f"api/{version}"


def _url(name: str, tag: str) -> str:
    return f"{_ROOT}/{name}?hash={tag}"


def _unless_known(content: bytes, shared: dict[str, str], headers: Mapping[str, str], media: str = JSON) -> Response:
    """Returns a document, or 304 if the client has it."""
    known = [each.strip().removeprefix("W/") for each in headers.get("if-none-match", "").split(",")]
    if shared["etag"] in known or known == ["*"]:
        return Response(304, content=b"", headers=shared)
    return Response(200, content=content, content_type=media, headers=shared)


def _build_v3(resources: list[Any], version: str) -> dict[str, Any]:
    paths: dict[str, Any] = {}
    schemas: dict[str, Any] = {}
    for resource in sorted(resources, key=lambda each: str(each.resource)):
        served = resource.versions[version]
        kind, items = _names(resource, version)
        paths |= build_paths(resource, served, kind, items)
        schemas |= _schemas(resource, served, v2=False)
    return {
        "openapi": "3.0.0",
        "info": {"title": "Kubernetes CRD Swagger", "version": "v0.1.0"},
        "paths": dict(sorted(paths.items())),
        "components": {"schemas": dict(sorted(schemas.items()))},
    }


def _build_v2(resources: list[Any]) -> dict[str, Any]:
    from validation_gen.emit.schema.swagger import PREFIX as PREFIX_V2  # noqa: PLC0415 - few clients want version 2

    paths: dict[str, Any] = {}
    schemas: dict[str, Any] = {}
    for resource in resources:
        for version, served in resource.versions.items():
            kind, items = _names(resource, version)
            built = build_paths(resource, served, kind, items)
            paths |= {path: path_to_v2(item, PREFIX, PREFIX_V2) for path, item in built.items()}
            schemas |= _schemas(resource, served, v2=True)
    return {
        "swagger": "2.0",
        "info": {"title": "Kubernetes", "version": "1.36"},
        "paths": dict(sorted(paths.items())),
        "definitions": dict(sorted(schemas.items())),
    }


def _names(resource: Any, version: str) -> tuple[str, str]:
    """Returns the names of the components of objects and of lists."""
    if isinstance(resource, CoreResource):
        name = resource.versions[version].type
        return name, f"{name}List"
    builtin = BUILTIN.get((resource.group, resource.names.kind))
    if builtin is not None:
        return component_name(builtin), f"{component_name(builtin)}List"
    base = ".".join([*reversed(resource.group.split(".")), version])
    return f"{base}.{resource.names.kind}", f"{base}.{resource.names.list_kind}"


def _schemas(resource: Any, version: Any, *, v2: bool) -> dict[str, Any]:
    """Returns the components of a resource in a version, and those that they refer to."""
    kind, items = _names(resource, version.name)
    builtin = BUILTIN.get((resource.group, resource.names.kind))
    scales = () if version.scale is None else (SCALE,)
    found = components(*SHARED, *scales, *([] if builtin is None else [builtin]))
    if isinstance(resource, CoreResource):
        found |= core_components(kind)
    found[items] = _list_schema(resource, version.name, kind)
    marks = _marks(resource, version.name, resource.names.kind)
    if v2:
        from validation_gen.emit.schema.swagger import to_v2  # noqa: PLC0415 - few clients want version 2

        found = {name: to_v2(schema) for name, schema in found.items()}
    if isinstance(resource, CoreResource):
        found[kind] |= marks
    elif builtin is None:
        raw = version.raw if isinstance(resource, CustomResource) else {}
        found[kind] = {**_kind_schema(raw, v2=v2), **marks}
    return found


def _marks(resource: Any, version: str, kind: str) -> dict[str, Any]:
    """Returns the extensions of the schema of a kind: its name, and the fields by which it is selected."""
    mark = {"group": resource.group, "kind": kind, "version": version}
    fields = [{"fieldPath": path} for path in resource.selectable(version)]
    return {
        "x-kubernetes-group-version-kind": [mark],
        **({"x-kubernetes-selectable-fields": fields} if fields else {}),
    }


def _list_schema(resource: Any, version: str, kind: str) -> dict[str, Any]:
    names = resource.names
    text = f"List of {names.plural}. More info: {CONVENTIONS}"
    return {
        "description": f"{names.list_kind} is a list of {names.kind}",
        "type": "object",
        "required": ["items"],
        "properties": {
            **type_meta(),
            "items": {"description": text, "type": "array", "items": reference(kind)},
            "metadata": describe(LIST_METADATA, reference(_LIST_META)),
        },
        **_marks(resource, version, names.list_kind),
    }


def _kind_schema(raw: Mapping[str, Any], *, v2: bool) -> dict[str, Any]:
    """Returns the schema of a kind, without properties if it allows others: clients would reject those."""
    if not raw or (v2 and raw.get(_OPEN)):
        return {"type": "object"}
    found = _publish_schema(raw)
    metadata = describe(METADATA, reference(component_name(OBJECT_META)))
    if v2:
        from validation_gen.emit.schema.swagger import to_v2  # noqa: PLC0415 - few clients want version 2

        found, metadata = to_v2(found), to_v2(metadata)
    _add_embedded(found, metadata, v2=v2)
    found["properties"] = {**found.get("properties", {}), **type_meta(), "metadata": metadata}
    return found


def _publish_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a schema as the server publishes it: without false flags, and with types for integers or strings."""
    found = {
        name: deepcopy(value)
        for name, value in schema.items()
        if name in _VALUES or not (value is False or value is None)
    }
    if "properties" in found:
        found["properties"] = {name: _publish_schema(part) for name, part in schema["properties"].items()}
    for name in ("items", "additionalProperties"):
        if isinstance(found.get(name), dict):
            found[name] = _publish_schema(schema[name])
    if found.get("x-kubernetes-int-or-string"):
        either, parts = found.get("anyOf"), found.get("allOf") or [{}]
        if either is None and parts[0].get("anyOf") != _INTEGER_OR_STRING:
            found["anyOf"] = deepcopy(_INTEGER_OR_STRING)
        elif either is not None and either != _INTEGER_OR_STRING and parts[0].get("anyOf") != _INTEGER_OR_STRING:
            found["allOf"] = [{"anyOf": deepcopy(_INTEGER_OR_STRING)}, *(found.get("allOf") or [])]
    return found


def _add_embedded(schema: dict[str, Any], metadata: Mapping[str, Any], *, v2: bool) -> None:
    """Adds the properties of embedded objects, in place."""
    for part in schema.get("properties", {}).values():
        _add_embedded(part, metadata, v2=v2)
    for name in ("items", "additionalProperties"):
        if isinstance(schema.get(name), dict):
            _add_embedded(schema[name], metadata, v2=v2)
    if schema.get(_EMBEDDED) and not (v2 and schema.get(_OPEN)):
        schema["properties"] = {**schema.get("properties", {}), **type_meta(), "metadata": deepcopy(metadata)}
        known = schema.get("required") or []
        schema["required"] = [*known, *(name for name in ("kind", "apiVersion") if name not in known)]
