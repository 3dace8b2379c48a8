"""Lists and opens sources: paths by our own reader, `scheme://` by fsspec. It does not parse them.

fsspec and the packages for a scheme are imported when a URL is used. Settings of stores, such as keys and regions, are
those of fsspec: https://filesystem-spec.readthedocs.io/en/latest/features.html#configuration.

URLs of sources: recognises them, and finds their paths.
"""

from __future__ import annotations

import importlib
import io
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from glob import glob
from pathlib import Path
from typing import IO, Any, TypeVar, cast

from validation_gen.diagnostics.visible import redact
from validation_gen.files import reading

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
#: Schemes of HTTP, whose URLs have queries.
_WEB = re.compile(r"(?i)https?://")


def is_url(text: str) -> bool:
    """Returns whether the name of a source is a URL."""
    return bool(_URL.match(text))


def is_web(text: str) -> bool:
    """Returns whether a URL may have a query."""
    return bool(_WEB.match(text))


def file_name(text: str) -> str:
    """Returns a path or URL without its query: its end is the file name."""
    return re.split(r"[?#]", text, maxsplit=1)[0] if is_web(text) else text


#: Suffixes of object files in folders.
SUFFIXES = (".yaml", ".yml", ".json", ".jsonl", ".ndjson", ".log")
PACKED = ("", ".gz", ".zst")
_ALL_SUFFIXES = (*(f"{suffix}{packed}" for suffix in SUFFIXES for packed in PACKED), ".parquet")
_MAGIC = re.compile(r"[*?\[]")
#: Form of chained URLs in fsspec, one inside the other.
_CHAINED = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*(?:://.*::|::.*://)")
#: Seconds before a failed request to a store is repeated.
PAUSES = (0.2, 1.0)
#: Bytes of a request to a store, for full reads and for first looks.
_BLOCK = 8 << 20
_GLANCE = 1 << 18
_NEVER = (FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError, NotImplementedError, ValueError)
Found = TypeVar("Found")


class OpeningError(Exception):
    """A source cannot be listed or read.

    The text is the reason, `help` the next step; `again` is True if a retry may help.
    """

    def __init__(self, reason: str, help: str = "check the path", *, again: bool = True) -> None:
        super().__init__(redact(reason))
        self.help = help
        self.again = again

    @property
    def message(self) -> str:
        """The reason in the form of messages."""
        return str(self) if str(self).startswith(("cannot read", "there are no")) else f"cannot read: {self}"


class RawReader(io.RawIOBase):
    """A raw stream of the bytes that `_next` returns, which may be more than was requested."""

    def __init__(self) -> None:
        super().__init__()
        self._kept = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._kept or memoryview(self._next(len(buffer)))
        size = min(len(data), len(buffer))
        buffer[:size] = data[:size]
        self._kept = data[size:]
        return size

    def _next(self, size: int) -> bytes:
        """Returns about `size` bytes, none at the end."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Stored:
    """A source: its path or URL, its size if it is known, and the store's version of it."""

    url: str
    size: int | None = None
    version: str = ""


@dataclass(slots=True)
class Listing:
    """An argument and its sources, in the order of their names.

    Attributes:
        argument: the path, URL, folder or pattern.
        files: the sources.
        unread: folders in it that cannot be read, with the reason.
    """

    argument: str
    files: list[Stored] = field(default_factory=list)
    unread: list[tuple[str, str]] = field(default_factory=list)


def list_sources(argument: str) -> Listing:
    """Lists the sources of a path, a URL, a folder or a pattern. An existing file of that name is no pattern.

    Raises:
        OpeningError: it cannot be listed, or has no sources.
    """
    if _CHAINED.match(argument) and not os.path.lexists(argument):
        raise OpeningError(
            "a URL inside another one (`::`) cannot be read", "name the store itself, and files in it", again=False
        )
    found = Listing(argument)
    found.files = _list_url(argument) if is_url(argument) else _list_path(argument, found.unread)
    if not found.files and not found.unread:
        help = f"name a file that holds objects, or a directory with such files ({', '.join(SUFFIXES)})"
        raise OpeningError("there are no objects here", help, again=False)
    return found


def open_source(url: str, *, glance: bool = False) -> IO[bytes]:
    """Opens a source as a seekable stream of bytes. With `glance`, it fetches small blocks.

    Raises:
        OpeningError: it cannot be opened.
    """
    with _failing():
        if is_url(url):
            system, path = find_file_system(url)
            if not glance:
                with suppress(Exception):
                    system.invalidate_cache(path)  # drops the state that was cached by listing
            return cast("IO[bytes]", system.open(path, "rb", block_size=_GLANCE if glance else _BLOCK))
        return reading.open_argument(url)


def read_state(url: str, stream: IO[bytes]) -> tuple[int | None, str]:
    """Returns the size of an open source, if it is known, and the store's version of it.

    Raises:
        OpeningError: the store does not answer.
    """
    with _failing():
        if not is_url(url):
            found = os.fstat(stream.fileno())
            return found.st_size, str(found.st_mtime_ns)
        info = getattr(stream, "details", None)
        if not isinstance(info, dict):
            system, path = find_file_system(url)
            info = system.info(path)
        return info.get("size"), _version(info)


def counts(name: str) -> bool:
    """Returns whether a file in a folder has objects, by its name."""
    return file_name(name).endswith(_ALL_SUFFIXES)


def find_file_system(url: str) -> tuple[Any, str]:
    """Returns the file system of a URL, and the path in it."""
    try:
        core: Any = importlib.import_module("fsspec.core")  # an extra
    except ImportError:
        raise OpeningError(
            "URLs are read by fsspec, which is not installed", "pip install 'validation-gen[urls]'", again=False
        ) from None
    try:
        with _failing("check the URL, and the settings of the store", (ImportError,)):
            return cast("tuple[Any, str]", core.url_to_fs(url))
    except ImportError as error:
        raise OpeningError(str(error), "install the package that it names", again=False) from None


def find_protocols(system: Any) -> tuple[str, ...]:
    """Returns the schemes of a file system."""
    return (system.protocol,) if isinstance(system.protocol, str) else tuple(system.protocol)


# --- paths ------------------------------------------------------------------------------------------------------------


def _list_path(argument: str, unread: list[tuple[str, str]]) -> list[Stored]:
    with _failing():
        path = Path(argument)
        if os.path.isdir(argument):  # noqa: PTH112 - it never raises
            return [make_source(each) for each in _below(argument, unread)]
        if _MAGIC.search(argument) and not path.exists():
            found = glob(argument, recursive=True)  # noqa: PTH207 - it may be absolute
            return [make_source(Path(each)) for each in sorted(found) if os.path.isfile(each)]  # noqa: PTH113
        state = path.stat()
        return [Stored(argument, state.st_size, str(state.st_mtime_ns))]


def _below(directory: str, unread: list[tuple[str, str]]) -> list[Path]:
    """Returns the files in and below a folder, sorted. Links to folders are not followed, so there are no circles."""

    def report(error: OSError) -> None:
        unread.append((Path(error.filename).as_posix(), f"cannot read the directory: {error.strerror}"))

    found: list[Path] = []
    for folder, _, names in os.walk(directory, onerror=report):
        files = [Path(folder, name) for name in names if counts(name)]
        # A dangling link is listed, and fails when it is read; pipes and devices are skipped, as reading them would
        # block.
        found += [file for file in files if os.path.isfile(file) or not os.path.exists(file)]  # noqa: PTH110, PTH113
    return sorted(found)


def make_source(path: Path) -> Stored:
    """Returns a file as a source."""
    try:
        found = path.stat()
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return Stored(path.as_posix())  # opening it reports the reason
    return Stored(path.as_posix(), found.st_size, str(found.st_mtime_ns))


# --- URLs -------------------------------------------------------------------------------------------------------------


def _list_url(argument: str) -> list[Stored]:
    system, path = find_file_system(argument)
    found = _patiently(lambda: _find_files(system, path))
    url_of = _naming(argument, system, path)
    return [
        Stored(url_of(name), each.get("size"), _version(each))
        for name, each in sorted(found.items())
        if each.get("type") == "file"
    ]


def _naming(argument: str, system: Any, path: str) -> Callable[[str], str]:
    """Returns a function from paths in a store to URLs, as many stores strip the server or the account."""
    scheme, _, rest = argument.partition("://")
    authority = rest.partition("/")[0]
    protocols = find_protocols(system)
    root = "" if "file" in protocols else str(system._strip_protocol(f"{scheme}://{authority}")).strip("/")

    def to_url(name: str) -> str:
        if is_url(name):
            return name
        if "file" in protocols or name.lstrip("/").partition("/")[0] == authority:
            return f"{scheme}://{name}"
        if name == path:
            return argument
        below = name.lstrip("/")
        below = below[len(root) :] if root and f"{below}/".startswith(f"{root}/") else below
        return f"{scheme}://{authority}/{below.lstrip('/')}"

    return to_url


def _find_files(system: Any, path: str) -> dict[str, dict[str, Any]]:
    """Returns the files that match a path of a store, by name."""
    with suppress(Exception):
        system.invalidate_cache()  # cached files may be gone
    may_be_pattern = bool(_MAGIC.search(path.partition("?")[0] if is_web(path) else path))
    if is_web(path) and path.endswith("/"):
        info: dict[str, Any] = {"type": "directory"}  # a page of links
    else:
        try:
            info = system.info(path)
        except FileNotFoundError:
            if not may_be_pattern:
                raise
            return dict(system.glob(path, detail=True))
    if info.get("type") != "directory":
        return {path: info}
    return {name: each for name, each in system.find(path, detail=True).items() if counts(name)}


def _patiently(ask: Callable[[], Found]) -> Found:
    """Calls a store, with retries.

    Raises:
        OpeningError: it does not answer, or refuses.
    """
    with _failing("check the URL, and the settings of the store"):
        for pause in PAUSES:
            try:
                return ask()
            except _NEVER:
                raise
            except Exception:  # each store has its own exceptions
                time.sleep(pause)
        return ask()


def _version(info: dict[str, Any]) -> str:
    """Returns the store's version of a source. The same tag comes with quotes and without."""
    for name in ("ETag", "etag", "mtime", "LastModified", "last_modified"):
        if info.get(name):
            return str(info[name]).removeprefix("W/").strip('"')
    return ""


@contextmanager
def _failing(help: str = "check the path", passed: tuple[type[Exception], ...] = (OpeningError,)) -> Iterator[None]:
    """Converts exceptions of a store to OpeningError, except those of the types in `passed`."""
    try:
        yield
    except passed:
        raise
    except Exception as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        may_pass = isinstance(error, FileNotFoundError) or not isinstance(error, _NEVER)
        raise OpeningError(f"cannot read: {reason}", help, again=may_pass) from None
