"""Joins objects that belong together: the order of the events of an object, and records that meet in files."""

from __future__ import annotations

import hashlib
import importlib
import json
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import datetime, timezone
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from validation_gen.commands.distributed.opening import OpeningError, find_file_system, is_url, open_source

#: Position in the input: the number of a partition, and that in it.
EventPosition = tuple[int, int]
#: Payload of an event.
Body = tuple[bytes, bytes, bytes]

#: Makes a temporary SQLite file fast: no data has to survive a crash.
TUNED = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA cache_size = -32768;
"""
_TABLES = """
CREATE TABLE events (
    id INTEGER PRIMARY KEY, object BLOB, scope BLOB, uid BLOB, version BLOB, rank INT, time BLOB, received BLOB,
    partition INT, number INT, head BLOB, first BLOB, second BLOB
);
CREATE TABLE ranks (id INTEGER PRIMARY KEY, life INT, version BLOB, bare INT);
CREATE TABLE sweeps (scope BLOB, time BLOB, received BLOB, partition INT, number INT);
CREATE INDEX by_time ON sweeps (scope, time, received, partition, number);
BEGIN;
"""
_PUT = "INSERT INTO events VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_IN_ORDER = """
SELECT e.object, e.scope, e.time, e.received, e.partition, e.number, e.head, e.first, e.second
FROM events e CROSS JOIN ranks r ON r.id = e.id
ORDER BY e.object, r.life, r.version, r.bare, CASE r.bare WHEN 0 THEN e.rank ELSE 0 END, e.time, e.received,
    e.partition, e.number
"""
#: Queries for bulk events with a time, and for those ordered by their position.
_BY_TIME = """
SELECT 1 FROM sweeps WHERE scope = ? AND time > x''
    AND (time, received, partition, number) > (?, ?, ?, ?) AND (time, received, partition, number) < (?, ?, ?, ?)
LIMIT 1
"""
_BY_PLACE = """
SELECT 1 FROM sweeps WHERE scope = ? AND time = x'' AND (partition, number) > (?, ?) AND (partition, number) < (?, ?)
LIMIT 1
"""
_VERSION = re.compile(r"[1-9][0-9]{0,38}", re.ASCII)
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?([Zz]|[+-]\d\d:\d\d)", re.ASCII)


class Moment(NamedTuple):
    """Time of an event, with `b""` for each missing attribute.

    Attributes:
        uid: life of the object.
        version: the version of the object, as `encode_version` writes it.
        rank: order of events with the same version, the least first.
        time: end of the event, as `encode_time` writes it.
        received: its beginning.
    """

    uid: bytes = b""
    version: bytes = b""
    rank: int = 0
    time: bytes = b""
    received: bytes = b""


class ObjectEvent(NamedTuple):
    """An event of an object.

    Attributes:
        object: key of the object, `b""` for an event without one.
        scope: the group that the object belongs to.
        mark: its position among all events of the scope.
        is_late: True if an earlier event follows it in the input.
        body: payload of the event.
    """

    object: bytes
    scope: bytes
    mark: Mark
    is_late: bool
    body: Body


class Mark(NamedTuple):
    """End of an event, and its position in the input."""

    time: bytes
    received: bytes
    partition: int
    number: int


def encode_version(text: object) -> bytes:
    """Returns a decimal version as bytes that sort as the numbers do; `b""` for any other version."""
    if isinstance(text, str) and _VERSION.fullmatch(text):
        return b"%02d%b" % (len(text), text.encode())
    return b""


def encode_time(text: object) -> bytes:
    """Returns a time of RFC 3339 as bytes that sort as times do; `b""` for anything else."""
    found = _TIME.fullmatch(text) if isinstance(text, str) and len(text) < 50 else None
    if found is None:
        return b""
    day, clock, fraction, zone = found.groups()
    whole = f"{day}T{clock}"
    if zone not in ("Z", "z"):
        try:
            whole = datetime.fromisoformat(f"{whole}{zone}").astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
        except (ValueError, OverflowError):
            return b""
    return f"{whole}.{(fraction or '').ljust(9, '0')}".encode()


class Ordering:
    """Takes events of objects, and returns them in order.

    Args:
        file: a file for this instance alone, which the caller deletes.
    """

    def __init__(self, file: str) -> None:
        self._database = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        self._database.executescript(TUNED + _TABLES)
        self._is_timeless = self._has_sweeps = False
        #: Number of events of objects.
        self.count = 0

    def put(self, object: bytes, scope: bytes, moment: Moment, place: EventPosition, body: Body) -> None:
        """Adds an event of one object."""
        self._is_timeless |= not moment.time
        self.count += 1
        self._database.execute(_PUT, (object, scope, *moment, *place, *body))

    def apply_bulk_event(self, scope: bytes, moment: Moment, place: EventPosition) -> None:
        """Adds an event of all objects in a scope. Without a time, its position in the input decides."""
        self._has_sweeps = True
        self._database.execute(
            "INSERT INTO sweeps VALUES (?, ?, ?, ?, ?)", (scope, moment.time, moment.received, *place)
        )

    def is_covered_by_bulk_delete(self, scope: bytes, since: Mark | None, until: Mark) -> bool:
        """Returns whether a bulk event of a scope lies between two events, or before one."""
        if not self._has_sweeps:
            return False
        after = since or Mark(b"", b"", -1, -1)
        queries = (_BY_TIME, (scope, *after, *until)), (_BY_PLACE, (scope, *after[2:], *until[2:]))
        return any(self._database.execute(*query).fetchone() for query in queries)

    def __iter__(self) -> Iterator[ObjectEvent]:
        """Yields all events, object by object and in order."""
        if self._is_timeless:
            self._fill_times()
        self._database.execute("DELETE FROM ranks")
        self._database.executemany("INSERT INTO ranks VALUES (?, ?, ?, ?)", self._ranks())
        last: tuple[bytes, EventPosition] = (b"", (0, 0))
        for object, scope, time, received, partition, number, *body in self._database.execute(_IN_ORDER):
            place = partition, number
            is_late = last[0] == object != b"" and last[1] > place
            last = object, place
            yield ObjectEvent(
                object, scope, Mark(time, received, partition, number), is_late, (body[0], body[1], body[2])
            )

    def close(self) -> None:
        with suppress(sqlite3.Error):
            self._database.close()

    def _fill_times(self) -> None:
        """Sets the time of events without one to the time of the latest earlier event of the same object."""

        def filled() -> Iterator[tuple[bytes, int]]:
            last, latest = b"", b""
            rows = self._database.execute("SELECT id, object, time FROM events ORDER BY object, partition, number")
            for id, object, time in rows:
                if object != last:
                    last, latest = object, b""
                latest = max(latest, time)
                if not time and latest:
                    yield latest, id

        self._database.executemany("UPDATE events SET time = ? WHERE id = ?", filled())
        self._is_timeless = False

    def _ranks(self) -> Iterator[tuple[int, int, bytes, int]]:
        """Yields the life and version of each event, and whether the version is inherited."""
        last = b""
        lives: dict[bytes, int] = {}
        versions: dict[int, bytes] = {}
        rows = self._database.execute(
            "SELECT id, object, uid, version FROM events ORDER BY object, time, received, partition, number"
        )
        for id, object, uid, version in rows:
            if object != last:
                last, lives, versions = object, {}, {}
            life = lives.setdefault(uid, len(lives) + 1) if uid else len(lives)
            if not version:
                yield id, life, versions.get(life, b""), 1
                continue
            versions[life] = max(versions.get(life, b""), version)
            yield id, life, version, 0


MOST_BUCKETS = 128
#: Bytes of input for one bucket.
USUAL = 64 << 20


def buckets_for(weight: int, size: int = USUAL) -> int:
    """Returns the number of buckets for a size of the input."""
    return max(1, min(MOST_BUCKETS, -(-weight // size)))


def find_bucket(key: bytes, buckets: int) -> int:
    """Returns the bucket of a key, the same on all machines."""
    return int.from_bytes(hashlib.blake2b(key, digest_size=8).digest(), "big") % buckets


class Spill(ExitStack):
    """Takes the records of one partition. Use it in a `with` block."""

    def __init__(self, buckets: int, directory: str) -> None:
        """Creates empty buckets. Temporary files are in the directory if it is local; its creator removes it."""
        super().__init__()
        self._where = None if is_url(directory) else directory
        self._files: list[IO[bytes] | None] = [None] * buckets

    def put(self, bucket: int, record: list[Any]) -> None:
        file = self._files[bucket]
        if file is None:
            file = self._files[bucket] = cast("IO[bytes]", tempfile.TemporaryFile(dir=self._where))  # noqa: SIM115 - closed at the end
            self.enter_context(file)
        file.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")

    def write(self, url: str) -> list[int]:
        """Writes all records to one file, and returns the end of each bucket in it.

        Raises:
            OpeningError, OSError: it cannot be written.
        """
        ends: list[int] = []
        if is_url(url):
            with writing(url) as target:
                self._copy(target, ends)
            return ends
        with tempfile.NamedTemporaryFile(dir=Path(url).parent, delete=False) as target:
            try:
                self._copy(cast("IO[bytes]", target), ends)
            except BaseException:
                Path(target.name).unlink()
                raise
        Path(target.name).replace(url)
        return ends

    def _copy(self, target: IO[bytes], ends: list[int]) -> None:
        end = 0
        for file in self._files:
            if file is not None:
                end += file.tell()
                file.seek(0)
                shutil.copyfileobj(file, target)
            ends.append(end)


@contextmanager
def writing(url: str) -> Iterator[IO[bytes]]:
    """Opens an object of a store for writing.

    Raises:
        OpeningError: it cannot be written.
    """
    try:
        with cast("IO[bytes]", importlib.import_module("fsspec").open(url, "wb").open()) as target:
            yield target
    except Exception as error:  # each store has its own exceptions
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise OpeningError(f"cannot write: {reason}", "name another place with --spill") from None


def is_there(url: str, size: int) -> bool:
    """Returns whether a file is complete."""
    try:
        if not is_url(url):
            return Path(url).stat().st_size == size
        system, path = find_file_system(url)
        return bool(system.info(path)["size"] == size)
    except Exception:  # each store has its own exceptions
        return False


def records(url: str, begin: int, end: int) -> Iterator[list[Any]]:
    """Yields the records of a bucket, which is a range of a file.

    Raises:
        OpeningError, OSError: they cannot be read.
    """
    if begin == end:
        return
    with closing(open_source(url)) as stream:
        stream.seek(begin)
        left = end - begin
        while left > 0:
            line = stream.readline()
            if not line.endswith(b"\n"):
                raise OSError("what the first pass has written ends too early")
            left -= len(line)
            yield json.loads(line)
