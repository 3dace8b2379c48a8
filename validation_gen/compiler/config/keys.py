"""Keys of a configuration, the values of one, and texts of findings about it: location, reason, correction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from validation_gen.compiler.emitters import EMITTERS, PYTHON
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.diagnostics.levels import FileSuppression, Level
from validation_gen.runtime.words import nearest

#: Keys allowed at the top, for all commands with such an option. Only there they share a meaning.
COMMON = (
    "inputs",
    "target",
    "modules",
    "readonly-pkg",
    "custom-validations",
    "extensions",
    "require-directive",
    "known-tags",
    "rules",
    "allow-unresolved",
    "options",
    "format",
    "quiet",
    "cache-dir",
    "emit",
    "schema",
    "level",
    "max-description",
)
#: Tables at the top that are no command's.
TABLES = ("handwritten", "lint", "outputs", "policies", "suppressions")


def output_options() -> dict[str, tuple[str, str]]:
    """Returns the section and the option for the directory of each output, by its name in the table `outputs`."""
    return {
        emitter.name: ("generate" if emitter is PYTHON else emitter.name, "output-dir")
        for emitter in EMITTERS.values()
        if emitter.directory
    }


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a configuration, and the parameter of a command that it sets.

    Attributes:
        name: as it is written, usually the long option without its dashes.
        parameter: the name of the command's parameter.
        option: as it is written on a command line.
        type: of the value, or of each value: `string`, `boolean`, `integer` or `number`.
        many: True if there are several values.
        table: True if they are a table instead of texts such as `NAME=VALUE`.
        choices: the only values, if they are few.
        minimum: the least number.
        maximum: the greatest number.
        form: a pattern that all of a text must match, and `words` the name of such texts.
        path: True if values are paths, relative to the directory of the configuration.
        default: the default value.
        help: one sentence.
    """

    name: str
    parameter: str = ""
    option: str = ""
    type: str = "string"
    many: bool = False
    table: bool = False
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    form: str = ""
    words: str = ""
    path: bool = False
    default: Any = None
    help: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """The keys of one command, and the words that call it."""

    name: str
    command: tuple[str, ...]
    keys: Mapping[str, Key]


@dataclass(frozen=True, slots=True)
class Setting:
    """A value for the command, and its location."""

    value: Any
    span: Span


@dataclass(frozen=True, slots=True)
class Config:
    """The configuration of a project.

    Attributes:
        file: its file, `None` when there is none.
        handwritten: the handwritten validator of each type (`Name` or `package/path.Name`) as `module:function`.
        spans: the location of each of them.
        settings: the settings of each configured section, by name of the key.
        common: the settings for all commands, by name of the key.
        levels: the levels of codes.
        suppressions: findings of lint that are skipped in some files.
        policies: the settings of admission policies, by name of the key.
        renamed: tables and keys with an older name: where they are, their name there, and that of today.
    """

    file: Path | None = None
    handwritten: Mapping[str, str] = field(default_factory=dict)
    spans: Mapping[str, Span] = field(default_factory=dict)
    settings: Mapping[str, Mapping[str, Setting]] = field(default_factory=dict)
    common: Mapping[str, Setting] = field(default_factory=dict)
    levels: tuple[Level, ...] = ()
    suppressions: tuple[FileSuppression, ...] = ()
    policies: Mapping[str, Setting] = field(default_factory=dict)
    renamed: tuple[tuple[Span, str, str], ...] = ()

    def find_settings(self, section: Section) -> dict[str, Setting]:
        """Returns the settings of a command by the names of its keys: its own table overrides the common one."""
        found = {}
        for name, key in section.keys.items():
            setting = self.common.get(name)
            if name == "inputs" and key.parameter != "paths":
                continue  # such as manifests: the common inputs are sources
            # A format, such as that of reports, need not be one of every command.
            if setting is not None and (not key.choices or _values(setting) <= set(key.choices)):
                found[name] = setting
        found |= self.settings.get(section.name, {})
        if "emit" in found:
            found["emit"] = Setting([*self._emitted(found["emit"].value)], found["emit"].span)
        return found

    def find_output(self, output: str) -> Setting | None:
        """Returns the directory of an output, from the table of outputs or that of its command; `None` without one."""
        section, option = output_options().get(output, ("", ""))
        return self.settings.get(section, {}).get(option)

    def _emitted(self, names: list[str]) -> Iterator[str]:
        """Yields the outputs with their directories. Validators are always written."""
        for name in names:
            if name != PYTHON.name:
                place = self.find_output(name)
                yield f"{name}={place.value}" if place else name


def _values(setting: Setting) -> set[Any]:
    return set(setting.value if isinstance(setting.value, list) else [setting.value])


def report(diagnostics: Diagnostics, message: str, span: Span, help: str) -> None:
    """Adds an error about a configuration."""
    diagnostics.error("VG906", message, span, help)


def instead(name: str, known: Iterable[str]) -> str:
    """Returns a sentence that suggests the most similar known name, or all known names if none is similar."""
    names = list(dict.fromkeys(known))
    if name in ("alpha", "beta") and "level" in names:
        return f'write level = "{name}", or level = "standard" to enforce neither alpha nor beta rules'
    near = nearest(name, names)
    if near:
        return f"did you mean {near[0]}?"
    return f"write {'one of ' if len(names) > 1 else ''}{', '.join(names)}" if names else "remove it"


def name_kind(value: Any) -> str:
    """Names the kind of a value in the words of TOML."""
    if isinstance(value, bool):
        return "a boolean"
    for type, name in (
        (str, "a string"),
        (int, "an integer"),
        (float, "a float"),
        (list, "an array"),
        (dict, "a table"),
    ):
        if isinstance(value, type):
            return name
    return "a date or a time"
