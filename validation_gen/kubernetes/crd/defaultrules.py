"""Rules on defaults. A server runs them, and refuses the definition where one does not compile or fails.

Follows `NewValidator` and `Validate` in `pkg/apiserver/schema/cel`, and `validate` in `pkg/apiserver/schema/defaulting`
of `k8s.io/apiextensions-apiserver`. Rules are compiled with the functions that a stored rule may use.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from validation_gen.kubernetes.cel import Scope, compile_rule
from validation_gen.kubernetes.crd.expressions import rules_of
from validation_gen.kubernetes.crd.place import Place
from validation_gen.kubernetes.crd.report import Report
from validation_gen.kubernetes.crd.schema import Schema
from validation_gen.runtime.errors import ErrorType, FieldError

_KEYWORD = "x-kubernetes-validations"
_HELP = "correct the rule: a server runs it on the default when the definition is created"
_BROKEN = "write a default that the rule takes: a server runs it when the definition is created"


@dataclass(frozen=True, slots=True)
class _Met:
    """A part of a default, and its schema, which has rules here or below."""

    value: Any
    scope: Scope
    path: str = ""
    keys: tuple[str | int, ...] = ()

    def part(self, value: Any, scope: Scope, path: str, key: str | int) -> _Met:
        return _Met(value, scope, self.path + path, (*self.keys, key))


def check_rules_of_default(default: Any, schema: Schema, scope: Scope, place: Place, report: Report) -> None:
    """Reports the rules that do not compile, each at its part of the default, or else those that fail."""
    if not (default and isinstance(default, dict | list)) and not schema.validations and not schema.all_of:
        return  # no rule applies to it
    before = report.errors
    _check_compiling(default, scope, place, report)
    if report.errors > before or (rules := rules_of(schema, scope, [default])) is None:
        return
    # Runs the rules as for an update without changes, and then as for a create, for rules with an optional old value.
    errors = rules.check(default, default).errors or rules.check(default).errors
    for error in errors:
        told = FieldError(error.type, error.bad_value, error.detail)
        report.add("VG508", Place(f"{place}{_path(error)}", *place.keys), told, _BROKEN)


def _path(error: FieldError) -> str:
    """Returns the path of an error within a default."""
    return "".join(reversed(error.segments))


def _check_compiling(default: Any, scope: Scope, place: Place, report: Report) -> None:
    for met in _met(default, scope):
        if met.scope.declared is None:
            detail = "rule compiler initialization error: failed to convert to declType for CEL validation rules"
            _add(met, detail, place, report)
            continue
        for rule in met.scope.schema[_KEYWORD]:
            text = (rule or {}).get("rule") or ""
            optional = (rule or {}).get("optionalOldSelf")
            if text.strip() and (error := compile_rule(text, met.scope, optional_old_self=optional).error):
                _add(met, f"rule compile error: {error}", place, report)


def _add(met: _Met, detail: str, place: Place, report: Report) -> None:
    where = Place(f"{place}{met.path}", *place.keys)
    error = FieldError(ErrorType.INVALID, met.scope.schema.get("type") or "", detail)
    report.add("VG508", where, error, _HELP, keys=met.keys)


def _met(default: Any, scope: Scope) -> Iterator[_Met]:
    yield from _below(_Met(default, scope))


def _below(met: _Met) -> Iterator[_Met]:
    """Yields all parts whose own schemas have rules."""
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
