"""Diagnostics as JUnit XML: a suite for each file, in which an error is a failed test.

A warning is a test that has passed and says something, so that it never fails a build.
"""

from __future__ import annotations

from collections.abc import Sequence

from validation_gen.diagnostics import Diagnostic, Severity
from validation_gen.diagnostics.formats.junitfile import Case, Failure, Suite, junit_file
from validation_gen.diagnostics.formats.styles import styler
from validation_gen.diagnostics.formats.text import concise


def junit(diagnostics: Sequence[Diagnostic]) -> str:
    """The XML document. Where nothing was found one test has passed: servers refuse a file without any."""
    return junit_file("validation-gen", suites(diagnostics) or [Suite("validation-gen", [Case("no findings")])])


def suites(diagnostics: Sequence[Diagnostic]) -> list[Suite]:
    """The suites alone, for those who have others."""
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
