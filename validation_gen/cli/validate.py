"""`validation-gen validate PATH… -f FILE`: checks manifests against the tagged types."""

from __future__ import annotations

import difflib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

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
    import_customs,
    refuse_empty,
    settings,
)
from validation_gen.cli.terminal import ENVIRONMENT, FINDINGS, OK, Progress, exit_code, one_line, print_diagnostics
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.rules.releases import NEWEST
from validation_gen.runtime.gotext import go_json

if TYPE_CHECKING:
    from validation_gen.manifests import Manifest
    from validation_gen.runtime.errors import FieldError
    from validation_gen.runtime.registry import Registry


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
    from validation_gen.pipeline import build_program, load_validators, warn_of_nothing  # noqa: PLC0415

    options = assignments(option, "--option")
    chosen = settings(paths, module, readonly_pkg, require_directive, custom_validations, target)
    refuse_empty(filename, "--filename")
    refuse_empty(old, "--old")
    if "-" in filename and "-" in old:
        raise typer.BadParameter("standard input holds the objects or the old ones, not both", param_hint="--old")
    subresource = f"/{subresource.strip('/')}"
    with Progress() as progress:
        result = build_program(chosen, progress)
        warn_of_nothing(result.program, chosen, result.diagnostics)
        registry = load_validators(result.program)
        if type is not None:
            _find_type(type, registry, result.diagnostics)
        known = len(result.diagnostics.items)
        import_customs(result, chosen, registry)
        if exit_code(result.diagnostics) == ENVIRONMENT or len(result.diagnostics.items) > known:
            filename = []  # without what was meant, every verdict would be wrong
        progress("checking")
        manifests = read_manifests(filename, result.diagnostics)
        before = {m.identity: m.obj for m in read_manifests(old if filename else [], result.diagnostics)}
        verdicts = [
            (
                m,
                registry.validate(m.obj, before.get(m.identity), options=options, subresource=subresource, type=type),
            )
            for m in manifests
        ]
    print_diagnostics(result.diagnostics, "concise" if format is DiagnosticFormat.JSON else format.value)
    if format is DiagnosticFormat.JSON:
        typer.echo(_as_json([_as_dict(m, errors) for m, errors in verdicts]))
    else:
        for manifest, errors in verdicts:
            _print(manifest, errors)
    invalid = sum(1 for _, errors in verdicts if errors)
    if format is not DiagnosticFormat.JSON and filename:
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
    head = one_line(f'{manifest.file}:{manifest.line}: The {kind} "{manifest.name}" is invalid:')
    if len(errors) == 1:
        typer.echo(f"{head} {one_line(str(errors[0]))}")
        return
    typer.echo(head)
    for error in errors:
        typer.echo(f"* {one_line(str(error))}")


def _find_type(type: str, registry: Registry, diagnostics: Diagnostics) -> None:
    """Reports a `--type` that is none, or that several packages have."""
    package, _, name = type.rpartition(".")
    found = registry.of_type(name, package)
    if len(found) > 1:
        names = ", ".join(f"{k.package}.{k.name}" for k in found)
        diagnostics.error("VG904", f"--type {type} could be any of {names}", Span("--type"), "name the package too")
    elif not found and not diagnostics.has_errors:
        near = difflib.get_close_matches(name, {k.name for k in registry.kinds}, n=3)
        help = f"did you mean {' or '.join(sorted(near))}?" if near else "write the name of a Go type"
        diagnostics.error("VG904", f"there is no type {type}", Span("--type"), help)


def _as_json(verdicts: list[dict[str, Any]]) -> str:
    try:
        return json.dumps(verdicts, indent=2, allow_nan=False, default=repr)
    except RecursionError:  # values that are too deep for Python's JSON become its text
        for error in (error for verdict in verdicts for error in verdict["errors"]):
            if isinstance(error["badValue"], dict | list):
                error["badValue"] = go_json(error["badValue"])
        return json.dumps(verdicts, indent=2, allow_nan=False, default=repr)


def _as_dict(manifest: Manifest, errors: Sequence[FieldError]) -> dict[str, Any]:
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
