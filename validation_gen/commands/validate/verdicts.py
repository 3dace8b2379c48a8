"""Verdicts on objects as plain data, which can be reported anywhere.

Results of any part of the input, as numbers and plain data. They merge in any order.
"""

from __future__ import annotations

import enum
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from validation_gen.commands.kind_lookup import ApiVersionEnd, Recognised
from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.kubernetes.manifests import Manifest
from validation_gen.kubernetes.positions import find_path
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.gotext import go_json
from validation_gen.runtime.levels import render_error
from validation_gen.runtime.words import counted

#: Beginning of a warning about a field: its path.
_PATH = re.compile(r"[a-z]\w*(?:\.\w+|\[[^]]*\])*", re.ASCII)


#: Reason for documents that are no objects: values of charts, overlays, data.
NO_KIND = "without a kind"
FOR_KUSTOMIZE = "read by kustomize; validate its output: kustomize build DIR | validation-gen validate PATH -f -"


class State(str, enum.Enum):
    """State of an object. Some have no rules, and skipped ones are not validated."""

    VALID = "valid"
    INVALID = "invalid"
    NOT_JUDGED = "not judged"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """The details that a report needs.

    Attributes:
        places: locations in the file for each finding.
        data: errors as JSON-ready data.
        all: True to include verdicts without findings.
    """

    places: bool = True
    data: bool = True
    all: bool = True


@dataclass(frozen=True, slots=True)
class Wrong:
    """An error of an object.

    Attributes:
        text: as kubectl prints it, with the level of a rule that is not standard.
        type: the kind of error.
        tag: the tag that is violated, `source` its declaration, `rule` the same with its package; or empty.
        place: its location.
        data: the error as JSON-ready data.
    """

    text: str
    type: str
    tag: str = ""
    source: str = ""
    rule: str = ""
    place: Span | None = None
    data: dict[str, Any] | None = None

    @classmethod
    def from_error(cls, error: FieldError, manifest: Manifest, wanted: ReportOptions) -> Wrong:
        return cls(
            render_error(error),
            error.type.value,
            error.rule.tag,
            error.rule.source,
            error.rule.place,
            find_place(manifest, error.field) if wanted.places else None,
            {**error.as_dict(), "badValue": _plain(error.bad_value), "message": render_error(error)}
            if wanted.data
            else None,
        )


def _plain(value: Any) -> Any:
    """Returns a bad value as JSON. One that is nested too deeply becomes text."""
    if value is None or isinstance(value, str | int | float):
        return value
    try:
        return json.loads(json.dumps(value, default=repr))
    except RecursionError:
        return go_json(value)


@dataclass(frozen=True, slots=True)
class VersionFinding(ApiVersionEnd):
    """A finding about the API version of an object: the target does not serve it, or warns of it.

    Attributes:
        severity: its severity.
        place: its location.
    """

    severity: Severity = Severity.ERROR
    place: Span | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """Verdict on an object that begins in a `line` of a `file`, with the identity of `Manifest.identity`.

    An object without rules fails the run like an invalid one, unless `severity` is lower; `None` allows it without a
    finding. `reason` explains why there are no rules; `known`: that reason is more specific than "no rules". `warnings`
    are the server's warnings, each with its location. `place` is the location of the kind. `end` is the finding about
    the API version, if there is one. `template` is the Helm template of an object on standard input with findings.
    """

    file: str
    line: int
    identity: tuple[str, str, str, str]
    state: State = State.VALID
    errors: tuple[Wrong, ...] = ()
    severity: Severity | None = Severity.ERROR
    warnings: tuple[tuple[str, Span | None], ...] = ()
    reason: str = ""
    known: bool = False
    place: Span | None = None
    end: VersionFinding | None = None
    template: str = ""

    @classmethod
    def from_manifest(
        cls,
        manifest: Manifest,
        wanted: ReportOptions,
        state: State,
        errors: Sequence[FieldError] = (),
        severity: Severity | None = Severity.ERROR,
        warnings: Sequence[str] = (),
        recognised: Recognised | None = None,
    ) -> Verdict:
        """Returns the verdict on a manifest."""
        has_findings = state is State.NOT_JUDGED and severity is not None
        return cls(
            manifest.file,
            manifest.line,
            manifest.identity,
            state,
            tuple(Wrong.from_error(error, manifest, wanted) for error in errors),
            severity,
            tuple((each, _find_span(manifest, each) if wanted.places else None) for each in warnings),
            recognised.reason if recognised is not None else "",
            recognised is not None and bool(recognised.hint or recognised.built_in),
            find_place(manifest, "kind") if wanted.places and has_findings else None,
            template=manifest.template if errors or warnings or has_findings else "",
        )

    @property
    def name(self) -> str:
        """`metadata.name`, empty when there is none."""
        return self.identity[3]

    @property
    def where(self) -> str:
        """Location of the object as people read it."""
        return f"{self.file}:{self.line}{f' ({self.template})' if self.template else ''}"

    @property
    def fails(self) -> bool:
        return (
            self.state is State.INVALID
            or (self.state is State.NOT_JUDGED and self.severity is Severity.ERROR)
            or (self.end is not None and self.end.severity is Severity.ERROR)
        )

    @property
    def warns(self) -> bool:
        """True if the server's answer has a warning."""
        return bool(self.warnings) or (self.end is not None and self.end.is_served)

    def without_warnings(self) -> Verdict:
        """Returns the verdict without the server's warnings."""
        return replace(self, warnings=(), end=None if self.end is not None and self.end.is_served else self.end)

    @property
    def told(self) -> bool:
        """True if the verdict has findings."""
        return (
            bool(self.warnings)
            or self.end is not None
            or self.state is State.INVALID
            or (self.state is State.NOT_JUDGED and self.severity is not None)
        )

    def moved(self, file: str, lines: int) -> Verdict:
        """Returns the verdict in a file, with shifted line numbers."""
        if not lines and file == self.file:
            return self
        return replace(
            self,
            file=file,
            line=self.line + lines,
            errors=tuple(replace(each, place=_move(each.place, file, lines)) for each in self.errors),
            warnings=tuple((text, _move(place, file, lines)) for text, place in self.warnings),
            place=_move(self.place, file, lines),
            end=self.end and replace(self.end, place=_move(self.end.place, file, lines)),
        )


def find_place(manifest: Manifest, path: str) -> Span:
    """Returns the location of a path in a manifest."""
    return manifest.positions.span(find_path(manifest.obj, path)[0])


def _find_span(manifest: Manifest, warning: str) -> Span:
    """Returns the location of a warning: the field that it begins with, or the object."""
    path = warning.partition(":")[0]
    return find_place(manifest, path if _PATH.fullmatch(path) else "kind")


def _move(place: Span | None, file: str, lines: int) -> Span | None:
    return None if place is None else replace(place, file=file, line=place.line and place.line + lines)


#: A kind by group or API version, and name.
Name = tuple[str, str]


@dataclass(slots=True)
class Block:
    """Findings of a part of the input, in the order of that part."""

    objects: int = 0
    verdicts: list[Verdict] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)

    def moved(self, file: str, lines: int) -> Block:
        """Returns the block in a file, with shifted line numbers."""
        problems = [replace(each, span=_move(each.span, file, lines) or each.span) for each in self.problems]
        return Block(self.objects, [each.moved(file, lines) for each in self.verdicts], problems)


@dataclass(slots=True)
class Results:
    """The results of a validation.

    Attributes:
        blocks: findings, by the number of the part of the input.
        states: the number of objects in each state.
        unjudged: descriptions of the kinds without rules, with the number of their objects.
        kinds: the API versions and names of all objects.
        updates: True if any of the objects has an old one.
        lists: groups and names of objects that look like lists, and `defined` those of definitions among the
            objects.
        cut: True if a part has shown that its file cannot be read in parts.
    """

    blocks: dict[int, Block] = field(default_factory=dict)
    states: Counter[State] = field(default_factory=Counter)
    unjudged: Counter[str] = field(default_factory=Counter)
    kinds: set[Name] = field(default_factory=set)
    updates: bool = False
    lists: set[Name] = field(default_factory=set)
    defined: set[Name] = field(default_factory=set)
    cut: bool = False

    @property
    def objects(self) -> int:
        """Number of objects."""
        return sum(self.states.values())

    @property
    def verdicts(self) -> list[Verdict]:
        """Returns the verdicts with findings, and others if they were requested, in the order of input."""
        return [verdict for _, block in sorted(self.blocks.items()) for verdict in block.verdicts]

    @property
    def fails(self) -> bool:
        """True if an object is invalid, or was not validated and should be."""
        return any(verdict.fails for block in self.blocks.values() for verdict in block.verdicts)

    def merge(self, other: Results) -> None:
        """Adds the results of other parts, which must not be used afterwards."""
        self.blocks |= other.blocks
        self.states += other.states
        self.unjudged += other.unjudged
        self.kinds |= other.kinds
        self.updates |= other.updates
        self.lists |= other.lists
        self.defined |= other.defined
        self.cut |= other.cut

    def summary(self) -> str:
        """Returns the number of objects in each state; the first two states always appear."""
        always = (State.VALID, State.INVALID)
        lines = [f"{self.states[state]} {state.value}" for state in State if self.states[state] or state in always]
        return f"{counted(self.objects, 'object')}: {', '.join(lines)}"

    def tally(self) -> list[str]:
        """Returns a line for each kind that was not validated, with the number of its objects."""
        skipped = (NO_KIND, FOR_KUSTOMIZE) if self.states[State.SKIPPED] else ()
        return [
            f"{'skipped' if name.endswith(skipped) else 'not judged'}: {count} {name}"
            for name, count in sorted(self.unjudged.items())
        ]
