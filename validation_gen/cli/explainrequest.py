"""`validation-gen explain DEFINITIONS --object FILE`: explains step by step how a server handles an object."""

from __future__ import annotations

import json
from collections.abc import Sequence

import typer

from validation_gen.cli.replay import Wanted, before_of, chosen_of
from validation_gen.cli.terminal import FINDINGS, exit_code, one_line, print_diagnostics
from validation_gen.commands.explain.requests import render_text, to_document, trace_request
from validation_gen.commands.schemes import Lists, load_scheme
from validation_gen.diagnostics import Diagnostics
from validation_gen.kubernetes.manifests import read_manifests
from validation_gen.kubernetes.objects import UndefinedError, UnjudgedError


def explain_request(definitions: Sequence[str], wanted: Wanted, target: str, *, as_json: bool) -> None:
    """Prints the steps of a request about an object.

    Raises:
        typer.Exit: the files or the object have errors.
        typer.BadParameter: the object cannot be judged.
    """
    diagnostics = Diagnostics()
    scheme = load_scheme(definitions, diagnostics, target)
    manifests = read_manifests([wanted.file], diagnostics, is_object=Lists(scheme).is_object)
    manifest = chosen_of(manifests, wanted, diagnostics)
    before = before_of(manifest, wanted, diagnostics) if manifest is not None and wanted.old else None
    print_diagnostics(diagnostics, "concise" if as_json else "full")
    if diagnostics.has_errors or manifest is None or (wanted.old and before is None):
        raise typer.Exit(exit_code(diagnostics))
    try:
        old = before.obj if before is not None else None
        story = trace_request(scheme, manifest.obj, old, wanted.subresource.strip("/"))
    except (UndefinedError, UnjudgedError) as error:
        raise typer.BadParameter(str(error), param_hint="'--object'") from None
    if as_json:
        typer.echo(json.dumps(to_document(story), indent=2, ensure_ascii=False, default=str))
    else:
        request = "update" if before is not None else "create"
        version, kind, _, name = manifest.identity
        typer.echo(one_line(f'{kind} "{name}" in {version}, {request}'))
        for line in render_text(story):
            typer.echo(one_line(line))
    if not story.outcome.ok:
        raise typer.Exit(FINDINGS)
