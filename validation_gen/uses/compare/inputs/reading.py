"""The first stage: all inputs in order, cut into numbered pieces. Only events of audit logs are parsed here."""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, cast

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.runtime.words import counted
from validation_gen.uses.compare.inputs.audit import Seen, Trail, may_have_events
from validation_gen.uses.compare.inputs.containers import pieces_of
from validation_gen.uses.compare.inputs.files import STDIN, Named, find, opened, total_size
from validation_gen.uses.compare.inputs.items import Bad, Form, Item, Piece
from validation_gen.uses.compare.inputs.parsing import parse_item
from validation_gen.uses.compare.inputs.stores import Objects, Table, identity, written
from validation_gen.uses.corpora.opening import SUFFIXES, OpeningError
from validation_gen.uses.corpora.rows import Rows, is_parquet
from validation_gen.uses.corpora.streams import Source
from validation_gen.uses.corpora.urls import shown


def sentences(passed_over: Mapping[str, int]) -> list[str]:
    """Tells what was skipped and why, most frequent first."""
    ordered = sorted(passed_over.items(), key=lambda pair: (-pair[1], pair[0]))
    return [f"{counted(count, 'event')} {reason}" for reason, count in ordered]


class Inputs:
    """What people name, ready to be read. Use it in a `with` block: it may keep objects in temporary files.

    Attributes:
        total: the bytes of all inputs, `None` if that is not known. Compressed files count as they are.
        passed_over: events of audit logs that are not compared, by reason; a sentence is `N events` and the reason.
            Skipped items count as well, so the numbers of a resumed run are those of the whole.
        count: how many items have been read so far, skipped ones as well.
    """

    def __init__(
        self, where: Sequence[str], diagnostics: Diagnostics, *, old: Sequence[str] = (), column: str = ""
    ) -> None:
        """Looks for the files.

        Args:
            where: files, folders, or `-`.
            diagnostics: takes what cannot be read (VG901), arguments without objects (VG902) and a temporary file
                that cannot be written (VG903).
            old: where the objects stand as they were. An object of `where` with the same apiVersion, kind, namespace
                and name becomes an update.
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
        self._known: Table | None = None
        self._olds = ""
        self._read = 0

    def __enter__(self) -> Inputs:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Deletes what is temporary. Items that are not parsed by then find no old objects."""
        if self._known is not None:
            self._known.close()
            self._known = None
        if self._olds:
            Objects.release(self._olds)
            self._olds = ""
        if self._directory is not None:
            self._directory.cleanup()
            self._directory = None

    def sentences(self) -> list[str]:
        """Tells what was skipped and why, most frequent first."""
        return sentences(self.passed_over)

    def read_items(self, skip: int = 0) -> Iterator[Item]:
        """The pieces of all inputs in order.

        Args:
            skip: how many of the first pieces are not wanted again, as they were compared before. They are still
                read, since what follows can depend on them.
        """
        self.close()
        self.passed_over.clear()
        self._read = self.count = 0
        try:
            for item in self._items():
                number = self.count
                self.count += 1
                if number >= skip:
                    yield item._replace(number=number)
        except (OSError, sqlite3.Error) as error:
            place = Span(self._directory.name if self._directory else tempfile.gettempdir())
            help = "make room there, or name another directory in TMPDIR"
            self._diagnostics.error("VG903", f"cannot keep objects in a temporary file: {error}", place, help)

    # --- inputs -------------------------------------------------------------------------------------------------------

    def _items(self) -> Iterator[Item]:
        if self._old:
            yield from self._read_olds()
        olds = Objects.shared(self._olds).text if self._olds else lambda key: None
        trail = Trail(self._make_known, olds, self.passed_over)
        for source, piece in self._pieces(self._where):
            consumed = self._read + source.consumed
            for part in trail.follow(piece) if may_have_events(piece) else (piece,):
                if isinstance(part, Piece):
                    yield Item(0, part, source.name, consumed, olds=self._olds)
                elif isinstance(part, Seen):
                    yield Item(0, part.piece, source.name, consumed, part.audited, part.old)

    def _pieces(self, inputs: Iterable[Named]) -> Iterator[tuple[Source, Piece]]:
        for named in inputs:
            found = named.failed
            for file in named.files:
                stream = opened(file, self._diagnostics)
                if stream is None:
                    found = True  # enough has been said
                    continue
                try:
                    source = self._source(named.shown if file.url == STDIN else file.url, stream)
                    if source is None:
                        found = True
                        continue
                    try:
                        for piece in pieces_of(source):
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
                self._diagnostics.error("VG902", "there are no objects here", Span(named.shown), help)

    def _source(self, name: str, stream: IO[bytes]) -> Source | None:
        """The source, or nothing and a finding."""
        try:
            if stream is not sys.stdin.buffer and is_parquet(stream):
                return Source(name, cast("IO[bytes]", Rows(stream, self._column)))
            return Source(name, stream)
        except OpeningError as error:
            self._diagnostics.error("VG901", error.message, Span(shown(name)), error.help)
        except OSError as error:
            reason = error.strerror or str(error)
            self._diagnostics.error("VG901", f"cannot read: {reason}", Span(shown(name)), "check the path")
        return None

    # --- kept objects -------------------------------------------------------------------------------------------------

    def _temporary(self, name: str) -> str:
        if self._directory is None:
            self._directory = tempfile.TemporaryDirectory(prefix="validation-gen-", ignore_cleanup_errors=True)
        return str(Path(self._directory.name, name))

    def _make_known(self) -> Table:
        self._known = Table(self._temporary("known"))
        return self._known

    def _read_olds(self) -> Iterator[Item]:
        """Stores the objects as they were. What is malformed among them is handed on, so that it is told."""
        file = self._temporary("olds")
        table = Table(file)
        try:
            for source, piece in self._pieces(self._old):
                item = Item(0, piece, source.name, self._read + source.consumed)
                for request in parse_item(item):
                    if not isinstance(request, Bad):
                        if request.api_version and (key := identity(request.obj)):
                            table.put(key, b"", written(request.obj))
                        continue
                    data = request.quote.encode("utf-8", "replace")
                    yield Item(0, Piece(Form.UNREADABLE, data, 0, reason=request.reason), request.place, item.consumed)
        finally:
            table.close()
        self._olds = file
