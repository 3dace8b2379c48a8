"""Files that are believed because nobody but the user can have put them there: the list of trusted projects, the cache.

A file counts by its owner and its permissions, and by those of all directories above it: who may write to one of them
can put another file in its place. Systems without owners of this kind (Windows) give a user's own directory to nobody
else by themselves. Nothing here decides what is believed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

_HAS_OWNERS = hasattr(os, "geteuid")


class ForeignError(PermissionError):
    """Somebody else can have put it there. `strerror` says how."""

    def __init__(self, reason: str) -> None:
        super().__init__(0, reason)


def read_own(path: str | os.PathLike[str], most: int) -> bytes:
    """The first `most` bytes of a regular file of the user's own. A link is followed in directories only.

    Raises:
        ForeignError: others can have written it.
        OSError: it cannot be read, or is not there.
        ValueError: the path cannot be one.
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
    """Why others can put files into a directory, or another one in its place; `""` if they cannot.

    Raises:
        OSError: it is not there, or cannot be looked at.
    """
    real = os.path.realpath(directory)
    state = os.stat(real)  # noqa: PTH116 - pathlib is slow to import
    if not stat.S_ISDIR(state.st_mode):
        return f"{real} is no directory"
    if reason := _foreign(state, real):
        return reason
    for above in _above(real) if _HAS_OWNERS else ():
        state = os.stat(above)  # noqa: PTH116 - as above
        # In a directory such as /tmp everybody may write, and nobody may rename what is another's. A group with the
        # number of the owner has, where that is the custom, no other member.
        writers = stat.S_IWOTH if state.st_gid == state.st_uid else stat.S_IWOTH | stat.S_IWGRP
        if state.st_uid not in (0, os.geteuid()) or (state.st_mode & writers and not state.st_mode & stat.S_ISVTX):
            return f"others can write to {above}"
    return ""


def _above(directory: str) -> Iterator[str]:
    """The directories above one, the nearest first."""
    while (above := os.path.dirname(directory)) != directory:  # noqa: PTH120 - as above
        yield above
        directory = above


def _foreign(state: os.stat_result, name: str) -> str:
    if not _HAS_OWNERS:
        return ""
    if state.st_uid != os.geteuid():
        return f"{name} belongs to somebody else"
    return f"others can write to {name}" if state.st_mode & (stat.S_IWGRP | stat.S_IWOTH) else ""
