"""`validation-gen crd generate PATH…`: CustomResourceDefinitions, also without the name of the command."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from validation_gen.cli.options import (
    DiagnosticFormat,
    Format,
    Modules,
    Paths,
    Target,
    refuse_empty,
    settings,
)
from validation_gen.cli.schemaoptions import Alpha, Beta, MaxDescription, Options, Schema, schema_options
from validation_gen.cli.terminal import OK, Progress, exit_code, one_line, print_diagnostics
from validation_gen.diagnostics import Span
from validation_gen.emit.schema.manner import Manner
from validation_gen.rules.releases import NEWEST


def generate(
    paths: Paths,
    output_dir: Annotated[str, typer.Option("--output-dir", "-o", help="Where the manifests go.")] = "crds",
    module: Modules = [],  # noqa: B006 - typer wants a plain default and never changes it
    schema: Schema = Manner.IDIOMATIC,
    option: Options = [],  # noqa: B006
    alpha: Alpha = False,
    beta: Beta = True,
    max_description: MaxDescription = None,
    target: Target = NEWEST,
    format: Format = DiagnosticFormat.FULL,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No summary line.")] = False,
) -> None:
    """Write a CustomResourceDefinition for each kind in PATH."""
    from validation_gen.output import write_files  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.pipeline import build_definitions, build_program  # noqa: PLC0415

    wanted = schema_options(schema, option, alpha, beta, max_description)
    read = replace(settings(paths, module, [], False, [], target), every_kind=True)
    refuse_empty([output_dir], "--output-dir")
    with Progress() as progress:
        result = build_program(read, progress)
        diagnostics = result.diagnostics
        progress("building schemas")
        files, found = build_definitions(result.program, wanted)
        for finding in found:
            diagnostics.add(finding)
        if not files and not diagnostics.items:
            help = "a kind is a struct with metav1.TypeMeta and metav1.ObjectMeta, in a package with +groupName"
            diagnostics.warning("VG902", "there are no kinds here", Span(read.paths[0]), help)
        progress("writing")
        written = write_files(output_dir, files, diagnostics, prune=bool(files) and not diagnostics.has_errors)
    print_diagnostics(diagnostics, format.value)
    if not quiet and format is not DiagnosticFormat.JSON:
        removed = f", {len(written.removed)} removed" if written.removed else ""
        noun = "definition" if len(files) == 1 else "definitions"
        typer.echo(
            f"{len(files)} {noun}: {len(written.written)} written, {len(written.unchanged)} unchanged{removed} "
            f"in {one_line(output_dir)} ({progress.seconds:.1f} s)"
        )
    code = exit_code(diagnostics)
    if code != OK:
        raise typer.Exit(code)
