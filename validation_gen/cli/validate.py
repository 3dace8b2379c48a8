"""`validation-gen validate PATH… -f FILE`: checks manifests against the tagged types."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from validation_gen.cli.options import (
    Custom,
    DiagnosticFormat,
    Modules,
    Paths,
    Readonly,
    RequireDirective,
    Target,
    assignments,
    settings,
)
from validation_gen.cli.terminal import FINDINGS, OK, Progress, exit_code, print_diagnostics
from validation_gen.rules.releases import NEWEST

if TYPE_CHECKING:
    from validation_gen.manifests import Manifest
    from validation_gen.runtime.errors import FieldError


def validate(
    paths: Paths,
    filename: Annotated[
        list[str],
        typer.Option(
            "--filename", "-f", metavar="FILE|DIR|-", help="Manifests to check. Repeatable.", show_default=False
        ),
    ],
    old: Annotated[
        list[str],
        typer.Option(
            "--old",
            metavar="FILE|DIR",
            help="Manifests as they were, to check updates. Repeatable.",
            show_default=False,
        ),
    ] = [],  # noqa: B006 - typer wants a plain default and never changes it
    option: Annotated[
        list[str],
        typer.Option(
            "--option", metavar="NAME=true|false", help="A validation option. Repeatable.", show_default=False
        ),
    ] = [],  # noqa: B006
    subresource: Annotated[str, typer.Option("--subresource", help="The request path below the object.")] = "/",
    type: Annotated[
        str | None,
        typer.Option("--type", metavar="[PACKAGE.]NAME", help="The Go type of objects that do not name their kind."),
    ] = None,
    module: Modules = [],  # noqa: B006
    readonly_pkg: Readonly = [],  # noqa: B006
    require_directive: RequireDirective = False,
    custom_validations: Custom = [],  # noqa: B006
    target: Target = NEWEST,
    format: Annotated[
        DiagnosticFormat, typer.Option("--format", help="How errors are printed.")
    ] = DiagnosticFormat.FULL,
) -> None:
    """Check Kubernetes manifests and print errors as kubectl would. Writes no files."""
    from validation_gen.manifests import read_manifests  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.pipeline import build_program, load_validators  # noqa: PLC0415

    options = assignments(option, "--option")
    with Progress() as progress:
        result = build_program(
            settings(paths, module, readonly_pkg, require_directive, custom_validations, target), progress
        )
        progress("checking")
        registry = load_validators(result.program)
        manifests = read_manifests(filename, result.diagnostics)
        before = {m.identity: m.obj for m in read_manifests(old, result.diagnostics)}
        verdicts = [
            (
                m,
                registry.validate(m.obj, before.get(m.identity), options=options, subresource=subresource, type=type),
            )
            for m in manifests
        ]
    print_diagnostics(result.diagnostics, "concise" if format is DiagnosticFormat.JSON else format.value)
    if format is DiagnosticFormat.JSON:
        json.dump([_as_dict(m, errors) for m, errors in verdicts], sys.stdout, indent=2, default=repr)
        sys.stdout.write("\n")
    else:
        for manifest, errors in verdicts:
            _print(manifest, errors)
    invalid = sum(1 for _, errors in verdicts if errors)
    if format is not DiagnosticFormat.JSON:
        noun = "object" if len(verdicts) == 1 else "objects"
        typer.echo(f"{len(verdicts)} {noun}: {len(verdicts) - invalid} valid, {invalid} invalid")
    code = exit_code(result.diagnostics) or (FINDINGS if invalid else OK)
    if code != OK:
        raise typer.Exit(code)


def _print(manifest: Manifest, errors: Sequence[FieldError]) -> None:
    """One error on the line of its object, several as a list, in kubectl's words."""
    if not errors:
        return
    kind = manifest.identity[1] or "object"
    head = f'{manifest.file}:{manifest.line}: The {kind} "{manifest.name}" is invalid:'
    if len(errors) == 1:
        typer.echo(f"{head} {errors[0]}")
        return
    typer.echo(head)
    for error in errors:
        typer.echo(f"* {error}")


def _as_dict(manifest: Manifest, errors: Sequence[FieldError]) -> dict[str, object]:
    version, kind, namespace, name = manifest.identity
    return {
        "file": manifest.file,
        "line": manifest.line,
        "apiVersion": version,
        "kind": kind,
        "namespace": namespace,
        "name": name,
        "errors": [error.as_dict() for error in errors],
    }
