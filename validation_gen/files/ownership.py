"""Files that are trusted because only the user can have written them: the list of trusted projects, the cache.

A file is trusted by its owner and its permissions, and by those of all directories above it: a user who may write to
one of them can replace the file. Systems without such owners (Windows) protect a user's own directory by themselves.
This module does not decide what is trusted.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

_HAS_OWNERS = hasattr(os, "geteuid")


class ForeignError(PermissionError):
    """Another user can have written it. `strerror` has the reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(0, reason)


def read_own(path: str | os.PathLike[str], most: int) -> bytes:
    """Returns the first `most` bytes of a regular file of the user's own. Links are only followed in directories.

    Raises:
        ForeignError: others can have written it.
        OSError: it cannot be read, or is not there.
        ValueError: the path is invalid.
    """
    directory, name = os.path.split(path)
    if reason := foreign_directory(directory or "."):
        raise ForeignError(reason)
    if not stat.S_ISREG(os.stat(path, follow_symlinks=False).st_mode):  # noqa: PTH116 - a pipe would be waited for
        raise ForeignError(f"{name} is no regular file")
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with open(handle, "rb") as file:  # noqa: PTH123 - it is open
        state = os.fstat(handle)
        if reason := _foreign(state, name) if stat.S_ISREG(state.st_mode) else f"{name} is no regular file":
            raise ForeignError(reason)
        return file.read(most)


def foreign_directory(directory: str | os.PathLike[str]) -> str:
    """Returns why others can write into a directory, or replace it; `""` if they cannot.

    Raises:
        OSError: it is not there, or cannot be read.
    """
    real = os.path.realpath(directory)
    state = os.stat(real)  # noqa: PTH116 - pathlib is slow to import
    if not stat.S_ISDIR(state.st_mode):
        return f"{real} is no directory"
    if reason := _foreign(state, real):
        return reason
    for above in _above(real) if _HAS_OWNERS else ():
        state = os.stat(above)  # noqa: PTH116 - as above
        # In a sticky directory such as /tmp everyone may write, but only rename their own files. By convention, a group
        # with the number of the owner has no other member.
        writers = stat.S_IWOTH if state.st_gid == state.st_uid else stat.S_IWOTH | stat.S_IWGRP
        if state.st_uid not in (0, os.geteuid()) or (state.st_mode & writers and not state.st_mode & stat.S_ISVTX):
            return f"others can write to {above}"
    return ""


def _above(directory: str) -> Iterator[str]:
    """Yields the directories above one, the nearest first."""
    while (above := os.path.dirname(directory)) != directory:  # noqa: PTH120 - as above
        yield above
        directory = above


def _foreign(state: os.stat_result, name: str) -> str:
    if not _HAS_OWNERS:
        return ""
    if state.st_uid != os.geteuid():
        return f"{name} belongs to another user"
    return f"others can write to {name}" if state.st_mode & (stat.S_IWGRP | stat.S_IWOTH) else ""
