"""`validation-gen config …`: prints the configured values with their origins, and the schema of configurations."""

from __future__ import annotations

import enum
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from validation_gen.cli import checks, terminal
from validation_gen.cli.app import COMMANDS, GROUPS, Late, command_group
from validation_gen.cli.config_context import Configurable, Configured, get_configuration, variable
from validation_gen.cli.helping import FOR_ALL, long_name
from validation_gen.cli.option_schema import command_of, section_names, section_of, sections
from validation_gen.cli.options import FORMAT, DiagnosticFormat, Options, TextOrJson, expand_groups, option
from validation_gen.cli.terminal import ENVIRONMENT, OK
from validation_gen.commands.configuration import Shown, as_data, render_lines, table_values
from validation_gen.compiler.config import Config
from validation_gen.compiler.config.keys import instead
from validation_gen.compiler.config.trust import read_store, store_file
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.diagnostics.visible import as_json_escape, one_line, redact, replace_invisible

app = command_group("config")
_OWN = {"help", *FOR_ALL}


@dataclass(frozen=True)
class Started(Options):
    """Options of a first configuration."""

    dry_run: bool = option(False, "Write nothing; print the file.")
    diff: bool = option(False, "Write nothing; print the change.")
    format: DiagnosticFormat = FORMAT()


@dataclass(frozen=True)
class Trusting(Options):
    """Options of trust in a project."""

    revoke: bool = option(False, "Trust PROJECT no longer.")
    list: bool = option(False, "List trusted code, and its changes since then.")
    dry_run: bool = option(False, "Only list the code.")
    format: DiagnosticFormat = FORMAT()


class KeysAs(str, enum.Enum):
    """Output format of the keys."""

    JSON = "json"
    MARKDOWN = "markdown"


@app.command(
    "show", cls=Configurable, context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False}
)
def show(
    command: Annotated[
        list[str],
        typer.Argument(
            metavar="[COMMAND] [ARGS]",
            help="A command, such as generate or crd-lint, and its arguments. Without it: all of them.",
            autocompletion=lambda incomplete: [name for name in section_names() if name.startswith(incomplete)],
        ),
    ] = [],  # noqa: B006 - typer wants a plain default and never changes it
    format: Annotated[TextOrJson, typer.Option("--format", help="Format of values.")] = TextOrJson.TEXT,
) -> None:
    """Print the value and the origin of each option of a command. Writes no files."""
    words = 2 if command[:1] and command[1:2] and command[1] in GROUPS.get(command[0], ()) else 1
    wanted = [section_of(tuple(command[:words]))] if command else []
    if wanted and wanted[0] not in section_names():
        if command[0] in COMMANDS:
            raise typer.BadParameter(f"{command[0]} takes nothing from a configuration", param_hint="COMMAND")
        help = instead(command[0], section_names())
        raise typer.BadParameter(f"there is no command {command[0]}; {help}", param_hint="COMMAND")
    config = get_configuration().config
    found = {name: _list_options(name, command[words:], config) for name in wanted or section_names()}
    tables = table_values(config) if not wanted or wanted == ["generate"] else {}
    if format is TextOrJson.JSON:
        text = json.dumps(as_data(config, found, tables), indent=2, ensure_ascii=False)
        typer.echo(redact(replace_invisible(text, as_json_escape, keep="\n")))
        return
    for line in render_lines(config, found | tables):
        typer.echo(redact(one_line(line)))


@app.command("schema", cls=Configurable)
def schema(
    format: Annotated[KeysAs, typer.Option("--format", help="For editors, or for people.")] = KeysAs.JSON,
) -> None:
    """Print the JSON Schema of validation-gen.toml, for editors. Writes no files."""
    from validation_gen.compiler.config.schema import as_markdown, as_schema  # noqa: PLC0415 - late, so that --help stays fast

    if format is KeysAs.MARKDOWN:
        typer.echo(as_markdown(sections()), nl=False)
    else:
        typer.echo(json.dumps(as_schema(sections()), indent=2, ensure_ascii=False))


@app.command("init")
@expand_groups
def init(
    directory: Annotated[
        str, typer.Argument(metavar="DIR", help="The repository, by default the current directory.")
    ] = ".",
    *,
    started: Started,
) -> int:
    """Write a first configuration for the repository in DIR. Changes no existing configuration."""
    from validation_gen.commands.init import list_steps, propose, render_diff, write  # noqa: PLC0415 - as above

    checks.refuse_empty([directory], "DIR")
    diagnostics, root = Diagnostics(), Path(directory)
    found = propose(root, diagnostics)
    if found is not None and not started.dry_run and not started.diff:
        write(found[1], diagnostics)
    terminal.print_diagnostics(diagnostics, started.format.value)
    code = terminal.exit_code(diagnostics)
    if code or found is None or not started.format.for_people:  # in other formats, standard output is the document
        return code
    if started.diff:
        typer.echo(render_diff(found[1]), nl=False)
    elif started.dry_run:
        typer.echo(found[1].after.decode(errors="replace"), nl=False)
    else:
        for line in list_steps(root, *found):
            typer.echo(one_line(line))
    return code


@app.command("trust")
@expand_groups
def trust(
    project: Annotated[
        str,
        typer.Argument(metavar="PROJECT", help="A directory, or its configuration; by default the current directory."),
    ] = ".",
    *,
    trusting: Trusting,
) -> int:
    """Trust the current code that the configuration of PROJECT names. Lists it first.

    It is trusted until the configuration, or a file that it names, changes. Imports of these files are not checked.
    """
    from validation_gen.commands.trust import list_projects, revoke_project, trust_project  # noqa: PLC0415 - as above

    checks.refuse_empty([project], "PROJECT")
    if sum((trusting.revoke, trusting.list, trusting.dry_run)) > 1:
        raise typer.BadParameter("--revoke, --list and --dry-run are three things to do; choose one")
    diagnostics, store = Diagnostics(), read_store(store_file())
    place = Span(str(store.file or "HOME"))
    if store.problem:
        help = "let it and its directories be writable by you alone, or delete it to begin anew"
        diagnostics.error("VG903", f"the list of trusted projects cannot be believed: {store.problem}", place, help)
    elif store.file is None and not trusting.dry_run:
        help = "set HOME or XDG_CONFIG_HOME, or give --trust to each command"
        diagnostics.error("VG903", "there is no place for the list of trusted projects", place, help)
    lines: Iterable[str] = ()
    if not diagnostics.items:
        if trusting.list:
            lines = list_projects(store)
        elif trusting.revoke:
            lines = revoke_project(project, store, sections(), diagnostics)
        else:
            lines = trust_project(project, store, sections(), diagnostics, write=not trusting.dry_run)
    for line in [*lines]:
        if trusting.format.for_people:
            typer.echo(one_line(line))
    terminal.print_diagnostics(diagnostics, trusting.format.value)
    return ENVIRONMENT if diagnostics.has_errors else OK


def _list_options(section: str, args: list[str], config: Config) -> list[Shown]:
    """Returns the options of a command with their values and origins, for these arguments."""
    first, *others = command_of(section)
    command: Any = Late(name=first).loaded()
    for name in others:
        command = command.commands[name]
    command.section, command.known = section, config
    for param in command.params:
        param.required = False  # missing values are shown as such
    command.make_context(" ".join((first, *others)), args)
    now = get_configuration()
    names = {key.parameter: key.name for key in sections().load(section).keys.values()}
    return [
        _value(param, names.get(param.name, long_name(param)), now)
        for param in command.params
        if long_name(param) not in _OWN
    ]


def _value(param: Any, name: str, now: Configured) -> Shown:
    value = now.context.params[param.name]
    if isinstance(value, list | tuple):
        value = [_plain(each) for each in value]
    match now.origin(param.name):
        case "COMMANDLINE":
            return Shown(name, _plain(value), "command line", "command line")
        case "ENVIRONMENT":
            return Shown(name, _plain(value), "environment", variable(param))
        case "DEFAULT_MAP":
            span = now.settings[param.name].span
            return Shown(name, _plain(value), "file", f"{span.file}:{span.line}")
    return Shown(name, _plain(value), "default", "default")


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, enum.Enum) else value
