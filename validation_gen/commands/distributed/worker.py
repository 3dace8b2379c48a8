"""Batches, and the entry points of a worker process, which prepares a batch once, and runs it on chunk after chunk.

A batch and its outcomes are bytes, JSON in both directions. Every error becomes an answer: an exception would go
through pickle. Chunks run one at a time, since handwritten code need not be thread-safe.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any, ClassVar

from validation_gen.commands.distributed.codec import decode, encode
from validation_gen.commands.distributed.opening import PAUSES, OpeningError
from validation_gen.diagnostics.visible import redact

_lock = threading.Lock()


class Batch:
    """Work on the chunks of an input. A subclass is a dataclass, whose fields are all inputs of the work.

    A batch goes to other processes as data (`codec`), as do chunks and outcomes. Each process prepares a batch once,
    and then runs it on chunks. Outcomes merge in any order.
    """

    __slots__ = ()

    #: The types of a chunk and of an outcome, for engines that send data.
    CHUNK: ClassVar[Any]
    OUTCOME: ClassVar[Any]

    #: The fields that hold rules. A checkpoint tells changed rules from changed settings.
    RULES: ClassVar[frozenset[str]] = frozenset()

    def prepare(self, stack: ExitStack) -> Callable[..., Any]:
        """Returns the function that runs a chunk. The stack releases its resources.

        Raises:
            RefusedError: this process cannot run it.
        """
        raise NotImplementedError

    def identity(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Returns the inputs that determine the outcome: the rules, and the rest, without import paths."""
        data = encode(self)
        data.pop("directories", None)
        return {name: data.pop(name) for name in sorted(self.RULES & data.keys())}, data


class RefusedError(Exception):
    """A batch cannot run here, on any partition. The text is the reason, `help` the next step."""

    def __init__(self, reason: str, help: str = "") -> None:
        super().__init__(reason)
        self.help = help


class PartitionError(Exception):
    """A partition cannot be read, and a retry is useless."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A worker's answer to a chunk: an outcome as data; or the reason for a failure; or a refusal of all work."""

    outcome: Any = None
    problem: str = ""
    refused: str = ""
    help: str = ""


class _Ready:
    """The last prepared batch of this process."""

    key = ""
    batch = Batch()
    ended = ""  #: the key of work whose results are no longer needed
    run: Any = None
    stack = ExitStack()


def pack(batch: Batch) -> bytes:
    """Returns a batch as bytes, with its hash, our version and the version of Python."""
    body = json.dumps(encode(batch), separators=(",", ":"))
    head = {"version": own_version(), "python": list(sys.version_info[:2]), "hash": _hash(body)}
    return json.dumps({**head, "batch": [type(batch).__module__, type(batch).__qualname__], "body": body}).encode()


def unpack(packed: bytes) -> Batch:
    """Restores a batch from `pack`.

    Raises:
        RefusedError: the batch comes from another version, or is malformed.
    """
    head = json.loads(packed)
    body = _check(head)
    module, name = head["batch"]
    found = getattr(importlib.import_module(module), name, None) if module.startswith("validation_gen.") else None
    if not isinstance(found, type) or not issubclass(found, Batch):
        raise RefusedError(f"{module}.{name} is no batch")
    return decode(found, body)


def work(packed: bytes, chunk: dict[str, Any]) -> bytes:
    """Returns the answer to a chunk of a packed batch. Failures that may pass are retried after a pause."""
    for pause in (*PAUSES, None):
        answer, may_pass = _answer(packed, chunk)
        if pause is None or not may_pass:
            break
        time.sleep(pause)
    return json.dumps(encode(answer)).encode()


@contextmanager
def ready(packed: bytes) -> Iterator[Any]:
    """Yields the function of a packed batch that runs a chunk in this process, to one caller at a time.

    Raises:
        RefusedError: it cannot be prepared here.
    """
    with _lock:
        run = _ready(packed)
        try:
            yield run
        finally:
            _release_ended()


def pass_through(packed: bytes) -> bytes:
    """Returns its argument: a task of the scheduler with a batch as result, which it sends to each worker once."""
    return packed


def make_key(packed: bytes) -> str:
    """Returns the key that identifies a packed batch."""
    return _hash(packed.decode())


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


def _answer(packed: bytes, chunk: dict[str, Any]) -> tuple[Answer, bool]:
    """Returns the answer to a chunk, and whether a retry may give a better one."""
    may_pass = False
    try:
        with ready(packed) as run:
            batch = _Ready.batch
            return Answer(encode(run(decode(batch.CHUNK, chunk)), batch.OUTCOME)), False
    except RefusedError as error:
        return Answer(refused=str(error), help=error.help), False
    except PartitionError as error:
        problem = str(error)
    except OpeningError as error:
        problem, may_pass = str(error) if error.again else f"{error}: {error.help}", error.again
    except OSError as error:
        problem, may_pass = f"cannot read on: {error.strerror or error}", True
    except sqlite3.Error as error:
        problem, may_pass = f"cannot keep objects in a temporary file: {error}", True
    except Exception as error:  # a defect in our code or in user code must not end other partitions
        problem = f"{type(error).__name__}: {error}"
    return Answer(problem=redact(problem)), may_pass  # messages of stores contain URLs


def _ready(packed: bytes) -> Any:
    key = make_key(packed)
    if _Ready.key != key:
        _release()
        _Ready.batch = unpack(packed)
        with ExitStack() as stack:
            _Ready.run = _Ready.batch.prepare(stack)
            _Ready.stack = stack.pop_all()
        _Ready.key, _Ready.ended = key, ""
    return _Ready.run


def _check(common: dict[str, Any]) -> Any:
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
    return json.loads(common["body"])


def _release_ended() -> None:
    if _Ready.key and not is_wanted():
        _release()


def _release() -> None:
    _Ready.key, _Ready.run = "", None
    _Ready.stack.close()
    _Ready.stack = ExitStack()


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
