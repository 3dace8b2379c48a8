"""`validation-gen validate PATH… -f FILE`: checks manifests against the tagged types."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from validation_gen.cli.cluster_options import (
    SELDOM,
    Jobs,
    OnDask,
    bar,
    cluster_of,
    died,
    processes_of,
    refuse_on_cluster,
    refuse_urls,
    telling,
)
from validation_gen.cli.config_context import configured, levels
from validation_gen.cli.groups import Sources, grouped
from validation_gen.cli.options import (
    Defined,
    DiagnosticFormat,
    EnforcedLevel,
    Rules,
    assignments,
    import_customs,
    refuse_empty,
    refuse_second_stdin,
)
from validation_gen.cli.terminal import (
    ENVIRONMENT,
    FINDINGS,
    INTERRUPTED,
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
from validation_gen.rules.releases import RELEASES
from validation_gen.runtime.levels import DEFAULT_LEVEL
from validation_gen.runtime.words import counted, nearest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from validation_gen.commands.corpora.engines import Cluster, Interruption
    from validation_gen.commands.validate.pieces import Judge
    from validation_gen.commands.validate.work import Checked
    from validation_gen.runtime.registry import Registry


@grouped
def validate(
    paths: Defined = [],  # noqa: B006 - typer wants a plain default and never changes it
    *,
    filename: Annotated[
        list[str],
        typer.Option(
            "--filename",
            "-f",
            metavar="FILE|DIR|-",
            help="Manifests to check, or patterns such as 'manifests/**/*.yaml'. Repeatable, and takes several names.",
        ),
    ],
    old: Annotated[
        list[str],
        typer.Option(
            "--old",
            metavar="FILE|DIR|git:REF",
            help="Old manifests, to check updates: files, or a revision such as git:main, which is read below "
            "the paths of -f (git:REF:DIR is a directory of it). Repeatable.",
        ),
    ] = [],  # noqa: B006 - typer wants a plain default and never changes it
    changed_since: Annotated[
        str,
        typer.Option(
            "--changed-since",
            metavar="REF",
            help="Check only files of -f that differ from this git revision, such as origin/main, or rather from the "
            "commit where HEAD left it; objects that the commit has are updates.",
            show_default=False,
        ),
    ] = "",
    recursive: Annotated[
        bool, typer.Option("--recursive/--no-recursive", "-R", help="Read directories inside directories, too.")
    ] = True,
    skip: Annotated[
        list[str],
        typer.Option(
            "--skip", metavar="KIND,...", help="Do not check objects of this Kind, or group/version/Kind. Repeatable."
        ),
    ] = [],  # noqa: B006
    ignore_missing_schemas: Annotated[
        bool, typer.Option("--ignore-missing-schemas", help="Count objects without rules instead of failing.")
    ] = False,
    strict_kinds: Annotated[
        bool, typer.Option("--strict-kinds", help="Fail for each object without rules, built-in kinds, too.")
    ] = False,
    raw: Annotated[
        bool,
        typer.Option(
            "--raw", help="Validate objects as they are, by rules alone: no defaults, metadata or unknown fields."
        ),
    ] = False,
    option: Annotated[
        list[str], typer.Option("--option", metavar="NAME=true|false", help="A validation option. Repeatable.")
    ] = [],  # noqa: B006
    subresource: Annotated[str, typer.Option("--subresource", help="The request path below the object.")] = "/",
    type: Annotated[
        str | None,
        typer.Option("--type", metavar="[PACKAGE.]NAME", help="The Go type of objects that do not name their kind."),
    ] = None,
    jobs: Jobs = 0,
    on_dask: OnDask,
    sources: Sources,
    rules: Rules = None,
    level: EnforcedLevel = DEFAULT_LEVEL,
    format: Annotated[DiagnosticFormat, typer.Option("--format", help="Format of errors.")] = DiagnosticFormat.FULL,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors alone: no summary, no warnings.")] = False,
) -> None:
    """Check Kubernetes manifests and print errors like kubectl. Writes no files but that of --resume."""
    from validation_gen.cli.sourcewarnings import set_aside, set_aside_definitions  # noqa: PLC0415
    from validation_gen.cli.trust_policy import (  # noqa: PLC0415
        end_if_refused,
        leave_out_customs,
        refuse_cluster,
        refuse_sources,
    )
    from validation_gen.cli.verdicts import Verdicts, wanted  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.commands.corpora.cutting import SIZE, Reader, unpacked  # noqa: PLC0415
    from validation_gen.commands.corpora.engines import Interruption  # noqa: PLC0415
    from validation_gen.commands.defaulting import Defaults  # noqa: PLC0415
    from validation_gen.commands.definitions import split  # noqa: PLC0415
    from validation_gen.commands.schemes import load_definitions  # noqa: PLC0415
    from validation_gen.commands.validate.changes import find_changes  # noqa: PLC0415
    from validation_gen.commands.validate.judging import Request, parse_kinds, without_effect  # noqa: PLC0415
    from validation_gen.commands.validate.pieces import Judge, Origin  # noqa: PLC0415
    from validation_gen.commands.validate.verdicts import State  # noqa: PLC0415
    from validation_gen.commands.validate.work import check  # noqa: PLC0415
    from validation_gen.compiler import pipeline  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.ir import Program  # noqa: PLC0415
    from validation_gen.kubernetes.builtin.lifecycle import RELEASES as API_RELEASES  # noqa: PLC0415
    from validation_gen.kubernetes.manifestfiles import names  # noqa: PLC0415

    definitions, paths = split(paths)
    releases = RELEASES if paths else API_RELEASES
    chosen = replace(sources.settings(paths, releases), rules=rules, level=level)
    refuse_empty(filename, "--filename")
    refuse_empty(old, "--old")
    refuse_second_stdin(filename=filename, old=old)
    if on_dask.cluster:
        refuse_on_cluster(filename, "--filename")
        if old:
            message = "objects as they were have to meet those of today, which is done on one machine"
            raise typer.BadParameter(message, param_hint="--old")
    else:
        refuse_urls(filename, "--filename", "URLs are read with --cluster, for example --cluster local")
        refuse_urls(old, "--old")
    if changed_since and (old or on_dask.cluster):
        other = "--old, which names other old objects" if old else "--cluster, which reads no git repository"
        raise typer.BadParameter(f"it cannot be used with {other}", param_hint="--changed-since")
    on_dask.refuse_resume()
    cluster = cluster_of(on_dask.cluster)
    refused = Diagnostics()
    refuse_cluster(on_dask.cluster, refused)
    refuse_sources(refused)
    end_if_refused(refused, format.value)
    below = f"/{subresource.strip('/')}"
    request = Request(assignments(option, "--option"), below, type, parse_kinds(skip), level=level)
    missing, _ = levels().of_error("VG807")
    removed, _ = levels().of_error("VG812")
    if strict_kinds and ignore_missing_schemas and not configured().is_configured("ignore_missing_schemas"):
        raise typer.BadParameter("it contradicts --ignore-missing-schemas", param_hint="'--strict-kinds'")
    request = replace(request, missing=None if ignore_missing_schemas else missing, strict=strict_kinds)
    request = replace(request, removed=removed, minor=int(chosen.target.partition(".")[2]))
    refuse_second_stdin(filename=filename, path=definitions)
    defaults = None
    with Progress(every=SELDOM if cluster else None) as progress:
        if paths:
            found = Diagnostics()
            types = pipeline.read(chosen, found, progress)
            lowered = pipeline.lower_judged(types, chosen, found, progress)
            result = pipeline.Result(lowered.program, found, pipeline.unjudged(types, lowered.program))
            marked = replace(chosen, every_kind=True, lint=False)
            known = lowered.program.schemas if lowered.markers and not chosen.definitions else {}
            defaults = Defaults(lambda: lowered.markers or pipeline.lower(types, marked, Diagnostics()), known)
            pipeline.warn_of_nothing(result.program, chosen, result.diagnostics)
        else:
            result = pipeline.Result(Program(), Diagnostics())
        defined = Diagnostics()
        kinds = load_definitions(definitions, defined, chosen.target)
        request = replace(request, scheme=kinds.scheme, defaults=None if raw else defaults)
        aside: list[str] = []
        if format.record.form in Verdicts.apart:  # programs get all findings in one document
            aside = [set_aside(result.diagnostics, chosen), set_aside_definitions(defined, definitions)]
        for problem in defined.items:
            result.diagnostics.add(problem)
        leave_out_customs(result)
        registry = pipeline.load_validators(result.program)
        if type is not None:
            _find_type(type, registry, result.diagnostics)
        before = len(result.diagnostics.items)
        import_customs(result, chosen, registry)
        if exit_code(result.diagnostics) == ENVIRONMENT or len(result.diagnostics.items) > before:
            filename = []  # every verdict would be wrong without this input
        progress("checking")
        named = [*names(filename)]
        changes = None
        if changed_since and filename:
            changes = find_changes(changed_since, named, result.diagnostics, recursive=recursive)
            filename, named = (changes.files, changes.old) if changes is not None else ([], [])
            old = [f"git:{changes.base}"] if changes is not None and changes.old else []
        judge = Judge(registry, request, wanted(format.record))
        judge.origin = Origin(partial(pipeline.build_files, result.program), kinds.objects)
        with Interruption() as interruption:
            if cluster is None:
                count = processes_of(jobs)
                size = SIZE if count > 1 else None
                reader = Reader(filename, recursive=recursive, size=size, unpack=unpacked)
                tell = telling(progress)
                olds = old if filename else []
                checked = check(judge, reader, olds, count, interruption, tell, recursive=recursive, named=named)
            else:
                checked = _on_cluster(judge, filename, cluster, on_dask, progress, interruption, recursive=recursive)
            interruption.hold()  # the rest is quick
    results = checked.results
    for problem in checked.problems:
        result.diagnostics.add(problem)
    if checked.refused is not None:
        place = Span("--cluster" if cluster else "--jobs")
        result.diagnostics.error("VG904", str(checked.refused), place, checked.refused.help)
    if checked.failure is not None:
        result.diagnostics.add(died(checked.failure, checked.where))
    if filename and not quiet and not checked.is_partial and changes is None:
        warnings = without_effect(results, checked.olds, result.program.options, request)
        _warn_of_nothing_meant(warnings, result.diagnostics)
    verdicts = results.verdicts
    warned = levels().of_warning("VG808")
    if warned is None or (quiet and warned is not Severity.ERROR):
        verdicts = [verdict.without_warnings() for verdict in verdicts]
    if results.states[State.INVALID]:
        for remark in levels().of_error("VG804")[1]:
            result.diagnostics.add(remark)
    spans = result.program.tag_spans()
    print_report(Verdicts(verdicts, spans, result.diagnostics.items, warned or Severity.WARNING), format.record)
    nothing = not results.objects and (checked.is_partial or was_stopped(result.diagnostics))
    quietly = quiet or not filename or nothing
    if checked.interrupted:
        say("interrupted: the objects behind were not checked", format, quiet=quietly, aside=True)
    say(results.summary(), format, quiet=quietly)
    if changes is not None:
        say(str(changes), format, quiet=quiet, aside=True)
    if raw:
        say("no defaults were filled in: these are the rules of the types alone", format, quiet=quietly, aside=True)
    for line in [] if quietly else results.tally():
        typer.echo(one_line(line), err=True)
    say_unjudged(result.unjudged, format, quiet=quietly)
    for line in aside:
        if line and not quiet:
            typer.echo(line, err=True)
    fails = any(verdict.fails or (verdict.warns and warned is Severity.ERROR) for verdict in verdicts)
    code = INTERRUPTED if checked.interrupted else exit_code(result.diagnostics) or (FINDINGS if fails else OK)
    if code != OK:
        raise typer.Exit(code)


def _on_cluster(
    judge: Judge,
    filename: list[str],
    cluster: Cluster,
    on_dask: OnDask,
    progress: Progress,
    interruption: Interruption,
    *,
    recursive: bool,
) -> Checked:
    """Validates on a cluster."""
    from validation_gen.commands.corpora.dask_engine import DaskEngine  # noqa: PLC0415 - few have one
    from validation_gen.commands.corpora.engines import EngineError  # noqa: PLC0415
    from validation_gen.commands.corpora.keeping import KeptError  # noqa: PLC0415
    from validation_gen.commands.validate.clustered import check_on, corpus_of, work_on  # noqa: PLC0415
    from validation_gen.commands.validate.verdicts import Results  # noqa: PLC0415
    from validation_gen.commands.validate.work import Checked  # noqa: PLC0415

    found = Diagnostics()
    corpus = corpus_of(filename, found, on_dask.partition_size << 20, recursive=recursive)
    checked = Checked(Results())
    where = on_dask.resume
    try:
        work = work_on(judge, corpus, interruption, on_dask.max_bad_partitions)
        if where:
            work.resume(where)
        if corpus.partitions:
            progress("starting")
            with closing(DaskEngine(cluster)) as engine:
                seen = f", see {engine.dashboard}" if engine.dashboard else ""

                def tell(objects: int) -> None:
                    done = bar(corpus.finished, len(corpus.partitions))
                    progress(f"{done}, {counted(objects, 'object', grouped=True)} checked{seen}")

                checked = check_on(engine, judge, work, tell)
        if work.kept is not None:
            unsaved = work.kept.unsaved
            if unsaved is not None:
                raise unsaved
            if not checked.is_partial and work.kept.is_complete:
                work.kept.remove()  # kept if a partition is missing: the user may repair the store and resume
    except KeyboardInterrupt:
        checked.interrupted = True
    except EngineError as error:
        checked.refused = error
    except KeptError as error:
        help = "name another file, or delete it to begin anew"
        found.error("VG904", f"{where}: {error}", Span("--resume"), help)
    except OSError as error:
        message = f"cannot write: {error.strerror or error}"
        found.error("VG903", message, Span(str(error.filename or where)), "check the permissions")
    checked.problems = [*found.items, *checked.problems]
    return checked


def _warn_of_nothing_meant(warnings: Iterable[Diagnostic], diagnostics: Diagnostics) -> None:
    """Adds warnings about arguments without effect. Skips configured ones, which are for all runs."""
    for warning in warnings:
        if not configured().is_configured(warning.span.file.removeprefix("--")):
            diagnostics.add(warning)


def _find_type(type: str, registry: Registry, diagnostics: Diagnostics) -> None:
    """Reports a `--type` that is unknown or ambiguous."""
    package, _, name = type.rpartition(".")
    found = registry.of_type(name, package)
    if len(found) > 1:
        names = ", ".join(f"{k.package}.{k.name}" for k in found)
        diagnostics.error("VG904", f"--type {type} could be any of {names}", Span("--type"), "name the package too")
    elif not found and not diagnostics.has_errors:
        near = nearest(name, {k.name for k in registry.kinds}, most=3)
        help = f"did you mean {' or '.join(sorted(near))}?" if near else "write the name of a Go type"
        diagnostics.error("VG904", f"there is no type {type}", Span("--type"), help)
