"""Reads the inputs of a comparison: objects, requests of the line protocol, audit logs, in any container.

Reading has two stages, so that all cores have work. `Inputs.read_items` runs in one process: it finds and opens the
files of arguments, and cuts them in order into numbered pieces. It does not parse them, except for events of audit
logs. `parse_item` runs anywhere and turns a piece into requests. Nothing here validates, and no content of a file
raises an exception.
"""

from __future__ import annotations

import io
import os
import sqlite3
import stat
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, cast

from validation_gen.commands.compare.inputs.audit import Events, may_be_lost, may_have_events
from validation_gen.commands.compare.inputs.containers import read_pieces
from validation_gen.commands.compare.inputs.decoding import Bad, Form, Item, Piece
from validation_gen.commands.compare.inputs.parsing import parse_item
from validation_gen.commands.compare.inputs.stores import Objects, Table, identity, serialize
from validation_gen.commands.compare.inputs.trail import ALONE, Trail, sentences
from validation_gen.commands.distributed.opening import SUFFIXES, OpeningError, Stored, is_url, list_sources, read_state
from validation_gen.commands.distributed.opening import open_source as opened_source
from validation_gen.commands.distributed.reading import TruncationGuard
from validation_gen.commands.distributed.rows import Rows, is_parquet
from validation_gen.commands.distributed.streams import Source
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.diagnostics.visible import redact
from validation_gen.files import reading

STDIN = "-"


@dataclass(frozen=True, slots=True)
class Named:
    """One argument and its sources, in the order of reading."""

    argument: str
    files: tuple[Stored, ...]
    failed: bool = False  #: something in it cannot be listed

    @property
    def label(self) -> str:
        return "<stdin>" if self.argument == STDIN else redact(self.argument)


def find(where: Sequence[str], diagnostics: Diagnostics) -> list[Named]:
    """Returns the sources of each argument: files, `-`, URLs, patterns, and folders with their subfolders."""
    found = []
    for argument in where:
        if argument == STDIN or _is_unusual(argument):
            found.append(Named(argument, (Stored(argument),)))
            continue
        try:
            listing = list_sources(argument)
        except OpeningError as error:
            code = "VG901" if error.message.startswith("cannot") else "VG902"
            diagnostics.error(code, error.message, Span(argument), error.help)
            found.append(Named(argument, (), failed=True))
            continue
        for folder, reason in listing.unread:
            diagnostics.error("VG901", reason, Span(folder), "check the permissions")
        found.append(Named(argument, tuple(listing.files), failed=bool(listing.unread)))
    return found


def _is_unusual(argument: str) -> bool:
    """Returns whether it is a pipe or a similar file, which is opened when it is read, and has no size."""
    if is_url(argument):
        return False
    try:
        mode = Path(argument).stat().st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def total_size(named: Sequence[Named]) -> int | None:
    """Returns the bytes of all sources, `None` if the size of one is unknown."""
    total = 0
    for each in [file for argument in named for file in argument.files]:
        if is_url(each.url):
            if each.size is None:
                return None
            total += each.size
            continue
        try:
            found = os.fstat(sys.stdin.fileno()) if each.url == STDIN else Path(each.url).stat()
        except FileNotFoundError:
            continue  # reading it will report the error
        except (OSError, ValueError, AttributeError):  # a replaced standard input has no descriptor
            return None
        if not stat.S_ISREG(found.st_mode):
            return None
        total += found.st_size
    return total


def open_source(file: Stored, diagnostics: Diagnostics) -> IO[bytes] | None:
    """Opens the source with lookahead; or reports an error and returns nothing."""
    if file.url == STDIN:
        return sys.stdin.buffer
    try:
        if not is_url(file.url):
            return io.BufferedReader(reading.open_argument(file.url))
        stream = opened_source(file.url)
        size, version = read_state(file.url, stream)
        whole: Any = TruncationGuard(stream, size, lambda: _same(file.url, version))
        return cast("IO[bytes]", io.BufferedReader(whole))
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or error
        diagnostics.error("VG901", f"cannot read: {reason}", Span(Path(file.url).as_posix()), "check the path")
    except OpeningError as error:
        diagnostics.error("VG901", error.message, Span(file.url), error.help)
    return None


def _same(url: str, version: str) -> IO[bytes]:
    """Opens the source again, if it has not changed.

    Raises:
        OpeningError: it has, or cannot be opened.
    """
    stream = opened_source(url)
    try:
        if read_state(url, stream)[1] != version:
            raise OpeningError("it has changed while it was read", again=False)
    except BaseException:
        stream.close()
        raise
    return stream


#: The inputs are one partition; earlier inputs have the number 0, and later ones this number.
_HERE, BEHIND = 1, 2


class Inputs:
    """The inputs of a comparison. Use it in a `with` block: it may store objects in temporary files.

    Attributes:
        total: the bytes of all inputs, `None` if unknown. Compressed files count with their compressed size.
        passed_over: events of audit logs that are not compared, by reason; a sentence is `N events` and the reason.
            Skipped items count as well, so the numbers of a resumed run are those of the whole. Also the numbers of
            reordered events, and of old objects without new ones.
        count: the number of items read so far, including skipped ones.
    """

    def __init__(
        self, where: Sequence[str], diagnostics: Diagnostics, *, old: Sequence[str] = (), column: str = ""
    ) -> None:
        """Finds the files.

        Args:
            where: files, folders, or `-`.
            diagnostics: takes unreadable files (VG901), arguments without objects (VG902) and a temporary file that
                cannot be written (VG903).
            old: files of old objects. An object of `where` with the same apiVersion, kind, namespace and name
                becomes an update.
            column: the column of Parquet files that holds objects, `""` for the only one that holds texts.
        """
        self._diagnostics = diagnostics
        self._column = column
        self._where = find(where, diagnostics)
        self._old = find(old, diagnostics)
        self.total = total_size([*self._old, *self._where])
        self.passed_over: Counter[str] = Counter()
        self.count = 0
        self._directory: tempfile.TemporaryDirectory[str] | None = None
        self._trail: Trail | None = None
        self._olds = ""
        self._read = 0
        self._is_read = False
        self._has_gaps = False  # True if parts of the inputs could not be read

    def __enter__(self) -> Inputs:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Deletes temporary files. Items that are parsed later have no old objects."""
        if self._trail is not None:
            self._trail.close()
            self._trail = None
        if self._olds:
            Objects.release(self._olds)
            self._olds = ""
        if self._directory is not None:
            self._directory.cleanup()
            self._directory = None

    def sentences(self) -> list[str]:
        """Describes skipped items with their reasons, most frequent first, and unpaired ones.

        Items have to be parsed by then.
        """
        alone = Objects.alone(self._olds) if self._olds and self._is_read else 0
        return sentences({**self.passed_over, ALONE: alone})

    def read_items(self, skip: int = 0) -> Iterator[Item]:
        """Yields the pieces of all inputs in order; then the requests of audit logs, object by object.

        The first `skip` of them were compared before. They are still read, since later ones can depend on them.
        """
        self.close()
        self.passed_over.clear()
        self._read = self.count = 0
        self._is_read = False
        try:
            for item in self._items():
                number = self.count
                self.count += 1
                if number >= skip:
                    yield item._replace(number=number)
                elif item.olds:
                    parse_item(item)  # marks its old object as paired
            self._is_read = True
        except (OSError, sqlite3.Error) as error:
            place = Span(self._directory.name if self._directory else tempfile.gettempdir())
            help = "make room there, or name another directory in TMPDIR"
            self._diagnostics.error("VG903", f"cannot keep objects in a temporary file: {error}", place, help)

    # --- inputs -------------------------------------------------------------------------------------------------------

    def _items(self) -> Iterator[Item]:
        if self._old:
            yield from self._read_olds()
        self._has_gaps = False
        events = Events(self.passed_over)
        place = 0
        for source, piece in self._pieces(self._where):
            consumed = self._read + source.consumed
            for part in events.read(piece) if may_have_events(piece) else (piece,):
                place += 1
                if isinstance(part, Piece):
                    self._has_gaps |= may_be_lost(part)
                    yield Item(0, part, source.name, consumed, olds=self._olds, order=(_HERE, place))
                else:
                    self._followed().add(part, source.name, (_HERE, place))
        if self._trail is not None:
            # All is read, but not all is compared: users want to see the remaining work.
            before, whole = self.count, self.count + self._trail.count
            for done, item in enumerate(self._trail.follow(has_gaps=self._has_gaps), 1):
                if item is not None:
                    yield item._replace(consumed=self._read * (before + done) // whole)

    def _pieces(self, inputs: Iterable[Named]) -> Iterator[tuple[Source, Piece]]:
        for named in inputs:
            found = named.failed
            self._has_gaps |= found
            for file in named.files:
                stream = open_source(file, self._diagnostics)
                if stream is None:
                    self._has_gaps = found = True  # one report is enough
                    continue
                try:
                    source = self._source(named.label if file.url == STDIN else file.url, stream)
                    if source is None:
                        self._has_gaps = found = True
                        continue
                    try:
                        for piece in read_pieces(source):
                            found = True
                            yield source, piece
                    finally:
                        self._read += source.consumed
                        source.close()
                finally:
                    if file.url != STDIN:
                        stream.close()
            if not found:
                help = f"name a file that holds objects, or a directory with such files ({', '.join(SUFFIXES)})"
                self._diagnostics.error("VG902", "there are no objects here", Span(named.label), help)

    def _source(self, name: str, stream: IO[bytes]) -> Source | None:
        """Opens the source, or reports an error and returns nothing."""
        try:
            if stream is not sys.stdin.buffer and is_parquet(stream):
                return Source(name, cast("IO[bytes]", Rows(stream, self._column)))
            return Source(name, stream)
        except OpeningError as error:
            self._diagnostics.error("VG901", error.message, Span(name), error.help)
        except OSError as error:
            reason = error.strerror or str(error)
            self._diagnostics.error("VG901", f"cannot read: {reason}", Span(name), "check the path")
        return None

    # --- kept objects -------------------------------------------------------------------------------------------------

    def _temporary(self, name: str) -> str:
        if self._directory is None:
            self._directory = tempfile.TemporaryDirectory(prefix="validation-gen-", ignore_cleanup_errors=True)
        return str(Path(self._directory.name, name))

    def _followed(self) -> Trail:
        if self._trail is None:
            olds = Objects.shared(self._olds).text if self._olds else None
            self._trail = Trail(self._temporary("events"), olds, self.passed_over)
        return self._trail

    def _read_olds(self) -> Iterator[Item]:
        """Stores the old objects, and yields the items with malformed ones so that the caller reports these."""
        file = self._temporary("olds")
        table = Table(file)
        try:
            for source, piece in self._pieces(self._old):
                item = Item(0, piece, source.name, self._read + source.consumed)
                for request in parse_item(item):
                    if not isinstance(request, Bad):
                        if request.api_version and (key := identity(request.obj)):
                            table.put(key, serialize(request.obj))
                        continue
                    data = request.quote.encode("utf-8", "replace")
                    yield Item(0, Piece(Form.UNREADABLE, data, 0, reason=request.reason), request.place, item.consumed)
        finally:
            table.close()
        self._olds = file


__all__ = ["BEHIND", "Bad", "Inputs", "Item", "parse_item", "sentences"]
