"""One input as a stream of UTF-8: decompresses, converts UTF-16, counts bytes.

An error ends the stream and is noted in `Source.problem`; reading never raises. No format is known here.

Decompresses gzip, and Zstandard where a package for it is installed. The first bytes show the format.

Both are read in pieces of the requested size, so a few bytes that expand to gigabytes cost time and no memory.
"""

from __future__ import annotations

import codecs
import gzip
import importlib
import io
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from typing import IO, Any, cast

from validation_gen.commands.distributed.opening import OpeningError, RawReader, file_name
from validation_gen.commands.distributed.rows import MAGIC, Rows
from validation_gen.diagnostics.visible import redact
from validation_gen.files.reading import HEAD, MOST_OF_DATA, detect_packing

#: Suffixes of compressed sources.
_SUFFIXES = (".gz", ".zst")
#: Window of a Zstandard reader, as a power of 2. Its own programs take no more by default.
_WINDOW = 27
_SAID_TWICE = "Unable to decompress Zstandard data: "


class DamagedError(Exception):
    """Compressed data is damaged. The text is the reason."""


class TooLargeError(DamagedError):
    """Compressed data expands beyond the limit. It is not damaged, so compressing it again does not help."""


def strip_suffix(name: str) -> str:
    """Returns a name without the suffix of the compression."""
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix)
    return name


def undone(content: bytes, most: int) -> bytes:
    """Decompresses bytes; returns uncompressed bytes unchanged.

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
    packing = detect_packing(head)
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
    def read_checked(size: int) -> bytes:
        try:
            return read(size)
        except EOFError:
            raise DamagedError(f"the {what} data end too early") from None
        except errors as error:
            if "requires too much memory" in str(error):
                window = f"a window of {1 << _WINDOW >> 20} MiB, the most that is read"
                raise DamagedError(f"the {what} data need more than {window}") from None
            raise DamagedError(f"the {what} data are damaged: {str(error).removeprefix(_SAID_TWICE)}") from None

    return read_checked


def _zstandard() -> Any:
    """Returns Python's module since 3.14, or the package with the same interface for others."""
    name, package = ("compression.zstd", "") if sys.version_info >= (3, 14) else ("backports.zstd", "backports.zstd")
    try:
        return importlib.import_module(name)  # an extra
    except ImportError:
        missing = f"the package {package}" if package else f"Python's module {name}"
        reason = f"it is compressed by Zstandard, which needs {missing}, and that is not installed"
        raise OpeningError(reason, "pip install 'validation-gen[zstd]'", again=False) from None


#: Lines of these files are JSON, independent of their contents.
LINE_SUFFIXES = (".jsonl", ".ndjson", ".log")
_BUFFER = 1 << 18
#: The most bytes of one line, and of one value over several lines.
LONGEST = MOST_OF_DATA
#: Longer values are skipped, up to this multiple of the limit.
MOST_PASSED = 4
_QUOTED = 200


class _Bytes(RawReader):
    """The bytes of a read function, as a raw stream with lookahead. An error ends it."""

    def __init__(self, read: Callable[[int], bytes | None]) -> None:
        super().__init__()
        self._read = read
        self.count = 0  #: number of bytes read
        self.problem = ""

    def head(self, size: int) -> bytes:
        """Returns the first bytes without consuming them."""
        while len(self._kept) < size and (more := self._next(size)):
            self._kept = memoryview(bytes(self._kept) + more)
        return bytes(self._kept[:size])

    def _next(self, size: int) -> bytes:
        data = None
        try:
            data = None if self.problem else self._read(size)
        except DamagedError as error:
            self.problem = str(error)
        except UnicodeDecodeError as error:
            self.problem = f"this is not UTF-16: {error.reason}"
        except (OSError, ValueError) as error:  # ValueError: the file was closed
            self.problem = f"cannot read on: {getattr(error, 'strerror', None) or error}"
        self.count += len(data or b"")
        return data or b""


class Source:
    """An open input.

    Attributes:
        name: name in messages.
        line: the number of the line that was read last.
        overlong: beginnings of skipped lines that were too long, by number. They are read as blank lines; the
            reader reports them at their number.

    Raises:
        OpeningError: in the constructor: the decompressor is not installed, or it cannot be read as a stream.
    """

    def __init__(self, name: str, stream: IO[bytes]) -> None:
        self.name = redact(name)
        self.of_rows = isinstance(stream, Rows)
        self.of_lines = self.of_rows or strip_suffix(file_name(name)).endswith(LINE_SUFFIXES)
        self.line = 0
        self.overlong: dict[int, bytes] = {}
        self._closing: list[io.IOBase] = []
        self._layers = [_Bytes(getattr(stream, "read1", stream.read))]
        self._pushed: io.BytesIO | None = None
        if isinstance(stream, Rows):
            self._rows: Rows | None = stream
            self._reader = io.BufferedReader(self._layers[0], _BUFFER)
            return
        self._rows = None
        head = self._layers[0].head(HEAD)
        if head == MAGIC:
            raise OpeningError("it is Parquet, of which the end is read first", "name a file or a URL", again=False)
        if found := unpacker(head, self._layers[0]):
            packed, read = found
            self._layers.append(_Bytes(read))
            self._closing.append(packed)
        if self._layers[-1].head(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            self._layers.append(_Bytes(_from_utf16(self._layers[-1])))
        self._reader = io.BufferedReader(self._layers[-1], _BUFFER)
        if self._layers[-1].head(3) == codecs.BOM_UTF8:
            self._reader.read(3)

    @property
    def problem(self) -> str:
        """Reason why the stream ended early, `""` if it did not."""
        return next((layer.problem for layer in self._layers if layer.problem), "")

    @property
    def is_changed(self) -> bool:
        """True if the stream differs from the bytes of the source: it was compressed, or in UTF-16."""
        return len(self._layers) > 1

    @property
    def consumed(self) -> int:
        """Number of bytes read, before decompression."""
        return self._layers[0].count if self._rows is None else self._rows.consumed

    def readline(self) -> bytes:
        """Returns the next line with its end, an empty one after the last."""
        line = b""
        if self._pushed is not None:
            line = self._pushed.readline()
        if not line.endswith(b"\n"):
            self._pushed = None
            line += self._reader.readline(LONGEST + 1)
        if len(line) > LONGEST:
            line = self._pass_over(line)
        if line:
            self.line += 1
        return line

    def _pass_over(self, line: bytes) -> bytes:
        """Skips a line that is too long, given its beginning; returns the replacement."""
        quote, size = line[:_QUOTED], len(line)
        while line and not line.endswith(b"\n"):
            if size > MOST_PASSED * LONGEST:  # an endless device, or a few compressed bytes
                self.give_up("a line")
                return b""
            line = self._reader.readline(_BUFFER)
            size += len(line)
        self.overlong[self.line + 1] = quote
        return b"\n"

    def too_long(self, what: str) -> str:
        """Returns the message for a value that is too large."""
        return f"{what} holds more than {LONGEST >> 20} MiB, the most that is read"

    def give_up(self, what: str) -> None:
        """Ends the stream because a value is too large."""
        self._layers[-1].problem = self.too_long(what)

    def lines(self) -> Iterator[bytes]:
        return iter(self.readline, b"")

    def chunk(self, size: int) -> bytes:
        """Returns some bytes, none at the end. Their lines are not counted."""
        if self._pushed is not None:
            data = self._pushed.read()
            self._pushed = None
            if data:
                return data
        return self._reader.read(size)

    def push(self, data: bytes, line: int) -> None:
        """Pushes bytes back. They begin on the line after `line`."""
        self._pushed = io.BytesIO(data + (self._pushed.read() if self._pushed else b""))
        self.line = line

    def close(self) -> None:
        """Closes everything but the caller's stream."""
        for stream in (self._reader, *self._closing):
            with suppress(OSError, ValueError):
                stream.close()


def _from_utf16(source: _Bytes) -> Callable[[int], bytes]:
    """Reads UTF-16 as UTF-8. Unpaired surrogates are passed on, which makes invalid UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-16")("surrogatepass")

    def read(size: int) -> bytes:
        while data := source.read(size):
            if text := decoder.decode(data):
                return text.encode("utf-8", "surrogatepass")
        return decoder.decode(b"", True).encode("utf-8", "surrogatepass")

    return read
