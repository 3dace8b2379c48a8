"""Puts the checks of a program on schemas: walks as the validators do, and adds keywords and CEL on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from validation_gen.emit.checkwalk import absent_value, apply_options, find_active, inner_check
from validation_gen.emit.schema import unions, updates
from validation_gen.emit.schema.expressions import join_all, join_any, match_selector, negate, render_zero, substitute
from validation_gen.emit.schema.node import OLD, AnchoredRule, Node, Rule, ValueRef
from validation_gen.emit.schema.rulewriter import RuleWriter
from validation_gen.emit.schema.unions import apply_modes, forbidden, present, require
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

    def type(self, id: str, ref: ValueRef) -> None:
        """Applies all checks of a type to one of its values. A shared schema already includes its checks."""
        plan = self.program.types.get(id)
        if plan is None or ref.node.ref or ref.node.cut:
            return
        self.apply(plan.checks, ref)
        for iteration in (plan.keys, plan.values):
            if iteration is not None:
                self.check(iteration, ref)
        if not plan.opaque:
            for member in plan.fields:
                self._field(member, ref)

    def _field(self, member: FieldPlan, owner: ValueRef) -> None:
        if not member.json:
            if member.merged or not isinstance(value_shape(member.shape), StructRef):  # no JSON has the members else
                self._inline_struct(member, owner)
            return
        node = owner.node.properties.get(member.json)
        if member.spread and not self.options.exact:
            self._inline_struct(member, owner)
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

    def _inline_struct(self, member: FieldPlan, owner: ValueRef) -> None:
        """Handles an inlined struct, whose members are in the object around."""
        inner = value_shape(member.shape)
        names = (m.json for m in self.program.structs[inner.id]) if isinstance(inner, StructRef) else ()
        place = replace(owner, inlined=tuple(name for name in names if name not in member.hidden))
        self.apply(member.checks, place)
        hidden, self._hidden = self._hidden, self._hidden | frozenset(member.hidden)
        if member.type:
            self.type(member.type, place)
        self._hidden = hidden

    def apply(self, checks: Sequence[Check], ref: ValueRef) -> ValueRef:
        """Applies checks of one value. Returns its place for the following checks."""
        active, _, stops = find_active(self.options, checks)
        if stops:
            ref = replace(ref, skips_zero=True)
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
                self.check(check, ref)
        for group in each.values():
            self._each(group, ref)
        for group in inner.values():
            self._inside(group, ref)
        return ref

    def _each(self, group: list[Check], ref: ValueRef) -> None:
        """Translates the checks of the items of a list or the values of a map, with the guards that skip them."""
        first = group[0].operation
        assert isinstance(first, EachValue)
        node = ref.node.items or ref.node.values
        if node is not None:
            inner = [inner_check(c) for c in group]
            self.apply(inner, ref.element(node, first.elem, first.match))
        elif isinstance(value_shape(ref.shape), ListOf):
            reason = "bytes are one text in JSON, so that schemas cannot look at each of them"
            for check in group:
                if not check.silent:
                    self.gap(check, reason)

    def _inside(self, group: list[Check], ref: ValueRef) -> None:
        """Translates the checks of one member, or of one selected item."""
        first = group[0].operation
        inner = [c.operation.inner for c in group if isinstance(c.operation, InMember | InItem)]
        if isinstance(first, InMember):
            node = ref.node.properties.get(first.json)
            if node is None:
                if not ref.node.ref and ref.pin is None:
                    self.gap(group[0], f"the schema has no property {first.json}")
                    return
                node = Node()
                if ref.node.ref:
                    ref.node.properties[first.json] = node
                elif first.json in ("name", "generateName"):
                    node.keywords["type"] = "string"
                    ref.node.properties[first.json] = node
                else:
                    self.gap(group[0], "schemas can restrict only name and generateName of metadata")
                    return
            self.apply(inner, ref.member(first.json, node, first.shape))
        elif isinstance(first, InItem) and ref.node.items is not None:
            if not self.can_name(group[0], *(term.json for term in first.selector)):
                return
            item = ref.element(ref.node.items, first.elem)
            pin = AnchoredRule(item, (negate(match_selector(first.selector, "self", ref.keys)),))
            self.apply(inner, item.pinned(pin))

    # --- single checks ----------------------------------------------------------------------------------------------

    def check(self, check: Check, ref: ValueRef) -> None:
        """Translates one check of a value."""
        decided = apply_options(self.options, check)
        if decided is None or decided.silent:
            return
        OPERATIONS[type(decided.operation)](self, decided, decided.operation, ref)

    def membership(self, check: Check, rule: Membership, ref: ValueRef) -> None:
        unions.membership(self, check, rule, ref)

    def modes(self, check: Check, rule: Modes, ref: ValueRef) -> None:
        apply_modes(self, check, rule, ref)

    def each_value(self, check: Check, each: EachValue, ref: ValueRef) -> None:
        self._each([check], ref)

    def inside(self, check: Check, inside: InMember | InItem, ref: ValueRef) -> None:
        self._inside([check], ref)

    def call_type(self, check: Check, call: CallType, ref: ValueRef) -> None:
        self.type(call.type, ref)

    def if_option(self, check: Check, conditional: IfOption, ref: ValueRef) -> None:
        raise AssertionError("`decided_by` has left an option undecided")

    def predicate(self, check: Check, predicate: Predicate, ref: ValueRef) -> None:
        record = predicate.record
        shape = value_shape(ref.shape)
        if isinstance(shape, ListOf) and shape.packed and (has_form(record) or record is predicates.UNIQUE):
            self.gap(check, "bytes are one text in JSON, so that schemas cannot count or compare them")
        elif has_form(record):
            self._value(check, predicate, ref)
        elif record.measures is Aspect.CHANGE:
            updates.transition(self, check, predicate, ref)
        elif record.presence is Presence.REQUIRED:
            require(self, check, ref)
        elif record.presence is Presence.FORBIDDEN:
            forbidden(self, check, ref)
        elif record in _OTHERS:
            _OTHERS[record](self, check, predicate, ref)
        elif record.presence is not Presence.UNSET and _UNSAID[record]:
            self.gap(check, _UNSAID[record])

    def remaining(self, check: Check, predicate: Predicate, ref: ValueRef) -> None:
        """Adds an enum without the values that options remove."""
        self._value(check, self.find_remaining(predicate), ref)

    def item(self, check: Check, predicate: Predicate, ref: ValueRef) -> None:
        """Adds the check that an item exists."""
        presence, text = predicate.operands
        assert isinstance(presence, ItemPresence)
        if self.can_name(check, *(term.json for term in presence.selector)):
            exists = f"{{v}}.exists(i, {match_selector(presence.selector, 'i', ref.keys)})"
            self.about(check, ref, exists, texts.required_item(str(text)), zero_passes=False)

    def failure(self, check: Check, predicate: Predicate, ref: ValueRef) -> None:
        """Adds a check that no value passes."""
        text = str(predicate.operands[-1]) if predicate.operands else "always fails"
        self.about(check, ref, "false", text, zero_passes=False)

    def _value(self, check: Check, predicate: Predicate, ref: ValueRef) -> None:
        form = find_form(predicate)
        default = ref.node.keywords.get("default")
        if isinstance(default, str | int) and not passes(predicate, default):
            ref.node.refuses_default = True
        zero, by_value = absent_value(ref.shape)
        zero_passes = not by_value or passes(predicate, zero)
        if ref.pin is not None and ref.pin.exempt:
            self.about(check, ref, form.complete, form.message, zero_passes=zero_passes)
            return
        if not self.options.exact:
            for keyword, value in form.keywords.items():
                ref.node.demand(keyword, value)
            if not form.keywords:
                self.at_node(check, ref, form.complete, form.message)
            return
        if ref.skips_zero and not zero_passes:
            self._value_or_zero(check, predicate, ref)
            return
        for keyword, value in form.exact.items():
            ref.node.demand(keyword, value)
        self.at_node(check, ref, form.rest, form.message)
        if not zero_passes:
            present(self, check, ref, form.message)

    def _value_or_zero(self, check: Check, predicate: Predicate, ref: ValueRef) -> None:
        """Adds a check that exempts the zero value, which means an unset field."""
        if predicate.record is predicates.NOT_EQUAL:
            return  # it refuses no other value
        form = find_form(predicate)
        if predicate.record is predicates.ENUM:
            ref.node.demand("enum", ["", *form.exact.get("enum", ())])
        elif set(form.exact) <= {"pattern", "maxLength"} and "pattern" in form.exact:
            for keyword, value in form.exact.items():
                ref.node.demand(keyword, f"^$|{value}" if keyword == "pattern" else value)
            if form.rest:
                self.at_node(check, ref, join_any("{v} == ''", form.rest), form.message)
        else:
            unset = "{v}.size() == 0" if isinstance(ref.shape, ListOf | MapOf) else f"{{v}} == {render_zero(ref.shape)}"
            self.at_node(check, ref, join_any(unset, form.complete), form.message)

    # --- lists and keys -----------------------------------------------------------------------------------------------

    def unique(self, check: Check, predicate: Predicate, ref: ValueRef) -> None:
        """Handles unique items."""
        if ref.node.keywords.get("x-kubernetes-list-type") in ("set", "map"):
            return  # the API server sees to it
        (match,) = predicate.operands
        same = "x == y"
        if isinstance(match, ByKeys) and predicate.shape is not None:
            if not self.can_name(check, *(key.json for key in match.keys)):
                return
            members = [self.find_member(predicate.shape, key.json) for key in match.keys]
            same = join_all(*(m.equals("x", "y") for m in members))
        self.at_node(check, ref, f"{{v}}.all(x, {{v}}.exists_one(y, {same}))", "items must be unique")

    def each_key(self, check: Check, each: EachKey, ref: ValueRef) -> None:
        inner = apply_options(self.options, each.inner)
        if inner is None:
            return
        if not isinstance(inner.operation, Predicate) or not has_form(inner.operation.record):
            if isinstance(inner.operation, CallType):
                for own in self.program.types[inner.operation.type].checks:
                    self.each_key(own, EachKey(own, each.key), ref)
                return
            self.gap(check, "this rule has no schema for the keys of a map")
            return
        form = find_form(inner.operation)
        key = "k" if isinstance(each.key, Scalar) and each.key.go == "string" else "int(k)"
        known = f"(oldSelf.hasValue() && k in {OLD})" if self.options.exact and ref.correlated else ""
        if not form.complete:
            return
        entry = self._entry(inner, f"self.all(k, {substitute(form.complete, key)})", f"keys {form.message}")
        if known:
            rule = f"self.all(k, {join_any(known, substitute(form.complete, key))})"
            entry, cheaper = replace(entry, rule=rule, optional_old_self=True), entry
            ref.node.add_rule(Rule(entry, inner.tag, cheaper))
        else:
            ref.node.add_rule(Rule(entry, inner.tag))


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
    text = has_form(record) or record.presence is not None or record.measures is Aspect.CHANGE
    return text or record in _OTHERS or record in _UNSAID
