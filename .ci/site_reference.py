"""Generates the reference pages of the site; the page of commands is made from the commands themselves.

The pages are not part of the source tree: a hook of mkdocs (`site_pages.py`) adds them when the site is built.
"""

from __future__ import annotations

import enum
import inspect
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import site_articles

from validation_gen.cli.app import COMMANDS, GROUPS, Late
from validation_gen.cli.helping import common_options
from validation_gen.cli.option_schema import sections
from validation_gen.cli.terminal import ENVIRONMENT, FINDINGS, INTERRUPTED, OK
from validation_gen.commands.explain.article import paragraph, table
from validation_gen.compiler.config.schema import as_markdown

#: Meaning of each exit code, for every command.
EXIT_CODES = {
    OK: "all is well; there may be warnings",
    FINDINGS: "the sources have errors, an object is invalid, a comparison differs, a change breaks, "
    "a file is not up to date",
    ENVIRONMENT: "an argument is wrong, or a file cannot be read or written",
    INTERRUPTED: "interrupted",
}
_HEAD = "Every command with its arguments and options; `validation-gen COMMAND --help` prints the same."
_SHORT = (
    "`validation-gen PATH…` is short for `validation-gen generate PATH…`, `validation-gen crd PATH…` for "
    "`validation-gen crd generate PATH…`. Without arguments, `validation-gen` generates what the configuration names."
)
_TYPES = {str: "TEXT", int: "NUMBER", float: "NUMBER"}


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument or an option on the page; `shown` is the user's spelling."""

    name: str
    shown: str
    default: str
    help: str
    panel: str
    is_argument: bool


@dataclass(frozen=True, slots=True)
class Command:
    """A command with its own parameters."""

    name: str
    paragraphs: tuple[str, ...]
    own: tuple[Parameter, ...]

    @property
    def link(self) -> str:
        return f"[`{self.name}`](#{self.name.replace(' ', '-')})"


def pages() -> dict[str, str]:
    """Returns all reference pages as Markdown, by name."""
    return {**site_articles.pages(), "cli.md": page(), "configuration-keys.md": as_markdown(sections())}


def page() -> str:
    """Returns the page of commands as Markdown."""
    return "\n".join(_page()) + "\n"


def _page() -> Iterator[str]:
    commands = list(_commands())
    common = [_parameter(each, str) for each in common_options()]
    yield from ("# Commands", "", *paragraph(_HEAD), "", *paragraph(_SHORT), "")
    yield from table(["command", "effect"], [(each.link, each.paragraphs[0]) for each in commands])
    yield from ("", "## Options of all commands", "", *_options(common))
    yield from ("", "## Exit codes", "", *table(["code", "meaning"], [(str(k), v) for k, v in EXIT_CODES.items()]))
    for command in commands:
        yield from ("", f"## {command.name}", "", *_command(command))


def _command(command: Command) -> Iterator[str]:
    arguments = [each for each in command.own if each.is_argument]
    options = [each for each in command.own if not each.is_argument]
    words = ["validation-gen", command.name, *(each.shown for each in arguments), *["[OPTIONS]"][: len(options)]]
    yield f"`{' '.join(words)}`"
    for text in command.paragraphs:
        yield from ("", *paragraph(text))
    if arguments:
        rows = [(f"`{each.shown}`", each.help) for each in arguments]
        yield from ("", *table(["argument", "meaning"], rows))
    panels = dict.fromkeys(each.panel for each in options)
    for panel in panels:
        yield from ("", f"**{panel}:**", "") if len(panels) > 1 else ("",)
        yield from _options([each for each in options if each.panel == panel])


def _options(options: list[Parameter]) -> Iterator[str]:
    yield from table(["option", "default", "effect"], [(each.shown, each.default, each.help) for each in options])


def _commands() -> Iterator[Command]:
    for name in COMMANDS:
        found: Any = Late(name=name).loaded()
        if name in GROUPS:
            yield from (_read(f"{name} {below}", found.commands[below]) for below in GROUPS[name] if below)
        else:
            yield _read(name, found)


def _read(name: str, command: Any) -> Command:
    hints = typing.get_type_hints(inspect.unwrap(command.callback))
    shown = [param for param in command.params if param.name != "help"]
    return Command(
        name,
        tuple(" ".join(text.split()) for text in str(command.help).split("\n\n")),
        tuple(_parameter(each, hints[each.name]) for each in shown),
    )


def _parameter(param: Any, hint: Any) -> Parameter:
    is_argument = param.param_type_name == "argument"
    value = str(param.metavar or _values(hint))
    help = " ".join(str(getattr(param, "help", None) or "").split())
    variable = getattr(param, "envvar", None)
    return Parameter(
        param.name,
        _argument(param, value) if is_argument else _option(param, value),
        _default(param),
        f"{help} Variable: `{variable}`." if variable else help,
        str(getattr(param, "rich_help_panel", None) or "Other options"),
        is_argument,
    )


def _argument(param: Any, value: str) -> str:
    shown = value.strip("[]") + ("…" if param.nargs == -1 else "")
    return shown if param.required else f"[{shown}]"


def _option(param: Any, value: str) -> str:
    names = ", ".join(f"`{name}`" for name in (*param.opts, *param.secondary_opts))
    return names if param.is_flag else f"{names} `{value}`"


def _values(hint: Any) -> str:
    """Returns a placeholder for a value without a name of its own: its choices, or its type."""
    plain = next((each for each in typing.get_args(hint) if each is not type(None)), hint)
    if isinstance(plain, type) and issubclass(plain, enum.Enum):
        return "|".join(str(each.value) for each in plain)
    return _TYPES.get(plain, "")


def _default(param: Any) -> str:
    value = param.default
    if param.required:
        return "required"
    if value is None or value is False or value in ("", [], ()) or callable(value):
        return ""
    return "on" if value is True else f"`{getattr(value, 'value', value)}`"
