"""Lists the constraints of a program on a value: each demand by its name, with the path below that value.

Wrappers around checks become paths and conditions. So a rule that moves from a field to its type, or from an item's
type into `+k8s:eachVal`, is the same demand at the same location. Limits of markers have the names of the equivalent
rules. This module compares nothing.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from validation_gen.diagnostics import Span
from validation_gen.ir import (
    AppliesOn,
    CallType,
    Check,
    EachKey,
    EachValue,
    IfOption,
    InItem,
    InMember,
    ListOf,
    Membership,
    MembershipKind,
    Modes,
    Operands,
    Predicate,
    SchemaNotes,
    Selector,
    predicates,
)
from validation_gen.runtime import checks
from validation_gen.runtime.levels import DEFAULT_LEVEL

#: Path steps into lists and maps. A step that names one item is a selector, such as `[name=x]`.
EACH, KEY = "[*]", "[key]"

#: Keyword that keeps undescribed fields.
PRESERVES = "x-kubernetes-preserve-unknown-fields"
#: Demand that a member is set only in some modes.
MODES = "modes"

#: Keywords that do not limit the legal values, or that other parts of a program represent.
_SILENT = frozenset(
    "description example externalDocs title nullable x-kubernetes-patch-merge-key x-kubernetes-patch-strategy "
    "x-kubernetes-embedded-resource x-kubernetes-int-or-string".split()
)


_OPTION = re.compile(r" is (on|off)\b")


def of_option(condition: str) -> bool:
    """Returns whether a condition is about an option of requests, such as a feature gate, and not about the object."""
    return bool(_OPTION.search(condition))


@dataclass(frozen=True, slots=True)
class Demand:
    """One demand.

    Attributes:
        path: the steps from the value to the demanded value.
        name: the rule's name, as tags and schemas have it.
        operand: argument of the rule.
        condition: condition under which it applies, `""` for always.
        level: `"alpha"`, `"beta"` or `""`.
        on_update: True for a rule about the change from the old value to the new one.
        marker: True for a marker for schemas, False for a tag of declarative validation.
        beyond: number of steps above the demanded value to the value that an update must change before the demand
            is checked; -1 if every update checks it.
        kept: True if the rule itself accepts violations that an update leaves unchanged.
    """

    path: tuple[str, ...]
    name: str
    operand: Hashable = None
    condition: str = ""
    level: str = ""
    on_update: bool = False
    marker: bool = False
    beyond: int = 0
    kept: bool = False
    check: Check | None = field(default=None, compare=False)
    span: Span | None = field(default=None, compare=False)
    text: str = field(default="", compare=False)

    @property
    def enforced(self) -> bool:
        return self.level not in DEFAULT_LEVEL.hidden

    def under(self, step: str) -> Demand:
        """Returns the same demand, relative to the value one step above."""
        return replace(self, path=(step, *self.path))

    def inside(self) -> Demand:
        """Returns the same demand, relative to the value at the first step of its path."""
        return replace(self, path=self.path[1:])


@dataclass(frozen=True, slots=True)
class _At:
    """State of the descent into checks: path so far, length of the path to the value that must change, conditions."""

    path: tuple[str, ...] = ()
    guard: int = 0
    conditions: tuple[str, ...] = ()
    level: str = ""

    def to(self, step: str, *, guarded: bool) -> _At:
        path = (*self.path, step)
        return replace(self, path=path, guard=len(path) if guarded else self.guard)


def of_checks(rules: Iterable[Check], *, guarded: bool = True) -> Iterator[Demand]:
    """Yields the demands of the checks on one value. Without `guarded` every update runs them."""
    for check in rules:
        yield from _of_check(check, check, _At(guard=0 if guarded else -1))


def _of_check(check: Check, outer: Check, at: _At) -> Iterator[Demand]:
    operation = check.operation
    at = replace(at, level=at.level or check.level)
    match operation:
        case Predicate():
            if outer.tag.text:  # a check without a tag comes from the type
                yield _of_test(operation, check, outer, at)
                yield from _excluded(operation, check, outer, at)
        case Membership():
            members = tuple(sorted((p.name, p.discriminator_value) for p in operation.participants))
            kept = keeps_members(operation)
            yield _demand(check, outer, at, operation.kind.value, (members, operation.discriminator), kept=kept)
        case Modes():
            part = at.to(f".{operation.json}", guarded=True)
            for mode, inner in operation.rules:
                when = f"while {operation.discriminator} is {json.dumps(mode)}"
                for each in inner:
                    yield from _of_check(each, each, replace(part, conditions=(*at.conditions, when)))
                if not inner:
                    yield _demand(check, outer, replace(part, conditions=(*at.conditions, when)), "forbidden", None)
            modes = tuple(json.dumps(mode) for mode, _ in operation.rules)
            whole = replace(part, level=part.level or operation.level)
            yield _demand(check, outer, whole, MODES, (operation.discriminator, tuple(sorted(modes))))
        case EachValue():
            known = operation.match is not None or not isinstance(operation.container, ListOf)
            yield from _of_check(operation.inner, outer, at.to(EACH, guarded=known))
        case EachKey():
            yield from _of_check(operation.inner, outer, at.to(KEY, guarded=True))
        case InMember():
            yield from _of_check(operation.inner, outer, at.to(f".{operation.json}", guarded=True))
        case InItem():
            yield from _of_check(operation.inner, outer, at.to(_selected(operation.selector), guarded=True))
        case IfOption():
            when = f"while {operation.option} is {'on' if operation.enabled else 'off'}"
            yield from _of_check(operation.inner, outer, replace(at, conditions=(*at.conditions, when)))
        case CallType():
            pass  # the walk visits the type separately


def _of_test(test: Predicate, check: Check, outer: Check, at: _At) -> Demand:
    record = test.record
    operands = {Operands.ALL: test.operands, Operands.FIRST: test.operands[:1], Operands.NONE: ()}[record.operands]
    operand: Hashable = operands
    if len(operands) == 1 or record.operands is not Operands.ALL:
        operand = operands[0] if operands else None
    return _demand(check, outer, at, record.demand, operand, on_update=record.when is AppliesOn.UPDATE)


def _excluded(test: Predicate, check: Check, outer: Check, at: _At) -> Iterator[Demand]:
    """Yields the demands for enum values that an option excludes."""
    exclusions = test.operands[1] if test.record is predicates.ENUM_WITH_OPTIONS else ()
    for value, option, when in exclusions if isinstance(exclusions, tuple) else ():
        condition = f"while {option} is {'on' if when else 'off'}"
        yield _demand(check, outer, replace(at, conditions=(*at.conditions, condition)), "enumExclude", value)


def _demand(
    check: Check,
    outer: Check,
    at: _At,
    name: str,
    operand: Hashable,
    *,
    on_update: bool = False,
    kept: bool = False,
) -> Demand:
    beyond = -1 if at.guard < 0 else len(at.path) - at.guard
    condition = " and ".join(at.conditions)
    span, text = outer.tag.span, outer.tag.text
    return Demand(at.path, name, operand, condition, at.level, on_update, False, beyond, kept, check, span, text)


def keeps_members(rule: Membership) -> bool:
    """Returns whether the runtime accepts a wrong choice of members that an update keeps. It calls the check."""
    names = [p.name for p in rule.participants]
    function = getattr(checks, rule.kind.value)
    for flags in itertools.product((True, False), repeat=min(len(names), 2)):
        is_set = [*flags, *(False for _ in names[2:])]
        if rule.kind is MembershipKind.DISCRIMINATED:
            members = [(p.name, p.discriminator_value) for p in rule.participants]
            asked: tuple[object, ...] = ((rule.discriminator, ""), members, is_set)
            unchanged: tuple[object, ...] = (is_set, "")
        else:
            asked, unchanged = (names, is_set), (is_set,)
        if function(*asked):
            return function(*asked, *unchanged) is None
    return False


def _selected(selector: Selector) -> str:
    return f"[{','.join(f'{term.json}={json.dumps(term.value)}' for term in selector)}]"


# --- markers ---------------------------------------------------------------------------------------------------------


def of_notes(notes: SchemaNotes, path: tuple[str, ...] = ()) -> Iterator[Demand]:
    """Yields the demands of markers, and of list types and defaults, which tags may set, too."""
    for name, value in notes.keywords.items():
        if name in _SILENT or (name in notes.ruled and not name.startswith("x-kubernetes-")):
            continue
        span = notes.spans.get(name)
        ruled = name in notes.ruled
        yield Demand(path, name, frozen(name, value), marker=not ruled, span=span, text=name)
    for rule in notes.validations:
        changes = "oldSelf" in rule.rule
        yield Demand(path, "rule", rule.rule, on_update=changes, marker=True, span=rule.span, text=rule.rule)
    for part, step in ((notes.items, EACH), (notes.values, EACH)):
        if part is not None:
            yield from of_notes(part, (*path, step))
    for name, own in notes.properties.items():
        yield from of_notes(own, (*path, f".{name}"))


def frozen(name: str, value: object) -> Hashable:
    """Returns a keyword's value in the form that tags use."""
    if name == "enum" and isinstance(value, list):
        return tuple(sorted(v if isinstance(v, str) else json.dumps(v) for v in value))
    if name == "x-kubernetes-list-map-keys" and isinstance(value, list):
        return tuple(map(str, value))
    if isinstance(value, bool | int | float | str):
        return value
    return json.dumps(value, sort_keys=True)
