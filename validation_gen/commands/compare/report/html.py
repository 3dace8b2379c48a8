"""Renders results as one self-contained page of HTML: without other files, without a server, readable without scripts.

The templates in `templates/report/` lay out the results in the order of the page; this module has their numbers, charts
and sentences. The page forbids itself every request, and every style and script but its own two, which its policy lists
by their hashes.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import re
from typing import TYPE_CHECKING, Any

from validation_gen.commands.compare.groups import and_more
from validation_gen.commands.compare.report.charts import FRAME, SHAPES, bar_charts, line_charts
from validation_gen.commands.compare.report.history import History, Run
from validation_gen.commands.compare.report.sections import CHANGES, LONGEST, relation, section
from validation_gen.commands.compare.report.wording import (
    counted,
    duration,
    headline,
    number,
    percent,
    rate,
    short,
    visible,
)
from validation_gen.commands.compare.results import Results
from validation_gen.diagnostics.formats import TAB_STOP
from validation_gen.emit.text import directory

if TYPE_CHECKING:
    import jinja2


#: Maximum number of groups with a section. More are in the table, and all in the JSON report.
MOST_SECTIONS = 500
_MOST_ROWS = 2000
_MOST_RUNS = 60
_LONGEST_LINE = 400
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
    groups, expected = results.unexpected(), results.expected()
    lines = 60 if len(groups) + len(expected) <= _FEW else 25
    sections = [
        section(group, place, results.about, lines if place <= MOST_SECTIONS else 0, beside)
        for place, group in enumerate(groups, 1)
    ]
    verdict, sentence = _verdict(results)
    return environment.get_template("page.html.j2").render(
        results=results,
        history=history,
        verdict=verdict,
        sentence=sentence,
        notes=_notes(results),
        arguments=[(_ABOUT.get(name, short(name, 40)), text) for name, text in results.about.items() if text],
        totals=_totals(results),
        kinds=sorted(results.tallies.items()),
        bars=bar_charts(groups),
        sections=sections[:MOST_SECTIONS],
        more=sections[MOST_SECTIONS:],
        expected=[section(group, place, results.about, lines, beside) for place, group in enumerate(expected, 1)],
        unused=[rule for rule in results.rules if not rule.count],
        most_rows=_MOST_ROWS,
        times=_times(results),
        lines=line_charts(history.runs[-_MOST_RUNS:]),
        runs=history.runs[: -_MOST_RUNS - 1 : -1],
        policy=_policy(style, script),
        style=style,
        script=script,
    )


# --- sentences and numbers --------------------------------------------------------------------------------------------


def _verdict(results: Results) -> tuple[str, str]:
    """Returns the verdict, `agree`, `differ` or `nothing`, and a sentence about it."""
    if not results.compared:
        return "nothing", "Nothing was compared."
    if not results.mismatches:
        return "agree", f"No mismatches in {counted(results.compared, 'request')}."
    groups = counted(len(results.unexpected()), "group")
    return "differ", f"{counted(results.mismatches, 'mismatch')} in {groups}."


def _notes(results: Results) -> list[str]:
    """Returns the limits of the page's statements."""
    notes = []
    if results.interrupted:
        notes.append("The run was interrupted. All numbers are those of a part of the input.")
    if results.panics:
        was = "was 1 request" if results.panics == 1 else f"were {number(results.panics)} requests"
        notes.append(f"There {was} for which declarative validation failed.")
    if results.bad:
        notes.append(f"{counted(results.bad, 'input')} could not be compared.")
    if results.defaulted:
        names = short(", ".join(results.defaulted), LONGEST)
        notes.append(
            f"Requests do not say whether these validation options are on, so they were taken to be off: {names}."
        )
    return notes


def _totals(results: Results) -> list[tuple[str, str, int]]:
    """Returns the identifier, the name and the value of each total; programs that read the page use the identifiers."""
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
    return [(id, name, totals[id]) for id, name in names.items()]


def _times(results: Results) -> list[tuple[str, str]]:
    if results.seconds <= 0:
        return []
    count = results.compared or 1
    sides = {"Handwritten side": results.handwritten_seconds, "Declarative side": results.declarative_seconds}
    return [
        ("From start to end", duration(results.seconds)),
        ("Rate", f"{rate(results.compared, results.seconds)} requests a second"),
        *((name, f"{duration(took)}, {duration(took / count)} a request") for name, took in sides.items()),
    ]


def _causes(run: Run) -> str:
    causes = ", ".join(f"{cause}: {number(count)}" for cause, count in sorted(run.causes.items()))
    return short(causes, LONGEST) or "–"


# --- templates --------------------------------------------------------------------------------------------------------

_QUOTED = re.compile("`([^`]+)`")
_SHARE = re.compile(r"(?<=\d) %")
_STEP = re.compile(r"([/:])(?=\S)")


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
    environment.globals.update(percent=percent, relation=relation, and_more=and_more)
    environment.globals.update(shapes=SHAPES, frame=FRAME, signs=CHANGES)
    environment.filters.update(
        number=number,
        headline=headline,
        causes=_causes,
        short=short,
        cut=lambda text: short(text, LONGEST),
        code=lambda text: short(text.expandtabs(TAB_STOP), _LONGEST_LINE),
        prose=lambda text: _markup(_QUOTED, r"<code>\1</code>", text),
        whole=lambda text: _markup(_SHARE, "&nbsp;%", text),
        path=lambda text: _markup(_STEP, r"\1<wbr>", text),
    )
    return environment


def _markup(pattern: re.Pattern[str], replacement: str, text: str) -> Any:
    """Renders a text as HTML, with the matches of a pattern replaced by HTML."""
    import markupsafe  # noqa: PLC0415 - comes with jinja2

    return markupsafe.Markup(pattern.sub(replacement, str(markupsafe.escape(visible(text)))))  # noqa: S704 - escaped


def _harmless(value: Any) -> Any:
    """Escapes every text of a template: characters that change the direction of text or cannot be encoded."""
    return visible(value) if type(value) is str else value
