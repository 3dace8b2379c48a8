"""Results as JUnit XML, for servers that show tests: a suite a kind, a test case a declared rule.

A rule has passed when requests broke it and both sides said so, failed when mismatches are blamed on it, and is skipped
when no request broke it. Mismatches that no rule is blamed for are cases of their own.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

from validation_gen.compare.report.findings import finding, headline
from validation_gen.compare.report.objects import yaml_lines
from validation_gen.compare.report.wording import counted, number, short, visible
from validation_gen.compare.results import Group, Results, RuleUse

_LONGEST = 1000


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


def render_junit(results: Results) -> str:
    """The results as an XML document."""
    suites = {kind: _cases(results, kind) for kind in _kinds(results)}
    root = ET.Element("testsuites", name="validation-gen compare", time=f"{results.seconds:.3f}")
    for kind, cases in suites.items():
        root.append(_suite(kind, cases, results))
    _count(root, [case for cases in suites.values() for case in cases])
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _kinds(results: Results) -> list[str]:
    kinds = {kind for kind, _ in results.tallies} | {rule.kind for rule in results.rules}
    return sorted(kinds | {group.sort.kind for group in results.groups.values()})


def _cases(results: Results, kind: str) -> list[_Case]:
    """The cases of a kind: its rules in their order, then mismatches without a rule, most frequent first."""
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
    """The case of the rule that a group is blamed on: of several errors of a tag, the one that the group is about."""
    sort = group.sort
    alike = [c for c in cases if c.rule and sort.tag and (c.rule.tag, c.rule.source) == (sort.tag, sort.source)]
    wanted = (sort.path, sort.type, sort.origin)
    exact = [c for c in alike if c.rule and (c.rule.path, c.rule.type, c.rule.origin) == wanted]
    return next(iter(exact or alike), None)


def _rule_name(rule: RuleUse) -> str:
    return f"{rule.path}: {rule.type}{_in_brackets(rule.origin)}: {rule.tag}"


def _in_brackets(text: str) -> str:
    return f" ({text})" if text else ""


# --- XML --------------------------------------------------------------------------------------------------------------


def _suite(kind: str, cases: list[_Case], results: Results) -> ET.Element:
    suite = ET.Element("testsuite", name=_text(kind))
    _count(suite, cases)
    properties = ET.SubElement(suite, "properties")
    for (of, operation), tally in sorted(results.tallies.items()):
        if of == kind:
            for name, count in (("agreeing", tally.agreeing), ("differing", tally.differing)):
                ET.SubElement(properties, "property", name=_text(f"{operation}: {name}"), value=str(count))
    names: defaultdict[str, int] = defaultdict(int)
    for case in cases:
        name = _text(case.name)
        names[name] += 1
        if names[name] > 1:  # two tags that say the same; servers take cases of one name for one case
            name = f"{name} [{names[name]}]"
        suite.append(_element(kind, name, case))
    return suite


def _count(element: ET.Element, cases: list[_Case]) -> None:
    element.set("tests", str(len(cases)))
    element.set("failures", str(sum(1 for case in cases if case.failures)))
    element.set("errors", "0")
    element.set("skipped", str(sum(1 for case in cases if case.skipped)))


def _element(kind: str, name: str, case: _Case) -> ET.Element:
    element = ET.Element("testcase", classname=_text(kind), name=name, time="0")
    if case.failures:  # some servers read only one failure of a case
        total = sum(group.count for group in case.failures)
        first = case.failures[0]
        message = f"{counted(total, 'mismatch')}: {first.sort.cause}: {first.example.text or first.example.message}"
        failure = ET.SubElement(element, "failure", message=_text(message), type=_text(first.sort.cause))
        failure.text = "\n\n".join(_described(group) for group in case.failures)
    elif case.skipped:
        ET.SubElement(element, "skipped", message="no request broke this rule")
    lines = [f"source: {_text(case.source)}"] if case.source else []
    lines += [_text(f"expected: {counted(g.count, 'mismatch')}, {g.sort.path}: {g.expected}") for g in case.expected]
    if lines:
        ET.SubElement(element, "system-out").text = "\n".join(lines)
    return element


def _described(group: Group) -> str:
    """A group in some lines: what differs, why, the object and both answers."""
    it, sort, example = finding(group), group.sort, group.example
    lines = [
        _text(f"{sort.source or sort.kind}: {sort.cause}: {number(group.count)} {headline(group)}"),
        _text(f"{sort.operation}, {sort.path}: {sort.type}{_in_brackets(sort.origin)}"),
        *([_text(example.text)] if example.text else []),
        _text(f"found at: {example.place or 'made for this run'}"),
    ]
    for side, answers in (("handwritten", it.handwritten), ("declarative", it.declarative)):
        lines.append(f"{side}:{'' if answers else ' accepts the object'}")
        lines += [f"  {'>' if answer.blamed else '-'} {_text(answer.message)}" for answer in answers]
    lines.append("object:")
    lines += [f"{'> ' if line.marked else '  '}{line.text}" for line in yaml_lines(example.obj, it.way, 30)]
    return "\n".join(lines)


def _text(text: str) -> str:
    """A text that XML can hold, which has no control characters and no halves of surrogate pairs."""
    return short(visible(text), _LONGEST)
