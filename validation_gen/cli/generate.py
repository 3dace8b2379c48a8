"""`validation-gen generate PATH…`: the main job, also without its name."""

from __future__ import annotations

import contextlib
import enum
import gc
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from validation_gen.cache import cache_directory, remembered
from validation_gen.cache.place import VARIABLE
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
from validation_gen.cli.terminal import FINDINGS, OK, Progress, exit_code, one_line, print_diagnostics, say
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.generated import Generated
from validation_gen.rules.releases import NEWEST

if TYPE_CHECKING:
    from validation_gen.ir import Program
    from validation_gen.output import Compared, Written
    from validation_gen.settings import Settings


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
    check: Annotated[
        bool,
        typer.Option("--check", help="Write nothing; list the files that are missing, stale or extra, and end with 1."),
    ] = False,
    cache_dir: Annotated[
        str,
        typer.Option(
            "--cache-dir",
            metavar="DIR",
            envvar=VARIABLE,
            help="Where results of earlier runs are kept, by default below the user's directory for caches.",
            show_default=False,
        ),
    ] = "",
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Do all work again, and keep nothing for the next run.")
    ] = False,
    compile: Annotated[
        bool,
        typer.Option(
            "--compile",
            help="Build the modules as extensions, too, which are quicker. Needs a C compiler and the extra `compile`.",
        ),
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No summary line.")] = False,
) -> None:
    """Write Python validators for the tagged types in PATH."""
    from validation_gen.cli.writing import write_package  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.output import compare_files  # noqa: PLC0415

    options = settings(paths, module, readonly_pkg, require_directive, custom_validations, target)
    options = replace(options, lint=lint or strict_lint, strict_lint=strict_lint)
    refuse_empty([output_dir], "--output-dir")
    diagnostics = Diagnostics()
    with Progress() as progress, _collector(wanted=bool(emit)):
        place = None if no_cache else cache_directory(cache_dir)
        # The harness is tried on the user's own functions, of which nobody knows what they depend on.
        if emit or place is None:
            made = _generated(options, emit, output_dir, progress)
        else:
            made = remembered(options, place, lambda: _generated(options, emit, output_dir, progress))
        for finding in made.findings:
            diagnostics.add(finding)
        progress("comparing" if check else "writing")
        prune = bool(made.files) and not diagnostics.has_errors
        if check:
            compared = compare_files(output_dir, made.files, diagnostics, prune=prune)
        else:
            written, without = write_package(
                output_dir, made.files, diagnostics, progress, compile=compile, prune=prune
            )
            if without and not format.for_people:
                diagnostics.warning("VG907", without, Span(output_dir))
    differing = list(_differing(compared, output_dir)) if check else []
    if check and format.owns_stdout:
        _report(compared, differing, output_dir, diagnostics)
    print_diagnostics(diagnostics, format.value)
    if not check and without and format.for_people:
        typer.echo(without, err=True)
    if not format.owns_stdout:
        for state, file in differing:
            typer.echo(f"{state} {one_line(file)}")
    what = _compared(compared) if check else _written(written)
    read = [(made.packages, "package"), (made.types, "type"), (made.rules, "rule")]
    told = f"{', '.join(_count(number, noun) for number, noun in read)}: {what} in {one_line(output_dir)}"
    say(f"{told} ({progress.seconds:.1f} s)", format, quiet=quiet)
    code = exit_code(diagnostics) or (FINDINGS if check and compared.differs else OK)
    if code != OK:
        raise typer.Exit(code)


@contextlib.contextmanager
def _collector(*, wanted: bool) -> Iterator[None]:
    """Spares the search for garbage while everything that is made is kept: it would take a quarter of the time.

    It is `wanted` where functions are tried on many objects.
    """
    before = gc.isenabled()
    (gc.enable if wanted else gc.disable)()
    try:
        yield
    finally:
        (gc.enable if before else gc.disable)()


def _generated(options: Settings, emit: Sequence[Emitted], output_dir: str, progress: Progress) -> Generated:
    """The work: everything but the output directory."""
    from validation_gen.pipeline import build_files, build_program  # noqa: PLC0415 - not every run has to work

    result = build_program(options, progress)
    warn_of_nothing(result, options)
    program, diagnostics = result.program, result.diagnostics
    progress("generating")
    validated = program.validated
    files = build_files(program) if validated else {}
    if Emitted.HARNESS in emit and validated:
        progress("looking for boundary cases")
        files |= _harness(program, files, options, output_dir, diagnostics)
    packages, rules = {plan.package for plan in validated}, sum(plan.rule_count for plan in validated)
    return Generated(files, tuple(diagnostics.items), len(packages), len(validated), rules)


def _written(written: Written) -> str:
    removed = f", {len(written.removed)} removed" if written.removed else ""
    return f"{_count(len(written.written), 'file')} written, {len(written.unchanged)} unchanged{removed}"


def _differing(compared: Compared, output_dir: str) -> Iterator[tuple[str, str]]:
    """What is wrong with each file, and its name."""
    for state, names in (("missing", compared.missing), ("stale", compared.stale), ("extra", compared.extra)):
        for name in names:
            yield state, os.path.join(output_dir, name)  # noqa: PTH118 - as it was given


def _report(
    compared: Compared, differing: Sequence[tuple[str, str]], output_dir: str, diagnostics: Diagnostics
) -> None:
    """Makes findings of the files that differ: one for each, or one for all if there is no other."""
    help = "generate again, and commit what changes"
    if differing and not (compared.unchanged or compared.stale or compared.extra):
        diagnostics.error("VG702", "nothing has been generated here yet", Span(Path(output_dir).as_posix()), help)
        return
    for state, file in differing:
        diagnostics.error("VG702", f"this generated file is {state}", Span(Path(file).as_posix()), help)


def _compared(compared: Compared) -> str:
    """How many files differ, each kind if there is one."""
    parts = [(compared.missing, "missing"), (compared.stale, "stale"), (compared.extra, "extra")]
    told = [f"{len(names)} {state}" for names, state in parts if names]
    return ", ".join([*told, f"{_count(len(compared.unchanged), 'file')} up to date"])


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
