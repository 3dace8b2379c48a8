"""Renders the results of test files: for people, for programs, and as results of tests.

A rule is covered if it has held in one case and failed in another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from validation_gen.commands.cel.suites.running import Found, Ran
from validation_gen.commands.cel.suites.subjects import FIELD, Subject
from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.diagnostics.formats import one_line, report
from validation_gen.diagnostics.formats.junitfile import Case, Failure, Suite, Tests, make_tests, suites
from validation_gen.diagnostics.formats.registry import Form
from validation_gen.diagnostics.formats.report import Findings
from validation_gen.kubernetes.objects.rule_stats import render_keys
from validation_gen.runtime.words import counted


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule and its observed results. It is covered if tests have seen it succeed and fail."""

    kind: str
    place: str
    index: int
    text: str
    span: Span
    held: int
    failed: int

    @property
    def state(self) -> str:
        if self.held and self.failed:
            return "covered"
        return "never false" if self.held else "never true" if self.failed else "never seen"


@dataclass(frozen=True, slots=True)
class Coverage:
    """All tested rules, and the required share of covered ones; None if there is no requirement."""

    rules: tuple[Rule, ...] = ()
    least: float | None = None

    @staticmethod
    def from_subjects(subjects: Iterable[Subject], least: float | None = None) -> Coverage:
        return Coverage(tuple(rule for subject in subjects for rule in _rules(subject)), least)

    @property
    def covered(self) -> list[Rule]:
        return [rule for rule in self.rules if rule.state == "covered"]

    @property
    def missing(self) -> list[Rule]:
        return [rule for rule in self.rules if rule.state != "covered"]

    @property
    def percent(self) -> float:
        """Share of covered rules, 100 without rules."""
        return 100 * len(self.covered) / len(self.rules) if self.rules else 100.0

    @property
    def fails(self) -> bool:
        return self.least is not None and self.percent < self.least


def _rules(subject: Subject) -> Iterable[Rule]:
    version = subject.kind.versions[subject.version]
    kind = "" if subject.own is not None else f"{version.api_version} {subject.kind.kind}"
    for seen in subject.seen:
        index = seen.keys[-1]
        assert isinstance(index, int), "rules are in lists"
        place = render_keys(seen.keys)
        if subject.own is not None:
            place = place.removeprefix(f".{FIELD}")
        span = subject.span((*seen.keys, "rule"))
        yield Rule(kind, place, index, seen.rule.strip(), span, seen.held, seen.failed)


@dataclass(frozen=True, slots=True)
class Results(report.Report):
    """The cases that were run, the coverage of the rules, and `beside` them the findings in the files."""

    apart: ClassVar[frozenset[Form]] = frozenset({Form.TEXT, Form.LINES, Form.DOCUMENT})
    ran: Sequence[Ran]
    coverage: Coverage
    beside: Sequence[Diagnostic] = ()

    @property
    def failed(self) -> list[Ran]:
        return [ran for ran in self.ran if ran.fails]

    def findings(self) -> Iterator[Diagnostic]:
        for ran in self.failed:
            message = f"{one_line(ran.case.name)}: {one_line('; '.join(ran.problems))}"
            yield Diagnostic("VG810", Severity.ERROR, message, ran.case.span, "correct the rule, or the expectation")
        if self.coverage.fails:
            for rule in self.coverage.missing:
                message = f"{_STATES[rule.state]}: {_render_position(rule)}{one_line(rule.text)}"
                help = "add a case in which it does"
                yield Diagnostic("VG811", Severity.ERROR, message, rule.span, help)

    def text(self, page: report.Page) -> str:
        lines = [line for ran in self.failed for line in failure(ran)]
        return "".join(f"{line}\n" for line in [*lines, *self._summary()])

    def lines(self, page: report.Page) -> str:
        return Findings(list(self.findings())).lines(page)

    def document(self, page: report.Page) -> dict[str, Any]:
        return {
            "cases": [_case(ran) for ran in self.ran],
            "rules": [_rule(rule) for rule in self.coverage.rules],
            "summary": {
                "cases": len(self.ran),
                "passed": len(self.ran) - len(self.failed),
                "failed": len(self.failed),
                "rules": len(self.coverage.rules),
                "covered": len(self.coverage.covered),
                "percent": round(self.coverage.percent, 1),
            },
        }

    def records(self, page: report.Page) -> Iterable[Any]:
        all = self.document(page)
        return [*report.to_records(self.found_beside(page)), *all["cases"], *all["rules"]]

    def tests(self, page: report.Page) -> Tests:
        return _tests(self, self.found_beside(page))

    # --- for people ---------------------------------------------------------------------------------------------------

    def _summary(self) -> Iterator[str]:
        """Yields the rules that are not covered, then the numbers; nothing if there are only mistakes in files."""
        if not self.ran and self.beside:
            return
        coverage = self.coverage
        for state, title in _STATES.items():
            rules = [rule for rule in coverage.missing if rule.state == state]
            for rule in rules:
                yield f"{rule.span}: {title}: {_render_position(rule)}{one_line(rule.text)}"
        if coverage.rules:
            least = "" if not coverage.fails else f", and at least {coverage.least:g}% is wanted"
            covered = f"{len(coverage.covered)} of {counted(len(coverage.rules), 'rule')} covered"
            yield f"{covered} ({coverage.percent:.0f}%){least}"
        yield f"{counted(len(self.ran), 'case')}: {len(self.ran) - len(self.failed)} passed, {len(self.failed)} failed"


#: The states of rules that are not covered, in the words of a sentence.
_STATES = {
    "never seen": "no case reaches this rule",
    "never false": "no case sees this rule fail",
    "never true": "no case sees this rule hold",
}


def failure(ran: Ran) -> Iterator[str]:
    """Yields a failed case, with its deviations."""
    yield f"{ran.case.span}: {one_line(ran.case.name)}: failed"
    for problem in ran.problems:
        yield f"    {one_line(problem)}"


def _render_position(rule: Rule) -> str:
    return f"{rule.place}: " if rule.place else ""


# --- for programs -----------------------------------------------------------------------------------------------------


def _case(ran: Ran) -> dict[str, Any]:
    span = ran.case.span
    return {
        "file": span.file,
        "line": span.line,
        "name": ran.case.name,
        "status": "failed" if ran.fails else "passed",
        "problems": ran.problems,
        "errors": [_to_dict(each) for each in ran.errors],
        "warnings": [each.message for each in ran.warnings],
        "cost": ran.cost,
    }


def _to_dict(error: Found) -> dict[str, str]:
    return {"path": error.path, "type": error.type, "message": error.message}


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "kind": rule.kind,
        "place": rule.place,
        "index": rule.index,
        "rule": rule.text,
        "source": str(rule.span),
        "held": rule.held,
        "failed": rule.failed,
        "state": rule.state,
    }


def _tests(results: Results, beside: Sequence[Diagnostic]) -> Tests:
    """Returns a suite for each file with its cases, after the suites of findings, and one for required coverage."""
    files: dict[str, list[Case]] = {}
    for ran in results.ran:
        message = Failure(ran.problems[0], "VG810", "\n".join(failure(ran))) if ran.fails else None
        files.setdefault(ran.suite.file, []).append(Case(ran.case.name, message))
    found = [*suites(beside), *(Suite(file, cases) for file, cases in files.items())]
    if results.coverage.fails:
        found += suites([each for each in results.findings() if each.code == "VG811"])
    return make_tests("validation-gen cel test", found)
