"""Renders results as one self-contained page of HTML: without other files, without a server, readable without scripts.

The templates in `templates/report/` lay out what is prepared here: every number and sentence, in the order of the page.
The page forbids itself every request, and every style and script but its own two, which its policy lists by their
hashes.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from validation_gen.commands.compare.groups import Group
from validation_gen.commands.compare.report import history as charts
from validation_gen.commands.compare.report.history import History, Run
from validation_gen.commands.compare.report.sections import Section, section
from validation_gen.commands.compare.report.wording import counted, duration, number, percent, rate, short, visible
from validation_gen.commands.compare.results import Results, RuleUse
from validation_gen.emit.text import directory

if TYPE_CHECKING:
    import jinja2


#: Maximum number of groups with a section. More are in the table, and all in the JSON report.
MOST_SECTIONS = 500
_MOST_ROWS = 2000
_MOST_RUNS = 60
_LONGEST = 300
_FEW = 100  # up to this number of groups, examples are shown at length

_ABOUT = {
    "paths": "Declared by tags in",
    "handwritten": "Handwritten side",
    "objects": "Objects",
    "target": "Target release",
    "settings": "Settings",
    "fuzz": "Requests drawn",
    "seed": "Seed",
}


@dataclass(frozen=True, slots=True)
class Fact:
    """A name with a text. `id` and `value` are those of totals, for programs that read the page."""

    name: str
    text: str
    id: str = ""
    value: int = 0


@dataclass(frozen=True, slots=True)
class KindRow:
    """A row of the table of agreement. The shares are in percent, for a bar."""

    kind: str
    operation: str
    compared: int
    agreeing: int
    differing: int
    invalid: int
    share: str
    width: str


@dataclass(frozen=True, slots=True)
class RunRow:
    """An earlier run."""

    time: str
    compared: str
    agreement: str
    mismatches: str
    expected: str
    bad: str
    state: str
    causes: str


@dataclass(frozen=True, slots=True)
class Page:
    """The page. `verdict` is `agree`, `differ` or `nothing`, `notes` are the limits of its statements."""

    title: str
    verdict: str
    sentence: str
    notes: list[str]
    about: list[Fact]
    totals: list[Fact]
    kinds: list[KindRow]
    pictures: list[charts.Bars]
    sections: list[Section]
    more: list[Section]
    expected: list[Section]
    unused: list[RuleUse]
    unused_count: int
    rules: int
    inputs: list[str]
    bad: int
    times: list[Fact]
    lines: list[charts.Line]
    hollow: str
    runs: list[RunRow]
    problems: list[str]


def page(results: Results, history: History, beside: str | None = None) -> Page:
    """Prepares the page. With `beside`, its directory, it has links to sources."""
    groups, expected = results.unexpected(), results.expected()
    unused = [rule for rule in results.rules if not rule.count]
    verdict, sentence = _verdict(results)
    lines = 60 if len(groups) + len(expected) <= _FEW else 25
    rows = [
        section(group, place, results.about, lines if place <= MOST_SECTIONS else 0, beside)
        for place, group in enumerate(groups, 1)
    ]
    return Page(
        title=f"{sentence} Handwritten and declarative validation",
        verdict=verdict,
        sentence=sentence,
        notes=_notes(results),
        about=[
            Fact(_ABOUT.get(name, short(name, 40)), short(text, _LONGEST))
            for name, text in results.about.items()
            if text
        ],
        totals=_totals(results),
        kinds=_kinds(results),
        pictures=_pictures(groups),
        sections=rows[:MOST_SECTIONS],
        more=rows[MOST_SECTIONS:],
        expected=[section(group, place, results.about, lines, beside) for place, group in enumerate(expected, 1)],
        unused=[_shortened(rule) for rule in unused[:_MOST_ROWS]],
        unused_count=len(unused),
        rules=len(results.rules),
        inputs=[short(note, _LONGEST) for note in results.notes],
        bad=results.bad,
        times=_times(results),
        lines=charts.lines(history.runs),
        hollow="Hollow points are interrupted runs." if any(run.interrupted for run in history.runs) else "",
        runs=[_run(run) for run in reversed(history.runs[-_MOST_RUNS:])],
        problems=[f"line {problem.line}: {short(problem.reason, _LONGEST)}" for problem in history.problems],
    )


def _verdict(results: Results) -> tuple[str, str]:
    if not results.compared:
        return "nothing", "Nothing was compared."
    if not results.mismatches:
        return "agree", f"No mismatches in {counted(results.compared, 'request')}."
    groups = counted(len(results.unexpected()), "group")
    return "differ", f"{counted(results.mismatches, 'mismatch')} in {groups}."


def _notes(results: Results) -> list[str]:
    notes = []
    if results.interrupted:
        notes.append("The run was interrupted. All numbers are those of a part of the input.")
    if results.panics:
        was = "was 1 request" if results.panics == 1 else f"were {number(results.panics)} requests"
        notes.append(f"There {was} for which declarative validation failed.")
    if results.bad:
        notes.append(f"{counted(results.bad, 'input')} could not be compared.")
    if results.defaulted:
        names = short(", ".join(results.defaulted), _LONGEST)
        notes.append(
            f"Requests do not say whether these validation options are on, so they were taken to be off: {names}."
        )
    return notes


def _totals(results: Results) -> list[Fact]:
    totals = results.as_json()["totals"]
    names = {
        "compared": "requests compared",
        "agreeing": f"agree ({percent(results.agreeing, results.compared)})",
        "differing": "differ",
        "mismatches": "mismatches",
        "expected": "expected differences",
        "bad": "inputs not compared",
        "panics": "panics",
        "exercised": "rules exercised",
        "rules": "rules declared",
    }
    return [Fact(text, number(totals[name]), name, totals[name]) for name, text in names.items()]


def _kinds(results: Results) -> list[KindRow]:
    rows = []
    for (kind, operation), tally in sorted(results.tallies.items()):
        total = tally.agreeing + tally.differing
        width = f"{tally.agreeing * 100 / total:.2f}%" if total else "0%"
        share = percent(tally.agreeing, total)
        counts = (total, tally.agreeing, tally.differing, tally.invalid)
        rows.append(KindRow(short(kind, _LONGEST), operation, *counts, share, width))
    return rows


def _pictures(groups: list[Group]) -> list[charts.Bars]:
    if not groups:
        return []
    return [
        charts.bars("By cause", groups, lambda group: group.sort.cause),
        charts.bars("By path", groups, lambda group: group.sort.path),
        charts.bars("By tag", groups, lambda group: group.sort.tag or "(no tag)"),
    ]


def _shortened(rule: RuleUse) -> RuleUse:
    path, origin, tag, source = (short(text, _LONGEST) for text in (rule.path, rule.origin, rule.tag, rule.source))
    return replace(rule, kind=short(rule.kind, _LONGEST), path=path, origin=origin, tag=tag, source=source)


def _times(results: Results) -> list[Fact]:
    if results.seconds <= 0:
        return []
    count = results.compared or 1
    sides = {"Handwritten side": results.handwritten_seconds, "Declarative side": results.declarative_seconds}
    return [
        Fact("From start to end", duration(results.seconds)),
        Fact("Rate", f"{rate(results.compared, results.seconds)} requests a second"),
        *(Fact(name, f"{duration(took)}, {duration(took / count)} a request") for name, took in sides.items()),
    ]


def _run(run: Run) -> RunRow:
    totals = run.totals
    causes = ", ".join(f"{cause}: {number(count)}" for cause, count in sorted(run.causes.items()))
    return RunRow(
        time=short(run.time, 40),
        compared=number(totals["compared"]),
        agreement=percent(totals["agreeing"], totals["compared"]),
        mismatches=number(totals["mismatches"]),
        expected=number(totals["expected"]),
        bad=number(totals["bad"]),
        state="interrupted" if run.interrupted else "complete",
        causes=short(causes, _LONGEST) or "–",
    )


_QUOTED = re.compile("`([^`]+)`")
_SHARE = re.compile(r"(?<=\d) %")
_STEP = re.compile(r"([/:])(?=\S)")


def render_html(results: Results, history: History, beside: str | None = None) -> str:
    """Renders the results as a page, the same bytes for the same results.

    Args:
        results: the results.
        history: the runs of the trend, in their order; to include this run, add it before.
        beside: the directory of the page. Without it there are no links to sources.
    """
    environment = _environment()
    style = environment.get_template("style.css.j2").render()
    script = environment.get_template("script.js.j2").render()
    return environment.get_template("page.html.j2").render(
        page=page(results, history, beside),
        policy=_policy(style, script),
        style=style,
        script=script,
        chart=charts.FRAME,
        legend=list(charts.SHAPES.values()),
    )


def _policy(style: str, script: str) -> str:
    """Returns the content security policy: its own style and script only."""
    return (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@functools.cache
def _environment() -> jinja2.Environment:
    import jinja2  # noqa: PLC0415 - a slow import that only pages need

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(directory() / "report"),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        finalize=_harmless,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(number=number, counted=counted, prose=_prose, whole=_whole, path=_path)
    return environment


def _prose(text: str) -> Any:
    """Renders a sentence as HTML; text in backticks becomes code."""
    import markupsafe  # noqa: PLC0415 - comes with jinja2

    shown = str(markupsafe.escape(visible(text)))
    return markupsafe.Markup(_QUOTED.sub(r"<code>\1</code>", shown))  # noqa: S704 - escaped above


def _whole(text: str) -> Any:
    """Renders a text with a share as HTML: no line break between a number and its sign."""
    import markupsafe  # noqa: PLC0415 - comes with jinja2

    return markupsafe.Markup(_SHARE.sub("&nbsp;%", str(markupsafe.escape(visible(text)))))  # noqa: S704 - the same


def _path(text: str) -> Any:
    """Renders a path as HTML: lines break after a slash or a colon."""
    import markupsafe  # noqa: PLC0415 - comes with jinja2

    return markupsafe.Markup(_STEP.sub(r"\1<wbr>", str(markupsafe.escape(visible(text)))))  # noqa: S704 - the same


def _harmless(value: Any) -> Any:
    """Escapes every text of a template: characters that change the direction of text or cannot be encoded."""
    return visible(value) if type(value) is str else value
