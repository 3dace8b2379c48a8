"""Reads files of others with a size limit and without waiting.

All reads of files go through this module. Only ordinary files are opened: a pipe may never get a writer, a device may
never end, and opening some devices has side effects. A pipe that a user names as an argument is read, up to a limit, if
a writer appears soon; descriptors from the shell are read, whatever they are. The module never writes, and does not
interpret content, except that it recognizes compressed data.

A file is trusted by its owner and its permissions, and by those of all directories above it: a user who may write to
one of them can replace the file. Systems without such owners (Windows) protect a user's own directory by themselves.
The list of trusted projects and the cache are such files.
"""

from __future__ import annotations

import errno
import io
import os
import select
import stat
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

#: Size limit of a source, a manifest with schemas, or a file with settings.
MOST_OF_A_SOURCE = 64 * 2**20
#: Size limit of data that are read whole: manifests to validate, results of tests, the state of a comparison.
MOST_OF_DATA = 256 * 2**20

#: Timeout for the first data of a named pipe, in seconds.
PATIENCE = 5.0

_CHUNK = 2**16
# Each flag exists only where it has a meaning. Without O_BINARY, Windows would change line ends.
_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_BINARY"))
#: Prefixes of descriptors that the shell has opened: `<(command)` becomes such a name.
_DESCRIPTORS = ("/dev/fd/", "/proc/self/fd/")
_KINDS = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def read(path: str | os.PathLike[str], most: int = MOST_OF_A_SOURCE) -> bytes:
    """Returns the content of an ordinary file, or of one that links lead to.

    Raises:
        OSError: it cannot be read, is no ordinary file, or has more than `most` bytes; `strerror` has the reason.
        ValueError: the path is invalid.
    """
    handle = _open(path)
    try:
        return _content(handle, most)
    finally:
        os.close(handle)


def read_named(path: str | os.PathLike[str], most: int = MOST_OF_DATA) -> bytes:
    """Returns the content of a user's argument: also of a pipe, and of the shell's `<(…)`.

    The null device is an empty file.
    """
    with open_argument(path) as file:
        return _content(file.fileno(), most)


def open_argument(path: str | os.PathLike[str]) -> io.FileIO:
    """Opens a user's argument as `read_named` does, for reading in pieces with own limits.

    Raises:
        OSError: it cannot be opened, is none of these, or is a pipe without a writer.
        ValueError: the path is invalid.
    """
    text = os.fspath(path)
    given = _descriptor(text)
    if given is not None and not stat.S_ISREG(os.stat(text).st_mode):  # noqa: PTH116 - of a text
        return io.FileIO(os.dup(given), "rb")
    if _is_pipe(text):
        return io.FileIO(_pipe(text), "rb")
    return io.FileIO(_open(os.devnull if _is_null(text) else text, null=True), "rb")


def read_input(most: int = MOST_OF_DATA) -> bytes:
    """Returns the content of standard input.

    Raises:
        OSError: it cannot be read, or has more than `most` bytes.
    """
    content = sys.stdin.buffer.read(most + 1)
    if len(content) > most:
        raise _too_large(most)
    return content


def _open(path: str | os.PathLike[str], *, null: bool = False) -> int:
    # Checked before opening, which can wake a writer or rewind a tape, and after, as the file may have been replaced.
    if not (null and path == os.devnull):
        _judge(os.stat(path).st_mode)  # noqa: PTH116 - sources are many, and objects for paths cost
    handle = os.open(path, _FLAGS)
    try:
        if not (null and path == os.devnull):
            _judge(os.fstat(handle).st_mode)
    except OSError:
        os.close(handle)
        raise
    return handle


def _descriptor(path: str) -> int | None:
    """Returns the number of a descriptor that the shell has opened, if a path names one."""
    if path == "/dev/stdin":
        return 0
    number = next((path[len(each) :] for each in _DESCRIPTORS if path.startswith(each)), "")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 10 else None


def _is_pipe(path: str) -> bool:
    return stat.S_ISFIFO(os.stat(path).st_mode) if os.path.exists(path) else False  # noqa: PTH110, PTH116 - of texts


def _pipe(path: str) -> int:
    """Opens a pipe that has a writer. A blocking open could wait without end."""
    handle = os.open(path, _FLAGS)
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        if not poll.poll(PATIENCE * 1000) and not _has_writer(handle):
            raise OSError(errno.EINVAL, f"it is a pipe, and no data came within {PATIENCE:g} seconds")
        os.set_blocking(handle, True)
    except BaseException:
        os.close(handle)
        raise
    return handle


def _has_writer(handle: int) -> bool:
    """Returns whether an empty pipe still has a writer."""
    try:
        os.read(handle, 1)
    except BlockingIOError:
        return True
    return False


def _judge(mode: int) -> None:
    if stat.S_ISREG(mode):
        return
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    kind = next((name for test, name in _KINDS if test(mode)), "no file")
    raise OSError(errno.EINVAL, f"it is {kind}, and only ordinary files are read")


def _is_null(path: str) -> bool:
    try:
        found, null = os.stat(path), os.stat(os.devnull)  # noqa: PTH116 - of texts
    except OSError:
        return path == os.devnull
    return stat.S_ISCHR(found.st_mode) and found.st_rdev == null.st_rdev


def _content(handle: int, most: int) -> bytes:
    size = os.fstat(handle).st_size
    if size > most:
        raise _too_large(most)
    chunks, total = [], 0
    while chunk := os.read(
        handle, size + 1 - total if 0 < size >= total else _CHUNK
    ):  # most files have the reported size
        total += len(chunk)
        if total > most:
            raise _too_large(most)
        chunks.append(chunk)
    return b"".join(chunks)


def _too_large(most: int) -> OSError:
    number, unit = (most >> 20, "MiB") if most >= 2**20 else (most, "bytes")
    return OSError(errno.EFBIG, f"it holds more than {number} {unit}, the most that is read")


try:  # hashlib loads OpenSSL, which takes longer than most digests
    from _blake2 import blake2b
except ImportError:  # such as in another Python
    from hashlib import blake2b

__all__ = ["blake2b", "digest"]


def digest(content: bytes) -> str:
    """Returns a digest of 20 bytes, as a text."""
    return blake2b(content, digest_size=20).hexdigest()


#: Number of first bytes that `detect_packing` needs.
HEAD = 4
_GZIP = b"\x1f\x8b"
_ZSTANDARD = b"\x28\xb5\x2f\xfd"
#: Zstandard frames without data, such as the tables of parallel compressors.
_SKIPPED = b"\x2a\x4d\x18"


def detect_packing(head: bytes) -> str:
    """Returns the compression of data with this beginning: `gzip` or `Zstandard`, empty for others.

    A text never begins with these bytes.
    """
    if head[:2] == _GZIP:
        return "gzip"
    if head[:4] == _ZSTANDARD or (head[1:4] == _SKIPPED and 0x50 <= head[0] <= 0x5F):
        return "Zstandard"
    return ""


#: Suffixes of files with manifests.
MANIFESTS = (".yaml", ".yml", ".json")


def is_below(path: str, directory: str) -> bool:
    """Returns whether an absolute path is below an absolute directory, and not the directory itself."""
    path, directory = os.path.normcase(path), os.path.normcase(directory)
    return path.startswith(directory.rstrip(os.sep) + os.sep)


def is_manifest(name: str) -> bool:
    """Returns whether a file name is that of a manifest."""
    return name.endswith(MANIFESTS)


def display_path(path: Path, cwd: Path) -> str:
    """Returns the path as a user would type it: relative when below the current directory, else absolute, with `/`."""
    absolute = cwd / path
    shown = absolute.relative_to(cwd) if absolute.is_relative_to(cwd) else absolute
    return os.fsencode(shown.as_posix()).decode(errors="replace")  # names of files need not be UTF-8


_HAS_OWNERS = hasattr(os, "geteuid")


class ForeignError(PermissionError):
    """Another user can have written it. `strerror` has the reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(0, reason)


def user_directory(variable: str, usual: str, environ: Mapping[str, str]) -> Path | None:
    """Returns our directory below a directory that a variable names, else below the `usual` one in the home.

    `None` without a home. A relative path is ignored, as https://specifications.freedesktop.org/basedir-spec demands.
    """
    base = environ.get(variable, "")
    if not os.path.isabs(base):  # noqa: PTH117 - it may be empty
        home = environ.get("HOME") or environ.get("USERPROFILE") or ""
        if not os.path.isabs(home):  # noqa: PTH117
            return None
        base = os.path.join(home, usual)  # noqa: PTH118
    return Path(base, "validation-gen")


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
