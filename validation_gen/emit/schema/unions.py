"""Rules about which members are set, as CEL: unions, and members that ask for or rule out each other."""

from __future__ import annotations

from dataclasses import dataclass

from validation_gen.emit.schema.expressions import (
    Member,
    all_of,
    any_of,
    at_most_one,
    exactly_one,
    negated,
    same_truth,
    selected,
)
from validation_gen.emit.schema.places import OLD, Place
from validation_gen.emit.schema.presence import present
from validation_gen.emit.schema.rulewriter import RuleWriter
from validation_gen.ir import Check, ItemPresence, ListOf, Membership, MembershipKind, Participant, value_shape
from validation_gen.runtime import texts


def membership(writer: RuleWriter, check: Check, rule: Membership, place: Place) -> None:
    """Adds the rule to the schema of the struct or list."""
    if place.pin is not None:
        writer.gap(check, "the rule cannot be said for a part that another rule selects")
        return
    host, steps = place.host(near=not writer.options.exact)
    union = _Union(writer, check, place, host, steps)
    if isinstance(value_shape(place.shape), ListOf):
        union.of_items(rule)
        return
    sets = [union.is_set(p, "self") for p in rule.participants]
    if not all(sets):
        writer.gap(check, "CEL cannot name a member")
        return
    unchanged = all_of(*(same_truth(union.is_set(p, OLD), now) for p, now in zip(rule.participants, sets, strict=True)))
    match rule.kind:
        case MembershipKind.EXACTLY_ONE:
            union.put(exactly_one(sets), texts.exactly_one(_names(rule)), unchanged)
        case MembershipKind.AT_MOST_ONE if len(sets) == 1:
            pass  # there is nothing to choose from
        case MembershipKind.AT_MOST_ONE:
            union.put(at_most_one(sets), texts.at_most_one(_names(rule)), unchanged)
        case MembershipKind.DISCRIMINATED:
            union.discriminated(rule, sets, unchanged)
        case MembershipKind.DEPENDENT_REQUIRED:
            first, second = rule.participants
            text = texts.required_with(first.name)
            condition = any_of(negated(sets[0]), sets[1])
            union.put(condition, text, unchanged, second.name)
        case MembershipKind.DEPENDENT_FORBIDDEN:
            first, second = rule.participants
            text = texts.forbidden_with(first.name)
            condition = any_of(negated(sets[0]), negated(sets[1]))
            union.put(condition, text, unchanged, second.name)


def _names(rule: Membership) -> list[str]:
    return [participant.name for participant in rule.participants]


def _tight(condition: str) -> str:
    return f"({condition})" if " && " in condition else condition


@dataclass(frozen=True, slots=True)
class _Union:
    """A rule about members of the struct or list at `place`, written at `host`."""

    writer: RuleWriter
    check: Check
    place: Place
    host: Place
    steps: tuple[str, ...]

    def is_set(self, participant: Participant, base: str) -> str:
        """Returns the condition that a participant is set, `""` if CEL cannot express it."""
        presence = participant.presence
        assert not isinstance(presence, ItemPresence), "items are counted by of_items"
        if presence.json not in self.place.node.properties:
            return ""
        member = self.member(presence.json)
        if not self.writer.is_sayable(self.host, member):
            return ""
        return member.is_set(base) if self.writer.options.exact else member.there(base)

    def member(self, json: str) -> Member:
        shape = self.writer.member_of(self.place.shape, json).shape
        return Member((*self.steps, json), shape)

    def of_items(self, rule: Membership) -> None:
        """Writes a union of items, which are counted together: each participant is at most one item.

        An update of an unchanged union passes only if the list does not change at all: the size of an old list is
        unknown, so that the cost of reading it is unlimited.
        """
        selectors = [p.presence.selector for p in rule.participants if isinstance(p.presence, ItemPresence)]
        if not self.writer.can_name(self.check, *(term.json for selector in selectors for term in selector)):
            return
        keys = self.place.keys
        one = " || ".join(_tight(selected(selector, "i", keys)) for selector in selectors)
        if rule.kind is MembershipKind.EXACTLY_ONE:
            text = texts.exactly_one(_names(rule))
            unset = "self.size() == 0" if self.place.skips_zero else ""
            self.put(any_of(unset, f"self.exists_one(i, {one})"), text, "")
            if self.writer.options.exact and not self.place.skips_zero:
                present(self.writer, self.check, self.place, text)
        elif rule.kind is MembershipKind.AT_MOST_ONE:
            self.put(f"self.filter(i, {one}).size() <= 1", texts.at_most_one(_names(rule)), "")

    def discriminated(self, rule: Membership, sets: list[str], unchanged: str) -> None:
        """Writes one rule for each member, since each error is at a member."""
        if not self.writer.can_name(self.check, rule.discriminator):
            return
        discriminator = self.member(rule.discriminator)
        always = not self.writer.options.exact and rule.discriminator in self.place.node.required
        unchanged = all_of(unchanged, discriminator.equals("self", OLD))
        for participant, now in zip(rule.participants, sets, strict=True):
            shown = f'`{rule.discriminator}` is "{participant.discriminator_value}"'
            message = f"may only be specified when {shown}, and must be then"
            named = discriminator.is_value(participant.discriminator_value, always=always)
            condition = f"({named}) == ({now})" if " " in now else f"({named}) == {now}"
            self.put(condition, message, unchanged, participant.name)

    def put(self, condition: str, message: str, unchanged: str, field: str = "") -> None:
        steps = (*self.steps, field) if field else self.steps
        self.writer.put(self.check, self.host, condition, message, steps, unchanged=unchanged)
