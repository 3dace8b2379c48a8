"""Converts a value of a configuration to a value of the command line: checks it, and makes paths relative.

The table `handwritten` names the functions that validated a type before its tags did. Nothing is imported for it.

    [tool.validation-gen.handwritten]
    "robots/v1.Robot" = "fleet.validation:validate_robot"
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from validation_gen.compiler.config.files import KeyPath as Path
from validation_gen.compiler.config.files import Places
from validation_gen.compiler.config.keys import Key, instead, name_kind, report
from validation_gen.compiler.emitters import PYTHON
from validation_gen.diagnostics import Diagnostics, Span

_TYPES: dict[str, tuple[tuple[type, ...], str]] = {
    "string": ((str,), "a string"),
    "boolean": ((bool,), "true or false"),
    "integer": ((int,), "an integer"),
    "number": ((int, float), "a number"),
}
_EXAMPLES = {"string": '"…"', "boolean": "true", "integer": "1", "number": "1.5"}


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the values of a file.

    `directory` is the path to the file's directory from the current directory, empty if both are the same.
    """

    places: Places
    directory: str
    diagnostics: Diagnostics

    def read(self, key: Key, value: Any, path: Path) -> Any:
        """Returns the value, or `None` if something is wrong with it, which is reported then."""
        if key.table:
            return self._table(key, value, path)
        if not key.many:
            return self._single(key, value, path)
        if not isinstance(value, list):
            help = f"write {key.name} = [{_EXAMPLES[key.type]}]"
            if isinstance(value, str) and '"' not in value and "\\" not in value:
                help = f'write {key.name} = ["{value}"]'
            return self._wrong(f"{key.name} is {name_kind(value)}, and takes an array", self.places.value(path), help)
        items = [self._single(key, item, (*path, index)) for index, item in enumerate(value)]
        return None if any(item is None for item in items) else items

    def _single(self, key: Key, value: Any, path: Path) -> Any:
        span = self.places.value(path)
        types, wanted = _TYPES[key.type]
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            help = f"write {_example(key, str(value))}"
            return self._wrong(f"{key.name} is {name_kind(value)}, and takes {wanted}", span, help)
        if key.choices and value not in key.choices:
            return self._wrong(f'{key.name} cannot be "{value}"', span, instead(str(value), key.choices))
        if isinstance(value, int | float) and not isinstance(value, bool):
            if not math.isfinite(value):
                return self._wrong(f"{key.name} is {value}, and takes a number that is finite", span, "write another")
            if key.minimum is not None and value < key.minimum:
                least = f"{key.minimum:g}"
                return self._wrong(f"{key.name} is {value}, and takes at least {least}", span, f"write {least} or more")
            if key.maximum is not None and value > key.maximum:
                most = f"{key.maximum:g}"
                return self._wrong(f"{key.name} is {value}, and takes at most {most}", span, f"write {most} or less")
        if isinstance(value, str):
            if "\0" in value:
                return self._wrong(f"{key.name} has a NUL in it", span, "remove it")
            if key.form and not re.fullmatch(key.form, value):
                return self._wrong(f'{key.name} cannot be "{value}"', span, f"write {key.words}")
            if key.path:
                if not value:
                    help = 'write "." for the directory of this file'
                    return self._wrong(f"{key.name} is an empty path", span, help)
                return self.here(value)
            return _file_in(value, self)
        return value

    def _table(self, key: Key, value: Any, path: Path) -> Any:
        """Returns a table as the texts that the command line takes."""
        item = _EXAMPLES[key.type]
        if not isinstance(value, dict):
            help = f"write {key.name} = {{ {_NAMES.get(key.name, 'name')} = {item} }}"
            return self._wrong(f"{key.name} is {name_kind(value)}, and takes a table", self.places.value(path), help)
        found = list(self._items(key, value, path))
        return None if None in found else found

    def _items(self, key: Key, table: dict[str, Any], path: Path) -> Iterator[str | None]:
        for name, value in table.items():
            place = (*path, name)
            if not name or "=" in name:
                help = "write a name without ="
                yield self._wrong(f'{key.name} cannot have the name "{name}"', self.places.key(place), help)
                continue
            entry = Key(f"{key.name}.{name}", key.parameter, key.option, key.type, path=key.path)
            read = self._single(entry, value, place)
            yield None if read is None else f"{name}={str(read).lower() if isinstance(read, bool) else read}"

    def _wrong(self, message: str, span: Span, help: str) -> Any:
        report(self.diagnostics, message, span, help)
        return None

    def here(self, path: str) -> str:
        """Returns a path of the configuration as it is reached from the current directory."""
        path = os.path.expanduser(path)  # noqa: PTH111 - it never raises
        if path == "-" or "://" in path or path.startswith("git:") or not self.directory or os.path.isabs(path):  # noqa: PTH117 - a text is wanted
            return path
        return os.path.normpath(os.path.join(self.directory, path))  # noqa: PTH118 - as above


#: A name in a table, for examples.
_NAMES = {"modules": '"example.com/other"', "options": "Feature", "outputs": PYTHON.name}


def _example(key: Key, meant: str) -> str:
    value = f'"{meant if meant in key.choices else key.choices[0]}"' if key.choices else _EXAMPLES[key.type]
    return f"[{value}]" if key.many else f"{key.name} = {value}" if "." not in key.name else value


def _file_in(text: str, reader: Reader) -> str:
    """A text that names a file behind a word, `python:checks.py:validate`, with the file as it is reached from here."""
    word, colon, rest = text.partition(":")
    file, last, function = rest.rpartition(":")
    if word == "python" and colon and last and file.endswith(".py"):
        return f"{word}:{reader.here(file)}:{function}"
    return text


_DOTTED = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
_FUNCTION = re.compile(f"{_DOTTED}:{_DOTTED}")


def read_handwritten(
    table: Any, at: Path, places: Places, diagnostics: Diagnostics
) -> tuple[dict[str, str], dict[str, Span]]:
    """Returns the function of each type as `module:function`, and where each type is named."""
    help = 'write "robots/v1.Robot" = "fleet.validation:validate_robot"'
    if not isinstance(table, dict):
        report(diagnostics, "handwritten is not a table", places.key(at), help)
        return {}, {}
    functions: dict[str, str] = {}
    spans: dict[str, Span] = {}
    for name, function in table.items():
        span = places.key((*at, name))
        if isinstance(function, str) and _FUNCTION.fullmatch(function):
            functions[name] = function
            spans[name] = span
        else:
            report(diagnostics, f"the handwritten validator of {name} is no MODULE:FUNCTION", span, help)
    return functions, spans
