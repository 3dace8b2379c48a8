"""Where a finding is, for programs that look for the file: relative to some directory, with forward slashes.

Some findings are not in a file: those about the command line, and those in standard input.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import quote

from validation_gen.diagnostics import Span

#: Stands for the arguments of the program in a `Span`.
COMMAND_LINE = "<command line>"


def is_argument(span: Span) -> bool:
    """Whether a span means an option or another argument, not something to read."""
    return span.file == COMMAND_LINE or span.file.startswith("--") or (not span.line and span.file == "NAME")


def is_file(span: Span) -> bool:
    """Whether there may be a file or directory of that name. What else is read has a name in angle brackets."""
    in_brackets = span.file.startswith("<") and span.file.endswith(">")
    return not in_brackets and not is_argument(span)


def relative(file: str, base: str = "") -> str:
    """A file as seen from a directory above it, by default the current one; others stay as they are."""
    name = Path(file).as_posix()
    if not base and not os.path.isabs(file):  # noqa: PTH117 - unlike Path, it takes any text
        return name
    try:
        whole = Path(os.path.abspath(file))  # noqa: PTH100 - links are kept: they are what the user knows
        return whole.relative_to(os.path.abspath(base or ".")).as_posix()  # noqa: PTH100
    except (OSError, ValueError):  # another directory, none at all, or a NUL in the name
        return name


def uri(file: str) -> str:
    """A file as a URI; a relative one stays relative."""
    name = Path(file).as_posix()
    try:
        text = name.encode(errors="surrogateescape")
    except UnicodeEncodeError:  # no name that a file system has given
        text = name.encode(errors="replace")
    if re.match(rb"[A-Za-z]:/", text):  # a drive of Windows
        return f"file:///{text[:2].decode()}{quote(text[2:])}"
    return f"file://{quote(text)}" if text.startswith(b"/") else quote(text, safe="/")
