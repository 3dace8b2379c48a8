"""The commands that write schemas: `crd generate`, `openapi` and `jsonschema`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from validation_gen.cli.options import DiagnosticFormat, Format, Modules, Paths, Target, refuse_empty, settings
from validation_gen.cli.schemaoptions import Alpha, Beta, MaxDescription, Options, Schema, schema_options
from validation_gen.cli.terminal import OK, Progress, exit_code, one_line, print_diagnostics, say
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.emit.schema.manner import Manner, SchemaOptions
from validation_gen.rules.releases import NEWEST

if TYPE_CHECKING:
    from validation_gen.ir import Program
    from validation_gen.output import Written
    from validation_gen.settings import Settings

Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No summary line.")]
Build = Callable[["Program", SchemaOptions, Diagnostics], dict[str, str]]


def crd(
    paths: Paths,
    output_dir: Annotated[str, typer.Option("--output-dir", "-o", help="Where the manifests go.")] = "crds",
    patch_schemas: Annotated[
        str,
        typer.Option(
            "--patch-schemas",
            metavar="DIR",
            help="Write no manifests, but put the schemas into those in DIR, and keep all else there byte for byte.",
            show_default=False,
        ),
    ] = "",
    module: Modules = [],  # noqa: B006 - typer wants a plain default and never changes it
    schema: Schema = Manner.IDIOMATIC,
    option: Options = [],  # noqa: B006
    alpha: Alpha = False,
    beta: Beta = True,
    max_description: MaxDescription = None,
    target: Target = NEWEST,
    format: Format = DiagnosticFormat.FULL,
    quiet: Quiet = False,
) -> None:
    """Write a CustomResourceDefinition for each kind in PATH."""
    from validation_gen.schemas import build_definitions, patch_definitions  # noqa: PLC0415 - so that --help is fast

    wanted = schema_options(schema, option, alpha, beta, max_description)
    read = settings(paths, module, [], False, [], target)
    refuse_empty([output_dir], "--output-dir")

    def build(program: Program, options: SchemaOptions, diagnostics: Diagnostics) -> dict[str, str]:
        if patch_schemas:
            return patch_definitions(program, options, patch_schemas, diagnostics)
        return build_definitions(program, options, diagnostics)

    if patch_schemas:
        _write(read, wanted, build, "manifest", patch_schemas, format, quiet=quiet, owned=True)
    else:
        _write(read, wanted, build, "definition", output_dir, format, quiet=quiet)


def openapi(
    paths: Paths,
    output_dir: Annotated[str, typer.Option("--output-dir", "-o", help="Where openapi/v3 and openapi/v2 go.")] = ".",
    v2: Annotated[bool, typer.Option("--v2", help="Write the lossy documents of version 2, too.")] = False,
    module: Modules = [],  # noqa: B006
    schema: Schema = Manner.IDIOMATIC,
    option: Options = [],  # noqa: B006
    alpha: Alpha = False,
    beta: Beta = True,
    max_description: MaxDescription = None,
    target: Target = NEWEST,
    format: Format = DiagnosticFormat.FULL,
    quiet: Quiet = False,
) -> None:
    """Write an OpenAPI document for each group and version in PATH."""
    from validation_gen.schemas import build_openapi  # noqa: PLC0415

    def build(program: Program, options: SchemaOptions, diagnostics: Diagnostics) -> dict[str, str]:
        return build_openapi(program, options, diagnostics, v2=v2)

    wanted = schema_options(schema, option, alpha, beta, max_description)
    read = settings(paths, module, [], False, [], target)
    refuse_empty([output_dir], "--output-dir")
    _write(read, wanted, build, "document", output_dir, format, quiet=quiet)


def jsonschema(
    paths: Paths,
    output_dir: Annotated[str, typer.Option("--output-dir", "-o", help="Where the directory schemas goes.")] = ".",
    module: Modules = [],  # noqa: B006
    option: Options = [],  # noqa: B006
    alpha: Alpha = False,
    beta: Beta = True,
    max_description: MaxDescription = None,
    target: Target = NEWEST,
    format: Format = DiagnosticFormat.FULL,
    quiet: Quiet = False,
) -> None:
    """Write a JSON Schema for each kind in PATH, for editors and checks of manifests."""
    from validation_gen.schemas import build_json_schemas  # noqa: PLC0415

    wanted = schema_options(Manner.IDIOMATIC, option, alpha, beta, max_description)
    read = settings(paths, module, [], False, [], target)
    refuse_empty([output_dir], "--output-dir")
    _write(read, wanted, build_json_schemas, "schema", output_dir, format, quiet=quiet)


def _write(
    read: Settings,
    wanted: SchemaOptions,
    build: Build,
    noun: str,
    directory: str,
    format: DiagnosticFormat,
    *,
    quiet: bool,
    owned: bool = False,
) -> None:
    """Reads, builds and writes; prints what was found and what was written. `owned` files are given new text."""
    from validation_gen.output import replace_files, write_files  # noqa: PLC0415
    from validation_gen.pipeline import build_program  # noqa: PLC0415

    with Progress() as progress:
        result = build_program(replace(read, every_kind=True), progress)
        diagnostics = result.diagnostics
        progress("building schemas")
        files = build(result.program, wanted, diagnostics)
        if not files and not diagnostics.items and not owned:
            help = "a kind is a struct with metav1.TypeMeta and metav1.ObjectMeta, in a package with +groupName"
            diagnostics.warning("VG902", "there are no kinds here", Span(read.paths[0]), help)
        progress("writing")
        if owned:
            written = replace_files(files, diagnostics)
        else:
            written = write_files(directory, files, diagnostics, prune=bool(files) and not diagnostics.has_errors)
    print_diagnostics(diagnostics, format.value)
    told = _summary(len(files), noun, written, owned=owned)
    say(f"{told} in {one_line(directory)} ({progress.seconds:.1f} s)", format, quiet=quiet)
    code = exit_code(diagnostics)
    if code != OK:
        raise typer.Exit(code)


def _summary(count: int, noun: str, written: Written, *, owned: bool) -> str:
    counted = f"{count} {noun}{'' if count == 1 else 's'}"
    if owned:
        return f"{counted} with new schemas"
    removed = f", {len(written.removed)} removed" if written.removed else ""
    return f"{counted}: {len(written.written)} written, {len(written.unchanged)} unchanged{removed}"
