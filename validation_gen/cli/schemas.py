"""The commands that write schemas: `crd generate`, `openapi` and `jsonschema`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import typer

from validation_gen.cli import checks
from validation_gen.cli.options import (
    Defined,
    Options,
    Paths,
    SchemaRules,
    Schemas,
    Types,
    Writing,
    expand_groups,
    option,
)
from validation_gen.cli.terminal import Progress, apply_levels
from validation_gen.cli.writing import STDOUT, print_files, refuse_beside, report
from validation_gen.commands.definitions import split
from validation_gen.commands.generate.run import GenerateOptions, GenerateResult, generate, patch
from validation_gen.commands.generate.writing import Output, settle
from validation_gen.compiler.emitters import CRD, JSONSCHEMA, OPENAPI, Emitter

_OUTPUT_DIR = ("--output-dir", "-o")


@dataclass(frozen=True)
class CrdOutput(Options):
    """Options of the place of manifests."""

    output_dir: str = option(CRD.directory, "Directory of the manifests; - is standard output.", names=_OUTPUT_DIR)
    patch_schemas: str = option(
        "", "Write no manifests, but put the schemas into those in DIR, and keep all else there byte for byte.", "DIR"
    )


@dataclass(frozen=True)
class OpenapiOutput(Options):
    """Options of documents."""

    output_dir: str = option(
        OPENAPI.directory, "Parent directory of openapi/v3 and openapi/v2; - is standard output.", names=_OUTPUT_DIR
    )
    v2: bool = option(False, "Write the lossy documents of version 2, too.")


@dataclass(frozen=True)
class JsonschemaOutput(Options):
    """Options of the place of JSON Schemas."""

    output_dir: str = option(
        JSONSCHEMA.directory, "Parent directory of schemas; - is standard output.", names=_OUTPUT_DIR
    )
    helm_values: list[str] = option(
        [],
        "Write values.schema.json of a Helm chart instead, whose value at PATH is the spec of KIND, or FIELD of it. "
        "Repeatable.",
        "KIND[.FIELD][=PATH]",
    )


@expand_groups
def crd(paths: Paths, *, output: CrdOutput, types: Types, schemas: Schemas, writing: Writing) -> int:
    """Write a CustomResourceDefinition for each kind in PATH."""
    wanted, manifests = schemas.options(), output.patch_schemas
    settings = replace(types.settings(paths), refuse_unresolved=not schemas.allow_unresolved)
    checks.refuse_empty([output.output_dir], "--output-dir")
    if output.output_dir == STDOUT:
        refuse_beside(writing, {"--patch-schemas": manifests})
    if manifests:
        return _write(
            CRD, manifests, writing, lambda progress: patch(settings, wanted, manifests, progress), owned=True
        )
    options = GenerateOptions((CRD,), wanted)
    return _write(CRD, output.output_dir, writing, lambda progress: generate(settings, options, progress))


@expand_groups
def openapi(paths: Paths, *, output: OpenapiOutput, types: Types, schemas: Schemas, writing: Writing) -> int:
    """Write an OpenAPI document for each group and version in PATH."""
    wanted = GenerateOptions((OPENAPI,), schemas.options(), output.v2)
    settings = replace(types.settings(paths), refuse_unresolved=not schemas.allow_unresolved)
    return _write(OPENAPI, output.output_dir, writing, lambda progress: generate(settings, wanted, progress))


@expand_groups
def jsonschema(paths: Defined, *, output: JsonschemaOutput, types: Types, rules: SchemaRules, writing: Writing) -> int:
    """Write a JSON Schema for each kind in PATH, for editors and checks of manifests."""
    from validation_gen.emit.schema.helmvalues import ValuesError, ValuesRequest  # noqa: PLC0415

    try:
        values = tuple(map(ValuesRequest.parse, output.helm_values))
    except ValuesError as error:
        raise typer.BadParameter(f"{error}; {error.help}", param_hint="--helm-values") from None
    wanted = GenerateOptions((JSONSCHEMA,), rules.options(), values=values)
    definitions, paths = split(paths)
    settings = replace(types.settings(paths), refuse_unresolved=not rules.allow_unresolved)
    settings = settings.with_definitions(definitions, paths)
    directory, shared = output.output_dir, bool(values)
    return _write(JSONSCHEMA, directory, writing, lambda progress: generate(settings, wanted, progress), shared=shared)


def _write(
    emitter: Emitter,
    directory: str,
    writing: Writing,
    make: Callable[[Progress], GenerateResult],
    *,
    owned: bool = False,
    shared: bool = False,
) -> int:
    """Generates the files of one emitter, and writes, compares or prints them. Returns the exit code.

    `owned`: users edit the files, too. `shared`: the directory may have files that other runs have generated.
    """
    checks.refuse_empty([directory], "--output-dir")
    if directory == STDOUT:
        refuse_beside(writing, {})
    with Progress(verbose=writing.details) as progress:
        made = make(progress)
        noun = "manifest" if owned else emitter.noun
        output = Output(
            directory, made.outputs[emitter.name], noun, owned=owned, shared=shared, held=not writing.keep_going
        )
        if directory == STDOUT:
            return print_files(made, output, writing)
        outcome = settle(made, [output], progress, apply_levels, check=writing.check, diff=writing.diff)
    return report(outcome, progress.seconds, writing)
