"""Values that must be set, that must not be set, and that must be there since their zero value fails."""

from __future__ import annotations

from validation_gen.emit.schema.expressions import Member, escaped, negated, zero_of
from validation_gen.emit.schema.places import OLD, Place, as_before
from validation_gen.emit.schema.rulewriter import RuleWriter
from validation_gen.ir import Check, ListOf, MapOf, PointerTo

_LEAST = {"string": "minLength", "array": "minItems"}


def required(writer: RuleWriter, check: Check, place: Place) -> None:
    """Demands that a value is set: there, and in the exact manner not zero."""
    plain = place.pin is None and place.parent is not None and place.name
    if not writer.options.exact and plain and place.parent is not None:
        if "default" not in place.node.keywords:
            place.parent.node.required.add(place.name)
        keyword = _LEAST.get(str(place.node.keywords.get("type")))
        if keyword is not None and not isinstance(place.shape, PointerTo):
            place.node.not_empty = keyword
        return
    anchor, member = place.anchor(near=not writer.options.exact)
    if not member.steps:
        writer.gap(check, "a struct that stands among the members of another has no presence of its own")
        return
    if place.is_key and place.parent is not None and not member.nilable:
        # Matching items have equal keys, so that a comparison is unnecessary.
        condition = f"self.{escaped(place.name)} != {zero_of(place.shape)}"
        writer.put(check, place.parent, condition, "must be set", (place.name,), unchanged="true")
        return
    if len(member.steps) == 1 and not writer.is_sayable(anchor, member):
        anchor.node.required.add(member.steps[0])  # the same, but for updates that leave it out as before
        return
    unchanged = negated(member.is_set(OLD))
    demanded = member.steps[0] if len(member.steps) == 1 and place.pin is None else ""
    writer.add(check, anchor, member, member.is_set(), "must be set", unchanged, place.pin, demanded)


def forbidden(writer: RuleWriter, check: Check, place: Place) -> None:
    """Demands that a value is not set."""
    member = Member((), place.shape)
    if place.pin is not None:
        anchor, member = place.anchor(near=False)
        condition = negated(member.is_set())
        writer.add(check, anchor, member, condition, "must not be set", as_before(member), place.pin)
    elif member.nilable and not writer.options.exact and place.name:
        anchor, member = place.anchor(near=True)
        writer.add(check, anchor, member, negated(member.there()), "must not be set", "", None)
    elif member.nilable:
        writer.at_node(check, place, "false", "must not be set")
    elif isinstance(place.shape, ListOf | MapOf):
        writer.at_node(check, place, "{v}.size() == 0", "must not be set")
    else:
        writer.at_node(check, place, f"{{v}} == {zero_of(place.shape)}", "must not be set")


def present(writer: RuleWriter, check: Check, place: Place, message: str) -> None:
    """Requires a value, since its implicit zero value fails."""
    anchor, member = place.anchor(near=False)
    if member.steps:
        writer.add(check, anchor, member, member.there(), message, negated(member.is_set(OLD)), place.pin)
