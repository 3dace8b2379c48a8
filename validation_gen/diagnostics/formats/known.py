"""The formats in which a command tells what it has to tell: the one list of them, a record each.

A format is a function of a `Report` (`report`), whatever the command. What it is made of says its `form`. Only the
module of the format that is asked for is imported.
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
    """What a format is made of: one of the neutral forms that a report has."""

    TEXT = enum.auto()
    LINES = enum.auto()
    FINDINGS = enum.auto()
    DOCUMENT = enum.auto()
    RECORDS = enum.auto()
    TESTS = enum.auto()
    LOG = enum.auto()


#: Writes a report, each line ended.
Render = Callable[["Report", "Page"], str]


@dataclass(frozen=True, slots=True)
class Format:
    """A format: what `--format` calls it, and what writes it.

    Attributes:
        name: one word in lower case.
        render: writes a report.
        form: what of the report it asks for. Findings are what every report has.
        for_people: whether it goes with sentences about what a run has done.
        annotates: whether it stands in the log of a server that has a page for the run: findings come on that, too, and
            sentences go beside the log.
        former: what reports of commands have called it before.
    """

    name: str
    render: Render
    form: Form = Form.FINDINGS
    for_people: bool = False
    annotates: bool = False
    former: str = ""


def _late(module: str, function: str = "render") -> Render:
    """The function of a module here that is imported when it is called: each run needs one format at most."""

    def render(report: Report, page: Page) -> str:
        made: Render = getattr(import_module(f"validation_gen.diagnostics.formats.{module}"), function)
        return made(report, page)

    return render


#: All formats, in the order in which `--help` names them.
FORMATS: tuple[Format, ...] = (
    Format("full", lambda report, page: report.text(page), Form.TEXT, for_people=True, former="text"),
    Format("concise", lambda report, page: report.lines(page), Form.LINES, for_people=True),
    Format("json", _late("data", "render_document"), Form.DOCUMENT),
    Format("jsonl", _late("data", "render_records"), Form.RECORDS),
    Format("github", _late("github"), annotates=True),
    Format("sarif", _late("sarif"), Form.LOG),
    Format("junit", _late("junit"), Form.TESTS),
)
