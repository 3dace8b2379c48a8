"""Rules about which members are set, as CEL: unions, modes, and members that require or exclude each other.

Conditions say that a value is set, that it is not set, and that it is set because its zero value fails.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from validation_gen.emit.schema.expressions import (
    Member,
    at_most_one,
    escape_property,
    exactly_one,
    join_all,
    join_any,
    match_selector,
    negate,
    render_zero,
    same_truth,
)
from validation_gen.emit.schema.node import OLD, AnchoredRule, ValueRef, as_before
from validation_gen.emit.schema.rulewriter import RuleWriter
from validation_gen.ir import (
    Check,
    ItemPresence,
    ListOf,
    MapOf,
    Membership,
    MembershipKind,
    Modes,
    Participant,
    PointerTo,
    value_shape,
)
from validation_gen.runtime import texts

if TYPE_CHECKING:
    from validation_gen.emit.schema.constrain import Constrainer


_LEAST = {"string": "minLength", "array": "minItems"}


def require(writer: RuleWriter, check: Check, ref: ValueRef) -> None:
    """Demands that a value is set: there, and in the exact manner not zero."""
    plain = ref.pin is None and ref.parent is not None and ref.name
    if not writer.options.exact and plain and ref.parent is not None:
        if "default" not in ref.node.keywords:
            ref.parent.node.required.add(ref.name)
        keyword = _LEAST.get(str(ref.node.keywords.get("type")))
        if keyword is not None and not isinstance(ref.shape, PointerTo):
            ref.node.not_empty = keyword
        return
    anchor, member = ref.anchor(near=not writer.options.exact)
    if not member.steps:
        writer.gap(check, "an inlined struct has no presence of its own")
        return
    if ref.is_key and ref.parent is not None and not member.nilable:
        # Matching items have equal keys, so that a comparison is unnecessary.
        condition = f"self.{escape_property(ref.name)} != {render_zero(ref.shape)}"
        writer.put(check, ref.parent, condition, "must be set", (ref.name,), unchanged="true")
        return
    if len(member.steps) == 1 and not writer.is_sayable(anchor, member):
        anchor.node.required.add(member.steps[0])  # the same, but for updates that leave it out as before
        return
    unchanged = negate(member.is_set(OLD))
    demanded = member.steps[0] if len(member.steps) == 1 and ref.pin is None else ""
    writer.add(check, anchor, member, member.is_set(), "must be set", unchanged, ref.pin, demanded)


def forbidden(writer: RuleWriter, check: Check, ref: ValueRef) -> None:
    """Demands that a value is not set."""
    member = Member((), ref.shape)
    if ref.pin is not None:
        anchor, member = ref.anchor(near=False)
        condition = negate(member.is_set())
        writer.add(check, anchor, member, condition, "must not be set", as_before(member), ref.pin)
    elif member.nilable and not writer.options.exact and ref.name:
        anchor, member = ref.anchor(near=True)
        writer.add(check, anchor, member, negate(member.there()), "must not be set", "", None)
    elif member.nilable:
        writer.at_node(check, ref, "false", "must not be set")
    elif isinstance(ref.shape, ListOf | MapOf):
        writer.at_node(check, ref, "{v}.size() == 0", "must not be set")
    else:
        writer.at_node(check, ref, f"{{v}} == {render_zero(ref.shape)}", "must not be set")


def present(writer: RuleWriter, check: Check, ref: ValueRef, message: str) -> None:
    """Requires a value, since its implicit zero value fails."""
    anchor, member = ref.anchor(near=False)
    if member.steps:
        writer.add(check, anchor, member, member.there(), message, negate(member.is_set(OLD)), ref.pin)


def membership(writer: RuleWriter, check: Check, rule: Membership, ref: ValueRef) -> None:
    """Adds the rule to the schema of the struct or list."""
    if ref.pin is not None:
        writer.gap(check, "the rule cannot be expressed for a part that another rule selects")
        return
    host, steps = ref.host(near=not writer.options.exact)
    union = _Union(writer, check, ref, host, steps)
    if isinstance(value_shape(ref.shape), ListOf):
        union.of_items(rule)
        return
    sets = [union.is_set(p, "self") for p in rule.participants]
    if not all(sets):
        writer.gap(check, "CEL cannot name a member")
        return
    unchanged = join_all(
        *(same_truth(union.is_set(p, OLD), now) for p, now in zip(rule.participants, sets, strict=True))
    )
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
            condition = join_any(negate(sets[0]), sets[1])
            union.put(condition, text, unchanged, second.name)
        case MembershipKind.DEPENDENT_FORBIDDEN:
            first, second = rule.participants
            text = texts.forbidden_with(first.name)
            condition = join_any(negate(sets[0]), negate(sets[1]))
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
    place: ValueRef
    host: ValueRef
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
        shape = self.writer.find_member(self.place.shape, json).shape
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
        one = " || ".join(_tight(match_selector(selector, "i", keys)) for selector in selectors)
        if rule.kind is MembershipKind.EXACTLY_ONE:
            text = texts.exactly_one(_names(rule))
            unset = "self.size() == 0" if self.place.skips_zero else ""
            self.put(join_any(unset, f"self.exists_one(i, {one})"), text, "")
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
        unchanged = join_all(unchanged, discriminator.equals("self", OLD))
        for participant, now in zip(rule.participants, sets, strict=True):
            shown = f'`{rule.discriminator}` is "{participant.discriminator_value}"'
            message = f"may only be specified when {shown}, and must be then"
            named = discriminator.is_value(participant.discriminator_value, always=always)
            condition = f"({named}) == ({now})" if " " in now else f"({named}) == {now}"
            self.put(condition, message, unchanged, participant.name)

    def put(self, condition: str, message: str, unchanged: str, field: str = "") -> None:
        steps = (*self.steps, field) if field else self.steps
        self.writer.put(self.check, self.host, condition, message, steps, unchanged=unchanged)


def apply_modes(constrainer: Constrainer, check: Check, rule: Modes, ref: ValueRef) -> None:
    """Adds the checks of each mode as rules at the struct; in other modes the member must be unset."""
    node = ref.node.properties.get(rule.json)
    if node is None or not constrainer.can_name(check, rule.discriminator):
        return
    host, steps = ref.host(near=not constrainer.options.exact)
    discriminator = Member((*steps, rule.discriminator), constrainer.find_member(ref.shape, rule.discriminator).shape)
    member = Member((*steps, rule.json), rule.shape)
    always = not constrainer.options.exact and rule.discriminator in ref.node.required
    known = []
    for value, checks in rule.rules:
        mode = discriminator.is_value(value, always=always)
        known.append(mode)
        pin = AnchoredRule(host, (negate(mode),), (discriminator, member))
        leveled = [replace(c, level=check.level or c.level) for c in checks]  # the level around is that of all modes
        constrainer.apply(leveled, ref.member(rule.json, node, rule.shape).pinned(pin))
    if constrainer.options.wants(check.level or rule.level):
        pin = AnchoredRule(host, tuple(known), (discriminator, member))
        left = replace(check, emits=tuple(e for e in check.emits if e.type == "FieldValueForbidden")[:1])
        forbidden(constrainer, left, ref.member(rule.json, node, rule.shape).pinned(pin))
