"""Results as SARIF 2.1.0, for code hosts and editors: a rule a cause, a result a group of mismatches.

Source positions of results are import paths; only the caller knows the files that they stand for.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from validation_gen.compare.report.findings import finding, fingerprint, headline
from validation_gen.compare.report.reasons import REASONS, reason, slug
from validation_gen.compare.report.wording import number, short, visible
from validation_gen.compare.results import Group, Results

#: Says which file, line and column a source position means, `None` if no file of the user's is meant.
Locate = Callable[[str], tuple[str | PurePath, int, int] | None]

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LONGEST = 1000


def render_sarif(results: Results, locate: Locate) -> str:
    """The results as a SARIF log.

    Args:
        results: what was found.
        locate: finds the file of a source position. Relative names become relative URIs, as code hosts want them.
    """
    groups = [*results.unexpected(), *results.expected()]
    causes = {slug(group.sort.cause): group.sort.cause for group in groups}
    causes |= {slug(cause.value): cause.value for cause in REASONS}
    index = {id: place for place, id in enumerate(sorted(causes))}
    driver = {"name": "validation-gen", "rules": [_rule(id, causes[id]) for id in index]}
    if found := _version():
        driver["version"] = found
    run: dict[str, Any] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "automationDetails": {"id": "validation-gen/compare/"},
        "invocations": [_invocation(results)],
        "results": [_result(group, index[slug(group.sort.cause)], locate) for group in groups],
        "properties": {"totals": results.as_json()["totals"], "about": _strings(results.about)},
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(id: str, cause: str) -> dict[str, Any]:
    why, text = reason(cause), _text(cause) or id
    return {
        "id": id,
        "name": "".join(word.capitalize() for word in id.split("-")),
        "shortDescription": {"text": text},
        "fullDescription": {"text": why.means or text},
        "help": {"text": why.help or text},
        "defaultConfiguration": {"level": "error"},
    }


def _invocation(results: Results) -> dict[str, Any]:
    notes = [{"level": "warning", "message": {"text": _text(note)}} for note in results.notes]
    if results.interrupted:
        text = "The run was interrupted: the results are those of a part of the input."
        notes.append({"level": "warning", "message": {"text": text}})
    successful = {"executionSuccessful": not results.interrupted}
    return {**successful, "toolExecutionNotifications": notes} if notes else successful


def _result(group: Group, index: int, locate: Locate) -> dict[str, Any]:
    sort, example = group.sort, group.example
    text = example.text or example.message or reason(sort.cause).means or sort.cause
    origin = f" ({sort.origin})" if sort.origin else ""
    what = f"{number(group.count)} {headline(group)}: {sort.kind}, {sort.operation}, {sort.path}: {sort.type}{origin}."
    result: dict[str, Any] = {
        "ruleId": slug(sort.cause),
        "ruleIndex": index,
        "level": "note" if group.expected else "error",
        "message": {"text": f"{_text(text)} {_text(what)}"},
        "locations": [_location(group, locate)],
        "partialFingerprints": {"mismatch/v1": fingerprint(group)},
        "occurrenceCount": group.count,
    }
    if group.expected:
        justification = _text(group.expected)
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": justification}]
    it = finding(group)
    result["properties"] = {
        "tag": _text(sort.tag),
        "place": _text(example.place),
        "handwritten": [_text(answer.message) for answer in it.handwritten],
        "declarative": [_text(answer.message) for answer in it.declarative],
    }
    return result


def _location(group: Group, locate: Locate) -> dict[str, Any]:
    """The tag on disk, if it is the user's, and the field of the kind in any case."""
    sort = group.sort
    name = f"{sort.kind}: {sort.path}"
    location: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": _text(name), "kind": "member"}]}
    found = locate(sort.source) if sort.source else None
    if found is not None:
        file, line, column = found
        physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(file)}}
        if line > 0:
            physical["region"] = {"startLine": line, "startColumn": max(column, 1)}
        location = {"physicalLocation": physical, **location}
    return location


def _uri(file: str | PurePath) -> str:
    """A file as a URI; a relative one stays relative."""
    name = Path(file).as_posix()
    try:
        text = name.encode(errors="surrogateescape")
    except UnicodeEncodeError:  # no name that a file system has given
        text = name.encode(errors="replace")
    return f"file://{quote(text)}" if text.startswith(b"/") else quote(text, safe="/")


def _strings(about: dict[str, str]) -> dict[str, str]:
    return {_text(name): _text(text) for name, text in about.items()}


def _text(text: str) -> str:
    return short(visible(text), _LONGEST)


def _version() -> str:
    try:
        return version("validation-gen")
    except PackageNotFoundError:  # a checkout that is not installed
        return ""
