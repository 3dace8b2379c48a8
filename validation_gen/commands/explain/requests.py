"""Traces a server's handling of one object of a definition, step by step, to explain a refusal.

The steps are those of `kubernetes/objects`; the trace adds filled and dropped fields, the parts of rules that do not
hold, and violations that are kept because they are unchanged.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from validation_gen.commands.cel.evaluation import plain
from validation_gen.kubernetes.cel.spelling import Part, explain
from validation_gen.kubernetes.cel.values import EvaluationError
from validation_gen.kubernetes.crd.expressions import Broken, read_values
from validation_gen.kubernetes.objects import Change, Outcome, Scheme
from validation_gen.kubernetes.objects.judging import structure_errors
from validation_gen.kubernetes.objects.kinds import Served
from validation_gen.kubernetes.objects.outcome import find_changes
from validation_gen.runtime.gotext import go_json

_LONGEST = 100


@dataclass(frozen=True, slots=True)
class BrokenRule:
    """A rule that does not hold: its path, its text and message, and the values of its parts."""

    path: str
    rule: str
    message: str
    parts: list[Part]


@dataclass(frozen=True, slots=True)
class RequestTrace:
    """Trace of a request.

    Attributes:
        outcome: the server's answer.
        changes: changes of the object before validation.
        rules: the rules that do not hold, including unreported ones.
        kept: errors that are not reported because the violation is unchanged.
    """

    outcome: Outcome
    changes: list[Change] = field(default_factory=list)
    rules: list[BrokenRule] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)


def trace_request(
    scheme: Scheme, sent: dict[str, Any], old: dict[str, Any] | None, subresource: str = ""
) -> RequestTrace:
    """Traces a create, or an update of an old object. Unknown fields are pruned, and reported.

    Raises:
        UndefinedError, UnjudgedError: as `Scheme.admit`.
    """
    strict = scheme.admit(sent, old, subresource=subresource)
    outcome = strict if strict.judged else scheme.admit(sent, old, subresource=subresource, field_validation="Ignore")
    kind = scheme.find_kind(sent)
    if outcome.judged is None or kind is None:
        return RequestTrace(strict)
    version = kind.versions[str(sent.get("apiVersion")).rpartition("/")[2]]
    new, before = outcome.judged
    broken = [] if version.rules is None else map(_to_broken_rule, version.rules.broken(new, before))
    return RequestTrace(
        strict, find_changes(sent, new), list(broken), _find_ratcheted(version, outcome, new, before is not None)
    )


def _find_ratcheted(version: Served, outcome: Outcome, new: Any, is_update: bool) -> list[str]:
    """Returns the structural errors of an object that the old object also has."""
    if not is_update:
        return []
    reported = set(map(str, outcome.errors))
    return [
        text
        for text in map(str, structure_errors(version.schema, new, None, server=version.server))
        if text not in reported
    ]


def _to_broken_rule(broken: Broken) -> BrokenRule:
    rule, typed = broken.rule, broken.rule.typed
    values = dict(zip(("self", "oldSelf"), read_values(broken), strict=True))
    parts = [] if typed is None else explain(typed, values)
    return BrokenRule(broken.path, rule.rule.rule, rule.rule.message, parts)


# --- in words ---------------------------------------------------------------------------------------------------------


def render_text(story: RequestTrace) -> Iterator[str]:
    """Yields the trace, line by line."""
    outcome = story.outcome
    yield f"{'taken' if outcome.ok else 'refused'} ({outcome.code})"
    if story.changes:
        yield "what the server makes of the object first"
        for change in story.changes:
            yield f"  {change.path}: {change.kind}: {_short(go_json(change.value))}"
    problems = [*outcome.problems, *map(str, outcome.errors)]
    if problems:
        yield "what is wrong"
        yield from (f"  {text}" for text in dict.fromkeys(problems))
    for rule in story.rules:
        yield f"rule at {rule.path or 'the root'}: {rule.rule}"
        yield from (f"  {'  ' * part.depth}{part.text} = {_render_value(part.value)}" for part in rule.parts)
    if outcome.warnings:
        yield "what it warns of"
        yield from (f"  {text}" for text in outcome.warnings)
    if story.kept:
        yield "unchanged errors, which may stay"
        yield from (f"  {text}" for text in story.kept)


def to_document(story: RequestTrace) -> dict[str, Any]:
    """Returns the trace as data for programs."""
    outcome = story.outcome
    return {
        "ok": outcome.ok,
        "code": outcome.code,
        "changes": [{"path": each.path, "reason": each.kind, "value": each.value} for each in story.changes],
        "errors": [*outcome.problems, *map(str, outcome.errors)],
        "warnings": outcome.warnings,
        "kept": story.kept,
        "rules": [
            {
                "path": rule.path,
                "rule": rule.rule,
                "message": rule.message,
                "parts": [{"depth": each.depth, "text": each.text, **_value(each.value)} for each in rule.parts],
            }
            for rule in story.rules
        ],
    }


def _value(value: Any) -> dict[str, Any]:
    return {"error": value.message} if isinstance(value, EvaluationError) else {"value": plain(value)}


def _render_value(value: Any) -> str:
    if isinstance(value, EvaluationError):
        return f"error: {value.message}"
    return _short(json.dumps(plain(value), ensure_ascii=False, default=str))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
