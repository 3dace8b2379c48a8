"""Findings of one cause are one finding for people."""

from __future__ import annotations

from typer.testing import CliRunner

from tests.cli.conftest import Program
from validation_gen.cli.app import app
from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.diagnostics.formats.grouping import grouped

HEAD = 'package v1\n\nimport "example.net/core"\nimport "example.net/other"\n\n'
FIELDS = "".join(f'\tF{n} core.T{n} `json:"f{n}"`\n' for n in range(5)) + '\tX other.X `json:"x"`\n'
TYPES = f'{HEAD}type Crate struct {{\n\t// +k8s:required\n\tName string `json:"name"`\n{FIELDS}}}\n'


def found(code: str, line: int, message: str, help: str) -> Diagnostic:
    return Diagnostic(code, Severity.WARNING, message, Span("a.go", line, 1, 2), help)


def test_what_is_of_one_cause() -> None:
    lost = [found("VG301", n, f"type {n}", "name its source with --module a=DIR") for n in range(1, 5)]
    other = found("VG301", 9, "type b", "name its source with --module b=DIR")
    first, second = grouped([*lost, other])
    assert first.notes == (("for the same reason at a.go:2:1, a.go:3:1, and 1 more", None),)
    assert second == other


def test_what_has_causes_of_its_own() -> None:
    items = [found("VG103", 1, "unknown", "help"), found("VG103", 2, "unknown", "help"), found("VG301", 3, "a", "")]
    items += [found("VG301", 4, "a", ""), found("VG107", 5, "a: why", "x"), found("VG107", 6, "a: because", "x")]
    assert grouped(items) == items


def test_a_missing_package_is_told_once(project: Program) -> None:
    project.write({"apis/things/v1/types.go": TYPES, "apis/things/v1/doc.go": "package v1\n"})
    result = CliRunner().invoke(app, ["lint", "apis"])
    assert result.stderr.count("warning[VG301]") == 2
    assert "note: for the same reason at apis/things/v1/types.go:10:5, apis/things/v1/types.go:11:5, and 2 more" in (
        result.stderr
    )
    concise = CliRunner().invoke(app, ["lint", "apis", "--format", "concise"])
    assert concise.stderr.count("VG301") == 6
