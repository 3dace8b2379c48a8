"""`validation-gen explain PATH --object FILE`: replays the validation of an object, check by check."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import typer

from validation_gen.cli.options import import_customs, refuse_second_stdin
from validation_gen.cli.sourcewarnings import set_aside
from validation_gen.cli.terminal import (
    ENVIRONMENT,
    FINDINGS,
    OK,
    Progress,
    exit_code,
    has_color,
    one_line,
    print_diagnostics,
)
from validation_gen.cli.trust_policy import leave_out_customs
from validation_gen.commands.explain.fields.address import closest, either
from validation_gen.commands.explain.replay.record import Replay, Status, is_below, matching, narrowed
from validation_gen.commands.explain.replay.run import TracedValidators, replay_text, summary
from validation_gen.compiler.pipeline import build_program, warn_of_nothing
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.diagnostics.formats import styler
from validation_gen.kubernetes.manifests import Manifest, read_manifests
from validation_gen.runtime.levels import Level
from validation_gen.runtime.registry import Kind, Registry
from validation_gen.runtime.words import nearest


@dataclass(frozen=True, slots=True)
class Wanted:
    """Arguments of a replay: the files, the object in them, and the request."""

    file: str
    old: str
    name: str
    path: str
    options: Mapping[str, bool]
    subresource: str
    type: str
    level: Level
    all: bool


def replay_object(read: Settings, wanted: Wanted, *, as_json: bool) -> None:
    """Prints the outcome of each check.

    Raises:
        typer.Exit: the arguments, the files or the object have errors.
    """
    refuse_second_stdin(object=[wanted.file], old=[wanted.old or ""])
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
        manifest = chosen_of(read_manifests([wanted.file], diagnostics), wanted, diagnostics)
        before = before_of(manifest, wanted, diagnostics) if manifest and wanted.old else None
        kind = _kind(manifest, wanted.type, registry, diagnostics) if manifest else None
        found = None
        if manifest is not None and kind is not None and exit_code(diagnostics) != ENVIRONMENT:
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
            found = _narrowed(found, wanted.path, diagnostics)
    print_diagnostics(diagnostics, "concise" if as_json else "full")
    if found is not None and manifest is not None and kind is not None:
        if as_json:
            typer.echo(json.dumps(_as_dict(found, manifest, before, kind, wanted), indent=2, default=repr))
        else:
            _print(found, manifest, before, kind, wanted)
    if aside:
        typer.echo(aside, err=True)
    failed = found is not None and found.count(Status.FAILED) > 0
    code = exit_code(diagnostics) or (FINDINGS if failed else OK)
    if code != OK:
        raise typer.Exit(code)


def chosen_of(manifests: list[Manifest], wanted: Wanted, diagnostics: Diagnostics) -> Manifest | None:
    """Returns the chosen object: the one with the name, or the first."""
    if not wanted.name:
        return manifests[0] if manifests else None
    found = [manifest for manifest in manifests if manifest.name == wanted.name]
    if not found and manifests:
        names = sorted({manifest.name for manifest in manifests if manifest.name})
        near = closest(wanted.name, names) or names[:5]
        help = f"there is {either(near)}" if near else "the objects there have no names"
        diagnostics.error("VG904", f"{wanted.file} has no object with the name {wanted.name}", Span("--name"), help)
    return found[0] if found else None


def before_of(manifest: Manifest, wanted: Wanted, diagnostics: Diagnostics) -> Manifest | None:
    """Returns the old object: the one with the same identity, or else the only one in the file."""
    found = read_manifests([wanted.old], diagnostics)
    same = [other for other in found if other.identity == manifest.identity]
    if same or len(found) == 1:
        return (same or found)[0]
    if found:
        message = f"none of the {len(found)} objects in {wanted.old} is {manifest.identity[1]} {manifest.name}"
        diagnostics.error("VG904", message, Span("--old"), "name a file with the object as it was")
    return None


def _kind(manifest: Manifest, type: str, registry: Registry, diagnostics: Diagnostics) -> Kind | None:
    if not type:
        found = registry.of_object(manifest.obj)
        if found is None and not diagnostics.has_errors:
            version, kind, _, _ = manifest.identity
            what = f"no type here has the apiVersion {version or '(none)'} and the kind {kind or '(none)'}"
            known = sorted({f"{k.api_version} {k.name}" for k in registry.kinds if k.api_version})
            near = nearest(f"{version} {kind}", known, most=3) or known[:5]
            help = f"there is {either(near)}; or name the type by --type" if near else "name the type by --type"
            diagnostics.error("VG904", what, Span(manifest.file, manifest.line), help)
        return found
    package, _, name = type.rpartition(".")
    kinds = registry.of_type(name, package)
    if len(kinds) != 1 and not diagnostics.has_errors:
        near = closest(name, {k.name for k in registry.kinds})
        message = f"there is no type {type}"
        help = f"did you mean {either(near)}?" if near else "write the name of a Go type"
        if kinds:
            message = f"--type {type} could be any of {', '.join(f'{k.package}.{k.name}' for k in kinds)}"
            help = "name the package too"
        diagnostics.error("VG904", message, Span("--type"), help)
    return kinds[0] if len(kinds) == 1 else None


def _narrowed(found: Replay, path: str, diagnostics: Diagnostics) -> Replay:
    """Keeps the records that matter for a path. Reports a path without checks."""
    path = path.strip(".")
    if not path:
        return found
    places = matching(found.records, path)
    if not any(is_below(record.path, place) for record in found.records for place in places):
        paths = {record.path for record in found.records if record.path}
        near = closest(path, paths)
        help = f"did you mean {either(near)}?" if near else "write it as errors do, such as spec.tools[0].name"
        diagnostics.warning("VG902", f"no check here is about {path}", Span("--path"), help)
    return Replay(narrowed(found.records, path), found.errors, found.surprises)


def _print(found: Replay, manifest: Manifest, before: Manifest | None, kind: Kind, wanted: Wanted) -> None:
    style = styler(has_color(sys.stdout))
    what = "create"
    if before is not None:
        what = f"update of {before.file}:{before.line}"
    elsewhere = f", request {wanted.subresource}" if wanted.subresource != "/" else ""
    name = f' "{manifest.name}"' if manifest.name else ""
    typer.echo(one_line(f"{manifest.file}:{manifest.line}: {kind.name}{name}, {what}{elsewhere}"))
    typer.echo(replay_text(found.records, manifest.obj, style, verbose=wanted.all), nl=False, color=True)
    typer.echo(summary(found))


def _as_dict(found: Replay, manifest: Manifest, before: Manifest | None, kind: Kind, wanted: Wanted) -> dict[str, Any]:
    return {
        "file": manifest.file,
        "line": manifest.line,
        "old": f"{before.file}:{before.line}" if before else "",
        "package": kind.package,
        "kind": kind.name,
        "name": manifest.name,
        "subresource": wanted.subresource,
        "options": dict(wanted.options),
        "checks": [record.as_dict() for record in found.records],
        "summary": {status.value: found.count(status) for status in Status},
    }
