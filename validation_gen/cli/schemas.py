"""The commands that write schemas: `crd generate`, `openapi` and `jsonschema`."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from validation_gen.cli.details import wants_details
from validation_gen.cli.groups import KeptRules, Types, grouped
from validation_gen.cli.options import (
    Check,
    Defined,
    DiagnosticFormat,
    Diff,
    Format,
    KeepGoing,
    Paths,
    Quiet,
    Verbose,
    refuse_empty,
)
from validation_gen.cli.schemaoptions import Schema
from validation_gen.cli.terminal import Progress
from validation_gen.cli.writing import STDOUT, refuse_beside
from validation_gen.commands.definitions import split
from validation_gen.commands.generate.run import GenerateOptions, GenerateResult, generate
from validation_gen.compiler.emitters import CRD, JSONSCHEMA, OPENAPI
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostics
from validation_gen.emit.schema.manner import Manner, SchemaOptions


@grouped
def crd(
    paths: Paths,
    *,
    output_dir: Annotated[
        str, typer.Option("--output-dir", "-o", help="Directory of the manifests; - is standard output.")
    ] = CRD.directory,
    patch_schemas: Annotated[
        str,
        typer.Option(
            "--patch-schemas",
            metavar="DIR",
            help="Write no manifests, but put the schemas into those in DIR, and keep all else there byte for byte.",
        ),
    ] = "",
    types: Types,
    schema: Schema = Manner.IDIOMATIC,
    kept_rules: KeptRules,
    keep_going: KeepGoing = False,
    format: Format = DiagnosticFormat.FULL,
    check: Check = False,
    diff: Diff = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Write a CustomResourceDefinition for each kind in PATH."""
    from validation_gen.cli.printing import print_and_end  # noqa: PLC0415
    from validation_gen.cli.writing import Output, report, settle  # noqa: PLC0415 - late, so that --help stays fast

    wanted = kept_rules.options(schema)
    read = replace(types.settings(paths), refuse_unresolved=not kept_rules.allow_unresolved)
    refuse_empty([output_dir], "--output-dir")
    if output_dir == STDOUT:
        refuse_beside(format, {"--check": check, "--diff": diff, "--patch-schemas": patch_schemas})
    verbose = wants_details(quiet=quiet, verbose=verbose, format=format)
    with Progress(verbose=verbose) as progress:
        if patch_schemas:
            made = _patched(read, wanted, patch_schemas, progress)
            output = Output(patch_schemas, made.outputs[CRD.name], "manifest", owned=True, held=not keep_going)
        else:
            made = generate(read, GenerateOptions((CRD,), wanted), progress)
            output = Output(output_dir, made.outputs[CRD.name], CRD.noun, held=not keep_going)
        if output.directory == STDOUT:
            print_and_end(made, output, format=format, quiet=quiet)
        outcome = settle(made, [output], progress, check=check, diff=diff)
    report(outcome, progress.seconds, head="", diff=diff, format=format, quiet=quiet, verbose=verbose)


@grouped
def openapi(
    paths: Paths,
    *,
    output_dir: Annotated[
        str,
        typer.Option("--output-dir", "-o", help="Parent directory of openapi/v3 and openapi/v2; - is standard output."),
    ] = OPENAPI.directory,
    v2: Annotated[bool, typer.Option("--v2", help="Write the lossy documents of version 2, too.")] = False,
    types: Types,
    schema: Schema = Manner.IDIOMATIC,
    kept_rules: KeptRules,
    keep_going: KeepGoing = False,
    format: Format = DiagnosticFormat.FULL,
    check: Check = False,
    diff: Diff = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Write an OpenAPI document for each group and version in PATH."""
    wanted = GenerateOptions((OPENAPI,), kept_rules.options(schema), v2)
    read = replace(types.settings(paths), refuse_unresolved=not kept_rules.allow_unresolved)
    _write(
        read,
        wanted,
        output_dir,
        keep_going=keep_going,
        check=check,
        diff=diff,
        format=format,
        quiet=quiet,
        verbose=verbose,
    )


@grouped
def jsonschema(
    paths: Defined,
    *,
    output_dir: Annotated[
        str, typer.Option("--output-dir", "-o", help="Parent directory of schemas; - is standard output.")
    ] = JSONSCHEMA.directory,
    helm_values: Annotated[
        list[str],
        typer.Option(
            "--helm-values",
            metavar="KIND[.FIELD][=PATH]",
            help="Write values.schema.json of a Helm chart instead, whose value at PATH is the spec of KIND, or FIELD "
            "of it. Repeatable.",
            show_default=False,
        ),
    ] = [],  # noqa: B006 - typer wants a plain default and never changes it
    types: Types,
    kept_rules: KeptRules,
    keep_going: KeepGoing = False,
    format: Format = DiagnosticFormat.FULL,
    check: Check = False,
    diff: Diff = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Write a JSON Schema for each kind in PATH, for editors and checks of manifests."""
    from validation_gen.emit.schema.helmvalues import ValuesError, ValuesRequest  # noqa: PLC0415

    try:
        values = tuple(map(ValuesRequest.parse, helm_values))
    except ValuesError as error:
        raise typer.BadParameter(f"{error}; {error.help}", param_hint="--helm-values") from None
    wanted = GenerateOptions((JSONSCHEMA,), kept_rules.options(), values=values)
    definitions, paths = split(paths)
    read = replace(types.settings(paths), refuse_unresolved=not kept_rules.allow_unresolved)
    read = read.with_definitions(definitions, paths)
    _write(
        read,
        wanted,
        output_dir,
        keep_going=keep_going,
        check=check,
        diff=diff,
        format=format,
        quiet=quiet,
        verbose=verbose,
    )


def _write(
    read: Settings,
    wanted: GenerateOptions,
    directory: str,
    *,
    keep_going: bool,
    check: bool,
    diff: bool,
    format: DiagnosticFormat,
    quiet: bool,
    verbose: bool,
) -> None:
    """Generates the files of one emitter, and writes or compares them."""
    from validation_gen.cli.printing import print_and_end  # noqa: PLC0415
    from validation_gen.cli.writing import Output, report, settle  # noqa: PLC0415

    refuse_empty([directory], "--output-dir")
    if directory == STDOUT:
        refuse_beside(format, {"--check": check, "--diff": diff})
    (emitter,) = wanted.emitters
    verbose = wants_details(quiet=quiet, verbose=verbose, format=format)
    with Progress(verbose=verbose) as progress:
        made = generate(read, wanted, progress)
        output = Output(
            directory, made.outputs[emitter.name], emitter.noun, shared=bool(wanted.values), held=not keep_going
        )
        if directory == STDOUT:
            print_and_end(made, output, format=format, quiet=quiet)
        outcome = settle(made, [output], progress, check=check, diff=diff)
    report(outcome, progress.seconds, head="", diff=diff, format=format, quiet=quiet, verbose=verbose)


def _patched(read: Settings, wanted: SchemaOptions, directory: str, progress: Progress) -> GenerateResult:
    """Generates new text for the manifests in a directory."""
    from validation_gen.compiler.definitions import patch_definitions  # noqa: PLC0415
    from validation_gen.compiler.pipeline import lower  # noqa: PLC0415
    from validation_gen.compiler.pipeline import read as read_sources  # noqa: PLC0415
    from validation_gen.sources.wellknown import bundled  # noqa: PLC0415

    diagnostics, read = Diagnostics(), replace(read, every_kind=True)
    sources = read_sources(read, diagnostics, progress)
    program = lower(sources, read, diagnostics, progress)
    progress("building schemas")
    files = patch_definitions(program, wanted, directory, diagnostics)
    names = tuple(sorted(plan.path for plan in program.packages.values()))
    known = bundled(sources.universe)
    return GenerateResult({CRD.name: files}, tuple(diagnostics.items), names=names, bundled=known)
