"""The directory of kept results: written whole or not at all, bounded, and never a reason to fail."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
import time
from pathlib import Path

from validation_gen.files.ownership import foreign_directory, read_own

#: Of more results, or larger ones together, those that were used longest ago are removed.
MOST_ENTRIES = 64
MOST_BYTES = 256 * 2**20

_TEMPORARY = ".part-"
_PATIENCE = 3600.0  # seconds after which an unfinished file has been given up
_ENTRY = re.compile(r"[0-9a-f]{40}\.json")


def distrust(directory: Path) -> str:
    """Says why nothing in a directory is believed or kept there; `""` if it can be, or is not there yet."""
    try:
        return "it is a link" if directory.is_symlink() else foreign_directory(directory)
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:
        return f"it cannot be looked at: {getattr(error, 'strerror', None) or error}"


def load(directory: Path, key: str) -> bytes | None:
    """Loads what is kept under a key, which counts as a use of it. What others can have put there is not looked at."""
    path = directory / f"{key}.json"
    try:
        if directory.is_symlink():
            return None
        content = read_own(path, MOST_BYTES + 1)
    except (OSError, ValueError):
        return None
    with contextlib.suppress(OSError):
        os.utime(path)
    return content


def save(directory: Path, key: str, content: bytes) -> None:
    """Keeps something under a key. Other runs see all of it or nothing; where that cannot be, nothing is kept."""
    if len(content) > MOST_BYTES:
        return
    with contextlib.suppress(OSError, ValueError):
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        if distrust(directory):
            return
        handle, temporary = tempfile.mkstemp(dir=directory, prefix=_TEMPORARY)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            Path(temporary).replace(directory / f"{key}.json")
        except BaseException:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
            raise
        _tidy(directory, f"{key}.json")


def _tidy(directory: Path, newest: str) -> None:
    """Removes what is too much: files of our own only, and never the one that was written just now."""
    found = []
    with os.scandir(directory) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                state = entry.stat(follow_symlinks=False)
                if _ENTRY.fullmatch(entry.name):
                    found.append((entry.name == newest, state.st_mtime_ns, state.st_size, entry.path))
                elif entry.name.startswith(_TEMPORARY) and state.st_mtime < time.time() - _PATIENCE:
                    os.unlink(entry.path)  # noqa: PTH108
    count = size = 0
    for is_newest, _, bytes_, path in sorted(found, reverse=True):
        count, size = count + 1, size + bytes_
        if not is_newest and (count > MOST_ENTRIES or size > MOST_BYTES):
            with contextlib.suppress(OSError):
                os.unlink(path)  # noqa: PTH108 - as above
