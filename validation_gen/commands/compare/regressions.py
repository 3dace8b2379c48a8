"""Files of a comparison beside its objects: stored cases, and expected differences.

A case is a request of the line protocol with a few more names, one file for each request that has shown a mismatch, to
be compared again. So a folder of them can be used wherever objects can. Its name and bytes depend only on the mismatch
and its example. Existing files are never changed: a case stays as it was saved, with the edits of users.

The file of expected differences is YAML or JSON; wrong, expired and unused entries are reported at their places.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from validation_gen.commands.compare.groups import Example, Group, and_more
from validation_gen.commands.compare.inputs import Bad, Inputs, parse_item
from validation_gen.commands.compare.requests import Request
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.diagnostics.visible import as_json_escape, replace_invisible
from validation_gen.emit.output import JSON_KEYS, JSON_MARKER, replace_file
from validation_gen.kubernetes.manifests import read_manifests
from validation_gen.mismatch.expected import Expectation, general_path, read_entries

_LONGEST = 60
_ENDINGS = ("*.json", "*.yaml", "*.yml")
#: Attributes that identify a case. Positions in sources are excluded, as they move.
_IDENTITY = ("kind", "side", "cause", "path", "type", "origin", "tag")


def load(folder: str, diagnostics: Diagnostics) -> list[Request]:
    """Returns the requests of all files of a folder, by name; none if the folder does not exist yet.

    Malformed requests are reported and skipped.
    """
    root = Path(folder)
    if not root.is_dir() or not any(path for ending in _ENDINGS for path in root.rglob(ending)):
        return []
    found: list[Request] = []
    with Inputs([folder], diagnostics) as inputs:
        for item in inputs.read_items():
            for request in parse_item(item):
                if isinstance(request, Bad):
                    _report(request, diagnostics)
                else:
                    found.append(request)
    return found


def save(folder: str, group: Group, diagnostics: Diagnostics) -> str | None:
    """Writes the example of a mismatch as a case. Returns the file, `None` if the mismatch has a case already.

    Raises:
        OSError: the file cannot be written.
    """
    try:
        text = case_text(group)
    except RecursionError:
        message = f"an example is nested too deeply to be kept: {group.example.message}"
        diagnostics.warning("VG903", message, Span(folder), "compare it where it is")
        return None
    path = Path(folder) / case_name(group)
    if os.path.lexists(path):
        return None
    replace_file(path, text.encode())
    return path.as_posix()


def case_name(group: Group) -> str:
    """Returns the name of a case: a description, and a hash that makes it unique."""
    sort = group.sort
    identity = json.dumps([getattr(sort, name) for name in _IDENTITY])
    number = hashlib.sha256(identity.encode()).hexdigest()[:8]
    words = (sort.kind.rpartition("/")[2].rpartition(".")[2], sort.path.replace("[*]", ""), sort.cause)
    return "-".join(filter(None, (*map(_slug, words), number))) + ".json"


def case_text(group: Group) -> str:
    """Renders the file of a case.

    Raises:
        RecursionError: the example is nested too deeply.
    """
    sort, example = group.sort, group.example
    case: dict[str, Any] = {
        JSON_KEYS[0]: JSON_MARKER,
        **example.to_request().as_line(),
        "seen": {
            "mismatch": example.message,
            "reason": example.text,
            **{name: getattr(sort, name) for name in _IDENTITY[1:]},
            "source": sort.source,
            "handwritten": _messages(example, "handwritten"),
            "declarative": _messages(example, "declarative"),
        },
    }
    return replace_invisible(f"{json.dumps(case, indent=2, ensure_ascii=False)}\n", as_json_escape, keep="\n")


def _messages(example: Example, side: str) -> list[str]:
    errors: list[dict[str, Any]] = getattr(example, side)
    return [*(error["message"] for error in errors), *and_more(example.more.get(side, 0))]


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower())[:_LONGEST].strip("-")


def _report(bad: Bad, diagnostics: Diagnostics) -> None:
    found = re.match(r"(.+?):(\d+)(?::|$)", bad.place)  # Windows drive names have a colon, too
    file, line = (found[1], int(found[2])) if found else (bad.place, 0)
    help = 'a case has kind and obj: {"kind": "Widget", "op": "create", "obj": {}}'
    diagnostics.error("VG905", f"this case cannot be compared: {bad.reason}", Span(file, line, 1 if line else 0), help)


_EXAMPLE = 'write - {kind: Widget, path: spec.size, type: FieldValueInvalid, reason: why, expires: "2027-03-31"}'


@dataclass(frozen=True, slots=True)
class Entry:
    """An expectation and its location."""

    expectation: Expectation
    span: Span


def read_expected(files: Iterable[str], diagnostics: Diagnostics) -> list[Entry]:
    """Returns the entries of all files. Malformed files are reported and skipped."""
    found = []
    for file in files:
        for manifest in read_manifests([file], diagnostics):
            try:
                entries = read_entries(manifest.obj)
            except ValueError as error:
                diagnostics.error("VG601", str(error), manifest.positions.span([]), f"write expected: and {_EXAMPLE}")
                continue
            for index, entry in enumerate(entries):
                place = manifest.positions.span(["expected", index])
                try:
                    found.append(Entry(Expectation.from_entry(entry), place))
                except ValueError as error:
                    diagnostics.error("VG601", f"this entry cannot be used: {error}", place, _EXAMPLE)
    return found


def report_expired(entries: Iterable[Entry], today: date, diagnostics: Diagnostics) -> None:
    """Reports expired entries, whether or not the difference still occurs."""
    for entry in entries:
        if entry.expectation.is_expired(today):
            message = f"this difference was expected until {entry.expectation.expires}: {entry.expectation.reason}"
            help = "fix the difference and delete the entry, or say until when it is expected now"
            diagnostics.error("VG602", message, entry.span, help)


def report_unused(entries: Iterable[Entry], found: Sequence[Group], today: date, diagnostics: Diagnostics) -> None:
    """Warns of entries that matched no mismatch. `found` are the expected mismatches."""
    for entry in entries:
        expectation = entry.expectation
        if not expectation.is_expired(today) and not any(_is_meant(expectation, group) for group in found):
            message = "this difference was expected, and is not there"
            diagnostics.warning("VG603", message, entry.span, "delete the entry if it has been mended")


def _is_meant(expectation: Expectation, group: Group) -> bool:
    """Returns whether an entry may have matched a group. The reason alone is not enough: entries can share one."""
    sort = group.sort
    return (
        group.expected == expectation.reason
        and expectation.type in ("", "*", sort.type)
        and expectation.origin in ("", "*", sort.origin)
        and (expectation.path in ("", "*") or general_path(expectation.path) == sort.path)
    )
