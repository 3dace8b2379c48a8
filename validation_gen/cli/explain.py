"""`validation-gen explain`: explains tags and codes, the rules of a field, and the validation of an object."""

from __future__ import annotations

import enum
import os
import shutil
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from validation_gen.cli.completion import explained
from validation_gen.cli.config_context import Trust, configured, values_of
from validation_gen.cli.groups import Sources, grouped
from validation_gen.cli.options import EnforcedLevel, assignments, check_target, refuse_empty
from validation_gen.cli.terminal import OK, Progress, exit_code, has_color, print_diagnostics
from validation_gen.diagnostics import Diagnostics, Severity, Span
from validation_gen.runtime.levels import DEFAULT_LEVEL, Level

if TYPE_CHECKING:
    from validation_gen.compiler.settings import Settings

_WIDEST = 100  # longer lines are hard to read


class ExplainFormat(str, enum.Enum):
    """Output format of an explanation."""

    TEXT = "text"
    JSON = "json"


@grouped
def explain(
    context: typer.Context,
    *,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME|PATH]",
            help="A tag, such as maxItems, a code, such as VG203, schema-mapping, or a directory or file with types "
            "or definitions.",
            autocompletion=explained,
        ),
    ] = None,
    field: Annotated[
        str | None,
        typer.Argument(
            metavar="[FIELD]", help="A type in PATH and a field of it, such as Robot.spec.compartments[*].volumeLiters."
        ),
    ] = None,
    object: Annotated[
        str | None, typer.Option("--object", metavar="FILE|-", help="A manifest: show the result of each check.")
    ] = None,
    old: Annotated[str | None, typer.Option("--old", metavar="FILE|-", help="The old object, for an update.")] = None,
    object_name: Annotated[
        str, typer.Option("--name", help="Selects the object by its metadata.name; else the first.")
    ] = "",
    path: Annotated[str, typer.Option("--path", help="Show only this field of the object and its rules.")] = "",
    option: Annotated[
        list[str], typer.Option("--option", metavar="NAME=true|false", help="A validation option. Repeatable.")
    ] = [],  # noqa: B006 - typer wants a plain default and never changes it
    subresource: Annotated[str, typer.Option("--subresource", help="The request path below the object.")] = "/",
    type: Annotated[
        str,
        typer.Option("--type", metavar="[PACKAGE.]NAME", help="The Go type of an object that does not name its kind."),
    ] = "",
    level: EnforcedLevel = DEFAULT_LEVEL,
    all: Annotated[bool, typer.Option("--all", help="List also checks that are left out as a whole.")] = False,
    sources: Sources,
    format: Annotated[ExplainFormat, typer.Option("--format", help="How it is printed.")] = ExplainFormat.TEXT,
    trust: Trust = False,
) -> None:
    """Explain tags, codes, the rules of a field, or the checks of an object. Without a name: list all.

    With PATH and FIELD: list the rules of a field, their positions, and their form in schemas.
    With --object: replay the validation of an object, check by check; or, where PATH has definitions, tell what a
    server makes of it. Without PATH the types are those of the configuration, or else of the current directory.
    """
    check_target(sources.target)
    names_level = _is_named(context, "level")
    if object is not None:
        if field is not None:
            raise typer.BadParameter("an object has no FIELD beside it; --path chooses one", param_hint="FIELD")
        from validation_gen.cli.replay import Wanted, replay_object  # noqa: PLC0415
        from validation_gen.commands.definitions import split  # noqa: PLC0415

        refuse_empty([object], "--object")
        refuse_empty([] if old is None else [old], "--old")
        if name is not None and (definitions := split([name])[0]):
            _refuse_missing(name)
            from validation_gen.cli.explainrequest import explain_request  # noqa: PLC0415

            meant = ((path, "--path"), (option, "--option"), (type, "--type"), (all, "--all"))
            for given, flag in (*meant, (names_level, "--level")):
                if given:
                    raise typer.BadParameter("it is about types; definitions have none of this", param_hint=flag)
            wanted = Wanted(object, old or "", object_name, path, {}, subresource, type, level, all)
            explain_request(definitions, wanted, sources.target, as_json=format is ExplainFormat.JSON)
            return
        read = _configured(context, name, sources, trust, level)
        options = assignments(option, "--option")
        below = f"/{subresource.strip('/')}"
        wanted = Wanted(object, old or "", object_name, path, options, below, type, read.level, all)
        replay_object(read, wanted, as_json=format is ExplainFormat.JSON)
        return
    for given, flag in (
        (old is not None, "--old"),
        (object_name, "--name"),
        (path, "--path"),
        (option, "--option"),
        (subresource != "/", "--subresource"),
        (type, "--type"),
        (names_level, "--level"),
        (all, "--all"),
    ):
        if given:
            raise typer.BadParameter("it is about an object: name one by --object", param_hint=flag)
    if name is not None and field is not None:
        from validation_gen.commands.definitions import split  # noqa: PLC0415

        if definitions := split([name])[0]:
            _refuse_missing(name)
            _defined(definitions, field, format)
            return
        read = _configured(context, name, sources, trust, level)
        _field(read, field, format)
        return
    _name(name, sources.target, format)


def _configured(context: typer.Context, path: str | None, given: Sources, trust: bool, level: Level) -> Settings:
    """Returns the settings that `validate` would use here. Arguments come before configured values."""
    if path is not None:
        _refuse_missing(path)
    known = values_of("validate", trust=trust)
    if given.custom_validations:
        configured().settings.pop("custom_validations", None)  # the command line names others
    sources = Sources(
        given.module or known.get("module", []),
        given.known_tags or known.get("known_tags", False),
        given.readonly_pkg or known.get("readonly_pkg", []),
        given.require_directive or known.get("require_directive", False),
        given.custom_validations or known.get("custom_validations", []),
        given.target if _is_named(context, "target") else known.get("target", given.target),
    )
    level = level if _is_named(context, "level") else Level(known.get("level", level))
    return replace(sources.settings([path] if path is not None else known.get("paths") or ["."]), level=level)


def _is_named(context: typer.Context, parameter: str) -> bool:
    """Returns whether the command line, and not the configuration, sets a parameter."""
    return str(context.get_parameter_source(parameter)).endswith("COMMANDLINE")


def _refuse_missing(path: str) -> None:
    """Refuses a missing path with an error about the path: the reader would only report that it finds nothing."""
    if not os.path.lexists(path.removesuffix("...").rstrip("/") or "/"):
        raise typer.BadParameter(f"there is no file or directory {path}", param_hint="PATH")


def _width() -> int:
    return min(shutil.get_terminal_size((_WIDEST, 24)).columns, _WIDEST)


def _name(name: str | None, target: str, format: ExplainFormat) -> None:
    import json  # noqa: PLC0415

    from validation_gen.commands.explain import documents  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.commands.explain.article import (  # noqa: PLC0415
        article_text,
        as_dict,
        sections_text,
    )
    from validation_gen.diagnostics.formats import styler  # noqa: PLC0415

    style = styler(has_color(sys.stdout))
    if name is None and format is ExplainFormat.JSON:
        typer.echo(json.dumps([as_dict(section) for section in documents.index(target)], indent=2))
        return
    if name is None:
        typer.echo(sections_text(documents.index(target), style), nl=False, color=True)
        return
    article = documents.explain(name, target)
    if article is None:
        diagnostics = Diagnostics()
        message = f'there is no tag and no code "{name}"'
        help = documents.suggestion(name)
        if name and os.path.lexists(name):
            help = f"for a field of a type there, name it: validation-gen explain {name} Robot.spec"
        diagnostics.error("VG904", message, Span("NAME"), help)
        print_diagnostics(diagnostics, "concise" if format is ExplainFormat.JSON else "full")
        raise typer.Exit(exit_code(diagnostics))
    if format is ExplainFormat.JSON:
        typer.echo(json.dumps(as_dict(article), indent=2))
        return
    typer.echo(article_text(article, style, _width()), nl=False, color=True)


def _defined(definitions: list[str], field: str, format: ExplainFormat) -> None:
    import json  # noqa: PLC0415

    from validation_gen.commands.explain.article import article_text, as_dict  # noqa: PLC0415
    from validation_gen.commands.explain.defined import explain_defined  # noqa: PLC0415
    from validation_gen.commands.explain.fields.address import AddressError  # noqa: PLC0415
    from validation_gen.compiler.defined import add_defined  # noqa: PLC0415
    from validation_gen.diagnostics.formats import styler  # noqa: PLC0415
    from validation_gen.ir import Program  # noqa: PLC0415

    program, diagnostics = Program(), Diagnostics()
    add_defined(program, definitions, diagnostics)
    said = ""
    if program.types:
        try:
            article = explain_defined(field, program)
            said = (
                json.dumps(as_dict(article), indent=2) + "\n"
                if format is ExplainFormat.JSON
                else article_text(article, styler(has_color(sys.stdout)), _width())
            )
        except AddressError as error:
            diagnostics.error("VG904", str(error), Span("FIELD"), error.help)
    errors = Diagnostics()
    for finding in diagnostics.items:
        if finding.severity is Severity.ERROR:  # `crd lint` reports warnings about definitions
            errors.add(finding)
    print_diagnostics(errors, "concise" if format is ExplainFormat.JSON else "full")
    typer.echo(said, nl=False, color=True)
    if errors.has_errors:
        raise typer.Exit(exit_code(errors))


def _field(read: Settings, field: str, format: ExplainFormat) -> None:
    import json  # noqa: PLC0415

    from validation_gen.cli.sourcewarnings import set_aside  # noqa: PLC0415
    from validation_gen.commands.explain.fields.account import account  # noqa: PLC0415
    from validation_gen.commands.explain.fields.address import AddressError, read_address  # noqa: PLC0415
    from validation_gen.commands.explain.fields.text import field_text  # noqa: PLC0415
    from validation_gen.compiler.pipeline import build_program, warn_of_nothing  # noqa: PLC0415
    from validation_gen.diagnostics.formats import styler  # noqa: PLC0415

    said = ""
    read = replace(
        read, every_kind=True
    )  # include kinds without tags: markers count in schemas, and fields may have no rules
    with Progress() as progress:
        result = build_program(read, progress)
        warn_of_nothing(result.program, read, result.diagnostics)
        aside = set_aside(result.diagnostics, read)
        try:
            plan, steps = read_address(field, result.program)
            found = account(result.program, plan, steps, read.target)
            if format is ExplainFormat.JSON:
                said = json.dumps(found.as_dict(), indent=2) + "\n"
            else:
                said = field_text(found, styler(has_color(sys.stdout)), _width())
        except AddressError as error:
            result.diagnostics.error("VG904", str(error), Span("FIELD"), error.help)
    print_diagnostics(result.diagnostics, "concise" if format is ExplainFormat.JSON else "full")
    typer.echo(said, nl=False, color=True)
    if aside:
        typer.echo(aside, err=True)
    code = exit_code(result.diagnostics)
    if code != OK:
        raise typer.Exit(code)
