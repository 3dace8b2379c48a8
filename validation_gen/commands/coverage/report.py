"""Renders the coverage of tests: tables for people, a state for each declared error, and the missing ones."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from validation_gen.commands.coverage import ROOT, Declared, Report
from validation_gen.diagnostics import Diagnostic, Severity
from validation_gen.diagnostics.formats import one_line, report
from validation_gen.diagnostics.formats.registry import Form
from validation_gen.runtime.words import counted

if TYPE_CHECKING:
    from validation_gen.diagnostics.formats.junitfile import Tests


@dataclass(frozen=True, slots=True)
class Covered(report.Report):
    """The coverage, and `beside` it the findings about types and observations."""

    apart: ClassVar[frozenset[Form]] = frozenset({Form.TEXT, Form.DOCUMENT})
    coverage: Report
    beside: Sequence[Diagnostic]

    def findings(self) -> Iterator[Diagnostic]:
        return _findings(self.coverage)

    def text(self, page: report.Page) -> str:
        return "".join(f"{one_line(line)}\n" for line in _lines(self.coverage))

    def document(self, page: report.Page) -> dict[str, Any]:
        return _as_dict(self.coverage)

    def records(self, page: report.Page) -> Iterable[Any]:
        all = _as_dict(self.coverage)
        return [*report.to_records(self.found_beside(page)), *all["rules"], *all["stale"]]

    def tests(self, page: report.Page) -> Tests:
        return _tests(self.coverage, self.found_beside(page))


# --- for people ------------------------------------------------------------------------------------------------------


def _lines(coverage: Report) -> Iterator[str]:
    """Yields the kinds in a table, then the missing errors and the stale allowances, then the numbers."""
    if coverage.rules:
        parts = (coverage.rules, coverage.triggered, coverage.allowed, coverage.missing)
        counts = [Counter(map(_kind, part)) for part in parts]
        rows = [(kind, *(str(count[kind]) for count in counts)) for kind in counts[0]]
        yield from _table([("KIND", "DECLARED", "TRIGGERED", "ALLOWED", "MISSING"), *rows], numbers=True)
        yield ""
    for kind, rules in itertools.groupby(coverage.missing, _kind):
        yield f"No test triggers, of {kind}:"
        yield from _table([(str(r.span), r.path or ROOT, r.type, r.origin or "-", r.tag) for r in rules])
        yield ""
    for entry, reason in coverage.stale:
        yield f"{entry.span}: this entry is not needed: {reason}"
    if coverage.stale:
        yield ""
    yield (
        f"{counted(len(coverage.rules), 'error')} declared: {len(coverage.triggered)} triggered, "
        f"{len(coverage.allowed)} allowed, {len(coverage.missing)} missing"
    )


def _kind(rule: Declared) -> str:
    return f"{rule.package}.{rule.kind}"


def _table(rows: list[tuple[str, ...]], *, numbers: bool = False) -> Iterator[str]:
    """Yields rows with aligned columns; numbers, behind the first column, are aligned to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        first, *others = (f"{cell:{'>' if numbers and i else '<'}{widths[i]}}" for i, cell in enumerate(row))
        yield "  ".join([first, *others]).rstrip()


# --- for programs ----------------------------------------------------------------------------------------------------


def _findings(coverage: Report) -> Iterator[Diagnostic]:
    for rule in coverage.missing:
        message = f"no test triggers, of {_kind(rule)}, {_error(rule)} of {rule.tag}"
        help = "add a test that breaks the rule, or allow it with a reason in a file for --allow"
        yield Diagnostic("VG805", Severity.ERROR, message, rule.span, help)
    for entry, reason in coverage.stale:
        message = f"this entry is not needed: {reason}"
        yield Diagnostic("VG806", Severity.ERROR, message, entry.span, "take it out")


def _error(rule: Declared) -> str:
    return f"{rule.path or ROOT}: {rule.type}{f' ({rule.origin})' if rule.origin else ''}"


def _tests(coverage: Report, beside: Sequence[Diagnostic]) -> Tests:
    """Returns a suite for each kind with a case for each error, after the suites of findings."""
    from validation_gen.diagnostics.formats.junitfile import Case, Failure, Suite, make_tests, suites  # noqa: PLC0415 - late: few formats need it  # noqa: PLC0415

    kinds: dict[str, list[Case]] = {}
    missing = set(coverage.missing)
    for rule in coverage.rules:
        failure = None
        if rule in missing:
            failure = Failure("no test triggers this error", "VG805", f"{rule.span}: no test triggers this error")
        allowance = coverage.allowed.get(rule)
        case = Case(f"{_error(rule)}: {rule.tag}", failure, allowance.reason if allowance else "", [str(rule.span)])
        kinds.setdefault(_kind(rule), []).append(case)
    others = [*beside, *(found for found in _findings(coverage) if found.code == "VG806")]
    told = [*suites(others), *(Suite(kind, cases) for kind, cases in kinds.items())]
    return make_tests("validation-gen coverage", told)


def _as_dict(coverage: Report) -> dict[str, Any]:
    return {
        "rules": [_rule(rule, coverage) for rule in coverage.rules],
        "stale": [
            {
                "kind": entry.kind,
                "path": entry.path,
                "type": entry.type,
                "origin": entry.origin,
                "reason": entry.reason,
                "source": str(entry.span),
                "message": reason,
            }
            for entry, reason in coverage.stale
        ],
        "summary": {
            "declared": len(coverage.rules),
            "triggered": len(coverage.triggered),
            "allowed": len(coverage.allowed),
            "missing": len(coverage.missing),
        },
    }


def _rule(rule: Declared, coverage: Report) -> dict[str, str]:
    """Returns a declared error and its state; `reason` has the reason of its allowance."""
    allowance = coverage.allowed.get(rule)
    state = "triggered" if rule in coverage.triggered else "missing" if allowance is None else "allowed"
    return {
        "package": rule.package,
        "apiVersion": rule.api_version,
        "kind": rule.kind,
        "path": rule.path or ROOT,
        "type": rule.type,
        "origin": rule.origin,
        "tag": rule.tag,
        "source": str(rule.span),
        "state": state,
        "reason": allowance.reason if allowance else "",
    }
