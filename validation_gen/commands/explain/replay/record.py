"""Traces the validators: traced code reports each check that runs, with its place, and its errors.

A record is the result of a single check; records are in the order of evaluation.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from validation_gen.emit.python import Trace
from validation_gen.ir import Operation as CheckOperation
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.levels import render_error
from validation_gen.runtime.operation import Operation


class Status(str, enum.Enum):
    """Result of a check. STOPS: it gave no error, but stopped others, as `+k8s:optional` does."""

    HELD = "held"
    FAILED = "failed"
    STOPS = "stops"
    SKIPPED = "skipped"


class SkipReason(str, enum.Enum):
    """Reason why a check was skipped."""

    UNCHANGED = "unchanged"
    STOPPED = "stopped"
    OPTION = "option"
    SUBRESOURCE = "subresource"
    LEVEL = "level"
    CREATE = "create"
    MODE = "mode"
    OPAQUE = "opaque"
    ABSENT = "absent"
    WRONG_TYPE = "wrong type"
    UNTRUSTED = "untrusted"


@dataclass(frozen=True, slots=True)
class Skip:
    """A reason to skip checks, in a word and in a sentence. `at` is the path of its cause."""

    why: SkipReason
    text: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """One check at one path.

    `path` is the path of the value, `""` for the object itself. `source` is the location of the tag, `on` its carrier.
    `stops`: a failure skips other checks. `silent`: it reports nothing.
    """

    path: str
    tag: str
    source: str
    on: str
    status: Status
    skip: Skip | None = None
    errors: tuple[FieldError, ...] = ()
    level: str = ""
    stops: bool = False
    silent: bool = False
    note: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Converts it to data for programs."""
        return {
            "path": self.path,
            "tag": self.tag,
            "source": self.source,
            "on": self.on,
            "status": self.status.value,
            "why": self.skip.why.value if self.skip else "",
            "reason": self.skip.text if self.skip else self.note,
            "because": self.skip.at if self.skip else "",
            "level": self.level,
            "stops": self.stops,
            "silent": self.silent,
            "errors": [{**error.as_dict(), "message": render_error(error)} for error in self.errors],
        }


@dataclass(slots=True)
class Replay:
    """All records of an object. `surprises` counts unassigned errors: a mistake of the replay itself."""

    records: list[Record] = field(default_factory=list)
    errors: list[FieldError] = field(default_factory=list)
    surprises: int = 0

    def count(self, status: Status) -> int:
        return sum(record.status is status for record in self.records)


def is_below(path: str, above: str) -> bool:
    """Returns whether a path is equal to another one, or below it."""
    return not above or path == above or path.startswith((f"{above}.", f"{above}["))


def matching(records: list[Record], path: str) -> list[str]:
    """Returns the paths that a pattern matches; `[*]` is any item of a list or value of a map."""
    if "[*]" not in path:
        return [path]
    pattern = r"\[[^\]]*\]".join(map(re.escape, path.split("[*]")))
    found = (re.match(rf"{pattern}(?![^.\[])", record.path) for record in records)
    return list(dict.fromkeys(match[0] for match in found if match)) or [path]


def narrowed(records: list[Record], path: str) -> list[Record]:
    """Returns the records of a value and its children, and of parents that stop or have failed."""
    places = matching(records, path)
    return [record for record in records if any(_matters(record, place) for place in places)]


def _matters(record: Record, place: str) -> bool:
    return (
        is_below(record.path, place)
        or (is_below(place, record.path) and record.stops)
        or any(is_below(error.place.replace("<nil>", ""), place) for error in record.errors)
    )


class TracedOperation(Operation):
    """The request around an object whose checks are traced. Traced code calls `ran`, `failed` and `part`."""

    __slots__ = ("_failures", "_last", "_path", "_paths", "_trace", "calls", "is_mended")

    traces = True

    def __init__(self, trace: Trace, options: Mapping[str, bool] | None, *, update: bool) -> None:
        super().__init__(options, update=update)
        self._trace = trace
        #: True if validators have met values of the wrong type, and have run again on a repaired copy.
        self.is_mended = False
        self._clear()

    def restart(self) -> None:
        self.is_mended = True
        self._clear()

    def _clear(self) -> None:
        self._path: list[str] = []
        #: The errors of each check that ran, by its operation, whether it is silent, and its path; `None` if it held.
        self._failures: dict[tuple[int, bool], dict[str, list[FieldError] | None]] = {}
        #: The paths of all checks that ran, and those above.
        self._paths: set[str] = set()
        #: The types whose checks ran, by name and path.
        self.calls: set[tuple[str, str]] = set()

    def ran(self, number: int, silent: bool, path: str) -> None:
        """Notes that a check runs at a path below the value of the current function."""
        failures = self._failures.setdefault((id(self._trace.operations[number]), silent), {})
        self._last = failures, "".join((*self._path, path)).removeprefix(".")
        failures.setdefault(self._last[1], None)
        path = self._last[1]
        while path not in self._paths:
            self._paths.add(path)
            path = path[: max(path.rfind("."), path.rfind("["), 0)]

    def failed(self, found: list[FieldError]) -> None:
        """Notes that the last check has failed. A check of the keys of a map runs several times at its path."""
        failures, path = self._last
        failures[path] = [*(failures[path] or ()), *found]

    def part(self, path: str, function: Callable[..., Any], *args: Any) -> Any:
        """Calls the function of the type of a part."""
        self._path.append(path)
        self.calls.add((function.__name__.partition("_")[2], "".join(self._path).removeprefix(".")))
        found = function(*args)
        self._path.pop()
        return found

    def is_below(self, path: str) -> bool:
        """Returns whether any check ran at a path or below it."""
        return path in self._paths

    def results(self, check: CheckOperation, silent: bool) -> Mapping[str, list[FieldError] | None]:
        """Returns the results of a check by path: the errors of a failure, `None` where it held."""
        return self._failures.get((id(check), silent), {})
