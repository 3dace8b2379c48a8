"""Reads files of others with a size limit and without waiting.

All reads of files go through this module. Only ordinary files are opened: a pipe may never get a writer, a device may
never end, and opening some devices has side effects. A pipe that a user names as an argument is read, up to a limit, if
a writer appears soon; descriptors from the shell are read, whatever they are. The module never writes, and does not
interpret content, except that it recognizes compressed data.
"""

from __future__ import annotations

import errno
import io
import os
import select
import stat
import sys
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
    handle = _opened(path)
    try:
        return _content(handle, most)
    finally:
        os.close(handle)


def read_named(path: str | os.PathLike[str], most: int = MOST_OF_DATA) -> bytes:
    """Returns the content of a user's argument: also of a pipe, and of the shell's `<(…)`.

    The null device is an empty file.
    """
    with opened(path) as file:
        return _content(file.fileno(), most)


def opened(path: str | os.PathLike[str]) -> io.FileIO:
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
    return io.FileIO(_opened(os.devnull if _is_null(text) else text, null=True), "rb")


def read_input(most: int = MOST_OF_DATA) -> bytes:
    """Returns the content of standard input.

    Raises:
        OSError: it cannot be read, or has more than `most` bytes.
    """
    content = sys.stdin.buffer.read(most + 1)
    if len(content) > most:
        raise _too_large(most)
    return content


def _opened(path: str | os.PathLike[str], *, null: bool = False) -> int:
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
