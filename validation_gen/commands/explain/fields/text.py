"""Renders the description of a field as text for terminals."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from validation_gen.commands.explain.article import wrap
from validation_gen.commands.explain.fields.account import FieldAccount, InSchema, RuleAccount
from validation_gen.diagnostics.formats import Styler, one_line
from validation_gen.diagnostics.visible import visible

_LAYOUT = "\n"

_INDENT = "     "


def field_text(account: FieldAccount, style: Styler, width: int) -> str:
    """Renders everything about a field, in lines of at most `width` cells where they can be broken."""
    return "".join(f"{line}\n" for line in _lines(account, style, width))


def _lines(account: FieldAccount, style: Styler, width: int) -> Iterator[str]:
    yield f"{style('strong', one_line(account.name))}: {one_line(account.type)}"
    yield f"  package {one_line(account.package)}, declared at {one_line(account.declared)}"
    if account.requests:
        yield f"  validated for the requests {one_line(', '.join(account.requests))}"
    for note in account.notes:
        yield from (f"  {line}" for line in wrap(note, width - 2))
    if account.above:
        yield from ("", style("help", "Looked at only if these, further up, do not stop"))
        for rule in account.above:
            yield f"  {one_line(rule.tag)}  at {one_line(rule.at)}  {one_line(rule.source)}"
    yield from ("", style("help", "Rules, in the order in which they run"))
    if not account.rules:
        yield "  (none)"
    for number, rule in enumerate(account.rules, 1):
        yield from _rule(number, rule, style, width)
    if account.inside:
        yield from ("", style("help", "Rules of its fields"))
        width_of = max(len(one_line(rule.path)) for rule in account.inside)
        for each in account.inside:
            yield f"  {one_line(each.path):{width_of}}  {one_line(each.tag)}  {one_line(each.source)}".rstrip()
    if account.around:
        yield from ("", style("help", "Rules around it that look at whether it is set"))
        for number, rule in enumerate(account.around, 1):
            yield from _rule(number, rule, style, width)
    if account.differences:
        yield from ("", style("help", "Differences between schemas and validators"))
    for name, text in account.differences.items():
        yield from (f"  {line}" for line in wrap(f"{name}: {text}", width - 2))


def _rule(number: int, rule: RuleAccount, style: Styler, width: int) -> Iterator[str]:
    yield f"{number:3}. {style('strong', one_line(rule.tag))}"
    for line in _render_rule(rule):
        yield from (f"{_INDENT}{part}" for part in wrap(line, width - len(_INDENT)))
    for schema in rule.schemas:
        yield from _schema(schema, width)


def _render_rule(rule: RuleAccount) -> Iterator[str]:
    if rule.meaning:
        yield rule.meaning
    origin = f"{one_line(rule.at)}, {one_line(rule.on)}," if rule.via else one_line(rule.on)
    yield f"from {origin} at {one_line(rule.source)}"
    for condition in rule.conditions:
        yield one_line(condition)
    if rule.errors:
        yield f"gives {one_line(', '.join(rule.errors))}"
    if rule.stops:
        yield f"stops {rule.stops}"
    if rule.stopped_by:
        tags = ("its own guard" if tag == rule.tag else one_line(tag) for tag in rule.stopped_by)
        yield f"stopped by {', '.join(tags)}"


def _schema(schema: InSchema, width: int) -> Iterator[str]:
    names = f" ({', '.join(schema.differences)})" if schema.differences else ""
    yield f"{_INDENT}{schema.manner} schema: {schema.verdict}{names}"
    for message in schema.said:
        yield from (f"{_INDENT}  {line}" for line in _keywords(message.path, message.keywords))
    for reason in schema.reasons:
        yield from (f"{_INDENT}  {line}" for line in wrap(reason, width - len(_INDENT) - 2))


def _keywords(path: str, keywords: Mapping[str, Any]) -> Iterator[str]:
    """Yields keywords on one line each; a rule in CEL as it is written."""
    at = f"{one_line(path) or '(the object)'}: "
    for keyword, value in keywords.items():
        if keyword != "x-kubernetes-validations":
            yield f"{at}{keyword}: {json.dumps(value)}"
            continue
        for rule in value:
            yield f"{at}{visible(rule['rule'], keep=_LAYOUT)}"
