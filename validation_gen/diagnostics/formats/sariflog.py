"""Writer of SARIF 2.1.0 logs: the only module that knows the names and rules of the format.

Texts are escaped here, so callers need not do it. The caller provides the explanations of codes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from validation_gen.diagnostics import Fix, Severity, Span
from validation_gen.diagnostics.formats.locations import is_file, relative, uri
from validation_gen.diagnostics.formats.text import one_line, short

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LONGEST = 1000

#: A part of a log; its names are those of the standard.
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SarifRule:
    """A rule, to which results refer by `ruleId`. `help` and `markdown` may have several lines."""

    id: str
    name: str
    summary: str
    description: str
    help: str
    markdown: str = ""
    level: str = "error"
    uri: str = ""

    def as_json(self) -> Json:
        """Returns the rule with the standard's names of its parts."""
        help = {"text": self.help} | ({"markdown": self.markdown} if self.markdown else {})
        return {
            "id": self.id,
            "name": self.name,
            "shortDescription": {"text": text(self.summary)},
            "fullDescription": {"text": text(self.description)},
            "help": help,
            **({"helpUri": self.uri} if self.uri else {}),
            "defaultConfiguration": {"level": self.level},
        }


@dataclass(frozen=True, slots=True)
class Log:
    """The log of one run.

    Attributes:
        rules: all rules that results refer to.
        results: values of `sarif_result`.
        invocation: value of `sarif_invocation`.
        more: further properties of the run.
    """

    rules: Sequence[SarifRule]
    results: Sequence[Json]
    invocation: Json
    more: Json = field(default_factory=dict)


def sarif_log(log: Log) -> str:
    """Returns the log as a document, with a newline at the end, in ASCII."""
    driver: Json = {"name": "validation-gen", "rules": [rule.as_json() for rule in log.rules]}
    if found := _version():
        driver["version"] = found
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [log.invocation],
        "results": list(log.results),
        **log.more,
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def sarif_invocation(successful: bool, notifications: Sequence[Json] = (), configuration: Sequence[Json] = ()) -> Json:
    """Returns the outcome of the run itself, with notifications about it and about its arguments."""
    return {
        "executionSuccessful": successful,
        **({"toolExecutionNotifications": list(notifications)} if notifications else {}),
        **({"toolConfigurationNotifications": list(configuration)} if configuration else {}),
    }


def notification(level: str, message: str, code: str = "") -> Json:
    """Returns a message that is not about a file."""
    return {
        **({"descriptor": {"id": code}} if code else {}),
        "level": level,
        "message": _message(text(message)),
    }


def sarif_result(
    rule: str, rules: Mapping[str, int], level: str, message: str, locations: Sequence[Json], fingerprint: Json
) -> Json:
    """Returns a finding. `rules` has the indices of all rules in the log."""
    return {
        "ruleId": rule,
        "ruleIndex": rules[rule],
        "level": level,
        "message": _message(message),
        "locations": list(locations),
        "partialFingerprints": fingerprint,
    }


def sarif_location(span: Span | None, name: str = "", kind: str = "", message: str = "", id: int | None = None) -> Json:
    """Returns a location: in a file, a logical name, or both. A span that is in no file becomes a name."""
    location: Json = {} if id is None else {"id": id}
    if span is not None and is_file(span):
        physical: Json = {"artifactLocation": {"uri": uri(relative(span.file))}}
        if span.line > 0:
            physical["region"] = sarif_region(span)
        location["physicalLocation"] = physical
    elif span is not None:
        name = name or str(span)
    if name:
        location["logicalLocations"] = [{"fullyQualifiedName": text(name), **({"kind": kind} if kind else {})}]
    if message:
        location["message"] = _message(text(message))
    return location


def sarif_region(span: Span) -> Json:
    """Returns the characters of a span; without an end it goes to the end of the line."""
    start = max(span.column, 1)
    end = {"endColumn": span.end_column} if span.end_column > start else {}
    return {"startLine": span.line, "startColumn": start, **end}


def sarif_fix(fix: Fix) -> Json:
    """Returns the changes of a fix. Of a whole comment only the text is removed: its line is not known here."""
    changes: dict[str, list[Json]] = {}
    for edit in fix.edits:
        replacement = {"deletedRegion": sarif_region(edit.span), "insertedContent": {"text": edit.new}}
        changes.setdefault(uri(relative(edit.span.file)), []).append(replacement)
    return {
        "description": _message(text(fix.title)),
        "artifactChanges": [
            {"artifactLocation": {"uri": file}, "replacements": replacements} for file, replacements in changes.items()
        ],
    }


def _message(text: str) -> Json:
    """Returns a message without placeholders: the standard reserves single braces (3.11.5)."""
    return {"text": text.replace("{", "{{").replace("}", "}}")}


def text(text: str) -> str:
    """Returns a foreign text on one line, shortened, and of characters that can be encoded."""
    return short(one_line(text), _LONGEST)


def compute_fingerprint(parts: Iterable[str]) -> str:
    """Returns a short hash of texts."""
    joined = "\0".join(parts)
    return hashlib.sha256(joined.encode(errors="backslashreplace")).hexdigest()[:16]


def _version() -> str:
    try:
        return version("validation-gen")
    except PackageNotFoundError:  # a checkout that is not installed
        return ""


@dataclass(frozen=True, slots=True)
class About:
    """Explanation of a code: `reason` is why the code exists, `text` and `markdown` are the whole explanation.

    `severity` is the usual one. `uri` is the page about the code, `""` if none is known.
    """

    reason: str
    text: str
    markdown: str
    severity: Severity
    uri: str = ""


#: Returns the explanation of a code in `CODES`.
Explain = Callable[[str], About]
