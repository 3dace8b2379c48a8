"""Changes of files as a unified diff."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from validation_gen.fixing.files import SourceFile

_NO_NEWLINE = "\\ No newline at end of file\n"


def difference(file: SourceFile) -> list[str]:
    """The lines of the diff, each with its end."""
    old, new = (_lines(content) for content in (file.old, file.new))
    return list(_ended(difflib.unified_diff(old, new, file.name, file.name)))


def _lines(content: bytes) -> list[str]:
    parts = content.decode(errors="replace").split("\n")
    return [*(f"{part}\n" for part in parts[:-1]), *([parts[-1]] if parts[-1] else [])]


def _ended(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n"
        if not line.endswith("\n"):
            yield _NO_NEWLINE
