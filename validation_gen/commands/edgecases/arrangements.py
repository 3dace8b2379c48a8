"""Both sides of rules about sets of members: unions, dependents, modes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from validation_gen.commands.edgecases import relations
from validation_gen.commands.edgecases.objects import Objects
from validation_gen.commands.edgecases.spot import Spot, Tries, Try
from validation_gen.commands.edgecases.values import edges
from validation_gen.ir import ItemPresence, Membership, MembershipKind, Modes, Participant


def of_members(spot: Spot, rule: Membership) -> Tries:
    """Returns both sides of unions and dependents of members of a struct or items of a list."""
    if not relations.members_of(rule):
        return _items(spot, rule)
    names = [relations.json_name(p) for p in rule.participants]
    first, second = names[0], names[1] if len(names) > 1 else names[0]
    match rule.kind:
        case MembershipKind.EXACTLY_ONE:
            return [_with(spot, rule, {first, second}), _with(spot, rule, set())], _each_alone(spot, rule)
        case MembershipKind.AT_MOST_ONE:
            return [_with(spot, rule, {first, second})], _each_alone(spot, rule)
        case MembershipKind.DEPENDENT_REQUIRED:
            return [_with(spot, rule, {first})], [_with(spot, rule, {first, second}), _with(spot, rule, set())]
        case MembershipKind.DEPENDENT_FORBIDDEN:
            return [_with(spot, rule, {first, second})], [_with(spot, rule, {first}), _with(spot, rule, {second})]
        case _:
            return _selected(spot, rule)


def _with(spot: Spot, rule: Membership, names: set[str]) -> Try:
    """Returns the struct with these participants set and no others."""
    obj = dict(spot.value or {})
    relations.choose(rule, obj, names, lambda n: Objects().set_value(spot.place.members[n], spot.conditions))
    return Try(obj)


def _each_alone(spot: Spot, rule: Membership) -> Iterator[Try]:
    yield from (_with(spot, rule, {relations.json_name(p)}) for p in rule.participants)


def _selected(spot: Spot, rule: Membership) -> Tries:
    """Handles unions whose discriminator names the member; the error is at the member of this site."""
    mine = next(p for p in rule.participants if f".{p.name}" == spot.site.suffix)
    others = [p for p in rule.participants if p.name != mine.name]
    right = [_choice(spot, rule, p.discriminator_value, {relations.json_name(p)}) for p in (mine, *others)]
    wrong = [_choice(spot, rule, mine.discriminator_value, set())]
    for other in others:
        both = {relations.json_name(mine), relations.json_name(other)}
        wrong.append(_choice(spot, rule, other.discriminator_value, both))
    wrong += [_choice(spot, rule, value, {relations.json_name(mine)}) for value in ("", "a")]
    return wrong, right


def _choice(spot: Spot, rule: Membership, value: str, names: set[str]) -> Try:
    chosen = _with(spot, rule, names).new
    return Try({**chosen, rule.discriminator: value} if value else _without(chosen, rule.discriminator))


def _items(spot: Spot, rule: Membership) -> Tries:
    """Handles unions of items of a list."""
    rest = [i for i in spot.value or [] if not any(relations.matches(i, p.presence) for p in rule.participants)]
    items = [_item(spot, participant) for participant in rule.participants]
    alone = [Try([*rest, item]) for item in items]
    if rule.kind is MembershipKind.DEPENDENT_REQUIRED:
        return alone[:1], [Try([*rest, *items[:2]]), Try(rest)]
    if rule.kind is MembershipKind.EXACTLY_ONE:
        return [Try([*rest, *items[:2]]), Try(rest)], alone
    return [Try([*rest, *items[:2]])], [*alone, Try(rest)]


def _item(spot: Spot, participant: Participant) -> Any:
    assert isinstance(participant.presence, ItemPresence)
    wanted = {term.json: term.value for term in participant.presence.selector}
    return {**Objects().value(spot.place.elem, spot.conditions), **wanted}


def of_modes(spot: Spot, modes: Modes) -> Tries:
    """Returns a member in a mode that forbids it, and in one that does not."""
    known = {mode for mode, _ in modes.rules}
    others: list[Any] = [modes.zero, *edges(spot.place.members[modes.discriminator])]
    member = spot.place.members[modes.json]
    outside: list[Try] = []
    inside: list[Try] = []
    for mode in dict.fromkeys(chain((mode for mode, _ in modes.rules), islice(others, 8))):
        obj = {**(spot.value or {}), modes.discriminator: mode}
        conditions = {**spot.conditions, spot.place.mode_name(modes): mode}
        obj[modes.json] = Objects().set_value(member, conditions)
        (inside if mode in known else outside).append(Try(obj))
        if mode in known:
            inside.append(Try(_without(obj, modes.json)))
    return outside, inside


def _without(obj: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in obj.items() if key != name}
