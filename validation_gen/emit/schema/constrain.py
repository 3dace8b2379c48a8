"""Puts the checks of a program on schemas: walks as the validators do, and adds keywords and CEL on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from validation_gen.emit.checkwalk import absent_value, decided_by, find_active, inner_check
from validation_gen.emit.schema import unions, updates
from validation_gen.emit.schema.expressions import join_all, join_any, negated, render_zero, selected, substitute
from validation_gen.emit.schema.node import OLD, AnchoredRule, Node, Rule, ValueRef
from validation_gen.emit.schema.rulewriter import RuleWriter
from validation_gen.emit.schema.unions import apply_modes, forbidden, present, required
from validation_gen.emit.schema.values import find_form, has_form, passes
from validation_gen.ir import (
    OBJECT_META,
    Aspect,
    ByKeys,
    CallType,
    Check,
    EachKey,
    EachValue,
    FieldPlan,
    IfOption,
    InItem,
    InMember,
    ItemPresence,
    ListOf,
    MapOf,
    Membership,
    Modes,
    Operation,
    Predicate,
    PredicateSpec,
    Presence,
    Scalar,
    StructRef,
    predicates,
    value_shape,
)
from validation_gen.runtime import texts


@dataclass(slots=True)
class Constrainer(RuleWriter):
    """Applies the checks of types to their schemas."""

    _hidden: frozenset[str] = frozenset()

    # --- the walk ---------------------------------------------------------------------------------------------------

    def type(self, id: str, place: ValueRef) -> None:
        """Applies all checks of a type to one of its values. A shared schema already includes its checks."""
        plan = self.program.types.get(id)
        if plan is None or place.node.ref or place.node.cut:
            return
        self.apply(plan.checks, place)
        for iteration in (plan.keys, plan.values):
            if iteration is not None:
                self.check(iteration, place)
        if not plan.opaque:
            for member in plan.fields:
                self._field(member, place)

    def _field(self, member: FieldPlan, owner: ValueRef) -> None:
        if not member.json:
            if member.merged or not isinstance(value_shape(member.shape), StructRef):  # no JSON has the members else
                self._inlined(member, owner)
            return
        node = owner.node.properties.get(member.json)
        if member.spread and not self.options.exact:
            self._inlined(member, owner)
            return
        if node is None or member.json in self._hidden:
            if value_shape(owner.shape) != StructRef(OBJECT_META):  # only the counted members of metadata have schemas
                self.leave_out(member.checks, "another field has the name in JSON")
            return
        place = owner.member(member.json, node, member.shape)
        if value_shape(member.shape) == StructRef(OBJECT_META) and owner.parent is None:
            # The API server owns the schema of metadata; rules about its members are on the object.
            place = place.pinned(AnchoredRule(owner))
        place = self.apply(member.checks, place)
        if member.type:
            self.type(member.type, place)
        for iteration in (member.keys, member.values):
            if iteration is not None:
                self.check(iteration, place)

    def _inlined(self, member: FieldPlan, owner: ValueRef) -> None:
        """Handles an inlined struct, whose members are in the object around."""
        inner = value_shape(member.shape)
        names = (m.json for m in self.program.structs[inner.id]) if isinstance(inner, StructRef) else ()
        place = replace(owner, inlined=tuple(name for name in names if name not in member.hidden))
        self.apply(member.checks, place)
        hidden, self._hidden = self._hidden, self._hidden | frozenset(member.hidden)
        if member.type:
            self.type(member.type, place)
        self._hidden = hidden

    def apply(self, checks: Sequence[Check], place: ValueRef) -> ValueRef:
        """Applies checks of one value. Returns its place for the following checks."""
        active, _, stops = find_active(self.options, checks)
        if stops:
            place = replace(place, skips_zero=True)
        inner: dict[tuple[str, object], list[Check]] = {}
        each: dict[object, list[Check]] = {}
        for check in active:
            operation = check.operation
            if isinstance(operation, EachValue):
                each.setdefault((operation.container, operation.match), []).append(check)
            elif isinstance(operation, InMember):
                inner.setdefault((operation.json, None), []).append(check)
            elif isinstance(operation, InItem):
                inner.setdefault(("", operation.selector), []).append(check)
            elif not check.silent:
                self.check(check, place)
        for group in each.values():
            self._each(group, place)
        for group in inner.values():
            self._inside(group, place)
        return place

    def _each(self, group: list[Check], place: ValueRef) -> None:
        """Translates the checks of the items of a list or the values of a map, with the guards that skip them."""
        first = group[0].operation
        assert isinstance(first, EachValue)
        node = place.node.items or place.node.values
        if node is not None:
            inner = [inner_check(c) for c in group]
            self.apply(inner, place.element(node, first.elem, first.match))
        elif isinstance(value_shape(place.shape), ListOf):
            reason = "bytes are one text in JSON, so that schemas cannot look at each of them"
            for check in group:
                if not check.silent:
                    self.gap(check, reason)

    def _inside(self, group: list[Check], place: ValueRef) -> None:
        """Translates the checks of one member, or of one selected item."""
        first = group[0].operation
        inner = [c.operation.inner for c in group if isinstance(c.operation, InMember | InItem)]
        if isinstance(first, InMember):
            node = place.node.properties.get(first.json)
            if node is None:
                if not place.node.ref and place.pin is None:
                    self.gap(group[0], f"the schema has no property {first.json}")
                    return
                node = Node()
                if place.node.ref:
                    place.node.properties[first.json] = node
                elif first.json in ("name", "generateName"):
                    node.keywords["type"] = "string"
                    place.node.properties[first.json] = node
                else:
                    self.gap(group[0], "schemas can restrict only name and generateName of metadata")
                    return
            self.apply(inner, place.member(first.json, node, first.shape))
        elif isinstance(first, InItem) and place.node.items is not None:
            if not self.can_name(group[0], *(term.json for term in first.selector)):
                return
            item = place.element(place.node.items, first.elem)
            pin = AnchoredRule(item, (negated(selected(first.selector, "self", place.keys)),))
            self.apply(inner, item.pinned(pin))

    # --- single checks ----------------------------------------------------------------------------------------------

    def check(self, check: Check, place: ValueRef) -> None:
        """Translates one check of a value."""
        decided = decided_by(self.options, check)
        if decided is None or decided.silent:
            return
        OPERATIONS[type(decided.operation)](self, decided, decided.operation, place)

    def membership(self, check: Check, rule: Membership, place: ValueRef) -> None:
        unions.membership(self, check, rule, place)

    def modes(self, check: Check, rule: Modes, place: ValueRef) -> None:
        apply_modes(self, check, rule, place)

    def each_value(self, check: Check, each: EachValue, place: ValueRef) -> None:
        self._each([check], place)

    def inside(self, check: Check, inside: InMember | InItem, place: ValueRef) -> None:
        self._inside([check], place)

    def call_type(self, check: Check, call: CallType, place: ValueRef) -> None:
        self.type(call.type, place)

    def if_option(self, check: Check, conditional: IfOption, place: ValueRef) -> None:
        raise AssertionError("`decided_by` has left an option undecided")

    def predicate(self, check: Check, test: Predicate, place: ValueRef) -> None:
        record = test.record
        shape = value_shape(place.shape)
        if isinstance(shape, ListOf) and shape.packed and (has_form(record) or record is predicates.UNIQUE):
            self.gap(check, "bytes are one text in JSON, so that schemas cannot count or compare them")
        elif has_form(record):
            self._value(check, test, place)
        elif record.measures is Aspect.CHANGE:
            updates.transition(self, check, test, place)
        elif record.presence is Presence.REQUIRED:
            required(self, check, place)
        elif record.presence is Presence.FORBIDDEN:
            forbidden(self, check, place)
        elif record in _OTHERS:
            _OTHERS[record](self, check, test, place)
        elif record.presence is not Presence.UNSET and _UNSAID[record]:
            self.gap(check, _UNSAID[record])

    def remaining(self, check: Check, test: Predicate, place: ValueRef) -> None:
        """Adds an enum without the values that options remove."""
        self._value(check, self.find_remaining(test), place)

    def item(self, check: Check, test: Predicate, place: ValueRef) -> None:
        """Adds the check that an item exists."""
        presence, text = test.operands
        assert isinstance(presence, ItemPresence)
        if self.can_name(check, *(term.json for term in presence.selector)):
            exists = f"{{v}}.exists(i, {selected(presence.selector, 'i', place.keys)})"
            self.about(check, place, exists, texts.required_item(str(text)), zero_passes=False)

    def failure(self, check: Check, test: Predicate, place: ValueRef) -> None:
        """Adds a check that no value passes."""
        text = str(test.operands[-1]) if test.operands else "always fails"
        self.about(check, place, "false", text, zero_passes=False)

    def _value(self, check: Check, test: Predicate, place: ValueRef) -> None:
        form = find_form(test)
        default = place.node.keywords.get("default")
        if isinstance(default, str | int) and not passes(test, default):
            place.node.refuses_default = True
        zero, by_value = absent_value(place.shape)
        zero_passes = not by_value or passes(test, zero)
        if place.pin is not None and place.pin.exempt:
            self.about(check, place, form.complete, form.message, zero_passes=zero_passes)
            return
        if not self.options.exact:
            for keyword, value in form.keywords.items():
                place.node.demand(keyword, value)
            if not form.keywords:
                self.at_node(check, place, form.complete, form.message)
            return
        if place.skips_zero and not zero_passes:
            self._value_or_zero(check, test, place)
            return
        for keyword, value in form.exact.items():
            place.node.demand(keyword, value)
        self.at_node(check, place, form.rest, form.message)
        if not zero_passes:
            present(self, check, place, form.message)

    def _value_or_zero(self, check: Check, test: Predicate, place: ValueRef) -> None:
        """Adds a check that exempts the zero value, which means an unset field."""
        if test.record is predicates.NOT_EQUAL:
            return  # it refuses no other value
        form = find_form(test)
        if test.record is predicates.ENUM:
            place.node.demand("enum", ["", *form.exact.get("enum", ())])
        elif set(form.exact) <= {"pattern", "maxLength"} and "pattern" in form.exact:
            for keyword, value in form.exact.items():
                place.node.demand(keyword, f"^$|{value}" if keyword == "pattern" else value)
            if form.rest:
                self.at_node(check, place, join_any("{v} == ''", form.rest), form.message)
        else:
            unset = (
                "{v}.size() == 0" if isinstance(place.shape, ListOf | MapOf) else f"{{v}} == {render_zero(place.shape)}"
            )
            self.at_node(check, place, join_any(unset, form.complete), form.message)

    # --- lists and keys -----------------------------------------------------------------------------------------------

    def unique(self, check: Check, test: Predicate, place: ValueRef) -> None:
        """Handles unique items."""
        if place.node.keywords.get("x-kubernetes-list-type") in ("set", "map"):
            return  # the API server sees to it
        (match,) = test.operands
        same = "x == y"
        if isinstance(match, ByKeys) and test.shape is not None:
            if not self.can_name(check, *(key.json for key in match.keys)):
                return
            members = [self.find_member(test.shape, key.json) for key in match.keys]
            same = join_all(*(m.equals("x", "y") for m in members))
        self.at_node(check, place, f"{{v}}.all(x, {{v}}.exists_one(y, {same}))", "items must be unique")

    def each_key(self, check: Check, each: EachKey, place: ValueRef) -> None:
        inner = decided_by(self.options, each.inner)
        if inner is None:
            return
        if not isinstance(inner.operation, Predicate) or not has_form(inner.operation.record):
            if isinstance(inner.operation, CallType):
                for own in self.program.types[inner.operation.type].checks:
                    self.each_key(own, EachKey(own, each.key), place)
                return
            self.gap(check, "this rule has no schema for the keys of a map")
            return
        form = find_form(inner.operation)
        key = "k" if isinstance(each.key, Scalar) and each.key.go == "string" else "int(k)"
        known = f"(oldSelf.hasValue() && k in {OLD})" if self.options.exact and place.correlated else ""
        if not form.complete:
            return
        entry = self._entry(inner, f"self.all(k, {substitute(form.complete, key)})", f"keys {form.message}")
        if known:
            rule = f"self.all(k, {join_any(known, substitute(form.complete, key))})"
            entry, cheaper = replace(entry, rule=rule, optional_old_self=True), entry
            place.node.add_rule(Rule(entry, inner.tag, cheaper))
        else:
            place.node.add_rule(Rule(entry, inner.tag))


#: Applies an operation: its check, the operation, the value.
OPERATIONS: Mapping[type[Operation], Callable[[Constrainer, Check, Any, ValueRef], None]] = {
    Predicate: Constrainer.predicate,
    Membership: Constrainer.membership,
    Modes: Constrainer.modes,
    EachValue: Constrainer.each_value,
    EachKey: Constrainer.each_key,
    InMember: Constrainer.inside,
    InItem: Constrainer.inside,
    IfOption: Constrainer.if_option,
    CallType: Constrainer.call_type,
}
#: Tests that are not of one value, of a change or of presence.
_OTHERS: dict[PredicateSpec, Callable[[Constrainer, Check, Predicate, ValueRef], None]] = {
    predicates.ALWAYS_FAILS: Constrainer.failure,
    predicates.ENUM_WITH_OPTIONS: Constrainer.remaining,
    predicates.REQUIRED_ITEM: Constrainer.item,
    predicates.UNIQUE: Constrainer.unique,
}
#: Predicates that schemas cannot express, with the reason; `""` if they need not.
_UNSAID = {predicates.CUSTOM: "handwritten code has no schema", predicates.NEVER_FAILS: "", predicates.NO_NULLS: ""}


def is_known(record: PredicateSpec) -> bool:
    """Returns whether this module translates a predicate. The tests ensure it for all predicates."""
    told = has_form(record) or record.presence is not None or record.measures is Aspect.CHANGE
    return told or record in _OTHERS or record in _UNSAID
