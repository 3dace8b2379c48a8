"""Rules about several values at once, for drawing objects: unions and dependents, unique items."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from validation_gen.commands.edgecases.steps import Source, pick
from validation_gen.commands.edgecases.value_specs import Conditions, ValueSpec
from validation_gen.ir import (
    ByKeys,
    ItemPresence,
    Match,
    MemberPresence,
    Membership,
    MembershipKind,
    Modes,
    Participant,
    Predicate,
    Selector,
    predicates,
)

Setter = Callable[[str], Any]


def memberships(spec: ValueSpec, conditions: Conditions | None = None) -> list[Membership]:
    """Returns the rules about the presence of members or items."""
    return [
        fact.operation
        for fact in spec.facts
        if isinstance(fact.operation, Membership) and (conditions is None or fact.counts(conditions))
    ]


def find_modes(spec: ValueSpec, conditions: Conditions) -> list[Modes]:
    """Returns the rules about members that depend on the value of a discriminator."""
    return [f.operation for f in spec.facts if isinstance(f.operation, Modes) and f.counts(conditions)]


def discriminators(spec: ValueSpec) -> list[str]:
    """Returns the discriminators of a struct."""
    found = {
        fact.operation.discriminator: None
        for fact in spec.facts
        if isinstance(fact.operation, Membership | Modes) and fact.operation.discriminator
    }
    return list(found)


def modes(spec: ValueSpec, obj: dict[str, Any], discriminator: str) -> dict[str, object]:
    """Returns the conditions that a discriminator sets."""
    return {
        spec.mode_name(fact.operation): obj.get(discriminator) or fact.operation.zero
        for fact in spec.facts
        if isinstance(fact.operation, Modes) and fact.operation.discriminator == discriminator
    }


def forbidden(spec: ValueSpec, obj: dict[str, Any], conditions: Conditions) -> Iterator[str]:
    """Yields the members that the modes of a struct do not allow."""
    for rule in find_modes(spec, conditions):
        mode = obj.get(rule.discriminator) or rule.zero
        if all(mode != allowed for allowed, _ in rule.rules):
            yield rule.json


# --- who is set ------------------------------------------------------------------------------------------------------


def find_members(rule: Membership) -> dict[str, Participant]:
    """Returns the participants of a rule that are members of a struct, by their JSON names."""
    return {p.presence.json: p for p in rule.participants if isinstance(p.presence, MemberPresence)}


def find_set(rule: Membership, obj: dict[str, Any]) -> list[str]:
    """Returns the participating members that are set in a struct."""
    members = [p.presence for p in rule.participants if isinstance(p.presence, MemberPresence)]
    values = [(member, obj.get(member.json)) for member in members]
    return [member.json for member, value in values if (value is not None if member.pointer else value)]


def settle(spec: ValueSpec, obj: dict[str, Any], conditions: Conditions, source: Source, value: Setter) -> None:
    """Sets and drops members until the rules about members hold, where that is easy."""
    for rule in memberships(spec, conditions):
        if find_members(rule):
            _settle(rule, obj, source, value)


def _settle(rule: Membership, obj: dict[str, Any], source: Source, value: Setter) -> None:
    members, there = find_members(rule), find_set(rule, obj)
    match rule.kind:
        case MembershipKind.EXACTLY_ONE | MembershipKind.AT_MOST_ONE:
            if not there and rule.kind is MembershipKind.EXACTLY_ONE:
                choose(rule, obj, {pick(source, list(members))}, value)
            elif len(there) > 1:
                choose(rule, obj, {pick(source, there)}, value)
        case MembershipKind.DISCRIMINATED:
            selected = obj.get(rule.discriminator) or ""
            choose(rule, obj, {name for name, p in members.items() if p.discriminator_value == selected}, value)
        case _:
            trigger, dependent = members
            missing = rule.kind is MembershipKind.DEPENDENT_REQUIRED
            if trigger in there and missing == (dependent not in there):
                if missing and not source.chance(0.3):
                    obj[dependent] = value(dependent)
                else:
                    obj.pop(trigger if missing else dependent, None)


def choose(rule: Membership, obj: dict[str, Any], names: set[str], value: Setter) -> dict[str, Any]:
    """Sets the participants with these names, and removes the others. Returns the same object."""
    there = find_set(rule, obj)
    for name in find_members(rule):
        if name not in names:
            obj.pop(name, None)
        elif name not in there:
            obj[name] = value(name)
    return obj


# --- items -----------------------------------------------------------------------------------------------------------


def identity(spec: ValueSpec, conditions: Conditions) -> Match | None:
    """Returns the match that makes items of a list equal, if they must be unique."""
    for predicate in spec.tests(conditions):
        if predicate.record is predicates.UNIQUE:
            match = predicate.operands[0]
            assert isinstance(match, Match)
            return match
    return None


def identifier(item: Any, match: Match) -> str:
    """Returns the key of an item as text."""
    if isinstance(match, ByKeys):
        item = item if isinstance(item, dict) else {}
        item = [item.get(key.json, key.zero) for key in match.keys]
    return json.dumps(item, sort_keys=True)


def matches(item: Any, presence: object) -> bool:
    """Returns whether a selector matches an item."""
    assert isinstance(presence, ItemPresence)
    item = item if isinstance(item, dict) else {}
    return all(item.get(term.json, term.zero) == term.value for term in presence.selector)


def find_needed_items(spec: ValueSpec, conditions: Conditions, source: Source) -> list[tuple[Selector, ValueSpec]]:
    """Returns the items that a list should have: the required ones, and some of the other selected ones."""
    demanded = [selector for predicate in spec.tests(conditions) for selector in _find_demanded(predicate)]
    unions = [rule for rule in memberships(spec, conditions) if not find_members(rule)]
    found = []
    decided: dict[Selector, bool] = dict.fromkeys(demanded, True)
    for rule in unions:
        decided |= _decide(rule, source)
    for selector, item in spec.selected:
        if decided.get(selector, selector not in decided and source.chance(0.4)):
            found.append((selector, item))
    return found


def _decide(rule: Membership, source: Source) -> dict[Selector, bool]:
    selectors = [p.presence.selector for p in rule.participants if isinstance(p.presence, ItemPresence)]
    chosen = pick(source, selectors)
    if rule.kind is not MembershipKind.EXACTLY_ONE and not source.chance(0.5):
        return dict.fromkeys(selectors, False)
    return {selector: selector == chosen for selector in selectors}


def _find_demanded(predicate: Predicate) -> Iterator[Selector]:
    if predicate.record is predicates.REQUIRED_ITEM:
        for operand in predicate.operands:
            if isinstance(operand, ItemPresence):
                yield operand.selector
