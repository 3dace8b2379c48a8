"""Objects for comparing validators and schemas: at the limits of the new rules, and drawn ones.

Definitions, schemas and validators are built from sources with new contents for some files.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from validation_gen.commands.coverage import Declared, list_declared_errors, roots
from validation_gen.commands.edgecases import Drawing, Subject, ValueSpecs, boundary_cases, make_random_source, subject
from validation_gen.commands.edgecases.steps import ABSENT, Steps, get, locate, with_value
from validation_gen.compiler.pipeline import Sources, build_files, lower, read
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity
from validation_gen.emit.loading.generated import load_registry
from validation_gen.emit.schema import SchemaOptions
from validation_gen.emit.schema.resources import ResourceEmitter, definitions
from validation_gen.ir import Program
from validation_gen.kubernetes.crd.schema import Schema, read_schema
from validation_gen.runtime.errors import FieldError
from validation_gen.sources.recording_fs import override_files

#: The import path of a package, and the name of a kind in it.
Kind = tuple[str, str]


@dataclass(slots=True)
class State:
    """Definitions and findings of sources.

    Attributes:
        sources: the sources.
        findings: the findings.
        definitions: by their files.
        written: the schemas of all versions, as definitions have them.
        namespaced: whether the objects of a kind have a namespace.
    """

    sources: Sources
    findings: list[Diagnostic]
    definitions: dict[str, Any] = field(default_factory=dict)
    written: dict[Kind, Any] = field(default_factory=dict)
    namespaced: dict[Kind, bool] = field(default_factory=dict)
    _schemas: dict[Kind, Schema] = field(default_factory=dict)

    @property
    def errors(self) -> list[Diagnostic]:
        return [finding for finding in self.findings if finding.severity is Severity.ERROR]

    def schema(self, kind: Kind) -> Schema:
        """Returns the schema of a kind, read on the first call."""
        if kind not in self._schemas:
            self._schemas[kind] = read_schema(self.written[kind])
        return self._schemas[kind]


def build_state(settings: Settings, contents: Mapping[str, bytes]) -> State:
    """Reads the sources and makes their definitions."""
    diagnostics = Diagnostics()
    with override_files(contents):
        sources = read(settings, diagnostics)
        program = lower(sources, replace(settings, every_kind=True, lint=False), diagnostics)
    state = State(sources, diagnostics.items)
    emitter = ResourceEmitter(program, SchemaOptions())
    for each in definitions(program):
        obj = emitter.definition(each)
        state.definitions[each.file] = obj
        schemas = {version["name"]: version["schema"]["openAPIV3Schema"] for version in obj["spec"]["versions"]}
        for package, root in each.versions:
            kind = package.path, root.kind
            state.written[kind] = schemas[package.version]
            state.namespaced[kind] = obj["spec"]["scope"] == "Namespaced"
    return state


def differences(before: State, after: State) -> list[tuple[str, ...]]:
    """Returns the paths at which definitions differ, also in the order of keys."""
    one, other = before.definitions, after.definitions
    names = sorted(one.keys() | other.keys())
    return [path for name in names for path in _compare(one.get(name), other.get(name), (name,))]


def _compare(one: Any, other: Any, path: tuple[str, ...]) -> list[tuple[str, ...]]:
    if isinstance(one, dict) and isinstance(other, dict):
        pairs = {key: (one.get(key, ABSENT), other.get(key, ABSENT)) for key in (*one, *other)}
        found = [each for key, pair in pairs.items() for each in _compare(*pair, (*path, str(key)))]
        return found or ([] if list(one) == list(other) else [path])
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        items = enumerate(zip(one, other, strict=True))
        return [each for index, pair in items for each in _compare(*pair, (*path, str(index)))]
    return [] if type(one) is type(other) and one == other else [path]


_DRAWN = 60
#: Maximum number of tested uses of a type, as its rules are the same in all of them.
_PLACES = 3
#: Number of batches that are tried for the values of a rule.
_OPEN = 8
#: Location of a tag.
Line = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Sample:
    """An object to compare. With `changes`, it represents all objects that have one of these values in `frame`."""

    kind: Kind
    obj: Any
    frame: Any = None
    changes: Mapping[Steps, Any] = field(default_factory=dict)

    def parts(self) -> Iterator[Sample]:
        """Yields the objects that it represents."""
        for steps, value in self.changes.items():
            yield Sample(self.kind, with_value(self.frame, steps, value))

    def above(self) -> set[Steps]:
        """Returns the paths of all values that contain a change."""
        return {steps[:length] for steps in self.changes for length in range(len(steps))}


@dataclass(slots=True)
class _Batch:
    """Values for rules in the same object, at paths of which none is below another.

    An object has a value for each required member. To validate it once for each rule would take the square of the
    number of members; so it is validated once for values of all rules.
    """

    kind: Kind
    frame: Any
    values: dict[Steps, list[Any]]
    above: set[Steps] = field(default_factory=set)

    def add(self, obj: Any, steps: Steps, values: list[Any]) -> bool:
        """Adds the values of a rule, unless its object differs from the frame elsewhere, or another change is there."""
        if steps in self.above or any(steps[:length] in self.values for length in range(len(steps) + 1)):
            return False
        frame = self.frame
        if len(self.values) == 1:  # the frame still has the wrong value of the first rule
            first = next(iter(self.values))
            frame = with_value(frame, first, get(obj, first))
        if with_value(obj, steps, ABSENT) != with_value(frame, steps, ABSENT):
            return False
        self.frame = frame
        self.put(steps, values)
        return True

    def put(self, steps: Steps, values: list[Any]) -> None:
        self.values[steps] = values
        self.above.update(steps[:length] for length in range(len(steps)))

    def samples(self) -> Iterator[Sample]:
        """Yields objects with the first value of each rule, with the second of each, and so on."""
        for number in range(max(map(len, self.values.values()))):
            changes = {steps: values[number] for steps, values in self.values.items() if number < len(values)}
            obj = self.frame
            for steps, value in changes.items():
                obj = with_value(obj, steps, value)
            yield Sample(self.kind, obj, self.frame, changes if len(changes) > 1 else {})


@dataclass(slots=True)
class Objects:
    """The kinds of a program with their validators, and objects for them."""

    program: Program
    lines: Collection[Line]
    subjects: dict[Kind, Subject] = field(default_factory=dict)
    #: Lines of rules that some object breaks.
    broken: set[Line] = field(default_factory=set)
    #: Lines of rules that some kind has.
    seen: set[Line] = field(default_factory=set)
    _sources: dict[tuple[str, str], Line] = field(default_factory=dict)

    def find_line(self, error: FieldError) -> Line | None:
        """Returns the line of the tag behind an error, if it is one of `lines`. Errors name it by its package."""
        if not self._sources:
            rules = [(rule, to_line(rule)) for rule in list_declared_errors(self.program)]
            self._sources = {(rule.place, rule.tag): line for rule, line in rules if line in self.lines}
        return self._sources.get((error.rule.place, error.tag))

    def all(self) -> Iterator[Sample]:
        """Yields the objects."""
        registry = load_registry(build_files(self.program))
        places = ValueSpecs(self.program)
        for package, root in roots(self.program):
            found = subject(places, registry, package, root)
            if found is not None:
                self.subjects[package.path, root.kind] = found
        rules = self._rules()
        self.seen = {to_line(rule) for rule in rules}
        batches: dict[Kind, list[_Batch]] = {}
        for case in boundary_cases(self.program, registry, rules, self.subjects):
            kind = case.rule.package, case.rule.kind
            if case.failing is None or kind not in self.subjects:
                continue
            self.broken.add(to_line(case.rule))
            obj, passing = case.failing.obj, case.passing and case.passing.obj
            steps = self._steps(obj, case.rule, self.subjects[kind])
            values = [get(obj, steps), ABSENT, None, *find_zeros(get(obj, steps))]
            if not steps or isinstance(steps[-1], int):
                yield from (Sample(kind, with_value(obj, steps, value)) for value in values[: None if steps else 1])
            else:
                if passing is not None and with_value(passing, steps, ABSENT) == with_value(obj, steps, ABSENT):
                    values.append(get(passing, steps))
                    passing = None
                known = batches.setdefault(kind, [])
                if not any(batch.add(obj, steps, values) for batch in known[-_OPEN:]):
                    known.append(_Batch(kind, obj, {}))
                    known[-1].put(steps, values)
            if passing is not None:
                yield Sample(kind, passing)
        for known in batches.values():
            for batch in known:
                yield from batch.samples()
        for kind, each in self.subjects.items():
            drawing = Drawing(each, make_random_source("migrate", kind[1]))
            for _ in range(_DRAWN):
                yield Sample(kind, drawing.request().obj)

    def _rules(self) -> list[Declared]:
        """Returns a limited number of rules for each of the lines."""
        times: dict[object, int] = {}
        found = []
        for rule in list_declared_errors(self.program):
            key = rule.span, rule.type
            if to_line(rule) in self.lines and times.setdefault(key, 0) < _PLACES:
                times[key] += 1
                found.append(rule)
        return found

    def _steps(self, obj: Any, rule: Declared, kind: Subject) -> Steps:
        """Returns the path of the value that breaks a rule."""
        for error in kind.errors(kind.probe(obj, options={})):
            if self.find_line(error) == to_line(rule):
                return locate(error.field, kind.place, obj)[0]
        return ()


def to_line(rule: Declared) -> Line:
    return rule.span.file, rule.span.line


def find_zeros(value: Any) -> tuple[Any, ...]:
    """Returns the zero values that can replace a value."""
    match value:
        case bool():
            return (False,)
        case str():
            return ("",)
        case int() | float():
            return (0,)
        case list():
            return ([],)
        case dict():
            return ({},)
    return "", 0, [], {}, False
