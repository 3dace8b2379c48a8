"""Keywords that Kubernetes forbids, alone or together, anywhere in a schema, and those that structural schemas lack.

Follows `ValidateCustomResourceDefinitionOpenAPISchema` in `pkg/apis/apiextensions/validation` and `convert.go` in
`pkg/apiserver/schema` of `k8s.io/apiextensions-apiserver`. The walk goes everywhere, below `allOf` and the like too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from operator import attrgetter

from validation_gen.kubernetes.cel import Scope
from validation_gen.kubernetes.crd.report import STRUCTURE, Report
from validation_gen.kubernetes.crd.rules import Expressions, check_rules
from validation_gen.kubernetes.crd.schema import Schema
from validation_gen.kubernetes.crd.schema_path import SchemaPath
from validation_gen.kubernetes.formats.valueformats import is_known
from validation_gen.runtime.gotext import go_quote

_LIST, _KEYS, _MAP = "x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-map-type"
#: Greatest number of wrong keys of one list that are reported.
_MOST_WRONG = 100
_LIST_TYPES = ("atomic", "set", "map")
_MAP_TYPES = ("atomic", "granular")


def check_lists(schema: Schema, path: SchemaPath, report: Report) -> None:
    if schema.map_type is not None:
        _check_type(schema, "object", _MAP, path, report)
        if schema.map_type not in _MAP_TYPES:
            report.not_supported("VG505", path.child(_MAP), schema.map_type, _MAP_TYPES)
    if schema.list_type is not None:
        if schema.type != "array":
            _check_type(schema, "array", _LIST, path, report)
        elif schema.list_type == "set" and schema.item is not None:
            _check_set(schema.item, path.child("items"), report)
        if schema.list_type not in _LIST_TYPES:
            report.not_supported("VG505", path.child(_LIST), schema.list_type, _LIST_TYPES)
    if schema.list_map_keys:
        detail = f"must be map if {_KEYS} is non-empty"
        if schema.list_type is None:
            report.required("VG505", path.child(_LIST), detail, f"add {_LIST}: map")
        elif schema.list_type != "map":
            report.invalid("VG505", path.child(_LIST), schema.list_type, detail, f"write {_LIST}: map")
    if schema.list_type == "map":
        _check_map(schema, path, report)
    if schema.list_type in ("set", "map") and schema.item is not None:
        _check_items(schema, schema.item, path, report)
    if schema.list_type == "set" and schema.item is not None and schema.item.type in ("object", "array"):
        message = f"{_LIST}: set for items of type {go_quote(schema.item.type)} is not supported by server-side apply "
        help = f"write {_LIST}: atomic, or map with {_KEYS}"
        report.warn("VG505", path.child(_LIST), f"{message}or CEL validation rules", help)


def _check_type(schema: Schema, wanted: str, keyword: str, path: SchemaPath, report: Report) -> None:
    detail = f"must be {wanted} if {keyword} is specified"
    if not schema.type:
        report.required("VG505", path.child("type"), detail, f"add type: {wanted}")
    elif schema.type != wanted:
        report.invalid("VG505", path.child("type"), schema.type, detail, f"drop {keyword}, or write type: {wanted}")


def _check_set(item: Schema, path: SchemaPath, report: Report) -> None:
    """Checks the items of a set, which must be atomic.

    The server shows the list type of the items in both cases.
    """
    detail = f"must be atomic as item of a list with {_LIST}=set"
    if item.type == "array" and item.list_type not in (None, "atomic"):
        report.invalid("VG505", path.child(_LIST), item.list_type, detail, f"write {_LIST}: atomic for the items")
    elif item.type == "object" and item.map_type != "atomic":
        report.invalid("VG505", path.child(_MAP), item.list_type, detail, f"write {_MAP}: atomic for the items")


def _check_map(schema: Schema, path: SchemaPath, report: Report) -> None:
    """Checks a list whose items are identified by keys."""
    keys = path.child(_KEYS)
    if not schema.list_map_keys:
        detail = f"must not be empty if {_LIST} is map"
        report.required("VG505", keys, detail, "name the properties that tell items apart, such as [name]")
    item, inner = schema.item, path.child("items")
    if schema.items is None:
        report.required("VG505", inner, f"must have a schema if {_LIST} is map")
    elif item is None:
        report.invalid("VG505", inner, STRUCTURE, f"must only have a single schema if {_LIST} is map")
    elif item.type != "object":
        detail = f"must be object if parent array's {_LIST} is map"
        report.invalid("VG505", inner.child("type"), item.type, detail, f"drop {_LIST}, or write {_LIST}: set")
    else:
        _check_keys(schema.list_map_keys, item, path, report)


def _check_keys(names: tuple[str, ...], item: Schema, path: SchemaPath, report: Report) -> None:
    keys = path.child(_KEYS)
    seen: set[str] = set()
    wrong = 0  # each of these errors lists all keys, as in the server
    for name in names:
        key = item.properties.get(name)
        if wrong >= _MOST_WRONG:
            return
        if key is None:
            wrong += 1
            help = f"add {name} to the properties of the items, or name another key"
            report.invalid("VG505", keys, list(names), "entries must all be names of item properties", help)
        elif key.type in ("array", "object"):
            inner = path.child("items").child("properties").key(name).child("type")
            detail = f"must be a scalar type if parent array's {_LIST} is map"
            report.invalid("VG505", inner, item.type, detail, "name another key")
        if name in seen:
            wrong += 1
            report.invalid("VG505", keys, list(names), "must not contain duplicate entries", f"drop the second {name}")
        seen.add(name)


def _check_items(schema: Schema, item: Schema, path: SchemaPath, report: Report) -> None:
    """Forbids null items and missing or null keys, which could not be distinguished."""
    inner = path.child("items")
    if item.nullable:
        detail = f"cannot be nullable when {_LIST} is {schema.list_type}"
        report.forbidden("VG505", inner.child("nullable"), detail, "drop nullable")
    if schema.list_type != "map":
        return
    reason = "this property is in x-kubernetes-list-map-keys, so it"
    required = frozenset(item.required)
    for name in schema.list_map_keys:
        key = item.properties.get(name)
        if key is None:
            continue
        where = inner.child("properties").key(name)
        if name not in required and key.default is None:
            detail = f"{reason} must have a default or be a required property"
            report.required("VG505", where.child("default"), detail, f"add {name} to required of the items")
        if key.nullable:
            report.forbidden("VG505", where.child("nullable"), f"{reason} cannot be nullable", "drop nullable")


_TYPES = ("array", "boolean", "integer", "number", "object", "string")
_META = ("metadata", "kind", "apiVersion")
_IN_MAP = "inside additionalProperties applying to object metadata"


@dataclass(frozen=True, slots=True)
class Context:
    """Facts from the enclosing schemas.

    `no_default` is the reason why a default is not allowed; `in_meta`: the schema is within metadata of an object.
    `scope` is the schema's place for its rules; without one they are not compiled. `expressions` collects them.
    """

    expressions: Expressions
    no_default: str | None = None
    in_meta: bool = False
    root: bool = False
    scope: Scope | None = None

    def inner(self, scope: Scope | None) -> Context:
        """Returns the context for a schema within this one."""
        return Context(self.expressions, self.no_default, self.in_meta, scope=scope)


def check_keywords(schema: Schema, path: SchemaPath, context: Context, report: Report) -> None:
    """Reports all errors of a schema and those inside it, except for violations of the structural form."""
    before = report.errors
    _check_forbidden(schema, path, context, report)
    for part, inner, narrowed in _parts(schema, path, context):
        check_keywords(part, inner, narrowed, report)
    _check_preserving(schema, path, report)
    check_lists(schema, path, report)
    if schema.format and not is_known(schema.type, schema.format):
        help = f"{schema.type or 'it'} has no such format, so nothing is checked: drop it, or write a pattern"
        report.warn("VG502", path.child("format"), f"unrecognized format {go_quote(schema.format)}", help)
    check_rules(schema, path, context.scope, context.expressions, report, clean=report.errors == before)


def _parts(schema: Schema, path: SchemaPath, context: Context) -> Iterator[tuple[Schema, SchemaPath, Context]]:
    """Yields all schemas within one that need checks."""
    scope = context.scope
    goes_past = attrgetter("simple" if context.in_meta or context.no_default is not None else "settled")
    if schema.additional is not None and not goes_past(schema.additional):
        reason = _IN_MAP if context.in_meta else context.no_default
        narrowed = context.inner(scope.values() if scope else None)
        yield schema.additional, path.child("additionalProperties"), replace(narrowed, no_default=reason)
    for name, part in schema.properties.items():
        in_meta = name in _META and (context.root or schema.embedded_resource)
        if part.simple or (goes_past(part) and not in_meta):
            continue
        narrowed = context.inner(scope.child(name) if scope else None)
        if in_meta:
            narrowed = replace(narrowed, in_meta=True)
            if context.root:
                narrowed = replace(narrowed, no_default=f"in top-level {name}")
        yield part, path.child("properties").key(name), narrowed
    alone = context.inner(None)
    if schema.not_ is not None:
        yield schema.not_, path.child("not"), alone
    for keyword, parts in (("allOf", schema.all_of), ("oneOf", schema.one_of), ("anyOf", schema.any_of)):
        yield from ((part, path.child(keyword).index(index), alone) for index, part in enumerate(parts))
    for name, part in schema.definitions.items():
        yield part, path.child("definitions").key(name), alone
    if schema.item is not None and not goes_past(schema.item):
        yield schema.item, path.child("items"), context.inner(scope.items() if scope else None)
    for index, part in enumerate(schema.items.schemas if schema.items else ()):
        yield part, path.child("items").index(index), alone
    for name, found in schema.dependencies.items():
        if isinstance(found, Schema):
            yield found, path.child("dependencies").key(name), alone


def _check_forbidden(schema: Schema, path: SchemaPath, context: Context, report: Report) -> None:
    if schema.type and schema.type not in _TYPES:
        help = "write nullable: true beside another type" if schema.type == "null" else "write one of these types"
        report.not_supported("VG502", path.child("type"), schema.type, _TYPES, help)
    if schema.default is not None and context.no_default is not None:
        detail = f"must not be set {context.no_default}".rstrip()
        report.forbidden("VG506", path.child("default"), detail, "drop the default")
    for found, name, help in _UNSUPPORTED:
        if found(schema):
            report.forbidden("VG502", path.child(name), f"{name} is not supported", help)
    if schema.type == "null":
        detail = "type cannot be set to null, use nullable as an alternative"
        report.forbidden("VG502", path.child("type"), detail, "write nullable: true beside another type")
    if schema.items and schema.items.schemas:
        detail = "items must be a schema object and not an array"
        report.forbidden("VG502", path.child("items"), detail, "write one schema for all items")
    if context.in_meta and schema.embedded_resource:
        inner = path.child("x-kubernetes-embedded-resource")
        report.forbidden("VG510", inner, "must not be used inside of resource meta")
    if schema.unique_items:
        detail = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"
        report.forbidden("VG502", path.child("uniqueItems"), detail, "write x-kubernetes-list-type: set")
    additional = schema.additional_properties
    if additional is not None and schema.properties and (not additional.allows or additional.schema is not None):
        detail = "additionalProperties and properties are mutual exclusive"
        help = "unknown fields are dropped anyway" if not additional.allows else "keep one of the two"
        report.forbidden("VG502", path.child("additionalProperties"), detail, help)


_INLINE = "write the schema out where it is used"
_RULE = "write a rule in x-kubernetes-validations"
_UNSUPPORTED: tuple[tuple[Callable[[Schema], object], str, str], ...] = (
    (lambda schema: schema.id, "id", "drop it"),
    (lambda schema: schema.additional_items, "additionalItems", "say in items what all items are"),
    (lambda schema: schema.pattern_properties, "patternProperties", "write additionalProperties"),
    (lambda schema: schema.definitions, "definitions", _INLINE),
    (lambda schema: schema.dependencies or "dependencies" in schema.empty, "dependencies", _RULE),
    (lambda schema: schema.ref is not None, "$ref", _INLINE),
)


def _check_preserving(schema: Schema, path: SchemaPath, report: Report) -> None:
    if schema.preserve_unknown_fields is False:
        inner = path.child("x-kubernetes-preserve-unknown-fields")
        report.invalid("VG502", inner, False, "must be true or undefined", "drop it: unknown fields are dropped anyway")
