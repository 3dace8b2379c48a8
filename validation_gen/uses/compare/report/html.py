"""Results as one page of HTML that needs nothing else: no file, no server, and to be read no script either.

The templates stand in `templates/report/`. The page forbids itself every request, and every style and script but its
own two, which its policy knows by their hashes.
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
    """The results as a page, the same bytes for the same results.

    Args:
        results: what was found.
        history: the runs of which the trend is shown, in their order; whoever wants this run among them adds it before.
        beside: the directory in which the page will stand. Without it there are no links to sources.
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
    """What the page allows itself: its own style and script, nothing from anywhere."""
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
    """A sentence as HTML, in which what stands in backticks is code."""
    import markupsafe  # noqa: PLC0415 - comes with jinja2

    shown = str(markupsafe.escape(visible(text)))
    return markupsafe.Markup(_QUOTED.sub(r"<code>\1</code>", shown))  # noqa: S704 - escaped above


def _whole(text: str) -> Any:
    """A text with a share, as HTML: no line ends between a number and its sign."""
    import markupsafe  # noqa: PLC0415 - comes with jinja2

    return markupsafe.Markup(_SHARE.sub("&nbsp;%", str(markupsafe.escape(visible(text)))))  # noqa: S704 - the same


def _path(text: str) -> Any:
    """A path, as HTML: lines end behind a slash or a colon."""
    import markupsafe  # noqa: PLC0415 - comes with jinja2

    return markupsafe.Markup(_STEP.sub(r"\1<wbr>", str(markupsafe.escape(visible(text)))))  # noqa: S704 - the same


def _harmless(value: Any) -> Any:
    """Every text that a template shows, without characters that turn lines around or cannot be encoded."""
    return visible(value) if type(value) is str else value
