"""The names of the formats, as `--format` takes them: all of them come from the list of formats."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

from validation_gen.diagnostics.formats.known import FORMATS, Form, Format


def format_of(name: str) -> Format:
    """The format of that name, or of that former name.

    Raises:
        ValueError: there is none.
    """
    for each in FORMATS:
        if name and name in (each.name, each.former):
            return each
    names = ", ".join(each.name for each in FORMATS)
    raise ValueError(f"unknown diagnostic format {name!r}, expected one of: {names}")


class DiagnosticFormat(str, enum.Enum):
    """How findings are printed."""

    _ignore_ = "each"
    for each in FORMATS:
        vars()[each.name.upper()] = each.name
    if TYPE_CHECKING:
        FULL = "full"  # the usual one: no other is named where it is used

    @property
    def record(self) -> Format:
        """What there is to know of it."""
        return format_of(self.value)

    @property
    def for_people(self) -> bool:
        """Whether it goes with sentences about what a run has done."""
        return self.record.for_people

    @property
    def owns_stdout(self) -> bool:
        """Whether standard output holds the document, and nothing else."""
        return not self.for_people


class ReportFormat(str, enum.Enum):
    """How commands print a report of their own: as findings are printed, under these names or their former ones."""

    _ignore_ = "each name"
    for each in FORMATS:
        for name in filter(None, (each.former, each.name)):
            vars()[name.upper()] = name
    if TYPE_CHECKING:
        TEXT = "text"  # as above

    @property
    def record(self) -> Format:
        """What there is to know of it."""
        return format_of(self.value)

    @property
    def of_findings(self) -> str:
        """The format of findings where there is no report. One document of results would not say that of findings."""
        return "concise" if self.record.form is Form.DOCUMENT else self.record.name
