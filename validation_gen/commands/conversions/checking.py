"""Checks conversions on drawn objects: round trips from each version of a kind to each other one.

An object must come back unchanged. Values that the other version cannot represent are stored in an annotation, and that
must be declared: a silently lost field is a problem. The results must be valid in their version. A field has the same
name for all objects: `spec.ports[*].name`, for any item or key.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from validation_gen.commands.compare.sides.functions import describe_exception, find_location
from validation_gen.commands.conversions.drawing import Drawn
from validation_gen.commands.conversions.kinds import UNKNOWN, Version, Versioned
from validation_gen.commands.edgecases import Probe, ValueSpec, shrink
from validation_gen.ir import ListOf, MapOf, StructRef
from validation_gen.runtime.errors import FieldError
from validation_gen.webhooks.conversions import KEPT, ConversionError, Converter, Loss
from validation_gen.webhooks.conversions.kept import Entry, UnrepresentableFields, find_losses
from validation_gen.webhooks.conversions.paths import spelt
from validation_gen.webhooks.conversions.values import ABSENT, find_cause

_INDEX = re.compile(r"\[[^\]]*\]")


_STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")


def value_at(obj: Any, path: str) -> Any:
    """Returns the value at the path of an error, `ABSENT` if it cannot be found: keys with dots are ambiguous."""
    for match in _STEP.finditer(path):
        name, index = match.groups()
        if isinstance(obj, dict) and name in obj:
            obj = obj[name]
        elif isinstance(obj, list) and index and int(index) < len(obj):
            obj = obj[int(index)]
        else:
            return ABSENT
    return obj


def has_field(spec: ValueSpec, name: str) -> bool:
    """Returns whether objects of a place have a field, by its name."""
    for match in re.finditer(r"\.?([^.\[\]]+)|\[\*\]", name):
        shape = spec.value
        if match[1] is None and isinstance(shape, ListOf | MapOf):
            spec = spec.elem
        elif isinstance(shape, StructRef) and match[1] in spec.members:
            spec = spec.members[match[1]]
        else:
            return False
    return True


def find_field(place: ValueSpec | None, at: str | Sequence[Any]) -> str:
    """Returns the field of a path or of steps, in objects of a place."""
    if isinstance(at, str):
        # Keys of maps may have dots: they are in brackets there.
        return "" if at == "<nil>" else _INDEX.sub("[*]", at)
    found: list[Any] = []
    for step in at:
        inside: ValueSpec | None = None
        shape = place.value if place is not None else None
        if isinstance(shape, ListOf | MapOf):
            assert place is not None
            inside = place.elem
            found.append(None)
        else:
            if isinstance(shape, StructRef):
                assert place is not None
                inside = place.members.get(step) if isinstance(step, str) else None
            found.append(step if isinstance(step, str) else None)
        place = inside
    return spelt(tuple(found))


#: Maximum number of calls while an example is shrunk.
_QUESTIONS = 300
#: Maximum numbers of reported problems of a round trip, and of shrunk examples.
_MOST_PROBLEMS, _MOST_SHRUNK = 100, 20
_ANNOTATIONS = ("metadata", "annotations")
_LOST, _INVALID, _FAILED, _CHANGED = "lost", "invalid", "failed", "changed"


@dataclass(slots=True)
class Problem:
    """A problem of a round trip, and a small object that shows it.

    Attributes:
        code: the code of the finding.
        sort: `lost`, `invalid`, `failed` or `changed`.
        field: the affected field, with `[*]` for items; empty if it is the object.
        text: the message.
        count: number of objects with the problem.
        before: the value before, and `after` the value after the trip; `ABSENT` is none.
        example: the object.
        own: True if the field also has this name in the version of the objects.
    """

    code: str
    sort: str
    field: str
    text: str
    count: int = 0
    before: Any = ABSENT
    after: Any = ABSENT
    example: Any = None
    own: bool = True


@dataclass(slots=True)
class RoundTrip:
    """A round trip between two versions, with all objects that were drawn of the first one.

    `kept` are the declared fields whose values are in the annotation, each with the number of objects. `unreached` are
    fields without a valid value, `skipped` those for which there were too few objects.
    """

    kind: str
    group: str
    source: str
    target: str
    objects: int = 0
    problems: list[Problem] = field(default_factory=list)
    kept: dict[str, int] = field(default_factory=dict)
    unreached: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)


def check_round_trips(
    converter: Converter, versioned: Versioned, cases: int, seed: int, tell: Callable[[str], None] = lambda text: None
) -> Iterator[RoundTrip]:
    """Yields all round trips between the versions of a kind that the converter knows, limited to `cases` objects."""
    known = find_known_versions(converter, versioned)
    for source in known:
        drawn = Drawn(versioned.versions[source], seed)
        objects = list(drawn.objects(cases))
        for target in known:
            if target != source:
                tell(f"{versioned.kind}: {source} to {target} and back")
                yield round_trip(converter, versioned, target, drawn, objects)


def round_trip(
    converter: Converter,
    versioned: Versioned,
    target: str,
    drawn: Drawn,
    objects: Sequence[Any],
    *,
    examples: bool = True,
) -> RoundTrip:
    """Converts drawn objects to another version and back.

    Without `examples`, these are not shrunk.
    """
    trip = _Round(converter, drawn.version, versioned.versions[target]).trip(versioned, objects, examples=examples)
    trip.unreached, trip.skipped = list(drawn.unreached), list(drawn.skipped)
    return trip


def find_known_versions(converter: Converter, versioned: Versioned) -> list[str]:
    """Returns the versions of a kind that are both served and converted."""
    kinds = converter.kinds
    known = kinds.get((versioned.group, versioned.kind)) or kinds.get(("", versioned.kind)) or frozenset()
    return [name for name in versioned.versions if name in known]


@dataclass
class _Round:
    converter: Converter
    source: Version
    target: Version

    def trip(self, versioned: Versioned, objects: Sequence[Any], *, examples: bool) -> RoundTrip:
        trip = RoundTrip(versioned.kind, versioned.group, self.source.name, self.target.name)
        problems: dict[tuple[str, str, str], Problem] = {}
        for obj in objects:
            trip.objects += 1
            found, kept = self._problems(obj)
            for name in kept:
                trip.kept[name] = trip.kept.get(name, 0) + 1
            for key, problem in found.items():
                if key in problems or len(problems) < _MOST_PROBLEMS:
                    problems.setdefault(key, problem).count += 1
        for key, problem in list(problems.items())[:_MOST_SHRUNK] if examples else ():
            self._make_small(key, problem)
        trip.problems = sorted(problems.values(), key=lambda each: (each.code, each.field, each.text))
        trip.kept = dict(sorted(trip.kept.items()))
        return trip

    def _problems(self, obj: Any) -> tuple[dict[tuple[str, str, str], Problem], set[str]]:
        """Returns the problems of one object, and its declared fields in the annotation."""
        try:
            made, losses = self.converter.traced(obj, self.target.api_version)
            back = self.converter.convert(made, self.source.api_version)
        except ConversionError as problem:
            return _by_key([_report_failure(problem, obj)]), set()
        found = []
        kept = set()
        for loss in losses:
            if loss.declared is not None:
                kept.add(str(loss.declared))
            elif not _says_nothing(loss):
                found.append(self._lost(loss, self._field(loss), obj))
        for error in self.target.errors(made):
            name = find_field(self.target.subject.place, error.field)
            if error.detail == UNKNOWN:
                text = f"is not a field of {self.target.name}, so that servers drop it"
                before = value_at(made, error.field)
                own = has_field(self.source.subject.place, name)
                found.append(Problem("VG640", _LOST, name, text, before=before, example=obj, own=own))
                continue
            found.append(Problem("VG641", _INVALID, name, _render_error(error), after=_value(error), example=obj))
        for entry in _changes(obj, back):
            name = find_field(self.source.subject.place, entry.at)
            found.append(Problem("VG643", _CHANGED, name, "", before=entry.value, after=entry.made, example=obj))
        return _by_key(found), kept

    def _field(self, loss: Loss) -> str:
        version = self.source if loss.way.source == self.source.name else None
        return find_field(version.subject.place if version else None, loss.entry.at)

    def _lost(self, loss: Loss, name: str, obj: Any) -> Problem:
        way, entry = loss.way, loss.entry
        text = "" if way.source == self.source.name else f"on the way from {way.source} to {way.target}"
        return Problem("VG640", _LOST, name, text, before=entry.value, after=entry.made, example=obj)

    def _make_small(self, key: tuple[str, str, str], problem: Problem) -> None:
        """Shrinks the example to the parts that the problem needs."""
        source = self.source
        probe = Probe(source.kind, problem.example, api_version=source.api_version)

        def shows(smaller: Probe) -> bool:
            obj = smaller.obj
            if not isinstance(obj, dict) or not isinstance(obj.get("metadata"), dict) or source.errors(obj):
                return False
            return key in self._problems(obj)[0]

        small = shrink(probe, shows, most=_QUESTIONS).obj
        found = self._problems(small)[0].get(key)
        if found is not None:
            problem.example, problem.before, problem.after = small, found.before, found.after


def _report_failure(problem: ConversionError, obj: Any) -> Problem:
    """Returns the problem of a failed conversion, the same for all objects that fail at the same line of a function."""
    cause = find_cause(problem)
    if cause is None:
        return Problem("VG642", _FAILED, "", str(problem), example=obj)
    place = find_location(cause)
    after = describe_exception(cause).removesuffix(f" ({place})").removeprefix(type(cause).__name__).removeprefix(": ")
    return Problem("VG642", _FAILED, "", f"{problem}{f' at {place}' if place else ''}", after=after, example=obj)


def _changes(obj: Any, back: Any) -> list[Entry]:
    """Returns the changes of a round trip. Other changes cause leftover annotations, which are then ignored."""
    changes = find_losses(obj, back, UnrepresentableFields())
    return [entry for entry in changes if entry.at[:2] != _ANNOTATIONS or KEPT not in _names(entry)] or changes


def _names(entry: Entry) -> tuple[str, ...]:
    """Returns the names of annotations in an entry."""
    return (*entry.at[2:], *(entry.made if isinstance(entry.made, dict) else ()))


def _says_nothing(loss: Loss) -> bool:
    """Returns whether an empty object is lost or added: the annotation restores it."""
    return all(value is ABSENT or value == {} for value in (loss.entry.value, loss.entry.made))


def _by_key(problems: Sequence[Problem]) -> dict[tuple[str, str, str], Problem]:
    found: dict[tuple[str, str, str], Problem] = {}
    for problem in problems:
        found.setdefault((problem.code, problem.field, problem.text), problem)
    return found


def _value(error: FieldError) -> Any:
    value = error.bad_value
    return value if isinstance(value, str | int | float | bool | list | dict | None) else ABSENT


def _render_error(error: FieldError) -> str:
    """Returns the message about a value, the same for all items."""
    detail = error.detail.replace(f"{error.field} in body ", "")
    return f"{error.type.label}: {detail}" if detail else error.type.label
