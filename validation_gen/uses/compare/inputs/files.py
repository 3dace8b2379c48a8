"""Which files are meant by what people name. The module opens them and never reads."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.files import reading
from validation_gen.uses.corpora.opening import counts

STDIN = "-"


@dataclass(frozen=True, slots=True)
class Named:
    """One argument and the files that it means, in the order in which they are read."""

    argument: str
    files: tuple[str, ...]
    failed: bool = False  #: a folder in it cannot be read

    @property
    def shown(self) -> str:
        return "<stdin>" if self.argument == STDIN else self.argument


def find(where: Sequence[str], diagnostics: Diagnostics) -> list[Named]:
    """The files of each argument: files, `-`, and folders with all that is below them."""
    found = []
    for argument in where:
        # Unlike Path.is_dir, it never raises.
        if argument != STDIN and os.path.isdir(argument):  # noqa: PTH112
            own = Diagnostics()
            found.append(Named(argument, tuple(_below(argument, own)), failed=bool(own.items)))
            for problem in own.items:
                diagnostics.add(problem)
        else:
            found.append(Named(argument, (argument,)))
    return found


def _below(directory: str, diagnostics: Diagnostics) -> list[str]:
    """The files in and below a folder, sorted. Links to folders are not followed, so there are no circles."""

    def report(error: OSError) -> None:
        place = Span(Path(error.filename).as_posix())
        diagnostics.error("VG901", f"cannot read the directory: {error.strerror}", place, "check the permissions")

    found: list[Path] = []
    for folder, _, names in os.walk(directory, onerror=report):
        files = [Path(folder, name) for name in names if counts(name)]
        # A link to nowhere is kept, and fails when it is read; pipes and devices must not be waited for.
        found += [file for file in files if os.path.isfile(file) or not os.path.exists(file)]  # noqa: PTH110, PTH113
    return [file.as_posix() for file in sorted(found)]


def total_size(named: Sequence[Named]) -> int | None:
    """The bytes of all files, `None` if one of them has no known end."""
    total = 0
    for file in [file for argument in named for file in argument.files]:
        try:
            found = os.fstat(sys.stdin.fileno()) if file == STDIN else Path(file).stat()
        except FileNotFoundError:
            continue  # it will be reported when it is read
        except (OSError, ValueError, AttributeError):  # what stands for standard input has no number
            return None
        if not stat.S_ISREG(found.st_mode):
            return None
        total += found.st_size
    return total


def opened(file: str, diagnostics: Diagnostics) -> IO[bytes] | None:
    """The file, or nothing and a finding."""
    if file == STDIN:
        return sys.stdin.buffer
    try:
        # Without a buffer, as there are others behind it.
        return reading.opened(file)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or error
        diagnostics.error("VG901", f"cannot read: {reason}", Span(Path(file).as_posix()), "check the path")
        return None
