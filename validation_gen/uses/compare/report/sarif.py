"""Renders results as SARIF 2.1.0, for code hosts and editors: a rule for each cause, a result for each group.

Source positions of results are import paths; only the caller can map them to files.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath

from validation_gen.diagnostics import Span
from validation_gen.diagnostics.formats.sariflog import (
    Json,
    Log,
    SarifRule,
    notification,
    sarif_invocation,
    sarif_location,
    sarif_result,
    text,
)
from validation_gen.uses.compare.answers import and_more
from validation_gen.uses.compare.groups import Group
from validation_gen.uses.compare.report.findings import finding, fingerprint, headline
from validation_gen.uses.compare.report.reasons import REASONS, reason, slug
from validation_gen.uses.compare.report.wording import number
from validation_gen.uses.compare.results import Results

#: Maps a source position to a file, line and column; `None` if it is no file of the user.
Locate = Callable[[str, str], tuple[str | PurePath, int, int] | None]


def log(results: Results, locate: Locate) -> Log:
    """Returns the contents of a SARIF log.

    Args:
        results: the results.
        locate: finds the file of a source position. Relative names become relative URIs, as code hosts need them.
    """
    groups = [*results.unexpected(), *results.expected()]
    causes = {slug(group.sort.cause): group.sort.cause for group in groups}
    causes |= {slug(cause.value): cause.value for cause in REASONS}
    index = {id: place for place, id in enumerate(sorted(causes))}
    return Log(
        [_rule(id, causes[id]) for id in index],
        [_result(group, index, locate) for group in groups],
        _invocation(results),
        {
            "automationDetails": {"id": "validation-gen/compare/"},
            "properties": {"totals": results.as_json()["totals"], "about": _strings(results.about)},
        },
    )


def _rule(id: str, cause: str) -> SarifRule:
    why, name = reason(cause), "".join(word.capitalize() for word in id.split("-"))
    told = cause or id
    return SarifRule(id, name, told, why.means or told, text(why.help or told))


def _invocation(results: Results) -> Json:
    notes = [notification("warning", note) for note in results.notes]
    if results.interrupted:
        interrupted = "The run was interrupted: the results are those of a part of the input."
        notes.append(notification("warning", interrupted))
    return sarif_invocation(not results.interrupted, notes)


def _result(group: Group, index: dict[str, int], locate: Locate) -> Json:
    sort, example = group.sort, group.example
    why = example.text or example.message or reason(sort.cause).means or sort.cause
    origin = f" ({sort.origin})" if sort.origin else ""
    what = f"{number(group.count)} {headline(group)}: {sort.kind}, {sort.operation}, {sort.path}: {sort.type}{origin}."
    result = sarif_result(
        slug(sort.cause),
        index,
        "note" if group.expected else "error",
        f"{text(why)} {text(what)}",
        [_location(group, locate)],
        {"mismatch/v1": fingerprint(group)},
    )
    result["occurrenceCount"] = group.count
    if group.expected:
        justification = text(group.expected)
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": justification}]
    it, more = finding(group), example.more
    result["properties"] = {
        "tag": text(sort.tag),
        "place": text(example.place),
        "handwritten": [*(text(answer.message) for answer in it.handwritten), *and_more(more.get("handwritten", 0))],
        "declarative": [*(text(answer.message) for answer in it.declarative), *and_more(more.get("declarative", 0))],
    }
    return result


def _location(group: Group, locate: Locate) -> Json:
    """Returns the tag on disk, if it is the user's, and the field of the kind in any case."""
    sort = group.sort
    found = locate(sort.source, sort.tag) if sort.source else None
    span = Span(str(found[0]), found[1], found[2]) if found else None
    return sarif_location(span, f"{sort.kind}: {sort.path}", "member")


def _strings(about: dict[str, str]) -> dict[str, str]:
    return {text(name): text(value) for name, value in about.items()}
