"""Undoes compression: gzip, and Zstandard where a package for it is installed. What it is, the first bytes tell.

Both are read in pieces of the size that is asked for, so a few bytes that stand for gigabytes cost time and no memory.
"""

from __future__ import annotations

import gzip
import importlib
import io
import sys
import zlib
from collections.abc import Callable
from contextlib import closing
from typing import IO, Any, cast

from validation_gen.files.packing import HEAD, packing_of
from validation_gen.uses.corpora.opening import OpeningError

#: What sources that hold this may be called, beside what they hold.
_SUFFIXES = (".gz", ".zst")
#: The bytes that a reader of Zstandard has to look back on, as a power of 2. Its own programs take no more by default.
_WINDOW = 27
_BUFFER = 1 << 18
_SAID_TWICE = "Unable to decompress Zstandard data: "


class DamagedError(Exception):
    """Compressed data cannot be read on. The text is the reason."""


class TooLargeError(DamagedError):
    """They stand for more than is read. They are whole, so to compress them again is of no use."""


def unpacked(name: str) -> str:
    """A name without what says how the source is compressed."""
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix)
    return name


def undone(content: bytes, most: int) -> bytes:
    """Bytes without their compression, or as they are if they have none.

    Raises:
        DamagedError: they are damaged.
        TooLargeError: they stand for more than `most` bytes.
        OpeningError: the package for it is not installed.
    """
    found = unpacker(content[:HEAD], cast("io.RawIOBase", io.BytesIO(content)))
    if found is None:
        return content
    packed, read = found
    whole = bytearray()
    with closing(packed):
        while chunk := read(_BUFFER):
            whole += chunk
            if len(whole) > most:
                raise TooLargeError(f"it holds more than {most >> 20} MiB when it is unpacked, the most that is read")
    return bytes(whole)


def unpacker(head: bytes, stream: io.RawIOBase) -> tuple[io.IOBase, Callable[[int], bytes]] | None:
    """What undoes the compression of a stream that begins so, to be closed, and how it reads; `None` if it has none.

    Raises:
        OpeningError: the package for it is not installed.
    """
    packing = packing_of(head)
    if packing == "gzip":
        packed = gzip.GzipFile(fileobj=cast("IO[bytes]", io.BufferedReader(stream, _BUFFER)))
        return packed, _telling(packing, packed.read1, gzip.BadGzipFile, zlib.error)
    if packing:
        zstandard = _zstandard()
        limit = {zstandard.DecompressionParameter.window_log_max: _WINDOW}
        file = zstandard.ZstdFile(io.BufferedReader(stream, _BUFFER), options=limit)
        return file, _telling(packing, file.read1, zstandard.ZstdError)
    return None


def _telling(what: str, read: Callable[[int], bytes], *errors: type[Exception]) -> Callable[[int], bytes]:
    def told(size: int) -> bytes:
        try:
            return read(size)
        except EOFError:
            raise DamagedError(f"the {what} data end too early") from None
        except errors as error:
            if "requires too much memory" in str(error):
                window = f"a window of {1 << _WINDOW >> 20} MiB, the most that is read"
                raise DamagedError(f"the {what} data need more than {window}") from None
            raise DamagedError(f"the {what} data are damaged: {str(error).removeprefix(_SAID_TWICE)}") from None

    return told


def _zstandard() -> Any:
    """The module that Python has since 3.14, or the package that has the same for others."""
    name, package = ("compression.zstd", "") if sys.version_info >= (3, 14) else ("backports.zstd", "backports.zstd")
    try:
        return importlib.import_module(name)  # an extra
    except ImportError:
        missing = f"the package {package}" if package else f"Python's module {name}"
        reason = f"it is compressed by Zstandard, which needs {missing}, and that is not installed"
        raise OpeningError(reason, "pip install 'validation-gen[zstd]'", again=False) from None
