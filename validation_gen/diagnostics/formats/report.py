"""Reports of commands, in neutral forms, of which each format renders one.

A command with a report of its own derives from `Report`, and must implement `findings`. All other forms have defaults,
which it overrides if it has more results: JSON as one value or one value a line (`jsonl`, which can be read during a
run), and SARIF with a rule for each code that occurs and a result for each finding in a file. Findings about arguments
are in no file, so they become notifications about the run.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from validation_gen.diagnostics import CODES, Diagnostic, Diagnostics, Fix, Severity, Span
from validation_gen.diagnostics.formats import sariflog
from validation_gen.diagnostics.formats.locations import is_argument, relative
from validation_gen.diagnostics.formats.registry import Form
from validation_gen.diagnostics.formats.sariflog import About, Explain
from validation_gen.diagnostics.formats.text import concise, full, styler, summary

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
        return to_records(self.found(page))

    def tests(self, page: Page) -> Tests:
        """Returns the results as tests."""
        from validation_gen.diagnostics.formats.junitfile import make_tests, suites  # noqa: PLC0415 - few formats need it

        return make_tests("validation-gen", suites(self.found(page)))

    def log(self, page: Page) -> Log:
        """Returns the results as the log of an analysis."""
        return build_log(self.found(page), page.explain)

    def encode_deep(self, value: Any, indent: int | None) -> str:
        """Encodes a value of `document` or `records` as JSON, when it is too deep for Python's encoder."""
        from validation_gen.runtime.gotext import go_json  # noqa: PLC0415 - hardly ever

        return go_json(value)

    def found(self, page: Page) -> list[Diagnostic]:
        """Returns all findings, also those beside the report, sorted and with the configured levels."""
        return _settle([*self.beside, *self.findings()], page)

    def found_beside(self, page: Page) -> list[Diagnostic]:
        """Returns the findings beside the report, for the forms that include them."""
        return _settle(self.beside, page)


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


def to_records(diagnostics: Iterable[Diagnostic]) -> list[Any]:
    """Returns findings as values of JSON."""
    return [record(each) for each in diagnostics]


def _settle(items: Iterable[Diagnostic], page: Page) -> list[Diagnostic]:
    """Returns findings sorted and with the configured levels, each once."""
    all = Diagnostics()
    for each in items:
        all.add(each)
    page.levels(all)
    return all.sorted()


def render_document(report: Report, page: Page) -> str:
    """Renders the report as one value."""
    return f"{_encode(report, report.document(page), indent=2)}\n"


def render_records(report: Report, page: Page) -> str:
    """Renders a line for each value."""
    return "".join(f"{_encode(report, value)}\n" for value in report.records(page))


def _encode(report: Report, value: Any, indent: int | None = None) -> str:
    try:
        return json.dumps(value, indent=indent, default=repr)  # ASCII only: it survives every pipe and terminal
    except RecursionError:
        return report.encode_deep(value, indent)


def record(d: Diagnostic) -> dict[str, object]:
    """Returns a finding as a value of JSON."""
    return {
        "code": d.code,
        "title": CODES[d.code],
        "severity": d.severity.value,
        "message": d.message,
        **_position(d.span),
        "help": d.help,
        "notes": [{"message": text, **(_position(span) if span else {})} for text, span in d.notes],
        "fix": _fix(d.fix) if d.fix and not d.fix.barrier else None,
    }


def _fix(fix: Fix) -> dict[str, object]:
    """Returns the edits of `--fix`.

    An edit of a whole `comment` also removes its marker, and the line if nothing else is on it.
    """
    edits = [{**_position(each.span), "old": each.old, "new": each.new, "comment": each.line} for each in fix.edits]
    return {"title": fix.title, "edits": edits}


def _position(span: Span) -> dict[str, str | int]:
    return {"file": span.file, "line": span.line, "column": span.column, "end_column": span.end_column}


def render_log(report: Report, page: Page) -> str:
    """Renders the log of a report."""
    return sariflog.sarif_log(report.log(page))


def build_log(diagnostics: Sequence[Diagnostic], explain: Explain | None) -> sariflog.Log:
    """Returns a log of the findings; without any it has no rules."""
    codes = sorted({d.code for d in diagnostics})
    index = {code: place for place, code in enumerate(codes)}
    rules = [_rule(code, (explain or _titles)(code)) for code in codes]
    configuration = [
        sariflog.notification(_level(d.severity), f"{d.span}: {_sentence(d)}", d.code)
        for d in diagnostics
        if is_argument(d.span)
    ]
    failed = any(d.code.startswith("VG9") and d.severity is Severity.ERROR for d in diagnostics)
    return sariflog.Log(
        rules,
        _make_unique([_result(d, index) for d in diagnostics if not is_argument(d.span)]),
        sariflog.sarif_invocation(not failed, configuration=configuration),
    )


def _level(severity: Severity) -> str:
    return "note" if severity is Severity.INFO else severity.value


def _titles(code: str) -> About:
    return About(CODES[code], CODES[code], "", Severity.ERROR)


def _rule(code: str, about: About) -> sariflog.SarifRule:
    words = re.findall(r"[A-Za-z0-9]+", CODES[code])
    name = "".join(word[0].upper() + word[1:] for word in words)
    return sariflog.SarifRule(
        code, name, CODES[code], about.reason, about.text, about.markdown, _level(about.severity), about.uri
    )


def _result(d: Diagnostic, index: dict[str, int]) -> sariflog.Json:
    # Positions are left out, so the fingerprint stays the same when lines move.
    fingerprint = sariflog.compute_fingerprint([d.code, relative(d.span.file), re.sub(r":\d+(:\d+)?\b", "", d.message)])
    result = sariflog.sarif_result(
        d.code,
        index,
        _level(d.severity),
        _sentence(d),
        [sariflog.sarif_location(d.span)],
        {"finding/v1": fingerprint},
    )
    if d.notes:
        result["relatedLocations"] = [
            sariflog.sarif_location(span, message=text, id=number) for number, (text, span) in enumerate(d.notes, 1)
        ]
    if d.fix and not d.fix.barrier:
        result["fixes"] = [sariflog.sarif_fix(d.fix)]
    return result


def _sentence(d: Diagnostic) -> str:
    """Returns problem and help in one text: some servers show nothing else."""
    return sariflog.text(d.message) + (f"; {sariflog.text(d.help)}" if d.help else "")


def _make_unique(results: list[sariflog.Json]) -> list[sariflog.Json]:
    """Returns the results with unique fingerprints: equal findings are numbered in their order."""
    seen: dict[str, int] = {}
    for result in results:
        value = result["partialFingerprints"]["finding/v1"]
        seen[value] = count = seen.get(value, 0) + 1
        if count > 1:
            result["partialFingerprints"] = {"finding/v1": f"{value}:{count}"}
    return results
