"""Earlier runs, in a file with one line of JSON for each, and the numbers of charts.

A line is appended at once, so that concurrent runs do not mix. Foreign lines, or those of a run that was killed
half-way, are skipped when reading and reported; they stay in the file. The caller supplies the time.

Charts are lengths of bars and coordinates of lines, which the template draws. No chart depends on colour alone: bars
have their numbers beside them and their parts a pattern, points of incomplete runs are hollow.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from validation_gen.commands.compare.groups import Group
from validation_gen.commands.compare.report.wording import BOTH, counted, number, percent, short
from validation_gen.commands.compare.results import FORMAT, Results
from validation_gen.emit.output import open_to_append
from validation_gen.files import reading
from validation_gen.mismatch.outcome import Side

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
        totals: the totals of the JSON report.
        kinds: requests by kind and operation, as in the JSON report.
        causes: the number of mismatches by cause, without expected ones.
        seconds: its duration.
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
    with reading.opened(path) as raw, io.BufferedReader(raw) as file:
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


_MOST_BARS = 10
_MOST_RUNS = 60
_LABEL = 120

#: Style and meaning of the mismatches of each side.
SHAPES = {
    Side.HANDWRITTEN.value: ("solid", "", "handwritten error without counterpart"),
    Side.DECLARATIVE.value: ("hatched", "url(#hatch)", "declarative error without counterpart"),
    BOTH: ("dotted", "url(#dots)", "errors of both sides that differ in one respect"),
}

#: The size of a line chart in its own units: as wide as a phone, so that its text is legible there.
FRAME = {"width": 340, "height": 150, "left": 46, "right": 326, "top": 16, "bottom": 124}


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a bar: `shape` tells the style, and `fill` the pattern."""

    shape: str
    fill: str
    start: str
    width: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar. It has a part for each side and for pairs: their beginnings and lengths, in percent."""

    label: str
    count: int
    shown: str
    parts: list[Part]
    title: str


@dataclass(frozen=True, slots=True)
class Bars:
    """A bar chart of mismatches by an attribute."""

    title: str
    bars: list[Bar]
    rest: str


@dataclass(frozen=True, slots=True)
class Dot:
    """A run in a line chart."""

    x: str
    y: str
    title: str
    shape: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line chart: `points` for the line, `ticks` are texts on the left with their heights."""

    summary: str
    points: str
    dots: list[Dot]
    ticks: list[tuple[str, str]]
    first: str
    last: str


def bars(title: str, groups: Sequence[Group], label: Callable[[Group], str]) -> Bars:
    """Mismatches by a label, most frequent first."""
    totals: Counter[str] = Counter()
    sides: Counter[tuple[str, str]] = Counter()
    for group in groups:
        totals[label(group)] += group.count
        sides[label(group), group.sort.side] += group.count
    ordered = sorted(totals.items(), key=lambda item: (-item[1], item[0]))
    most = max(totals.values(), default=1) or 1
    shown = [_bar(name, {side: sides[name, side] for side in SHAPES}, most) for name, _ in ordered[:_MOST_BARS]]
    rest = ordered[_MOST_BARS:]
    total = number(sum(count for _, count in rest))
    return Bars(title, shown, f"{number(len(rest))} more with {total} together" if rest else "")


def _bar(label: str, counts: dict[str, int], most: int) -> Bar:
    parts, start = [], 0.0
    for side, count in counts.items():
        if count:
            width = max(count * 100 / most, 0.5)
            shape, fill, _ = SHAPES[side]
            parts.append(Part(shape, fill, f"{start:.2f}%", f"{width:.2f}%"))
            start += width
    total = sum(counts.values())
    told = ", ".join(f"{number(count)} {side}" for side, count in counts.items() if count)
    return Bar(short(label, _LABEL), total, number(total), parts, f"{counted(total, 'mismatch')}: {told}")


def lines(runs: Sequence[Run]) -> list[Line]:
    """Returns the trend over runs: mismatches, and the share of requests on which both sides agree."""
    shown = runs[-_MOST_RUNS:]
    if len(shown) < 2:
        return []
    mismatches = [float(run.totals["mismatches"]) for run in shown]
    shares = [run.totals["agreeing"] * 100 / (run.totals["compared"] or 1) for run in shown]
    low = min(shares)
    floor = 0.0 if low < 50 else 50.0 if low < 90 else 90.0 if low < 99 else 99.0
    counts = [number(run.totals["mismatches"]) for run in shown]
    parts = [percent(run.totals["agreeing"], run.totals["compared"]) for run in shown]
    top = max(*mismatches, 1.0)
    return [
        _line("Mismatches", shown, mismatches, counts, (0.0, top), [(top, number(int(top))), (0.0, "0")]),
        _line("Agreement", shown, shares, parts, (floor, 100.0), [(100.0, "100 %"), (floor, f"{floor:.0f} %")]),
    ]


def _line(
    title: str,
    runs: Sequence[Run],
    values: Sequence[float],
    texts: Sequence[str],
    ends: tuple[float, float],
    ticks: Sequence[tuple[float, str]],
) -> Line:
    low, high = ends
    precision = 16 if runs[0].time[:10] == runs[-1].time[:10] else 10  # of ISO 8601: minutes, or days
    step = (FRAME["right"] - FRAME["left"]) / (len(runs) - 1)

    def height(value: float) -> str:
        return f"{FRAME['top'] + (high - value) * (FRAME['bottom'] - FRAME['top']) / (high - low):.1f}"

    dots = [
        Dot(f"{FRAME['left'] + i * step:.1f}", height(value), f"{run.time}: {text}{_state(run)}", _shape(run))
        for i, (run, value, text) in enumerate(zip(runs, values, texts, strict=True))
    ]
    return Line(
        f"{title} in {counted(len(runs), 'run')}, from {texts[0]} to {texts[-1]}",
        " ".join(f"{dot.x},{dot.y}" for dot in dots),
        dots,
        [(height(value), text) for value, text in ticks],
        runs[0].time[:precision],
        runs[-1].time[:precision],
    )


def _shape(run: Run) -> str:
    return "hollow" if run.interrupted else "full"


def _state(run: Run) -> str:
    return ", interrupted" if run.interrupted else ""
