"""Writes CEL rules for checks: their locations, their field paths, and their exceptions for unchanged values."""

from __future__ import annotations

from dataclasses import dataclass, replace

from validation_gen.emit.checkwalk import CheckWalk
from validation_gen.emit.schema.expressions import (
    Member,
    escape_property,
    field_path,
    join_all,
    join_any,
    negate,
    substitute,
)
from validation_gen.emit.schema.node import AnchoredRule, Node, Rule, ValueRef, as_before, has_type
from validation_gen.ir import Check, Validation

#: The error types that CEL rules can report by their `reason`; all others become Invalid.
REASONS = ("FieldValueRequired", "FieldValueForbidden", "FieldValueDuplicate")


@dataclass(slots=True)
class RuleWriter(CheckWalk):
    """Adds rules to the schemas of values."""

    def is_sayable(self, anchor: ValueRef, member: Member) -> bool:
        """Returns whether CEL can name a member: its name can be written, and its schema has a type."""
        node: Node | None = anchor.node
        for step in member.steps:
            if node is None or node.ref:
                return member.sayable
            node = node.properties.get(step)
            if node is not None and not has_type(node):
                return False
        return member.sayable and node is not None

    def can_name(self, check: Check, *names: str) -> bool:
        """Returns whether CEL can write the names of some members. If not, the check is a gap."""
        missing = [name for name in names if not escape_property(name)]
        if missing:
            self.gap(check, f"CEL cannot name the field {missing[0]}")
        return not missing

    def about(self, check: Check, ref: ValueRef, condition: str, message: str, *, zero_passes: bool = True) -> None:
        """Writes a rule about a value that may be absent. `{v}` in the condition is the value."""
        anchor, member = ref.anchor(near=not self.options.exact)
        if not member.steps:
            self.at_node(check, ref, condition, message)
            return
        asked = substitute(condition, member.plain())
        if zero_passes or not self.options.exact:
            condition = join_any(negate(member.there()), asked)
        elif member.nilable or ref.skips_zero:
            condition = join_any(negate(member.is_set()), asked)
        else:
            condition = join_all(member.there(), asked)
        self.add(check, anchor, member, condition, message, as_before(member), ref.pin)

    def add(
        self,
        check: Check,
        anchor: ValueRef,
        member: Member,
        condition: str,
        message: str,
        unchanged: str,
        pin: AnchoredRule | None,
        demanded: str = "",
    ) -> None:
        """Writes a rule at a place above the value. In exact mode it accepts unchanged values."""
        if not self.is_sayable(anchor, member):
            self.gap(check, f"CEL cannot name the field {'.'.join(member.steps)}")
            return
        exempt = pin.exempt if pin is not None else ()
        if pin is not None and pin.members:
            unchanged = join_all(*(as_before(m) for m in pin.members))
        known = unchanged if member.steps else ""
        condition = join_any(*exempt, condition)
        self.put(check, anchor, condition, message, member.steps, unchanged=known, demanded=demanded)

    def at_node(self, check: Check, ref: ValueRef, condition: str, message: str) -> None:
        """Adds a rule at the value itself; the API server evaluates it only if the value exists and has changed."""
        if not condition:
            return
        if ref.pin is not None and ref.node is not ref.pin.place.node:
            self.about(check, ref, condition, message)
            return
        exempt = ref.pin.exempt if ref.pin is not None else ()
        self.put(check, ref, join_any(*exempt, substitute(condition, "self")), message)

    def put(
        self,
        check: Check,
        ref: ValueRef,
        condition: str,
        message: str,
        steps: tuple[str, ...] = (),
        *,
        unchanged: str = "",
        minor: bool = False,
        demanded: str = "",
        cheaper: str = "",
    ) -> None:
        """Adds a rule to the schema of a place, for the field that the steps lead to.

        In the exact manner it lets pass an update for which `unchanged` holds. `cheaper` is a condition in its place
        where it costs too much. For `minor` and `demanded`, the name of a property, see `Rule`.
        """
        entry = self._entry(check, condition, message, steps)
        rule = Rule(entry, check.tag, minor=minor, property=demanded)
        if cheaper:
            rule = replace(rule, cheaper=self._entry(check, cheaper, message, steps))
        if unchanged and self.options.exact and ref.correlated:
            text = join_any(join_all("oldSelf.hasValue()", "" if unchanged == "true" else unchanged), condition)
            rule = replace(rule, entry=replace(entry, rule=text, optional_old_self=True), cheaper=entry)
        ref.node.add_rule(rule)

    def _entry(self, check: Check, rule: str, message: str, steps: tuple[str, ...] = ()) -> Validation:
        reason = next((e.type for e in check.emits if e.type in REASONS), "")
        return Validation(rule, message, "", reason, field_path(steps), None, check.tag.span)
