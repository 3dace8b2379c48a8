"""Runs the validators on an object, records the result of each check, and renders the checks by value for terminals."""

from __future__ import annotations

import itertools
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import getitem
from typing import Any

from validation_gen.commands.explain.replay.record import (
    Record,
    Replay,
    Skip,
    SkipReason,
    Status,
    TracedOperation,
    is_below,
)
from validation_gen.commands.explain.replay.records import Recorder
from validation_gen.commands.explain.replay.values import UNKNOWN, Value
from validation_gen.compiler.pipeline import load_validators
from validation_gen.diagnostics.formats import Styler, one_line
from validation_gen.emit.python import Trace
from validation_gen.ir import Program, StructRef
from validation_gen.kubernetes.positions import find_path
from validation_gen.runtime.errors import FieldError, Mark
from validation_gen.runtime.levels import DEFAULT_LEVEL, Level, filter_enforced, render_error
from validation_gen.runtime.registry import Kind, Registry
from validation_gen.runtime.rule import NO_RULE
from validation_gen.runtime.validator import as_json
from validation_gen.runtime.words import counted


class TracedValidators:
    """The validators of a program as traced code, which is imported from memory."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.trace = Trace()
        self.registry: Registry = load_validators(program, self.trace)

    def replay(
        self,
        kind: Kind,
        obj: Any,
        old: Any = None,
        *,
        update: bool | None = None,
        options: Mapping[str, bool] | None = None,
        subresource: str = "/",
        level: str = DEFAULT_LEVEL,
        untrusted: Collection[str] = (),
    ) -> Replay:
        """Replays all checks of an object of a kind, or of an update. Never raises on any object.

        `level` is the level from which on rules are enforced, `untrusted` has the modules whose functions were not run.
        `update` marks an update without an old object.
        """
        operation = TracedOperation(self.trace, options, update=old is not None if update is None else update)
        off = Level(level).hidden | set(untrusted)
        errors = self.registry.run(kind, obj, old, subresource=subresource, level=Level.ALPHA, operation=operation)
        enforced = filter_enforced(errors, off)
        result = Replay([_of_error(error) for error in enforced if error.rule is NO_RULE], enforced)
        is_compared = operation.update and old is not None
        recorder = Recorder(self.program, operation, result, set(map(id, errors)), off, is_compared)
        try:
            self._record(kind, obj, old, subresource, recorder)
        except RecursionError:
            reported = [_of_error(error, "the object is nested too deeply for more") for error in enforced]
            return Replay(reported, enforced)
        return result

    def _record(self, kind: Kind, obj: Any, old: Any, subresource: str, recorder: Recorder) -> None:
        """Records all checks. Values of the wrong type that validators have read are replaced by stand-ins."""
        type, result = _find_type(self.program, kind), recorder.replay
        if type not in self.program.types or kind.subresources is None:
            return
        shape = self.registry.shape(kind)
        obj, old = as_json(shape, obj), as_json(shape, old)
        if recorder.trace.is_mended:
            obj, places = shape.recover(obj) or (obj, [])
            old, _ = shape.recover(old) or (old, [])
            recorder.wrong |= {"" if error.place == "<nil>" else error.place: error.detail for error in places}
        skip = None
        if subresource not in kind.subresources:
            known = ", ".join(kind.subresources)
            skip = Skip(SkipReason.SUBRESOURCE, f"{kind.name} is validated for {known}, and not for {subresource}")
        plan = self.program.types[type]
        root = Value("", obj, old if recorder.is_compared else UNKNOWN, plan.shape, shape)
        root = replace(root, value={}) if obj is None and isinstance(plan.shape, StructRef) else root
        recorder.type(type, root, skip)
        reported = {id(error) for record in result.records for error in record.errors}
        for error in result.errors:
            if id(error) not in reported:
                result.surprises += 1
                result.records.append(_of_error(error))


def _find_type(program: Program, kind: Kind) -> str:
    """Returns the id of a kind's type. The type may be declared in another package than its rules."""
    package = program.packages.get(kind.package)
    root = next((root.type for root in package.roots if root.kind == kind.name), "") if package else ""
    return root or f"{kind.package}.{kind.name}"


def _of_error(error: FieldError, note: str = "") -> Record:
    """Returns the record of an error without a check: of the wrong type, of the schema, or about the request."""
    place = "" if error.place == "<nil>" else error.place
    what = "(JSON type)" if error.type.value == "FieldValueTypeInvalid" else "(request)"
    if Mark.SCHEMA in error.marks:
        what = "(schema)"
    tag = error.tag or what
    return Record(place, tag, error.rule.place, "", Status.FAILED, errors=(error,), note=note)


_STYLES = {Status.HELD: "", Status.FAILED: "error", Status.STOPS: "help", Status.SKIPPED: "gutter"}
_MARK = 8  # the width of the longest status and a blank
#: Reasons that skip a value with all its children, so that one line is enough.
_WHOLE = (SkipReason.UNCHANGED, SkipReason.OPAQUE, SkipReason.SUBRESOURCE, SkipReason.STOPPED, SkipReason.WRONG_TYPE)
_WIDEST_VALUE = 60


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
        whole = [] if verbose else _take_skipped(waiting)
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
            group = group[: next((i for i in range(1, len(group)) if len(_take_skipped(waiting[i:])) > 2), None)]
        yield f"{style('strong', one_line(path or '(the object)'))}{_value(obj, path)}"
        for record in group:
            yield from _record(record, style)
        del waiting[: len(group)]


def _take_skipped(records: Sequence[Record]) -> list[Record]:
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
    keys, is_present = find_path(obj, path)
    if not is_present:
        return " (absent)"
    found = reduce(getitem, keys, obj)
    if isinstance(found, dict | list) or not path:
        return ""
    try:
        text = json.dumps(found, ensure_ascii=False, default=str)
    except ValueError:
        return ""
    return f": {one_line(text)}" if len(text) <= _WIDEST_VALUE else ""
