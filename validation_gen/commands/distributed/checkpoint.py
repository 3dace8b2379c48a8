"""Checkpoints of finished work in a store, so that a restarted run resumes from there.

A checkpoint never replaces a file of another kind. One file, at a path or a URL, has the identity of the work, the
finished partitions, and their merged outcome, so that it grows by a few numbers a partition. It is written as a whole,
beside the old one where a store needs it. A checkpoint that is read is not trusted: its checksum, its form and all
inputs of the outcome are checked.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sys
import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from validation_gen.commands.distributed.codec import decode, encode
from validation_gen.commands.distributed.opening import OpeningError, find_file_system, find_protocols, is_url
from validation_gen.commands.distributed.partitions import Mergeable, Part, Partition
from validation_gen.commands.distributed.worker import own_version
from validation_gen.diagnostics.visible import redact
from validation_gen.emit.output import remove_file, replace_file
from validation_gen.files import reading

_FORMAT = "validation-gen partitions 3"
_SHARE = 20  # a write takes at most this fraction of the time ...
_SELDOM = 0.5  # ... and is not repeated within this many seconds

Results = TypeVar("Results", bound=Mergeable)


class CheckpointError(Exception):
    """A file is no state, is damaged, or belongs to other work. The text is the reason."""


class Beside(Protocol):
    """A dataclass with data of a command, which a checkpoint stores beside the results."""

    def check(self, partitions: Iterable[Partition], units: Collection[int]) -> None:
        """Checks data that was read.

        Raises:
            ValueError: it does not belong to these partitions and units.
        """


class Checkpoint(Generic[Results]):
    """Checkpoint of some partitions.

    Args:
        where: the path or URL of the state.
        identity: all inputs of the outcome beside the partitions: a text for each, by its name in messages.
        partitions: all of them.
        outcome: the type of the outcome.
        units: the numbers of the units of work, by default those of the partitions.
        beside: data of the command.

    Attributes:
        numbers: the finished units.
        unsaved: the reason why the state is no longer written.
    """

    def __init__(
        self,
        where: str,
        identity: Mapping[str, str],
        partitions: Iterable[Partition],
        outcome: Any,
        units: Iterable[int] | None = None,
        beside: Beside | None = None,
    ) -> None:
        self._where = where
        self._partitions = [replace(each, url=redact(each.url)) for each in partitions]
        sources = {each.url: [each.url, each.size, each.version] for each in self._partitions}
        self._work: dict[str, Any] = {
            "identity": dict(identity),
            "partitions": compute_digest([encode(each) for each in self._partitions]),
            "sources": list(sources.values()),
        }
        self._outcome = outcome
        self._units = {each.number for each in self._partitions} if units is None else set(units)
        self._part: Part[Results] | None = None
        self._pending: list[str] = []
        self._next = 0.0
        self.numbers: set[int] = set()
        self.beside = beside
        self.unsaved: OSError | None = None

    @property
    def is_complete(self) -> bool:
        """True if all units are finished."""
        return self.numbers == self._units

    def read(self) -> Part[Results] | None:
        """Reads the outcome of the finished units, `None` if there are none. `numbers` lists them.

        Raises:
            CheckpointError: the file is no state, or belongs to other work.
            OSError: it cannot be read.
        """
        text = _read(self._where)
        if text is None:
            return None
        data = _check(text)
        self._check_work(data)
        try:
            numbers = {int(number) for number in data["done"]}
            part = None if data["part"] is None else self._read_part(data["part"])
            beside = None if self.beside is None else decode(type(self.beside), data["beside"])
            if beside is not None:
                beside.check(self._partitions, self._units)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
            raise CheckpointError("it is damaged: its contents cannot be read") from None
        if not numbers <= self._units or sorted(numbers) != data["done"] or (part is None) != (not numbers):
            raise CheckpointError("it is damaged: its parts do not belong together")
        self.numbers, self._part, self.beside = numbers, part, beside
        return None if part is None else self._read_part(json.loads(json.dumps(data["part"])))

    def add(self, number: int, part: Part[Results]) -> None:
        """Adds the outcome of a unit, and writes now and then."""
        self.numbers.add(number)
        self._pending.append(json.dumps(encode(part, self._outcome)))  # merging uses up the part
        self.save_sometimes()

    def drop(self) -> None:
        """Drops the finished units: they have to run again."""
        self.numbers, self._part, self._pending = set(), None, []

    def save_sometimes(self) -> None:
        """Writes if the last write was a while ago."""
        if time.monotonic() >= self._next:
            self.save()

    def save(self) -> None:
        """Writes the checkpoint. If that fails, the work continues without one."""
        if self.unsaved is None:
            try:
                self.write()
            except OSError as error:
                self.unsaved = error

    def write(self) -> None:
        """Replaces the state at once.

        Raises:
            OSError: it cannot be written.
        """
        begun = time.monotonic()
        for text in self._pending:
            part = self._read_part(json.loads(text))
            if self._part is None:
                self._part = part
            else:
                self._part.merge(part)
        self._pending = []
        body = json.dumps(
            {
                **self._work,
                "beside": None if self.beside is None else encode(self.beside),
                "done": sorted(self.numbers),
                "part": None if self._part is None else encode(self._part, self._outcome),
            }
        )
        _write(self._where, json.dumps({"format": _FORMAT, "sha256": _digest(body), "body": body}).encode())
        now = time.monotonic()
        self._next = now + max(_SELDOM, _SHARE * (now - begun))

    def remove(self) -> None:
        """Removes the state: finished work needs no checkpoint."""
        with contextlib.suppress(OSError):
            _remove(self._where)

    def _read_part(self, data: dict[str, Any]) -> Part[Results]:
        part: Part[Results] = decode(self._outcome, data)
        # Our data equals its own rendering. Other data was not written by us.
        if json.dumps(encode(part, self._outcome), sort_keys=True) != json.dumps(data, sort_keys=True):
            raise ValueError("it is not in our form")
        return part

    def _check_work(self, data: dict[str, Any]) -> None:
        try:
            identity, digest, sources = dict(data["identity"]), str(data["partitions"]), list(data["sources"])
            for name, text in self._work["identity"].items():
                if identity[name] != text:
                    raise CheckpointError(f"it holds the state of other work: {name} differ")
            if digest != self._work["partitions"]:
                own = self._work["sources"]
                changed = next((each for each in own if each not in sources), None)
                changed = changed or next((each for each in sources if each not in own), None)
                what = f"{changed[0]} is another one" if changed else "its partitions are of another size"
                raise CheckpointError(f"it holds the state of other work: {what}")
        except (ValueError, KeyError, TypeError, IndexError):
            raise CheckpointError("it is damaged: it does not say for which work it is") from None


def build_identity(rules: Any, settings: Any) -> dict[str, str]:
    """Returns the inputs of an outcome beside the partitions, by their names in messages."""
    return {
        "versions of validation-gen": own_version(),
        "versions of Python": ".".join(map(str, sys.version_info[:2])),
        "rules": compute_digest(rules),
        "settings": compute_digest(settings),
    }


def compute_digest(data: Any) -> str:
    """Returns a hash of the data."""
    return _digest(json.dumps(data, sort_keys=True, default=str))


def _check(text: bytes) -> dict[str, Any]:
    try:
        outer = json.loads(text)
        if outer["format"] != _FORMAT:
            raise KeyError
        body = str(outer["body"])
        is_whole = outer["sha256"] == _digest(body)
        data = json.loads(body) if is_whole else {}
    except (ValueError, KeyError, TypeError, RecursionError):
        raise CheckpointError("it does not hold the state of work on a cluster") from None
    if not is_whole or not isinstance(data, dict):
        raise CheckpointError("it is damaged: its checksum is another one")
    return data


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


# --- the store --------------------------------------------------------------------------------------------------------


def _read(where: str) -> bytes | None:
    if not is_url(where):
        try:
            return reading.read(where, reading.MOST_OF_DATA)
        except FileNotFoundError:
            return None
        except ValueError as error:  # too large
            raise CheckpointError(str(error)) from None
    with _as_os_error(where):
        system, path = find_file_system(where)
        try:
            with system.open(path, "rb") as stream:  # some stores refuse a range that goes beyond the end
                found = stream.read(reading.MOST_OF_DATA + 1)
        except FileNotFoundError:
            return None
    if len(found) > reading.MOST_OF_DATA:
        raise CheckpointError("it is too large for a state")
    return bytes(found)


def _write(where: str, data: bytes) -> None:
    if not is_url(where):
        replace_file(Path(where), data)
        return
    with _as_os_error(where):
        system, path = find_file_system(where)
        if "file" in find_protocols(system):
            replace_file(Path(path), data)
        else:
            system.pipe_file(path, data)  # stores show an object when it is complete


def _remove(where: str) -> None:
    if not is_url(where):
        remove_file(Path(where))
        return
    with _as_os_error(where):
        system, path = find_file_system(where)
        system.rm_file(path)


@contextlib.contextmanager
def _as_os_error(where: str) -> Any:
    """Returns an exception of any store as OSError."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), where) from None
    except OpeningError as error:
        raise OSError(0, str(error), where) from None
    except Exception as error:
        raise OSError(0, str(error) or type(error).__name__, where) from None
