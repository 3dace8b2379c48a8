"""Makes the records of a trace: each check of an object with its result, or the reason why it did not run.

The trace has the checks that ran, and their errors. The visits of the program have the reasons for the others: the
conditions of a check, the checks that stop it, or a value that an update has not changed.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from validation_gen.commands.explain.fields.rules import render_value
from validation_gen.commands.explain.replay.record import (
    Record,
    Replay,
    Skip,
    SkipReason,
    Status,
    TracedOperation,
    is_below,
)
from validation_gen.commands.explain.replay.values import HERE, UNKNOWN, Value, find_field, find_values
from validation_gen.ir import (
    AppliesOn,
    CallType,
    Check,
    CustomFunction,
    FieldPlan,
    IfOption,
    InMode,
    Modes,
    OnOption,
    Predicate,
    Presence,
    Program,
    Scalar,
    StructRef,
    TypePlan,
    Visit,
    occurs,
    value_shape,
)
from validation_gen.ir.traverse import Condition, Entry, visit_plan
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.levels import filter_enforced

_NO_UPDATE = Skip(SkipReason.CREATE, "it runs on updates only")


@dataclass(slots=True)
class Recorder:
    """Makes the records of an object from its trace, in the order of the visits of its types.

    `reported` has the identities of the errors of the validators, `wrong` the messages for values of the wrong type by
    path; `off` are the levels and modules that do not count. `is_compared` is true if there is an old object.
    """

    program: Program
    trace: TracedOperation
    replay: Replay
    reported: AbstractSet[int]
    off: AbstractSet[str]
    is_compared: bool
    wrong: dict[str, str] = field(default_factory=dict)
    _undefined: set[tuple[int, str]] = field(default_factory=set)

    # --- types and fields ---------------------------------------------------------------------------------------------

    def type(self, id: str, at: Value, skip: Skip | None = None) -> None:
        """Records all checks of a type."""
        plan = self.program.types.get(id)
        if plan is None or not plan.has_checks:
            return
        at, is_struct = replace(at, at=HERE), isinstance(plan.shape, StructRef)
        if at.value is None and is_struct and not plan.gets_null:
            self._record_rules(plan, at, skip)
            return
        skip = self._plan(plan, at, f"type {plan.name}", skip)
        if at.value is None and is_struct and plan.fields and not plan.opaque:
            self._record_rules(plan, at, skip)
        elif is_struct and at.value is not None:
            if plan.opaque:
                skip = skip or Skip(SkipReason.OPAQUE, f"the type {plan.name} is opaque (+k8s:opaqueType)", at.path)
            for member in plan.fields:
                self._field(plan, member, at, skip)

    def _record_rules(self, plan: TypePlan, at: Value, skip: Skip | None) -> None:
        """Records all rules of a type as one skipped record, because there is no value."""
        record = Record(at.path, f"(the rules of {plan.name})", "", f"type {plan.name}", Status.SKIPPED)
        skip = skip or self._wrong(at.path) or Skip(SkipReason.ABSENT, "there is no value", at.path)
        self.replay.records.append(replace(record, skip=skip))

    def _field(self, plan: TypePlan, member: FieldPlan, owner: Value, skip: Skip | None) -> None:
        if not (member.checks or member.type or member.keys or member.values or member.opaque):
            return
        at = find_field(self.program, member, owner)
        if skip is None and at.is_unchanged:
            skip = Skip(SkipReason.UNCHANGED, f"{at.path or 'the object'} is as it was", at.path)
        skip = self._plan(member, at, f"field {plan.name}.{member.json or member.go_name}", skip)
        own = getattr(value_shape(member.shape), "type", "")
        if member.opaque and not member.type and own in self.program.types:
            self.type(own, at, skip or Skip(SkipReason.OPAQUE, f"{at.path} is opaque (+k8s:opaqueType)", at.path))

    # --- checks -------------------------------------------------------------------------------------------------------

    def _plan(self, plan: TypePlan | FieldPlan, at: Value, on: str, skip: Skip | None) -> Skip | None:
        """Records the checks of a value, first those that exist on updates only. Returns why parts are skipped."""
        update, stops = self.trace.update, dict[int, Skip]()
        for check in plan.checks:
            if not occurs(check, update=update) and not check.silent:
                self._skip(check, at.path, on, skip or self._wrong(at.path) or _NO_UPDATE)
        for visit in visit_plan(plan, HERE, HERE):
            if occurs(visit.outer, update=update):
                for value in find_values(self.program, visit.at, at):
                    self._visit(visit, value, at, on, skip, stops)
        stopping = (check for check in plan.checks if not check.cohort and id(check) in stops)
        return skip or next((stops[id(check)] for check in stopping), None)

    def _visit(
        self, visit: Visit, at: Value, enclosing: Value, on: str, skip: Skip | None, stops: dict[int, Skip]
    ) -> None:
        """Records one check. `at` is the tested value, `enclosing` the value that carries the check."""
        operation = visit.operation
        outer = replace(visit.outer, level=visit.level, silent=visit.silent)
        if isinstance(operation, CallType):
            if at.skip is None:
                called = self.program.types[operation.type]
                if skip is None and (called.name, at.path) not in self.trace.calls:
                    skip = self._stopped(visit, stops) if at.is_null else self._reason(visit, at, enclosing, stops)
                self.type(operation.type, at, skip)
            return
        if isinstance(operation, Modes):
            outer = replace(outer, level=outer.level or operation.level)
            part = at.member(f".{operation.path}" if operation.path else "", operation.json, operation.shape)
            at = replace(part, at=visit.at.member(operation.json, operation.path))
        results = self.trace.results(operation, visit.silent)
        if at.path in results and at.skip is None:
            stopped = self._ran(visit, outer, at, on, results[at.path])
        else:
            undefined = self._has_no_option(visit, outer, at, on, skip or self._stopped(visit, stops))
            stopped = bool(undefined)
            is_recorded = not outer.silent or (outer.short_circuit and at.skip is None)
            if undefined is None and is_recorded and (outer.tag.text or at.skip is None):
                self._skip(outer, at.path, on, skip or self._reason(visit, at, enclosing, stops))
        if stopped and outer.short_circuit:
            place = f"{enclosing.path}{visit.start.path}".removeprefix(".")
            text = f"{outer.tag.text or 'a null item'}{f' at {place}' if place else ''} has stopped it"
            stops.setdefault(id(visit.outer), Skip(SkipReason.STOPPED, text, place))

    def _ran(self, visit: Visit, outer: Check, at: Value, on: str, errors: list[FieldError] | None) -> bool:
        """Records a check that ran. Returns whether it has failed."""
        record = self._record(outer, at.path, on)
        predicate = visit.operation if isinstance(visit.operation, Predicate) else None
        reported = [error for error in errors or () if id(error) in self.reported]
        enforced = filter_enforced(reported, self.off)
        wrong = self._wrong(at.path, visit.check) or self._untrusted(predicate)
        skip = None
        if enforced:
            record = replace(record, status=Status.FAILED, errors=tuple(enforced))
        elif reported:
            skip = Skip(SkipReason.LEVEL, f"{outer.level} rules are not enforced")
        elif wrong is not None:
            skip, errors = wrong, None
        elif errors is not None and not outer.silent:  # they are about a stand-in, and are hidden
            skip = Skip(SkipReason.WRONG_TYPE, "its error is about a value of the wrong type")
        elif errors is not None:
            is_unset = predicate is not None and predicate.record.presence is Presence.UNSET
            note = "the value is not set" if is_unset else "it would fail, and is not reported"
            record = replace(record, status=Status.STOPS, note=note)
        elif outer.silent and not outer.short_circuit:
            return False
        elif at.is_null and predicate is not None and not predicate.record.judges_null:
            skip = Skip(SkipReason.ABSENT, "there is no value", at.path)
        self.replay.records.append(record if skip is None else replace(record, status=Status.SKIPPED, skip=skip))
        return errors is not None

    def _has_no_option(self, visit: Visit, outer: Check, at: Value, on: str, skip: Skip | None) -> bool | None:
        """Records a check whose option the request does not define, once at the value that carries it.

        Returns whether it stops other checks, None if the request defines all options of the check.
        """
        conditions = list(visit.conditions)
        while conditions:
            condition = conditions.pop(0)
            if isinstance(condition, OnOption) and self._state(condition.check) is None:
                break
            if skip is None and self._unmet(condition, at) is not None:
                return None
        else:
            return None
        if any(isinstance(each, InMode) for each in conditions):
            return False  # it is recorded for all modes together
        missing, path = condition.check, at.to(condition.at).path
        if (id(missing), path) in self._undefined:
            return False
        self._undefined.add((id(missing), path))
        record = self._record(outer, path, on)
        text = f"the request does not define {missing.option}"
        errors = self.trace.results(missing, visit.silent).get(path) or ()
        skip = skip or self._wrong(path)
        if enforced := filter_enforced([error for error in errors if id(error) in self.reported], self.off):
            record = replace(record, status=Status.FAILED, errors=tuple(enforced))
        elif skip is None and outer.silent and outer.short_circuit:
            record = replace(record, status=Status.STOPS, note=text)
        else:
            record = replace(record, status=Status.SKIPPED, skip=skip or Skip(SkipReason.OPTION, text))
        self.replay.records.append(record)
        return skip is None

    def _state(self, condition: IfOption) -> bool | None:
        state = self.trace.option(condition.option)
        return bool(state) if state is not None or condition.lenient else None

    def _skip(self, outer: Check, path: str, on: str, skip: Skip) -> None:
        self.replay.records.append(replace(self._record(outer, path, on), status=Status.SKIPPED, skip=skip))

    def _record(self, outer: Check, path: str, on: str) -> Record:
        tag, source = outer.tag.text or "(no null items)", str(outer.tag.span)
        return Record(path, tag, source, on, Status.HELD, None, (), outer.level, outer.short_circuit, outer.silent)

    # --- reasons ------------------------------------------------------------------------------------------------------

    @staticmethod
    def _stopped(visit: Visit, stops: dict[int, Skip]) -> Skip | None:
        return next((stops[id(check)] for check in visit.stopped_by if id(check) in stops), None)

    def _reason(self, visit: Visit, at: Value, enclosing: Value, stops: dict[int, Skip]) -> Skip:
        """Returns the reason why a check did not run."""
        operation, path = visit.operation, at.path
        skip = self._stopped(visit, stops) if not visit.modes else None
        for condition in visit.conditions:
            skip = skip or self._unmet(condition, at)
        if isinstance(operation, Modes):
            skip = skip or self._other_mode(operation, at.around or enclosing, None)
        skip = skip or self._stopped(visit, stops) or self._wrong(path, visit.check) or at.skip
        if skip is not None:
            return skip
        if not self.is_compared:
            is_change = isinstance(operation, Predicate) and operation.record.when is AppliesOn.UPDATE
            return (
                _NO_UPDATE
                if is_change and not self.trace.update
                else Skip(SkipReason.ABSENT, "there is no value", path)
            )
        if isinstance(visit.at.step, Entry) and visit.at.step.key:
            return Skip(SkipReason.UNCHANGED, f"all keys of {path} have been there before", path)
        if visit.modes:
            return self._same_mode(visit.modes[-1].modes, at.to(visit.modes[-1].struct))
        if visit.guard is HERE:
            at = enclosing
        while at.around is not None and at.around.at is not HERE and not self.trace.is_below(at.around.path):
            at = at.around
        return Skip(SkipReason.UNCHANGED, f"{at.path or 'the object'} is as it was", at.path)

    def _unmet(self, condition: Condition, at: Value) -> Skip | None:
        """Returns a reason if a condition does not hold."""
        if isinstance(condition, InMode):
            return self._other_mode(condition.modes, at.to(condition.struct), condition.mode)
        check = condition.check
        if self._state(check) == check.enabled:
            return None
        return Skip(SkipReason.OPTION, f"the option {check.option} is {'off' if check.enabled else 'on'}")

    def _other_mode(self, modes: Modes, struct: Value, mode: str | bool | None) -> Skip | None:
        """Returns a reason if the discriminator has another value than a mode, or than all modes if that is `None`."""
        part = struct.member(f".{modes.path}" if modes.path else "", modes.json, modes.shape)
        discriminator = struct.member("", modes.discriminator, Scalar("string"))
        value = discriminator.value or modes.zero
        is_other = value in (known for known, _ in modes.rules) if mode is None else value != mode
        is_found = self.is_compared and discriminator.old is UNKNOWN and not self.trace.is_below(part.path)
        if (discriminator.is_unchanged and part.is_unchanged) or (is_other and is_found):
            return self._same_mode(modes, struct)
        return Skip(SkipReason.MODE, f"{modes.discriminator} is {render_value(value)}") if is_other else None

    @staticmethod
    def _same_mode(modes: Modes, struct: Value) -> Skip:
        path = f"{struct.path}.{modes.path}".removeprefix(".") if modes.path else struct.path
        return Skip(SkipReason.UNCHANGED, f"{modes.discriminator} and {path} are as they were", path)

    def _untrusted(self, predicate: Predicate | None) -> Skip | None:
        """Returns a reason if the function of a check was not run."""
        modules = (
            {each.module for each in predicate.operands if isinstance(each, CustomFunction)} if predicate else set()
        )
        return Skip(SkipReason.UNTRUSTED, "its function is not trusted") if self.off & modules else None

    def _wrong(self, path: str, check: Check | None = None) -> Skip | None:
        """Returns a reason if a value has the wrong type: the value at a path, around it, or in a key."""
        is_of_items = check is not None and any(e.type == "FieldValueDuplicate" for e in check.emits)
        for place, text in self.wrong.items():
            if is_below(path, place) or (is_of_items and is_below(place, path)):
                return Skip(SkipReason.WRONG_TYPE, f"{place or 'the object'} {text}", place)
        return None
