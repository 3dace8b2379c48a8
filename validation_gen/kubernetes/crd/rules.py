"""Checks rules in `x-kubernetes-validations`: their texts, their paths, and with `cel` their expressions."""

from __future__ import annotations

import re

from validation_gen.kubernetes.cel import Estimate, Problem, Scope, compile_entry
from validation_gen.kubernetes.cel import Rule as JudgedRule
from validation_gen.kubernetes.cel.program import NO_TYPE
from validation_gen.kubernetes.crd.report import STRUCTURE, Report
from validation_gen.kubernetes.crd.schema import Rule, Schema
from validation_gen.kubernetes.crd.schema_path import FieldPathError, SchemaPath, resolve
from validation_gen.kubernetes.crd.structural import find_unsupported
from validation_gen.runtime import texts
from validation_gen.runtime.errors import ErrorType, FieldError

_REASONS = ("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired")
_LINE_BREAK = re.compile(r"[\n\r]")
_KEYWORD = "x-kubernetes-validations"
_UNMATCHED = "make it a list with x-kubernetes-list-type: map, or compare the lists as wholes"
_CHEAPER = "bound lists, maps and strings with maxItems, maxProperties and maxLength, or make the rule simpler"


class Expressions:
    """Collects the expressions of one schema, whose total cost the server also limits."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._judged: list[tuple[SchemaPath, JudgedRule]] = []

    def judge(self, schema: Schema, path: SchemaPath, scope: Scope) -> None:
        """Checks the expressions of the rules of one schema."""
        for index, entry in enumerate(scope.schema[_KEYWORD]):
            rule = compile_entry(entry or {}, scope, index)
            if rule.rule.error == NO_TYPE:
                error = FieldError(ErrorType.INTERNAL, "", NO_TYPE)
                self._report.add("VG508", path, error, "give the schema a type", expression=True)
                return
            self._judged.append((path.index(index), rule))
            for problem in rule.problems():
                name = problem.path.rpartition(".")[2]
                value = _value(name, problem, schema.validations[index])
                self._add(path.index(index).child(name), problem, value)

    def judge_total(self, path: SchemaPath) -> None:
        """Checks the total cost, once all expressions have been collected."""
        places = {
            f"{inner}.{name}": inner.child(name) for inner, _ in self._judged for name in ("rule", "messageExpression")
        }
        estimate = Estimate(str(path), tuple(rule for _, rule in self._judged))
        for problem in estimate.total_problems():
            self._add(places.get(problem.path, path), problem, STRUCTURE)

    def _add(self, path: SchemaPath, problem: Problem, value: object) -> None:
        error = FieldError(ErrorType.FORBIDDEN if problem.forbidden else ErrorType.INVALID, value, problem.detail)
        help = _CHEAPER if problem.forbidden else _UNMATCHED if "uncorrelatable" in problem.detail else ""
        self._report.add("VG508", path, error, help, expression=True)


def _value(name: str, problem: Problem, rule: Rule) -> object:
    """Returns the value in the error: usually the rule text."""
    if name == "optionalOldSelf":
        return rule.optional_old_self
    return rule.rule if problem.detail.startswith("oldSelf cannot be used") else STRUCTURE


def check_rules(
    schema: Schema, path: SchemaPath, scope: Scope | None, expressions: Expressions, report: Report, *, clean: bool
) -> None:
    """Checks the rules of one schema, and their expressions if the schema has no other error (`clean`)."""
    if not schema.validations:
        return
    before = report.errors
    inner = path.child(_KEYWORD)
    for index, rule in enumerate(schema.validations):
        _check_texts(rule, inner.index(index), report)
        if rule.field_path:
            _check_path(rule.field_path, schema, inner.index(index).child("fieldPath"), report)
    if scope is not None and clean and report.errors == before:
        expressions.judge(schema, inner, scope)


def _check_texts(rule: Rule, path: SchemaPath, report: Report) -> None:
    message = rule.message.strip()
    where = path.child("message")
    if not rule.rule.strip():
        report.required("VG508", path.child("rule"), "rule is not specified", "write an expression, such as self > 0")
    elif rule.message and not message:
        report.invalid("VG508", where, rule.message, "must be non-empty if specified", "write a sentence, or drop it")
    elif _LINE_BREAK.search(message):
        report.invalid("VG508", where, rule.message, "must not contain line breaks", "write it in one line")
    elif _LINE_BREAK.search(rule.rule.strip()) and not message:
        detail = "message must be specified if rule contains line breaks"
        report.required("VG508", where, detail, "add a message: otherwise the rule is shown")
    if rule.message_expression and not rule.message_expression.strip():
        detail = "messageExpression must be non-empty if specified"
        report.required("VG508", path.child("messageExpression"), detail, "write an expression, or drop it")
    if rule.reason is not None and rule.reason not in _REASONS:
        error = FieldError(ErrorType.NOT_SUPPORTED, rule.reason, texts.supported(_REASONS), json_string=True)
        report.add("VG508", path.child("reason"), error, "write one of these, or drop it")


def _check_path(path: str, schema: Schema, at: SchemaPath, report: Report) -> None:
    help = "write the path of a property below this schema, such as .spec.name"
    if not path.strip():
        report.invalid("VG508", at, path, "must be non-empty if specified", help)
    if _LINE_BREAK.search(path):
        report.invalid("VG508", at, path, "must not contain line breaks", help)
    if find_unsupported(schema) is None:
        try:
            resolve(path, schema)
        except FieldPathError:
            report.invalid("VG508", at, path, "must be a valid path", help)
