"""Derives the keys of a configuration from the commands' options, so that both have one declaration."""

from __future__ import annotations

import enum
import functools
import inspect
import types
import typing
from collections.abc import Callable, Iterator
from typing import Any

from typer.models import ArgumentInfo, OptionInfo

from validation_gen.cli.app import COMMANDS, GROUPS, RENAMED, RENAMED_OPTIONS, find_module
from validation_gen.compiler.config import Key, Section, Sections
from validation_gen.compiler.config.webhooks import EMITTED
from validation_gen.compiler.emitters import EMITTERS
from validation_gen.rules.releases import RELEASES

#: Commands that must work where a configuration is malformed or missing.
_WITHOUT = {"cel", "config", "explain", "crd-test-conversion", "crd-new-conversion"}
#: Commands that take their options from the table of another one.
_ALIKE = {"check": "generate"}
#: Options of a single call, which no configuration sets.
_OF_A_CALL = {
    *("check", "diff", "fix", "watch", "help", "config", "no-config", "trust", "stdin", "write-ca"),
    *("force", "force-conflicts", "patch", "renew"),
}
#: Names that differ from those of options: a list of PATH, and tables instead of texts like NAME=VALUE.
NAMES = {"module": "modules", "option": "options"}
_RENAMED = {"validation-extensions-file": "extensions"}
_TYPE = type
_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number"}


def section_names() -> tuple[str, ...]:
    """Returns the names of the commands' tables in the order of the help.

    A group's main command has the group's name.
    """
    names = []
    for name in COMMANDS:
        if name in GROUPS and name not in _WITHOUT:
            main, *others = GROUPS[name]
            names += [name] if main else []
            names += [f"{name}-{other}" for other in others if f"{name}-{other}" not in _WITHOUT]
        elif name not in {*_WITHOUT, *_ALIKE}:
            names.append(name)
    return tuple(names)


def command_of(section: str) -> tuple[str, ...]:
    """Returns the words that call the command of a section."""
    if section in COMMANDS:
        return (section, GROUPS[section][0]) if section in GROUPS else (section,)
    group, _, name = section.partition("-")
    return (group, name)


def section_of(words: tuple[str, ...]) -> str:
    """Returns the section of a command."""
    words = (_ALIKE.get(words[0], words[0]), *words[1:])
    return "-".join(words) if words[0] not in GROUPS or words[1:] != GROUPS[words[0]][:1] else words[0]


def sections() -> Sections:
    """Returns all sections: those of commands, then those of emitters without a command.

    Each is declared on first access, as this imports its command.
    """
    renamed = {old.replace(" ", "-"): section_of(tuple(new.split())) for old, new in RENAMED.items()}
    for command, options in RENAMED_OPTIONS.items():
        table = section_of(tuple(command.split()))
        renamed |= {f"{table}.{old.strip('-')}": new.strip("-") for old, new in options.items()}
    return Sections((*section_names(), *EMITTED), section, renamed)


@functools.cache
def section(name: str) -> Section:
    """Returns the keys of a command, from the parameters of its function, or those of an emitter."""
    if name in EMITTED:
        return EMITTED[name]
    if name not in section_names():  # such as `config show`, which has no table
        return Section(name, (), {})
    words = command_of(name)
    found = {key.name: key for key in _keys(_function(words))}
    return Section(name, words, found)


def _function(words: tuple[str, ...]) -> Callable[..., Any]:
    module = find_module(words[0])
    if words[0] not in GROUPS:
        return getattr(module, words[0])  # type: ignore[no-any-return]
    return next(c.callback for c in module.app.registered_commands if c.name == words[1])  # type: ignore[no-any-return]


def _keys(function: Callable[..., Any]) -> Iterator[Key]:
    hints = typing.get_type_hints(function, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        hint = hints[name]
        if typing.get_origin(hint) is not typing.Annotated:
            continue
        info = next((each for each in hint.__metadata__ if isinstance(each, OptionInfo | ArgumentInfo)), None)
        if isinstance(info, ArgumentInfo):
            yield from _argument(name, hint.__origin__, info)
        elif info is not None:
            key = _option(name, hint.__origin__, info, parameter.default)
            if key.name not in _OF_A_CALL:
                yield key


def _argument(name: str, type: Any, info: ArgumentInfo) -> Iterator[Key]:
    if typing.get_origin(type) is list:
        metavar = str(info.metavar or name).upper()
        yield Key("inputs", name, metavar, many=True, path=True, default=[], help=str(info.help or ""))


def _option(name: str, type: Any, info: OptionInfo, default: Any) -> Key:
    declared = (
        info.default,
        *(info.param_decls or ()),
    )  # in `Annotated`, the first of these is in the position of a default
    option = next((each for each in map(str, declared) if each.startswith("--")), f"--{name.replace('_', '-')}")
    option = option.partition("/")[0]
    long = option.removeprefix("--")
    metavar = str(info.metavar or "")
    many = typing.get_origin(type) is list
    plain = typing.get_args(type)[0] if many else _present(type)
    choices: tuple[str, ...] = ()
    if isinstance(plain, _TYPE) and issubclass(plain, enum.Enum):
        choices = tuple(str(each.value) for each in plain)
    if long == "emit":  # the table `outputs` has the directory of each output
        choices = tuple(EMITTERS)
    if metavar == "RELEASE":
        choices = tuple(RELEASES)
    return Key(
        NAMES.get(long) or _RENAMED.get(long, long),
        name,
        option,
        "boolean" if long == "option" else _TYPES.get(plain, "string"),
        many=many,
        table=long in NAMES,
        choices=choices,
        minimum=info.min,
        path=(not choices and any(word in metavar for word in ("FILE", "DIR"))) or long.endswith(("-dir", "-file")),
        default=_default(default),
        help=" ".join(str(info.help or "").split()).removesuffix(" Repeatable."),
    )


def _present(hint: Any) -> Any:
    """Returns the type itself without `None`."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return next(each for each in typing.get_args(hint) if each is not types.NoneType)
    return hint


def _default(default: Any) -> Any:
    if default is inspect.Parameter.empty or default is ...:
        return None
    return default.value if isinstance(default, enum.Enum) else default
