"""`validation-gen explain PATH -f FILE`: replays the validation of an object, or the steps of a server."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import typer

from validation_gen.cli import checks, terminal
from validation_gen.cli.loading import import_customs, set_aside
from validation_gen.cli.terminal import ENVIRONMENT, FINDINGS, OK, Progress
from validation_gen.cli.trust_policy import leave_out_customs
from validation_gen.commands.explain.replay.record import Replay, Status
from validation_gen.commands.explain.replay.request import (
    ReplayOptions,
    choose_object,
    choose_old,
    find_kind,
    narrow,
    to_dict,
)
from validation_gen.commands.explain.replay.run import TracedValidators, replay_text, summary
from validation_gen.commands.explain.requests import render_text, to_document, trace_request
from validation_gen.commands.schemes import Lists, load_scheme
from validation_gen.compiler.pipeline import build_program, warn_of_nothing
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostics
from validation_gen.diagnostics.formats import styler
from validation_gen.diagnostics.visible import one_line
from validation_gen.kubernetes.manifests import Manifest, read_manifests
from validation_gen.kubernetes.objects import UndefinedError, UnsupportedRequestError
from validation_gen.runtime.registry import Kind


def replay_object(read: Settings, wanted: ReplayOptions, *, as_json: bool) -> int:
    """Prints the outcome of each check. Returns the exit code."""
    checks.check_files(filename=wanted.file, old=wanted.old or None)
    with Progress() as progress:
        result = build_program(read, progress)
        diagnostics = result.diagnostics
        warn_of_nothing(result.program, read, diagnostics)
        aside = set_aside(diagnostics, read)
        left_out = leave_out_customs(result)
        validators = TracedValidators(result.program)
        registry = validators.registry
        import_customs(result, read, registry)
        progress("replaying")
        manifest = choose_object(read_manifests([wanted.file], diagnostics), wanted, diagnostics)
        before = choose_old(manifest, wanted, diagnostics) if manifest and wanted.old else None
        kind = find_kind(manifest, wanted.type, registry, diagnostics) if manifest else None
        found = None
        if manifest is not None and kind is not None and terminal.exit_code(diagnostics) != ENVIRONMENT:
            old = before.obj if before else None
            found = validators.replay(
                kind,
                manifest.obj,
                old,
                options=wanted.options,
                subresource=wanted.subresource,
                level=wanted.level,
                untrusted=left_out,
            )
            found = narrow(found, wanted.path, diagnostics)
    terminal.print_diagnostics(diagnostics, "concise" if as_json else "full")
    if found is not None and manifest is not None and kind is not None:
        if as_json:
            typer.echo(json.dumps(to_dict(found, manifest, before, kind, wanted), indent=2, default=repr))
        else:
            _print(found, manifest, before, kind, wanted)
    if aside:
        typer.echo(aside, err=True)
    failed = found is not None and found.count(Status.FAILED) > 0
    return terminal.exit_code(diagnostics) or (FINDINGS if failed else OK)


def _print(found: Replay, manifest: Manifest, before: Manifest | None, kind: Kind, wanted: ReplayOptions) -> None:
    style = styler(terminal.has_color(sys.stdout))
    what = "create"
    if before is not None:
        what = f"update of {before.file}:{before.line}"
    elsewhere = f", request {wanted.subresource}" if wanted.subresource != "/" else ""
    name = f' "{manifest.name}"' if manifest.name else ""
    typer.echo(one_line(f"{manifest.file}:{manifest.line}: {kind.name}{name}, {what}{elsewhere}"))
    typer.echo(replay_text(found.records, manifest.obj, style, verbose=wanted.all), nl=False, color=True)
    typer.echo(summary(found))


def explain_request(definitions: Sequence[str], wanted: ReplayOptions, target: str, *, as_json: bool) -> int:
    """Prints the steps of a request about an object. Returns the exit code."""
    diagnostics = Diagnostics()
    scheme = load_scheme(definitions, diagnostics, target)
    manifests = read_manifests([wanted.file], diagnostics, is_object=Lists(scheme).is_object)
    manifest = choose_object(manifests, wanted, diagnostics)
    before = choose_old(manifest, wanted, diagnostics) if manifest is not None and wanted.old else None
    terminal.print_diagnostics(diagnostics, "concise" if as_json else "full")
    if diagnostics.has_errors or manifest is None or (wanted.old and before is None):
        return terminal.exit_code(diagnostics)
    with checks.blame("'--filename'", UndefinedError, UnsupportedRequestError):
        old = before.obj if before is not None else None
        story = trace_request(scheme, manifest.obj, old, wanted.subresource.strip("/"))
    if as_json:
        typer.echo(json.dumps(to_document(story), indent=2, ensure_ascii=False, default=str))
    else:
        request = "update" if before is not None else "create"
        version, kind, _, name = manifest.identity
        typer.echo(one_line(f'{kind} "{name}" in {version}, {request}'))
        for line in render_text(story):
            typer.echo(one_line(line))
    return OK if story.outcome.ok else FINDINGS
