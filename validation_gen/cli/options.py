"""Options: how they are declared, and the groups of options that several commands share. `checks` parses their values.

A group is a dataclass whose fields are options. `expand_groups` replaces the groups among the parameters of a command
by their options, in the order of the fields, and passes the groups to the command.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, get_type_hints

import typer

from validation_gen.cli.checks import assignments, check_target, modules, refuse_empty, refuse_empty_import
from validation_gen.cli.config_context import suppressions
from validation_gen.cli.trust_policy import results_place
from validation_gen.commands.generate.cache import VARIABLE
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics.formats.names import DiagnosticFormat as _DiagnosticFormat
from validation_gen.diagnostics.formats.names import ReportFormat as _ReportFormat
from validation_gen.emit.schema import SchemaMode, SchemaOptions
from validation_gen.rules.releases import NEWEST, RELEASES
from validation_gen.runtime.levels import DEFAULT_LEVEL, Level

#: Output format of findings, for all commands.
DiagnosticFormat = _DiagnosticFormat
#: Output format of a command's own report.
ReportFormat = _ReportFormat


class TextOrJson(str, enum.Enum):
    """Output format of commands without findings."""

    TEXT = "text"
    JSON = "json"

    @property
    def of_findings(self) -> str:
        """Returns the format of findings beside the output."""
        return "concise" if self is TextOrJson.JSON else "full"


#: Default of an option that a user has to name.
REQUIRED: Any = ...

_PATH = "Directories (with all below, like ./apis/...) or single Go or Python files"
Paths = Annotated[list[str], typer.Argument(metavar="PATH", help=f"{_PATH}.")]
#: The same for commands that also take definitions.
Defined = Annotated[list[str], typer.Argument(metavar="PATH", help=f"{_PATH}, or definitions.")]


# --- declarations ----------------------------------------------------------------------------------------------------


class Options:
    """Base class of groups. `panel` is their heading in the help; the help does not list the `unlisted` ones."""

    panel: ClassVar[str | None] = None
    unlisted: ClassVar[tuple[str, ...]] = ()


def option(default: Any, help: str, metavar: str | None = None, *, names: tuple[str, ...] = (), **more: Any) -> Any:
    """Declares an option as a field of a group, by default with the name of the field."""
    info = functools.partial(typer.Option, help=help, metavar=metavar, **more)
    value = {"default_factory": default.copy} if isinstance(default, list) else {"default": default}
    return dataclasses.field(metadata={"names": names, "info": info}, **value)


def expand_groups(command: Callable[..., int | None]) -> Callable[..., None]:
    """Replaces groups among the parameters of a command by their options. The command returns its exit code."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, type[Options]] = {}
    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(command).parameters.values():
        hint = hints[parameter.name]
        if isinstance(hint, type) and issubclass(hint, Options):
            groups[parameter.name] = hint
            parameters += _parameters(hint)
        else:
            parameters.append(parameter.replace(annotation=hint, kind=inspect.Parameter.KEYWORD_ONLY))

    def run(**values: Any) -> None:
        for name, group in groups.items():
            values[name] = group(**{each.name: values.pop(each.name) for each in dataclasses.fields(group)})  # type: ignore[arg-type]
        if code := command(**values):
            raise typer.Exit(code)

    run.__name__, run.__doc__, run.__module__ = command.__name__, command.__doc__, command.__module__
    run.__annotations__ = {each.name: each.annotation for each in parameters} | {"return": None}
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return run


def _parameters(group: type[Options]) -> Iterator[inspect.Parameter]:
    hints = get_type_hints(group)
    for each in dataclasses.fields(group):  # type: ignore[arg-type]
        names = each.metadata["names"] or (f"--{each.name.replace('_', '-')}",)
        info = each.metadata["info"](*names, rich_help_panel=group.panel, hidden=each.name in group.unlisted)
        default = each.default if each.default_factory is dataclasses.MISSING else each.default_factory()
        default = inspect.Parameter.empty if default is REQUIRED else default
        annotation: Any = Annotated[hints[each.name], info]
        yield inspect.Parameter(each.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _complete_release(incomplete: str) -> list[str]:
    return [release for release in RELEASES if release.startswith(incomplete)]


# --- options of several groups ---------------------------------------------------------------------------------------

MODULE = functools.partial(option, [], "The sources of another Go module. Repeatable.", "IMPORT=DIR")
READONLY = functools.partial(
    option, [], "A package whose types are used but not generated for; may end in /... Repeatable.", "IMPORT"
)
TARGET = functools.partial(
    option, NEWEST, f"The Kubernetes release: {', '.join(RELEASES)}.", "RELEASE", autocompletion=_complete_release
)
LEVEL = functools.partial(
    option, DEFAULT_LEVEL, "Enforce rules of tags from this level on. Kubernetes enforces no alpha rules."
)
RULES = functools.partial(
    option,
    None,
    "Source of the rules: tags, the schema that `crd` writes, or all. "
    "By default all for kinds with markers of validation, and tags for others.",
)
OPTION = functools.partial(
    option, [], help="A validation option; others are off. Repeatable.", metavar="NAME=true|false"
)
FORMAT = functools.partial(option, DiagnosticFormat.FULL, "Format of findings.")
REPORT_FORMAT = functools.partial(option, ReportFormat.TEXT, "Format of the report.")
QUIET = functools.partial(option, False, "No summary line.", names=("--quiet", "-q"))
FILENAME = functools.partial(option, REQUIRED, metavar="FILE|DIR|-", names=("--filename", "-f"))
OLD = functools.partial(option, [], metavar="FILE|DIR")
RECURSIVE = functools.partial(
    option, True, "Read directories inside directories, too.", names=("--recursive/--no-recursive", "-R")
)
MAX_DESCRIPTION = functools.partial(
    option, None, "Cut descriptions to N characters, for manifests that are too large; 0 leaves them out.", "N", min=0
)


# --- groups ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Types(Options):
    """Options for reading types, and the target release."""

    unlisted: ClassVar[tuple[str, ...]] = ("extensions", "known_tags")
    module: list[str] = MODULE()
    known_tags: bool = option(False, "Apply the +k8s: tags inside of types of k8s.io packages that PATH refers to.")
    extensions: list[str] = option(
        [],
        "A YAML file with formats of the project, for +k8s:format. Repeatable.",
        "FILE",
        names=("--validation-extensions-file",),
    )
    target: str = TARGET()

    def settings(self, paths: list[str], releases: Sequence[str] = RELEASES) -> Settings:
        """Returns the settings of a run. `releases` are the possible targets."""
        refuse_empty([*paths, *self.extensions], "PATH")
        check_target(self.target, releases)
        return Settings(
            tuple(paths) or (".",),
            modules=modules(self.module),
            extensions=tuple(self.extensions),
            target=self.target,
            suppressions=suppressions(),
            known_tags=self.known_tags,
        )


@dataclass(frozen=True)
class Packages(Types):
    """Options for reading types and selecting packages."""

    unlisted: ClassVar[tuple[str, ...]] = ("extensions", "known_tags", "readonly_pkg", "require_directive")
    readonly_pkg: list[str] = READONLY()
    require_directive: bool = option(
        False, "Use only packages with a +k8s:validation-gen directive, and refuse types of other packages."
    )

    def settings(self, paths: list[str], releases: Sequence[str] = RELEASES) -> Settings:
        refuse_empty_import(self.readonly_pkg)
        found = super().settings(paths, releases)
        return replace(found, readonly=tuple(self.readonly_pkg), require_directive=self.require_directive)


@dataclass(frozen=True)
class Sources(Packages):
    """Options for reading sources, for commands that mostly have them from the configuration."""

    custom_validations: list[str] = option(
        [], "A Python file with functions for +k8s:customValidation. Repeatable.", "FILE"
    )

    def settings(self, paths: list[str], releases: Sequence[str] = RELEASES) -> Settings:
        refuse_empty(self.custom_validations, "PATH")
        return replace(super().settings(paths, releases), custom=tuple(self.custom_validations))


@dataclass(frozen=True)
class ListedSources(Sources):
    """The same options, where the help lists all of them."""

    unlisted: ClassVar[tuple[str, ...]] = ()


@dataclass(frozen=True)
class SchemaRules(Options):
    """Options that choose the rules and descriptions in schemas."""

    level: Level = LEVEL()
    max_description: int | None = MAX_DESCRIPTION()
    allow_unresolved: bool = option(False, "Accept any value of types that cannot be found.")
    option: list[str] = option(
        [], "The state of an option of +k8s:ifEnabled and +k8s:ifDisabled; others are off. Repeatable.", "NAME=true"
    )

    def options(self, schema: SchemaMode = SchemaMode.IDIOMATIC) -> SchemaOptions:
        """Returns the settings of a generation of schemas."""
        return SchemaOptions(schema, assignments(self.option, "--option"), self.level, self.max_description)


@dataclass(frozen=True)
class Schemas(SchemaRules):
    """The same options, where a schema may be as strict as validators."""

    schema: SchemaMode = option(
        SchemaMode.IDIOMATIC,
        "idiomatic: like a handwritten schema. exact: with CEL until the verdict is that of the validators.",
    )

    def options(self, schema: SchemaMode | None = None) -> SchemaOptions:
        return super().options(schema or self.schema)


@dataclass(frozen=True)
class Findings(Options):
    """Options of the output of a command."""

    format: DiagnosticFormat = FORMAT()
    quiet: bool = QUIET()


@dataclass(frozen=True)
class Writing(Options):
    """Options of commands that write generated files."""

    check: bool = option(False, "Write nothing; list files that are missing, stale or extra, and end with 1.")
    diff: bool = option(False, "Write nothing; print the changes as a patch, and end with 1 if there are any.")
    keep_going: bool = option(False, "Write files in spite of errors; otherwise none changes then.")
    format: DiagnosticFormat = FORMAT()
    quiet: bool = QUIET()
    verbose: bool = option(
        False,
        "Print packages, files, cached results and the time of each stage on standard error.",
        names=("--verbose", "-v"),
    )

    @property
    def details(self) -> bool:
        """Returns whether to print details: only in formats for people."""
        if self.quiet and self.verbose:
            raise typer.BadParameter("it is the opposite of --quiet; leave one of them out", param_hint="--verbose")
        return self.verbose and self.format.for_people


@dataclass(frozen=True)
class Caching(Options):
    """Options of the cache of results."""

    unlisted: ClassVar[tuple[str, ...]] = ("cache_dir",)
    cache_dir: str = option(
        "", "Directory of the cache, by default below the user's directory for caches.", "DIR", envvar=VARIABLE
    )
    no_cache: bool = option(False, "Do all work again, and cache nothing.")

    def directory(self, *, lasting: bool = True) -> Path | None:
        """Returns the directory of the cache, `None` without a cache, or for inputs that are not `lasting`."""
        return results_place(self.cache_dir, no_cache=self.no_cache or not lasting)
