"""The report of a comparison: combines its forms, for every format of `--format`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.diagnostics.formats import one_line
from validation_gen.diagnostics.formats.known import Form
from validation_gen.diagnostics.formats.report import Page, Report, records_of
from validation_gen.uses.compare.report.text import render_concise, render_text
from validation_gen.uses.compare.results import Results

if TYPE_CHECKING:
    from validation_gen.diagnostics.formats.junitfile import Tests
    from validation_gen.diagnostics.formats.sariflog import Log
    from validation_gen.uses.compare.report.sarif import Locate

_WIDTH = 100  # columns without a terminal


@dataclass(frozen=True, slots=True)
class Compared(Report):
    """The results of a comparison, and `beside` them the findings of the run.

    Attributes:
        results: the results.
        locate: finds the file of a source position. Relative names become relative URIs, as code hosts need them.
        saved: the files with saved requests, for people.
        beside: findings about types and objects.
    """

    apart: ClassVar[frozenset[Form]] = frozenset({Form.TEXT, Form.LINES, Form.DOCUMENT, Form.TESTS, Form.LOG})
    results: Results
    locate: Locate
    saved: Sequence[str] = ()
    beside: Sequence[Diagnostic] = ()

    def findings(self) -> Iterator[Diagnostic]:
        """Yields the unexpected differences, at the tags to blame."""
        for group in self.results.unexpected():
            sort, example = group.sort, group.example
            found = self.locate(sort.source, sort.tag)
            span = Span(str(found[0]), *found[1:]) if found else Span(f"<{sort.kind}>")
            message = f"{group.count} x {sort.cause}: {sort.kind}, {sort.operation}, {sort.path}: {sort.type}"
            why = ((text, None) for text in (example.text or example.message,) if text)
            yield Diagnostic("VG607", Severity.ERROR, message, span, notes=tuple(why))

    def text(self, page: Page) -> str:
        told = render_text(self.results, color=page.color, width=page.columns or _WIDTH)
        return told + "".join(f"{one_line(f'saved {file}')}\n" for file in self.saved)

    def lines(self, page: Page) -> str:
        return render_concise(self.results, color=page.color)

    def document(self, page: Page) -> dict[str, Any]:
        """Returns the document for other programs and later runs; the keys have a fixed order."""
        return self.results.as_json()

    def records(self, page: Page) -> Iterable[Any]:
        """Returns a value for each difference, expected ones last, and at the end one with all else."""
        data = self.results.as_json()
        groups = data.pop("mismatches")
        return [*records_of(self.found_beside(page)), *groups, data]

    def tests(self, page: Page) -> Tests:
        from validation_gen.uses.compare.report.junit import tests  # noqa: PLC0415 - late: few formats need it

        return tests(self.results)

    def log(self, page: Page) -> Log:
        from validation_gen.uses.compare.report.sarif import log  # noqa: PLC0415 - late: few formats need it

        return log(self.results, self.locate)
