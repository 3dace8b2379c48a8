"""Constraints of a program on a value, each by its name with the path below that value, and the changes of constraints.

Wrappers around checks become paths and conditions. So a rule that moves from a field to its type, or from an item's
type into `+k8s:eachVal`, is the same constraint at the same location. Limits of markers have the names of the
equivalent rules. This module compares nothing.

The effect of a change is: which updates check a rule that stored objects break. Validators check a value on update only
if it has changed (ratcheting). `Constraint.beyond` gives the value that has to change. Kubernetes' documentation of
CustomResourceDefinitions, "Validation ratcheting", describes API servers with schemas of definitions: it exempts
`required`, rules that see the old value, and the keywords for merging lists.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from validation_gen.diagnostics import Severity, Span
from validation_gen.ir import (
    AppliesOn,
    Check,
    IfOption,
    InMode,
    Location,
    Membership,
    MembershipKind,
    Modes,
    OnOption,
    Operands,
    Predicate,
    SchemaNotes,
    Visit,
    predicates,
    visit_checks,
)
from validation_gen.ir.traverse import Condition, Entry, FieldStep, Item, Step
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
class Constraint:
    """One constraint.

    Attributes:
        path: the steps from the value to the constrained value.
        name: the rule's name, as tags and schemas have it.
        operand: argument of the rule.
        condition: condition under which it applies, `""` for always.
        level: `"alpha"`, `"beta"` or `""`.
        on_update: True for a rule about the change from the old value to the new one.
        marker: True for a marker for schemas, False for a tag of declarative validation.
        beyond: number of steps above the constrained value to the value that an update must change before the
            constraint is checked; -1 if every update checks it.
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

    def under(self, step: str) -> Constraint:
        """Returns the same constraint, relative to the value one step above."""
        return replace(self, path=(step, *self.path))

    def inside(self) -> Constraint:
        """Returns the same constraint, relative to the value at the first step of its path."""
        return replace(self, path=self.path[1:])


def of_checks(rules: Iterable[Check], *, guarded: bool = True) -> Iterator[Constraint]:
    """Yields the constraints of the checks on one value. Without `guarded` every update runs them."""
    for found in visit_checks(rules, Location(), guarded=guarded):
        yield from _of_visit(found)


def _of_visit(found: Visit) -> Iterator[Constraint]:
    operation = found.operation
    match operation:
        case Predicate():
            if found.tag.text:  # a check without a tag comes from the type
                yield _of_predicate(operation, found)
                yield from _excluded(operation, found)
        case Membership():
            members = tuple(sorted((p.name, p.discriminator_value) for p in operation.participants))
            yield replace(
                _constraint(found, operation.kind.value, (members, operation.discriminator)),
                kept=keeps_members(operation),
            )
        case Modes():
            part = found.at.member(operation.json, operation.path)
            member = replace(found, at=part, guard=part)
            for mode, checks in operation.rules:
                if not checks:
                    condition = InMode(found.at, operation, mode)
                    yield _constraint(replace(member, conditions=(*found.conditions, condition)), "forbidden", None)
            modes = tuple(json.dumps(mode) for mode, _ in operation.rules)
            whole = replace(member, level=found.level or operation.level)
            yield _constraint(whole, MODES, (operation.discriminator, tuple(sorted(modes))))


def _of_predicate(test: Predicate, found: Visit) -> Constraint:
    record = test.record
    operands = {Operands.ALL: test.operands, Operands.FIRST: test.operands[:1], Operands.NONE: ()}[record.operands]
    operand: Hashable = operands
    if len(operands) == 1 or record.operands is not Operands.ALL:
        operand = operands[0] if operands else None
    return replace(_constraint(found, record.constraint, operand), on_update=record.when is AppliesOn.UPDATE)


def _excluded(test: Predicate, found: Visit) -> Iterator[Constraint]:
    """Yields the constraints for enum values that an option excludes."""
    exclusions = test.operands[1] if test.record is predicates.ENUM_WITH_OPTIONS else ()
    for value, option, when in exclusions if isinstance(exclusions, tuple) else ():
        condition = OnOption(found.at, IfOption(found.check, option, bool(when)))
        yield _constraint(replace(found, conditions=(*found.conditions, condition)), "enumExclude", value)


def _constraint(found: Visit, name: str, operand: Hashable) -> Constraint:
    path = tuple(map(_step, found.at.steps))
    condition = " and ".join(map(_condition, found.conditions))
    beyond = -1 if found.guard is None else found.at.depth - found.guard.depth
    span, text = found.tag.span, found.tag.text
    return Constraint(
        path, name, operand, condition, found.level, beyond=beyond, check=found.check, span=span, text=text
    )


def _step(step: Step) -> str:
    match step:
        case FieldStep(json=name):
            return f".{name}"
        case Item(selector=selector) if selector:
            return f"[{','.join(f'{term.json}={json.dumps(term.value)}' for term in selector)}]"
        case Entry(key=True):
            return KEY
    return EACH


def _condition(condition: Condition) -> str:
    if isinstance(condition, InMode):
        return f"while {condition.modes.discriminator} is {json.dumps(condition.mode)}"
    return f"while {condition.check.option} is {'on' if condition.check.enabled else 'off'}"


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


# --- markers ---------------------------------------------------------------------------------------------------------


def of_notes(notes: SchemaNotes, path: tuple[str, ...] = ()) -> Iterator[Constraint]:
    """Yields the constraints of markers, and of list types and defaults, which tags may set, too."""
    for name, value in notes.keywords.items():
        if name in _SILENT or (name in notes.ruled and not name.startswith("x-kubernetes-")):
            continue
        span = notes.spans.get(name)
        ruled = name in notes.ruled
        yield Constraint(path, name, frozen(name, value), marker=not ruled, span=span, text=name)
    for rule in notes.validations:
        changes = "oldSelf" in rule.rule
        yield Constraint(path, "rule", rule.rule, on_update=changes, marker=True, span=rule.span, text=rule.rule)
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


BREAKING, DANGEROUS, SAFE = Severity.ERROR, Severity.WARNING, Severity.INFO


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two states, without the paths at which it occurs.

    `text` describes the difference, `effect` its effect on stored objects. `new` and `old` are locations in both
    states; for a removed part, `new` is the location of the element around it. `below` is a path relative to the
    location of the change.
    """

    code: str
    severity: Severity
    text: str
    new: Span | None = None
    old: Span | None = None
    effect: str = ""
    help: str = ""
    below: str = ""

    @property
    def identity(self) -> tuple[object, ...]:
        """Key that is the same for every occurrence of the change."""
        return self.code, self.severity, self.text, self.new, self.old, self.below


NOT_DECODED = "stored objects with a value that does not fit the new type cannot be decoded"
DROPPED = "stored objects stay valid; the value is dropped when they are written the next time"
NONE = "stored objects stay valid"

_UNRATCHETED = ("required", "x-kubernetes-list-type", "x-kubernetes-list-map-keys")


def find_effect(constraint: Constraint, *, loose: bool, root: bool) -> str:
    """Describes the effect of a new constraint on stored objects that break it.

    Args:
        constraint: the constraint as the new state has it.
        loose: the value is inside a list whose items have no old value, so that any change of the list makes them
            new.
        root: the constrained value is the object as a whole.
    """
    if constraint.marker:
        return _of_marker(constraint, loose=loose)
    if constraint.on_update:
        return f"{NONE}; updates that change the value are refused"
    if constraint.beyond < 0 or (root and constraint.beyond == 0):
        if constraint.kept:
            return "stored objects that break it stay valid until an update changes which of the members are set"
        return "not ratcheted: any update of a stored object that breaks it is refused"
    if constraint.kept:
        return "stored objects that break it stay valid until an update changes which of the members are set"
    return f"stored objects that break it stay valid until {_changing(constraint, loose=loose)} changes"


def _changing(constraint: Constraint, *, loose: bool) -> str:
    """Names the value that an update has to change before a constraint is checked."""
    if loose or (constraint.beyond and constraint.path[-1:] == (EACH,)):
        return "anything in the list around it"
    if constraint.beyond:
        return "anything in the value around it"
    if constraint.path[-1:] == (KEY,):
        return "its key"
    return "this value"


def _of_marker(constraint: Constraint, *, loose: bool) -> str:
    if constraint.name in _UNRATCHETED:
        return "not ratcheted: any update of a stored object that breaks it is refused"
    if constraint.on_update:
        return f"{NONE}; updates that break it are refused"
    what = "anything in the list around it" if loose else "this value"
    return f"stored objects that break it stay valid until {what} changes (API servers from 1.30 on)"
