"""Reports as JUnit XML. Findings are a suite for each file, in which an error is a failed test.

A warning is a passed test with output, so that it never fails a build.
"""

from __future__ import annotations

from collections.abc import Sequence

from validation_gen.diagnostics import Diagnostic, Severity
from validation_gen.diagnostics.formats.junitfile import Case, Failure, Suite, Tests, junit_file
from validation_gen.diagnostics.formats.report import Page, Report
from validation_gen.diagnostics.formats.styles import styler
from validation_gen.diagnostics.formats.text import concise


def render(report: Report, page: Page) -> str:
    """Renders the XML document."""
    tests = report.tests(page)
    return junit_file(tests.name, tests.suites, tests.seconds)


def tests_of(name: str, suites: Sequence[Suite]) -> Tests:
    """Returns the suites, or one passed test without findings: servers refuse a file without tests."""
    if not suites:
        return Tests("validation-gen", [Suite("validation-gen", [Case("no findings")])])
    return Tests(name, suites)


def suites(diagnostics: Sequence[Diagnostic]) -> list[Suite]:
    """Returns a suite for each file."""
    files: dict[str, list[Case]] = {}
    for d in diagnostics:
        files.setdefault(d.span.file, []).append(_case(d))
    return [Suite(file, cases) for file, cases in files.items()]


def _case(d: Diagnostic) -> Case:
    name = f"{d.code}: {d.message}"
    notes = [f"{f'{span}: ' if span else ''}note: {text}" for text, span in d.notes]
    lines = [concise([d], styler(False)).rstrip("\n"), *notes]
    if d.severity is Severity.ERROR:
        return Case(name, Failure(d.message, d.code, "\n".join(lines)))
    return Case(name, output=lines)
