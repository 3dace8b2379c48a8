"""Rules about which members are set, as CEL: unions, and members that ask for or rule out each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from validation_gen.emit.schema.expressions import all_of, any_of, literal, negated, selected
from validation_gen.emit.schema.places import OLD, Place
from validation_gen.ir import Check, ItemPresence, Membership, MembershipKind, Participant, Validation

if TYPE_CHECKING:
    from validation_gen.emit.schema.constrain import Constrainer


def membership(constrainer: Constrainer, check: Check, rule: Membership, place: Place) -> None:
    """Adds the rule to the schema of the struct or list."""
    if place.pin is not None:
        constrainer.gap(check, "the rule cannot be said for a part that another rule selects")
        return
    sets = [_is_set(constrainer, place, p, "self") for p in rule.participants]
    if not all(sets):
        constrainer.gap(check, "CEL cannot name a member")
        return
    unchanged = all_of(
        *(f"({_is_set(constrainer, place, p, OLD)}) == ({now})" for p, now in zip(rule.participants, sets, strict=True))
    )
    match rule.kind:
        case MembershipKind.EXACTLY_ONE:
            names = _names(rule)
            _put(constrainer, check, place, _exactly_one(sets), f"must specify exactly one of: {names}", unchanged)
        case MembershipKind.AT_MOST_ONE:
            names = _names(rule)
            _put(constrainer, check, place, _at_most_one(sets), f"must specify at most one of: {names}", unchanged)
        case MembershipKind.DISCRIMINATED:
            _discriminated(constrainer, check, rule, place, sets, unchanged)
        case MembershipKind.DEPENDENT_REQUIRED:
            first, second = rule.participants
            text = f"must be set when {first.name} is set"
            condition = any_of(negated(sets[0]), sets[1])
            _put(constrainer, check, place, condition, text, unchanged, second.name)
        case MembershipKind.DEPENDENT_FORBIDDEN:
            first, second = rule.participants
            text = f"may not be set when {first.name} is set"
            condition = any_of(negated(sets[0]), negated(sets[1]))
            _put(constrainer, check, place, condition, text, unchanged, second.name)


def _names(rule: Membership) -> str:
    return ", ".join(f"`{p.name}`" for p in rule.participants)


def _is_set(constrainer: Constrainer, place: Place, participant: Participant, base: str) -> str:
    presence = participant.presence
    if isinstance(presence, ItemPresence):
        return f"{base}.exists(i, {selected(presence.selector, 'i')})"
    if presence.json not in place.node.properties:
        return ""
    member = constrainer.member_of(place.shape, presence.json)
    if not member.sayable:
        return ""
    return member.is_set(base) if constrainer.options.exact else member.there(base)


def _count(sets: list[str]) -> str:
    return " + ".join(f"({now} ? 1 : 0)" for now in sets)


def _exactly_one(sets: list[str]) -> str:
    if len(sets) == 1:
        return sets[0]
    if len(sets) == 2:
        return " != ".join(now if " " not in now else f"({now})" for now in sets)
    return f"{_count(sets)} == 1"


def _at_most_one(sets: list[str]) -> str:
    if len(sets) == 1:
        return "true"
    if len(sets) == 2:
        return any_of(*(negated(now) for now in sets))
    return f"{_count(sets)} <= 1"


def _discriminated(
    constrainer: Constrainer, check: Check, rule: Membership, place: Place, sets: list[str], unchanged: str
) -> None:
    """One rule a member, since each error stands at the member."""
    discriminator = constrainer.member_of(place.shape, rule.discriminator)
    value = discriminator.value() if not discriminator.nilable else f"{discriminator.optional()}.orValue('')"
    old = value.replace("self.", f"{OLD}.", 1)
    unchanged = all_of(unchanged, f"{value} == {old}")
    for participant, now in zip(rule.participants, sets, strict=True):
        wanted = literal(participant.discriminator_value)
        shown = f'`{rule.discriminator}` is "{participant.discriminator_value}"'
        message = f"may only be specified when {shown}, and must be then"
        condition = f"({value} == {wanted}) == {now if ' ' not in now else f'({now})'}"
        _put(constrainer, check, place, condition, message, unchanged, participant.name)


def _put(
    constrainer: Constrainer, check: Check, place: Place, rule: str, message: str, unchanged: str, field: str = ""
) -> None:
    reason = next((e.type for e in check.emits if e.type in ("FieldValueRequired", "FieldValueForbidden")), "")
    optional = constrainer.options.exact and place.correlated
    if optional:
        rule = any_of(all_of("oldSelf.hasValue()", unchanged), rule)
    validation = Validation(rule, message, "", reason, "", optional or None, check.tag.span)
    constrainer.rule(place, validation, (field,) if field else ())
