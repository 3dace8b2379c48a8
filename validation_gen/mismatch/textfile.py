"""Totals of a run that ends, as a file for the textfile collector of node_exporter: the same series, without a server.

The file is written whole or not at all. This module counts nothing, and needs nothing but Python.
"""

from __future__ import annotations

import contextlib
import errno
import os
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from validation_gen.mismatch import series
from validation_gen.mismatch.outcome import Side
from validation_gen.mismatch.series import IDENTIFIER, MOST_IDENTIFIERS, OTHER, PREFIX, SIDE, Series

_SUFFIX = ".prom"
_Samples = list[tuple[dict[str, str], float]]


@dataclass(frozen=True, slots=True)
class Counts:
    """Counters of one validation identifier."""

    mismatches: int = 0
    expected: int = 0
    panics: int = 0
    duplicates: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))


@dataclass(frozen=True, slots=True)
class LastRun:
    """The run itself.

    Attributes:
        success: True if it ended without an unexpected mismatch, and without a panic.
        requests: number of compared requests.
        unusable: number of inputs that could not be compared.
        seconds: its duration; `handwritten_seconds` and `declarative_seconds` are the shares of each side.
        ended: its end, in seconds since 1970; by default now.
    """

    success: bool
    requests: int = 0
    unusable: int = 0
    seconds: float = 0.0
    handwritten_seconds: float = 0.0
    declarative_seconds: float = 0.0
    ended: float | None = None


def write_textfile(
    path: str | os.PathLike[str],
    counts: Mapping[str, Counts],
    last_run: LastRun,
    *,
    prefix: str = PREFIX,
    most_identifiers: int = MOST_IDENTIFIERS,
) -> None:
    """Writes the totals of a run.

    Args:
        path: a file of a directory that node_exporter watches. It is replaced: counts are those of one run.
        counts: the counters, by validation identifier. Counts of 0 also get a series.
        last_run: the run itself.
        prefix: prefix of the series.
        most_identifiers: number of identifiers with their own series, in alphabetical order; the others are added
            up.

    Raises:
        ValueError: the prefix is invalid, or the name of the file does not end in `.prom`, so that node_exporter
            skips it.
        OSError: the file cannot be written. The old file is unchanged.
    """
    target = check_target(path)
    text = as_text(counts, last_run, prefix=prefix, most_identifiers=most_identifiers)
    _replace(target, text.encode())


def check_target(path: str | os.PathLike[str]) -> Path:
    """Returns the file to write.

    Raises:
        ValueError: its name does not end in `.prom`, so that node_exporter skips it.
    """
    target = Path(path)
    if target.suffix != _SUFFIX:
        raise ValueError(f"{os.fspath(path)!r} does not end in {_SUFFIX}, and node_exporter reads only files that do")
    return target


def as_text(
    counts: Mapping[str, Counts],
    last_run: LastRun,
    *,
    prefix: str = PREFIX,
    most_identifiers: int = MOST_IDENTIFIERS,
) -> str:
    """The text of the file."""
    series.check_prefix(prefix)
    lines: list[str] = []
    for which, samples in _all(_bounded(counts, most_identifiers), last_run):
        if samples:
            lines += (f"# HELP {prefix}{which.name} {which.help}", f"# TYPE {prefix}{which.name} {which.type}")
            lines += (f"{prefix}{which.name}{_labels(labels)} {value}" for labels, value in samples)
    return "".join(f"{line}\n" for line in lines)


def _all(counts: Mapping[str, Counts], run: LastRun) -> Iterator[tuple[Series, _Samples]]:
    total = sum(counts.values(), Counts())
    yield series.MISMATCHES, [({}, total.mismatches)]
    yield series.DISCREPANCIES, [({IDENTIFIER: name}, one.mismatches) for name, one in counts.items()]
    yield series.PANIC, [({}, total.panics)]
    yield series.PANICS, [({IDENTIFIER: name}, one.panics) for name, one in counts.items()]
    yield series.DUPLICATES, [({}, total.duplicates)]
    yield series.EXPECTED, [({IDENTIFIER: name}, one.expected) for name, one in counts.items()]
    yield series.LAST_RUN_TIMESTAMP, [({}, time.time() if run.ended is None else run.ended)]
    yield series.LAST_RUN_SUCCESS, [({}, int(run.success))]
    yield series.LAST_RUN_REQUESTS, [({}, run.requests)]
    yield series.LAST_RUN_UNUSABLE, [({}, run.unusable)]
    yield series.LAST_RUN_DURATION, [({}, run.seconds)]
    sides = ((Side.HANDWRITTEN, run.handwritten_seconds), (Side.DECLARATIVE, run.declarative_seconds))
    yield series.LAST_RUN_SIDE_DURATION, [({SIDE: side.value}, seconds) for side, seconds in sides]


def _bounded(counts: Mapping[str, Counts], most: int) -> dict[str, Counts]:
    bounded: dict[str, Counts] = {}
    rest = Counts()
    others = False
    for name in sorted(counts):
        label = series.as_label(name)
        if label != OTHER and len(bounded) < most:
            bounded[label] = counts[name]
        else:
            rest, others = rest + counts[name], True
    return {**bounded, OTHER: rest} if others else bounded


def _labels(labels: Mapping[str, str]) -> str:
    """Labels in braces. What `as_label` lets through has no line breaks."""
    escaped = ((name, value.replace("\\", r"\\").replace('"', r"\"")) for name, value in labels.items())
    return "{" + ",".join(f'{name}="{value}"' for name, value in escaped) + "}" if labels else ""


def _replace(path: Path, content: bytes) -> None:
    """Writes beside the file and moves over it. node_exporter skips the temporary name.

    An existing file of that name belongs to an ended process. It is removed, and never written through.
    """
    if path.exists() and not path.is_file():
        raise OSError(errno.EPERM, "this is no regular file", os.fspath(path))
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        with contextlib.suppress(FileNotFoundError):
            temporary.unlink()
        with temporary.open("xb") as file:  # which follows no link
            file.write(content)
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
