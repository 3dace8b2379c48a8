"""Passes values from the configuration and the environment to a command.

A value has four possible origins, in this order: the command line, an environment variable, the configuration, the
default. The configuration becomes the `default_map` of the command, and each option gets the names of variables, so
that click itself chooses the value.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import typer

from validation_gen.cli.helping import FOR_ALL, Grouped, common_options, long_name
from validation_gen.cli.option_schema import NAMES, section_of, sections
from validation_gen.cli.terminal import ENVIRONMENT, print_diagnostics
from validation_gen.compiler.config import Config, Setting, read_config
from validation_gen.compiler.config.files import find, open_document
from validation_gen.diagnostics import Diagnostics
from validation_gen.diagnostics.levels import OF_THE_RUN, Levels, Suppressions, beginning
from validation_gen.diagnostics.visible import one_line

PREFIX = "VALIDATION_GEN"
#: Commands without findings about sources or manifests.
_WITHOUT_FINDINGS = {"show", "schema"}


@dataclass(slots=True)
class Configured:
    """The configuration of the running command, and the origins of its values by parameter.

    `trusts`: the user allows to run what it names. `options`: the long options by parameter.
    """

    config: Config = field(default_factory=Config)
    settings: dict[str, Setting] = field(default_factory=dict)
    context: Any = None
    format: str = "full"
    trusts: bool = False
    options: dict[str, str] = field(default_factory=dict)
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def origin(self, parameter: str) -> str:
        """Returns the origin of a value: `COMMANDLINE`, `ENVIRONMENT`, `DEFAULT_MAP` or `DEFAULT`."""
        source = self.context and self.context.get_parameter_source(parameter)
        return source.name if source else "DEFAULT"

    def is_configured(self, parameter: str) -> bool:
        """Returns whether a value is from the configuration."""
        return parameter in self.settings and (self.context is None or self.origin(parameter) == "DEFAULT_MAP")


_current: ContextVar[Configured | None] = ContextVar("_current", default=None)


def get_configuration() -> Configured:
    """Returns the configuration of the running command; an empty one outside of commands."""
    return _current.get() or Configured()


def levels() -> Levels:
    """Returns the levels of findings in the configuration and on the command line."""
    found = get_configuration()
    return Levels(found.config.levels, found.select, found.ignore)


def suppressions() -> Suppressions:
    """Returns the configured suppressions. A run with configured inputs reads the whole project."""
    found = get_configuration()
    return Suppressions(found.config.suppressions, whole=found.origin("paths") == "DEFAULT_MAP")


def variables(section: str, option: str) -> list[str]:
    """Returns the environment variables of an option: of this command, by its current and older names, and of all."""
    name, renamed = option.strip("-"), sections().renamed
    own = [f"{section}_{name}", *(f"{old}_{name}" for old, new in renamed.items() if new == section)]
    own += [old.replace(".", "_") for old, new in renamed.items() if old.startswith(f"{section}.") and new == name]
    return [f"{PREFIX}_{each.replace('-', '_').upper()}" for each in (*own, name)]


def variable(param: Any) -> str:
    """Returns the variable that sets a parameter, empty if none does."""
    return next((name for name in _list(param.envvar) if os.environ.get(name)), "")


# --- before a command runs -------------------------------------------------------------------------------------------


class Configurable(Grouped):
    """A command whose options can have values from the configuration and the environment.

    Code that only inspects a command sets its section and its configuration.
    """

    section = ""
    known: Config | None = None

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._declared = {param.name: _list(param.envvar) for param in self.params}

    def make_parser(self, ctx: Any) -> Any:
        """Returns a parser that also accepts the common options, which only the help of the program lists."""
        parser = super().make_parser(ctx)
        for param in common_options():
            if self.name not in _WITHOUT_FINDINGS or param.name not in {"select", "ignore"}:
                param.add_to_parser(parser, ctx)
        return parser

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Returns completions, with the options of all commands."""
        found = super().shell_complete(ctx, incomplete)
        if incomplete.startswith("-"):
            kind = type(found[0]) if found else None
            names = [name for param in common_options() for name in param.opts if name.startswith(incomplete)]
            found += [kind(name) for name in names] if kind else []
        return found

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if ctx.resilient_parsing:  # shell completion
            return super().parse_args(ctx, args)
        section = self.section or section_of(_words(ctx))
        for param in self.params:
            _name_variables(param, section, self._declared[param.name])
        given = self.make_parser(ctx).parse_args(args=list(args))[0]
        self.configure(ctx, section, given)
        try:
            rest = super().parse_args(ctx, args)
        except typer.BadParameter as error:
            if error.param is not None and error.param.name == "paths" and not error.message:
                ctx.fail(
                    "Missing argument 'PATH'. Name directories or files, or name them in the configuration: "
                    'inputs = ["apis"] in validation-gen.toml, or in pyproject.toml below [tool.validation-gen].'
                )
            _blame(ctx, error)
            raise
        if self.known is None:
            from validation_gen.cli.trust_policy import refuse_places  # noqa: PLC0415 - it needs this module

            refuse_places(get_configuration())
        return rest

    def configure(self, ctx: Any, section: str, given: Mapping[str, Any]) -> None:
        """Reads the configuration, and sets the command's defaults from it."""
        format = _format(section, given)
        config = read(section, given, format) if self.known is None else self.known
        now = Configured(config, {}, ctx, format, trusts(given.get("trust")))
        now.select, now.ignore = (_beginnings(given.get(name), name) for name in ("select", "ignore"))
        keys = sections().load(section)
        now.options = {key.parameter: key.option for key in keys.keys.values()}
        now.settings = {keys.keys[name].parameter: setting for name, setting in config.find_settings(keys).items()}
        ctx.default_map = {name: setting.value for name, setting in now.settings.items()}
        _current.set(now)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            _blame(ctx, error)
            raise


def read(section: str, given: Mapping[str, Any], format: str = "full") -> Config:
    """Reads the configuration of a run.

    Raises:
        typer.Exit: it is malformed. The problems have been printed.
        typer.BadParameter: the file's name is empty, or `--no-config` is given as well.
    """
    named = given.get("config")
    if given.get("no_config") and named is not None:
        raise typer.BadParameter("it is the opposite of --config; leave one of them out", param_hint="--no-config")
    if given.get("no_config") or (named is None and _is_set(f"{PREFIX}_NO_CONFIG")):
        return Config()
    diagnostics = Diagnostics()
    if named == "":
        raise typer.BadParameter("the path is empty", param_hint="--config")
    named = named or os.environ.get(f"{PREFIX}_CONFIG")
    try:
        here = Path.cwd()
    except OSError:  # the current directory was deleted, so it has no parents
        return Config()
    file = Path(str(named)) if named else None
    config = read_config(here, diagnostics, sections(), file=file, first=section)
    if diagnostics.items:
        print_diagnostics(diagnostics, format)
        raise typer.Exit(ENVIRONMENT)
    for span, old, new in config.renamed:
        typer.echo(one_line(f"hint: {span.file}:{span.line}: `{old}` is now `{new}`"), err=True)
    return config


def has_default_inputs() -> bool:
    """Returns whether the environment or the configuration names inputs.

    It is True for a malformed configuration, too, which the run then reports.
    """
    if os.environ.get("VALIDATION_GEN_INPUTS"):
        return True
    named = os.environ.get("VALIDATION_GEN_CONFIG")
    diagnostics = Diagnostics()
    try:
        document = open_document(Path(named), diagnostics) if named else find(Path.cwd(), diagnostics)
    except OSError:  # the current directory was deleted
        return False
    return bool(diagnostics.items) or (document is not None and "inputs" in document.table)


def _beginnings(given: Any, name: str) -> tuple[str, ...]:
    """Parses prefixes of codes, separated by commas or repeated."""
    found = []
    for text in (each.strip() for value in given or () for each in str(value).split(",")):
        code = beginning(text)
        if code is None:
            raise typer.BadParameter(
                f"no code begins with {text!r}; write such as VG1, VG403 or ALL", param_hint=f"--{name}"
            )
        if code.startswith(OF_THE_RUN):
            raise typer.BadParameter(f"{code} is about the run itself, and is always told", param_hint=f"--{name}")
        found.append(code)
    return tuple(found)


def values_of(section: str, *, trust: bool = False) -> dict[str, Any]:
    """Returns the configured values of a command by parameter, for a command that has no table of its own.

    Raises:
        typer.Exit: the configuration is malformed.
    """
    keys = sections().load(section)
    config = read(section, {})
    settings = {keys.keys[name].parameter: setting for name, setting in config.find_settings(keys).items()}
    _current.set(Configured(config, settings, trusts=trusts(trust)))
    return {name: setting.value for name, setting in settings.items()}


def trusts(given: Any) -> bool:
    """Returns whether the user trusts the project in this run. The configuration cannot set this."""
    return bool(given) or _is_set(f"{PREFIX}_TRUST")


def _is_set(name: str) -> bool:
    return os.environ.get(name, "").lower() in {"1", "true", "t", "yes", "y", "on"}


def _words(ctx: Any) -> tuple[str, ...]:
    """Returns the names of the called command and its groups."""
    words: list[str] = []
    while ctx.parent is not None:
        words.insert(0, str(ctx.info_name))
        ctx = ctx.parent
    return tuple(words)


def _list(names: Any) -> list[str]:
    return [names] if isinstance(names, str) else list(names or [])


def _name_variables(param: Any, section: str, known: list[str]) -> None:
    name = long_name(param)
    if name in {"help", *FOR_ALL} or section not in sections().names:
        return
    if not known:
        param.show_envvar = False  # each option has one, so the help omits it
    *own, common = variables(section, name)
    names = own if _is_of_others(section, name, os.environ.get(common, "")) else [*own, common]
    param.envvar = [*(each for each in names if each not in known), *known]


def _is_of_others(section: str, name: str, value: str) -> bool:
    """Returns whether a value for all commands, such as a format of findings, is valid only for other commands."""
    if name == "inputs" and section == "crd-lint":
        return True
    key = sections().load(section).keys.get(name) if value else None
    if key is None or not key.choices or value in key.choices:
        return False
    return any(value in other.choices for other in sections().with_key(name))


def _format(section: str, given: Mapping[str, Any]) -> str:
    """Returns the format of findings about the configuration itself, which cannot set it."""
    wanted = given.get("format") or next(
        (os.environ[n] for n in variables(section, "--format") if os.environ.get(n)), ""
    )
    key = sections().load(section).keys.get("format")
    if key is not None and "full" in key.choices:
        return wanted if wanted in key.choices else "full"
    return "full" if wanted in {"", "text"} else "concise"


def _key_name(param: Any) -> str:
    """Returns the name of a parameter in files."""
    return NAMES.get(long_name(param), long_name(param))


def _blame(ctx: Any, error: Any) -> None:
    """Adds the origin of a bad value to its error, unless it is from the command line.

    Raises:
        typer.Exit: it is from the configuration. The error has been printed with the line.
    """
    param = error.param or next((p for p in ctx.command.params if str(error.param_hint) in (*p.opts, p.metavar)), None)
    now = get_configuration()
    if param is None:
        return
    origin = now.origin(param.name)
    if origin == "ENVIRONMENT" and variable(param) not in str(error.message):
        error.message = f"{error.message} (from {variable(param)})"
    elif origin == "DEFAULT_MAP" and param.name in now.settings:
        span = now.settings[param.name].span
        diagnostics = Diagnostics()
        message = str(error.message).rstrip(".")
        help = f"change it there, or give --{long_name(param)} on the command line"
        if param.param_type_name == "argument":
            help = "change it there, or name others on the command line"
        diagnostics.error("VG906", f"{_key_name(param)}: {message}", span, help)
        print_diagnostics(diagnostics, now.format)
        raise typer.Exit(ENVIRONMENT)
