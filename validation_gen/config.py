"""The project's settings: `[tool.validation-gen]` in the nearest `pyproject.toml`.

    [tool.validation-gen.handwritten]
    "robots/v1.Robot" = "fleet.validation:validate_robot"

Only what cannot be said in a source belongs here. Nothing is imported while settings are read.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from validation_gen.diagnostics import Diagnostics, Span

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_DOTTED = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
_FUNCTION = re.compile(f"{_DOTTED}:{_DOTTED}")
_TABLES = ("handwritten",)


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of a project.

    Attributes:
        file: where they are from, `None` when there is no such file.
        handwritten: the handwritten validator of each type (`Name` or `package/path.Name`) as `module:function`.
        spans: where each of them is named.
    """

    file: Path | None = None
    handwritten: Mapping[str, str] = field(default_factory=dict)
    spans: Mapping[str, Span] = field(default_factory=dict)


def read_config(directory: Path, diagnostics: Diagnostics) -> Config:
    """The settings for a directory. What is malformed is reported, and the rest still holds."""
    file = _find(directory)
    if file is None:
        return Config()
    place = Span(file.as_posix())
    try:
        text = file.read_text(encoding="utf-8")
        tool = tomllib.loads(text).get("tool", {})
    except OSError as error:
        diagnostics.error("VG901", f"cannot read: {error.strerror or error}", place, "check the permissions")
        return Config(file)
    except (ValueError, RecursionError) as error:
        diagnostics.error("VG906", f"not TOML: {error}", place, "mend the file")
        return Config(file)
    table = tool.get("validation-gen", {}) if isinstance(tool, dict) else None
    if not isinstance(table, dict):
        diagnostics.error("VG906", "tool.validation-gen is no table", place, "write [tool.validation-gen.handwritten]")
        return Config(file)
    for name in table.keys() - set(_TABLES):
        span = _line_of(file, text, name)
        help = f"the tables are {', '.join(_TABLES)}"
        diagnostics.error("VG906", f"tool.validation-gen has no {name}", span, help)
    return _handwritten(file, text, table.get("handwritten", {}), diagnostics)


def _handwritten(file: Path, text: str, table: Any, diagnostics: Diagnostics) -> Config:
    help = 'write "robots/v1.Robot" = "fleet.validation:validate_robot"'
    if not isinstance(table, dict):
        span = _line_of(file, text, "handwritten")
        diagnostics.error("VG906", "tool.validation-gen.handwritten is no table", span, help)
        return Config(file)
    functions: dict[str, str] = {}
    spans: dict[str, Span] = {}
    for name, function in table.items():
        span = _line_of(file, text, name)
        if isinstance(function, str) and _FUNCTION.fullmatch(function):
            functions[name] = function
            spans[name] = span
        else:
            diagnostics.error("VG906", f"the handwritten validator of {name} is no MODULE:FUNCTION", span, help)
    return Config(file, functions, spans)


def _find(directory: Path) -> Path | None:
    absolute = directory.absolute()
    for each in (absolute, *absolute.parents):
        file = each / "pyproject.toml"
        if os.path.isfile(file):  # noqa: PTH113 - unlike Path.is_file, it never raises
            return _shortest(file)
    return None


def _shortest(file: Path) -> Path:
    try:
        return file.relative_to(Path.cwd())
    except ValueError:
        return file


def _line_of(file: Path, text: str, name: str) -> Span:
    """The line that names something: as a key, as a table, or otherwise. The parser of TOML tells no positions."""
    word = re.escape(name)
    for pattern in (rf"(?<![\w./-]){word}[\"']?\s*=", rf"\.{word}[\"']?\s*\]", word):
        for number, line in enumerate(text.splitlines(), 1):
            found = re.search(pattern, line)
            if found and not line.lstrip().startswith("#"):
                column = line.index(name, found.start()) + 1
                return Span(file.as_posix(), number, column, column + len(name))
    return Span(file.as_posix())
