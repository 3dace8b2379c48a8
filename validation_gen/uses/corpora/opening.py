"""Lists and opens what people name: paths by our own reader, `scheme://` by fsspec. It reads nothing.

fsspec and what it needs for a scheme are imported when a URL is named. Settings of stores, such as keys and regions,
are those of fsspec: https://filesystem-spec.readthedocs.io/en/latest/features.html#configuration.
"""

from __future__ import annotations

import importlib
import re
from dataclasses import dataclass, field
from glob import glob
from pathlib import Path
from typing import IO, Any, cast

from validation_gen.files import reading

#: What counts in folders.
SUFFIXES = (".yaml", ".yml", ".json", ".jsonl", ".ndjson", ".log")
PACKED = ("", ".gz", ".zst")
_ALL_SUFFIXES = (*(f"{suffix}{packed}" for suffix in SUFFIXES for packed in PACKED), ".parquet")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_MAGIC = re.compile(r"[*?\[]")


class OpeningError(Exception):
    """A source cannot be listed or read. The text is the reason, `help` what to do; `again`, whether trying helps."""

    def __init__(self, reason: str, help: str = "check the path", *, again: bool = True) -> None:
        super().__init__(reason)
        self.help = help
        self.again = again


@dataclass(frozen=True, slots=True)
class Stored:
    """A source: its path or URL, its bytes if they are known, and what the store calls its state."""

    url: str
    size: int | None = None
    version: str = ""


@dataclass(slots=True)
class Listing:
    """An argument and the sources that it means, in the order of their names."""

    argument: str
    files: list[Stored] = field(default_factory=list)


def is_url(text: str) -> bool:
    """Tells whether a source is named by a URL."""
    return bool(_URL.match(text))


def listed(argument: str) -> Listing:
    """What a path, a URL, a folder or a pattern means.

    Raises:
        OpeningError: it cannot be listed, or means nothing.
    """
    found = _listed_url(argument) if is_url(argument) else _listed_path(argument)
    if not found:
        raise OpeningError("there are no objects here", f"name files, or a folder with {', '.join(SUFFIXES)}")
    return Listing(argument, found)


def opened(url: str) -> IO[bytes]:
    """The bytes of a source, from which one may begin anywhere.

    Raises:
        OpeningError: it cannot be opened.
    """
    try:
        if is_url(url):
            system, path = system_of(url)
            return cast("IO[bytes]", system.open(path, "rb"))
        return reading.opened(url)
    except OpeningError:
        raise
    except Exception as error:  # each store has its own
        raise OpeningError(f"cannot read: {_reason(error)}") from None


def _listed_path(argument: str) -> list[Stored]:
    path = Path(argument)
    try:
        if path.is_dir():
            names = sorted(each for each in path.rglob("*") if counts(each.name) and each.is_file())
        elif _MAGIC.search(argument) and not path.exists():
            found = glob(argument, recursive=True)  # noqa: PTH207 - it may be absolute
            names = sorted(Path(each) for each in found if Path(each).is_file())
        else:
            return [_stored(path, argument)]
        return [_stored(each, each.as_posix()) for each in names]
    except (OSError, ValueError) as error:
        raise OpeningError(f"cannot read: {_reason(error)}") from None


def _stored(path: Path, name: str) -> Stored:
    found = path.stat()
    return Stored(name, found.st_size, str(found.st_mtime_ns))


def _listed_url(argument: str) -> list[Stored]:
    system, path = system_of(argument)
    scheme = argument.partition("://")[0]
    try:
        if _MAGIC.search(path):
            found = system.glob(path, detail=True)
        elif system.isdir(path):
            found = {name: each for name, each in system.find(path, detail=True).items() if counts(name)}
        else:
            found = {path: system.info(path)}
    except Exception as error:  # each store has its own
        raise OpeningError(f"cannot read: {_reason(error)}", "check the URL, and the settings of the store") from None
    return [
        Stored(name if is_url(name) else f"{scheme}://{name}", each.get("size"), _version(each))
        for name, each in sorted(found.items())
        if each.get("type") == "file"
    ]


def _version(info: dict[str, Any]) -> str:
    return str(info.get("ETag") or info.get("etag") or info.get("mtime") or "")


def counts(name: str) -> bool:
    """Tells whether a file in a folder is one with objects, by its name."""
    return name.endswith(_ALL_SUFFIXES)


def system_of(url: str) -> tuple[Any, str]:
    """The file system of a URL, and the path in it."""
    try:
        core: Any = importlib.import_module("fsspec.core")  # an extra
    except ImportError:
        raise OpeningError(
            "URLs are read by fsspec, which is not installed", "pip install 'validation-gen[distributed]'"
        ) from None
    try:
        return cast("tuple[Any, str]", core.url_to_fs(url))
    except ImportError as error:
        raise OpeningError(str(error), "install the package that it names") from None
    except Exception as error:  # each store has its own
        raise OpeningError(f"cannot read: {_reason(error)}", "check the URL, and the settings of the store") from None


def _reason(error: BaseException) -> str:
    return str(getattr(error, "strerror", None) or error) or type(error).__name__
