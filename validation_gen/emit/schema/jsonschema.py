"""JSON Schemas for editors and for checks of manifests: one a kind, of draft 7, without references.

They are the schemas of CustomResourceDefinitions with two differences: objects are closed, so that misspelt properties
show, and all that only API servers understand is gone, rules in CEL included. `metadata` is spelt out. Of the
extensions only `x-kubernetes-group-version-kind` stays, at the root, where editors look for the kind.

Files are `schemas/<group>/<kind>_<version>.json` in lower case, as in the public catalogues of such schemas. The core
group, which has no name, is found under its version. So they are what this finds:

    kubeconform -schema-location 'schemas/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json'

and what a line `# yaml-language-server: $schema=<file>` on top of a manifest names.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from validation_gen.emit.schema.manner import SchemaOptions
from validation_gen.emit.schema.resources import ResourceEmitter, definitions
from validation_gen.emit.schema.structure import OBJECT_META, Excessive, Structure
from validation_gen.ir import PackagePlan, Program, Root, StructRef

DIALECT = "http://json-schema.org/draft-07/schema#"

_JUNCTORS = ("allOf", "anyOf", "oneOf")
_OWN_WAY = frozenset({"example", "exclusiveMaximum", "exclusiveMinimum", "externalDocs", "nullable"})


@dataclass(slots=True)
class SchemaEmitter:
    """Builds the schemas of kinds."""

    program: Program
    options: SchemaOptions
    #: As in `ResourceEmitter`.
    excess: dict[str, set[Excessive]] = field(default_factory=dict)

    def schema(self, package: PackagePlan, root: Root) -> dict[str, Any]:
        """The schema of the objects of a kind."""
        emitter = ResourceEmitter(self.program, self.options, whole_metadata=True, excess=self.excess)
        published = emitter.schema(root).as_json()
        schema = standalone(published)
        properties = schema.setdefault("properties", {})
        for name, value in (("apiVersion", package.api_version), ("kind", root.kind)):
            properties[name] = {**properties.get(name, {}), "enum": [value], "type": "string"}
        properties["metadata"] = self._metadata(published.get("properties", {}).get("metadata", {}))
        schema["required"] = sorted({"apiVersion", "kind", *schema.get("required", ())})
        if not _is_open(published):
            schema["additionalProperties"] = False
        schema["x-kubernetes-group-version-kind"] = [
            {"group": package.group, "kind": root.kind, "version": package.version}
        ]
        schema["$schema"] = DIALECT
        return {key: schema[key] for key in sorted(schema)}

    def _metadata(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """The metadata of an object as Kubernetes declares it, with what the kind demands of it."""
        known = Structure(self.program, self.options, whole_metadata=True).of(StructRef(OBJECT_META)).as_json()
        for name, part in said.get("properties", {}).items():
            known["properties"][name] = {**known["properties"].get(name, {}), **part}
        if "description" in said:
            known["description"] = said["description"]
        for part in known["properties"].values():
            if part.get("format") == "date-time":
                part["nullable"] = True  # what a client writes of an object that is not created yet
        return standalone(known)


def files(
    program: Program, options: SchemaOptions, excess: dict[str, set[Excessive]] | None = None
) -> dict[str, dict[str, Any]]:
    """The schemas of all resources by path. `excess` takes up what they do not spell out."""
    emitter = SchemaEmitter(program, options, {} if excess is None else excess)
    return {
        file(package, root): emitter.schema(package, root)
        for definition in definitions(program)
        for package, root in (*definition.rivals, *definition.versions)
    }


def file(package: PackagePlan, root: Root) -> str:
    """The path of a kind's schema."""
    return f"schemas/{package.group or package.version}/{root.kind}_{package.version}.json".lower()


# --- from OpenAPI ---------------------------------------------------------------------------------------------------


def standalone(schema: Mapping[str, Any], *, close: bool = True) -> dict[str, Any]:
    """A structural schema of OpenAPI v3 in the words of JSON Schema. `close` refuses properties that are not there."""
    result = {key: _part(key, value, close=close) for key, value in schema.items() if _stays(key)}
    for bound in ("minimum", "maximum"):
        _exclude(result, bound, schema.get(f"exclusive{bound.capitalize()}"))
    if "example" in schema:
        result["examples"] = [deepcopy(schema["example"])]
    if schema.get("x-kubernetes-int-or-string"):
        _int_or_string(result)
    if schema.get("x-kubernetes-list-type") == "set":
        result["uniqueItems"] = True
    if schema.get("x-kubernetes-embedded-resource"):
        _embed(result)
    if schema.get("nullable"):
        _allow_null(result)
    if close and result.get("properties") and "additionalProperties" not in schema and not _is_open(schema):
        result["additionalProperties"] = False
    return {key: result[key] for key in sorted(result)}


def _stays(key: str) -> bool:
    return key not in _OWN_WAY and not key.startswith("x-kubernetes-")


def _is_open(schema: Mapping[str, Any]) -> bool:
    return bool(schema.get("x-kubernetes-preserve-unknown-fields"))


def _part(key: str, value: Any, *, close: bool) -> Any:
    if key == "properties":
        return {name: standalone(part, close=close) for name, part in value.items()}
    if key in ("items", "additionalProperties") and isinstance(value, Mapping):
        return standalone(value, close=close)
    if key in _JUNCTORS:
        # These see the same object once more, and name some of its properties only.
        return [standalone(part, close=False) for part in value]
    if key == "not":
        return standalone(value, close=False)
    return deepcopy(value)


def _exclude(schema: dict[str, Any], bound: str, exclusive: object) -> None:
    """In OpenAPI an exclusive bound is a mark at the other one, here it is a bound of its own."""
    if exclusive is True and bound in schema:
        schema[f"exclusive{bound.capitalize()}"] = schema.pop(bound)


def _int_or_string(schema: dict[str, Any]) -> None:
    either = [{"type": "integer"}, {"type": "string"}]
    if "anyOf" not in schema:
        schema["anyOf"] = either
    elif not all("type" in part for part in schema["anyOf"]):
        schema["allOf"] = [*schema.get("allOf", ()), {"anyOf": either}]


def _embed(schema: dict[str, Any]) -> None:
    """An object inside another one says what it is."""
    properties = schema.setdefault("properties", {})
    for name, type in (("apiVersion", "string"), ("kind", "string"), ("metadata", "object")):
        properties.setdefault(name, {"type": type})
    schema["required"] = sorted({"apiVersion", "kind", *schema.get("required", ())})


def _allow_null(schema: dict[str, Any]) -> None:
    type = schema.get("type")
    if isinstance(type, str):
        schema["type"] = [type, "null"]
    elif all("type" in part for part in schema.get("anyOf", ({},))):
        schema["anyOf"] = [*schema["anyOf"], {"type": "null"}]
    if "enum" in schema and None not in schema["enum"]:
        schema["enum"] = [*schema["enum"], None]
