"""A comparison in the formats for programs, as the command renders it."""

from __future__ import annotations

from validation_gen.commands.compare.report import Compared
from validation_gen.commands.compare.report.sarif import Locate
from validation_gen.commands.compare.results import Results
from validation_gen.diagnostics.formats.names import find_format
from validation_gen.diagnostics.formats.report import Page


def rendered(format: str, results: Results, locate: Locate = lambda _source, _tag: None) -> str:
    return find_format(format).render(Compared(results, locate), Page())


def render_json(results: Results) -> str:
    return rendered("json", results)


def render_json_lines(results: Results) -> str:
    return rendered("jsonl", results)


def render_junit(results: Results) -> str:
    return rendered("junit", results)


def render_sarif(results: Results, locate: Locate) -> str:
    return rendered("sarif", results, locate)
