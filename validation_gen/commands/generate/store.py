"""The cache directory: its location, atomic writes, bounded size, and no failures."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from validation_gen.files.reading import foreign_directory, read_own

#: If there are more or larger entries, the least recently used ones are removed.
MOST_ENTRIES = 64
MOST_BYTES = 256 * 2**20

_TEMPORARY = ".part-"
_PATIENCE = 3600.0  # seconds after which an unfinished file counts as abandoned
_ENTRY = re.compile(r"[0-9a-f]{40}\.json")


def distrust(directory: Path) -> str:
    """Returns the reason why a directory is not used; `""` if it is safe, or does not exist yet."""
    try:
        return "it is a link" if directory.is_symlink() else foreign_directory(directory)
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:
        return f"it cannot be looked at: {getattr(error, 'strerror', None) or error}"


def load(directory: Path, key: str) -> bytes | None:
    """Loads an entry, which marks it as used. Files that others may have written are ignored."""
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
    """Stores an entry atomically. Does nothing if that is impossible."""
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
    """Evicts entries beyond the limits: own files only, and never the newest one."""
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


#: The variable that names another directory.
VARIABLE = "VALIDATION_GEN_CACHE_DIR"


def cache_directory(given: str, environ: Mapping[str, str] | None = None) -> Path | None:
    """Returns the directory for results: below the one that is given, else below the user's own for caches.

    It is always one of our own, since what is old in it is removed. `None` without a home.

    A relative `XDG_CACHE_HOME` does not count, as https://specifications.freedesktop.org/basedir-spec demands.
    """
    if given:
        return Path(os.path.expanduser(given), "validation-gen")  # noqa: PTH111 - unlike `Path.expanduser`, it never raises
    environ = os.environ if environ is None else environ
    base = environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # noqa: PTH117 - it may be empty
        home = environ.get("HOME") or environ.get("USERPROFILE")
        if not home:
            return None
        base = os.path.join(home, ".cache")  # noqa: PTH118
    return Path(base, "validation-gen")
