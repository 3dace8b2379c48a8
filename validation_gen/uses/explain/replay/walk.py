"""Walks through a program beside an object, in the order of the generated functions.

The order, and the stopping rules, are those of the emitter (`functions`, `cohorts`); tests keep both in step. The walk
also visits skipped checks, and records each of them with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from validation_gen.ir import (
    AppliesOn,
    CallType,
    Check,
    EachKey,
    EachValue,
    FieldPlan,
    IfOption,
    InItem,
    InMember,
    Membership,
    Modes,
    PointerTo,
    Predicate,
    Program,
    StructRef,
    TypePlan,
    cohorts,
    occurs,
    value_shape,
)
from validation_gen.runtime.views import inlined, without
from validation_gen.uses.explain.replay.iteration import Iteration
from validation_gen.uses.explain.replay.places import Place
from validation_gen.uses.explain.replay.record import Skip, Why


@dataclass(slots=True)
class Walk(Iteration):
    """Records all checks of an object."""

    program: Program

    def plan(self, type: str) -> TypePlan:
        return self.program.types[type]

    # --- types and fields ---------------------------------------------------------------------------------------------

    def type(self, id: str, place: Place) -> None:
        """Records all checks of a type."""
        plan = self.program.types.get(id)
        if plan is None or not plan.has_checks:
            return
        if place.value is None and isinstance(plan.shape, StructRef) and not plan.gets_null:
            self.teller.type_of(plan.name, place.path, Skip(Why.ABSENT, "there is no value", place.path))
            return
        self._all(plan.checks, place, f"type {plan.name}", lambda: self._inside(plan, place))

    def _inside(self, plan: TypePlan, place: Place) -> None:
        for iteration in (plan.keys, plan.values):
            if iteration is not None:
                self.operation(iteration, iteration, place, f"type {plan.name}")
        if not isinstance(plan.shape, StructRef):
            return
        if place.value is None:
            if plan.fields and not plan.opaque:
                self.teller.type_of(plan.name, place.path, Skip(Why.ABSENT, "there is no value", place.path))
            return
        opaque = Skip(Why.OPAQUE, f"the type {plan.name} is opaque (+k8s:opaqueType)", place.path)
        with self.teller.skipping(opaque if plan.opaque else None):
            for member in plan.fields:
                self._field(plan, member, place)

    def _field(self, plan: TypePlan, member: FieldPlan, owner: Place) -> None:
        if not (member.checks or member.type or member.keys or member.values or member.opaque):
            return
        known = owner.old is not None
        raw, raw_old = self._source(member, owner.value), self._source(member, owner.old) if known else None
        values = self.teller.values
        value, old = (self._decoded(member, each) for each in (raw, raw_old))
        step = f".{member.path}" if member.path else ""
        place = owner.below(step, value, old if known else None, member.shape, known)
        skip = None
        if self.update and known and values.same_json(member.shape, raw, raw_old):
            skip = Skip(Why.UNCHANGED, f"{place.path or 'the object'} is as it was", place.path)
        on = f"field {plan.name}.{member.json or member.go_name}"
        with self.teller.skipping(skip):
            self._all(member.checks, place, on, lambda: self._rest(member, place, on))

    def _rest(self, member: FieldPlan, place: Place, on: str) -> None:
        if member.type:
            self.type(member.type, place)
        for iteration in (member.keys, member.values):
            if iteration is not None:
                self.operation(iteration, iteration, place, on)
        own = getattr(value_shape(member.shape), "type", "")
        if member.opaque and not member.type and own in self.program.types:
            with self.teller.skipping(Skip(Why.OPAQUE, f"{place.path} is opaque (+k8s:opaqueType)", place.path)):
                self.type(own, place)

    def _source(self, member: FieldPlan, obj: Any) -> Any:
        """Returns the value of a field in its object, as JSON has it."""
        if member.json:
            return obj.get(member.json) if isinstance(obj, dict) else None
        inner = value_shape(member.shape)
        if not member.merged or not isinstance(inner, StructRef):
            return None
        view = without(obj, member.hidden) if member.hidden else obj
        if isinstance(member.shape, PointerTo):
            return inlined(view, [m.json for m in self.program.structs[inner.id]])
        return view

    def _decoded(self, member: FieldPlan, value: Any) -> Any:
        """Returns Go's value for such a value. An inlined struct is the object around."""
        return value if member.inlined and not member.json else self.teller.values.go(member.shape, value)

    # --- lists of checks ----------------------------------------------------------------------------------------------

    def _all(self, checks: Sequence[Check], place: Place, on: str, rest: Callable[[], None]) -> None:
        """Runs all checks of a value by cohorts, then the rest. A stop in the default cohort skips everything else."""
        active = [check for check in checks if self.occurs(check)]
        for check in checks:
            if not self.occurs(check) and not check.silent:
                self.teller.left_out(check, place.path, on, _NO_UPDATE)
        stop: Skip | None = None
        for cohort in cohorts(active):
            with self.teller.skipping(stop):
                found = self._cohort(cohort, place, on)
            if not cohort[0].cohort:
                stop = found
        with self.teller.skipping(stop):
            rest()

    def _cohort(self, cohort: list[Check], place: Place, on: str) -> Skip | None:
        """Runs one cohort: all its stopping checks run before the stop is decided."""
        stop: Skip | None = None
        for check in cohort:
            if check.short_circuit and self.operation(check, check, place, on) and stop is None:
                at = f" at {place.path}" if place.path else ""
                stop = Skip(Why.STOPPED, f"{check.tag.text or 'a null item'}{at} has stopped it", place.path)
        with self.teller.skipping(stop):
            for check in cohort:
                if not check.short_circuit and not check.silent:
                    self.operation(check, check, place, on)
        return stop

    def occurs(self, check: Check) -> bool:
        """Returns whether a check can report anything in this operation."""
        return occurs(check, update=self.update)

    # --- single checks ------------------------------------------------------------------------------------------------

    def operation(self, outer: Check, inner: Check, place: Place, on: str) -> bool:
        """Runs a check with its wrappers. Returns whether it has failed anywhere."""
        operation = inner.operation
        if inner.level and not outer.level:
            outer = replace(outer, level=inner.level)
        match operation:
            case Predicate() if operation.record.when is AppliesOn.UPDATE and not self.update:
                self.teller.left_out(outer, place.path, on, _NO_UPDATE)
            case Predicate() | Membership():
                return self.teller.leaf(outer, inner, place, on)
            case Modes():
                self.modes(operation, outer, place, on)
            case EachValue():
                return self.each_value(operation, outer, place, on)
            case EachKey():
                return self.each_key(operation, outer, place, on)
            case InMember():
                return self.in_member(operation, outer, place, on)
            case InItem():
                return self.in_item(operation, outer, place, on)
            case IfOption():
                return self._if_option(operation, outer, place, on)
            case CallType(type=type):
                self.type(type, place)
        return False

    def _if_option(self, conditional: IfOption, outer: Check, place: Place, on: str) -> bool:
        state = self.teller.op.option(conditional.option)
        if state is None and not conditional.lenient:
            return self.teller.undefined(outer, place.path, on, conditional.option)
        skip = None
        if bool(state) != conditional.enabled:
            word = "off" if conditional.enabled else "on"
            skip = Skip(Why.OPTION, f"the option {conditional.option} is {word}")
        with self.teller.skipping(skip):
            return self.operation(outer, conditional.inner, place, on) and skip is None


_NO_UPDATE = Skip(Why.CREATE, "it is asked on updates only")
