"""Reports as JUnit XML: findings are a suite for each file, in which an error is a failed test.

A warning is a passed test with output, so that it never fails a build. There is no standard: the elements and their
attributes are those that the schema of the Jenkins plugin xUnit allows, which other servers accept as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

from validation_gen.diagnostics import Diagnostic, Severity
from validation_gen.diagnostics.formats.report import Page, Report
from validation_gen.diagnostics.formats.text import concise, one_line, short, styler

_LONGEST = 1000


@dataclass(frozen=True, slots=True)
class Failure:
    """Failure of a case. `text` may have several lines."""

    message: str
    type: str
    text: str


@dataclass(frozen=True, slots=True)
class Case:
    """One test. It has failed, was `skipped` for a reason, or has passed. `output` lines are written in any case."""

    name: str
    failure: Failure | None = None
    skipped: str = ""
    output: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Suite:
    """A group of tests. Cases with the same name get numbers: servers would merge them."""

    name: str
    cases: Sequence[Case]
    properties: Sequence[tuple[str, str]] = field(default=())


@dataclass(frozen=True, slots=True)
class Tests:
    """All results: the `suites`, and the optional duration in `seconds`."""

    name: str
    suites: Sequence[Suite]
    seconds: float | None = None


def junit_file(name: str, suites: Sequence[Suite], seconds: float | None = None) -> str:
    """Returns the XML document, with a newline at the end, in ASCII.

    Args:
        name: name of the run.
        suites: the results. Some servers refuse a file without a case.
        seconds: the duration. Without it, the same findings give the same bytes.
    """
    root = ET.Element("testsuites", name=name)
    if seconds is not None:
        root.set("time", f"{seconds:.3f}")
    _count(root, [case for suite in suites for case in suite.cases])
    for suite in suites:
        root.append(_suite(suite))
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="us-ascii").decode()}\n'


def _suite(suite: Suite) -> ET.Element:
    element = ET.Element("testsuite", name=_text(suite.name))
    _count(element, suite.cases)
    element.set("skipped", str(sum(1 for case in suite.cases if case.skipped and not case.failure)))
    properties = ET.SubElement(element, "properties")
    for name, value in suite.properties:
        ET.SubElement(properties, "property", name=_text(name), value=_text(value))
    names: defaultdict[str, int] = defaultdict(int)
    for case in suite.cases:
        name = _text(case.name)
        names[name] += 1
        element.append(_case(suite.name, f"{name} [{names[name]}]" if names[name] > 1 else name, case))
    return element


def _count(element: ET.Element, cases: Sequence[Case]) -> None:
    element.set("tests", str(len(cases)))
    element.set("failures", str(sum(1 for case in cases if case.failure)))
    element.set("errors", "0")


def _case(suite: str, name: str, case: Case) -> ET.Element:
    element = ET.Element("testcase", classname=_text(suite), name=name, time="0")
    if case.failure:  # one only: some servers read no more of a case
        it = case.failure
        failure = ET.SubElement(element, "failure", message=_text(it.message), type=_text(it.type))
        failure.text = "\n".join(_text(line) for line in it.text.split("\n"))
    elif case.skipped:
        ET.SubElement(element, "skipped", message=_text(case.skipped))
    if case.output:
        ET.SubElement(element, "system-out").text = "\n".join(_text(line) for line in case.output)
    return element


def _text(text: str) -> str:
    """Returns a text that XML allows: without control characters and lone surrogates."""
    return short(one_line(text), _LONGEST)


def render(report: Report, page: Page) -> str:
    """Renders the XML document."""
    tests = report.tests(page)
    return junit_file(tests.name, tests.suites, tests.seconds)


def make_tests(name: str, suites: Sequence[Suite]) -> Tests:
    """Returns the suites, or one passed test without findings: servers refuse a file without tests."""
    if not suites:
        return Tests("validation-gen", [Suite("validation-gen", [Case("no findings")])])
    return Tests(name, suites)


def suites(diagnostics: Sequence[Diagnostic]) -> list[Suite]:
    """Returns a suite for each file."""
    files: dict[str, list[Case]] = {}
    for d in diagnostics:
        files.setdefault(d.span.file, []).append(_diagnostic_case(d))
    return [Suite(file, cases) for file, cases in files.items()]


def _diagnostic_case(d: Diagnostic) -> Case:
    name = f"{d.code}: {d.message}"
    notes = [f"{f'{span}: ' if span else ''}note: {text}" for text, span in d.notes]
    lines = [concise([d], styler(False)).rstrip("\n"), *notes]
    if d.severity is Severity.ERROR:
        return Case(name, Failure(d.message, d.code, "\n".join(lines)))
    return Case(name, output=lines)
