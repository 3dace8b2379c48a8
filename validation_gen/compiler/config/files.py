"""Finds the configuration file of a directory, and reads it as TOML."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from validation_gen.compiler.config import places
from validation_gen.compiler.config.findings import name_kind, report
from validation_gen.compiler.config.places import Places
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.diagnostics.visible import note_secrets
from validation_gen.files import reading

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

OWN, SHARED = "validation-gen.toml", "pyproject.toml"
_POSITION = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")


@dataclass(frozen=True, slots=True)
class Document:
    """A file, our table in it, and the path to that table."""

    file: Path
    table: dict[str, Any]
    at: places.Path
    places: Places


def find(directory: Path, diagnostics: Diagnostics) -> Document | None:
    """Returns the nearest configuration upwards. A `pyproject.toml` without our table is none."""
    absolute = directory.absolute()
    for each in (absolute, *absolute.parents):
        known = len(diagnostics.items)
        own, shared = (_opened(each / name, diagnostics) for name in (OWN, SHARED))
        if own and shared:
            message = f"{own.file.as_posix()} and {shared.file.as_posix()} both configure this directory"
            help = f"keep one of them: move [tool.validation-gen] into {OWN}, or the other way round"
            report(diagnostics, message, shared.places.key(shared.at), help)
        if own or shared or len(diagnostics.items) > known:
            return own or shared
    return None


def _opened(file: Path, diagnostics: Diagnostics) -> Document | None:
    if not os.path.isfile(file):  # noqa: PTH113 - unlike Path.is_file, it never raises
        return None
    return opened(_shortest(file), diagnostics)


def opened(file: Path, diagnostics: Diagnostics) -> Document | None:
    """Reads our part of a file: `None` if there is none, or the file is malformed, which is reported."""
    name = file.as_posix()
    shared = file.name == SHARED
    try:
        content = reading.read_named(file, reading.MOST_OF_A_SOURCE)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        diagnostics.error("VG901", f"cannot read: {reason}", Span(name), "check the path and the permissions")
        return None
    # A file without our name is not checked, and need not be parsed.
    if shared and b"validation-gen" not in content and b"validation_gen" not in content:
        return None
    try:
        text = content.decode("utf-8-sig")
        note_secrets((text,))
        parsed = tomllib.loads(text)
        found = places.places(name, text.replace("\r\n", "\n"))
    except UnicodeDecodeError as error:
        span = Span(name, content.count(b"\n", 0, error.start) + 1, 1, 2)
        report(diagnostics, f"not UTF-8: {error.reason}", span, "save the file as UTF-8")
        return None
    except RecursionError:
        report(diagnostics, "not TOML that anyone can read: it is nested too deeply", Span(name), "fix the file")
        return None
    except ValueError as error:
        report(diagnostics, *syntax_error(str(error), name, text))
        return None
    return _ours(file, parsed, found, diagnostics) if shared else Document(file, parsed, (), found)


def _ours(file: Path, parsed: dict[str, Any], found: Places, diagnostics: Diagnostics) -> Document | None:
    """Our table of a `pyproject.toml`."""
    tool = parsed.get("tool", {})
    if not isinstance(tool, dict):
        report(diagnostics, "tool is no table", found.key(("tool",)), "write [tool.validation-gen]")
        return None
    if "validation_gen" in tool:
        help = "write [tool.validation-gen]"
        report(diagnostics, "tool.validation_gen is spelt with a dash", found.key(("tool", "validation_gen")), help)
    if "validation-gen" not in tool:
        return None
    table, at = tool["validation-gen"], ("tool", "validation-gen")
    if not isinstance(table, dict):
        help = 'write [tool.validation-gen] and below it such as inputs = ["apis"]'
        message = f"tool.validation-gen is {name_kind(table)}, and takes a table"
        report(diagnostics, message, found.key(at), help)
        return None
    return Document(file, table, at, found)


def syntax_error(message: str, name: str, text: str) -> tuple[str, Span, str]:
    """Returns the words of the parser, and the position that it puts behind them."""
    match = _POSITION.search(message)
    lines = text.replace("\r\n", "\n").split("\n")
    span = Span(name)
    if match and match[1]:
        span = Span(name, int(match[1]), int(match[2]), int(match[2]) + 1)
    elif match:
        line = len(lines) - 1 if len(lines) > 1 and not lines[-1] else len(lines)
        span = Span(name, line, len(lines[line - 1]) + 1, len(lines[line - 1]) + 2)
    reason = message[: match.start()] if match else message
    return f"not TOML: {reason[:1].lower()}{reason[1:]}", span, "fix the file; texts stand in quotes"


def _shortest(file: Path) -> Path:
    try:
        return file.relative_to(Path.cwd())
    except (ValueError, OSError):  # OSError: the current directory is gone
        return file
