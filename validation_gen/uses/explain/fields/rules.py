"""Rules that apply to one value: single checks with their wrappers, in the order in which they run.

A check that is written on a parent, such as that of `+k8s:eachVal`, is unwrapped step by step until it is about the
value itself. The wrappers become conditions and the path of the rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from validation_gen.ir import (
    AppliesOn,
    CallType,
    Check,
    EachKey,
    EachValue,
    IfOption,
    InItem,
    InMember,
    Membership,
    Modes,
    Operation,
    Predicate,
    Selector,
    cohorts,
    core,
)


@dataclass(frozen=True, slots=True)
class Applied:
    """A rule that applies to a value.

    `check` is the original one, `operation` the unwrapped part. `on` describes the carrier of the tag, `at` is its
    path. `through` are the names of the wrappers on the way, `conditions` those under which it applies. `stopped_by`
    are the tags of the rules whose failure stops it.
    """

    check: Check
    operation: Operation
    on: str
    at: str
    through: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    stopped_by: tuple[str, ...] = ()

    @property
    def tag(self) -> str:
        if self.check.tag.text:
            return self.check.tag.text
        match self.operation:
            case EachKey():
                return "(the rules of its keys)"
            case EachValue() | CallType():
                return "(the rules of its items)"
        return "(null items of a list of pointers)"

    @property
    def stops(self) -> bool:
        return self.check.short_circuit

    @property
    def on_updates(self) -> bool:
        """True if the rule applies to updates only."""
        operation = core(self.operation)
        return isinstance(operation, Predicate) and operation.record.when is AppliesOn.UPDATE

    @property
    def level(self) -> str:
        return self.check.level

    def inside(self, check: Check, through: str, *conditions: str) -> Applied:
        """Returns the same rule, unwrapped by one step."""
        outer = self.check if self.check.level or not check.level else replace(self.check, level=check.level)
        conditions = (*self.conditions, *(c for c in conditions if c))
        return opened(
            replace(
                self, check=outer, operation=check.operation, through=(*self.through, through), conditions=conditions
            )
        )


def applied(checks: Iterable[Check], on: str, at: str, stopped_by: tuple[str, ...] = ()) -> Iterator[Applied]:
    """Yields the checks of one list in the order in which they run."""
    before = stopped_by
    for cohort in cohorts(list(checks)):
        stopping = tuple(check.tag.text for check in cohort if check.short_circuit)
        for check in cohort:
            by = before if check.short_circuit else (*before, *stopping)
            yield opened(Applied(check, check.operation, on, at, stopped_by=tuple(dict.fromkeys(filter(None, by)))))
        if not cohort[0].cohort:
            before = (*before, *stopping)


def stoppers(checks: Iterable[Check]) -> tuple[str, ...]:
    """Returns the tags that can stop all other checks of a value."""
    return tuple(c.tag.text for c in checks if c.short_circuit and not c.cohort and c.tag.text)


def opened(rule: Applied) -> Applied:
    """Returns a rule without its options, which become conditions."""
    operation = rule.operation
    while isinstance(operation, IfOption):
        state = "on" if operation.enabled else "off"
        lenient = "" if operation.lenient else ", an internal error if the request does not define it"
        condition = f"only while the option {operation.option} is {state}{lenient}"
        inner = operation.inner
        check = rule.check if rule.check.level or not inner.level else replace(rule.check, level=inner.level)
        rule = replace(rule, check=check, operation=inner.operation, conditions=(*rule.conditions, condition))
        operation = rule.operation
    return rule


def in_member(rules: Iterable[Applied], json: str) -> Iterator[Applied]:
    """Yields the rules of a struct about one member."""
    for rule in rules:
        match rule.operation:
            case InMember(inner=inner, json=name) if name == json:
                yield rule.inside(inner, f"subfield({json})")
            case Modes(json=name) as modes if name == json:
                yield from _in_modes(rule, modes)


def _in_modes(rule: Applied, modes: Modes) -> Iterator[Applied]:
    for mode, checks in modes.rules:
        stops = [i for i, check in enumerate(checks) if check.short_circuit]
        for i, check in enumerate(checks):
            by = tuple(checks[s].tag.text for s in stops) if stops and i > stops[-1] else ()
            own = replace(rule, check=replace(check, level=rule.check.level or check.level, cohort=rule.check.cohort))
            own = replace(own, stopped_by=tuple(dict.fromkeys((*rule.stopped_by, *by))))
            yield own.inside(check, "", f"only while {modes.discriminator} is {shown(mode)}")
    known = ", ".join(shown(mode) for mode, _ in modes.rules)
    forbidden = Check(modes.otherwise, rule.check.tag, rule.check.emits[:1], level=rule.check.level or modes.level)
    own = replace(rule, check=replace(forbidden, cohort=rule.check.cohort))
    yield own.inside(forbidden, "", f"only while {modes.discriminator} is none of {known}: then it must not be set")


def in_element(rules: Iterable[Applied], terms: dict[str, str]) -> Iterator[Applied]:
    """Yields the rules of a list or map about its items or values, of which keys may select one."""
    for rule in rules:
        match rule.operation:
            case EachValue(inner=inner):
                yield rule.inside(inner, "eachVal" if rule.check.tag.text else "")
            case InItem(inner=inner, selector=selector):
                if all(terms.get(t.json, text(t.value)) == text(t.value) for t in selector):
                    sure = all(t.json in terms for t in selector)
                    chosen = selected(selector)
                    yield rule.inside(inner, f"item({chosen})", "" if sure else f"only the first item with {chosen}")


def mentions(rules: Iterable[Applied], json: str) -> Iterator[Applied]:
    """Yields the rules of a struct that check the presence of a member, or give errors at it."""
    for rule in rules:
        operation = rule.operation
        if isinstance(operation, Membership):
            named = {getattr(p.presence, "json", "") for p in operation.participants} | {operation.discriminator}
            if json in named:
                yield rule
        elif isinstance(operation, Modes) and operation.discriminator == json:
            yield rule


def about_keys(rules: Iterable[Applied]) -> Iterator[Applied]:
    """Yields the rules of a map for its keys."""
    return (rule for rule in rules if isinstance(rule.operation, EachKey))


def selected(selector: Selector) -> str:
    return ", ".join(f"{term.json}: {shown(term.value)}" for term in selector)


def shown(value: str | int | bool) -> str:
    return f'"{value}"' if isinstance(value, str) else text(value)


def text(value: str | int | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
