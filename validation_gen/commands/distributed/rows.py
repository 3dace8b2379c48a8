"""Parquet with objects in a column: its values as lines, one for each row, read a batch at a time.

Rows are stored in *row groups*, and a range of these can be read separately. JSON allows a carriage return wherever it
allows a line feed, and neither within a string; so carriage returns replace line feeds, and a row is always one line.
"""

from __future__ import annotations

import contextlib
import importlib
import io
from collections.abc import Iterator
from typing import IO, Any

from validation_gen.commands.distributed.opening import OpeningError, RawReader

MAGIC = b"PAR1"
_BUFFER = 1 << 20
#: Rows of a batch, and its approximate bytes. The size of repeated values (dictionary encoding) is unknown.
_MOST_ROWS = 64
_BYTES_AT_ONCE = 4 << 20


def is_parquet(stream: IO[bytes]) -> bool:
    """Returns whether a seekable stream holds Parquet.

    Raises:
        OSError: it cannot be read.
    """
    if not isinstance(stream, io.BufferedReader) or not stream.seekable():
        return False
    return stream.peek(len(MAGIC))[: len(MAGIC)] == MAGIC


class Rows(RawReader):
    """The values of a column as lines. A row without a value is a blank line.

    The stream must be seekable. The row groups from `begin` to `end` are read, `None` for the last one.

    Attributes:
        column: the column. The argument may be `""` for the only one that holds texts.
        groups: for each row group, the approximate bytes that are read of the source.

    Raises:
        OpeningError: in the constructor: pyarrow is not installed, this is no Parquet, or has no such column.
    """

    def __init__(self, stream: IO[bytes], column: str = "", begin: int = 0, end: int | None = None) -> None:
        super().__init__()
        arrow, parquet = _pyarrow()
        self._stream = stream
        self._whole = stream.seek(0, io.SEEK_END)
        stream.seek(0)
        self._borrowed = _Borrowed(stream)
        try:
            buffered = io.BufferedReader(self._borrowed, _BUFFER)
            self._file: Any = parquet.ParquetFile(buffered, buffer_size=_BUFFER, pre_buffer=False)
            self.column = _choose_column(self._file.schema_arrow, column, arrow)
        except (OpeningError, MemoryError):
            raise
        except Exception as error:  # pyarrow and streams have many exceptions
            if self._borrowed.problem is not None:
                raise OpeningError(f"cannot read: {self._borrowed.problem}") from None
            raise OpeningError(f"the Parquet data are damaged: {_first(error)}", again=False) from None
        self.groups = [self._count_bytes(group) for group in range(self._file.num_row_groups)]
        last = len(self.groups) if end is None else min(end, len(self.groups))
        self._wanted = range(min(begin, last), last)
        self._lines = self._values(arrow)
        self._done = 0  # rows
        self._rows = self._file.metadata.num_rows

    @property
    def consumed(self) -> int:
        """Approximate bytes of the source for the rows that were read."""
        return self._whole * self._done // self._rows if self._rows else self._whole

    def close(self) -> None:
        if not self.closed:
            self._kept = memoryview(b"")
            self._lines.close()
            with contextlib.suppress(Exception):
                self._file.close()
            self._stream.close()
        super().close()

    def _next(self, _: int) -> bytes:
        line: bytes = next(self._lines, b"")
        self._done += bool(line)
        return line

    def _values(self, arrow: Any) -> Any:
        """Yields the lines.

        Raises:
            ValueError: the data are damaged.
            OSError: the source cannot be read.
        """
        for group in self._wanted:
            try:
                yield from self._of_group(arrow, group)
            except MemoryError:
                raise
            except Exception as error:  # pyarrow has many exceptions, and wraps those of streams
                if self._borrowed.problem is not None:
                    raise OSError(str(self._borrowed.problem)) from None
                raise ValueError(f"the Parquet data are damaged: {_first(error)}") from None

    def _of_group(self, arrow: Any, group: int) -> Iterator[bytes]:
        rows = self._file.metadata.row_group(group).num_rows
        size = max(1, min(_MOST_ROWS, _BYTES_AT_ONCE * rows // max(1, self._count_bytes(group, unpacked=True))))
        batches = self._file.iter_batches(size, row_groups=[group], columns=[self.column], use_threads=False)
        for batch in batches:
            column = batch.column(batch.schema.get_field_index(self.column))
            if isinstance(column, arrow.ExtensionArray):
                column = column.storage
            if arrow.types.is_dictionary(column.type):
                column = column.dictionary_decode()
            for value in column.cast(arrow.large_binary()).to_pylist():
                yield (value or b"").replace(b"\n", b"\r") + b"\n"

    def _count_bytes(self, group: int, *, unpacked: bool = False) -> int:
        """Returns the approximate bytes of the column in a row group."""
        found = self._file.metadata.row_group(group)
        total = 0
        for index in range(found.num_columns):
            part = found.column(index)
            if part.path_in_schema == self.column:
                total += part.total_uncompressed_size if unpacked else part.total_compressed_size
        return max(0, total)


class _Borrowed(RawReader):
    """A stream that the caller closes. A discarded stream would close it, too.

    Attributes:
        problem: the reason why it could not be read.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__()
        self._stream = stream
        self.problem: Exception | None = None

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def _next(self, size: int) -> bytes:
        try:
            return self._stream.read(size)
        except Exception as error:
            self.problem = error
            raise


def _choose_column(schema: Any, column: str, arrow: Any) -> str:
    """Returns the column with objects.

    Raises:
        OpeningError: there is none, or several match.
    """
    texts = [field.name for field in schema if _is_text(field.type, arrow)]
    if column in texts and texts.count(column) == 1:
        return column
    if not column and len(texts) == 1:
        return str(texts[0])
    all = ", ".join(f"`{name:.60}`" for name in (texts or schema.names)[:20]) or "none"
    if column:
        reason = f"it has no column `{column:.60}` of texts"
    elif texts:
        reason = "nothing tells which column holds the objects"
    else:
        reason = "no column holds texts, which objects have to be as JSON"
    what = "its columns of texts are" if texts else "its columns are"
    raise OpeningError(f"{reason}; {what} {all}", "name the column that holds JSON with --column", again=False)


def _is_text(type: Any, arrow: Any) -> bool:
    if isinstance(type, arrow.BaseExtensionType):
        type = type.storage_type
    types = arrow.types
    if types.is_dictionary(type):
        type = type.value_type
    return bool(
        types.is_string(type) or types.is_large_string(type) or types.is_binary(type) or types.is_large_binary(type)
    )


def _pyarrow() -> tuple[Any, Any]:
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")  # an extra
    except ImportError:
        reason = "it is Parquet, which needs the package pyarrow, and that is not installed"
        raise OpeningError(reason, "pip install 'validation-gen[parquet]'", again=False) from None


def _first(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
