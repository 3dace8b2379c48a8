"""Finds and opens the files of arguments. It does not read them."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.diagnostics.visible import redact
from validation_gen.files import reading
from validation_gen.uses.corpora.opening import OpeningError, Stored, is_url, listed, state_of
from validation_gen.uses.corpora.opening import opened as opened_source
from validation_gen.uses.corpora.reading import Whole

STDIN = "-"


@dataclass(frozen=True, slots=True)
class Named:
    """One argument and its sources, in the order of reading."""

    argument: str
    files: tuple[Stored, ...]
    failed: bool = False  #: something in it cannot be listed

    @property
    def shown(self) -> str:
        return "<stdin>" if self.argument == STDIN else redact(self.argument)


def find(where: Sequence[str], diagnostics: Diagnostics) -> list[Named]:
    """Returns the sources of each argument: files, `-`, URLs, patterns, and folders with their subfolders."""
    found = []
    for argument in where:
        if argument == STDIN or _is_unusual(argument):
            found.append(Named(argument, (Stored(argument),)))
            continue
        try:
            listing = listed(argument)
        except OpeningError as error:
            code = "VG901" if error.message.startswith("cannot") else "VG902"
            diagnostics.error(code, error.message, Span(argument), error.help)
            found.append(Named(argument, (), failed=True))
            continue
        for folder, reason in listing.unread:
            diagnostics.error("VG901", reason, Span(folder), "check the permissions")
        found.append(Named(argument, tuple(listing.files), failed=bool(listing.unread)))
    return found


def _is_unusual(argument: str) -> bool:
    """Returns whether it is a pipe or a similar file, which is opened when it is read, and has no size."""
    if is_url(argument):
        return False
    try:
        mode = Path(argument).stat().st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def total_size(named: Sequence[Named]) -> int | None:
    """Returns the bytes of all sources, `None` if the size of one is unknown."""
    total = 0
    for each in [file for argument in named for file in argument.files]:
        if is_url(each.url):
            if each.size is None:
                return None
            total += each.size
            continue
        try:
            found = os.fstat(sys.stdin.fileno()) if each.url == STDIN else Path(each.url).stat()
        except FileNotFoundError:
            continue  # reading it will report the error
        except (OSError, ValueError, AttributeError):  # a replaced standard input has no descriptor
            return None
        if not stat.S_ISREG(found.st_mode):
            return None
        total += found.st_size
    return total


def opened(file: Stored, diagnostics: Diagnostics) -> IO[bytes] | None:
    """Opens the source with lookahead; or reports an error and returns nothing."""
    if file.url == STDIN:
        return sys.stdin.buffer
    try:
        if not is_url(file.url):
            return io.BufferedReader(reading.opened(file.url))
        stream = opened_source(file.url)
        size, version = state_of(file.url, stream)
        whole: Any = Whole(stream, size, lambda: _same(file.url, version))
        return cast("IO[bytes]", io.BufferedReader(whole))
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or error
        diagnostics.error("VG901", f"cannot read: {reason}", Span(Path(file.url).as_posix()), "check the path")
    except OpeningError as error:
        diagnostics.error("VG901", error.message, Span(file.url), error.help)
    return None


def _same(url: str, version: str) -> IO[bytes]:
    """Opens the source again, if it has not changed.

    Raises:
        OpeningError: it has, or cannot be opened.
    """
    stream = opened_source(url)
    try:
        if state_of(url, stream)[1] != version:
            raise OpeningError("it has changed while it was read", again=False)
    except BaseException:
        stream.close()
        raise
    return stream
