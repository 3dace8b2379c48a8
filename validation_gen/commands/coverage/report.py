"""Renders the coverage of tests: tables for people, a state for each declared error, and the missing ones.

Reads the lists of errors that tests need not trigger, for `validation-gen coverage`.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import yaml

from validation_gen.commands.coverage import ROOT, Allowance, Declared, Report
from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from validation_gen.diagnostics.formats import one_line, report
from validation_gen.diagnostics.formats.registry import Form
from validation_gen.files import reading
from validation_gen.kubernetes.yaml import read_unusual
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
            {**{key: getattr(entry, key) for key in _KEYS}, "source": str(entry.span), "message": reason}
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


_KEYS = ("kind", "path", "type", "origin", "reason")


class _UnusableError(Exception):
    """An entry is malformed. The text has the reason."""


def _read(file: str, diagnostics: Diagnostics) -> bytes:
    try:
        return reading.read_named(file)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or error
        diagnostics.error("VG901", f"cannot read: {reason}", Span(Path(file).as_posix()), "check the path")
        return b""


def read_allowances(file: str, diagnostics: Diagnostics) -> Iterator[Allowance]:
    """Yields the entries of a YAML list of allowances. All keys are required, so that no entry allows too much."""
    name = Path(file).as_posix()
    try:
        text = _read(file, diagnostics).decode("utf-8-sig")
        roots = [document.node for document in islice(read_unusual(text), 2)]
    except UnicodeDecodeError as error:
        diagnostics.error("VG901", f"not UTF-8: {error.reason} at byte {error.start + 1}", Span(name))
        return
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        place = Span(name, mark.line + 1, mark.column + 1, mark.column + 2) if mark else Span(name)
        reason = getattr(error, "problem", None) or "it cannot be read"
        help = getattr(error, "note", None) or 'a star is written in quotes: "*"'
        diagnostics.error("VG901", f"not YAML: {reason}", place, help)
        return
    if len(roots) > 1 and roots[1] is not None:
        place = Span(name, roots[1].start_mark.line + 1, 1)
        diagnostics.error("VG901", "there is more than one document", place, "write one list of allowances")
        return
    root = roots[0] if roots else None
    if root is None:
        return
    for node in root.value if isinstance(root, yaml.SequenceNode) else [root]:
        place = Span(name, node.start_mark.line + 1, node.start_mark.column + 1, node.start_mark.column + 2)
        try:
            yield _allowance(node, place)
        except _UnusableError as problem:
            example = '{kind: Robot, path: spec.arm, type: FieldValueRequired, origin: "*", reason: why}'
            diagnostics.error("VG901", f"this entry is no allowance: {problem}", place, f"write - {example}")


def _allowance(node: yaml.Node, place: Span) -> Allowance:
    if not isinstance(node, yaml.MappingNode):
        raise _UnusableError("not a mapping")
    values = {}
    for key, value in node.value:
        if key.value not in _KEYS:
            raise _UnusableError(f"there is no key {key.value!r}; the keys are {', '.join(_KEYS)}")
        if not isinstance(value, yaml.ScalarNode):
            raise _UnusableError(f"{key.value} is not a string")
        values[key.value] = value.value.strip()
    for key in _KEYS:
        if key not in values or (not values[key] and key in ("kind", "type", "reason")):
            raise _UnusableError(f"{key} is missing")
    kind, path, type, origin, reason = (values[key] for key in _KEYS)
    return Allowance(kind, path, type, origin, reason, place)
