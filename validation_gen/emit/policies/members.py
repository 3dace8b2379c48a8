"""Rules about which members are set, as conditions in CEL: unions, and members that ask for or rule out each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from validation_gen.emit.policies import fields
from validation_gen.emit.policies.messages import Words
from validation_gen.emit.policies.places import Place
from validation_gen.emit.schema.expressions import (
    Member,
    all_of,
    any_of,
    at_most_one,
    exactly_one,
    literal,
    negated,
    same_truth,
)
from validation_gen.ir import (
    Check,
    ItemPresence,
    ListOf,
    Membership,
    MembershipKind,
    Participant,
    PointerTo,
    value_shape,
)
from validation_gen.runtime import texts
from validation_gen.runtime.gotext import go_quote

if TYPE_CHECKING:
    from validation_gen.emit.policies.walk import Walker


def membership(walker: Walker, check: Check, rule: Membership, place: Place) -> None:
    """Translates one rule about members of a struct or items of a list."""
    union = _Union(walker, check, rule, place)
    sets = [union.is_set(p, place.frame.base) for p in rule.participants]
    match rule.kind:
        case MembershipKind.EXACTLY_ONE:
            union.put(exactly_one(sets), union.words(sets, texts.exactly_one(union.names), texts.one_of(union.names)))
        case MembershipKind.AT_MOST_ONE if len(sets) == 1:
            pass  # there is nothing to choose from
        case MembershipKind.AT_MOST_ONE:
            union.put(at_most_one(sets), union.words(sets, texts.at_most_one(union.names)))
        case MembershipKind.DISCRIMINATED:
            union.discriminated(sets)
        case MembershipKind.DEPENDENT_REQUIRED:
            first, second = rule.participants
            words = Words("FieldValueRequired", texts.required_with(first.name), child=second.name)
            union.put(any_of(negated(sets[0]), sets[1]), words)
        case MembershipKind.DEPENDENT_FORBIDDEN:
            first, second = rule.participants
            words = Words("FieldValueForbidden", texts.forbidden_with(first.name), child=second.name)
            union.put(any_of(negated(sets[0]), negated(sets[1])), words)


@dataclass(frozen=True, slots=True)
class _Union:
    """A rule about members of the struct or list at `place`."""

    walker: Walker
    check: Check
    rule: Membership
    place: Place

    @property
    def names(self) -> list[str]:
        return [participant.name for participant in self.rule.participants]

    def is_set(self, participant: Participant, base: str) -> str:
        """Returns the condition that a participant is set."""
        presence = participant.presence
        if isinstance(presence, ItemPresence):
            items = fields.value(Member(self.place.steps, ListOf(value_shape(self.place.shape))), base)
            return f"{items}.exists(i, {fields.is_selected(presence.selector, 'i')})"
        return fields.is_set(self.member(presence.json), base)

    def member(self, json: str) -> Member:
        return Member((*self.place.steps, json), self.walker.member_of(self.place.shape, json).shape)

    def words(self, sets: list[str], several: str, none: str = "") -> Words:
        """Returns the messages for several set members, and for none."""
        listed = ", ".join(
            f"{now if ' ' not in now else f'({now})'} ? {literal(name)} : ''"
            for now, name in zip(sets, self.names, strict=True)
        )
        shown = f"strings.quote('{{' + [{listed}].filter(x, x != '').join(', ') + '}}')"
        said = f"'Invalid value: ' + {shown} + {literal(f': {several}')}"
        if not none:
            return Words("FieldValueInvalid", several, parts=(("", said),))
        nothing = all_of(*map(negated, sets))
        empty = literal(f'Invalid value: "": {none}')
        return Words("FieldValueInvalid", several, parts=((nothing, empty), ("", said)))

    def discriminated(self, sets: list[str]) -> None:
        """Writes one validation for each member, since each error has the path of a member."""
        rule, base = self.rule, self.place.frame.base
        discriminator = self.member(rule.discriminator)
        for participant, now in zip(rule.participants, sets, strict=True):
            value = participant.discriminator_value
            named = fields.is_value(discriminator, value, base)
            condition = f"({named}) == ({now})" if " " in now else f"({named}) == {now}"
            shown = f"`{rule.discriminator}` is {go_quote(value)}"
            may = literal(f'Invalid value: "": may only be specified when {shown}')
            must = literal(f'Invalid value: "": must be specified when {shown}')
            words = Words(
                "FieldValueInvalid",
                f"may only be specified when {shown}, and must be then",
                child=participant.name,
                parts=((now if " " not in now else f"({now})", may), ("", must)),
            )
            self.put(condition, words, discriminator)

    def put(self, condition: str, words: Words, discriminator: Member | None = None) -> None:
        place = self.place
        base = place.frame.base

        def as_before(old: str) -> str:
            same = [same_truth(self.is_set(p, old), self.is_set(p, base)) for p in self.rule.participants]
            if place.steps and isinstance(place.shape, PointerTo | ListOf):
                # A new value is checked, whichever members it has.
                same.insert(0, any_of(fields.there(place.member, old), fields.is_unset(place.member, base)))
            if discriminator is not None:
                same.append(fields.equal(self.walker.program, discriminator, base, old))
            return all_of(*same)

        unchanged = place.before(as_before)
        if isinstance(value_shape(place.shape), ListOf) and place.skips_zero and place.steps:
            condition = any_of(fields.is_unset(place.member, base), condition)
        self.walker.put(self.check, place, condition, words, unchanged=unchanged)
