"""Stores objects in a temporary file, so that memory is independent of their number.

No data has to survive a crash: the files are written without a journal and are deleted in the end.
"""

from __future__ import annotations

import json
import mmap
import os
import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from validation_gen.commands.compare.inputs.decoding import load
from validation_gen.commands.distributed.pairing import TUNED

_CHUNK = 1 << 20


class Table:
    """Writes texts by key, which `Objects` reads when it is complete."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._database = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        self._database.executescript(TUNED)
        self._database.execute("CREATE TABLE texts (key BLOB, text BLOB)")
        self._database.execute("CREATE UNIQUE INDEX by_key ON texts (key)")
        self._database.execute("BEGIN")

    def put(self, key: bytes, text: bytes) -> None:
        self._database.execute("INSERT OR REPLACE INTO texts VALUES (?, ?)", (key, text))

    def close(self) -> None:
        """Completes the file, and creates a second file in which readers mark the texts that they have read."""
        with suppress(sqlite3.Error):
            self._database.execute("COMMIT")
            (last,) = self._database.execute("SELECT max(rowid) FROM texts").fetchone()
            with Path(_partners(self._file)).open("wb") as file:
                file.truncate((last or 0) + 1)
        self._database.close()


class Objects:
    """Old objects by apiVersion, kind, namespace and name. One process writes them, then all may read."""

    _opened: dict[tuple[str, int], Objects] = {}  # noqa: RUF012 - shared on purpose

    def __init__(self, database: sqlite3.Connection | None, partners: mmap.mmap | None = None) -> None:
        self._database = database
        self._partners = partners

    @classmethod
    def shared(cls, file: str) -> Objects:
        """Opens a file that `Table` has written. It stays open in this process."""
        key = file, os.getpid()  # a connection must not be used after a fork
        if key not in cls._opened:
            uri = f"file:{quote(file)}?mode=ro&immutable=1"
            database = sqlite3.connect(uri, uri=True, check_same_thread=False)
            with Path(_partners(file)).open("r+b") as noted:
                cls._opened[key] = cls(database, mmap.mmap(noted.fileno(), 0))
        return cls._opened[key]

    @classmethod
    def release(cls, file: str) -> None:
        """Closes the file in this process."""
        opened = cls._opened.pop((file, os.getpid()), None)
        if opened and opened._database:
            opened._database.close()
        if opened and opened._partners:
            opened._partners.close()

    @classmethod
    def alone(cls, file: str) -> int:
        """Returns the number of objects of a file that no process has read."""
        shared = cls.shared(file)
        if shared._database is None or shared._partners is None:
            return 0
        (count,) = shared._database.execute("SELECT count(*) FROM texts").fetchone()
        noted = (shared._partners[begin : begin + _CHUNK].count(1) for begin in range(0, len(shared._partners), _CHUNK))
        return int(count) - sum(noted)

    def get(self, obj: Mapping[str, Any]) -> Any:
        """Returns the old object, `None` if there is none."""
        text = self.text(identity(obj)) if self._database else None
        return None if text is None else load(text.decode())

    def text(self, key: bytes) -> bytes | None:
        if self._database is None or not key:
            return None
        row = self._database.execute("SELECT text, rowid FROM texts WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        if self._partners is not None:
            self._partners[row[1]] = 1
        return bytes(row[0])


#: For inputs without old objects.
NO_OBJECTS = Objects(None)


def _partners(file: str) -> str:
    return f"{file}.partners"


def identity(obj: Mapping[str, Any]) -> bytes:
    """Returns the key of an object in other inputs, `b""` where it has no name."""
    metadata = obj.get("metadata")
    parts = metadata if isinstance(metadata, dict) else {}
    name, namespace = parts.get("name"), parts.get("namespace")
    if not isinstance(name, str) or not name:
        return b""
    words = (obj.get("apiVersion"), obj.get("kind"), namespace if isinstance(namespace, str) else "", name)
    return join_key(*(str(word) for word in words))


def join_key(*words: str) -> bytes:
    """Joins words to a key."""
    return "\0".join(words).encode("utf-8", "surrogatepass")


def serialize(obj: Any) -> bytes:
    """Serialises an object."""
    return json.dumps(obj, separators=(",", ":"), ensure_ascii=False).encode(errors="replace")
