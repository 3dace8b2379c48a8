"""Entry points of a worker process: it prepares a task once, and runs it on one partition after the other.

Arguments and results are bytes, JSON in both directions. Every error becomes an answer: an exception would go through
pickle. Partitions run one at a time, since handwritten code need not be thread-safe.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from validation_gen.commands.corpora.opening import OpeningError
from validation_gen.diagnostics.visible import redact

_lock = threading.Lock()


class RefusedError(Exception):
    """A task cannot run here, on any partition. The text is the reason, `help` the next step."""

    def __init__(self, reason: str, help: str = "") -> None:
        super().__init__(reason)
        self.help = help


class PartitionError(Exception):
    """A partition cannot be read, and a retry is useless."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A worker's answer for a partition: an outcome; or the reason for a failure; or a refusal of all work."""

    data: dict[str, Any]

    @classmethod
    def of(cls, packed: bytes) -> Answer:
        return cls(json.loads(packed))

    @property
    def part(self) -> dict[str, Any] | None:
        return self.data.get("part")

    @property
    def problem(self) -> str:
        return str(self.data.get("problem", ""))

    @property
    def again(self) -> bool:
        """True if a retry may help."""
        return bool(self.data.get("again"))

    @property
    def refused(self) -> str:
        return str(self.data.get("refused", ""))

    @property
    def help(self) -> str:
        return str(self.data.get("help", ""))


class _Ready:
    """The last prepared task of this process."""

    key = ""
    ended = ""  #: the key of work whose results are no longer needed
    run: Any = None
    stack = ExitStack()


def packed(common: dict[str, Any]) -> bytes:
    """Returns the common data of all partitions, with its hash, our version and that of Python."""
    body = json.dumps(common, sort_keys=True, separators=(",", ":"))
    head = {"version": own_version(), "python": list(sys.version_info[:2]), "hash": _hash(body)}
    return json.dumps({**head, "body": body}).encode()


def work(task: str, common: bytes, partition: dict[str, Any]) -> bytes:
    """Returns the answer to a partition. `task` is the name of a module of ours."""
    answer = _answer(task, common, partition)
    if "problem" in answer:
        answer["problem"] = redact(answer["problem"])  # messages of stores contain URLs
    return json.dumps(answer).encode()


@contextmanager
def ready(task: str, common: bytes) -> Iterator[Any]:
    """Yields the prepared task of this process, to one caller at a time.

    Raises:
        RefusedError: it cannot be prepared here.
    """
    with _lock:
        run = _ready(task, common)
        try:
            yield run
        finally:
            _release_ended()


def given(packed: bytes) -> bytes:
    """Returns its argument: a task with the common bytes as result, which the scheduler sends to each worker once."""
    return packed


def key_of(task: str, common: bytes) -> str:
    """Returns the key that identifies some work."""
    return f"{task} {_hash(common.decode())}"


def release(key: str) -> None:
    """Releases the resources of some work, such as started programs.

    It does not wait: a running partition is given up at its next portion.
    """
    _Ready.ended = key
    if _lock.acquire(blocking=False):
        try:
            _release_ended()
        finally:
            _lock.release()


def is_wanted() -> bool:
    """Returns whether the results of the running task are still needed."""
    return not _Ready.key or _Ready.ended != _Ready.key


def check_wanted() -> None:
    """Ends a running task early.

    Raises:
        PartitionError: its results are no longer needed.
    """
    if not is_wanted():
        raise PartitionError("nothing waits for its results any more")


def own_version() -> str:
    """Returns our installed version."""
    try:
        return version("validation-gen")
    except PackageNotFoundError:
        return "unknown"


def _answer(task: str, common: bytes, partition: dict[str, Any]) -> dict[str, Any]:
    try:
        with ready(task, common) as run:
            return {"part": run(partition)}
    except RefusedError as error:
        return {"refused": str(error), "help": error.help}
    except PartitionError as error:
        return {"problem": str(error)}
    except OpeningError as error:
        return {"problem": str(error) if error.again else f"{error}: {error.help}", "again": error.again}
    except OSError as error:
        return {"problem": f"cannot read on: {error.strerror or error}", "again": True}
    except sqlite3.Error as error:
        return {"problem": f"cannot keep objects in a temporary file: {error}", "again": True}
    except Exception as error:  # a defect in our code or in user code must not end other partitions
        return {"problem": f"{type(error).__name__}: {error}"}


def _ready(task: str, common: bytes) -> Any:
    key = key_of(task, common)
    if _Ready.key != key:
        _release()
        body = _checked(json.loads(common))
        if not task.startswith("validation_gen."):
            raise RefusedError(f"{task} is no task")
        module = importlib.import_module(task)
        with ExitStack() as stack:
            _Ready.run = module.prepare(body, stack)
            _Ready.stack = stack.pop_all()
        _Ready.key, _Ready.ended = key, ""
    return _Ready.run


def _checked(common: dict[str, Any]) -> dict[str, Any]:
    if common["version"] != own_version():
        raise RefusedError(
            f"a worker has validation-gen {own_version()}, and this is {common['version']}",
            f"install validation-gen {common['version']} on all workers",
        )
    if common["python"] != list(sys.version_info[:2]):
        raise RefusedError(
            f"a worker runs Python {sys.version_info[0]}.{sys.version_info[1]}, and this is "
            f"{'.'.join(map(str, common['python']))}",
            "texts of errors depend on it: run the same on all workers",
        )
    if common["hash"] != _hash(common["body"]):
        raise RefusedError("the rules have not come to a worker as they were sent", "begin again")
    body = json.loads(common["body"])
    assert isinstance(body, dict)
    return body


def _release_ended() -> None:
    if _Ready.key and not is_wanted():
        _release()


def _release() -> None:
    _Ready.key, _Ready.run = "", None
    _Ready.stack.close()
    _Ready.stack = ExitStack()


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
