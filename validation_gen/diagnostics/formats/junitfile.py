"""Writer of JUnit files: the only module that knows the names of the format.

There is no standard. The elements and their attributes are those that the schema of the Jenkins plugin xUnit allows,
which other servers accept as well. Texts are escaped here; nothing here knows what a finding is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

from validation_gen.diagnostics.formats.lines import one_line, short

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
