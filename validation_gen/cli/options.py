"""Arguments that several commands share, and functions that parse them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from validation_gen.cli.completion import releases
from validation_gen.cli.config_context import suppressions
from validation_gen.commands.generate.store import VARIABLE
from validation_gen.compiler.settings import RuleSource, Settings
from validation_gen.diagnostics.formats.names import DiagnosticFormat as _DiagnosticFormat
from validation_gen.diagnostics.formats.names import ReportFormat as _ReportFormat
from validation_gen.rules.releases import RELEASES
from validation_gen.runtime.levels import Level

if TYPE_CHECKING:
    from validation_gen.compiler.pipeline import Result
    from validation_gen.runtime.registry import Registry


#: Output format of findings, for all commands.
DiagnosticFormat = _DiagnosticFormat


#: Output format of a command's own report.
ReportFormat = _ReportFormat

Paths = Annotated[
    list[str],
    typer.Argument(metavar="PATH", help="Directories (with all below, like ./apis/...) or single Go or Python files."),
]
#: The same for commands that also take definitions.
Defined = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH",
        help="Directories (with all below, like ./apis/...) or single Go or Python files, or definitions.",
    ),
]
Modules = Annotated[
    list[str], typer.Option("--module", metavar="IMPORT=DIR", help="The sources of another Go module. Repeatable.")
]
AllowUnresolved = Annotated[
    bool, typer.Option("--allow-unresolved", help="Accept any value of types that cannot be found.")
]
Readonly = Annotated[
    list[str],
    typer.Option(
        "--readonly-pkg",
        metavar="IMPORT",
        help="A package whose types are used but not generated for; may end in /... Repeatable.",
    ),
]
KnownTags = Annotated[
    bool,
    typer.Option("--known-tags", help="Apply the +k8s: tags inside of types of k8s.io packages that PATH refers to."),
]
Custom = Annotated[
    list[str],
    typer.Option(
        "--custom-validations",
        metavar="FILE",
        help="A Python file with functions for +k8s:customValidation. Repeatable.",
    ),
]
RequireDirective = Annotated[
    bool,
    typer.Option(
        "--require-directive",
        help="Use only packages with a +k8s:validation-gen directive, and refuse types of other packages.",
    ),
]
Target = Annotated[
    str,
    typer.Option(
        "--target", help=f"The Kubernetes release: {', '.join(RELEASES)}.", metavar="RELEASE", autocompletion=releases
    ),
]
EnforcedLevel = Annotated[
    Level, typer.Option("--level", help="Enforce rules of tags from this level on. Kubernetes enforces no alpha rules.")
]
Rules = Annotated[
    RuleSource | None,
    typer.Option(
        "--rules",
        help="Source of the rules: tags, the schema that `crd` writes, or all. "
        "By default all for kinds with markers of validation, and tags for others.",
    ),
]
Check = Annotated[
    bool, typer.Option("--check", help="Write nothing; list files that are missing, stale or extra, and end with 1.")
]
Diff = Annotated[
    bool, typer.Option("--diff", help="Write nothing; print the changes as a patch, and end with 1 if there are any.")
]
KeepGoing = Annotated[
    bool, typer.Option("--keep-going", help="Write files in spite of errors; otherwise none changes then.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No summary line.")]
StrictLint = Annotated[bool, typer.Option("--strict-lint", help="Make findings of Kubernetes' own lint errors.")]
CacheDir = Annotated[
    str,
    typer.Option(
        "--cache-dir",
        metavar="DIR",
        envvar=VARIABLE,
        help="Directory of the cache, by default below the user's directory for caches.",
    ),
]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Do all work again, and cache nothing.")]
Verbose = Annotated[
    bool,
    typer.Option(
        "--verbose", "-v", help="Print packages, files, cached results and the time of each stage on standard error."
    ),
]
Format = Annotated[DiagnosticFormat, typer.Option("--format", help="Format of findings.")]


def settings(
    paths: list[str],
    modules: list[str],
    readonly: list[str],
    require_directive: bool,
    custom: list[str],
    target: str,
    known_tags: bool = False,
    releases: Sequence[str] = RELEASES,
) -> Settings:
    """Returns the settings of a run.

    Raises:
        typer.BadParameter: a path or import path is empty, the target is unknown, or a `--module` is not IMPORT=DIR or
            has no such directory.
    """
    refuse_empty([*paths, *custom], "PATH")
    if "" in readonly:
        raise typer.BadParameter("the import path is empty", param_hint="--readonly-pkg")
    check_target(target, releases)
    table = {}
    for text in modules:
        path, equals, directory = text.partition("=")
        if not equals or not path or not directory:
            raise typer.BadParameter(
                f"{text!r} is not IMPORT=DIR, such as k8s.io/apimachinery=../apimachinery", param_hint="--module"
            )
        if not os.path.isdir(directory):  # noqa: PTH112 - unlike Path.is_dir, it never raises
            raise typer.BadParameter(f"{directory} is not a directory", param_hint="--module")
        table[path] = directory
    return Settings(
        tuple(paths) or (".",),
        modules=table,
        readonly=tuple(readonly),
        require_directive=require_directive,
        custom=tuple(custom),
        target=target,
        suppressions=suppressions(),
        known_tags=known_tags,
    )


def check_target(target: str, releases: Sequence[str] = RELEASES) -> None:
    """Refuses an unknown target release.

    Raises:
        typer.BadParameter: it is none of the releases.
    """
    if target not in releases:
        meant = target.removeprefix("v")
        if meant in releases:
            raise typer.BadParameter(f"{target!r} is no release, did you mean {meant}?", param_hint="--target")
        raise typer.BadParameter(f"{target!r} is none of {', '.join(releases)}", param_hint="--target")


def refuse_empty(values: list[str], name: str) -> None:
    """Refuses an empty path: it would mean the current directory, but comes from an unset variable.

    Raises:
        typer.BadParameter: one of the values is empty.
    """
    if "" in values:
        raise typer.BadParameter("the path is empty; write . for the current directory", param_hint=name)


def refuse_second_stdin(**named: list[str]) -> None:
    """Refuses a second `-` among the files of all options: standard input can be read once.

    Args:
        named: the values by parameter; each may contain several comma-separated names.

    Raises:
        typer.BadParameter: the second option with `-`.
    """
    files = ((name, file) for name, values in named.items() for value in values for file in _split(value))
    readers = [name for name, file in files if file == "-"]
    if len(readers) > 1:
        first, second = (f"--{name}" if name.islower() else name for name in readers[:2])
        told = "is named twice" if first == second else f"is read for {first} already, and cannot be for {second}"
        raise typer.BadParameter(f"standard input {told}: it can be read once", param_hint=second)


def _split(value: str) -> list[str]:
    """Splits a value into names as a reader of manifests does."""
    return [value] if os.path.lexists(value) else value.split(",")


def import_customs(result: Result, settings: Settings, registry: Registry) -> None:
    """Imports the user's own functions now, so that a broken file is reported once, with its position."""
    from validation_gen.emit.loading.generated import import_customs as imported  # noqa: PLC0415 - late, so that --help stays fast

    imported(result.program.custom, settings.custom, registry, result.diagnostics)


def assignments(values: list[str], flag: str) -> dict[str, bool]:
    """Parses `X=true` and `X=false` into a table; a bare `X` means true.

    Raises:
        typer.BadParameter: another value.
    """
    table = {}
    for text in values:
        name, equals, value = text.partition("=")
        if not name or (equals and value.lower() not in ("true", "false")):
            raise typer.BadParameter(f"{text!r} is not NAME=true or NAME=false", param_hint=flag)
        table[name] = not equals or value.lower() == "true"
    return table
