"""Objects that are kept in a temporary file, so that memory stays flat however many there are.

Nothing has to survive here: the files are written without a journal and are deleted in the end.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import quote

from validation_gen.uses.compare.inputs.decoding import load

_TUNED = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA cache_size = -32768;
"""


class Table:
    """Texts by key and form. A key can be known without any text: then it is known that there is none."""

    def __init__(self, file: str) -> None:
        self._database = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        self._database.executescript(_TUNED)
        self._database.execute("CREATE TABLE texts (key BLOB, form BLOB, text BLOB)")
        self._database.execute("CREATE UNIQUE INDEX by_key ON texts (key, form)")
        self._database.execute("BEGIN")

    def put(self, key: bytes, form: bytes, text: bytes) -> None:
        self._database.execute("INSERT OR REPLACE INTO texts VALUES (?, ?, ?)", (key, form, text))

    def get(self, key: bytes, form: bytes) -> tuple[bool, bytes | None]:
        """Tells whether anything is known of the key, and the text in this form."""
        rows = self._database.execute("SELECT form, text FROM texts WHERE key = ?", (key,)).fetchall()
        return bool(rows), next((text for found, text in rows if found == form), None)

    def forget(self, key: bytes, *, below: bool = False) -> None:
        """Removes the texts of a key, or of all keys that begin with it, and notes that there are none."""
        if below:
            self._database.execute("UPDATE texts SET text = NULL WHERE key >= ? AND key < ?", (key, key + b"\xff"))
        else:
            self._database.execute("DELETE FROM texts WHERE key = ?", (key,))
            self._database.execute("INSERT INTO texts VALUES (?, x'', NULL)", (key,))

    def close(self) -> None:
        with suppress(sqlite3.Error):
            self._database.execute("COMMIT")
        self._database.close()


class Objects:
    """Objects as they were, by apiVersion, kind, namespace and name. One process writes them, then all may read."""

    _opened: dict[tuple[str, int], Objects] = {}  # noqa: RUF012 - shared on purpose

    def __init__(self, database: sqlite3.Connection | None) -> None:
        self._database = database

    @classmethod
    def shared(cls, file: str) -> Objects:
        """The objects of a file that `Table` has written. It stays open in this process."""
        key = file, os.getpid()  # a connection must not be used behind a fork
        if key not in cls._opened:
            uri = f"file:{quote(file)}?mode=ro&immutable=1"
            cls._opened[key] = cls(sqlite3.connect(uri, uri=True, check_same_thread=False))
        return cls._opened[key]

    @classmethod
    def release(cls, file: str) -> None:
        """Closes the file in this process."""
        opened = cls._opened.pop((file, os.getpid()), None)
        if opened and opened._database:
            opened._database.close()

    def get(self, obj: Mapping[str, Any]) -> Any:
        """The object as it was, `None` if nobody knows."""
        text = self.text(identity(obj)) if self._database else None
        return None if text is None else load(text.decode())

    def text(self, key: bytes) -> bytes | None:
        if self._database is None or not key:
            return None
        row = self._database.execute("SELECT text FROM texts WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None


#: For inputs without objects as they were.
NO_OBJECTS = Objects(None)


def identity(obj: Mapping[str, Any]) -> bytes:
    """What makes it the same object elsewhere, `b""` where it has no name."""
    metadata = obj.get("metadata")
    parts = metadata if isinstance(metadata, dict) else {}
    name, namespace = parts.get("name"), parts.get("namespace")
    if not isinstance(name, str) or not name:
        return b""
    words = (obj.get("apiVersion"), obj.get("kind"), namespace if isinstance(namespace, str) else "", name)
    return joined(*(str(word) for word in words))


def joined(*words: str) -> bytes:
    """A key of words."""
    return "\0".join(words).encode("utf-8", "surrogatepass")


def written(obj: Any) -> bytes:
    """An object as text."""
    return json.dumps(obj, separators=(",", ":"), ensure_ascii=False).encode(errors="replace")
