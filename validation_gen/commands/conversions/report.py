"""Renders the results of a check of conversions: for people, for programs, and as results of tests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from validation_gen.commands.conversions.checking import Problem, RoundTrip
from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.diagnostics.formats import one_line, report
from validation_gen.diagnostics.formats.junitfile import Tests, make_tests, suites
from validation_gen.diagnostics.formats.registry import Form
from validation_gen.diagnostics.formats.report import Findings
from validation_gen.diagnostics.formats.text import full, styler
from validation_gen.runtime.words import counted
from validation_gen.webhooks.conversions.values import ABSENT, render_value

#: Maximum number of fields in a line.
_MOST_NAMED = 12
_LONGEST_EXAMPLE = 600


@dataclass(frozen=True, slots=True)
class Checked(report.Report):
    """The round trips with their problems, and `beside` them the findings in the sources.

    `spans` are the locations of conversions, by kind and versions; `file` is the fallback.
    """

    apart: ClassVar[frozenset[Form]] = frozenset({Form.TEXT, Form.LINES, Form.DOCUMENT})
    trips: Sequence[RoundTrip]
    file: str
    spans: dict[tuple[str, str, str], Span]
    beside: Sequence[Diagnostic] = ()

    @property
    def failed(self) -> list[RoundTrip]:
        """The round trips with problems."""
        return [trip for trip in self.trips if trip.problems]

    def findings(self) -> Iterator[Diagnostic]:
        for trip in self.trips:
            span = self.spans.get((trip.kind, trip.source, trip.target), Span(self.file))
            for problem in trip.problems:
                message, help = explain_problem(trip, problem)
                text = json.dumps(problem.example, default=repr, separators=(", ", ": "))
                example = text if len(text) <= _LONGEST_EXAMPLE else f"{text[:_LONGEST_EXAMPLE]}…"
                notes = ((f"for example {one_line(example)}", None),)
                yield Diagnostic(problem.code, Severity.ERROR, message, span, help, notes)

    def text(self, page: report.Page) -> str:
        found = list(self.findings())
        text = full(found, styler(page.color), page.columns) if found else ""
        lines = "".join(f"{one_line(line)}\n" for trip in self.trips for line in _lines(trip))
        return f"{text}\n{lines}" if text else lines

    def lines(self, page: report.Page) -> str:
        return Findings(list(self.findings())).lines(page)

    def document(self, page: report.Page) -> dict[str, Any]:
        return {
            "ways": [_as_json(trip) for trip in self.trips],
            "summary": {
                "ways": len(self.trips),
                "failed": len(self.failed),
                "objects": sum(trip.objects for trip in self.trips),
                "problems": sum(len(trip.problems) for trip in self.trips),
            },
        }

    def records(self, page: report.Page) -> Iterable[Any]:
        return [*report.to_records(self.found_beside(page)), *self.document(page)["ways"]]

    def tests(self, page: report.Page) -> Tests:
        return make_tests("validation-gen crd test-conversion", suites(self.found(page)))


def explain_problem(trip: RoundTrip, problem: Problem) -> tuple[str, str]:
    """Returns the message and the help of a problem."""
    way = f"{trip.kind} from {trip.source} to {trip.target}"
    share = f"in {problem.count} of {counted(trip.objects, 'object')}"
    before, after = _value(problem.before), _value(problem.after)
    name = one_line(problem.field) or "the object"
    match problem.sort:
        case "lost" if problem.text:
            help = f'move it, or declare FieldOnlyIn("{trip.source}", "{name}")'
            if not problem.own:
                help = f"move it, or declare a FieldOnlyIn for {trip.source}"
            such = "" if problem.before is ABSENT else f", such as {before}"
            return f"{way}: {name} {one_line(problem.text)}{such}, {share}", help
        case "lost":
            help = (
                f'convert it, or declare that it is kept: FieldOnlyIn("{trip.source}", "{name}"), or keeps=["{name}"]'
            )
            return f"{way}: {name} is lost: {before} comes back as {after}, {share}", help
        case "invalid":
            help = f"convert it to what {trip.target} takes"
            return f"{way}: {name} is not valid in {trip.target}: {one_line(problem.text)}, {share}", help
        case "failed":
            help = "a conversion takes every object that is valid in its version"
            said = f" ({one_line(problem.after)})" if isinstance(problem.after, str) and problem.after else ""
            return f"{one_line(problem.text)}{said}, {share}", help
    help = "convert the same object to the same one each time, whatever was converted before"
    return f"{way} and back: {name} has changed: {before} came back as {after}, {share}", help


def _value(value: Any) -> str:
    return "nothing" if value is ABSENT else one_line(render_value(value))


def _lines(trip: RoundTrip) -> Iterator[str]:
    """Yields the summary of a round trip, with the fields that have no problem."""
    text = counted(len(trip.problems), "problem") if trip.problems else "no problem"
    yield f"{trip.kind} {trip.source} -> {trip.target} -> {trip.source}: {counted(trip.objects, 'object')}, {text}"
    if trip.kept:
        yield f"  kept in the annotation: {_some(list(trip.kept))}"
    if trip.unreached:
        yield f"  never drawn, as no valid value was found: {_some(trip.unreached)}"
    if trip.skipped:
        yield f"  not drawn, as these are too few objects (--cases): {counted(len(trip.skipped), 'field')}"


def _some(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _as_json(trip: RoundTrip) -> dict[str, Any]:
    return {
        "kind": trip.kind,
        "group": trip.group,
        "from": trip.source,
        "to": trip.target,
        "objects": trip.objects,
        "problems": [_problem(trip, problem) for problem in trip.problems],
        "kept": trip.kept,
        "unreached": trip.unreached,
        "skipped": trip.skipped,
    }


def _problem(trip: RoundTrip, problem: Problem) -> dict[str, Any]:
    values = {"before": problem.before, "after": problem.after}
    return {
        "code": problem.code,
        "field": problem.field,
        "message": explain_problem(trip, problem)[0],
        "objects": problem.count,
        **{name: value for name, value in values.items() if value is not ABSENT},
        "example": problem.example,
    }
