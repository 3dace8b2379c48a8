"""Renders results as one self-contained page of HTML: without other files, without a server, readable without scripts.

The templates are in `templates/report/`. The page forbids itself every request, and every style and script but its own
two, which its policy lists by their hashes.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import re
from typing import TYPE_CHECKING, Any

from validation_gen.emit.templates import directory
from validation_gen.uses.compare.report import charts
from validation_gen.uses.compare.report.history import History
from validation_gen.uses.compare.report.page import page
from validation_gen.uses.compare.report.wording import counted, number, visible
from validation_gen.uses.compare.results import Results

if TYPE_CHECKING:
    import jinja2

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
