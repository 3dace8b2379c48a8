"""JSON Schemas for editors and for checks of manifests: one a kind, of draft 7, without references.

They are the schemas of CustomResourceDefinitions with three differences: objects are closed, so that misspelt
properties are reported; keywords that only API servers understand are removed, rules in CEL included; and they describe
hand-written objects, before a server drops nulls and fills in defaults. `metadata` is expanded. Of the extensions only
`x-kubernetes-group-version-kind` stays, at the root, where editors look for the kind.

Files are `schemas/<group>/<kind>_<version>.json` in lower case, as in the public catalogues of such schemas. The core
group, which has no name, is found under its version. So this finds them:

    kubeconform -schema-location 'schemas/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json'

and so does a line `# yaml-language-server: $schema=<file>` on top of a manifest. The same document has the same bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from validation_gen.diagnostics.visible import as_json_escape, replace_invisible
from validation_gen.emit.schema import SchemaOptions
from validation_gen.emit.schema.resources import ResourceEmitter, definitions, is_defined
from validation_gen.emit.schema.structure import Excessive, Structure
from validation_gen.ir import OBJECT_META, PackagePlan, Program, Root, StructRef

DIALECT = "http://json-schema.org/draft-07/schema#"

#: Escapes in a pattern, except letters, which have a meaning.
_ESCAPED = re.compile(r"\\[^A-Za-z]")
#: Flags, names of groups, classes by name, and brackets at the beginning of a class.
_GO_ONLY = re.compile(r"\(\?(?!:)|\[\^?\]|\[:|\[\^?\[")
#: Escapes that JavaScript does not know, or knows as something else.
_GO_ESCAPES = re.compile(r"(?<!\\)(?:\\\\)*\\(?:[AzQECpPa0-7]|x\{)")
#: Parts of a pattern: an escape, a repetition, or a character.
_PATTERN_PART = re.compile(r"\\.|\{(?:0|[1-9][0-9]*)(?:,(?:0|[1-9][0-9]*)?)?\}|.", re.DOTALL)
#: Characters, beside letters and digits, that JavaScript's flag `u` allows after a backslash.
_ESCAPABLE = frozenset("^$\\.*+?()[]{}|/")

_NOT_NULL = {"not": {"type": "null"}}
_JUNCTORS = ("allOf", "anyOf", "oneOf")
#: Keywords that must not be weakened: without an inner pattern, they would refuse values that a server accepts.
_REFUSING = ("not", "oneOf")
#: The keywords that mean the same in both. Definitions may hold more, which a server drops.
_SHARED = frozenset(
    "additionalProperties allOf anyOf default description enum format items maxItems maxLength maxProperties maximum "
    "minItems minLength minProperties minimum multipleOf not oneOf pattern properties required title type "
    "uniqueItems".split()
)


@dataclass(slots=True)
class SchemaEmitter:
    """Builds the schemas of kinds."""

    program: Program
    options: SchemaOptions
    #: As in `ResourceEmitter`.
    excess: dict[str, set[Excessive]] = field(default_factory=dict)
    #: Source of the metadata of objects, if the program itself has none.
    metadata: Program | None = None
    #: By type, the patterns that only Go reads. The schemas are without them: one would make editors refuse them whole.
    foreign: dict[str, list[str]] = field(default_factory=dict)

    def files(self) -> dict[str, dict[str, Any]]:
        """Returns the schemas of all resources by path, including those of definitions."""
        return {file(package, root): schema for package, root, schema in self.kinds()}

    def kinds(self) -> Iterator[tuple[PackagePlan, Root, dict[str, Any]]]:
        """Yields all resources with their schemas, then those of definitions."""
        for definition in definitions(self.program):
            for package, root in (*definition.rivals, *definition.versions):
                yield package, root, self.schema(package, root)
        for package in self.program.packages.values():
            for root in package.roots:
                if is_defined(self.program, root):
                    published = self.program.schemas[root.type].schema
                    yield package, root, self.of_published(published, package, root)

    def schema(self, package: PackagePlan, root: Root) -> dict[str, Any]:
        """Returns the schema of the objects of a kind."""
        emitter = ResourceEmitter(self.program, self.options, whole_metadata=True, excess=self.excess)
        return self.of_published(emitter.schema(root).as_json(), package, root)

    def of_published(self, published: Mapping[str, Any], package: PackagePlan, root: Root) -> dict[str, Any]:
        """Returns the schema of the objects of a kind from the one in its definition."""
        if patterns := [pattern for pattern in _patterns(published) if not is_portable(pattern)]:
            self.foreign[root.type] = patterns
        schema = standalone(published)
        properties = schema.setdefault("properties", {})
        for name, value in (("apiVersion", package.api_version), ("kind", root.kind)):
            properties[name] = {**properties.get(name, {}), "enum": [value], "type": "string"}
        properties["metadata"] = self._metadata(published.get("properties", {}).get("metadata", {}))
        required = {"apiVersion", "kind", *schema.get("required", ())}
        if root.resource.status or "/status" in root.subresources:
            # A server drops it from a manifest.
            required.discard("status")
            _demand_nothing(properties.get("status"))
        schema["required"] = sorted(required)
        if not _is_open(published):
            schema["additionalProperties"] = False
        schema["x-kubernetes-group-version-kind"] = [
            {"group": package.group, "kind": root.kind, "version": package.version}
        ]
        schema["$schema"] = DIALECT
        return {key: schema[key] for key in sorted(schema)}

    def _metadata(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the metadata of an object as Kubernetes declares it, with the constraints of the kind."""
        structure = Structure(self.metadata or self.program, self.options, whole_metadata=True)
        known = structure.build_node(StructRef(OBJECT_META)).as_json()
        for name, part in message.get("properties", {}).items():
            known["properties"][name] = {**known["properties"].get(name, {}), **part}
        if "description" in message:
            known["description"] = message["description"]
        return standalone(known)


def file(package: PackagePlan, root: Root) -> str:
    """Returns the path of a kind's schema."""
    return f"schemas/{package.group or package.version}/{root.kind}_{package.version}.json".lower()


def is_portable(pattern: str) -> bool:
    """Returns whether a Go pattern means the same in JavaScript, as JSON Schema requires. `False` if in doubt."""
    return _GO_ONLY.search(_ESCAPED.sub("_", pattern)) is None and _GO_ESCAPES.search(pattern) is None


def to_javascript(pattern: str) -> str:
    r"""Returns a portable pattern as JavaScript reads it with the flag `u`, which validators of JSON Schema set.

    It refuses needless escapes, such as `\@`, single brackets and braces, a dash between a class and a character, and
    repeated anchors.
    """
    parts: list[str] = []
    is_in_class = False
    for match in _PATTERN_PART.finditer(pattern):
        part = match[0]
        if part[0] == "\\":
            is_needed = part[1].isalnum() or part[1] in _ESCAPABLE or (is_in_class and part[1] == "-")
            parts.append(part if is_needed else part[1])
        elif is_in_class:
            is_in_class = part != "]"
            is_after_class = part == "-" and parts[-1] in (r"\d", r"\D", r"\s", r"\S", r"\w", r"\W")
            parts.append(r"\-" if is_after_class and pattern[match.end()] != "]" else part)
        else:
            is_in_class = part == "["
            if (part in ("*", "+", "?") or len(part) > 1) and parts and parts[-1] in ("^", "$", r"\b", r"\B"):
                parts[-1] = f"(?:{parts[-1]})"
            parts.append(f"\\{part}" if part in ("{", "}", "]") else part)
    return "".join(parts)


def _patterns(value: Any) -> Iterator[str]:
    """Yields the patterns of a schema, each once and in order."""
    found: dict[str, None] = {}
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Mapping):
            if isinstance(part.get("pattern"), str):
                found[part["pattern"]] = None
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)
    return iter(sorted(found))


# --- from OpenAPI ---------------------------------------------------------------------------------------------------


def standalone(schema: Mapping[str, Any], outer: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Returns a structural schema of OpenAPI v3 as a JSON Schema of hand-written values.

    In the parts of a junctor, which apply to the same value and name some of its properties only, `outer` is the
    structural schema of the value. Elsewhere objects are closed: unknown properties are refused.
    """
    result = {
        key: _part(key, value, schema if outer is None else outer, is_branch=outer is not None)
        for key, value in schema.items()
        if key in _SHARED and value is not None and (key not in _REFUSING or all(map(is_portable, _patterns(value))))
    }
    if "pattern" in result:
        if is_portable(result["pattern"]):
            result["pattern"] = to_javascript(result["pattern"])
        else:
            del result["pattern"]
    for bound in ("minimum", "maximum"):
        _exclude(result, bound, schema.get(f"exclusive{bound.capitalize()}"))
    if schema.get("example") is not None:
        result["examples"] = [deepcopy(schema["example"])]
    if schema.get("x-kubernetes-int-or-string"):
        _int_or_string(result)
    if schema.get("x-kubernetes-list-type") == "set":
        result["uniqueItems"] = True
    if schema.get("x-kubernetes-embedded-resource"):
        _embed(result)
    if outer is None:
        _leave_out(result, schema)
    else:
        _leave_out_of_branch(result, outer)
    if schema.get("nullable"):
        _allow_null(result)
    is_closed = outer is None and not _is_open(schema)
    if is_closed and result.get("properties") and schema.get("additionalProperties") is None:
        result["additionalProperties"] = False
    return {key: result[key] for key in sorted(result)}


def _demand_nothing(schema: Any) -> None:
    """Removes required properties from a schema and all its children."""
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, list):
            waiting += part
        elif isinstance(part, dict):
            for keyword in ("required", "minItems", "minProperties", *_JUNCTORS, "not"):
                part.pop(keyword, None)
            waiting += [part.get("items"), part.get("additionalProperties"), *(part.get("properties") or {}).values()]


def _leave_out(result: dict[str, Any], schema: Mapping[str, Any]) -> None:
    """Allows users to omit fields that a server fills in, and to write null where a server drops it."""
    parts = schema.get("properties") or {}
    required = _without_defaults(result, parts)
    for name, part in result.get("properties", {}).items():
        if name not in required and not _is_nullable(parts.get(name)):
            _allow_absent(part)
    values = schema.get("additionalProperties")
    if isinstance(values, Mapping) and not _is_nullable(values):
        _allow_absent(result["additionalProperties"])


def _leave_out_of_branch(result: dict[str, Any], outer: Mapping[str, Any]) -> None:
    """Does the same as `_leave_out` in a branch of `allOf`, `anyOf` or `oneOf`."""
    parts = outer.get("properties") or {}
    required = _without_defaults(result, parts)
    properties = result.setdefault("properties", {})
    for name in [*properties, *(name for name in required if name in parts and name not in properties)]:
        if name not in parts or _is_nullable(parts[name]):
            continue
        if name not in required:
            _allow_absent(properties[name])
        elif name not in (outer.get("required") or ()):
            properties[name] = {"allOf": [properties[name], _NOT_NULL]} if name in properties else dict(_NOT_NULL)
    if not properties:
        del result["properties"]


def _without_defaults(result: dict[str, Any], parts: Mapping[str, Any]) -> list[str]:
    """Removes properties with defaults from `required`, and returns the remaining names."""
    required = [name for name in result.pop("required", ()) if (parts.get(name) or {}).get("default") is None]
    if required:
        result["required"] = required
    return required


def _is_nullable(schema: Mapping[str, Any] | None) -> bool:
    return bool((schema or {}).get("nullable"))


def _is_open(schema: Mapping[str, Any]) -> bool:
    return bool(schema.get("x-kubernetes-preserve-unknown-fields"))


def _part(key: str, value: Any, outer: Mapping[str, Any], *, is_branch: bool) -> Any:
    if key == "properties":
        known = outer.get("properties") or {}
        return {
            name: standalone(part or {}, known.get(name) or {} if is_branch else None) for name, part in value.items()
        }
    if key in ("items", "additionalProperties") and isinstance(value, Mapping):
        known = outer.get(key)
        return standalone(value, (known if isinstance(known, Mapping) else {}) if is_branch else None)
    if key in _JUNCTORS:
        return [standalone(part or {}, outer) for part in value]
    if key == "not":
        return standalone(value, outer)
    return deepcopy(value)


def _exclude(schema: dict[str, Any], bound: str, exclusive: object) -> None:
    """Turns the mark of an exclusive bound in OpenAPI into the keyword of JSON Schema."""
    if exclusive is True and bound in schema:
        schema[f"exclusive{bound.capitalize()}"] = schema.pop(bound)


def _int_or_string(schema: dict[str, Any]) -> None:
    either = [{"type": "integer"}, {"type": "string"}]
    if "anyOf" not in schema:
        schema["anyOf"] = either
    elif not all("type" in part for part in schema["anyOf"]):
        schema["allOf"] = [*schema.get("allOf", ()), {"anyOf": either}]


def _embed(schema: dict[str, Any]) -> None:
    """Adds the type fields of an embedded object."""
    properties = schema.setdefault("properties", {})
    for name, type in (("apiVersion", "string"), ("kind", "string"), ("metadata", "object")):
        properties.setdefault(name, {"type": type})
    properties["metadata"].pop("additionalProperties", None)  # it may have all standard metadata
    schema["required"] = sorted({"apiVersion", "kind", *schema.get("required", ())})


def _allow_null(schema: dict[str, Any]) -> None:
    """Lets a value be null. For null in a nullable value, a server checks only `type` and `enum`."""
    type = schema.get("type")
    if isinstance(type, str):
        schema["type"] = [type, "null"]
    combined = {key: schema.pop(key) for key in (*_JUNCTORS, "not") if key in schema}
    if combined.keys() == {"anyOf"} and all("type" in part for part in combined["anyOf"]):
        schema["anyOf"] = [*combined["anyOf"], {"type": "null"}]
    elif combined:
        schema["anyOf"] = [combined, {"type": "null"}]


def _allow_absent(schema: dict[str, Any]) -> None:
    """Allows null for a value that a server drops, whatever its other keywords are."""
    _allow_null(schema)
    if "enum" in schema and None not in schema["enum"]:
        schema["enum"] = [*schema["enum"], None]


_LAYOUT = "\n"

#: JSON has no comments, so the mark by which generated files are known is the first entry of the document.
MARKER = "Code generated by validation-gen. DO NOT EDIT."


def as_json(document: Mapping[str, Any], *, marker: str | None = MARKER) -> str:
    """Returns a document with sorted keys, indented by two spaces, with a newline at the end.

    It begins with the marker, under a key that such a document can have: `$comment` in a JSON Schema, an extension in
    an OpenAPI document.
    """
    key = "$comment" if "$schema" in document else "x-generated-by"
    begin = {} if marker is None else {key: marker}
    text = json.dumps({**begin, **_sort(document)}, ensure_ascii=False, indent=2)
    return f"{replace_invisible(text, as_json_escape, keep=_LAYOUT)}\n"


def _sort(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _sort(value[key]) for key in sorted(value)}
    return [_sort(each) for each in value] if isinstance(value, list | tuple) else value
