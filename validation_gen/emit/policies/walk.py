"""Walks the checks of a type as the validators do, and translates each into a validation of the whole object."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from validation_gen.emit.checkwalk import apply_options, find_active, inner_check
from validation_gen.emit.policies import changes, fields, single
from validation_gen.emit.policies.collecting import Collector
from validation_gen.emit.policies.value_ref import ValueRef
from validation_gen.emit.schema.expressions import Member, join_any, negate
from validation_gen.ir import (
    Aspect,
    CallType,
    Check,
    EachKey,
    EachValue,
    FieldPlan,
    IfOption,
    InItem,
    InMember,
    ListOf,
    MapOf,
    Membership,
    Modes,
    Operation,
    PointerTo,
    Predicate,
    Presence,
    StructRef,
    TypePlan,
    find_called_type,
    predicates,
    value_shape,
    walk_checks,
)

#: Maximum number of visited values, and maximum depth. A policy with more rules would be too large.
_MOST_VISITS, _DEEPEST = 2000, 40


@dataclass(slots=True)
class Walker(Collector):
    """Collects the validations of one kind, and the rules that no policy can express."""

    _hidden: frozenset[str] = frozenset()
    _around: tuple[str, ...] = ()
    _visits: int = 0
    _noted: set[tuple[str, str]] = field(default_factory=set)

    # --- the walk ---------------------------------------------------------------------------------------------------

    def type(self, id: str, ref: ValueRef) -> None:
        """Translates all checks of a type on one of its values."""
        plan = self.program.types.get(id)
        if plan is None or not plan.has_checks:
            return
        self._visits += 1
        if id in self._around:
            self._record_recursive(id)
            return
        if self._visits > _MOST_VISITS or len(self._around) > _DEEPEST:
            self._record_recursive(id, f"{self.program.types[self._around[0]].name} has too many parts for a policy")
            return
        self._around = (*self._around, id)
        ref = self.apply(plan.checks, ref, null=plan.gets_null)
        for iteration in (plan.keys, plan.values):
            if iteration is not None:
                self.check(iteration, ref)
        if not plan.opaque:
            for member in plan.fields:
                self._field(member, ref)
        self._around = self._around[:-1]

    def _record_recursive(self, id: str, reason: str = "") -> None:
        """Records the rules of a type and its children, which are not translated inside a recursive type."""
        if (id, reason) in self._noted:
            return
        self._noted.add((id, reason))
        reason = reason or f"{self.program.types[id].name} is recursive, which CEL cannot express"
        seen: set[str] = set()
        waiting = [id]
        while waiting:
            plan = self.program.types.get(waiting.pop())
            if plan is None or plan.id in seen:
                continue
            seen.add(plan.id)
            waiting += find_called_types(plan)
            self.leave_out((check for check in plan.every_check if check.tag.text), reason)

    def _field(self, member: FieldPlan, owner: ValueRef) -> None:
        if not member.json:
            self._elsewhere(member, owner)
            return
        if member.json in self._hidden:
            self.leave_out(member.checks, "another field has the name in JSON")
            return
        place = owner.below(member.json, member.path, member.shape)
        place = self.apply(member.checks, place)
        if member.type:
            self.type(member.type, place)
        for iteration in (member.keys, member.values):
            if iteration is not None:
                self.check(iteration, place)

    def _elsewhere(self, member: FieldPlan, owner: ValueRef) -> None:
        """Handles an inlined struct, whose members are in the outer JSON object, or a field without a JSON name."""
        inner = value_shape(member.shape)
        if not member.merged or not isinstance(inner, StructRef):
            self.leave_out(member.checks, "no JSON has the field")
            return
        names = tuple(m.json for m in self.program.structs[inner.id] if m.json not in member.hidden)
        place = replace(owner, inlined=names, shape=member.shape, skips_zero=False, besides=())
        if isinstance(member.shape, PointerTo):
            own = self.program.structs[inner.id]
            embedded = tuple(Member((*owner.steps, m.json), PointerTo(m.shape)) for m in own if m.json in names)
            place = replace(place, embedded=embedded)
            place = place.behind(join_any(*(fields.there(each, owner.frame.base) for each in embedded)) or "false")
        hidden, self._hidden = self._hidden, self._hidden | frozenset(member.hidden)
        self.apply(member.checks, place)
        if member.type:
            self.type(member.type, replace(place, shape=inner))
        self._hidden = hidden

    def apply(self, checks: Sequence[Check], ref: ValueRef, *, null: bool = False) -> ValueRef:
        """Applies checks of one value. Returns its place for the following checks. `null`: they also check null."""
        active, default, stops = find_active(self.options, checks)
        if stops:
            ref = replace(ref, skips_zero=True)
        if any(map(_stops_always, default)):
            ref = ref.behind("false")
        open_place, ref = ref, self._require_items(default, ref)
        each: dict[object, list[Check]] = {}
        inner: dict[object, list[Check]] = {}
        for check in active:
            operation = check.operation
            if check.short_circuit and not check.cohort and not check.silent and ref is not open_place:
                self.check(check, open_place, null=null)
            elif isinstance(operation, EachValue):
                each.setdefault((operation.container, operation.match), []).append(check)
            elif isinstance(operation, InMember):
                inner.setdefault(operation.json, []).append(check)
            elif isinstance(operation, InItem):
                inner.setdefault(operation.selector, []).append(check)
            elif not check.silent:
                self.check(check, ref, null=null)
        for group in each.values():
            self._each(group, ref)
        for group in inner.values():
            self._inside(group, ref)
        return ref

    def _require_items(self, checks: Sequence[Check], ref: ValueRef) -> ValueRef:
        """Returns the value on the condition that all items pass the silent checks, which guard all later checks."""
        for check in checks:
            if not (check.short_circuit and check.silent and isinstance(check.operation, EachValue)):
                continue
            apart = Walker(self.program, self.options, frame=ref.frame)
            apart.check(_reporting(check), replace(ref, gates=()))
            for gap in apart.gaps:
                self.gap(check, gap.reason)
            for found in apart.found:
                ref = ref.behind(found.expression)
        return ref

    def _each(self, group: list[Check], ref: ValueRef) -> None:
        """Translates the checks of the items of a list or the values of a map, with the guards that skip them."""
        first = group[0].operation
        assert isinstance(first, EachValue)
        shape = value_shape(ref.shape)
        if isinstance(shape, ListOf) and shape.packed:
            for check in group:
                if not check.silent:
                    self.gap(check, "bytes are one text in JSON, which CEL cannot split")
            return
        if isinstance(shape, MapOf):
            part = ref.value(first.elem)
        else:
            part = ref.item(first.elem, self.same_items(first.match, first.elem), self.unchanged(ref))
        self.apply([inner_check(check) for check in group], part)

    def _inside(self, group: list[Check], ref: ValueRef) -> None:
        """Translates the checks of one member, or of one selected item."""
        first = group[0].operation
        inner = [c.operation.inner for c in group if isinstance(c.operation, InMember | InItem)]
        if isinstance(first, InMember):
            self.apply(inner, ref.below(first.json, first.json, first.shape))
        elif isinstance(first, InItem):
            selector = first.selector
            self.apply(inner, ref.selected(first.elem, lambda base: fields.is_selected(selector, base)))

    # --- single checks ----------------------------------------------------------------------------------------------

    def check(self, check: Check, ref: ValueRef, *, null: bool = False) -> None:
        """Translates one check of a value."""
        decided = apply_options(self.options, check)
        if decided is None or decided.silent:
            return
        OPERATIONS[type(decided.operation)](self, decided, decided.operation, ref, null)

    def membership(self, check: Check, rule: Membership, ref: ValueRef, null: bool) -> None:
        changes.membership(self, check, rule, _enter_struct(ref, null=null))

    def each_value(self, check: Check, each: EachValue, ref: ValueRef, null: bool) -> None:
        self._each([check], ref)

    def inside(self, check: Check, inside: InMember | InItem, ref: ValueRef, null: bool) -> None:
        self._inside([check], ref)

    def call_type(self, check: Check, call: CallType, ref: ValueRef, null: bool) -> None:
        self.type(call.type, ref)

    def if_option(self, check: Check, conditional: IfOption, ref: ValueRef, null: bool) -> None:
        raise AssertionError("`decided_by` has left an option undecided")

    def predicate(self, check: Check, predicate: Predicate, ref: ValueRef, null: bool) -> None:
        if predicate.record.measures is Aspect.CHANGE:
            changes.change(self, check, predicate, ref)
        else:
            single.translate_predicate(self, check, predicate, ref)

    def modes(self, check: Check, rule: Modes, ref: ValueRef, null: bool) -> None:
        """Translates the checks of each mode; in other modes the member must be unset."""
        ref = _enter_struct(ref)
        shape = self.find_member(ref.shape, rule.discriminator).shape
        discriminator = Member((*ref.steps, rule.discriminator), shape)
        part = ref.below(rule.json, rule.path, rule.shape)
        part = replace(part, besides=(discriminator,))
        base = ref.frame.base
        known = []
        for value, checks in rule.rules:
            mode = fields.is_value(discriminator, value, base)
            known.append(negate(mode))
            leveled = [replace(c, level=check.level or c.level) for c in checks]
            self.apply(leveled, part.behind(mode))
        if self.options.wants(check.level or rule.level):
            emits = tuple(e for e in check.emits if e.type == "FieldValueForbidden")[:1]
            other = part
            for gate in known:
                other = other.behind(gate)
            single.translate_predicate(self, replace(check, emits=emits), rule.otherwise, other)

    def each_key(self, check: Check, each: EachKey, ref: ValueRef, null: bool = False) -> None:
        inner = apply_options(self.options, each.inner)
        if inner is None:
            return
        if isinstance(inner.operation, CallType):
            for own in self.program.types[inner.operation.type].checks:
                self.each_key(own, EachKey(own, each.key), ref)
        elif isinstance(inner.operation, Predicate) and single.of_key(self, inner, inner.operation, each, ref):
            pass
        elif not inner.silent:
            self.gap(check, "this rule cannot be expressed for the keys of a map")


#: Translates an operation: its check, the operation, the value, and whether it is also checked while it is null.
OPERATIONS: Mapping[type[Operation], Callable[[Walker, Check, Any, ValueRef, bool], None]] = {
    Predicate: Walker.predicate,
    Membership: Walker.membership,
    Modes: Walker.modes,
    EachValue: Walker.each_value,
    EachKey: Walker.each_key,
    InMember: Walker.inside,
    InItem: Walker.inside,
    IfOption: Walker.if_option,
    CallType: Walker.call_type,
}


def find_called_types(plan: TypePlan) -> Iterator[str]:
    """Yields the types whose checks run on children of a type."""
    for member in plan.fields:
        yield member.type
        yield from map(find_called_type, (member.keys, member.values))
    yield from map(find_called_type, (plan.keys, plan.values))
    for check in plan.every_check:
        yield from (each.operation.type for each in walk_checks(check) if isinstance(each.operation, CallType))


def _enter_struct(ref: ValueRef, *, null: bool = False) -> ValueRef:
    """Returns a struct for checks of its members. A pointer must be set, unless the check handles null."""
    if null or not ref.steps or not isinstance(ref.shape, PointerTo):
        return ref
    return ref.behind(fields.there(ref.member, ref.frame.base))


def _stops_always(check: Check) -> bool:
    """Returns whether a check always stops silently, so that later checks never run."""
    operation = check.operation
    fails = isinstance(operation, Predicate) and operation.record is predicates.ALWAYS_FAILS
    return fails and check.silent and check.short_circuit


def _reporting(check: Check) -> Check:
    """Returns a copy of a silent check that reports its failure; a check for a set value becomes `required`."""
    operation = check.operation
    if isinstance(operation, EachValue | InMember | InItem | IfOption):
        operation = replace(operation, inner=_reporting(operation.inner))
    elif isinstance(operation, Predicate) and operation.record.presence is Presence.UNSET:
        operation = replace(operation, record=predicates.REQUIRED)
    return replace(check, operation=operation, silent=False)
