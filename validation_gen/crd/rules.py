"""Rules in `x-kubernetes-validations`: what can be said of them without their expressions, and whom to ask for those.

The walk through a schema keeps a `RuleScope`, which is what an expression cannot see for itself: how often its value
can be there, and whether the value has an old one to be compared with.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from validation_gen.crd.fieldpath import FieldPathError, resolve
from validation_gen.crd.place import Place
from validation_gen.crd.report import Report
from validation_gen.crd.schema import Rule, Schema
from validation_gen.crd.unsupported import unsupported
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.gotext import go_quote

_REASONS = ("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired")
_LINE_BREAK = re.compile(r"[\n\r]")


@dataclass(frozen=True, slots=True)
class RuleScope:
    """Where the rules of a schema run.

    `cardinality` is how many values there can be in one object, `None` without a limit. `uncorrelated` is the first
    schema on the way whose values cannot be found again in the old object. `root` tells whole objects, which have
    metadata, from parts.
    """

    root: bool = True
    cardinality: int | None = 1
    uncorrelated: Place | None = None

    def child(self, schema: Schema, part: Schema, place: Place, step: str | int) -> RuleScope:
        """The scope of a part of a schema: of a property, of the values of a map (`*`), of items (0)."""
        many = _max_elements(schema)
        cardinality = None if many is None or self.cardinality is None else self.cardinality * many
        uncorrelated = self.uncorrelated
        if uncorrelated is None:
            uncorrelated = place if step == 0 and schema.list_type != "map" else None
        return RuleScope(part.embedded_resource, cardinality, uncorrelated)


def _max_elements(schema: Schema) -> int | None:
    if schema.type == "object" and schema.additional_properties is not None:
        limit = schema.max_properties
    elif schema.type == "array":
        limit = schema.max_items
    else:
        return 1
    return None if limit is None else max(limit, 0)


def check_rules(schema: Schema, place: Place, scope: RuleScope | None, report: Report, *, clean: bool) -> None:
    """The rules of one schema. Expressions are compiled if nothing else is wrong with the schema (`clean`)."""
    if not schema.validations:
        return
    before = report.errors
    inner = place.child("x-kubernetes-validations")
    for index, rule in enumerate(schema.validations):
        _check_texts(rule, inner.index(index), report)
        if rule.field_path:
            _check_path(rule.field_path, schema, inner.index(index).child("fieldPath"), report)
    if scope is not None and clean and report.errors == before:
        _compile(schema, inner, scope, report)


def _compile(schema: Schema, place: Place, scope: RuleScope, report: Report) -> None:
    """Types, costs and the use of `oldSelf` in the expressions."""


def _check_texts(rule: Rule, place: Place, report: Report) -> None:
    message = rule.message.strip()
    where = place.child("message")
    if not rule.rule.strip():
        report.required("VG508", place.child("rule"), "rule is not specified", "write an expression, such as self > 0")
    elif rule.message and not message:
        report.invalid("VG508", where, rule.message, "must be non-empty if specified", "write a sentence, or drop it")
    elif _LINE_BREAK.search(message):
        report.invalid("VG508", where, rule.message, "must not contain line breaks", "write it in one line")
    elif _LINE_BREAK.search(rule.rule.strip()) and not message:
        detail = "message must be specified if rule contains line breaks"
        report.required("VG508", where, detail, "add a message: otherwise the rule is shown")
    if rule.message_expression and not rule.message_expression.strip():
        detail = "messageExpression must be non-empty if specified"
        report.required("VG508", place.child("messageExpression"), detail, "write an expression, or drop it")
    if rule.reason is not None and rule.reason not in _REASONS:
        detail = f"supported values: {', '.join(map(go_quote, _REASONS))}"
        error = FieldError(ErrorType.NOT_SUPPORTED, rule.reason, detail, json_string=True)
        report.add("VG508", place.child("reason"), error)


def _check_path(path: str, schema: Schema, place: Place, report: Report) -> None:
    help = "write the path of a property below this schema, such as .spec.name"
    if not path.strip():
        report.invalid("VG508", place, path, "must be non-empty if specified", help)
    if _LINE_BREAK.search(path):
        report.invalid("VG508", place, path, "must not contain line breaks", help)
    if unsupported(schema) is None:
        try:
            resolve(path, schema)
        except FieldPathError:
            report.invalid("VG508", place, path, "must be a valid path", help)
