"""Reports of commands, in neutral forms, of which each format renders one.

A command with a report of its own derives from `Report`, and must implement `findings`. All other forms have defaults,
which it overrides if it has more results. Nothing here knows a format.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from validation_gen.diagnostics import Diagnostic, Diagnostics
from validation_gen.diagnostics.formats.about import Explain
from validation_gen.diagnostics.formats.known import Form
from validation_gen.diagnostics.formats.styles import styler
from validation_gen.diagnostics.formats.text import concise, full, summary

if TYPE_CHECKING:
    from validation_gen.diagnostics.formats.junitfile import Tests
    from validation_gen.diagnostics.formats.sariflog import Log


def _as_they_are(diagnostics: Diagnostics) -> None:
    """Leaves the levels of findings unchanged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Output stream and tool information for a rendered report.

    Attributes:
        color: whether to use ANSI escapes. Formats for programs never do.
        columns: width of the terminal; 0 if there is none.
        explain: explains a code, for formats that include it. Without it these have the titles only.
        levels: applies the levels that the user configured.
    """

    color: bool = False
    columns: int = 0
    explain: Explain | None = None
    levels: Callable[[Diagnostics], None] = _as_they_are


class Report(ABC):
    """Results of a command."""

    #: Forms without the findings in `beside`, which are printed separately.
    apart: ClassVar[frozenset[Form]] = frozenset()
    #: Findings made during the report that are not its subject.
    beside: Sequence[Diagnostic] = ()

    @abstractmethod
    def findings(self) -> Iterable[Diagnostic]:
        """Returns the findings, each at its position."""

    def text(self, page: Page) -> str:
        """Renders the report for people at a terminal."""
        return full(self.found(page), styler(page.color), page.columns)

    def lines(self, page: Page) -> str:
        """Renders a line for each finding, for logs and editors, and at the end their number."""
        found = self.found(page)
        return concise(found, styler(page.color)) + (f"{summary(found)}\n" if found else "")

    def document(self, page: Page) -> Any:
        """Returns all results as one value of JSON."""
        return list(self.records(page))

    def records(self, page: Page) -> Iterable[Any]:
        """Returns the results one by one, as values of JSON."""
        return records_of(self.found(page))

    def tests(self, page: Page) -> Tests:
        """Returns the results as tests."""
        from validation_gen.diagnostics.formats.junit import suites, tests_of  # noqa: PLC0415 - few formats need it

        return tests_of("validation-gen", suites(self.found(page)))

    def log(self, page: Page) -> Log:
        """Returns the results as the log of an analysis."""
        from validation_gen.diagnostics.formats.sarif import log_of  # noqa: PLC0415 - few formats need it

        return log_of(self.found(page), page.explain)

    def encode_deep(self, value: Any, indent: int | None) -> str:
        """Encodes a value of `document` or `records` as JSON, when it is too deep for Python's encoder."""
        from validation_gen.runtime.gotext import go_json  # noqa: PLC0415 - hardly ever

        return go_json(value)

    def found(self, page: Page) -> list[Diagnostic]:
        """Returns all findings, also those beside the report, sorted and with the configured levels."""
        return _settled([*self.beside, *self.findings()], page)

    def found_beside(self, page: Page) -> list[Diagnostic]:
        """Returns the findings beside the report, for the forms that include them."""
        return _settled(self.beside, page)


@dataclass(frozen=True, slots=True)
class Findings(Report):
    """A report of findings only. They keep their order."""

    items: Sequence[Diagnostic]

    def findings(self) -> Iterable[Diagnostic]:
        return self.items

    def lines(self, page: Page) -> str:
        return concise(self.items, styler(page.color))

    def found(self, page: Page) -> list[Diagnostic]:
        return list(self.items)


def records_of(diagnostics: Iterable[Diagnostic]) -> list[Any]:
    """Returns findings as values of JSON."""
    from validation_gen.diagnostics.formats.data import record  # noqa: PLC0415 - only formats for programs need it

    return [record(each) for each in diagnostics]


def _settled(items: Iterable[Diagnostic], page: Page) -> list[Diagnostic]:
    """Returns findings sorted and with the configured levels, each once."""
    all = Diagnostics()
    for each in items:
        all.add(each)
    page.levels(all)
    return all.sorted()
