"""`validation-gen stdio PATH…`: verdicts over standard input and output, for other programs."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated

import typer

from validation_gen.cli.groups import Sources, grouped
from validation_gen.cli.options import (
    Paths,
    Rules,
    import_customs,
)
from validation_gen.cli.terminal import ENVIRONMENT, OK, exit_code, print_diagnostics


@grouped
def stdio(
    paths: Paths = [],  # noqa: B006 - typer wants a plain default and never changes it
    *,
    sources: Sources,
    rules: Rules = None,
    objects: Annotated[
        bool, typer.Option("--objects", help="Answer for custom objects, whose definitions the requests tell.")
    ] = False,
) -> None:
    """Answer requests for verdicts, one JSON object a line (docs/protocol.md). Writes no files."""
    if objects and paths:
        raise typer.BadParameter("requests tell the definitions: leave PATH out with --objects")
    if objects:
        from validation_gen.uses.stdio import answer_objects  # noqa: PLC0415

        _write(answer_objects(sys.stdin.buffer))
        return
    if not paths:
        raise typer.BadParameter("Missing argument PATH: name the types, or ask about custom objects with --objects")
    from validation_gen.build.pipeline import build_program, load_validators, warn_of_nothing  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.cli.trusting import leave_out_customs  # noqa: PLC0415
    from validation_gen.uses.definitions import split  # noqa: PLC0415
    from validation_gen.uses.stdio import answer_lines  # noqa: PLC0415

    definitions, types = split(paths)
    options = replace(sources.settings(types), rules=rules)
    if definitions:
        if "-" in definitions:
            raise typer.BadParameter("requests come from standard input, so that definitions cannot", param_hint="PATH")
        options = replace(options, paths=tuple(types), definitions=tuple(definitions))
    # A request names its type, so types that generation would leave out are answered for as well.
    result = build_program(replace(options, every_type=not sources.require_directive))
    warn_of_nothing(result.program, options, result.diagnostics)
    leave_out_customs(result)
    registry = load_validators(result.program)
    import_customs(result, options, registry)
    print_diagnostics(result.diagnostics, "concise")
    code = exit_code(result.diagnostics)
    if code == ENVIRONMENT and not result.program.packages:
        raise typer.Exit(code)  # nobody should wait for answers of types that could not be read
    _write(answer_lines(sys.stdin.buffer, registry, result.program.broken))
    if code != OK:
        raise typer.Exit(code)


def _write(answers: Iterable[str]) -> None:
    """Write each answer as soon as it is known: whoever asks may wait for it."""
    for answer in answers:
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()
