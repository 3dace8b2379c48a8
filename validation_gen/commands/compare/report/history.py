"""Earlier runs, in a file with one line of JSON for each.

A line is appended at once, so that concurrent runs do not mix. Foreign lines, or those of a run that was killed
half-way, are skipped when reading and reported; they stay in the file. The caller supplies the time.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from validation_gen.commands.compare.results import FORMAT, Results
from validation_gen.emit.output import open_to_append
from validation_gen.files import reading

try:
    import fcntl
except ImportError:  # Windows has no such locks; appending is as safe as the system makes it
    fcntl = None  # type: ignore[assignment]

_TOTALS = ("compared", "agreeing", "differing", "mismatches", "expected", "bad", "panics", "rules", "exercised")


@dataclass(frozen=True, slots=True)
class Run:
    """Stored data of a run.

    Attributes:
        time: its time, from the caller; ISO 8601 sorts and reads well.
        totals: as in the JSON report, like `kinds`.
        causes: the number of mismatches by cause, without expected ones.
        interrupted: True if it was stopped before the end, so that its numbers are incomplete.
    """

    time: str
    totals: dict[str, int]
    kinds: list[dict[str, Any]] = field(default_factory=list)
    causes: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    interrupted: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """A line of the file that is no run."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class History:
    """The runs in the order of the file, and its invalid lines."""

    runs: list[Run] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def to_run(results: Results, time: str) -> Run:
    """Returns the stored data of results."""
    data = results.as_json()
    causes: Counter[str] = Counter()
    for group in results.unexpected():
        causes[group.sort.cause] += group.count
    return Run(time, data["totals"], data["kinds"], dict(sorted(causes.items())), data["seconds"], data["interrupted"])


def append_run(path: Path, run: Run) -> None:
    """Appends a run to the file, which is created if it is missing.

    Raises:
        OSError: the file cannot be written.
    """
    record = {
        "format": FORMAT,
        "time": run.time,
        "interrupted": run.interrupted,
        "seconds": run.seconds,
        "totals": run.totals,
        "causes": run.causes,
        "kinds": run.kinds,
    }
    line = json.dumps(record).encode() + b"\n"
    with open_to_append(path) as file, _alone(file.fileno()):
        end = file.seek(0, os.SEEK_END)
        if end:
            file.seek(end - 1)
            if file.read(1) != b"\n":  # a torn line stays separate
                line = b"\n" + line
        while line:
            line = line[file.write(line) :]


def read_history(path: Path) -> History:
    """Reads the runs in a file; a missing file has none.

    Raises:
        OSError: the file exists and cannot be read.
    """
    history = History()
    if not path.exists():
        return history
    with reading.open_argument(path) as raw, io.BufferedReader(raw) as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                history.runs.append(_run(line))
            except (ValueError, RecursionError) as error:
                history.problems.append(Problem(number, str(error)))
    return history


def _run(line: bytes) -> Run:
    """Parses the run of a line. Every error is a ValueError."""
    try:
        data = json.loads(line)
    except UnicodeDecodeError:
        raise ValueError("not UTF-8") from None
    except ValueError:
        torn = "" if line.endswith(b"\n") else ", the line is not complete"
        raise ValueError(f"not JSON{torn}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f"not a run of format {FORMAT}")
    if problem := next((name for name, fits in _FIELDS.items() if not fits(data.get(name))), None):
        raise ValueError(f"`{problem}` is not as this program writes it")
    return Run(**{name: data[name] for name in _FIELDS})


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _counts(value: object) -> bool:
    return isinstance(value, dict) and all(map(_is_count, value.values()))


#: Required fields of a line, with a check for each.
_FIELDS: dict[str, Callable[[Any], bool]] = {
    "time": lambda value: isinstance(value, str),
    "totals": lambda value: _counts(value) and value.keys() >= set(_TOTALS),
    "kinds": lambda value: isinstance(value, list) and all(isinstance(row, dict) for row in value),
    "causes": _counts,
    "seconds": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "interrupted": lambda value: isinstance(value, bool),
}


@contextlib.contextmanager
def _alone(descriptor: int) -> Iterator[None]:
    """Locks the file against other runs, where the system can."""
    locked = False
    if fcntl is not None:
        with contextlib.suppress(OSError):  # some network file systems have no locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            locked = True
    try:
        yield
    finally:
        if locked:
            fcntl.flock(descriptor, fcntl.LOCK_UN)
