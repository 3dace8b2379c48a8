"""Keywords that Kubernetes forbids, alone or together, anywhere in a schema.

Follows `ValidateCustomResourceDefinitionOpenAPISchema` in `pkg/apis/apiextensions/validation` of
`k8s.io/apiextensions-apiserver`. The walk goes everywhere, below `allOf` and the like too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from operator import attrgetter

from validation_gen.kubernetes.cel import Scope
from validation_gen.kubernetes.crd.lists import check_lists
from validation_gen.kubernetes.crd.place import Place
from validation_gen.kubernetes.crd.report import Report
from validation_gen.kubernetes.crd.rules import Expressions, check_rules
from validation_gen.kubernetes.crd.schema import Schema
from validation_gen.kubernetes.formats.valueformats import is_known
from validation_gen.runtime.gotext import go_quote

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


def check_keywords(schema: Schema, place: Place, context: Context, report: Report) -> None:
    """Reports all errors of a schema and those inside it, except for violations of the structural form."""
    before = report.errors
    _check_forbidden(schema, place, context, report)
    for part, inner, narrowed in _parts(schema, place, context):
        check_keywords(part, inner, narrowed, report)
    _check_preserving(schema, place, report)
    check_lists(schema, place, report)
    if schema.format and not is_known(schema.type, schema.format):
        help = f"{schema.type or 'it'} has no such format, so nothing is checked: drop it, or write a pattern"
        report.warn("VG502", place.child("format"), f"unrecognized format {go_quote(schema.format)}", help)
    check_rules(schema, place, context.scope, context.expressions, report, clean=report.errors == before)


def _parts(schema: Schema, place: Place, context: Context) -> Iterator[tuple[Schema, Place, Context]]:
    """Yields all schemas within one that need checks."""
    scope = context.scope
    goes_past = attrgetter("simple" if context.in_meta or context.no_default is not None else "settled")
    if schema.additional is not None and not goes_past(schema.additional):
        reason = _IN_MAP if context.in_meta else context.no_default
        narrowed = context.inner(scope.values() if scope else None)
        yield schema.additional, place.child("additionalProperties"), replace(narrowed, no_default=reason)
    for name, part in schema.properties.items():
        in_meta = name in _META and (context.root or schema.embedded_resource)
        if part.simple or (goes_past(part) and not in_meta):
            continue
        narrowed = context.inner(scope.child(name) if scope else None)
        if in_meta:
            narrowed = replace(narrowed, in_meta=True)
            if context.root:
                narrowed = replace(narrowed, no_default=f"in top-level {name}")
        yield part, place.child("properties").key(name), narrowed
    alone = context.inner(None)
    if schema.not_ is not None:
        yield schema.not_, place.child("not"), alone
    for keyword, parts in (("allOf", schema.all_of), ("oneOf", schema.one_of), ("anyOf", schema.any_of)):
        yield from ((part, place.child(keyword).index(index), alone) for index, part in enumerate(parts))
    for name, part in schema.definitions.items():
        yield part, place.child("definitions").key(name), alone
    if schema.item is not None and not goes_past(schema.item):
        yield schema.item, place.child("items"), context.inner(scope.items() if scope else None)
    for index, part in enumerate(schema.items.schemas if schema.items else ()):
        yield part, place.child("items").index(index), alone
    for name, found in schema.dependencies.items():
        if isinstance(found, Schema):
            yield found, place.child("dependencies").key(name), alone


def _check_forbidden(schema: Schema, place: Place, context: Context, report: Report) -> None:
    if schema.type and schema.type not in _TYPES:
        help = "write nullable: true beside another type" if schema.type == "null" else "write one of these types"
        report.not_supported("VG502", place.child("type"), schema.type, _TYPES, help)
    if schema.default is not None and context.no_default is not None:
        detail = f"must not be set {context.no_default}".rstrip()
        report.forbidden("VG506", place.child("default"), detail, "drop the default")
    for found, name, help in _UNSUPPORTED:
        if found(schema):
            report.forbidden("VG502", place.child(name), f"{name} is not supported", help)
    if schema.type == "null":
        detail = "type cannot be set to null, use nullable as an alternative"
        report.forbidden("VG502", place.child("type"), detail, "write nullable: true beside another type")
    if schema.items and schema.items.schemas:
        detail = "items must be a schema object and not an array"
        report.forbidden("VG502", place.child("items"), detail, "write one schema for all items")
    if context.in_meta and schema.embedded_resource:
        inner = place.child("x-kubernetes-embedded-resource")
        report.forbidden("VG510", inner, "must not be used inside of resource meta")
    if schema.unique_items:
        detail = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"
        report.forbidden("VG502", place.child("uniqueItems"), detail, "write x-kubernetes-list-type: set")
    additional = schema.additional_properties
    if additional is not None and schema.properties and (not additional.allows or additional.schema is not None):
        detail = "additionalProperties and properties are mutual exclusive"
        help = "unknown fields are dropped anyway" if not additional.allows else "keep one of the two"
        report.forbidden("VG502", place.child("additionalProperties"), detail, help)


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


def _check_preserving(schema: Schema, place: Place, report: Report) -> None:
    if schema.preserve_unknown_fields is False:
        inner = place.child("x-kubernetes-preserve-unknown-fields")
        report.invalid("VG502", inner, False, "must be true or undefined", "drop it: unknown fields are dropped anyway")
