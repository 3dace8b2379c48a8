"""One run from the first request to the finished results: adds up, saves how far it has come, makes examples small."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from validation_gen.boundaries import shrink
from validation_gen.compare.declarations import Declarations
from validation_gen.compare.engine import Job, compare
from validation_gen.compare.inputs import Item
from validation_gen.compare.judge import Judge
from validation_gen.compare.requests import Request
from validation_gen.compare.results import Group, Results
from validation_gen.compare.state import State

_SAVED_EVERY = 10.0  # seconds
_TOLD_EVERY = 0.2  # seconds
_MOST_SHRUNK = 100
_CONTEXT = 2  # lines of the source above and below the one to blame


class BadInputError(Exception):
    """An input could not be compared, and the run is strict. The text says which."""


@dataclass(slots=True)
class Run:
    """A comparison that is under way.

    Attributes:
        job: what is compared with what.
        jobs: the number of processes.
        strict: whether the first input that cannot be compared ends the run.
        state: the file where the state is kept, `""` for none.
        fingerprint: stands for all that the results depend on.
        tell: is told how far the run has come, some times a second.
        results: what was found so far.
    """

    job: Job
    jobs: int = 1
    strict: bool = False
    state: str = ""
    fingerprint: str = ""
    tell: Callable[[Results, Item | Request], None] = lambda results, last: None
    results: Results = field(default_factory=Results)
    items: int = 0
    _stack: ExitStack = field(default_factory=ExitStack)
    _judge: Judge | None = None
    _begun: float = field(default_factory=time.monotonic)

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def judge(self) -> Judge:
        """The judge of this process, made when it is first needed."""
        if self._judge is None:
            self._judge = self.job.judge(self._stack)
        return self._judge

    def resume(self) -> int:
        """Takes over the saved state, if there is one. Returns the number of items that are done.

        Raises:
            OSError: the state cannot be read.
            ValueError: it belongs to another comparison.
        """
        saved = State.read(self.state, self.fingerprint) if self.state else None
        if saved is not None:
            self.items, self.results = saved.items, saved.results
            self.results.interrupted = False
            self._begun -= saved.results.seconds
        return self.items

    def add(self, items: Iterable[Item | Request]) -> None:
        """Compares all items. An interruption from the keyboard ends it; what was found is kept, and saved.

        Raises:
            BadInputError: the run is strict and an input could not be compared.
            OSError: the state cannot be written.
        """
        saved = told = time.monotonic()
        try:
            for portion in compare(self.job, items, self.jobs, self.judge):
                self.results.add(portion.results)
                self.items += portion.items
                if self.strict and portion.results.bad:
                    raise BadInputError(portion.results.notes[0])
                now = time.monotonic()
                if now - told > _TOLD_EVERY:
                    told = now
                    self.tell(self.results, portion.last)
                if self.state and now - saved > _SAVED_EVERY:
                    saved = now
                    self._save()
        except KeyboardInterrupt:
            self.results.interrupted = True
        self.results.seconds = time.monotonic() - self._begun
        if self.state and self.results.interrupted:
            self._save()
        elif self.state:
            Path(self.state).unlink(missing_ok=True)  # a finished comparison has nothing to go on with

    def _save(self) -> None:
        self.results.seconds = time.monotonic() - self._begun
        State(self.fingerprint, self.items, self.results).write(self.state)

    # --- the end ------------------------------------------------------------------------------------------------------

    def finish(self) -> Results:
        """Completes the results: every declared rule, small examples, the lines of the source to blame."""
        results = self.results
        declarations = self.job.declarations
        compared = {kind for kind, _ in results.tallies}
        counts = {(r.kind, r.path, r.type, r.origin, r.tag, r.source): r.count for r in results.rules}
        results.rules = [
            replace(rule, count=counts.get((rule.kind, rule.path, rule.type, rule.origin, rule.tag, rule.source), 0))
            for rule in sorted(declarations.all_rules)
            if rule.kind in compared
        ]
        results.merge_operations()
        if not results.interrupted:
            try:
                for group in [*results.unexpected(), *results.expected()][:_MOST_SHRUNK]:
                    self._make_small(group)
            except KeyboardInterrupt:
                results.interrupted = True
        for group in results.groups.values():
            _quote(group, declarations)
        return results

    def _make_small(self, group: Group) -> None:
        """Takes away from the example what the mismatch does not need."""
        judge = self.judge()

        def mismatch(request: Request) -> Group | None:
            found = judge.judge([request])
            found.merge_operations()
            return next((each for each in found.groups.values() if _is_same(each, group)), None)

        request = judge.request_of(group)
        first = mismatch(request)
        if first is None:
            return  # the handwritten side does not answer twice alike

        def is_as_good(smaller: Request) -> bool:
            """Whether it shows the mismatch without errors that were not there before: they would only distract."""
            found = mismatch(smaller)
            return found is not None and _errors(found) <= _errors(first)

        found = mismatch(shrink(request, is_as_good))
        if found is not None:
            group.example = found.example


def _errors(group: Group) -> int:
    return len(group.example.handwritten) + len(group.example.declarative)


def _is_same(one: Group, other: Group) -> bool:
    return replace(one.sort, operation="") == replace(other.sort, operation="") and one.expected == other.expected


def _quote(group: Group, declarations: Declarations) -> None:
    """Adds the lines of the source around the one to blame."""
    span = declarations.spans.get(group.sort.source)
    if span is None:
        return
    try:
        lines = Path(span.file).read_text(encoding="utf-8", errors="replace").splitlines()
    except (OSError, ValueError):
        return
    group.file = str(span)
    first = max(1, span.line - _CONTEXT)
    group.excerpt = lines[first - 1 : span.line + _CONTEXT]
    group.excerpt_line = first


def fingerprint(job: Job, where: Iterable[str], about: Mapping[str, str]) -> str:
    """A text that changes with everything that results depend on, but for what files of objects hold."""
    parts = [
        dict(job.files),
        str(job.handwritten),
        asdict(job.manner),
        [asdict(entry) for entry in job.expected],
        list(where),
        dict(about),
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()
