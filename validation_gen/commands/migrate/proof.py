"""Proves that sources with tags equal those with markers: the same definitions, and the same verdicts.

The schemas without the removed markers show which errors came from them. Each of these must be one of the validators,
and the validators may refuse nothing else.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, TypeVar

from validation_gen.commands.edgecases import Subject
from validation_gen.commands.edgecases.steps import locate
from validation_gen.commands.migrate.objects import Line, Objects, Sample, State, build_state, differences
from validation_gen.commands.migrate.rewriting import Unit
from validation_gen.compiler.pipeline import lower
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostics
from validation_gen.ir import value_shape
from validation_gen.kubernetes.crd.resource import CoercionError, errors_of_prepared, prepare_object, resource_errors
from validation_gen.kubernetes.crd.schema import Schema
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.sources.recording_fs import override_files

#: Errors that imply a violation of any rule: at their paths, validators may refuse as well.
_ALWAYS = (ErrorType.REQUIRED, ErrorType.TYPE_INVALID)
_KEYS = re.compile(r"\[[^\]]*\]")
T = TypeVar("T")
NO_DEFINITION = "no definition of these sources shows it, so that there is no proof"
NO_OBJECT = "no object was found that breaks it, so that there is no proof"


@dataclass(slots=True)
class Verdict:
    """Problems of some units: each with a reason. `vague` is a problem without a known unit.

    `unproved` units did no harm, but no object broke their rules.
    """

    suspects: dict[Unit, str] = field(default_factory=dict)
    vague: str = ""
    unproved: dict[Unit, str] = field(default_factory=dict)

    @property
    def good(self) -> bool:
        return not self.suspects and not self.vague

    def blame(self, units: Iterable[Unit], reason: str) -> None:
        """Records a difference. Without units it is vague."""
        found = list(units)
        for unit in found:
            self.suspects.setdefault(unit, reason)
        if not found:
            self.vague = self.vague or reason


@dataclass(slots=True)
class Trial:
    """Sources with some units, and without their markers. `lines` has the lines of the tags in the new sources."""

    units: Sequence[Unit]
    after: Mapping[str, bytes]
    rest: Mapping[str, bytes]
    lines: Mapping[Line, Unit]
    #: The units of fields by their JSON names, the units of types by `""`.
    by_name: dict[str, list[Unit]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for unit in self.units:
            self.by_name.setdefault(unit.place.json, []).append(unit)


@dataclass(slots=True)
class Prover:
    """Judges trials by comparison with the original sources."""

    settings: Settings
    before: State
    zeros: bool = False

    def judge(self, trial: Trial) -> Verdict:
        verdict = Verdict()
        after = build_state(self.settings, trial.after)
        self._judge_errors(after, trial, verdict)
        if verdict.good:
            for path in differences(self.before, after):
                names = [name for above, name in pairwise(path) if above == "properties"]
                reason = f"the definition {path[0]} would change at {'.'.join(names) or 'its top'}"
                if not names and self.before.errors:
                    reason = f"the definition {path[0]} cannot be compared while the sources have errors"
                verdict.blame(_about(trial, names, path), reason)
        if verdict.good:
            self._judge_objects(after, trial, verdict)
        return verdict

    def _judge_errors(self, after: State, trial: Trial, verdict: Verdict) -> None:
        for finding in _find_new(after.errors, self.before.errors, lambda d: (d.span.file, d.code, d.message)):
            unit = trial.lines.get((finding.span.file, finding.span.line))
            verdict.blame([unit] if unit else [], f"the tag would be an error: {finding.message}")

    # --- objects ----------------------------------------------------------------------------------------------------

    def _judge_objects(self, after: State, trial: Trial, verdict: Verdict) -> None:
        with override_files(trial.after):
            # Packages with tags have validators.
            program = lower(after.sources, replace(self.settings, lint=False), Diagnostics())
        with override_files(trial.rest):
            rest = build_state(self.settings, trial.rest)
        objects = Objects(program, frozenset(trial.lines))
        seen: set[str] = set()
        shared = self.before.written.keys() & rest.written.keys()
        same = {kind for kind in shared if self.before.written[kind] == rest.written[kind]}
        for sample in objects.all():
            kind = sample.kind
            text = json.dumps([kind, sample.obj], sort_keys=True, default=str)
            if kind in shared and text not in seen:
                seen.add(text)
                self._compare(objects, sample, None if kind in same else rest.schema(kind), trial, verdict)
        lines_of: dict[Unit, set[Line]] = {}
        for line, owner in trial.lines.items():
            lines_of.setdefault(owner, set()).add(line)
        for unit in trial.units:
            lines = lines_of.get(unit, set())
            if unit.judges and unit not in verdict.suspects and not lines & objects.broken:
                verdict.unproved[unit] = NO_OBJECT if lines & objects.seen else NO_DEFINITION

    def _compare(self, objects: Objects, sample: Sample, rest: Schema | None, trial: Trial, verdict: Verdict) -> None:
        """Compares the errors of an object. `rest` is the schema without the markers, `None` if that is the same."""
        kind, obj = sample.kind, sample.obj
        schema, namespaced = self.before.schema(kind), self.before.namespaced[kind]
        subject = objects.subjects[kind]
        if not isinstance(obj, dict):
            return
        try:
            ready = prepare_object(obj, schema)
        except CoercionError:
            ready = None
        reported = subject.errors(subject.probe(ready, options={})) if ready is not None else []
        whole = errors_of_prepared(ready, schema, namespaced=namespaced) if ready is not None else []
        above = sample.above()
        if above and (
            ready is None or any(locate(each.field, subject.place, ready)[0] in above for each in (*reported, *whole))
        ):
            # An error of a parent with several changes would hide a missing one.
            for part in sample.parts():
                self._compare(objects, part, rest, trial, verdict)
            return
        removed = []
        if whole and rest is not None:
            removed = list(_find_new(whole, resource_errors(obj, rest, namespaced=namespaced), _key))
        allowed = {error.field for error in (*removed, *(e for e in whole if e.type in _ALWAYS))}
        for error in reported:
            line = objects.find_line(error)
            unit = trial.lines[line] if line else None
            if unit is not None and not _is_covered(error.field, allowed):
                value = _render_value(error)
                reason = f"at {error.field} validators would refuse {value}, which the schema accepts"
                verdict.blame([unit], reason)
        fields = {error.field for error in reported}
        for error in removed:
            if not _is_covered(error.field, fields) and not (self.zeros and error.bad_value in ("", 0, [], {}, False)):
                value = _render_value(error)
                reason = f"at {error.field} validators would accept {value}, which the schema refuses"
                verdict.blame(_here(trial, error.field, subject, ready), reason)


def _find_new(found: Iterable[T], known: Iterable[T], key: Callable[[T], Hashable]) -> Iterator[T]:
    """Yields those that are found more often than they are known."""
    left = Counter(map(key, known))
    for each in found:
        left[key(each)] -= 1
        if left[key(each)] < 0:
            yield each


def _about(trial: Trial, names: Sequence[str], path: Sequence[str]) -> list[Unit]:
    """Returns the units that can cause a difference of definitions: fields of its name, or types, with its keyword."""
    keywords = set(path)
    named = [unit for name in names[-1:] for unit in trial.by_name.get(name, ()) if unit.keywords & keywords]
    return named or [unit for unit in trial.by_name.get("", ()) if unit.keywords & keywords]


def _here(trial: Trial, path: str, kind: Subject, obj: Any) -> list[Unit]:
    """Returns the units that can cause a missing error: fields of its name, and the type of the value."""
    name = _KEYS.sub("", path).rpartition(".")[2]
    _, places = locate(path, kind.place, obj)
    type = value_shape(places[-1].shape).type
    named = trial.by_name.get(name, ()) if name else ()
    typed = [unit for unit in trial.by_name.get("", ()) if type and unit.place.id == type]
    return [unit for unit in (*named, *typed) if unit.judges]


def _is_covered(path: str, others: Collection[str]) -> bool:
    """Returns whether there is an error at a path or above it."""
    ends = (end for end in range(len(path) + 1) if path[end : end + 1] in ("", ".", "["))
    return "<nil>" in others or any(path[:end] in others for end in ends)


def _key(error: FieldError) -> tuple[object, ...]:
    return error.type, error.field, error.detail


def _render_value(error: FieldError) -> str:
    if error.type in (ErrorType.TOO_FEW, ErrorType.TOO_MANY):  # which contain the number of items
        return f"{error.bad_value} items"
    text = json.dumps(error.bad_value, ensure_ascii=False, default=str)
    return text if len(text) <= 40 else f"{text[:37]}..."
