"""Files of findings for programs: relative to some directory, with forward slashes.

Some findings are not in a file: those about the command line, and those in standard input. For people, findings with
one cause are grouped: a reason not to convert is reported once, with its places. Programs get each at its own place.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from validation_gen.diagnostics import Diagnostic, Span

#: File name in the `Span` of command-line arguments.
COMMAND_LINE = "<command line>"


def is_argument(span: Span) -> bool:
    """Returns whether a span is about an option or another argument, and not about a file."""
    return span.file == COMMAND_LINE or span.file.startswith("--") or (not span.line and span.file == "NAME")


def is_file(span: Span) -> bool:
    """Returns whether there may be a file or directory of that name. Other inputs have a name in angle brackets."""
    in_brackets = span.file.startswith("<") and span.file.endswith(">")
    return not in_brackets and not is_argument(span)


def relative(file: str, base: str = "") -> str:
    """Returns a file relative to a directory above it, by default the current one; others stay as they are."""
    name = Path(file).as_posix()
    if not base and not os.path.isabs(file):  # noqa: PTH117 - unlike Path, it takes any text
        return name
    try:
        whole = Path(os.path.abspath(file))  # noqa: PTH100 - links are kept: they are what the user knows
        return whole.relative_to(os.path.abspath(base or ".")).as_posix()  # noqa: PTH100
    except (OSError, ValueError):  # another directory, none at all, or a NUL in the name
        return name


def uri(file: str) -> str:
    """Returns a file as a URI; a relative one stays relative."""
    name = Path(file).as_posix()
    try:
        text = name.encode(errors="surrogateescape")
    except UnicodeEncodeError:  # no name from a file system
        text = name.encode(errors="replace")
    if re.match(rb"[A-Za-z]:/", text):  # a drive of Windows
        return f"file:///{text[:2].decode()}{quote(text[2:])}"
    return f"file://{quote(text)}" if text.startswith(b"/") else quote(text, safe="/")


#: Number of further places that are named; the others are only counted.
_NAMED = 2
_WHY = ": "


def group_by_cause(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Returns the findings in their order, one for each cause.

    The first of each cause has the notes of the others, and last their places.
    """
    groups: dict[object, list[Diagnostic]] = {}
    for number, diagnostic in enumerate(diagnostics):
        groups.setdefault(_cause(diagnostic) or number, []).append(diagnostic)
    return [_with_places(first, others) if others else first for first, *others in groups.values()]


def _cause(diagnostic: Diagnostic) -> object:
    """Returns the common cause of findings, `None` for those without one."""
    if diagnostic.code == "VG107" and diagnostic.help:
        return diagnostic.severity, diagnostic.help, diagnostic.message.rpartition(_WHY)[2]
    return None


def _with_places(first: Diagnostic, others: Sequence[Diagnostic]) -> Diagnostic:
    places = list(dict.fromkeys(str(other.span) for other in others))
    named = ", ".join(places[:_NAMED])
    more = len(places) - _NAMED
    text = f"for the same reason at {named}" + (f", and {more} more" if more > 0 else "")
    notes = [note for each in (first, *others) for note in each.notes]
    return replace(first, notes=(*notes, (text, None)))
