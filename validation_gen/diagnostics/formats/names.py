"""Names of the formats for `--format`, from the registry of formats."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

from validation_gen.diagnostics.formats.registry import FORMATS, Form, Format


def find_format(name: str) -> Format:
    """Returns the format of that name, or of that former name.

    Raises:
        ValueError: there is none.
    """
    for each in FORMATS:
        if name and name in (each.name, each.former):
            return each
    names = ", ".join(each.name for each in FORMATS)
    raise ValueError(f"unknown diagnostic format {name!r}, expected one of: {names}")


class DiagnosticFormat(str, enum.Enum):
    """Format of findings."""

    _ignore_ = "each"
    for each in FORMATS:
        vars()[each.name.upper()] = each.name
    if TYPE_CHECKING:
        FULL = "full"  # the default, named where it is used

    @property
    def record(self) -> Format:
        """The record of the format."""
        return find_format(self.value)

    @property
    def for_people(self) -> bool:
        """True if sentences about the run accompany it."""
        return self.record.for_people

    @property
    def owns_stdout(self) -> bool:
        """True if standard output has the document, and nothing else."""
        return not self.for_people


class ReportFormat(str, enum.Enum):
    """Format of a command's own report. The members are the formats of findings, by present and former names."""

    _ignore_ = "each name"
    for each in FORMATS:
        for name in filter(None, (each.former, each.name)):
            vars()[name.upper()] = name
    if TYPE_CHECKING:
        TEXT = "text"  # as above

    @property
    def record(self) -> Format:
        """The record of the format."""
        return find_format(self.value)

    @property
    def of_findings(self) -> str:
        """Returns the format of findings without a report.

        One document of results would not show that they are findings.
        """
        return "concise" if self.record.form is Form.DOCUMENT else self.record.name
