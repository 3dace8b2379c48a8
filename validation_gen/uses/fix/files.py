"""Files that are to be mended: which of them may be, what they hold, and writing what they are to hold."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.emit.output import is_within
from validation_gen.emit.output.owned import replace_below
from validation_gen.emit.patches import unified
from validation_gen.files import reading
from validation_gen.files.paths import is_below

_GENERATED = re.compile(rb"^(?://|#) Code generated .* DO NOT EDIT\.\r?$", re.MULTILINE)


#: What lies at the top of a project.
_SIGNS = ("go.mod", "pyproject.toml", ".git")


class KeptError(Exception):
    """A file must stay as it is; the text says why."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as it is on disk, and as it is to be. `name` is that in findings, `path` the real one, without links.

    `tree` is the directory below which the real one must stay.
    """

    name: str
    path: str
    old: bytes
    new: bytes
    tree: str = ""

    @property
    def patch(self) -> str:
        """The change, as `git apply` takes it."""
        return unified(self.name, self.old.decode(errors="replace"), self.new.decode(errors="replace"))


#: Why a file must stay as it is, by its path without links; `""` if it need not.
Bar = Callable[[str], str]


def read_source(name: str, trees: Sequence[str] = (), bar: Bar = lambda path: "") -> SourceFile:
    """A file that may be mended: no link leads out of the project that it is in by its name.

    A link may lead to another place of the same project.

    Raises:
        KeptError: it must not be, or cannot be.
    """
    try:
        path = os.path.realpath(name)
        tree = _tree_of(name, trees)
        if not is_within(path, tree):
            raise KeptError(f"it is a link that leads out of {tree}")
        if reason := bar(path):
            raise KeptError(reason)
        mode = os.stat(path).st_mode  # noqa: PTH116 - of a text
        if not stat.S_ISREG(mode):
            raise KeptError("it is no ordinary file")
        content = reading.read(path)
    except (OSError, ValueError) as problem:
        raise KeptError(f"it cannot be read: {getattr(problem, 'strerror', None) or problem}") from None
    if not mode & 0o222 or not os.access(path, os.W_OK):
        raise KeptError("it is read-only")
    if _GENERATED.search(content):
        raise KeptError("it is generated; fix what it is generated from")
    return SourceFile(name, path, content, content, tree)


def _tree_of(name: str, trees: Sequence[str]) -> str:
    """The project of a file: from what was named, or from the file's directory, up to the next sign of a project."""
    path = os.path.abspath(name)  # noqa: PTH100 - links are what is looked for
    places = [os.path.abspath(tree) for tree in trees]  # noqa: PTH100
    above = [place for place in places if os.path.isdir(place) and is_below(path, place)]  # noqa: PTH112
    tree = max(above, key=len, default=os.path.dirname(path))  # noqa: PTH120
    for place in (Path(tree), *Path(tree).parents):
        if any(os.path.lexists(place / sign) for sign in _SIGNS):
            return os.fspath(place)
    return tree


def write(files: Mapping[str, SourceFile], diagnostics: Diagnostics) -> list[str]:
    """Writes what has changed. Returns the names of the files that are written; others are reported."""
    written = []
    for name, file in files.items():
        try:
            now = reading.read(file.path)
            if now != file.old or os.path.realpath(name) != file.path:
                keep(name, "it has changed while it was read; run again", diagnostics)
                continue
            replace_below(file.tree or os.path.dirname(file.path), file.path, file.new)  # noqa: PTH120
            written.append(name)
        except OSError as problem:
            message = f"cannot write: {problem.strerror or problem}"
            diagnostics.error("VG903", message, Span(name), "check the permissions of the directory")
    return written


def keep(name: str, reason: str, diagnostics: Diagnostics) -> None:
    """Reports a file that stays as it is although findings in it could be mended."""
    diagnostics.warning("VG903", f"nothing is fixed in this file: {reason}", Span(name), "fix it by hand")
