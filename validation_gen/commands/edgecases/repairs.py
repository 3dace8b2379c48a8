"""Test requests for validators, and repairs of them.

A repair takes the errors one by one, and keeps each change that removes an unwanted one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from typing import Any

from validation_gen.commands.edgecases import relations
from validation_gen.commands.edgecases.objects import Objects, unlike
from validation_gen.commands.edgecases.steps import ABSENT, Steps, get, locate, with_value
from validation_gen.commands.edgecases.value_specs import Conditions, ValueSpec, ValueSpecs, option_name
from validation_gen.commands.edgecases.values import edges, find_options, fitting, short
from validation_gen.ir import Aspect, ListOf, PackagePlan, Root, StructRef, predicates
from validation_gen.ir.checks import options_in
from validation_gen.runtime.errors import ErrorType, FieldError, Mark
from validation_gen.runtime.levels import Level
from validation_gen.runtime.registry import Kind, Registry

_LATEST = 4


@dataclass(frozen=True, slots=True)
class Probe:
    """A create or an update of one object. Objects must not be changed: probes share parts.

    Attributes:
        kind: the name of the Go type or Python class.
        obj: the object as decoded JSON.
        old: the old object, `None` for a create.
        update: True if `obj` replaces `old`. An update may be without an old object.
        package: its import path or the end of one; `""` when `api_version` or the name alone identifies it.
        api_version: `group/version` as the object has it, `""` when `package` or the name alone identifies it.
        options: the validation options of the request by name.
        subresource: the path below the object, `/` for the object itself.
    """

    kind: str
    obj: Any
    old: Any = None
    update: bool = False
    package: str = ""
    api_version: str = ""
    options: Mapping[str, bool] = field(default_factory=dict)
    subresource: str = "/"


@dataclass(frozen=True, slots=True)
class Subject:
    """A kind with its validators.

    `options` are the validation options on which its rules depend.
    """

    root: Root
    kind: Kind
    place: ValueSpec
    options: tuple[str, ...]
    run: Callable[..., list[FieldError]]
    #: Cache of the latest probes with their errors: the search for a boundary needs those of a probe several times.
    _latest: dict[tuple[object, ...], tuple[Probe, list[FieldError]]] = field(
        default_factory=dict, repr=False, compare=False
    )
    #: The smallest objects by conditions.
    _smallest: dict[tuple[object, ...], Any] = field(default_factory=dict, repr=False, compare=False)

    def probe(self, obj: Any, old: Any = None, *, update: bool = False, options: Mapping[str, bool]) -> Probe:
        """Returns a request for the first of the paths for which the kind is validated."""
        kind = self.kind
        subresource = (kind.subresources or ("/",))[0]
        return Probe(kind.name, obj, old, update, kind.package, kind.api_version, options, subresource)

    def errors(self, probe: Probe) -> list[FieldError]:
        """Runs the validators, and returns the errors of tags; schemas are not evaluated here."""
        key = (id(probe.obj), id(probe.old), probe.update, probe.subresource, *sorted(probe.options.items()))
        known = self._latest.pop(key, None)
        if known is None:
            found = self.run(
                self.kind,
                probe.obj,
                probe.old,
                update=probe.update,
                options=probe.options,
                subresource=probe.subresource,
            )
            known = probe, [error for error in found if Mark.SCHEMA not in error.marks]
        self._latest[key] = known
        if len(self._latest) > _LATEST:
            del self._latest[next(iter(self._latest))]
        return list(known[1])

    def states(self, known: Mapping[str, object]) -> Iterator[dict[str, object]]:
        """Yields option states as conditions: all off, then each on, then all on, with known ones unchanged."""
        names = [name for name in map(option_name, self.options) if name not in known]
        for on in dict.fromkeys([frozenset[str](), *(frozenset({name}) for name in names), frozenset(names)]):
            yield {name: name in on for name in names} | dict(known)

    def whole(self, value: Any) -> Any:
        """Returns a value of the kind's type as an object, with its kind and name if such objects have them."""
        version = self.kind.api_version
        if not version or not isinstance(value, dict):
            return value
        head: dict[str, Any] = {"apiVersion": version, "kind": self.kind.name}
        metadata = value.get("metadata") or {}
        if "metadata" in self.place.members and isinstance(metadata, dict):
            head["metadata"] = metadata if metadata.get("name") else {"name": "a"} | metadata
        return {**head, **value, **head}

    def smallest(self, conditions: Conditions) -> Any:
        """Returns the smallest valid object, or one with few errors."""
        key = tuple(conditions.items())
        if key not in self._smallest:
            obj = self.whole(Objects().value(self.place, conditions))
            probe = self.probe(obj, options=find_options(conditions))
            self._smallest[key] = repair(self, probe, conditions, lambda error: False, lambda probe: True).obj
        return self._smallest[key]


def subject(places: ValueSpecs, registry: Registry, package: PackagePlan, root: Root) -> Subject | None:
    """Returns a kind with its validators, `None` if nothing is validated."""
    named = [kind for kind in registry.of_type(root.kind, package.path) if kind.package == package.path]
    if not named or named[0].subresources is None:
        return None
    program = places.program
    plans = (program.types[id] for id in program.types_from([root.type]) if id in program.types)
    options = {option for plan in plans for check in plan.every_check for option in options_in(check)}
    run = partial(registry.run, level=Level.ALPHA)
    return Subject(root, named[0], places.of_type(root.type), tuple(sorted(options)), run)


#: Origins of errors about changes.
_OF_CHANGES = {
    each.origin
    for predicate in predicates.PREDICATES.values()
    if predicate.measures is Aspect.CHANGE
    for each in predicate.emits
}
_MOST_ERRORS = 4  # errors to repair before giving up
_MOST_MOVES = 24
_MOST_ROUNDS = 25

#: Returns whether an error is wanted.
IsWanted = Callable[[FieldError], bool]
IsKept = Callable[[Probe], bool]


def repair(subject: Subject, probe: Probe, conditions: Conditions, wanted: IsWanted, keeps: IsKept) -> Probe:
    """Returns the request with as few unwanted errors as possible."""
    unwanted = [error for error in subject.errors(probe) if not wanted(error)]
    for _ in range(_MOST_ROUNDS):
        if not unwanted:
            break
        better = _better(subject, probe, conditions, unwanted, wanted, keeps)
        if better is None:
            break
        probe, unwanted = better
    return probe


def _better(
    subject: Subject, probe: Probe, conditions: Conditions, unwanted: list[FieldError], wanted: IsWanted, keeps: IsKept
) -> tuple[Probe, list[FieldError]] | None:
    for error in unwanted[:_MOST_ERRORS]:
        for move in islice(_moves(subject, probe, conditions, error), _MOST_MOVES):
            if keeps(move):
                left = [each for each in subject.errors(move) if not wanted(each)]
                if len(left) < len(unwanted):
                    return move, left
    return None


def _moves(subject: Subject, probe: Probe, conditions: Conditions, error: FieldError) -> Iterator[Probe]:
    """Yields requests that may be without an error, the most promising first."""
    steps, places = locate(error.field, subject.place, probe.obj)
    moves = _Moves(probe, {**conditions, **{option_name(n): s for n, s in probe.options.items()}})
    if error.origin in _OF_CHANGES:
        yield from moves.undone(steps)
    yield from moves.at(steps, places, error)
    for length in range(len(steps) - 1, max(len(steps) - 3, 0), -1):
        yield moves.put(steps[:length], ABSENT)


class _Moves:
    def __init__(self, probe: Probe, conditions: Conditions) -> None:
        self.probe = probe
        self.conditions = conditions

    def put(self, steps: Steps, value: Any) -> Probe:
        """Returns the probe with another value; also in the old object, if the update did not change the value."""
        probe = self.probe
        old = probe.old
        if probe.update and get(old, steps) == get(probe.obj, steps):
            old = with_value(old, steps, value)
        return replace(probe, obj=with_value(probe.obj, steps, value), old=old)

    def undone(self, steps: Steps) -> Iterator[Probe]:
        """Yields updates that keep a value, or the values around it."""
        probe = self.probe
        for length in range(len(steps), max(len(steps) - 3, 0), -1):
            way = steps[:length]
            yield replace(probe, old=with_value(probe.old, way, get(probe.obj, way)))
            yield replace(probe, obj=with_value(probe.obj, way, get(probe.old, way)))

    def at(self, steps: Steps, places: list[ValueSpec], error: FieldError) -> Iterator[Probe]:
        if len(places) != len(steps) + 1:
            return
        place = places[-1]
        value = get(self.probe.obj, steps)
        if error.type is ErrorType.DUPLICATE:
            yield from self._unlike(steps, places)
        if error.type is ErrorType.FORBIDDEN:
            yield self.put(steps, ABSENT)
        if isinstance(place.value, StructRef):
            yield from self._rearrange(steps, place, value)
        if len(places) > 1 and isinstance(places[-2].value, StructRef) and _is_about_members(error, places[-2]):
            yield from self._rearrange(steps[:-1], places[-2], get(self.probe.obj, steps[:-1]))
        yield self.put(steps, Objects().set_value(place, self.conditions))
        yield from (self.put(steps, each) for each in islice(short(fitting(place, self.conditions)), 10))
        if isinstance(place.value, ListOf) and isinstance(value, list):
            yield from (self.put(steps, items) for items in self._lists(place, value))
        if steps:
            yield self.put(steps, ABSENT)

    def _unlike(self, steps: Steps, places: list[ValueSpec]) -> Iterator[Probe]:
        enclosing = places[-2] if len(places) > 1 else places[-1]
        match = relations.identity(enclosing, self.conditions)
        if match is not None:
            others = unlike(places[-1], get(self.probe.obj, steps), match, self.conditions)
            yield from (self.put(steps, other) for other in islice(others, 1, 6))

    def _lists(self, spec: ValueSpec, items: list[Any]) -> Iterator[list[Any]]:
        for selector, item in spec.selected:
            wanted = {term.json: term.value for term in selector}
            yield [*items, Objects().selected(item, selector, self.conditions, 1)]
            yield [i for i in items if not (isinstance(i, dict) and wanted.items() <= i.items())]
        yield items[:-1]

    def _rearrange(self, steps: Steps, spec: ValueSpec, value: Any) -> Iterator[Probe]:
        """Yields other choices of set members in a struct."""
        obj = dict(value) if isinstance(value, dict) else {}

        def set_value(name: str) -> Any:
            return Objects().set_value(spec.members[name], self.conditions)

        for rule in relations.memberships(spec, self.conditions):
            members = relations.find_members(rule)
            for name, participant in members.items():
                chosen = relations.choose(rule, dict(obj), {name}, set_value)
                if rule.discriminator and participant.discriminator_value:
                    chosen[rule.discriminator] = participant.discriminator_value
                yield self.put(steps, chosen)
            for names in (set[str](), set(members)) if members else ():
                yield self.put(steps, relations.choose(rule, dict(obj), names, set_value))
        for modes in relations.find_modes(spec, self.conditions):
            hints = (mode for mode, _ in modes.rules)
            for mode in chain(hints, islice(edges(spec.members[modes.discriminator]), 6)):
                yield self.put(steps, {**obj, modes.discriminator: mode})


def _is_about_members(error: FieldError, enclosing: ValueSpec) -> bool:
    return error.type in (ErrorType.FORBIDDEN, ErrorType.REQUIRED, ErrorType.INVALID) and bool(
        relations.memberships(enclosing) or relations.discriminators(enclosing)
    )
