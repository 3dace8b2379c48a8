"""Rules that hold in one mode of an object, and members that its mode forbids."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from validation_gen.emit.schema import unions
from validation_gen.emit.schema.expressions import Member, negated
from validation_gen.emit.schema.places import Pin, Place
from validation_gen.ir import Check, Modes

if TYPE_CHECKING:
    from validation_gen.emit.schema.constrain import Constrainer


def apply_modes(constrainer: Constrainer, check: Check, rule: Modes, place: Place) -> None:
    """The checks of each mode as rules at the struct; in other modes the member must not be set."""
    node = place.node.properties.get(rule.json)
    if node is None or not constrainer.can_name(check, rule.discriminator):
        return
    host, steps = place.host(near=not constrainer.options.exact)
    discriminator = Member((*steps, rule.discriminator), constrainer.member_of(place.shape, rule.discriminator).shape)
    member = Member((*steps, rule.json), rule.shape)
    always = not constrainer.options.exact and rule.discriminator in place.node.required
    known = []
    for value, checks in rule.rules:
        mode = discriminator.is_value(value, always=always)
        known.append(mode)
        pin = Pin(host, (negated(mode),), (discriminator, member))
        leveled = [replace(c, level=check.level or c.level) for c in checks]  # the level around is that of all modes
        constrainer.apply(leveled, place.member(rule.json, node, rule.shape).pinned(pin))
    if constrainer.options.wants(check.level or rule.level):
        pin = Pin(host, tuple(known), (discriminator, member))
        forbidden = replace(check, emits=tuple(e for e in check.emits if e.type == "FieldValueForbidden")[:1])
        unions.forbidden(constrainer, forbidden, place.member(rule.json, node, rule.shape).pinned(pin))
