"""`validation-gen explain [NAME]`: what a tag or a diagnostic code means."""

from __future__ import annotations

import shutil
import sys
from typing import Annotated

import typer

from validation_gen.cli.completion import explained
from validation_gen.cli.options import Target, check_target
from validation_gen.cli.terminal import exit_code, has_color, print_diagnostics
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.rules.releases import NEWEST

_WIDEST = 100  # longer lines are hard to read


def explain(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="A tag, such as maxItems, a code, such as VG203, or schema-mapping.",
            show_default=False,
            autocompletion=explained,
        ),
    ] = None,
    target: Target = NEWEST,
) -> None:
    """Say what a tag or a diagnostic code means. Without a name: list all of them."""
    from validation_gen.explain import lookup  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.explain.text import article_text, sections_text  # noqa: PLC0415
    from validation_gen.rendering import styler  # noqa: PLC0415

    check_target(target)
    style = styler(has_color(sys.stdout))
    width = min(shutil.get_terminal_size((_WIDEST, 24)).columns, _WIDEST)
    if name is None:
        typer.echo(sections_text(lookup.index(target), style), nl=False, color=True)
        return
    article = lookup.explain(name, target)
    if article is None:
        diagnostics = Diagnostics()
        message = f'there is no tag and no code "{name}"'
        diagnostics.error("VG904", message, Span("NAME"), lookup.suggestion(name))
        print_diagnostics(diagnostics, "full")
        raise typer.Exit(exit_code(diagnostics))
    typer.echo(article_text(article, style, width), nl=False, color=True)
