"""Renders results as JUnit XML, for servers that show tests: a suite for each kind, a case for each declared rule.

A rule has passed when requests broke it and both sides reported that, failed when mismatches are blamed on it, and is
skipped when no request broke it. Mismatches without a rule are separate cases.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from validation_gen.diagnostics.formats.junitfile import Case, Failure, Suite, Tests
from validation_gen.uses.compare.answers import and_more
from validation_gen.uses.compare.groups import Group
from validation_gen.uses.compare.report.findings import finding, headline
from validation_gen.uses.compare.report.objects import yaml_lines
from validation_gen.uses.compare.report.wording import counted, number, visible
from validation_gen.uses.compare.results import Results, RuleUse

_MOST_NOTES = 5


@dataclass(slots=True)
class _Case:
    """A test case before it is XML."""

    name: str
    source: str
    rule: RuleUse | None
    failures: list[Group] = field(default_factory=list)
    expected: list[Group] = field(default_factory=list)

    @property
    def skipped(self) -> bool:
        return self.rule is not None and not self.rule.count and not self.failures


def tests(results: Results) -> Tests:
    """Returns the results as test cases."""
    suites = [_suite(kind, _cases(results, kind), results) for kind in _kinds(results)]
    return Tests("validation-gen compare", suites, results.seconds)


def _kinds(results: Results) -> list[str]:
    kinds = {kind for kind, _ in results.tallies} | {rule.kind for rule in results.rules}
    return sorted(kinds | {group.sort.kind for group in results.groups.values()})


def _cases(results: Results, kind: str) -> list[_Case]:
    """Returns the cases of a kind: its rules in their order, then mismatches without a rule, most frequent first."""
    rules = [rule for rule in results.rules if rule.kind == kind]
    cases = [_Case(_rule_name(rule), rule.source, rule) for rule in rules]
    others: dict[str, _Case] = {}
    for group in (*results.unexpected(), *results.expected()):
        if group.sort.kind != kind:
            continue
        sort = group.sort
        case = _blamed(cases, group) or others.setdefault(
            name := f"{sort.operation}: {sort.path}: {sort.type}{_in_brackets(sort.origin)}: {sort.cause}",
            _Case(name, sort.source, None),
        )
        (case.expected if group.expected else case.failures).append(group)
    return [*cases, *others.values()]


def _blamed(cases: list[_Case], group: Group) -> _Case | None:
    """Returns the case of the rule to blame for a group: of several errors of a tag, the one of the group."""
    sort = group.sort
    alike = [c for c in cases if c.rule and sort.tag and (c.rule.tag, c.rule.source) == (sort.tag, sort.source)]
    wanted = (sort.path, sort.type, sort.origin)
    exact = [c for c in alike if c.rule and (c.rule.path, c.rule.type, c.rule.origin) == wanted]
    return next(iter(exact or alike), None)


def _rule_name(rule: RuleUse) -> str:
    return f"{rule.path}: {rule.type}{_in_brackets(rule.origin)}: {rule.tag}"


def _in_brackets(text: str) -> str:
    return f" ({text})" if text else ""


# --- as test cases ----------------------------------------------------------------------------------------------------


def _suite(kind: str, cases: list[_Case], results: Results) -> Suite:
    properties = [
        (f"{operation}: {name}", str(count))
        for (of, operation), tally in sorted(results.tallies.items())
        if of == kind
        for name, count in (("agreeing", tally.agreeing), ("differing", tally.differing))
    ]
    properties += [("note", note) for note in results.limits[:_MOST_NOTES]]
    return Suite(kind, [_case(case) for case in cases], properties)


def _case(case: _Case) -> Case:
    failure = None
    if case.failures:
        total = sum(group.count for group in case.failures)
        first = case.failures[0]
        message = f"{counted(total, 'mismatch')}: {first.sort.cause}: {first.example.text or first.example.message}"
        failure = Failure(message, first.sort.cause, "\n\n".join(_described(group) for group in case.failures))
    lines = [f"source: {case.source}"] if case.source else []
    lines += [f"expected: {counted(g.count, 'mismatch')}, {g.sort.path}: {g.expected}" for g in case.expected]
    return Case(case.name, failure, "no request broke this rule" if case.skipped else "", lines)


def _described(group: Group) -> str:
    """Describes a group in some lines: the difference, the cause, the object and both answers."""
    it, sort, example = finding(group), group.sort, group.example
    lines = [
        visible(f"{sort.source or sort.kind}: {sort.cause}: {number(group.count)} {headline(group)}"),
        visible(f"{sort.operation}, {sort.path}: {sort.type}{_in_brackets(sort.origin)}"),
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
