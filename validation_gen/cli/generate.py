"""`validation-gen generate PATH…`: the main job, also without its name."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from validation_gen.cli.options import (
    Custom,
    DiagnosticFormat,
    Format,
    Modules,
    Paths,
    Readonly,
    RequireDirective,
    Target,
    refuse_empty,
    settings,
    warn_of_nothing,
)
from validation_gen.cli.terminal import OK, Progress, exit_code, one_line, print_diagnostics
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.rules.releases import NEWEST

if TYPE_CHECKING:
    from validation_gen.ir import Program
    from validation_gen.pipeline import Settings


class Emitted(str, enum.Enum):
    """What is written beside the validators."""

    HARNESS = "harness"


def generate(
    paths: Paths,
    output_dir: Annotated[
        str, typer.Option("--output-dir", "-o", help="Where the generated package goes.")
    ] = "generated",
    module: Modules = [],  # noqa: B006 - typer wants a plain default and never changes it
    readonly_pkg: Readonly = [],  # noqa: B006
    require_directive: RequireDirective = False,
    custom_validations: Custom = [],  # noqa: B006
    target: Target = NEWEST,
    lint: Annotated[bool, typer.Option("--lint/--no-lint", help="Look for tags that are legal but unwise.")] = True,
    strict_lint: Annotated[
        bool, typer.Option("--strict-lint", help="Make errors of what Kubernetes' own lint refuses.")
    ] = False,
    format: Format = DiagnosticFormat.FULL,
    emit: Annotated[
        list[Emitted],
        typer.Option(
            "--emit",
            help="Write this, too. harness: modules that wire the validators to the handwritten functions that "
            "pyproject.toml names, with tests that both agree.",
            show_default=False,
        ),
    ] = [],  # noqa: B006
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No summary line.")] = False,
) -> None:
    """Write Python validators for the tagged types in PATH."""
    from validation_gen.output import write_files  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.pipeline import build_files, build_program  # noqa: PLC0415

    options = settings(paths, module, readonly_pkg, require_directive, custom_validations, target)
    options = replace(options, lint=lint or strict_lint, strict_lint=strict_lint)
    refuse_empty([output_dir], "--output-dir")
    with Progress() as progress:
        result = build_program(options, progress)
        warn_of_nothing(result, options)
        program, diagnostics = result.program, result.diagnostics
        progress("writing")
        validated = program.validated
        files = build_files(program) if validated else {}
        if Emitted.HARNESS in emit and validated:
            progress("looking for boundary cases")
            files |= _harness(program, files, options, output_dir, diagnostics)
            progress("writing")
        written = write_files(output_dir, files, diagnostics, prune=bool(files) and not diagnostics.has_errors)
    print_diagnostics(diagnostics, format.value)
    if not quiet and format is not DiagnosticFormat.JSON:
        removed = f", {len(written.removed)} removed" if written.removed else ""
        packages, rules = {plan.package for plan in validated}, sum(plan.rule_count for plan in validated)
        read = [(len(packages), "package"), (len(validated), "type"), (rules, "rule")]
        typer.echo(
            f"{', '.join(_count(number, noun) for number, noun in read)}: "
            f"{_count(len(written.written), 'file')} written, {len(written.unchanged)} unchanged{removed} "
            f"in {one_line(output_dir)} ({progress.seconds:.1f} s)"
        )
    code = exit_code(diagnostics)
    if code != OK:
        raise typer.Exit(code)


def _harness(
    program: Program, files: Mapping[str, str], chosen: Settings, output_dir: str, diagnostics: Diagnostics
) -> dict[str, str]:
    """The files of the harness for the functions that the project's settings name."""
    from validation_gen.config import read_config  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.memory import load_registry  # noqa: PLC0415
    from validation_gen.wiring.emit import emit_harness  # noqa: PLC0415

    config = read_config(Path.cwd(), diagnostics)
    if not config.handwritten and not diagnostics.has_errors:
        place = Span((config.file or Path("pyproject.toml")).as_posix())
        help = 'write [tool.validation-gen.handwritten] and below it "robots/v1.Robot" = "package.module:function"'
        diagnostics.error("VG906", "no handwritten validator is named, so there is nothing to wire", place, help)
    return emit_harness(program, load_registry(dict(files)), config, chosen, output_dir, diagnostics)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
