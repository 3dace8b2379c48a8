"""One directory and its files: every access starts at its descriptor, and no link is followed.

The directory itself may be a link, as the user has named it. Everything below it is opened part by part, each from the
descriptor of its parent, so that a directory that becomes a link in the meantime is refused. Systems without such
descriptors (Windows) check every part right before. Files are written beside their target and moved over it, under a
lock; leftovers of killed runs are recognised by their name and their missing lock, and removed.

Special files (a pipe, a device, a socket) are neither opened nor replaced. The caller decides the contents, and checks
the ownership of files. Only files with the beginning of generated files are ever replaced or removed.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import secrets
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePath

from validation_gen.files.reading import MOST_OF_DATA, is_below

try:
    import fcntl
except ImportError:  # Windows, where a file that is open cannot be removed anyway
    fcntl = None  # type: ignore[assignment]

_LOCKS = bool(fcntl)

#: Files on their way. No reader of sources or manifests takes a name that ends so.
_TEMPORARY = re.compile(r"\.validation-gen-[0-9a-f]{16}\.part")
_BY_DESCRIPTOR = {os.open, os.stat, os.mkdir, os.unlink, os.rmdir} <= os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
_CLOSED = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_DIRECTORY = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | _CLOSED
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_AT_ONCE = getattr(os, "O_NONBLOCK", 0)
_JUNCTION = 0x400  # FILE_ATTRIBUTE_REPARSE_POINT
_KINDS = ((stat.S_ISDIR, "directory"), (stat.S_ISFIFO, "pipe"), (stat.S_ISSOCK, "socket"))


class RefusedError(OSError):
    """A path that may not be read or written. `strerror` is the reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(errno.EPERM, reason)


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a directory, by its name.

    A link to a directory is neither a file nor a directory; all others may be files.
    """

    name: str
    is_directory: bool
    is_file: bool


@dataclass(slots=True)
class Root:
    """A directory that is open. Names are paths below it, with `/` between their parts; `""` is the directory itself.

    Every method raises an OSError where something cannot be done, a `RefusedError` where it will not be.
    """

    path: str
    _descriptor: int = -1
    _swept: set[str] = field(default_factory=set)

    @classmethod
    @contextlib.contextmanager
    def open(cls, path: str | os.PathLike[str]) -> Iterator[Root]:
        """Opens the directory until the end of the block. It must exist, and may be a link."""
        root = cls(os.fspath(path) or ".")
        if _BY_DESCRIPTOR:
            root._descriptor = os.open(root.path, _DIRECTORY)
        elif not os.path.isdir(root.path):  # noqa: PTH112
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), root.path)
        try:
            yield root
        finally:
            if root._descriptor >= 0:
                os.close(root._descriptor)

    def read(self, name: str) -> bytes | None:
        """Returns the content of a file, `None` if there is none. It follows a link to check the target's marker."""
        try:
            with self._above(name) as (above, place):
                return read_regular(place, above)
        except FileNotFoundError:
            return None

    def replace(self, name: str, content: bytes, *, private: bool = False) -> None:
        """Replaces the content of a file atomically, and makes its parent directories.

        A file keeps its permissions, but a `private` one is for its owner only. A link is replaced by a file, and its
        target stays.
        """
        with self._above(name, make=True) as (above, place):
            self._sweep(name, above, place)
            _replace(place, content, above, private=private)

    def remove(self, name: str) -> None:
        """Removes a file, or a link."""
        with self._above(name) as (above, place):
            refuse_special(os.stat(place, dir_fd=above, follow_symlinks=False).st_mode)
            os.unlink(place, dir_fd=above)

    def remove_directory(self, name: str) -> None:
        """Removes an empty directory."""
        with self._above(name) as (above, place):
            os.rmdir(place, dir_fd=above)

    def entries(self, name: str = "") -> list[Entry]:
        """Lists the entries of a directory, by name; none if it is missing."""
        try:
            with self._above(f"{name}/." if name else ".") as (above, place), _listing(above, place) as found:
                kinds = [Entry(e.name, e.is_dir(follow_symlinks=False), not e.is_dir()) for e in found]
                return sorted(kinds, key=lambda entry: entry.name)
        except FileNotFoundError:
            return []

    @contextlib.contextmanager
    def _above(self, name: str, *, make: bool = False) -> Iterator[tuple[int | None, str]]:
        """Yields the descriptor of a file's directory and its name there; without descriptors `None` and its path."""
        *parts, last = name.split("/")
        if {"", ".."} & {*parts, last} or "." in parts or "\0" in name:
            raise RefusedError("the name leads out of the directory")
        if not _BY_DESCRIPTOR:
            yield None, _check_parents(self.path, parts, last, make=make)
            return
        here = os.dup(self._descriptor)
        try:
            for part in parts:
                inner = _enter(part, here, make=make)
                os.close(here)
                here = inner
            yield here, last
        finally:
            os.close(here)

    def _sweep(self, name: str, above: int | None, place: str) -> None:
        """Removes leftovers of killed runs beside a file, once in each directory."""
        directory = name.rpartition("/")[0]
        if directory in self._swept:
            return
        self._swept.add(directory)
        beside = "." if above is not None else os.path.dirname(place) or "."  # noqa: PTH120
        with contextlib.suppress(OSError), _listing(above, beside) as found:
            left = [entry.name for entry in found if _TEMPORARY.fullmatch(entry.name)]
            for each in left:
                with contextlib.suppress(OSError):
                    _remove_left(each if above is not None else os.path.join(beside, each), above)  # noqa: PTH118


# --- one part of a path ---------------------------------------------------------------------------------------------


def _enter(part: str, above: int, *, make: bool) -> int:
    """Opens a directory inside another directory, if it is no link. Returns its descriptor."""
    try:
        return os.open(part, _DIRECTORY | _NO_LINK, dir_fd=above)
    except FileNotFoundError:
        if not make:
            raise
        with contextlib.suppress(FileExistsError):
            os.mkdir(part, dir_fd=above)
        return _enter(part, above, make=False)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):
            _refuse_link(os.stat(part, dir_fd=above, follow_symlinks=False), part)
        raise


def _check_parents(root: str, parts: list[str], last: str, *, make: bool) -> str:
    """Returns the path of a file after checking that no parent is a symlink (platforms without dir fds)."""
    path = root
    for part in parts:
        path = os.path.join(path, part)  # noqa: PTH118
        if make:
            with contextlib.suppress(FileExistsError):
                os.mkdir(path)  # noqa: PTH102
        _refuse_link(os.stat(path, follow_symlinks=False), part)  # noqa: PTH116
    above, real = os.path.realpath(path), os.path.realpath(root)
    if above != real and not is_below(above, real):
        raise RefusedError("the name leads out of the directory")
    return os.path.join(path, last)  # noqa: PTH118


def _refuse_link(state: os.stat_result, part: str) -> None:
    if stat.S_ISLNK(state.st_mode) or getattr(state, "st_file_attributes", 0) & _JUNCTION:
        raise RefusedError(f'the directory "{part}" is a link, which is not followed')


def _listing(above: int | None, place: str) -> contextlib.AbstractContextManager[Iterator[os.DirEntry[str]]]:
    return os.scandir(place) if above is None else _scan(above)


@contextlib.contextmanager
def _scan(above: int) -> Iterator[Iterator[os.DirEntry[str]]]:
    readable = os.open(".", os.O_RDONLY | os.O_DIRECTORY | _CLOSED, dir_fd=above)
    try:
        with os.scandir(readable) as found:
            yield found
    finally:
        os.close(readable)


# --- one file -------------------------------------------------------------------------------------------------------


def refuse_special(mode: int) -> None:
    """Raises a RefusedError for special files, which are neither regular files nor links."""
    if not (stat.S_ISREG(mode) or stat.S_ISLNK(mode)):
        kind = next((name for fits, name in _KINDS if fits(mode)), "device")
        raise RefusedError(f"this is a {kind}, and no regular file")


def read_regular(place: str, above: int | None = None) -> bytes:
    """Returns the content of a regular file. Refuses other files without waiting."""
    refuse_special(os.stat(place, dir_fd=above).st_mode)
    with io.FileIO(os.open(place, os.O_RDONLY | _AT_ONCE | _CLOSED, dir_fd=above)) as file:
        state = os.fstat(file.fileno())
        refuse_special(state.st_mode)  # it may have been replaced by now
        if state.st_size > MOST_OF_DATA:
            raise RefusedError(f"the file holds more than {MOST_OF_DATA >> 20} MiB, which no file of ours does")
        return file.readall()


def _replace(place: str, content: bytes, above: int | None, *, private: bool = False) -> None:
    mode = _mode_for(place, above) & 0o600 if private else _mode_for(place, above)
    beside = "" if above is not None else os.path.dirname(place)  # noqa: PTH120
    handle, temporary = _temporary(beside, above)
    try:
        try:
            file = os.fdopen(handle, "wb")
        except BaseException:
            os.close(handle)
            raise
        with file:
            file.write(content)
            file.flush()
            if _LOCKS:  # while the lock is held
                os.fchmod(file.fileno(), mode)
                os.replace(temporary, place, src_dir_fd=above, dst_dir_fd=above)
        if not _LOCKS:
            os.chmod(temporary, mode)  # noqa: PTH101
            os.replace(temporary, place)  # noqa: PTH105
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary, dir_fd=above)
        raise


def _mode_for(place: str, above: int | None) -> int:
    """Returns the permissions for a file: those of the old one, if there is one."""
    try:
        refuse_special(os.stat(place, dir_fd=above, follow_symlinks=False).st_mode)
        state = os.stat(place, dir_fd=above)
    except FileNotFoundError:
        return 0o666 & ~_umask()
    refuse_special(state.st_mode)  # also the target of a link
    return state.st_mode & 0o777


def _temporary(beside: str, above: int | None) -> tuple[int, str]:
    """Creates a new file and locks it; returns its handle and name. Retries if it was swept before the lock."""
    while True:
        name = os.path.join(beside, f".validation-gen-{secrets.token_hex(8)}.part")  # noqa: PTH118
        handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK | _CLOSED, 0o600, dir_fd=above)
        if not _LOCKS:
            return handle, name
        with contextlib.suppress(OSError):  # some network file systems have no locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        if os.fstat(handle).st_nlink:
            return handle, name
        os.close(handle)


def _remove_left(place: str, above: int | None) -> None:
    """Removes the leftover of a killed run: a regular file of this user without a lock."""
    state = os.stat(place, dir_fd=above, follow_symlinks=False)
    if not stat.S_ISREG(state.st_mode):
        return
    if not _LOCKS:
        os.unlink(place, dir_fd=above)
        return
    if state.st_uid != os.geteuid():
        return
    handle = os.open(place, os.O_RDWR | _NO_LINK | _AT_ONCE | _CLOSED, dir_fd=above)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(place, dir_fd=above)
    finally:
        os.close(handle)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


#: First line of every generated file. In YAML `---` may precede it.
MARKER = "# Code generated by validation-gen. DO NOT EDIT."

#: Beginning of the second line of copies of the runtime, which the version follows.
COPIED = "# Copied from validation-gen "

#: Keys for generated JSON, which has no comments; it begins with one of them and this value: the first is a keyword of
#: JSON Schema, the second an OpenAPI extension, the third is allowed in Grafana dashboards.
JSON_KEYS = ("$comment", "x-generated-by", "description")
JSON_MARKER = MARKER.removeprefix("# ")

_YAML = re.compile(rb"(?:---[ \t]*\r?\n)?" + re.escape(MARKER).encode())
_JSON = re.compile(
    rb"\s*\{\s*\"(?:%s)\"\s*:\s*\"%s\""
    % (b"|".join(re.escape(key).encode() for key in JSON_KEYS), re.escape(JSON_MARKER).encode())
)
#: In Markdown a `#` would be a title.
MARKDOWN_MARKER = f"<!-- {MARKER.removeprefix('# ')} -->"
_MARKDOWN = re.compile(re.escape(MARKDOWN_MARKER).encode())
#: Other languages have other signs for comments.
_ANY = re.compile(rb"(?:#|//|--|;) ?" + re.escape(MARKER.removeprefix("# ")).encode())
#: Beginnings of files that are more than a comment, by suffix.
BEGINNINGS = {".yaml": _YAML, ".yml": _YAML, ".json": _JSON, ".md": _MARKDOWN}


def is_ours(name: str, content: bytes) -> bool:
    """Returns whether a file of that name and content was generated."""
    return bool(BEGINNINGS.get(PurePath(name).suffix, _ANY).match(content))
