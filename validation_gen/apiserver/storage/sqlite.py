"""A store in SQLite: one file, or memory. A write to a file is on disk before it returns."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from validation_gen.apiserver.storage import (
    FIRST_REVISION,
    Change,
    CompactedError,
    ConflictError,
    Entry,
    FutureRevisionError,
    Listener,
    StoreError,
)

_SCHEMA = """
CREATE TABLE IF NOT EXISTS writes (
  revision INTEGER PRIMARY KEY,
  key TEXT NOT NULL,
  value BLOB,
  before INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS writes_by_key ON writes (key, revision);
CREATE TABLE IF NOT EXISTS current (key TEXT PRIMARY KEY, revision INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS floor (revision INTEGER NOT NULL);
"""
_CURRENT = "FROM current c JOIN writes w ON w.revision = c.revision"
#: Number in the header of a file that marks it as a store, as `PRAGMA application_id` has it.
_MARK = 0x76676170
#: Writes that are kept besides the newest of each key.
_MOST_HISTORY = 100_000


class SqliteStore:
    """A store in a file, or in memory.

    Args:
        path: the file, None for memory.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._listener: Listener = lambda changes: None
        self._revision = self._floor = FIRST_REVISION

    async def start(self, listener: Listener, lost: Callable[[], None]) -> None:
        try:
            self._db = sqlite3.connect(":memory:" if self._path is None else self._path, isolation_level=None)
            if self._path is not None:
                self._open_file()
            self._db.executescript(_SCHEMA)
            found = self._db.execute("SELECT max(revision) FROM writes").fetchone()[0]
            floor = self._db.execute("SELECT max(revision) FROM floor").fetchone()[0]
        except sqlite3.Error as problem:
            used = " (another server has the file open)" if "locked" in str(problem) else ""
            raise StoreError(f"{self._path}: {problem}{used}") from None
        self._revision = max(found or 0, floor or FIRST_REVISION)
        self._floor = floor or FIRST_REVISION
        self._listener = listener

    def _open_file(self) -> None:
        """Locks the file. Marks a new file as a store."""
        self._db.execute("PRAGMA locking_mode=EXCLUSIVE")
        tables = {name for (name,) in self._db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if tables and self._db.execute("PRAGMA application_id").fetchone()[0] != _MARK:
            self._db.close()
            raise StoreError(f"{self._path}: it is a database of another program")
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")
        self._db.execute(f"PRAGMA application_id={_MARK}")

    async def close(self) -> None:
        self._db.close()

    async def revision(self) -> int:
        return self._revision

    async def get(self, key: str) -> Entry | None:
        return self._find(key)

    def _find(self, key: str) -> Entry | None:
        row = self._rows(f"SELECT w.value, w.revision {_CURRENT} WHERE c.key = ?", key)
        return Entry(key, *row[0]) if row else None

    async def scan(self, prefix: str, *, revision: int = 0, after: str = "", limit: int = 0) -> tuple[list[Entry], int]:
        at = self._checked(revision)
        source, bounds = self._below(prefix, at, after)
        rows = self._rows(
            f"SELECT key, value, revision FROM ({source}) ORDER BY key LIMIT ?",
            *bounds,
            limit or -1,
        )
        return [Entry(*row) for row in rows], at

    async def count(self, prefix: str, *, revision: int = 0, after: str = "") -> int:
        source, bounds = self._below(prefix, self._checked(revision), after)
        return int(self._rows(f"SELECT count(*) FROM ({source})", *bounds)[0][0])

    def _checked(self, revision: int) -> int:
        at = revision or self._revision
        if at > self._revision:
            raise FutureRevisionError(self._revision)
        if at < self._floor:
            raise CompactedError(self._floor)
        return at

    def _below(self, prefix: str, revision: int, after: str) -> tuple[str, tuple[object, ...]]:
        start, end = (after, ">") if after else (prefix, ">=")
        if revision == self._revision:
            names = "w.key AS key, w.value AS value, w.revision AS revision"
            text = f"SELECT {names} {_CURRENT} WHERE c.key {end} ? AND c.key < ?"
            return text, (start, f"{prefix}\U0010ffff")
        text = (
            "SELECT key, value, revision FROM writes WHERE value IS NOT NULL AND revision IN (SELECT max(revision) "
            f"FROM writes WHERE key {end} ? AND key < ? AND revision <= ? GROUP BY key)"
        )
        return text, (start, f"{prefix}\U0010ffff", revision)

    async def put(self, key: str, value: bytes, expected: int) -> int:
        return self._write(key, value, expected)

    async def delete(self, key: str, expected: int) -> int:
        return self._write(key, None, expected)

    def _write(self, key: str, value: bytes | None, expected: int) -> int:
        before = self._find(key)
        if (before.revision if before else 0) != expected:
            raise ConflictError(key)
        revision = self._revision + 1
        with self._transaction():
            self._db.execute("INSERT INTO writes VALUES (?, ?, ?, ?)", (revision, key, value, expected))
            if value is None:
                self._db.execute("DELETE FROM current WHERE key = ?", (key,))
            else:
                self._db.execute("INSERT OR REPLACE INTO current VALUES (?, ?)", (key, revision))
        self._revision = revision
        self._listener([Change(key, revision, value, before)])
        if revision - self._floor > 2 * _MOST_HISTORY:
            with contextlib.suppress(StoreError):  # the write is done; the next one tries again
                self._compact(revision - _MOST_HISTORY)
        return revision

    async def changes(self, prefix: str, after: int) -> list[Change]:
        if after < self._floor:
            raise CompactedError(self._floor)
        rows = self._rows(
            "SELECT w.key, w.revision, w.value, w.before, b.value FROM writes w LEFT JOIN writes b "
            "ON b.revision = w.before WHERE w.revision > ? AND w.key >= ? AND w.key < ? ORDER BY w.revision",
            after,
            prefix,
            f"{prefix}\U0010ffff",
        )
        return [
            Change(key, revision, value, Entry(key, old, before) if before else None)
            for key, revision, value, before, old in rows
        ]

    async def compact(self, revision: int) -> None:
        self._compact(min(revision, self._revision))

    def _compact(self, revision: int) -> None:
        if revision <= self._floor:
            return
        with self._transaction():
            self._db.execute(
                "DELETE FROM writes WHERE revision <= ? AND (value IS NULL OR revision NOT IN "
                "(SELECT max(revision) FROM writes WHERE revision <= ? GROUP BY key))",
                (revision, revision),
            )
            self._db.execute("DELETE FROM floor")
            self._db.execute("INSERT INTO floor VALUES (?)", (revision,))
        self._floor = revision

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """Runs statements in a transaction, and rolls it back after an error."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
        except sqlite3.Error as problem:
            with contextlib.suppress(sqlite3.Error):  # none has begun, or it has ended itself
                self._db.execute("ROLLBACK")
            raise StoreError(str(problem)) from None

    def _rows(self, text: str, *values: object) -> list[Any]:
        try:
            return self._db.execute(text, values).fetchall()
        except sqlite3.Error as problem:
            raise StoreError(str(problem)) from None
