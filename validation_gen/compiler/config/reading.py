"""Reads a file as a `Config`: checks every table and every key, and reports mistakes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from validation_gen.compiler.config.files import Document, find, open_document
from validation_gen.compiler.config.keys import (
    COMMON,
    TABLES,
    Config,
    Key,
    Section,
    Setting,
    instead,
    name_kind,
    output_options,
    report,
)
from validation_gen.compiler.config.lint import read_levels, read_suppressions
from validation_gen.compiler.config.values import Reader, read_handwritten
from validation_gen.compiler.config.webhooks import KEYS as POLICY_KEYS
from validation_gen.compiler.config.webhooks import policy_options
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.diagnostics.levels import Level


@dataclass(frozen=True, slots=True)
class Sections:
    """The sections by name. `load` declares one, which is slow, so only on demand.

    `renamed` has the names by older ones.
    """

    names: tuple[str, ...] = ()
    load: Callable[[str], Section] = lambda name: Section(name, (name,), {})
    renamed: Mapping[str, str] = field(default_factory=dict)

    def with_key(self, name: str, first: str | None = None) -> Iterable[Key]:
        """Yields the declarations of a key in all sections that have it, one after the other."""
        for section in sorted(self.names, key=lambda each: each != first):
            key = self.load(section).keys.get(name)
            if key is not None:
                yield key


def read_config(
    directory: Path,
    diagnostics: Diagnostics,
    sections: Sections,
    *,
    file: Path | None = None,
    first: str | None = None,
) -> Config:
    """Reads the configuration for a directory. Malformed parts are reported, and the rest is used.

    Args:
        directory: start of the search for a file, upwards.
        diagnostics: takes the mistakes.
        sections: the valid keys.
        file: the configuration, if it is named.
        first: the first section in which to look up a common key.
    """
    document = open_document(file, diagnostics) if file else find(directory, diagnostics)
    if document is None:
        return Config(file)
    return _Reading(document, diagnostics, sections, first).config()


class _Reading:
    def __init__(self, document: Document, diagnostics: Diagnostics, sections: Sections, first: str | None) -> None:
        self.document = document
        self.places = document.places
        self.diagnostics = diagnostics
        self.sections = sections
        self.first = first
        self.renamed: list[tuple[Span, str, str]] = []
        self.reader = Reader(document.places, _directory(document.file), diagnostics)

    def config(self) -> Config:
        table, at = self.document.table, self.document.at
        functions, spans = read_handwritten(
            table.get("handwritten", {}), (*at, "handwritten"), self.places, self.diagnostics
        )
        config = Config(self.document.file, functions, spans)
        common: dict[str, Setting] = {}
        settings: dict[str, dict[str, Setting]] = {}
        names = (*COMMON, *TABLES, *self.sections.names)
        for old in [name for name in self.sections.renamed if name in table]:  # before those of today, which win
            new = self.sections.renamed[old]
            self.renamed.append((self.places.key((*at, old)), old, new))
            settings.setdefault(new, {}).update(self._section(old, table[old], self.sections.load(new).keys))
        for name, value in table.items():
            if name in COMMON:
                setting = self._common(name, value)
                if setting is not None:
                    common[name] = setting
            elif name in self.sections.names and name not in TABLES:
                settings.setdefault(name, {}).update(self._section(name, value))
            elif name not in TABLES and name not in self.sections.renamed:
                report(
                    self.diagnostics, f"there is no key {name}", self.places.key((*at, name)), self._advice(name, names)
                )
        for section, found in self._outputs(table.get("outputs", {})).items():
            settings[section] = found | settings.get(section, {})
        levels, own = self._lint(table.get("lint", {}))
        if own:
            settings["lint"] = own | settings.get("lint", {})
        root = os.path.abspath(self.document.file.parent)  # noqa: PTH100 - a text is wanted
        suppressions = read_suppressions(
            table.get("suppressions", []), (*at, "suppressions"), root, self.places, self.diagnostics
        )
        policies = self._section("policies", table.get("policies", {}), POLICY_KEYS)
        policy_options(policies, self.diagnostics)
        return replace(
            config,
            settings=settings,
            common=common,
            levels=levels,
            suppressions=tuple(suppressions),
            policies=policies,
            renamed=tuple(self.renamed),
        )

    def _advice(self, name: str, names: Iterable[str]) -> str:
        """Suggests a correction of an unknown key at the top."""
        if name in {"module", "option", "paths", "path", "input", "output"}:
            suggestion = {"module": "modules", "option": "options", "output": "outputs"}.get(name, "inputs")
            return f"did you mean {suggestion}?"
        holders = [each for each in self.sections.names if name in self.sections.load(each).keys]
        return f"it belongs to the table of a command: {', '.join(holders)}" if holders else instead(name, names)

    def _common(self, name: str, value: Any) -> Setting | None:
        """Returns a key at the top: its value has to suit one of the commands that have it."""
        path = (*self.document.at, name)
        troubles: Diagnostics | None = None
        for key in self.sections.with_key(name, self.first):
            tried = Diagnostics()
            read = Reader(self.places, self.reader.directory, tried).read(key, value, path)
            if not tried.items:
                return Setting(read, self.places.value(path))
            troubles = troubles or tried
        self.diagnostics.extend(troubles.items if troubles else ())
        return None

    def _section(self, name: str, table: Any, keys: Mapping[str, Key] | None = None) -> dict[str, Setting]:
        """Returns the table of a command."""
        at = (*self.document.at, name)
        if not isinstance(table, dict):
            message = f"{name} is {name_kind(table)}, and takes a table"
            report(self.diagnostics, message, self.places.key(at), f"write the table {name}")
            return {}
        keys = self.sections.load(name).keys if keys is None else keys
        found = {}
        for each, value in table.items():
            path = (*at, each)
            if each not in keys and (new := self.sections.renamed.get(f"{name}.{each}")) is not None:
                self.renamed.append((self.places.key(path), each, new))
                each = new  # noqa: PLW2901 - the key of today
            key = keys.get(each)
            if key is None:
                report(self.diagnostics, f"{name} has no key {each}", self.places.key(path), instead(each, keys))
                continue
            read = self.reader.read(key, value, path)
            if read is not None:
                found[each] = Setting(read, self.places.value(path))
        return found

    def _outputs(self, table: Any) -> dict[str, dict[str, Setting]]:
        """Returns the table `outputs`: where each output goes, by the options that say so."""
        keys = {name: Key(name, path=True) for name in output_options()}
        found: dict[str, dict[str, Setting]] = {}
        for name, setting in self._section("outputs", table, keys).items():
            section, option = output_options()[name]
            found.setdefault(section, {})[option] = setting
        return found

    def _lint(self, table: Any) -> tuple[tuple[Level, ...], dict[str, Setting]]:
        """Returns the table `lint`: levels of codes, and keys of a command of that name."""
        at = (*self.document.at, "lint")
        if not isinstance(table, dict):
            help = 'write [lint] and below it such as VG411 = "off"'
            report(self.diagnostics, f"lint is {name_kind(table)}, and takes a table", self.places.key(at), help)
            return (), {}
        keys = self.sections.load("lint").keys if "lint" in self.sections.names else {}
        own = {name: value for name, value in table.items() if name in keys}
        levels = {name: value for name, value in table.items() if name not in keys}
        settings = self._section("lint", own) if own else {}
        return read_levels(levels, at, self.places, self.diagnostics), settings


def _directory(file: Path) -> str:
    """Returns the path to the directory of a file from the current directory, empty if both are the same."""
    parent = os.path.abspath(file.parent)  # noqa: PTH100 - texts are wanted
    try:
        here = os.getcwd()  # noqa: PTH109
        return "" if os.path.realpath(parent) == os.path.realpath(here) else os.path.relpath(parent, here)
    except (OSError, ValueError):  # the current directory is gone, or is on another drive
        return parent
