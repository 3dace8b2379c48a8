"""Reads the file of expected differences, YAML or JSON, with locations for wrong, expired or unused entries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from validation_gen.commands.compare.groups import Group
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.kubernetes.manifests import read_manifests
from validation_gen.mismatch.expected import Expectation, general_path, read_entries

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
    """Returns whether a group may have been matched by this entry. Two entries can have the same reason."""
    sort = group.sort
    return (
        group.expected == expectation.reason
        and expectation.type in ("", "*", sort.type)
        and expectation.origin in ("", "*", sort.origin)
        and (expectation.path in ("", "*") or general_path(expectation.path) == sort.path)
    )
