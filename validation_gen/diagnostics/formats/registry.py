"""Registry of the report formats, a record for each.

A format is a function of a `Report` (`report`), for any command. Its `form` is the form of the report that it renders.
Only the module of the chosen format is imported.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from validation_gen.diagnostics.formats.report import Page, Report


class Form(enum.Enum):
    """Neutral form of a report that a format renders."""

    TEXT = enum.auto()
    LINES = enum.auto()
    FINDINGS = enum.auto()
    DOCUMENT = enum.auto()
    RECORDS = enum.auto()
    TESTS = enum.auto()
    LOG = enum.auto()


#: Renders a report, each line ended.
Render = Callable[["Report", "Page"], str]


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its name for `--format`, and its renderer.

    Attributes:
        name: one word in lower case.
        render: renders a report.
        form: the form of the report that it uses. Every report has findings.
        for_people: whether sentences about the run accompany it.
        annotates: whether it is for the log of a server with a page for the run: findings also go to that page, and
            sentences beside the log.
        former: its former name in reports of commands.
    """

    name: str
    render: Render
    form: Form = Form.FINDINGS
    for_people: bool = False
    annotates: bool = False
    former: str = ""


def _late(module: str, function: str = "render") -> Render:
    """Returns the function of a module that is imported at the call: each run needs one format at most."""

    def render(report: Report, page: Page) -> str:
        made: Render = getattr(import_module(f"validation_gen.diagnostics.formats.{module}"), function)
        return made(report, page)

    return render


#: All formats, in the order of `--help`.
FORMATS: tuple[Format, ...] = (
    Format("full", lambda report, page: report.text(page), Form.TEXT, for_people=True, former="text"),
    Format("concise", lambda report, page: report.lines(page), Form.LINES, for_people=True),
    Format("json", _late("report", "render_document"), Form.DOCUMENT),
    Format("jsonl", _late("report", "render_records"), Form.RECORDS),
    Format("github", _late("github"), annotates=True),
    Format("sarif", _late("report", "render_log"), Form.LOG),
    Format("junit", _late("junitfile"), Form.TESTS),
)
