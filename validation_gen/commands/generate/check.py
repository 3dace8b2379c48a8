"""Compares the files on disk with the output: findings for people and machines, and a patch.

Nothing is written here. Only `output` knows the files that belong to an output.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from validation_gen.emit.output import Compared, compare_files, compare_owned
from validation_gen.emit.patches import first_difference, unified
from validation_gen.files import reading

_HELP = "generate again, and commit the result"


@dataclass(frozen=True, slots=True)
class Verified:
    """Comparison of one output, and its changes: the text before and after by path."""

    compared: Compared
    changes: Mapping[str, tuple[str | None, str | None]]

    @property
    def patch(self) -> str:
        """Returns all changes, as `git apply` accepts them in the current directory."""
        return "".join(unified(path, before, after) for path, (before, after) in self.changes.items())


def verify(
    directory: str, files: Mapping[str, str], diagnostics: Diagnostics, *, prune: bool, owned: bool = False
) -> Verified:
    """Compares an output directory with the expected files, and adds a finding for each difference.

    Args:
        directory: the output directory.
        files: the text of each by its path below the directory; of `owned` ones by path.
        diagnostics: takes the findings, and obstacles to writing.
        prune: True if other generated files are superfluous.
        owned: True for files of users with a generated part. Those are never missing nor superfluous.
    """
    there = (
        compare_owned(files, diagnostics, tree=directory)
        if owned
        else compare_files(directory, files, diagnostics, prune=prune)
    )
    root = Path() if owned else Path(directory)
    changes: dict[str, tuple[str | None, str | None]] = {}
    for name in sorted((*there.missing, *there.stale, *there.extra)):
        path = root / name
        before = None if name in there.missing else _text(path)
        after = None if name in there.extra else files[name]
        changes[path.as_posix()] = (before, after)
        diagnostics.add(_finding(path.as_posix(), before, after, owned=owned))
    return Verified(there, changes)


def _finding(path: str, before: str | None, after: str | None, *, owned: bool) -> Diagnostic:
    if before is None:
        return Diagnostic("VG801", Severity.ERROR, "a generated file is missing", Span(path), _HELP)
    if after is None:
        message = "a generated file is extra: nothing in the sources gives it"
        return Diagnostic("VG803", Severity.ERROR, message, Span(path), "generate again, which removes it")
    line = first_difference(before, after)
    width = len((before.split("\n")[line - 1 : line] or [""])[0].rstrip("\r"))
    what = "the schemas in this manifest are stale" if owned else "a generated file is stale"
    message = f"{what}: from this line on it is not what the sources give"
    return Diagnostic("VG802", Severity.ERROR, message, Span(path, line, 1, width + 1), _HELP)


def _text(path: Path) -> str:
    with contextlib.suppress(OSError):
        return reading.read(path).decode(errors="surrogateescape")
    return ""
