"""One run from the first request to the finished results: adds up, saves checkpoints, shrinks examples.

A checkpoint lets an interrupted comparison resume. Rate and remaining time are estimated for the caller, who prints
them.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from validation_gen.commands.compare.grouping import quote
from validation_gen.commands.compare.groups import Group, Order
from validation_gen.commands.compare.inputs import Item
from validation_gen.commands.compare.judge import Judge
from validation_gen.commands.compare.portions import Job, Last, Portion, compare
from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.results import Results
from validation_gen.commands.distributed.checkpoint import CheckpointError
from validation_gen.commands.distributed.engines import EngineError, Interruption, WorkerDiedError
from validation_gen.commands.edgecases import shrink
from validation_gen.diagnostics.visible import redact
from validation_gen.emit.output import remove_file, replace_file
from validation_gen.files import reading


@dataclass(slots=True)
class State:
    """The number of finished items, and their results.

    `fingerprint` identifies all inputs that results depend on; results of another comparison are not resumed.
    """

    fingerprint: str
    items: int
    results: Results

    def write(self, file: str) -> None:
        """Replaces the file atomically, so that an interruption leaves the old one or the new one.

        Raises:
            OSError: it cannot be written.
        """
        data = {"fingerprint": self.fingerprint, "items": self.items, "results": self.results.as_data()}
        replace_file(Path(file), json.dumps(data, default=repr).encode())

    @classmethod
    def read(cls, file: str, fingerprint: str) -> State | None:
        """Reads the state in a file, `None` when there is no such file.

        Raises:
            OSError: it cannot be read.
            CheckpointError: it is no state, or that of another comparison.
        """
        if not os.path.exists(file):  # noqa: PTH110 - unlike Path.exists, it never raises
            return None
        try:
            data = json.loads(reading.read(file, reading.MOST_OF_DATA))
            if data["fingerprint"] == fingerprint:
                return cls(fingerprint, int(data["items"]), Results.of_data(data["results"]))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise CheckpointError("it does not hold the state of a comparison") from None
        raise CheckpointError("it holds the state of another comparison: other rules, objects or settings")


_WINDOW = 15.0  # seconds over which the rate is measured: it changes with the objects, and with the number of processes


@dataclass(frozen=True, slots=True)
class ProgressState:
    """Progress of a comparison.

    Attributes:
        compared: the number of requests so far, and `mismatches` the number of mismatches in them.
        rate: items a second.
        share: the finished part, from 0 to 1; `None` if the end is not known.
        left: the remaining seconds, `None` if unknown.
        examples: the number of groups whose examples are shrunk, at the end.
        parts: the numbers of finished and of all partitions; 0 without a cluster.
        dashboard: URL of the cluster's dashboard, `""` if there is none.
    """

    compared: int = 0
    mismatches: int = 0
    rate: float = 0.0
    share: float | None = None
    left: float | None = None
    examples: int = 0
    parts: tuple[int, int] = (0, 0)
    dashboard: str = ""


#: Callback that receives the progress of a comparison, some times a second.
Tell = Callable[[ProgressState], None]


class ProgressMeter:
    """Meters the items of a run. `clock` returns seconds since any moment."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: deque[tuple[float, int]] = deque()

    def measure(self, items: int, results: Results, whole: float | None) -> ProgressState:
        """Returns the progress after some items, of a total that may be unknown."""
        now = self._clock()
        self._seen.append((now, items))
        while len(self._seen) > 2 and now - self._seen[0][0] > _WINDOW:
            self._seen.popleft()
        begun, before = self._seen[0]
        rate = (items - before) / (now - begun) if now > begun else 0.0
        if not whole:
            return ProgressState(results.compared, results.mismatches, rate)
        left = max(0.0, whole - items) / rate if rate else None
        return ProgressState(results.compared, results.mismatches, rate, min(1.0, items / whole), left)


_SAVED_EVERY = 10.0  # seconds
_TOLD_EVERY = 0.2  # seconds
_MOST_SHRUNK = 100  # examples to shrink, ...
_QUESTIONS = 1000  # ... calls of both sides for each, ...
_MOST_QUESTIONS = 20_000  # ... calls for all together, ...
_MOST_SECONDS = 10.0  # ... and seconds, as some sides are slow


class BadInputError(Exception):
    """An input could not be compared, and the run is strict. The text names it."""


@dataclass(slots=True)
class Run:
    """A comparison that is under way.

    Attributes:
        jobs: the number of processes.
        strict: True if the first input that cannot be compared ends the run.
        state: the file with the checkpoint, `""` for none.
        fingerprint: hash of all inputs that the results depend on.
        tell: called with the progress, some times a second.
        items: the number of items in the results so far.
        failure: the exception that ended the run early, beside interruptions.
        unsaved: the reason why the checkpoint is no longer written.
    """

    job: Job
    jobs: int = 1
    strict: bool = False
    state: str = ""
    fingerprint: str = ""
    tell: Callable[[Run, Last], None] = lambda run, last: None
    interruption: Interruption = field(default_factory=Interruption)
    results: Results = field(default_factory=Results)
    items: int = 0
    failure: BadInputError | WorkerDiedError | EngineError | None = None
    unsaved: OSError | None = None
    _stack: ExitStack = field(default_factory=ExitStack)
    _judge: Judge | None = None
    _begun: float = field(default_factory=time.monotonic)

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *error: object) -> None:
        with self.interruption.held():
            self._stack.close()

    def judge(self) -> Judge:
        """Returns the judge of this process, built on the first call."""
        if self._judge is None:
            self._judge = self.job.judge(self._stack)
        return self._judge

    def resume(self) -> int:
        """Restores the saved state, if there is one. Returns the number of finished items.

        Raises:
            OSError: the state cannot be read.
            CheckpointError: the file is no state, or belongs to another comparison.
        """
        saved = State.read(self.state, self.fingerprint) if self.state else None
        if saved is not None:
            self.items, self.results = saved.items, saved.results
            self.results.interrupted = False
            self._begun -= saved.results.seconds
        return self.items

    def add(self, items: Iterable[Item | Request], begin: Order | None = None) -> None:
        """Compares all items. An interruption or a failure ends it; results so far are kept, and saved.

        `begin` is the position of the first of them, by default after the finished ones.

        Raises:
            OSError: the state cannot be written at all.
        """
        if self.state:
            self._save()  # reports an unwritable file before the work starts
        begin = (0, self.items) if begin is None else begin
        self.take(compare(self.job, items, self.jobs, self.judge(), self.interruption, begin))

    def take(self, portions: Generator[Portion, None, None]) -> None:
        """Adds portions from any source as they arrive; see `add` for interruptions and failures."""
        self.interruption.rescue = self._save_again
        saved = text = time.monotonic()
        try:
            for portion in portions:
                with self.interruption.held():
                    self.results.merge(portion.results)
                    self.items += portion.items
                    if self.strict and portion.results.bad:
                        raise BadInputError(portion.results.notes[0])
                    now = time.monotonic()
                    if now - text > _TOLD_EVERY:
                        text = now
                        self.tell(self, portion.last)
                    if self.state and now - saved > _SAVED_EVERY:
                        saved = now
                        self._save_again()
                self.interruption.check()
        except KeyboardInterrupt:
            self.results.interrupted = True
        except (BadInputError, WorkerDiedError, EngineError) as failure:
            self.failure = failure
            self.results.interrupted = True
        self.interruption.noticed()
        with self.interruption.held():
            portions.close()
            self.results.seconds = time.monotonic() - self._begun
            self._save_again()

    def _save(self) -> None:
        self.results.seconds = time.monotonic() - self._begun
        State(self.fingerprint, self.items, self.results).write(self.state)

    def _save_again(self) -> None:
        """Saves the state. If that fails, the work continues."""
        if self.state:
            try:
                self._save()
            except OSError as error:
                self.unsaved, self.state = error, ""

    # --- the end ------------------------------------------------------------------------------------------------------

    def finish(self, tell: Tell = lambda text: None) -> Results:
        """Completes the results: every declared rule, small examples, the lines of the source to blame."""
        results = self.results
        with self.interruption.held():
            self._complete()
        if not results.interrupted:
            try:
                self._make_all_small(tell)
            except KeyboardInterrupt:
                results.interrupted = True
        with self.interruption.held():
            for group in results.groups.values():
                quote(group, self.job.declarations)
            if self.state and not results.interrupted:
                # A finished comparison needs no checkpoint.
                with contextlib.suppress(OSError):
                    remove_file(Path(self.state))
        return results

    def _complete(self) -> None:
        results = self.results
        compared = {kind for kind, _ in results.tallies}
        counts = {rule.key: rule.count for rule in results.rules}
        results.rules = [
            replace(rule, count=counts.get(rule.key, 0))
            for rule in sorted(self.job.declarations.all_rules)
            if rule.kind in compared
        ]
        results.merge_operations()
        if results.ungrouped:
            results.notes.append(
                f"{results.ungrouped} mismatches are of further sorts: they count, and are not shown one by one"
            )

    def _make_all_small(self, tell: Tell) -> None:
        groups = [*self.results.unexpected(), *self.results.expected()][:_MOST_SHRUNK]
        left = _MOST_QUESTIONS
        deadline = time.monotonic() + _MOST_SECONDS
        for group in groups:
            self.interruption.check()
            if left <= 0 or time.monotonic() > deadline:
                return
            tell(ProgressState(self.results.compared, self.results.mismatches, examples=len(groups)))
            left -= self._make_small(group, min(left, _QUESTIONS), deadline)

    def _make_small(self, group: Group, most: int, deadline: float) -> int:
        """Shrinks the example to the parts that the mismatch needs. Returns the number of calls of the sides."""
        judge = self.judge()
        asked = 0

        def mismatch(request: Request) -> Group | None:
            nonlocal asked
            asked += 1
            found = judge.judge([request])
            self.interruption.check()
            found.merge_operations()
            return next((each for each in found.groups.values() if _is_same(each, group)), None)

        request = group.example.to_request()
        first = mismatch(request)
        if first is None:
            return asked  # the handwritten side is not deterministic

        def is_as_good(smaller: Request) -> bool:
            """Returns whether a smaller request shows the mismatch without new errors, which would distract."""
            if time.monotonic() > deadline:
                return False
            found = mismatch(smaller)
            return found is not None and _errors(found) <= _errors(first)

        found = mismatch(shrink(request, is_as_good, most=most))
        if found is not None:
            group.example = found.example
        return asked


def _errors(group: Group) -> int:
    return len(group.example.handwritten) + len(group.example.declarative)


def _is_same(one: Group, other: Group) -> bool:
    return replace(one.sort, operation="") == replace(other.sort, operation="") and one.expected == other.expected


def fingerprint(job: Job, where: Iterable[str], about: Mapping[str, str]) -> str:
    """Returns a hash of all inputs that results depend on, except the contents of object files."""
    parts = [
        dict(job.files),
        redact(str(job.handwritten)),  # a re-signed link is the same
        asdict(job.manner),
        [asdict(entry) for entry in job.expected],
        list(where),
        dict(about),
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()
