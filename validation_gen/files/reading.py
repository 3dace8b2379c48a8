"""Files of others, read without waiting for them and without an end to what they may hold.

Everybody who reads a file asks here. Only ordinary files are opened: a pipe may never get a writer, a device may never
end, and opening some devices does something. A pipe that a person names as an argument is read, as far as a limit, if
somebody writes to it soon; what the shell has opened is read, whatever it is. The module never writes, and decides
nothing about what a file holds.
"""

from __future__ import annotations

import errno
import io
import os
import select
import stat
import sys

#: The most bytes of a source, a manifest with schemas, or a file with settings.
MOST_OF_A_SOURCE = 64 * 2**20
#: The most bytes of data that are read whole: manifests to judge, results of tests, the state of a comparison.
MOST_OF_DATA = 256 * 2**20

#: How long a pipe that is named may wait for somebody who writes to it, in seconds.
PATIENCE = 5.0

_CHUNK = 2**16
# Each is there where it means something. Without O_BINARY, Windows would change line ends.
_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_BINARY"))
#: What the shell calls what it has opened: `<(command)` becomes such a name.
_DESCRIPTORS = ("/dev/fd/", "/proc/self/fd/")
_KINDS = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def read(path: str | os.PathLike[str], most: int = MOST_OF_A_SOURCE) -> bytes:
    """What an ordinary file holds, or one that links lead to.

    Raises:
        OSError: it cannot be read, is no ordinary file, or holds more than `most` bytes; `strerror` says which.
        ValueError: the path cannot be one.
    """
    handle = _opened(path)
    try:
        return _content(handle, most)
    finally:
        os.close(handle)


def read_named(path: str | os.PathLike[str], most: int = MOST_OF_DATA) -> bytes:
    """The same for what a person has named as an argument: also a pipe, and what the shell has opened: `<(…)`.

    The null device is an empty file.
    """
    with opened(path) as file:
        return _content(file.fileno(), most)


def opened(path: str | os.PathLike[str]) -> io.FileIO:
    """What `read_named` reads, for those who read in pieces and keep their own limits.

    Raises:
        OSError: it cannot be opened, is none of these, or is a pipe to which nobody writes.
        ValueError: the path cannot be one.
    """
    text = os.fspath(path)
    given = _descriptor(text)
    if given is not None and not stat.S_ISREG(os.stat(text).st_mode):  # noqa: PTH116 - of a text
        return io.FileIO(os.dup(given), "rb")
    if _is_pipe(text):
        return io.FileIO(_pipe(text), "rb")
    return io.FileIO(_opened(os.devnull if _is_null(text) else text, null=True), "rb")


def read_input(most: int = MOST_OF_DATA) -> bytes:
    """What stands on standard input.

    Raises:
        OSError: it cannot be read, or holds more than `most` bytes.
    """
    content = sys.stdin.buffer.read(most + 1)
    if len(content) > most:
        raise _too_large(most)
    return content


def _opened(path: str | os.PathLike[str], *, null: bool = False) -> int:
    # Judged before opening, which can wake a writer or rewind a tape, and after, as it may be another file by now.
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
    """The number of what the shell has opened, if a path names such a thing."""
    if path == "/dev/stdin":
        return 0
    number = next((path[len(each) :] for each in _DESCRIPTORS if path.startswith(each)), "")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 10 else None


def _is_pipe(path: str) -> bool:
    return stat.S_ISFIFO(os.stat(path).st_mode) if os.path.exists(path) else False  # noqa: PTH110, PTH116 - of texts


def _pipe(path: str) -> int:
    """A pipe to which somebody writes. Opening it so that opening waits would be to wait without end."""
    handle = os.open(path, _FLAGS)
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        if not poll.poll(PATIENCE * 1000) and not _has_writer(handle):
            raise OSError(errno.EINVAL, f"it is a pipe, and nobody has written to it within {PATIENCE:g} seconds")
        os.set_blocking(handle, True)
    except BaseException:
        os.close(handle)
        raise
    return handle


def _has_writer(handle: int) -> bool:
    """Whether a pipe without content may still get some."""
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
    while chunk := os.read(handle, size + 1 - total if 0 < size >= total else _CHUNK):  # most are no longer than told
        total += len(chunk)
        if total > most:
            raise _too_large(most)
        chunks.append(chunk)
    return b"".join(chunks)


def _too_large(most: int) -> OSError:
    number, unit = (most >> 20, "MiB") if most >= 2**20 else (most, "bytes")
    return OSError(errno.EFBIG, f"it holds more than {number} {unit}, the most that is read")
