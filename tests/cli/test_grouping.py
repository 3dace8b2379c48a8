"""Findings of one cause are one finding for people."""

from __future__ import annotations

from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.diagnostics.formats.locations import group_by_cause


def found(code: str, line: int, message: str, help: str) -> Diagnostic:
    return Diagnostic(code, Severity.WARNING, message, Span("a.go", line, 1, 2), help)


def test_what_is_of_one_cause() -> None:
    alike = [found("VG107", n, f"field {n}: it has a method", "write it by hand") for n in range(1, 5)]
    other = found("VG107", 9, "field 9: it is a channel", "write it by hand")
    first, second = group_by_cause([*alike, other])
    assert first.notes == (("for the same reason at a.go:2:1, a.go:3:1, and 1 more", None),)
    assert second == other


def test_types_of_one_package_are_findings_of_their_own() -> None:
    lost = [found("VG301", n, f"type {n}", "name its source with --module a=DIR") for n in range(1, 5)]
    assert group_by_cause(lost) == lost


def test_what_has_causes_of_its_own() -> None:
    items = [found("VG103", 1, "unknown", "help"), found("VG103", 2, "unknown", "help"), found("VG301", 3, "a", "")]
    items += [found("VG301", 4, "a", ""), found("VG107", 5, "a: why", "x"), found("VG107", 6, "a: because", "x")]
    assert group_by_cause(items) == items
