"""Proves conversions on drawn objects: there and back, from each version of a kind to each other one.

An object must come back as it was. What the other version cannot hold is in an annotation meanwhile, and that
must be meant: a field that is lost without a word is a problem. What comes out must be valid in its version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from validation_gen.conversions import KEPT, ConversionError, Converter, Loss
from validation_gen.conversions.errors import find_cause
from validation_gen.conversions.kept import Entry, Keeps, lost
from validation_gen.conversions.values import ABSENT
from validation_gen.runtime.errors import FieldError
from validation_gen.uses.compare.sides.loading import place_of, said
from validation_gen.uses.conversions.drawing import Drawn
from validation_gen.uses.conversions.fields import field_of, has_field, value_at
from validation_gen.uses.conversions.kinds import UNKNOWN, Version, Versioned
from validation_gen.uses.edgecases import Probe, shrink

#: How often an example is asked about while it is made small.
_QUESTIONS = 300
#: How many problems of a way are told, and of how many the example is made small.
_MOST_PROBLEMS, _MOST_SHRUNK = 100, 20
_ANNOTATIONS = ("metadata", "annotations")
_LOST, _INVALID, _FAILED, _CHANGED = "lost", "invalid", "failed", "changed"


@dataclass(slots=True)
class Problem:
    """What goes wrong on a way, and a small object that shows it.

    Attributes:
        code: the code of the finding.
        sort: `lost`, `invalid`, `failed` or `changed`.
        field: the field that it is about, with `[*]` for items; empty if it is the object.
        text: what is said of it.
        count: how many objects show it.
        before: the value before, and `after` what it has become; `ABSENT` is none.
        example: the object.
        own: whether the field has this name in the version that the objects are of, too.
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
class Trip:
    """There and back between two versions, with all objects that were drawn of the first one.

    `kept` are the fields whose values are in the annotation meanwhile, as is declared, each with the number of objects.
    `unreached` are fields of which no valid value was found, `skipped` those for which there were too few objects.
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


def checked(
    converter: Converter, versioned: Versioned, cases: int, seed: int, tell: Callable[[str], None] = lambda text: None
) -> Iterator[Trip]:
    """All ways between the versions of a kind that the converter knows, each with at most so many objects."""
    known = known_versions(converter, versioned)
    for source in known:
        drawn = Drawn(versioned.versions[source], seed)
        objects = list(drawn.objects(cases))
        for target in known:
            if target != source:
                tell(f"{versioned.kind}: {source} to {target} and back")
                yield went(converter, versioned, target, drawn, objects)


def went(
    converter: Converter,
    versioned: Versioned,
    target: str,
    drawn: Drawn,
    objects: Sequence[Any],
    *,
    examples: bool = True,
) -> Trip:
    """What comes of going to another version and back with objects that were drawn.

    Without `examples`, those are not made small.
    """
    trip = _Round(converter, drawn.version, versioned.versions[target]).trip(versioned, objects, examples=examples)
    trip.unreached, trip.skipped = list(drawn.unreached), list(drawn.skipped)
    return trip


def known_versions(converter: Converter, versioned: Versioned) -> list[str]:
    """The versions of a kind that are both served and converted."""
    kinds = converter.kinds
    known = kinds.get((versioned.group, versioned.kind)) or kinds.get(("", versioned.kind)) or frozenset()
    return [name for name in versioned.versions if name in known]


@dataclass
class _Round:
    converter: Converter
    source: Version
    target: Version

    def trip(self, versioned: Versioned, objects: Sequence[Any], *, examples: bool) -> Trip:
        trip = Trip(versioned.kind, versioned.group, self.source.name, self.target.name)
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
        """What goes wrong with one object, and what of it is kept as is declared."""
        try:
            made, losses = self.converter.traced(obj, self.target.api_version)
            back = self.converter.convert(made, self.source.api_version)
        except ConversionError as problem:
            return _by_key([_failed(problem, obj)]), set()
        found = []
        kept = set()
        for loss in losses:
            if loss.declared is not None:
                kept.add(str(loss.declared))
            elif not _says_nothing(loss):
                found.append(self._lost(loss, self._field(loss), obj))
        for error in self.target.errors(made):
            name = field_of(self.target.subject.place, error.field)
            if error.detail == UNKNOWN:
                text = f"is no field of {self.target.name}, so that servers drop it"
                before = value_at(made, error.field)
                own = has_field(self.source.subject.place, name)
                found.append(Problem("VG640", _LOST, name, text, before=before, example=obj, own=own))
                continue
            found.append(Problem("VG641", _INVALID, name, _said(error), after=_value(error), example=obj))
        for entry in _changes(obj, back):
            name = field_of(self.source.subject.place, entry.at)
            found.append(Problem("VG643", _CHANGED, name, "", before=entry.value, after=entry.made, example=obj))
        return _by_key(found), kept

    def _field(self, loss: Loss) -> str:
        version = self.source if loss.way.source == self.source.name else None
        return field_of(version.subject.place if version else None, loss.entry.at)

    def _lost(self, loss: Loss, name: str, obj: Any) -> Problem:
        way, entry = loss.way, loss.entry
        text = "" if way.source == self.source.name else f"on the way from {way.source} to {way.target}"
        return Problem("VG640", _LOST, name, text, before=entry.value, after=entry.made, example=obj)

    def _make_small(self, key: tuple[str, str, str], problem: Problem) -> None:
        """Takes away from the example what the problem does not need."""
        source = self.source
        probe = Probe(source.kind, "", source.api_version, problem.example)

        def shows(smaller: Probe) -> bool:
            obj = smaller.obj
            if not isinstance(obj, dict) or not isinstance(obj.get("metadata"), dict) or source.errors(obj):
                return False
            return key in self._problems(obj)[0]

        small = shrink(probe, shows, most=_QUESTIONS).obj
        found = self._problems(small)[0].get(key)
        if found is not None:
            problem.example, problem.before, problem.after = small, found.before, found.after


def _failed(problem: ConversionError, obj: Any) -> Problem:
    """Why an object cannot be converted: the same for all objects for which a function breaks at the same place."""
    cause = find_cause(problem)
    if cause is None:
        return Problem("VG642", _FAILED, "", str(problem), example=obj)
    place = place_of(cause)
    after = said(cause).removesuffix(f" ({place})").removeprefix(type(cause).__name__).removeprefix(": ")
    return Problem("VG642", _FAILED, "", f"{problem}{f' at {place}' if place else ''}", after=after, example=obj)


def _changes(obj: Any, back: Any) -> list[Entry]:
    """What has changed on the way. That something is still kept is told if nothing else is: it follows from changes."""
    changes = lost(obj, back, Keeps())
    return [entry for entry in changes if entry.at[:2] != _ANNOTATIONS or KEPT not in _names(entry)] or changes


def _names(entry: Entry) -> tuple[str, ...]:
    """The names of annotations that an entry is about."""
    return (*entry.at[2:], *(entry.made if isinstance(entry.made, dict) else ()))


def _says_nothing(loss: Loss) -> bool:
    """Whether an empty object is lost, or comes instead of none: it is restored all the same."""
    return all(value is ABSENT or value == {} for value in (loss.entry.value, loss.entry.made))


def _by_key(problems: Sequence[Problem]) -> dict[tuple[str, str, str], Problem]:
    found: dict[tuple[str, str, str], Problem] = {}
    for problem in problems:
        found.setdefault((problem.code, problem.field, problem.text), problem)
    return found


def _value(error: FieldError) -> Any:
    value = error.bad_value
    return value if isinstance(value, str | int | float | bool | list | dict | None) else ABSENT


def _said(error: FieldError) -> str:
    """What is said of a value, the same for all items."""
    detail = error.detail.replace(f"{error.field} in body ", "")
    return f"{error.type.label}: {detail}" if detail else error.type.label
