"""Renders results for code hosts, editors and servers that show tests: SARIF 2.1.0, JUnit XML, and all forms by name.

In SARIF a rule is a cause and a result is a group; source positions are import paths, which only the caller can map to
files. In JUnit a suite is a kind and a case a declared rule: it has passed when requests broke it and both sides
reported that, failed when mismatches are blamed on it, and is skipped when no request broke it. Mismatches without a
rule are separate cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, ClassVar

from validation_gen.commands.compare.groups import Group, Sort, and_more
from validation_gen.commands.compare.report.sections import REASONS, reason, slug
from validation_gen.commands.compare.report.text import render_concise, render_text, yaml_lines
from validation_gen.commands.compare.report.wording import counted, finding, fingerprint, headline, visible
from validation_gen.commands.compare.results import Results, RuleUse
from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.diagnostics.formats import one_line
from validation_gen.diagnostics.formats.junitfile import Case, Failure, Suite, Tests
from validation_gen.diagnostics.formats.registry import Form
from validation_gen.diagnostics.formats.report import Page, Report, to_records
from validation_gen.diagnostics.formats.sariflog import (
    Json,
    Log,
    SarifRule,
    notification,
    sarif_invocation,
    sarif_location,
    sarif_result,
    text,
)

#: Maps a source position to a file, line and column; `None` if it is not a file of the user.
Locate = Callable[[str, str], tuple[str | PurePath, int, int] | None]


def log(results: Results, locate: Locate) -> Log:
    """Returns the contents of a SARIF log."""
    groups = [*results.unexpected(), *results.expected()]
    causes = {slug(group.sort.cause): group.sort.cause for group in groups}
    causes |= {slug(cause.value): cause.value for cause in REASONS}
    index = {id: place for place, id in enumerate(sorted(causes))}
    return Log(
        [_rule(id, causes[id]) for id in index],
        [_result(group, index, locate) for group in groups],
        _invocation(results),
        {
            "automationDetails": {"id": "validation-gen/compare/"},
            "properties": {
                "totals": results.as_json()["totals"],
                "about": {text(name): text(value) for name, value in results.about.items()},
            },
        },
    )


def _rule(id: str, cause: str) -> SarifRule:
    why, name = reason(cause), "".join(word.capitalize() for word in id.split("-"))
    summary = cause or id
    return SarifRule(id, name, summary, why.means or summary, text(why.help or summary))


def _invocation(results: Results) -> Json:
    notes = [notification("warning", note) for note in results.notes]
    if results.interrupted:
        interrupted = "The run was interrupted: the results are those of a part of the input."
        notes.append(notification("warning", interrupted))
    return sarif_invocation(not results.interrupted, notes)


def _result(group: Group, index: dict[str, int], locate: Locate) -> Json:
    sort, example = group.sort, group.example
    why = example.text or example.message or reason(sort.cause).means or sort.cause
    what = f"{headline(group)}: {sort.kind}, {sort.operation}, {_error(sort)}."
    result = sarif_result(
        slug(sort.cause),
        index,
        "note" if group.expected else "error",
        f"{text(why)} {text(what)}",
        [_location(group, locate)],
        {"mismatch/v1": fingerprint(group)},
    )
    result["occurrenceCount"] = group.count
    if group.expected:
        justification = text(group.expected)
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": justification}]
    it, more = finding(group), example.more
    result["properties"] = {
        "tag": text(sort.tag),
        "place": text(example.place),
        "handwritten": [*(text(answer.message) for answer in it.handwritten), *and_more(more.get("handwritten", 0))],
        "declarative": [*(text(answer.message) for answer in it.declarative), *and_more(more.get("declarative", 0))],
    }
    return result


def _location(group: Group, locate: Locate) -> Json:
    """Returns the tag on disk, if it is the user's, and the field of the kind in any case."""
    sort = group.sort
    found = locate(sort.source, sort.tag) if sort.source else None
    span = Span(str(found[0]), found[1], found[2]) if found else None
    return sarif_location(span, f"{sort.kind}: {sort.path}", "member")


_MOST_NOTES = 5


def tests(results: Results) -> Tests:
    """Returns the results as test cases."""
    kinds = {kind for kind, _ in results.tallies} | {rule.kind for rule in results.rules}
    kinds |= {group.sort.kind for group in results.groups.values()}
    return Tests("validation-gen compare", [_suite(kind, results) for kind in sorted(kinds)], results.seconds)


def _suite(kind: str, results: Results) -> Suite:
    """Returns the suite of a kind: its rules in their order, then mismatches without a rule, most frequent first."""
    rules = [rule for rule in results.rules if rule.kind == kind]
    blamed: list[list[Group]] = [[] for _ in rules]  # by rule
    others: dict[str, list[Group]] = {}
    for group in (*results.unexpected(), *results.expected()):
        if group.sort.kind == kind:
            number = _find_rule(rules, group)
            name = f"{group.sort.operation}: {_error(group.sort)}: {group.sort.cause}"
            (others.setdefault(name, []) if number is None else blamed[number]).append(group)
    named = zip(rules, blamed, strict=True)
    cases = [_case(f"{_error(rule)}: {rule.tag}", rule.source, groups, rule) for rule, groups in named]
    cases += [_case(name, groups[0].sort.source, groups) for name, groups in others.items()]
    properties = [
        (f"{operation}: {name}", str(count))
        for (of, operation), tally in sorted(results.tallies.items())
        if of == kind
        for name, count in (("agreeing", tally.agreeing), ("differing", tally.differing))
    ]
    properties += [("note", note) for note in results.limits[:_MOST_NOTES]]
    return Suite(kind, cases, properties)


def _find_rule(rules: list[RuleUse], group: Group) -> int | None:
    """Returns the number of the rule to blame for a group: of several errors of a tag, the one of the group."""
    sort = group.sort
    alike = [n for n, rule in enumerate(rules) if sort.tag and (rule.tag, rule.source) == (sort.tag, sort.source)]
    wanted = (sort.path, sort.type, sort.origin)
    exact = [n for n in alike if (rules[n].path, rules[n].type, rules[n].origin) == wanted]
    return next(iter(exact or alike), None)


def _case(name: str, source: str, groups: list[Group], rule: RuleUse | None = None) -> Case:
    failures, failure = [group for group in groups if not group.expected], None
    if failures:
        total, first = sum(group.count for group in failures), failures[0]
        message = f"{counted(total, 'mismatch')}: {first.sort.cause}: {first.example.text or first.example.message}"
        failure = Failure(message, first.sort.cause, "\n\n".join(map(_describe, failures)))
    lines = [f"source: {source}"] if source else []
    expected = [group for group in groups if group.expected]
    lines += [f"expected: {counted(g.count, 'mismatch')}, {g.sort.path}: {g.expected}" for g in expected]
    is_skipped = rule is not None and not rule.count and not failures
    return Case(name, failure, "no request broke this rule" if is_skipped else "", lines)


def _error(error: RuleUse | Sort) -> str:
    return f"{error.path}: {error.type}{f' ({error.origin})' if error.origin else ''}"


def _describe(group: Group) -> str:
    """Describes a group in some lines: the difference, the cause, the object and both answers."""
    it, sort, example = finding(group), group.sort, group.example
    lines = [
        visible(f"{sort.source or sort.kind}: {sort.cause}: {headline(group)}"),
        visible(f"{sort.operation}, {_error(sort)}"),
        *([visible(example.text)] if example.text else []),
        visible(f"found at: {example.place or 'made for this run'}"),
    ]
    for side, answers in (("handwritten", it.handwritten), ("declarative", it.declarative)):
        lines.append(f"{side}:{'' if answers else ' accepts the object'}")
        lines += [f"  {'>' if answer.blamed else '-'} {visible(answer.message)}" for answer in answers]
        lines += [f"  {line}" for line in and_more(example.more.get(side, 0))]
    lines.append("object:")
    lines += [f"{'> ' if line.marked else '  '}{line.text}" for line in yaml_lines(example.obj, it.way, 30)]
    return "\n".join(lines)


_WIDTH = 100  # columns without a terminal


@dataclass(frozen=True, slots=True)
class Compared(Report):
    """The results of a comparison, and `beside` them the findings of the run.

    Attributes:
        locate: finds the file of a source position. Relative names become relative URIs, as code hosts need them.
        saved: the files with saved requests, for people.
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
        text = render_text(self.results, color=page.color, width=page.columns or _WIDTH)
        return text + "".join(f"{one_line(f'saved {file}')}\n" for file in self.saved)

    def lines(self, page: Page) -> str:
        return render_concise(self.results, color=page.color)

    def document(self, page: Page) -> dict[str, Any]:
        """Returns the document for other programs and later runs; the keys have a fixed order."""
        return self.results.as_json()

    def records(self, page: Page) -> Iterable[Any]:
        """Returns a value for each difference, expected ones last, then one value with all other results."""
        data = self.results.as_json()
        groups = data.pop("mismatches")
        return [*to_records(self.found_beside(page)), *groups, data]

    def tests(self, page: Page) -> Tests:
        return tests(self.results)

    def log(self, page: Page) -> Log:
        return log(self.results, self.locate)
