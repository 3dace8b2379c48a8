"""Transition rules for changes: immutable, monotonic, and the constraints of `update`.

A rule at a value is evaluated only if old and new value exist. If one of them can be missing the rule is at the owner.
In the exact manner it is at the nearest place that exists whenever the validators check the value; and where that place
itself can appear, a second rule above covers that.
"""

from __future__ import annotations

from validation_gen.emit.schema.expressions import Member, join_all, join_any, negate, render_zero
from validation_gen.emit.schema.node import ValueRef, has_type
from validation_gen.emit.schema.rulewriter import RuleWriter
from validation_gen.ir import ByKeys, Check, ListOf, MapOf, PointerTo, Predicate, Scalar, Wire, predicates, value_shape
from validation_gen.runtime import texts


def transition(writer: RuleWriter, check: Check, predicate: Predicate, ref: ValueRef) -> None:
    """Adds the transition rules of a test."""
    whole = ref.parent
    is_item = whole is not None and whole.correlated and not ref.name
    if whole is not None and is_item and not ref.correlated and predicate.record is predicates.IMMUTABLE:
        _immutable_items(writer, check, ref, whole)
        return
    if not ref.correlated:
        writer.gap(
            check, "the API server does not find the old value of this one: it is below a list that is not a map"
        )
        return
    anchor, member = ref.anchor(near=not writer.options.exact)
    if not writer.is_sayable(anchor, member):
        writer.gap(check, f"CEL cannot name the field {'.'.join(member.steps)}")
        return
    step = _Transition(writer, check, ref, anchor, member)
    if predicate.record is predicates.IMMUTABLE:
        step.immutable()
    elif predicate.record is predicates.MONOTONIC:
        step.monotonic()
    else:
        step.update(predicate)


def _immutable_items(writer: RuleWriter, check: Check, item: ValueRef, whole: ValueRef) -> None:
    """Handles immutable items in a list whose items API servers do not match, with a rule on the list."""
    anchor, container = whole.anchor(near=False) if writer.options.exact else (whole, Member((), whole.shape))
    if not writer.is_sayable(anchor, container) or not has_type(item.node):
        writer.gap(check, "CEL cannot name the items")
        return
    container = Member(container.steps, value_shape(whole.shape))
    new, old = container.value(), container.value("oldSelf")
    if isinstance(item.match, ByKeys):
        keys = (writer.find_member(item.shape, key.json) for key in item.match.keys)
        condition = f"{new}.all(i, {old}.exists(o, {join_all(*(key.equals('o', 'i') for key in keys), 'o == i')}))"
    elif item.match is not None:
        condition = f"{new}.all(i, i in {old})"
    else:
        condition = join_any(f"{new} == {old}", f"{new}.size() == 0")
    writer.put(check, anchor, condition, "items are immutable", container.steps)


class _Transition:
    """One check of a change, with the place for its rules."""

    def __init__(self, writer: RuleWriter, check: Check, ref: ValueRef, anchor: ValueRef, member: Member) -> None:
        self.writer = writer
        self.check = check
        self.place = ref
        self.anchor = anchor
        self.member = member
        self.exact = writer.options.exact

    @property
    def stays(self) -> bool:
        """True if the value always exists, so that a rule can be at the value itself."""
        owner = self.place.parent
        if not self.member.steps:
            return True
        if self.place.pin is not None or self.exact or owner is None:
            return False
        return self.place.name in owner.node.required

    def put(self, condition: str, message: str, *, at_value: bool = False, cheaper: str = "") -> None:
        exempt = [*self.place.pin.exempt] if self.place.pin is not None else []
        if self.exact and self.place.skips_zero and not self.check.short_circuit and not at_value:
            exempt.append(negate(self._is_set("self")))
        place, steps = (self.place, ()) if at_value else (self.anchor, self.member.steps)
        cheaper = join_any(*exempt, cheaper) if cheaper else ""
        self.writer.put(self.check, place, join_any(*exempt, condition), message, steps, cheaper=cheaper)

    def appears(self, condition: str, message: str) -> None:
        """Writes rules for a new parent. They are at a higher place, where the old object is known."""
        if not self.exact or self.place.pin is not None:
            return
        top = self.anchor
        above: tuple[str, ...] = ()
        while top.name and top.parent is not None:
            above, top = (top.name, *above), top.parent
        member = Member((*above, *self.member.steps), self.member.shape)
        host = Member(above, PointerTo(Scalar("string")))
        if above and host.sayable and top.correlated:
            is_new = condition.replace("{set}", member.is_set())
            text = join_any(negate(host.there()), host.there("oldSelf"), is_new)
            self.writer.put(self.check, top, text, message, member.steps)
        if top.parent is not None and top.correlated:
            self._added(top, member, condition, message)

    def _added(self, part: ValueRef, member: Member, condition: str, message: str) -> None:
        """Writes the rule for a part that is added to a list or map.

        CEL rules cannot report errors at added parts, so the error is at the list or map.
        """
        whole = part.parent
        assert whole is not None
        anchor, container = whole.anchor(near=False)
        if not self.writer.is_sayable(anchor, container):
            return
        shape = value_shape(whole.shape)
        container = Member(container.steps, shape)
        new, old = container.value(), container.value("oldSelf")
        if isinstance(shape, MapOf):
            text = f"{new}.all(k, {join_any(f'k in {old}', condition.replace('{set}', member.is_set(f'{new}[k]')))})"
        else:
            keys = [self.writer.find_member(part.shape, key) for key in whole.keys]
            same = join_all(*(f"{key.plain('o')} == {key.plain('i')}" for key in keys))
            was = f"{old}.exists(o, {same})"
            text = f"{new}.all(i, {join_any(was, condition.replace('{set}', member.is_set('i')))})"
        self.writer.put(self.check, anchor, text, message, container.steps, minor=True)

    # --- the tests --------------------------------------------------------------------------------------------------

    def immutable(self) -> None:
        message = texts.IMMUTABLE
        pin = self.place.pin
        if self.place.inlined:
            self._immutable_members(message)
            return
        if self.stays:
            self._put_same(message)
            return
        if self.exact and pin is not None and pin.members:
            # A mode that begins to count is a change, too, and any change is refused.
            self.put(join_all(*(member.equals("self", "oldSelf") for member in pin.members)), message)
            return
        same = self._equal()
        amount = self._same_amount(self.member)
        self.put(join_any(same, amount), message, cheaper=same if amount else "")
        self.appears("false", message)

    def _immutable_members(self, message: str) -> None:
        """Adds the rule of an inlined struct: it compares only the struct's own members in the surrounding object."""
        place = self.place
        host, steps = place.host(near=not self.exact)
        own = (self.writer.find_member(place.shape, name) for name in place.inlined)
        members = (Member((*steps, *member.steps), member.shape) for member in own)
        same = (m.equals("self", "oldSelf") for m in members if self.writer.is_sayable(host, m))
        self.writer.put(self.check, host, join_all(*same), message, steps)

    def _equal(self) -> str:
        """Returns the condition that the value is unchanged; in the exact manner an absent one is the zero value."""
        member = self.member if self.exact else Member(self.member.steps, PointerTo(self.member.shape))
        return member.equals("self", "oldSelf")

    def _put_same(self, message: str) -> None:
        """Adds the rule at the value that it is unchanged; the API server evaluates it where both values exist."""
        same = "self == oldSelf"
        amount = self._same_amount(Member((), self.member.shape))
        self.put(join_any(same, amount), message, at_value=True, cheaper=same if amount else "")

    def _same_amount(self, member: Member) -> str:
        """Returns the condition that a quantity is unchanged, perhaps in another notation; `""` for other types."""
        if not self.exact or value_shape(member.shape) != Wire("quantity"):
            return ""
        new, old = (f"quantity(string({member.plain(base)}))" for base in ("self", "oldSelf"))
        return join_all(member.there(), member.there("oldSelf"), f"{new}.compareTo({old}) == 0")

    def monotonic(self) -> None:
        if self.exact and self.member.steps and not self.member.nilable:
            self._put_monotonic(f"{self.member.value()} >= {self.member.value('oldSelf')}")
        elif self.place.pin is not None:
            there = join_all(self.member.there(), self.member.there("oldSelf"))
            self._put_monotonic(join_any(negate(there), f"{self.member.plain()} >= {self.member.plain('oldSelf')}"))
        else:
            self.put("self >= oldSelf", "may not be decreased", at_value=True)

    def _put_monotonic(self, condition: str) -> None:
        self.put(condition, "may not be decreased")

    def update(self, predicate: Predicate) -> None:
        constraints = predicate.operands[0]
        assert isinstance(constraints, tuple)
        was, now = self._is_set("oldSelf"), self._is_set("self")
        for constraint in constraints:
            if constraint == "NoSet":
                self.put(join_any(was, negate(now)), texts.TRANSITIONS[constraint])
                if predicate.record is not predicates.UPDATE_VALUE:
                    self.appears("!({set})", texts.TRANSITIONS[constraint])
            elif constraint == "NoUnset":
                self.put(join_any(negate(was), now), texts.TRANSITIONS[constraint])
            elif constraint == "NoModify" and predicate.record is predicates.UPDATE_STRUCT:
                self.put(self._equal() if self.member.steps else "self == oldSelf", texts.TRANSITIONS[constraint])
            elif constraint == "NoModify":
                self._no_modify(was, now)
            else:
                self._items(predicate, constraint)

    def _is_set(self, base: str) -> str:
        if not self.member.steps:
            return "true" if isinstance(self.member.shape, PointerTo) else f"{base} != {render_zero(self.member.shape)}"
        return self.member.is_set(base) if self.exact else self.member.there(base)

    def _no_modify(self, was: str, now: str) -> None:
        message = texts.TRANSITIONS["NoModify"]
        if self.place.pin is None and (self.member.nilable or not self.exact):
            self._put_same(message)
        else:
            self.put(
                join_any(negate(was), negate(now), self._equal() if self.member.steps else "self == oldSelf"), message
            )

    def _items(self, predicate: Predicate, constraint: str) -> None:
        """Handles added or removed items. Their errors are at the list or map: CEL cannot point to an item."""
        added = constraint == "NoAddItem"
        message = texts.NO_NEW_ITEM if added else texts.NO_LOST_ITEM
        shape = value_shape(self.member.shape)
        new, old = self.member.value(), self.member.value("oldSelf")
        here, there = (new, old) if added else (old, new)
        if isinstance(shape, MapOf):
            condition = f"{here}.all(k, k in {there})"
        else:
            match = predicate.operands[1] if len(predicate.operands) > 1 else None
            same = f"i in {there}"
            if isinstance(match, ByKeys) and isinstance(shape, ListOf):
                keys = [self.writer.find_member(shape.elem, key.json) for key in match.keys]
                pairs = join_all(*(f"{_value(k, 'o')} == {_value(k, 'i')}" for k in keys))
                same = f"{there}.exists(o, {pairs})"
            condition = f"{here}.all(i, {same})"
        self.put(condition, message)


def _value(key: Member, base: str) -> str:
    return key.plain(base) if key.nilable else key.value(base)
