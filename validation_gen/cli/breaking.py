"""`validation-gen breaking PATH… --against git:REF|DIR`: finds breaking changes of sources."""

from __future__ import annotations

from typing import Annotated

import typer

from validation_gen.cli.options import (
    Defined,
    DiagnosticFormat,
    Format,
    KnownTags,
    Modules,
    Readonly,
    RequireDirective,
    Target,
    refuse_empty,
    settings,
)
from validation_gen.cli.terminal import ENVIRONMENT, OK, Progress, exit_code, print_diagnostics, say
from validation_gen.commands.definitions import split
from validation_gen.diagnostics import Severity
from validation_gen.rules.releases import NEWEST
from validation_gen.runtime.words import counted


def breaking(
    paths: Defined,
    against: Annotated[
        str,
        typer.Option(
            "--against",
            metavar="git:REF|DIR",
            help="The older state: a revision such as git:main or git:v1.2.0 (git:REF:DIR is a directory of it), "
            "a directory with the same paths, or a file with definitions.",
        ),
    ],
    all: Annotated[bool, typer.Option("--all", help="Show safe changes, too: new fields, weaker rules.")] = False,
    module: Modules = [],  # noqa: B006 - typer wants a plain default and never changes it
    known_tags: KnownTags = False,
    readonly_pkg: Readonly = [],  # noqa: B006
    require_directive: RequireDirective = False,
    target: Target = NEWEST,
    format: Format = DiagnosticFormat.FULL,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No summary line.")] = False,
) -> None:
    """Compare sources or definitions with an older state: what breaks clients or stored objects. Writes no files."""
    from validation_gen.commands.breaking.run import compare  # noqa: PLC0415 - late, so that --help stays fast

    definitions, sources = split(paths)
    options = settings(sources, module, readonly_pkg, require_directive, [], target, known_tags)
    options = options.with_definitions(definitions, sources)
    refuse_empty([against], "--against")
    with Progress() as progress:
        result = compare(options, against, all=all, progress=progress)
    print_diagnostics(result.diagnostics, format.value)
    code = exit_code(result.diagnostics)
    if code != ENVIRONMENT:
        changes = [d for d in result.diagnostics.items if d.code.startswith("VG7")]
        shown = "" if all or not result.safe else " (--all shows them)"
        accepted = f", {result.accepted} accepted" if result.accepted else ""
        broken, dangerous = (sum(d.severity is s for d in changes) for s in (Severity.ERROR, Severity.WARNING))
        kinds = counted(result.kinds, "kind")
        told = f"{kinds}: {broken} breaking, {dangerous} dangerous, {result.safe} safe{shown}{accepted}"
        say(told, format, quiet=quiet)
    if code != OK:
        raise typer.Exit(code)
