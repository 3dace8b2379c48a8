"""Objects on which validators and schemas are compared: at the edges of the new rules, and drawn ones."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

from validation_gen.build.pipeline import build_files
from validation_gen.emit.loading.generated import load_registry
from validation_gen.ir import Program
from validation_gen.runtime.errors import FieldError
from validation_gen.uses.coverage import Declared, declared, roots
from validation_gen.uses.edgecases import Drawing, Places, Subject, boundary_cases, seeded, subject
from validation_gen.uses.edgecases.steps import ABSENT, get, located, with_value
from validation_gen.uses.migrate.state import Kind

_DRAWN = 60
#: A type can be used in many places, and its rules are the same in all of them.
_PLACES = 3
#: Where a tag stands.
Line = tuple[str, int]


@dataclass(slots=True)
class Objects:
    """The kinds of a program with their validators, and objects for them."""

    program: Program
    lines: Collection[Line]
    subjects: dict[Kind, Subject] = field(default_factory=dict)
    #: The lines of rules that some object breaks.
    broken: set[Line] = field(default_factory=set)
    #: The lines of rules that some kind has.
    seen: set[Line] = field(default_factory=set)
    _sources: dict[tuple[str, str], Line] = field(default_factory=dict)

    def line_of(self, error: FieldError) -> Line | None:
        """The line of the tag behind an error, if it is one of `lines`. Errors name it by its package."""
        if not self._sources:
            rules = [(rule, line_of(rule)) for rule in declared(self.program)]
            self._sources = {(rule.place, rule.tag): line for rule, line in rules if line in self.lines}
        return self._sources.get((error.rule.place, error.tag))

    def all(self) -> Iterator[tuple[Kind, Any]]:
        """The objects, each with its kind."""
        registry = load_registry(build_files(self.program))
        places = Places(self.program)
        for package, root in roots(self.program):
            found = subject(places, registry, package, root)
            if found is not None:
                self.subjects[package.path, root.kind] = found
        rules = self._rules()
        self.seen = {line_of(rule) for rule in rules}
        for case in boundary_cases(self.program, registry, rules):
            kind = case.rule.package, case.rule.kind
            if case.failing is None or kind not in self.subjects:
                continue
            self.broken.add(line_of(case.rule))
            yield kind, case.failing.obj
            for obj in self._around(case.failing.obj, case.rule, self.subjects[kind]):
                yield kind, obj
            if case.passing is not None:
                yield kind, case.passing.obj
        for kind, each in self.subjects.items():
            drawing = Drawing(each, seeded("migrate", kind[1]))
            for _ in range(_DRAWN):
                yield kind, drawing.request().obj

    def _rules(self) -> list[Declared]:
        """The rules of the lines, of each as many as are worth a try."""
        times: dict[object, int] = {}
        found = []
        for rule in declared(self.program):
            key = rule.span, rule.type
            if line_of(rule) in self.lines and times.setdefault(key, 0) < _PLACES:
                times[key] += 1
                found.append(rule)
        return found

    def _around(self, obj: Any, rule: Declared, kind: Subject) -> Iterator[Any]:
        """The object with nothing, null, or a zero value where it breaks a rule."""
        for error in kind.errors(kind.probe(obj, options={})):
            if self.line_of(error) == line_of(rule):
                steps, _ = located(error.field, kind.place, obj)
                if steps:
                    for value in (ABSENT, None, *zeros_of(get(obj, steps))):
                        yield with_value(obj, steps, value)
                return


def line_of(rule: Declared) -> Line:
    return rule.span.file, rule.span.line


def zeros_of(value: Any) -> tuple[Any, ...]:
    """The zero values that can stand in the place of a value."""
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
