"""What a command has to tell, in neutral forms: each format asks for the one that it is made of.

A command with a report of its own derives from `Report`, and has to say what its findings are. All other forms follow
from these; it overrides those in which it has more to tell. Nothing here knows a format.
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
    """Leaves findings the levels that they have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What a text is written on, and by what.

    Attributes:
        color: whether to use ANSI escapes. Formats for programs never do.
        columns: how wide the terminal is; 0 if there is none.
        explain: says what a code means, for formats that tell it. Without it these have the titles only.
        levels: gives findings the levels that the user wants.
    """

    color: bool = False
    columns: int = 0
    explain: Explain | None = None
    levels: Callable[[Diagnostics], None] = _as_they_are


class Report(ABC):
    """What a command has to tell."""

    #: The forms that do not tell what was found `beside`: it is printed apart from them.
    apart: ClassVar[frozenset[Form]] = frozenset()
    #: What was found while the report was made, and is not what it is about.
    beside: Sequence[Diagnostic] = ()

    @abstractmethod
    def findings(self) -> Iterable[Diagnostic]:
        """What is wrong, each at its place."""

    def text(self, page: Page) -> str:
        """For people at a terminal."""
        return full(self.found(page), styler(page.color), page.columns)

    def lines(self, page: Page) -> str:
        """For people who read logs, and their editors: a line for each finding, and at the end their number."""
        found = self.found(page)
        return concise(found, styler(page.color)) + (f"{summary(found)}\n" if found else "")

    def document(self, page: Page) -> Any:
        """All in one value of JSON."""
        return list(self.records(page))

    def records(self, page: Page) -> Iterable[Any]:
        """One by one, as values of JSON."""
        return records_of(self.found(page))

    def tests(self, page: Page) -> Tests:
        """As results of tests."""
        from validation_gen.diagnostics.formats.junit import suites, tests_of  # noqa: PLC0415 - few formats need it

        return tests_of("validation-gen", suites(self.found(page)))

    def log(self, page: Page) -> Log:
        """As the log of an analysis."""
        from validation_gen.diagnostics.formats.sarif import log_of  # noqa: PLC0415 - few formats need it

        return log_of(self.found(page), page.explain)

    def encode_deep(self, value: Any, indent: int | None) -> str:
        """A value of `document` or `records` as JSON, when it is too deep for Python's encoder."""
        from validation_gen.runtime.gotext import go_json  # noqa: PLC0415 - hardly ever

        return go_json(value)

    def found(self, page: Page) -> list[Diagnostic]:
        """All that was found, beside the report as well, in its order and with the levels that are wanted."""
        return _settled([*self.beside, *self.findings()], page)

    def found_beside(self, page: Page) -> list[Diagnostic]:
        """What was found beside the report, for the forms that tell it."""
        return _settled(self.beside, page)


@dataclass(frozen=True, slots=True)
class Findings(Report):
    """Findings, and nothing else to tell. They come in the order given."""

    items: Sequence[Diagnostic]

    def findings(self) -> Iterable[Diagnostic]:
        return self.items

    def lines(self, page: Page) -> str:
        return concise(self.items, styler(page.color))

    def found(self, page: Page) -> list[Diagnostic]:
        return list(self.items)


def records_of(diagnostics: Iterable[Diagnostic]) -> list[Any]:
    """Findings as values of JSON."""
    from validation_gen.diagnostics.formats.data import record  # noqa: PLC0415 - only formats for programs need it

    return [record(each) for each in diagnostics]


def _settled(items: Iterable[Diagnostic], page: Page) -> list[Diagnostic]:
    """Findings in their order with the levels that are wanted, each once."""
    all = Diagnostics()
    for each in items:
        all.add(each)
    page.levels(all)
    return all.sorted()
