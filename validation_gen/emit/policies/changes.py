"""Tests of changes (immutable, monotonic, `update`), which ask nothing of a new object, and rules about set members.

The latter are unions, and members that require or exclude each other, as conditions in CEL.
"""

from __future__ import annotations

from dataclasses import dataclass

from validation_gen.emit.policies import fields
from validation_gen.emit.policies.collecting import Collector
from validation_gen.emit.policies.messages import Words, render_value
from validation_gen.emit.policies.value_ref import ValueRef
from validation_gen.emit.schema.expressions import (
    Member,
    at_most_one,
    exactly_one,
    join_all,
    join_any,
    literal,
    negate,
    same_truth,
)
from validation_gen.ir import (
    ByKeys,
    ByValue,
    Check,
    ItemPresence,
    ListOf,
    Membership,
    MembershipKind,
    Participant,
    PointerTo,
    Predicate,
    predicates,
    value_shape,
)
from validation_gen.runtime import texts
from validation_gen.runtime.gotext import go_quote

_IS_NEW = "oldObject == null"


def change(collector: Collector, check: Check, predicate: Predicate, ref: ValueRef) -> None:
    """Translates one predicate about a change."""
    if predicate.record is predicates.IMMUTABLE:
        _write(
            collector, check, ref, _IS_NEW, Words("FieldValueInvalid", texts.IMMUTABLE, fixed="null"), unchanged=None
        )
    elif predicate.record is predicates.MONOTONIC:
        _monotonic(collector, check, ref)
    else:
        constraints = predicate.operands[0]
        assert isinstance(constraints, tuple)
        for constraint in constraints:
            _transition(collector, check, predicate, ref, constraint)


def _write(
    collector: Collector, check: Check, ref: ValueRef, condition: str, words: Words, *, unchanged: str | None = ""
) -> None:
    if ref.skips_zero and not check.short_circuit and ref.steps:
        condition = join_any(condition, fields.is_unset(ref.member, ref.frame.base))
    collector.put(check, ref, condition, words, unchanged=unchanged)


def _monotonic(collector: Collector, check: Check, ref: ValueRef) -> None:
    member, base = ref.member, ref.frame.base
    new = fields.value(member, base) if not member.nilable else ref.plain

    def decreased(old: str) -> str:
        was = fields.value(member, old) if not member.nilable else fields.plain(member, old)
        there = (fields.there(member, base), fields.there(member, old)) if member.nilable and member.steps else ()
        return join_all(*there, f"{new} < {was}")

    fails = ref.before(decreased)
    if fails:
        more = ""
        if ref.frame.container is None:
            was = fields.plain(member, "oldObject") if member.nilable else fields.value(member, "oldObject")
            more = f"' from ' + string({was})"
        words = Words("FieldValueInvalid", "may not be decreased", render_value(ref).replace("{v}", new), more=more)
        _write(collector, check, ref, negate(fails), words)


def _transition(collector: Collector, check: Check, predicate: Predicate, ref: ValueRef, constraint: str) -> None:
    """Translates one constraint of `update`."""
    member, base = ref.member, ref.frame.base
    words = Words("FieldValueInvalid", texts.TRANSITIONS.get(constraint, ""), fixed="null")
    record = predicate.record
    struct = record is predicates.UPDATE_STRUCT
    is_set = "true" if struct else fields.is_set(member, base)
    is_unset = "false" if struct else fields.is_unset(member, base)

    def was_set(old: str) -> str:
        return "true" if struct else fields.is_set(member, old)

    if constraint == "NoSet":
        if struct:
            return
        if record is predicates.UPDATE_VALUE:
            fails = join_all(is_set, ref.before(lambda old: fields.is_unset(member, old)))
            _write(collector, check, ref, negate(fails), words)
        else:
            condition = join_any(_IS_NEW, "" if is_unset == "false" else is_unset, ref.before(was_set))
            _write(collector, check, ref, condition, words)
    elif constraint == "NoUnset":
        if not struct and ref.steps:
            fails = ref.before(was_set)
            if fails:
                _write(collector, check, ref, join_any(is_set, negate(fails)), words)
    elif constraint == "NoModify":
        same = ref.before(lambda old: fields.equal(collector.program, member, base, old))
        known = ref.before(was_set)
        if known:
            condition = join_any("" if is_unset == "false" else is_unset, negate(known), same)
            _write(collector, check, ref, condition, words)
    else:
        _items(collector, check, predicate, ref, constraint)


def _items(collector: Collector, check: Check, predicate: Predicate, ref: ValueRef, constraint: str) -> None:
    """Handles added or removed items. Their errors have the path of the list or map."""
    added = constraint == "NoAddItem"
    words = Words("FieldValueForbidden", texts.NO_NEW_ITEM if added else texts.NO_LOST_ITEM)
    member, base = ref.member, ref.frame.base
    shape = value_shape(member.shape)
    new = fields.value(member, base)
    match = predicate.operands[1] if len(predicate.operands) > 1 else None

    def among(item: str, items: str) -> str:
        if not isinstance(shape, ListOf) or not isinstance(match, ByKeys | ByValue):
            return f"{item} in {items}"
        same = collector.same_items(match, shape.elem)
        found = same("y", item) if same is not None else f"y == {item}"
        return f"{item} in {items}" if found == f"y == {item}" else f"{items}.exists(y, {found})"

    if added:
        known = ref.before(lambda old: f"{new}.all(x, {among('x', fields.value(member, old))})")
        condition = join_any(_IS_NEW, f"{new}.size() == 0", known)
    else:
        lost = ref.before(lambda old: f"!{fields.value(member, old)}.all(x, {among('x', new)})")
        if not lost:
            return
        condition = negate(lost)
    _write(collector, check, ref, condition, words)


def membership(collector: Collector, check: Check, rule: Membership, ref: ValueRef) -> None:
    """Translates one rule about members of a struct or items of a list."""
    union = _Union(collector, check, rule, ref)
    sets = [union.is_set(p, ref.frame.base) for p in rule.participants]
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
            union.put(join_any(negate(sets[0]), sets[1]), words)
        case MembershipKind.DEPENDENT_FORBIDDEN:
            first, second = rule.participants
            words = Words("FieldValueForbidden", texts.forbidden_with(first.name), child=second.name)
            union.put(join_any(negate(sets[0]), negate(sets[1])), words)


@dataclass(frozen=True, slots=True)
class _Union:
    """A rule about members of the struct or list at `place`."""

    collector: Collector
    check: Check
    rule: Membership
    place: ValueRef

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
        return Member((*self.place.steps, json), self.collector.find_member(self.place.shape, json).shape)

    def words(self, sets: list[str], several: str, none: str = "") -> Words:
        """Returns the messages for several set members, and for none."""
        listed = ", ".join(
            f"{now if ' ' not in now else f'({now})'} ? {literal(name)} : ''"
            for now, name in zip(sets, self.names, strict=True)
        )
        shown = f"strings.quote('{{' + [{listed}].filter(x, x != '').join(', ') + '}}')"
        message = f"'Invalid value: ' + {shown} + {literal(f': {several}')}"
        if not none:
            return Words("FieldValueInvalid", several, parts=(("", message),))
        nothing = join_all(*map(negate, sets))
        empty = literal(f'Invalid value: "": {none}')
        return Words("FieldValueInvalid", several, parts=((nothing, empty), ("", message)))

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
                same.insert(0, join_any(fields.there(place.member, old), fields.is_unset(place.member, base)))
            if discriminator is not None:
                same.append(fields.equal(self.collector.program, discriminator, base, old))
            return join_all(*same)

        unchanged = place.before(as_before)
        if isinstance(value_shape(place.shape), ListOf) and place.skips_zero and place.steps:
            condition = join_any(fields.is_unset(place.member, base), condition)
        self.collector.put(self.check, place, condition, words, unchanged=unchanged)
