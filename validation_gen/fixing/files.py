"""Files that are to be mended: which of them may be, what they hold, and writing what they are to hold."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.output import replace_file
from validation_gen.patches import unified

_GENERATED = re.compile(rb"^(?://|#) Code generated .* DO NOT EDIT\.\r?$", re.MULTILINE)


class KeptError(Exception):
    """A file must stay as it is; the text says why."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as it is on disk, and as it is to be. `name` is that in findings, `path` the real one, without links."""

    name: str
    path: str
    old: bytes
    new: bytes

    @property
    def patch(self) -> str:
        """The change, as `git apply` takes it."""
        return unified(self.name, self.old.decode(errors="replace"), self.new.decode(errors="replace"))


def read_source(name: str) -> SourceFile:
    """A file that may be mended.

    Raises:
        KeptError: it must not be, or cannot be.
    """
    try:
        path = os.path.realpath(name)
        mode = os.stat(path).st_mode  # noqa: PTH116 - of a text
        if not stat.S_ISREG(mode):
            raise KeptError("it is no ordinary file")
        content = Path(path).read_bytes()
    except (OSError, ValueError) as problem:
        raise KeptError(f"it cannot be read: {getattr(problem, 'strerror', None) or problem}") from None
    if not mode & 0o222 or not os.access(path, os.W_OK):
        raise KeptError("it is read-only")
    if _GENERATED.search(content):
        raise KeptError("it is generated; mend what it is generated from")
    return SourceFile(name, path, content, content)


def write(files: Mapping[str, SourceFile], diagnostics: Diagnostics) -> list[str]:
    """Writes what has changed. Returns the names of the files that are written; others are reported."""
    written = []
    for name, file in files.items():
        try:
            now = Path(file.path).read_bytes()
            if now != file.old or os.path.realpath(name) != file.path:
                keep(name, "it has changed while it was read; run again", diagnostics)
                continue
            replace_file(Path(file.path), file.new)
            written.append(name)
        except OSError as problem:
            message = f"cannot write: {problem.strerror or problem}"
            diagnostics.error("VG903", message, Span(name), "check the permissions of the directory")
    return written


def keep(name: str, reason: str, diagnostics: Diagnostics) -> None:
    """Reports a file that stays as it is although findings in it could be mended."""
    diagnostics.warning("VG903", f"nothing is fixed in this file: {reason}", Span(name), "mend it by hand")
