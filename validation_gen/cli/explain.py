"""`validation-gen explain`: explains tags and codes, the rules of a field, and the validation of an object."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from validation_gen.cli import checks, terminal
from validation_gen.cli.config_context import get_configuration, values_of
from validation_gen.cli.helping import TRUST
from validation_gen.cli.options import LEVEL, OPTION, Options, Sources, TextOrJson, expand_groups, option
from validation_gen.cli.terminal import OK, Progress, has_color
from validation_gen.commands.definitions import split
from validation_gen.diagnostics import CODES, Diagnostics, Severity, Span
from validation_gen.diagnostics.formats import Styler, styler
from validation_gen.runtime.levels import Level

if TYPE_CHECKING:
    from validation_gen.commands.explain.fields.address import Step
    from validation_gen.commands.explain.fields.owners import FieldOwners
    from validation_gen.commands.explain.replay.request import ReplayOptions
    from validation_gen.compiler.settings import Settings
    from validation_gen.sources.extensions import OwnFormat

_WIDEST = 100  # longer lines are hard to read


@dataclass(frozen=True)
class Traced(Options):
    """Options of an object, for the trace of its validation."""

    filename: str | None = option(
        None, "A manifest: show the result of each check, or the owners of FIELD.", "FILE|-", names=("--filename", "-f")
    )
    old: str | None = option(None, "The old object, for an update.", "FILE|-")
    object_name: str = option("", "Selects the object by its metadata.name; else the first.", names=("--name",))
    path: str = option("", "Show only this field of the object and its rules.")
    subresource: str = option("/", "The request path below the object.")
    type: str = option("", "The Go type of an object that does not name its kind.", "[PACKAGE.]NAME")
    level: Level = LEVEL()
    all: bool = option(False, "List also checks that are left out as a whole.")
    option: list[str] = OPTION(help="A validation option. Repeatable.")

    def wanted(self, level: Level) -> ReplayOptions:
        """Returns the request to trace."""
        from validation_gen.commands.explain.replay.request import ReplayOptions  # noqa: PLC0415

        options, below = checks.assignments(self.option, "--option"), f"/{self.subresource.strip('/')}"
        file, old = self.filename or "", self.old or ""
        return ReplayOptions(file, old, self.object_name, self.path, options, below, self.type, level, self.all)


@dataclass(frozen=True)
class Explanation(Options):
    """Options of the output, and of the configuration."""

    unlisted: ClassVar[tuple[str, ...]] = ("trust",)
    format: TextOrJson = option(TextOrJson.TEXT, "How it is printed.")
    trust: bool = option(False, TRUST)


def _complete_name(incomplete: str) -> list[str]:
    """Returns the tags, directives, codes and tables that `explain` knows. There are too many markers to list them.

    Codes are completed in upper or lower case.
    """
    typed = len(incomplete)
    codes = [incomplete + code[typed:] for code in CODES if code.startswith(incomplete.upper())]
    if incomplete and codes:
        return codes
    from validation_gen.rules.directives import DIRECTIVES  # noqa: PLC0415 - only a shell needs the catalogue here
    from validation_gen.rules.registry import catalogue  # noqa: PLC0415

    prefix = next((each for each in ("+k8s:", "k8s:", "+") if incomplete.startswith(each)), "")
    names = [prefix + name.removeprefix("k8s:") for name in (*catalogue(), *DIRECTIVES)]
    return [name for name in [*names, *([] if prefix else [*CODES, "schema-mapping"])] if name.startswith(incomplete)]


#: Options of a trace that are about types, and not about definitions, by parameter; and all options of a trace.
_OF_TYPES = {name: f"--{name}" for name in ("path", "option", "type", "all", "level")}
_OF_TRACES = {"old": "--old", "object_name": "--name", "subresource": "--subresource"} | _OF_TYPES


@expand_groups
def explain(
    context: typer.Context,
    *,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME|PATH]",
            help="A tag, such as maxItems, a code, such as VG203, schema-mapping, or a directory or file with types "
            "or definitions.",
            autocompletion=_complete_name,
        ),
    ] = None,
    field: Annotated[
        str | None,
        typer.Argument(
            metavar="[FIELD]",
            help="A type in PATH and a field of it, such as Robot.spec.compartments[*].volumeLiters.",
        ),
    ] = None,
    traced: Traced,
    sources: Sources,
    explanation: Explanation,
) -> int:
    """Explain tags, codes, the rules of a field, or the checks of an object. Without a name: list all.

    With PATH and FIELD: list the rules of a field, their positions, and their form in schemas; with -f, too, the
    owners of the field in an object.
    With -f: replay the validation of an object, check by check; or, where PATH has definitions, tell what a
    server makes of it. Without PATH the types are those of the configuration, or else of the current directory.
    """
    checks.check_target(sources.target)
    if traced.filename is not None:
        if field is None:
            return _trace(context, name, traced, sources, explanation)
        checks.refuse_empty([traced.filename], "--filename")
    for flag in _find_given(context, _OF_TRACES):
        if traced.filename is None:
            raise typer.BadParameter("it is about an object: name one by -f", param_hint=flag)
        if flag != "--name":
            raise typer.BadParameter("it is about the trace of an object: leave FIELD out", param_hint=flag)
    if name is None or field is None:
        return _name(name, sources, explanation)

    if definitions := split([name])[0]:
        _refuse_missing(name)
        return _explain_defined(definitions, field, traced, explanation.format)
    read = _read_settings(context, name, sources, explanation.trust, traced.level)
    return _field(read, field, traced, explanation.format)


def _trace(context: typer.Context, name: str | None, traced: Traced, sources: Sources, explanation: Explanation) -> int:
    """Prints the trace of an object. Returns the exit code."""
    from validation_gen.cli.replay import explain_request, replay_object  # noqa: PLC0415 - late, as above

    checks.refuse_empty([traced.filename or ""], "--filename")
    checks.refuse_empty([] if traced.old is None else [traced.old], "--old")
    as_json = explanation.format is TextOrJson.JSON
    if name is not None and (definitions := split([name])[0]):
        _refuse_missing(name)
        for flag in _find_given(context, _OF_TYPES):
            raise typer.BadParameter("it is about types; definitions have none of this", param_hint=flag)
        return explain_request(definitions, traced.wanted(traced.level), sources.target, as_json=as_json)
    read = _read_settings(context, name, sources, explanation.trust, traced.level)
    return replay_object(read, traced.wanted(read.level), as_json=as_json)


def _read_settings(context: typer.Context, path: str | None, given: Sources, trust: bool, level: Level) -> Settings:
    """Returns the settings that `validate` would use here. Arguments come before configured values."""
    if path is not None:
        _refuse_missing(path)
    known = values_of("validate", trust=trust)
    if given.custom_validations:
        get_configuration().settings.pop("custom_validations", None)  # the command line names others
    for each in dataclasses.fields(given):
        if not getattr(given, each.name) and each.name in known:
            given = replace(given, **{each.name: known[each.name]})
    if not _is_named(context, "target"):
        given = replace(given, target=known.get("target", given.target))
    level = level if _is_named(context, "level") else Level(known.get("level", level))
    return replace(given.settings([path] if path is not None else known.get("paths") or ["."]), level=level)


def _find_given(context: typer.Context, options: Mapping[str, str]) -> list[str]:
    """Returns the options that the command line sets."""
    return [option for parameter, option in options.items() if _is_named(context, parameter)]


def _is_named(context: typer.Context, parameter: str) -> bool:
    """Returns whether the command line, and not the configuration, sets a parameter."""
    return str(context.get_parameter_source(parameter)).endswith("COMMANDLINE")


def _refuse_missing(path: str) -> None:
    """Refuses a missing path with an error about the path: the reader would only report that it finds nothing."""
    if not os.path.lexists(path.removesuffix("...").rstrip("/") or "/"):
        raise typer.BadParameter(f"there is no file or directory {path}", param_hint="PATH")


def _width() -> int:
    return min(shutil.get_terminal_size((_WIDEST, 24)).columns, _WIDEST)


def _style() -> Styler:
    return styler(has_color(sys.stdout))


def _own_formats(sources: Sources, *, trust: bool) -> dict[str, OwnFormat]:
    """Returns the sound formats of the project by name, which the command line or the configuration names."""
    from validation_gen.rules.formats import FORMATS  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.sources.extensions import read_extensions  # noqa: PLC0415

    files = sources.extensions or values_of("validate", trust=trust).get("extensions", [])
    own = read_extensions(files, Diagnostics(), FORMATS.__contains__).formats
    return {name: each for name, each in own.items() if each.is_sound}


def _name(name: str | None, sources: Sources, explanation: Explanation) -> int:
    from validation_gen.commands.explain import documents  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.commands.explain.article import article_text, as_dict, sections_text  # noqa: PLC0415

    target, format = sources.target, explanation.format
    style = _style()
    if name is None and format is TextOrJson.JSON:
        typer.echo(json.dumps([as_dict(section) for section in documents.index(target)], indent=2))
        return OK
    if name is None:
        typer.echo(sections_text(documents.index(target), style), nl=False, color=True)
        return OK
    formats = {} if documents.is_code(name) else _own_formats(sources, trust=explanation.trust)
    article = documents.explain(name, target, formats)
    if article is None:
        diagnostics = Diagnostics()
        message = f'there is no tag and no code "{name}"'
        help = documents.suggestion(name, formats)
        if name and os.path.lexists(name):
            help = f"for a field of a type there, name it: validation-gen explain {name} Robot.spec"
        diagnostics.error("VG904", message, Span("NAME"), help)
        terminal.print_diagnostics(diagnostics, format.of_findings)
        return terminal.exit_code(diagnostics)
    if format is TextOrJson.JSON:
        typer.echo(json.dumps(as_dict(article), indent=2))
    else:
        typer.echo(article_text(article, style, _width()), nl=False, color=True)
    return OK


def _find_owners(traced: Traced, kind: str, steps: Sequence[Step], diagnostics: Diagnostics) -> FieldOwners | None:
    """Returns the owners of a field in the object of `-f`, None without one.

    Raises:
        AddressError: there is no such object, or it has no managed fields.
    """
    from validation_gen.commands.explain.fields.owners import find_owners, read_object  # noqa: PLC0415

    if traced.filename is None:
        return None
    manifest = read_object(traced.filename, kind, traced.object_name, diagnostics)
    return None if manifest is None else find_owners(manifest, steps)


def _render(account: dict[str, Any], text: str, owners: FieldOwners | None, format: TextOrJson) -> str:
    """Renders the account of a field, and its owners."""
    from validation_gen.commands.explain.article import sections_text  # noqa: PLC0415

    if format is TextOrJson.JSON:
        return json.dumps({**account, **({"owners": owners.as_dict()} if owners is not None else {})}, indent=2) + "\n"
    style = _style()
    return text if owners is None else f"{text}\n{sections_text([owners.section()], style, _width())}"


def _explain_defined(definitions: list[str], field: str, traced: Traced, format: TextOrJson) -> int:
    from validation_gen.commands.explain.article import article_text, as_dict  # noqa: PLC0415
    from validation_gen.commands.explain.defined import explain_defined  # noqa: PLC0415
    from validation_gen.commands.explain.fields.address import AddressError, read_address  # noqa: PLC0415
    from validation_gen.compiler.defined import add_defined  # noqa: PLC0415
    from validation_gen.ir import Program  # noqa: PLC0415

    program, diagnostics = Program(), Diagnostics()
    add_defined(program, definitions, diagnostics)
    output = ""
    if program.types:
        try:
            plan, steps = read_address(field, program)
            article = explain_defined(plan, steps, program)
            owners = _find_owners(traced, plan.name, steps, diagnostics)
            text = article_text(article, _style(), _width())
            output = _render(as_dict(article), text, owners, format)
        except AddressError as error:
            diagnostics.error("VG904", str(error), Span(error.place), error.help)
    errors = Diagnostics()  # `crd lint` reports warnings about definitions
    errors.extend(each for each in diagnostics.items if each.severity is Severity.ERROR)
    terminal.print_diagnostics(errors, format.of_findings)
    typer.echo(output, nl=False, color=True)
    return terminal.exit_code(errors)


def _field(read: Settings, field: str, traced: Traced, format: TextOrJson) -> int:
    from validation_gen.cli.loading import set_aside  # noqa: PLC0415
    from validation_gen.commands.explain.fields.account import account  # noqa: PLC0415
    from validation_gen.commands.explain.fields.address import AddressError, read_address, read_steps  # noqa: PLC0415
    from validation_gen.commands.explain.fields.text import field_text  # noqa: PLC0415
    from validation_gen.compiler.pipeline import build_program, warn_of_nothing  # noqa: PLC0415

    output = ""
    read = replace(read, every_kind=True)  # also kinds without tags: markers count in schemas
    with Progress() as progress:
        result = build_program(read, progress)
        warn_of_nothing(result.program, read, result.diagnostics)
        aside = set_aside(result.diagnostics, read)
        try:
            plan, steps = read_address(field, result.program)
            found = account(result.program, plan, steps, read.target)
            in_json = read_steps(found.name.removeprefix(plan.name), found.name)
            owners = _find_owners(traced, plan.name, in_json, result.diagnostics)
            text = field_text(found, _style(), _width())
            output = _render(found.as_dict(), text, owners, format)
        except AddressError as error:
            result.diagnostics.error("VG904", str(error), Span(error.place), error.help)
    terminal.print_diagnostics(result.diagnostics, format.of_findings)
    typer.echo(output, nl=False, color=True)
    if aside:
        typer.echo(aside, err=True)
    return terminal.exit_code(result.diagnostics)
