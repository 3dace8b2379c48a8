"""`validation-gen validate PATH… -f FILE`: checks manifests against the tagged types."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from validation_gen.cli.configured import configured, levels
from validation_gen.cli.groups import Sources, grouped
from validation_gen.cli.options import (
    Defined,
    DiagnosticFormat,
    Rules,
    assignments,
    import_customs,
    refuse_empty,
    refuse_second_stdin,
)
from validation_gen.cli.terminal import (
    ENVIRONMENT,
    FINDINGS,
    OK,
    Progress,
    exit_code,
    one_line,
    print_report,
    say,
    say_unjudged,
    was_stopped,
)
from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from validation_gen.runtime.words import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from validation_gen.kubernetes.manifests import Manifest
    from validation_gen.runtime.registry import Registry


@grouped
def validate(
    paths: Defined,
    *,
    filename: Annotated[
        list[str],
        typer.Option(
            "--filename",
            "-f",
            metavar="FILE|DIR|-",
            help="Manifests to check, or patterns such as 'manifests/**/*.yaml'. Repeatable, and takes several names.",
            show_default=False,
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
    recursive: Annotated[
        bool, typer.Option("--recursive/--no-recursive", "-R", help="Read directories inside directories, too.")
    ] = True,
    skip: Annotated[
        list[str],
        typer.Option(
            "--skip",
            metavar="KIND,...",
            help="Do not check objects of this Kind, or group/version/Kind. Repeatable.",
            show_default=False,
        ),
    ] = [],  # noqa: B006
    ignore_missing_schemas: Annotated[
        bool,
        typer.Option("--ignore-missing-schemas", help="Only count objects that no rules are for; else they fail."),
    ] = False,
    strict_kinds: Annotated[
        bool, typer.Option("--strict-kinds", help="Fail for each object that no rules are for, built-in kinds, too.")
    ] = False,
    raw: Annotated[
        bool,
        typer.Option(
            "--raw", help="Judge objects as they are: fill in no defaults of types, and take fields that none declares."
        ),
    ] = False,
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
    sources: Sources,
    rules: Rules = None,
    format: Annotated[
        DiagnosticFormat, typer.Option("--format", help="How errors are printed.")
    ] = DiagnosticFormat.FULL,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print what is wrong and nothing else: no summary, no warnings.")
    ] = False,
) -> None:
    """Check Kubernetes manifests and print errors as kubectl would. Writes no files."""
    from validation_gen.build import pipeline  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.cli.sourcewarnings import set_aside, set_aside_definitions  # noqa: PLC0415
    from validation_gen.cli.trusting import leave_out_customs  # noqa: PLC0415
    from validation_gen.cli.verdicts import Verdicts  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.ir import Program  # noqa: PLC0415
    from validation_gen.kubernetes.manifests import each_manifest  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.uses.definitions import split  # noqa: PLC0415
    from validation_gen.uses.filling import Defaults  # noqa: PLC0415
    from validation_gen.uses.schemes import Lists, scheme_of  # noqa: PLC0415
    from validation_gen.uses.validate import (  # noqa: PLC0415
        Request,
        State,
        judge_all,
        kinds_of,
        summary,
        unjudged,
        without_effect,
    )

    definitions, paths = split(paths)
    chosen = replace(sources.settings(paths), rules=rules)
    refuse_empty(filename, "--filename")
    refuse_empty(old, "--old")
    refuse_second_stdin(filename=filename, old=old)
    below = f"/{subresource.strip('/')}"
    request = Request(assignments(option, "--option"), below, type, kinds_of(skip))
    missing, _ = levels().of_error("VG807")
    if strict_kinds and ignore_missing_schemas and not configured().is_configured("ignore_missing_schemas"):
        raise typer.BadParameter("it contradicts --ignore-missing-schemas", param_hint="'--strict-kinds'")
    request = replace(request, missing=None if ignore_missing_schemas else missing, strict=strict_kinds)
    refuse_second_stdin(filename=filename, path=definitions)
    defaults = None
    with Progress() as progress:
        if paths or not definitions:
            found = Diagnostics()
            types = pipeline.read(chosen, found, progress)
            lowered = pipeline.lower_judged(types, chosen, found, progress)
            result = pipeline.Result(lowered.program, found, pipeline.unjudged(types, lowered.program))
            marked = replace(chosen, every_kind=True, lint=False)
            defaults = Defaults(lambda: lowered.markers or pipeline.lower(types, marked, Diagnostics()))
            pipeline.warn_of_nothing(result.program, chosen, result.diagnostics)
        else:
            result = pipeline.Result(Program(), Diagnostics())
        defined = Diagnostics()
        request = replace(request, scheme=scheme_of(definitions, defined))
        aside: list[str] = []
        if format.record.form in Verdicts.apart:  # programs get all findings in one document
            aside = [set_aside(result.diagnostics, chosen), set_aside_definitions(defined, definitions)]
        for problem in defined.items:
            result.diagnostics.add(problem)
        leave_out_customs(result)
        registry = pipeline.load_validators(result.program)
        if type is not None:
            _find_type(type, registry, result.diagnostics)
        known = len(result.diagnostics.items)
        import_customs(result, chosen, registry)
        if exit_code(result.diagnostics) == ENVIRONMENT or len(result.diagnostics.items) > known:
            filename = []  # without what was meant, every verdict would be wrong
        progress("checking")
        objects = partial(
            each_manifest,
            diagnostics=result.diagnostics,
            recursive=recursive,
            is_object=Lists(request.scheme).is_object,
        )
        manifests: Iterable[Manifest] = objects(filename)
        olds: list[Manifest] = []
        if old and filename:  # old ones are read behind the others, which tell what is a list
            manifests = list(manifests)
            olds = list(objects(old))
        verdicts = judge_all(manifests, olds, registry, replace(request, defaults=None if raw else defaults))
        if filename and not quiet:
            judged = [verdict.manifest for verdict in verdicts]
            _warn_of_nothing_meant(without_effect(judged, olds, result.program.options, request), result.diagnostics)
    warned = levels().of_warning("VG808")
    if warned is None or (quiet and warned is not Severity.ERROR):
        verdicts = [replace(verdict, warnings=()) for verdict in verdicts]
    if any(verdict.state is State.INVALID for verdict in verdicts):
        for remark in levels().of_error("VG804")[1]:
            result.diagnostics.add(remark)
    spans = result.program.tag_spans()
    print_report(Verdicts(verdicts, spans, result.diagnostics.items, warned or Severity.WARNING), format.record)
    quietly = quiet or not filename or was_stopped(result.diagnostics, len(verdicts))
    say(summary(verdicts), format, quiet=quietly)
    if raw:
        say("no defaults were filled in: these are the rules of the types alone", format, quiet=quietly, aside=True)
    for line in [] if quietly else unjudged(verdicts):
        typer.echo(one_line(line), err=True)
    say_unjudged(result.unjudged, format, quiet=quietly)
    for line in aside:
        if line and not quiet:
            typer.echo(line, err=True)
    fails = any(verdict.fails or (verdict.warnings and warned is Severity.ERROR) for verdict in verdicts)
    code = exit_code(result.diagnostics) or (FINDINGS if fails else OK)
    if code != OK:
        raise typer.Exit(code)


def _warn_of_nothing_meant(warnings: Iterable[Diagnostic], diagnostics: Diagnostics) -> None:
    """Adds warnings of arguments that mean nothing here. What the configuration says is for all runs, not for this."""
    for warning in warnings:
        if not configured().is_configured(warning.span.file.removeprefix("--")):
            diagnostics.add(warning)


def _find_type(type: str, registry: Registry, diagnostics: Diagnostics) -> None:
    """Reports a `--type` that is none, or that several packages have."""
    package, _, name = type.rpartition(".")
    found = registry.of_type(name, package)
    if len(found) > 1:
        names = ", ".join(f"{k.package}.{k.name}" for k in found)
        diagnostics.error("VG904", f"--type {type} could be any of {names}", Span("--type"), "name the package too")
    elif not found and not diagnostics.has_errors:
        near = nearest(name, {k.name for k in registry.kinds}, most=3)
        help = f"did you mean {' or '.join(sorted(near))}?" if near else "write the name of a Go type"
        diagnostics.error("VG904", f"there is no type {type}", Span("--type"), help)
