"""Boundary cases: for each declared rule a request that breaks it, and a similar one that does not.

Requests are built from the rule, on the smallest object to which the rule applies. Then the validators check that they
have the intended effect.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from validation_gen.commands.coverage import ROOT, Declared, list_declared_errors, roots
from validation_gen.commands.edgecases.changes import open_path, render_path
from validation_gen.commands.edgecases.objects import Objects
from validation_gen.commands.edgecases.repairs import Probe, Subject, repair, subject
from validation_gen.commands.edgecases.sides import find_candidates
from validation_gen.commands.edgecases.sites import Candidate, ErrorSite, find_sites
from validation_gen.commands.edgecases.steps import ABSENT, get, locate, with_value
from validation_gen.commands.edgecases.value_specs import Conditions, ValueSpecs
from validation_gen.commands.edgecases.values import find_options
from validation_gen.ir import MemberPresence, Membership, Modes, Program
from validation_gen.ir.traverse import Entry
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.registry import Registry


@dataclass(frozen=True, slots=True)
class Case:
    """A declared rule with its boundary.

    Attributes:
        rule: the rule.
        failing: a request with the rule's error, `None` if none was found.
        passing: a similar request without it.
        alone: True if that error is the only one.
        valid: True if the passing request has no errors at all.
        reason: the reason why there is no failing request, or no passing one.
    """

    rule: Declared
    failing: Probe | None = None
    passing: Probe | None = None
    alone: bool = False
    valid: bool = False
    reason: str = ""


def boundary_cases(
    program: Program,
    registry: Registry,
    rules: Collection[Declared] | None = None,
    subjects: Mapping[tuple[str, str], Subject] = MappingProxyType({}),
) -> Iterator[Case]:
    """Yields the boundaries of rules, by default all of the program, in that order. They are made lazily.

    `subjects` are kinds that the caller has, by their packages and names.
    """
    places = ValueSpecs(program)
    kinds: dict[tuple[str, str], _Kind | None] = {}
    rules = list_declared_errors(program) if rules is None else rules
    names = {(rule.package, rule.kind) for rule in rules}
    by_name = {(package.path, root.kind): (package, root) for package, root in roots(program, names)}
    for rule in rules:
        name = (rule.package, rule.kind)
        if name not in kinds:
            found = subjects.get(name)
            if found is None and name in by_name:
                found = subject(places, registry, *by_name[name])
            kinds[name] = None if found is None else _Kind(found)
        kind = kinds[name]
        yield Case(rule, reason="the kind has no validators") if kind is None else kind.case(rule)


@dataclass(slots=True)
class _Kind:
    subject: Subject
    _sites: dict[object, list[ErrorSite]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for site in find_sites(self.subject.root, self.subject.place):
            self._sites.setdefault(site.key, []).append(site)

    def case(self, rule: Declared) -> Case:
        known = self._sites.get((rule.path, rule.type, rule.origin, rule.tag, rule.span), [])
        best = self._at_once(rule)
        for site in known:
            for conditions in self.subject.states(dict(site.when)):
                found = _Search(self.subject, rule, site, conditions).case()
                if _worth(found) > _worth(best):
                    best = found
                if best.alone and best.valid:
                    return best
        return best

    def _at_once(self, rule: Declared) -> Case:
        """Returns the case of a rule about a field without a JSON name: all requests break it, or none."""
        conditions = next(self.subject.states({}))
        probe = self.subject.probe(self.subject.smallest(conditions), options=find_options(conditions))
        for error in self.subject.errors(probe):
            told = (error.field.replace(ROOT, ""), error.type.value, error.origin, error.tag)
            if told == (rule.path, rule.type, rule.origin, rule.tag) and error.rule.place == rule.place:
                return Case(rule, probe, reason="no request was found that obeys it")
        return Case(rule, reason="no request was found that breaks it")


def _worth(case: Case) -> tuple[bool, ...]:
    return case.failing is not None, case.passing is not None, case.alone, case.valid


class _Search:
    """The search for the boundary of one rule at one site."""

    def __init__(self, subject: Subject, rule: Declared, site: ErrorSite, conditions: Conditions) -> None:
        self.subject = subject
        self.rule = rule
        self.site = site
        self.conditions = conditions
        base, self.steps, _ = open_path(subject.place, site.way, subject.smallest(conditions), conditions, site.modes)
        self.path = render_path(site, self.steps)
        # Candidates are derived from the base value, so it has to be right.
        probe = self.subject.probe(base, options=find_options(conditions))
        self.base = repair(self.subject, probe, conditions, _nothing, self._is_there).obj

    def case(self) -> Case:
        value = get(self.base, self.steps)
        if self._of_key:
            value = self.steps[-1]
        outside, inside = find_candidates(self.site, None if value is ABSENT else value, self.conditions)
        failing = self._best(outside, breaks=True)
        if failing is None and outside and self._fill_around():
            failing = self._best(outside, breaks=True)
        if failing is None:
            reason = "no request was found that breaks it" if outside else "there is no value that breaks it"
            return Case(self.rule, reason=reason)
        passing = self._best(inside, breaks=False)
        alone = self._unwanted(failing, breaks=True) == 0
        if passing is None:
            return Case(self.rule, failing, None, alone, reason="no request was found that obeys it")
        return Case(self.rule, failing, passing, alone, valid=not self.subject.errors(passing))

    def _fill_around(self) -> bool:
        """Sets the other members around the value: a rule of all items may end their validation where one is unset."""
        enclosing = self.steps[:-1]
        _, places = locate(self.path.removeprefix("."), self.subject.place, self.base)
        struct = get(self.base, enclosing)
        if self._of_key or len(places) <= len(self.steps) or not isinstance(struct, dict):
            return False
        members = {n: m for n, m in places[len(enclosing)].members.items() if n not in struct and n != self.steps[-1]}
        more = {name: Objects().set_value(member, self.conditions) for name, member in members.items()}
        self.base = with_value(self.base, enclosing, {**struct, **more})
        return bool(more)

    @property
    def _of_key(self) -> bool:
        turns = self.site.way
        return bool(turns) and isinstance(turns[-1], Entry) and turns[-1].key

    def _best(self, tries: list[Candidate], *, breaks: bool) -> Probe | None:
        best: tuple[int, Probe] | None = None
        for each in tries:
            probe = self._try(each, breaks=breaks)
            if probe is None:
                continue
            left = self._unwanted(probe, breaks=breaks)
            if best is None or left < best[0]:
                best = left, probe
            if not left:
                break
        return best[1] if best else None

    def _try(self, attempt: Candidate, *, breaks: bool) -> Probe | None:
        """Returns the repaired request of a candidate; `None` if it has not the intended effect."""
        obj = self._with(attempt.new)
        old = self._with(attempt.old) if attempt.update else None
        probe = self.subject.probe(obj, old, update=attempt.update, options=find_options(self.conditions))
        if breaks != self._breaks(probe):
            return None
        kept = self._keeper(probe)

        def keeps(other: Probe) -> bool:
            return kept(other) and self._breaks(other) == breaks

        return repair(self.subject, probe, self.conditions, self._is_mine if breaks else _nothing, keeps)

    def _with(self, value: Any) -> Any:
        if not self.steps:
            return None if value is ABSENT else value
        if not self._of_key:
            return with_value(self.base, self.steps, value)
        enclosing = self.steps[:-1]
        entries = dict(get(self.base, enclosing))
        entry = entries.pop(self.steps[-1])
        return with_value(self.base, enclosing, entries if value is ABSENT else {**entries, str(value): entry})

    def _keeper(self, probe: Probe) -> Callable[[Probe], bool]:
        """Returns a predicate: a request still has the tested value at the site of the rule."""
        steps = self.steps[:-1] if self._of_key else self.steps
        names = _names(self.site)
        ways = [(*steps, name) for name in names] or [steps]

        def seen(each: Probe) -> list[Any]:
            found = [get(each.obj, way) for way in ways] + [get(each.old, way) for way in ways if each.update]
            return [_presence(value) for value in found] if names else found

        wanted = seen(probe)
        return lambda other: seen(other) == wanted

    def _breaks(self, probe: Probe) -> bool:
        return any(map(self._is_mine, self.subject.errors(probe)))

    def _unwanted(self, probe: Probe, *, breaks: bool) -> int:
        return sum(1 for error in self.subject.errors(probe) if not (breaks and self._is_mine(error)))

    def _is_mine(self, error: FieldError) -> bool:
        site = self.site
        if error.type.value != site.type or error.origin != site.origin or error.tag != site.tag.text:
            return False
        if error.rule.place != site.tag.place:
            return False
        return self._is_here(error.field)

    def _is_there(self, probe: Probe) -> bool:
        return (
            all(
                get(probe.obj, (*self.steps[:above], condition.modes.discriminator)) == condition.mode
                for above, condition in self.site.modes
            )
            and _presence(get(probe.obj, self.steps)) != "unset"
        )

    def _is_here(self, path: str) -> bool:
        wanted = self.path.removeprefix(".")
        if self.site.suffix == "[*]":
            return path.startswith(f"{wanted}[")
        return path == (f"{wanted}{self.site.suffix}".removeprefix(".") or "<nil>")


def _nothing(_: FieldError) -> bool:
    return False


def _names(site: ErrorSite) -> list[str]:
    """Returns the members whose presence the rule checks."""
    operation = site.operation
    if isinstance(operation, Modes):
        return [operation.json, operation.discriminator]
    if isinstance(operation, Membership):
        names = [p.presence.json for p in operation.participants if isinstance(p.presence, MemberPresence)]
        return [*names, *([operation.discriminator] if operation.discriminator else [])]
    return []


def _presence(value: Any) -> object:
    """Reduces a value to its presence; discriminators keep their value."""
    return value if isinstance(value, str | bool) else "set" if value not in (None, ABSENT) else "unset"
