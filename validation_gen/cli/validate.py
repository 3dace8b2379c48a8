"""`validation-gen validate PATH… -f FILE`: checks manifests against the tagged types."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import typer

from validation_gen.cli import checks, terminal
from validation_gen.cli.cluster_options import OnDask, cluster_of, processes_of, report_dead_worker, telling
from validation_gen.cli.config_context import get_configuration, levels
from validation_gen.cli.options import (
    FILENAME,
    LEVEL,
    OPTION,
    RECURSIVE,
    RULES,
    Defined,
    DiagnosticFormat,
    Options,
    Sources,
    expand_groups,
    option,
)
from validation_gen.cli.terminal import FINDINGS, INTERRUPTED, OK, SELDOM, Progress
from validation_gen.cli.trust_policy import end_if_untrusted, leave_out_customs
from validation_gen.commands.definitions import split
from validation_gen.commands.distributed.engines import Interruption
from validation_gen.compiler.settings import RuleSource
from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from validation_gen.diagnostics.visible import one_line
from validation_gen.files.reading import is_manifest
from validation_gen.rules.releases import RELEASES
from validation_gen.runtime.levels import Level

if TYPE_CHECKING:
    from validation_gen.commands.validate.changes import Changes
    from validation_gen.commands.validate.judging import Request
    from validation_gen.commands.validate.loading import Loaded
    from validation_gen.commands.validate.pieces import Checked
    from validation_gen.compiler.pipeline import Result


@dataclass(frozen=True)
class Manifests(Options):
    """Options of the objects."""

    unlisted: ClassVar[tuple[str, ...]] = ("recursive",)
    filename: list[str] = FILENAME(
        "Manifests to check, or patterns such as 'manifests/**/*.yaml'. Repeatable, and takes several names."
    )
    old: list[str] = option(
        [],
        "Old manifests, to check updates: files, or a revision such as git:main, which is read below "
        "the paths of -f (git:REF:DIR is a directory of it). Repeatable.",
        "FILE|DIR|git:REF",
    )
    changed_since: str | None = option(
        None,
        "Check only files of -f that differ from this git revision, such as origin/main, or rather from the "
        "commit where HEAD left it; objects that the commit has are updates.",
        "REF",
    )
    recursive: bool = RECURSIVE()


@dataclass(frozen=True)
class Kinds(Options):
    """Options of kinds without rules, and of objects without a kind."""

    skip: list[str] = option([], "Do not check objects of this Kind, or group/version/Kind. Repeatable.", "KIND,...")
    ignore_missing_schemas: bool = option(False, "Count objects without rules instead of failing.")
    strict_kinds: bool = option(False, "Fail for each object without rules, built-in kinds, too.")
    type: str | None = option(None, "The Go type of objects that do not name their kind.", "[PACKAGE.]NAME")


@dataclass(frozen=True)
class Judging(Options):
    """Options of the rules, and of requests."""

    raw: bool = option(False, "Validate objects as they are, by rules alone: no defaults, metadata or unknown fields.")
    rules: RuleSource | None = RULES()
    level: Level = LEVEL()
    subresource: str = option("/", "The request path below the object.")
    option: list[str] = OPTION(help="A validation option. Repeatable.")


@dataclass(frozen=True)
class Errors(Options):
    """Options of the output."""

    format: DiagnosticFormat = option(DiagnosticFormat.FULL, "Format of errors.")
    quiet: bool = option(False, "Print errors alone: no summary, no warnings.", names=("--quiet", "-q"))


@dataclass(slots=True)
class _Inputs:
    """The files of a run, those with old objects, and the paths to read there.

    `changes`: the comparison that chose the files. `on_cluster`: workers read the files.
    """

    files: Sequence[str]
    old: Sequence[str]
    named: Sequence[str]
    changes: Changes | None = None
    on_cluster: bool = False


_OPTIONS = ("-f", "--filename", "--old")


def prepare(given: list[str], _: dict[str, Any]) -> list[str]:
    """Returns the arguments, with the option repeated before each manifest that follows another one.

    Sources have other names than manifests, so that this is unambiguous. A directory is one of manifests where the
    sources come first.
    """
    found: list[str] = []
    option = ""
    sourced = bool(given) and not given[0].startswith("-")
    words = iter(given)
    for word in words:
        if word == "--":
            return [*found, word, *words]
        if word in _OPTIONS:
            option = word
            found += [word, *(value for value in [next(words, None)] if value is not None)]
        elif word.startswith("-"):
            option = ""
            found.append(word)
        else:
            is_directory = os.path.isdir(word)  # noqa: PTH112 - unlike Path.is_dir, it never raises
            found += [option, word] if option and (is_manifest(word) or (sourced and is_directory)) else [word]
    return found


@expand_groups
def validate(
    paths: Defined = [],  # noqa: B006 - typer wants a plain default and never changes it
    *,
    manifests: Manifests,
    kinds: Kinds,
    judging: Judging,
    run: OnDask,
    sources: Sources,
    errors: Errors,
) -> int:
    """Check Kubernetes manifests and print errors like kubectl. Writes no files but that of --resume."""
    from validation_gen.cli.loading import set_aside, set_aside_definitions  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.commands.validate.loading import load_judge  # noqa: PLC0415
    from validation_gen.commands.validate.report import Verdicts, wanted  # noqa: PLC0415
    from validation_gen.kubernetes.builtin import RELEASES as API_RELEASES  # noqa: PLC0415

    definitions, paths = split(paths)
    settings = sources.settings(paths, RELEASES if paths else API_RELEASES)
    settings = replace(settings, paths=tuple(paths), rules=judging.rules, level=judging.level)
    _refuse_unreadable(manifests, definitions, run, errors)
    request = _request(kinds, judging, settings.target)
    with Progress(every=SELDOM if run.cluster else None) as progress:
        aside: list[str] = []

        def review(result: Result, defined: Diagnostics) -> None:
            if errors.format.record.form in Verdicts.apart:  # programs get all findings in one document
                aside.append(set_aside(result.diagnostics, settings))
                aside.append(set_aside_definitions(defined, definitions))
            leave_out_customs(result)

        details = wanted(errors.format.record)
        loaded = load_judge(definitions, settings, request, details, review, progress, raw=judging.raw)
        progress("checking")
        inputs = _find_inputs(manifests, loaded, [*paths, *definitions, *settings.custom, *settings.extensions])
        inputs.on_cluster = bool(run.cluster)
        with Interruption() as interruption:
            checked = _check(loaded, inputs, manifests, run, progress, interruption)
            interruption.hold()  # the rest is quick
    return _report(checked, loaded, inputs, errors, aside, raw=judging.raw)


def _refuse_unreadable(manifests: Manifests, definitions: list[str], run: OnDask, errors: Errors) -> None:
    """Refuses manifests that this run cannot read.

    Raises:
        typer.BadParameter: there are such manifests.
        typer.Exit: only an untrusted configuration names a server to contact.
    """
    checks.check_files(filename=manifests.filename, old=manifests.old, path=definitions)
    if run.cluster:
        checks.refuse_on_cluster(manifests.filename, "--filename")
        if manifests.old:
            message = "objects as they were have to meet those of today, which is done on one machine"
            raise typer.BadParameter(message, param_hint="--old")
    else:
        checks.refuse_urls(
            manifests.filename, "--filename", "URLs are read with --cluster, for example --cluster local"
        )
        checks.refuse_urls(manifests.old, "--old")
    if manifests.changed_since == "":
        raise typer.BadParameter(
            "the revision is empty; name a branch, a tag or a commit", param_hint="--changed-since"
        )
    if manifests.changed_since and (manifests.old or run.cluster):
        other = "--old, which names other old objects" if manifests.old else "--cluster, which reads no git repository"
        raise typer.BadParameter(f"it cannot be used with {other}", param_hint="--changed-since")
    run.refuse_resume()
    cluster_of(run.cluster)
    end_if_untrusted(errors.format.value, "cluster")


def _find_inputs(manifests: Manifests, loaded: Loaded, rules: Sequence[str]) -> _Inputs:
    """Returns the files to check; none if every verdict would be wrong. Reports problems of the revision."""
    from validation_gen.commands.validate.changes import find_changes  # noqa: PLC0415
    from validation_gen.kubernetes.manifestfiles import names  # noqa: PLC0415

    if not loaded.usable or not manifests.filename:
        return _Inputs([], [], [])
    named = [*names(manifests.filename)]
    if manifests.changed_since is None:
        return _Inputs(manifests.filename, manifests.old, named)
    since, found = manifests.changed_since, loaded.result.diagnostics
    changes = find_changes(since, named, rules, found, recursive=manifests.recursive)
    if changes is None:
        return _Inputs([], [], [])
    return _Inputs(changes.files, [f"git:{changes.base}"] if changes.old else [], changes.old, changes)


def _check(
    loaded: Loaded,
    inputs: _Inputs,
    manifests: Manifests,
    run: OnDask,
    progress: Progress,
    interruption: Interruption,
) -> Checked:
    """Validates the objects, here or on a cluster."""
    from validation_gen.commands.distributed.chunking import SIZE, ChunkReader, decompress  # noqa: PLC0415 - late, as above
    from validation_gen.commands.validate.pieces import OldFiles, check  # noqa: PLC0415

    cluster = cluster_of(run.cluster)
    if cluster is None:
        count = processes_of(run.jobs)
        size = SIZE if count > 1 else None
        reader = ChunkReader(inputs.files, recursive=manifests.recursive, size=size, unpack=decompress)
        repository = inputs.changes.repository if inputs.changes else None
        olds = OldFiles(inputs.old, manifests.recursive, inputs.named, repository)
        return check(loaded.judge, reader, olds, count, interruption, telling(progress))
    from validation_gen.commands.validate.clustered import check_on_cluster  # noqa: PLC0415 - few have one

    corpus = ([*inputs.files], run.partition_size << 20, run.max_bad_partitions, run.resume)
    return check_on_cluster(cluster, loaded.judge, corpus, progress, interruption, recursive=manifests.recursive)


def _request(kinds: Kinds, judging: Judging, target: str) -> Request:
    """Returns the request about each object."""
    from validation_gen.commands.validate.judging import Request, parse_kinds  # noqa: PLC0415

    ignored = kinds.ignore_missing_schemas
    if kinds.strict_kinds and ignored and not get_configuration().is_configured("ignore_missing_schemas"):
        raise typer.BadParameter("it contradicts --ignore-missing-schemas", param_hint="'--strict-kinds'")
    options = checks.assignments(judging.option, "--option")
    below = f"/{judging.subresource.strip('/')}"
    return replace(
        Request(options, below, kinds.type, parse_kinds(kinds.skip), level=judging.level),
        missing=None if ignored else levels().of_error("VG807")[0],
        strict=kinds.strict_kinds,
        removed=levels().of_error("VG812")[0],
        minor=int(target.partition(".")[2]),
    )


def _report(checked: Checked, loaded: Loaded, inputs: _Inputs, errors: Errors, aside: list[str], *, raw: bool) -> int:
    """Prints the verdicts and a summary. Returns the exit code."""
    from validation_gen.commands.validate.judging import without_effect  # noqa: PLC0415
    from validation_gen.commands.validate.report import Verdicts  # noqa: PLC0415
    from validation_gen.commands.validate.verdicts import State  # noqa: PLC0415

    result, results = loaded.result, checked.results
    format, quiet, found = errors.format, errors.quiet, result.diagnostics
    found.extend(checked.problems)
    if checked.refused is not None:
        place = Span("--cluster" if inputs.on_cluster else "--jobs")
        found.error("VG904", str(checked.refused), place, checked.refused.help)
    if checked.failure is not None:
        found.add(report_dead_worker(checked.failure, checked.where))
    if inputs.files and not quiet and not checked.is_partial and inputs.changes is None:
        _warn_of_nothing_meant(
            without_effect(results, checked.olds, result.program.options, loaded.judge.request), found
        )
    verdicts = results.verdicts
    warned = levels().of_warning("VG808")
    if warned is None or (quiet and warned is not Severity.ERROR):
        verdicts = [verdict.without_warnings() for verdict in verdicts]
    if results.states[State.INVALID]:
        found.extend(levels().of_error("VG804")[1])
    terminal.print_report(
        Verdicts(verdicts, result.program.tag_spans(), found.items, warned or Severity.WARNING), format.record
    )
    nothing = not results.objects and (checked.is_partial or terminal.was_stopped(found))
    quietly = quiet or not inputs.files or nothing
    if checked.interrupted:
        terminal.say("interrupted: the objects behind were not checked", format, quiet=quietly, aside=True)
    terminal.say(results.summary(), format, quiet=quietly)
    if inputs.changes is not None:
        terminal.say(str(inputs.changes), format, quiet=quiet, aside=True)
    if raw:
        terminal.say(
            "no defaults were filled in: these are the rules of the types alone", format, quiet=quietly, aside=True
        )
    for line in [] if quietly else results.tally():
        typer.echo(one_line(line), err=True)
    terminal.say_unjudged(result.unjudged, format, quiet=quietly)
    for line in aside:
        if line and not quiet:
            typer.echo(line, err=True)
    fails = any(verdict.fails or (verdict.warns and warned is Severity.ERROR) for verdict in verdicts)
    return INTERRUPTED if checked.interrupted else terminal.exit_code(found) or (FINDINGS if fails else OK)


def _warn_of_nothing_meant(warnings: Iterable[Diagnostic], diagnostics: Diagnostics) -> None:
    """Adds warnings about arguments without effect. Skips configured ones, which are for all runs."""
    for warning in warnings:
        if not get_configuration().is_configured(warning.span.file.removeprefix("--")):
            diagnostics.add(warning)
