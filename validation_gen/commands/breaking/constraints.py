"""Constraints of a program on a value, each by its name with the path below that value.

Wrappers around checks become paths and conditions. So a rule that moves from a field to its type, or from an item's
type into `+k8s:eachVal`, is the same constraint at the same location. Limits of markers have the names of the
equivalent rules. This module compares nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from validation_gen.diagnostics import Span
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
from validation_gen.runtime.levels import DEFAULT_LEVEL

#: Path steps into lists and maps. A step that names one item is a selector, such as `[name=x]`.
EACH, KEY = "[*]", "[key]"

#: Names of the rules about members. They accept violations that an update leaves unchanged.
MEMBERSHIPS = frozenset(kind.value for kind in MembershipKind)
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
    """

    path: tuple[str, ...]
    name: str
    operand: Hashable = None
    condition: str = ""
    level: str = ""
    on_update: bool = False
    marker: bool = False
    beyond: int = 0
    check: Check | None = field(default=None, compare=False)
    span: Span | None = field(default=None, compare=False)
    text: str = field(default="", compare=False)

    @property
    def enforced(self) -> bool:
        return self.level not in DEFAULT_LEVEL.hidden

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
                yield from _find_excluded(operation, found)
        case Membership():
            members = tuple(sorted((p.name, p.discriminator_value) for p in operation.participants))
            yield _constraint(found, operation.kind.value, (members, operation.discriminator))
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


def _of_predicate(predicate: Predicate, found: Visit) -> Constraint:
    record = predicate.record
    operands = {Operands.ALL: predicate.operands, Operands.FIRST: predicate.operands[:1], Operands.NONE: ()}[
        record.operands
    ]
    operand: Hashable = operands
    if len(operands) == 1 or record.operands is not Operands.ALL:
        operand = operands[0] if operands else None
    return replace(_constraint(found, record.constraint, operand), on_update=record.when is AppliesOn.UPDATE)


def _find_excluded(predicate: Predicate, found: Visit) -> Iterator[Constraint]:
    """Yields the constraints for enum values that an option excludes."""
    exclusions = predicate.operands[1] if predicate.record is predicates.ENUM_WITH_OPTIONS else ()
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


def describe(name: str, constraint: Constraint) -> str:
    """Describes a constraint for a message."""
    if name == MODES and isinstance(constraint.operand, tuple):
        discriminator, modes = constraint.operand
        return f"that it is set only while `{discriminator}` is {' or '.join(modes)}"
    return name if constraint.operand in (None, ()) else f"{name} {render_operand(constraint.operand)}"


def render_operand(operand: object) -> str:
    """Renders an operand for a message, shortened."""
    if isinstance(operand, str):
        text = operand if operand[:1] in ("{", "[", '"') else json.dumps(operand, ensure_ascii=False)
    elif isinstance(operand, bool):
        text = str(operand).lower()
    elif isinstance(operand, tuple):
        text = ", ".join(map(render_operand, operand))
    elif isinstance(operand, int | float):
        text = str(operand)
    else:
        text = getattr(operand, "name", "") or str(operand)
    return text if len(text) <= 80 else f"{text[:79]}…"


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
