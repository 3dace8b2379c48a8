"""Checks defaults: they are valid for their schema and its rules, and contain nothing that the server would drop.

Only defaults of a structural schema can be checked. Rules are compiled with the functions that a stored rule may use.

Sources of the behaviour: `pkg/apiserver/schema/defaulting/validation.go`, and `NewValidator` and `Validate` in
`pkg/apiserver/schema/cel` of `k8s.io/apiextensions-apiserver`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from validation_gen.kubernetes.cel import NEWEST, Scope, compile_rule
from validation_gen.kubernetes.crd.expressions import compile_rules
from validation_gen.kubernetes.crd.pruning import META_FIELDS, prune_value
from validation_gen.kubernetes.crd.report import Report
from validation_gen.kubernetes.crd.resource import CoercionError, check_embedded, coerce
from validation_gen.kubernetes.crd.schema import JsonObject, Schema
from validation_gen.kubernetes.crd.schema_path import SchemaPath, as_decoded
from validation_gen.kubernetes.crd.values import DEFAULT, judge
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.wire import identical

_KEYWORD = "x-kubernetes-validations"
_HELP = "correct the rule: a server runs it on the default when the definition is created"
_BROKEN = "write a default that the rule takes: a server runs it when the definition is created"


@dataclass(frozen=True, slots=True)
class _Met:
    """A part of a default value, with its schema, where the schema or a child of it has rules."""

    value: Any
    scope: Scope
    path: str = ""
    keys: tuple[str | int, ...] = ()

    def part(self, value: Any, scope: Scope, path: str, key: str | int) -> _Met:
        return _Met(value, scope, self.path + path, (*self.keys, key))


def check_rules_of_default(default: Any, schema: Schema, scope: Scope, path: SchemaPath, report: Report) -> None:
    """Reports the rules that do not compile, each at its part of the default, or else those that fail."""
    if not (default and isinstance(default, dict | list)) and not schema.validations and not schema.all_of:
        return  # no rule applies to it
    before = report.errors
    _check_compiling(default, scope, path, report)
    if report.errors > before or (rules := compile_rules(schema, scope, [default])) is None:
        return
    # Runs the rules as for an update without changes, and then as for a create, for rules with an optional old value.
    errors = rules.check(default, default).errors or rules.check(default).errors
    for error in errors:
        text = FieldError(error.type, error.bad_value, error.detail)
        report.add("VG508", SchemaPath(f"{path}{''.join(reversed(error.segments))}", *path.keys), text, _BROKEN)


def _check_compiling(default: Any, scope: Scope, path: SchemaPath, report: Report) -> None:
    for met in _below(_Met(default, scope)):
        if met.scope.declared is None:
            detail = "rule compiler initialization error: failed to convert to declType for CEL validation rules"
            _add(met, detail, path, report)
            continue
        for rule in met.scope.schema[_KEYWORD]:
            text = (rule or {}).get("rule") or ""
            optional = (rule or {}).get("optionalOldSelf")
            if text.strip() and (error := compile_rule(text, met.scope, optional_old_self=optional).error):
                _add(met, f"rule compile error: {error}", path, report)


def _add(met: _Met, detail: str, path: SchemaPath, report: Report) -> None:
    where = SchemaPath(f"{path}{met.path}", *path.keys)
    error = FieldError(ErrorType.INVALID, met.scope.schema.get("type") or "", detail)
    report.add("VG508", where, error, _HELP, keys=met.keys)


def _below(met: _Met) -> Iterator[_Met]:
    """Yields the value and all its parts whose own schemas have rules."""
    if met.value is None:
        return
    if met.scope.schema.get(_KEYWORD):
        yield met
    for part in _parts(met):
        yield from _below(part)


def _parts(met: _Met) -> Iterator[_Met]:
    scope = met.scope
    schema = scope.schema
    if isinstance(met.value, list) and isinstance(schema.get("items"), Mapping):
        yield from (met.part(item, scope.items(), f"[{index}]", index) for index, item in enumerate(met.value))
    if not isinstance(met.value, dict):
        return
    properties = schema.get("properties") or {}
    for name, item in met.value.items():
        if isinstance(properties.get(name), Mapping):
            if (inner := scope.child(name)).declared is not None:  # a server skips parts without a known type
                yield met.part(item, inner, f".{name}", name)
        elif isinstance(schema.get("additionalProperties"), Mapping):
            yield met.part(item, scope.values(), f"[{name}]", name)


_ITEM = 0
_OBJECT = "the value is an object of Kubernetes: it has apiVersion, kind and metadata"


@dataclass(frozen=True, slots=True)
class _Around:
    """The object that contains a default: its schema, the path to the default, and whether it is in metadata."""

    schema: Schema
    steps: tuple[str | int, ...] = ()
    in_meta: bool = False
    minor: int = NEWEST

    def step(self, step: str | int, *, in_meta: bool = False) -> _Around:
        return replace(self, steps=(*self.steps, step), in_meta=self.in_meta or in_meta)

    def object(self, default: Any) -> dict[str, Any]:
        """Returns an object with only the default."""
        value = default
        for step in reversed(self.steps):
            value = [value] if step == _ITEM else {step: value}
        return {"kind": "Validation", "apiVersion": "validation/v1", **value}


def check_defaults(schema: Schema, raw: JsonObject, path: SchemaPath, report: Report, minor: int = NEWEST) -> None:
    """Checks all defaults in the schema of a resource, written as `raw`.

    `minor` is the release of the functions in rules.
    """
    _check(schema, raw, _Around(schema, minor=minor), path, report, root=True)


def _check(
    schema: Schema, raw: JsonObject, around: _Around, path: SchemaPath, report: Report, *, root: bool = False
) -> None:
    resource = root or schema.embedded_resource
    if schema.embedded_resource:
        around = _Around(schema, minor=around.minor)
    if schema.default is not None:
        default = as_decoded(schema.default.value)
        where = path.child("default")
        before = report.errors
        if around.in_meta:
            _check_in_metadata(default, schema, around, where, report)
        else:
            default = _check_default(default, schema, where, report, resource=resource)
        if report.errors == before:
            scope = Scope(raw, minor=around.minor, stored=True, resource=resource)
            check_rules_of_default(default, schema, scope, where, report)
    if schema.item is not None and not (schema.item.simple if around.in_meta else schema.item.settled):
        _check(schema.item, raw["items"], around.step(_ITEM), path.child("items"), report)
    for name, part in schema.properties.items():
        in_meta = name in META_FIELDS and resource
        if part.simple or (part.settled and not in_meta and not around.in_meta):
            continue
        inner = path.child("properties").key(name)
        around_it = around.step(name, in_meta=in_meta)
        _check(part, raw["properties"][name] or {}, around_it, inner, report)


def _check_default(default: Any, schema: Schema, path: SchemaPath, report: Report, *, resource: bool) -> Any:
    """Checks that a default survives pruning and coercion, and returns the coerced default."""
    if not identical(prune_value(default, schema, resource=resource), default):
        help = "drop what the schema does not have, or add it to the schema"
        report.invalid("VG506", path, default, "must not have unknown fields", help)
    try:
        default = coerce(default, schema, resource=resource)
    except CoercionError as problem:
        report.add("VG506", path, problem.error, _OBJECT)
        return default
    errors = list(check_embedded(default, schema, resource=resource))
    for error in errors:
        report.add("VG506", path, error, _OBJECT)
    if not errors:
        _judge(default, schema, path, report)
    return default


def _check_in_metadata(default: Any, schema: Schema, around: _Around, path: SchemaPath, report: Report) -> None:
    """Checks a default within metadata as part of an object's metadata."""
    try:
        obj = coerce(around.object(default), around.schema, resource=True)
        problems = [str(error) for error in check_embedded(obj, around.schema, resource=True)]
    except CoercionError as problem:
        problems = [str(problem.error)]
    if problems:
        unique = list(dict.fromkeys(problems))
        shown = unique[0] if len(unique) == 1 else f"[{', '.join(unique)}]"
        report.invalid("VG506", path, default, f"must result in valid metadata: {shown}", _OBJECT)
    else:
        _judge(default, schema, path, report)


def _judge(default: Any, schema: Schema, path: SchemaPath, report: Report) -> None:
    for violation in judge(schema, default, DEFAULT):
        report.add(
            "VG506",
            path,
            violation.error(report.minor + 1),
            "change the default or the schema",
            keys=violation.where.keys,
        )
