"""Decompresses gzip, and Zstandard where a package for it is installed. The first bytes show the format.

Both are read in pieces of the requested size, so a few bytes that expand to gigabytes cost time and no memory.
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

#: Suffixes of compressed sources.
_SUFFIXES = (".gz", ".zst")
#: Window of a Zstandard reader, as a power of 2. Its own programs take no more by default.
_WINDOW = 27
_BUFFER = 1 << 18
_SAID_TWICE = "Unable to decompress Zstandard data: "


class DamagedError(Exception):
    """Compressed data is damaged. The text is the reason."""


class TooLargeError(DamagedError):
    """They expand beyond the limit. They are not damaged, so to compress them again does not help."""


def unpacked(name: str) -> str:
    """Returns a name without the suffix of the compression."""
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix)
    return name


def undone(content: bytes, most: int) -> bytes:
    """Returns decompressed bytes; uncompressed ones are returned unchanged.

    Raises:
        DamagedError: they are damaged.
        TooLargeError: they expand to more than `most` bytes.
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
    """Returns the decompressor of a stream with this head, which must be closed, and its read function.

    It returns `None` for an uncompressed stream.

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
    """Returns Python's module since 3.14, or the package with the same interface for others."""
    name, package = ("compression.zstd", "") if sys.version_info >= (3, 14) else ("backports.zstd", "backports.zstd")
    try:
        return importlib.import_module(name)  # an extra
    except ImportError:
        missing = f"the package {package}" if package else f"Python's module {name}"
        reason = f"it is compressed by Zstandard, which needs {missing}, and that is not installed"
        raise OpeningError(reason, "pip install 'validation-gen[zstd]'", again=False) from None
