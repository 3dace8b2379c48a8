"""Files of findings for programs: relative to some directory, with forward slashes.

Some findings are not in a file: those about the command line, and those in standard input.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import quote

from validation_gen.diagnostics import Span

#: File name in the `Span` of command-line arguments.
COMMAND_LINE = "<command line>"


def is_argument(span: Span) -> bool:
    """Returns whether a span is that of an option or another argument, not of a file."""
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
