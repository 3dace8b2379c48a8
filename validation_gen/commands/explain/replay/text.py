"""Renders a replay for terminals: the checks by value, with their results."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from typing import Any

from validation_gen.commands.explain.replay.record import Record, Replay, SkipReason, Status, is_below
from validation_gen.diagnostics.formats import Styler, one_line
from validation_gen.runtime.levels import render_error
from validation_gen.runtime.words import counted

_STYLES = {Status.HELD: "", Status.FAILED: "error", Status.STOPS: "help", Status.SKIPPED: "gutter"}
_MARK = 8  # the width of the longest status and a blank
#: Reasons that skip a value with all its children, so that one line is enough.
_WHOLE = (SkipReason.UNCHANGED, SkipReason.OPAQUE, SkipReason.SUBRESOURCE, SkipReason.STOPPED, SkipReason.WRONG_TYPE)
_WIDEST_VALUE = 60
_ABSENT = object()


def replay_text(records: Sequence[Record], obj: Any, style: Styler, *, verbose: bool) -> str:
    """Renders all records, those of one value below its path. Without `verbose` skipped subtrees are one line."""
    return "".join(f"{line}\n" for line in _lines(records, obj, style, verbose))


def summary(replay: Replay) -> str:
    """Counts the checks by result."""
    counts = [f"{count} {status.value}" for status in Status if (count := replay.count(status))]
    return f"{counted(len(replay.records), 'check')}{': ' if counts else ''}{', '.join(counts)}"


def _lines(records: Sequence[Record], obj: Any, style: Styler, verbose: bool) -> Iterator[str]:
    waiting = list(records)
    while waiting:
        path = waiting[0].path
        whole = [] if verbose else _left_out_together(waiting)
        if len(whole) > 1:
            skip = whole[0].skip
            assert skip is not None
            yield style("strong", one_line(_common(whole) or "(the object)"))
            text = f"{len(whole)} checks: {skip.text}"
            yield f"  {_status(Status.SKIPPED, style)} {one_line(text)}"
            del waiting[: len(whole)]
            continue
        group = waiting[: next((i for i, record in enumerate(waiting) if record.path != path), None)]
        if not verbose:  # a part of them may be a skipped subtree
            group = group[: next((i for i in range(1, len(group)) if len(_left_out_together(waiting[i:])) > 2), None)]
        yield f"{style('strong', one_line(path or '(the object)'))}{_value(obj, path)}"
        for record in group:
            yield from _record(record, style)
        del waiting[: len(group)]


def _left_out_together(records: Sequence[Record]) -> list[Record]:
    """Returns the records at the beginning that are skipped for the same reason, at one path and below it."""
    first = records[0]
    if first.skip is None or first.skip.why not in _WHOLE:
        return []
    return list(itertools.takewhile(lambda r: r.skip == first.skip and is_below(r.path, _top(first)), records))


def _top(record: Record) -> str:
    """Returns the path of a reason, if that is above the record."""
    at = record.skip.at if record.skip else ""
    return at if is_below(record.path, at) else record.path


def _common(records: Sequence[Record]) -> str:
    """Returns the innermost path that all records are at or below."""
    paths = {record.path for record in records}
    shortest = min(paths, key=len)
    return shortest if all(is_below(path, shortest) for path in paths) else _top(records[0])


def _record(record: Record, style: Styler) -> Iterator[str]:
    level = f"  ({record.level} rule)" if record.level else ""
    level += "  (quiet)" if record.silent and "=+" in record.tag else ""
    yield f"  {_status(record.status, style)} {one_line(record.tag)}{level}  {one_line(record.source)}".rstrip()
    for error in record.errors:
        yield f"  {'':{_MARK}}{one_line(render_error(error))}"
    reason = record.skip.text if record.skip else record.note
    if reason:
        yield f"  {'':{_MARK}}{one_line(reason)}"


def _status(status: Status, style: Styler) -> str:
    padding = " " * (_MARK - 1 - len(status.value))
    return (style(_STYLES[status], status.value) if _STYLES[status] else status.value) + padding


def _value(obj: Any, path: str) -> str:
    """Returns the value at a path, if it is short enough."""
    found = _at(obj, path)
    if found is _ABSENT:
        return " (absent)"
    if isinstance(found, dict | list) or not path:
        return ""
    try:
        text = json.dumps(found, ensure_ascii=False, default=str)
    except ValueError:
        return ""
    return f": {one_line(text)}" if len(text) <= _WIDEST_VALUE else ""


def _at(obj: Any, path: str) -> Any:
    """Returns the value at a path; keys with dots are found where they fit."""
    if not path:
        return obj
    if path.startswith("["):
        inside, _, rest = path[1:].partition("]")
        if isinstance(obj, list) and inside.isascii() and inside.isdigit() and int(inside) < len(obj):
            return _at(obj[int(inside)], rest.removeprefix("."))
        return _at(obj[inside], rest.removeprefix(".")) if isinstance(obj, dict) and inside in obj else _ABSENT
    name = path[: min((at for at in map(path.find, ".[") if at >= 0), default=len(path))]
    rest = path[len(name) :].removeprefix(".")
    return _at(obj[name], rest) if isinstance(obj, dict) and name in obj else _ABSENT
