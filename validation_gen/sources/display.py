"""Names of files in messages."""

from __future__ import annotations

import os
from pathlib import Path


def display_path(path: Path, cwd: Path) -> str:
    """Returns the path as a user would type it: relative when below the current directory, else absolute, with `/`."""
    absolute = cwd / path
    shown = absolute.relative_to(cwd) if absolute.is_relative_to(cwd) else absolute
    return os.fsencode(shown.as_posix()).decode(errors="replace")  # names of files need not be UTF-8
