"""Rules that apply to one value, in the order in which they run.

A rule may be written on a parent of the value, as with `+k8s:eachVal`. `Applied` has the steps from there to the tested
value, and the options and modes on which the rule depends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from validation_gen.ir import (
    AppliesOn,
    CallType,
    Check,
    FieldPlan,
    InMode,
    Location,
    Membership,
    Modes,
    Operation,
    Predicate,
    Selector,
    TypePlan,
)
from validation_gen.ir.traverse import Carried, Condition, FieldStep, Item, visit_plan

_HERE = Location()
#: The rule that a list of pointers has no null items, which has no tag.
_NULL_ITEMS = "(null items of a list of pointers)"


@dataclass(frozen=True, slots=True)
class Applied:
    """A rule that applies to a value, or to a part of it.

    `check` has the tag, `carried` the steps to the tested value. `on` describes the carrier of the tag, `at` is its
    path. `through` has the names of the steps so far, `conditions` the conditions under which the rule applies, and
    `stopped_by` the tags of the rules whose failure skips it.
    """

    check: Check
    operation: Operation
    carried: Carried
    on: str
    at: str
    through: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    stopped_by: tuple[str, ...] = ()

    @property
    def is_here(self) -> bool:
        """True if it tests the value itself."""
        return not self.carried.left

    @property
    def tag(self) -> str:
        if self.check.tag.text:
            return self.check.tag.text
        if self.carried.is_of_keys:
            return "(the rules of its keys)"
        is_of_items = not self.is_here or isinstance(self.operation, CallType)
        return "(the rules of its items)" if is_of_items else _NULL_ITEMS

    @property
    def stops(self) -> bool:
        return self.check.short_circuit

    @property
    def stops_parts(self) -> bool:
        """True if its failure stops the validation of the parts of the value."""
        return self.stops and not (self.check.cohort or self.through or self.carried.is_of_items)

    @property
    def on_updates(self) -> bool:
        """True if the rule applies to updates only."""
        return isinstance(self.operation, Predicate) and self.operation.record.when is AppliesOn.UPDATE

    @property
    def level(self) -> str:
        return self.check.level

    def inside(self, through: str, *conditions: str) -> Applied:
        """Returns the same rule for the part at the next step."""
        inner = self.carried.inside()
        begun = map(_text, inner.conditions[len(self.carried.conditions) :])
        texts = (*self.conditions, *begun, *filter(None, conditions))
        return replace(self, carried=inner, through=(*self.through, through), conditions=texts)


def applied(
    plan: TypePlan | FieldPlan, on: str, at: str, stopped_by: Iterable[str] = (), calls_on: str = ""
) -> Iterator[Applied]:
    """Yields the rules of a plan in the order in which they run, and the calls for its type, its keys and values.

    `calls_on` describes the carrier of the calls.
    """
    for visit in visit_plan(plan, _HERE, _HERE):
        carried = Carried.start(visit)
        untagged = _NULL_ITEMS if isinstance(visit.operation, CallType) else ""
        tags = (*stopped_by, *(check.tag.text or untagged for check in visit.stopped_by))
        yield Applied(
            replace(visit.outer, level=visit.level),
            visit.operation,
            carried,
            (calls_on or on) if isinstance(visit.operation, CallType) else on,
            at,
            conditions=tuple(map(_text, carried.conditions)),
            stopped_by=tuple(dict.fromkeys(filter(None, tags))),
        )


def _text(condition: Condition) -> str:
    if isinstance(condition, InMode):
        return f"only while {condition.modes.discriminator} is {render_value(condition.mode)}"
    option = condition.check
    lenient = "" if option.lenient else ", an internal error if the request does not define it"
    return f"only while the option {option.option} is {'on' if option.enabled else 'off'}{lenient}"


def in_member(rules: Iterable[Applied], json: str) -> Iterator[Applied]:
    """Yields the rules of a struct about one member."""
    for rule in rules:
        operation = rule.operation
        if isinstance(operation, Modes) and rule.is_here and operation.json == json:
            yield _forbidden(rule, operation)
        elif rule.carried.left[:1] == (FieldStep(json),):
            is_mode = rule.carried.is_of_mode and not rule.carried.inside().is_of_mode
            yield rule.inside("" if is_mode else f"subfield({json})")


def _forbidden(rule: Applied, modes: Modes) -> Applied:
    """Returns the rule that forbids a member in modes without rules."""
    known = ", ".join(render_value(mode) for mode, _ in modes.rules)
    level = rule.check.level or modes.level
    check = Check(modes.otherwise, rule.check.tag, rule.check.emits[:1], level=level, cohort=rule.check.cohort)
    condition = f"only while {modes.discriminator} is none of {known}: then it must not be set"
    return replace(rule, check=check, operation=modes.otherwise).inside("", condition)


def in_element(rules: Iterable[Applied], terms: dict[str, str]) -> Iterator[Applied]:
    """Yields the rules of a list or map about its items or values, of which keys may select one."""
    for rule in rules:
        step = rule.carried.left[0] if rule.carried.left else None
        if rule.carried.is_of_items:
            yield rule.inside("eachVal" if rule.check.tag.text else "")
        elif isinstance(step, Item) and all(terms.get(t.json, text(t.value)) == text(t.value) for t in step.selector):
            sure = all(term.json in terms for term in step.selector)
            chosen = render_selector(step.selector)
            yield rule.inside(f"item({chosen})", "" if sure else f"only the first item with {chosen}")


def mentions(rules: Iterable[Applied], json: str) -> Iterator[Applied]:
    """Yields the rules of a struct that check the presence of a member, or give errors at it."""
    for rule in rules:
        operation = rule.operation
        if not rule.is_here:
            continue
        if isinstance(operation, Membership):
            named = {getattr(p.presence, "json", "") for p in operation.participants} | {operation.discriminator}
            if json in named:
                yield rule
        elif isinstance(operation, Modes) and operation.discriminator == json:
            yield rule


def render_selector(selector: Selector) -> str:
    return ", ".join(f"{term.json}: {render_value(term.value)}" for term in selector)


def render_value(value: str | int | bool) -> str:
    return f'"{value}"' if isinstance(value, str) else text(value)


def text(value: str | int | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
