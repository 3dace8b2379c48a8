"""`validation-gen webhook stdio PATH…`: validates over standard input and output, for other programs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import typer

from validation_gen.cli.loading import import_customs
from validation_gen.cli.options import RULES, Defined, Options, Sources, grouped, option
from validation_gen.cli.terminal import ENVIRONMENT, OK, exit_code, print_diagnostics
from validation_gen.cli.trust_policy import leave_out_customs
from validation_gen.compiler.settings import RuleSource, Settings
from validation_gen.diagnostics import Diagnostics


@dataclass(frozen=True)
class Answers(Options):
    """Options of the answers."""

    rules: RuleSource | None = RULES()
    custom_objects: bool = option(
        False, "Answer for custom objects: of kinds in PATH, and of those that requests define."
    )


@grouped
def stdio(
    paths: Defined = [],  # noqa: B006 - typer wants a plain default and never changes it
    *,
    sources: Sources,
    answers: Answers,
) -> int:
    """Answer requests for verdicts, one JSON object a line. Writes no files."""
    objects = answers.custom_objects
    if objects and answers.rules is not None:
        raise typer.BadParameter("custom objects are judged by tags and schemas alike", param_hint="--rules")
    if objects and not paths:
        from validation_gen.commands.stdio import answer_objects  # noqa: PLC0415

        _write(answer_objects)
        return OK
    if not paths:
        raise typer.BadParameter(
            "Missing argument PATH: name the types, or ask about custom objects with --custom-objects"
        )
    from validation_gen.cli.loading import load  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.commands.definitions import split  # noqa: PLC0415
    from validation_gen.commands.stdio import answer_lines  # noqa: PLC0415

    definitions, types = split(paths)
    options = replace(sources.settings(types), rules=answers.rules)
    if "-" in definitions:
        raise typer.BadParameter("requests come from standard input, so that definitions cannot", param_hint="PATH")
    if objects:
        return _answer_objects(replace(options, paths=tuple(types)), definitions)
    # A request names its type, so include types that generation would leave out.
    options = options.with_definitions(definitions, types)
    result, registry = load(replace(options, every_type=not sources.require_directive))
    code = exit_code(result.diagnostics)
    if code != ENVIRONMENT or result.program.packages:  # types that could not be read have no answers to wait for
        _write(lambda lines: answer_lines(lines, registry, result.program.broken))
    return code


def _answer_objects(options: Settings, definitions: list[str]) -> int:
    """Answers for the custom objects of kinds in sources and definitions, and of those that requests define.

    Returns the exit code.
    """
    from validation_gen.commands.schemes import load_scheme  # noqa: PLC0415
    from validation_gen.commands.stdio import answer_objects  # noqa: PLC0415
    from validation_gen.commands.typeschemes import add_kinds, lower_kinds  # noqa: PLC0415
    from validation_gen.compiler.pipeline import Result, load_validators, lower, read  # noqa: PLC0415

    found = Diagnostics()
    scheme = load_scheme(definitions, found, options.target)
    if options.paths:
        sources = read(options, found)
        result = Result(lower(sources, options, found), found)
        leave_out_customs(result)
        registry = load_validators(result.program)
        import_customs(result, options, registry)
        markers = lower_kinds(sources, options, found)
        add_kinds(scheme, markers, registry, found, options=dict.fromkeys(result.program.options, False))
    print_diagnostics(found, "concise")
    code = exit_code(found)
    if code != ENVIRONMENT or scheme.kinds:  # kinds that could not be read have no answers to wait for
        _write(lambda lines: answer_objects(lines, scheme.kinds.values()))
    return code


def _write(answers: Callable[[Iterable[bytes]], Iterable[str]]) -> None:
    """Writes an answer to each line of standard input. Flushes the answers before it waits for more lines."""
    from validation_gen.commands.stdio import arriving  # noqa: PLC0415

    for answer in answers(arriving(sys.stdin.buffer, sys.stdout.flush)):
        sys.stdout.write(f"{answer}\n")
    sys.stdout.flush()
