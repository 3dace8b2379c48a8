"""Checks in generated code: their order by cohorts, the effect of a failure, each with the checks around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from validation_gen.emit.python import quickconditions
from validation_gen.emit.python.calls import set_level
from validation_gen.emit.python.loops import LoopEmitter
from validation_gen.emit.python.quickconditions import passes_on_absent
from validation_gen.emit.python.value_ref import FailureTarget, ValueRef, as_go, is_deep, is_there
from validation_gen.emit.text import Code, literal
from validation_gen.ir import (
    AppliesOn,
    CallType,
    Check,
    EachKey,
    EachValue,
    IfOption,
    InItem,
    InMember,
    ListOf,
    Membership,
    MembershipKind,
    Modes,
    Operation,
    PointerTo,
    Predicate,
    PredicateSpec,
    Presence,
    cohorts,
    occurs,
    predicates,
)


@dataclass(slots=True)
class CheckEmitter(LoopEmitter):
    """Writes checks for one operation."""

    def check(self, check: Check, ref: ValueRef, sink: FailureTarget) -> None:
        """Writes one check of a value."""
        self.comment(check)
        self.operation(check, check, ref, sink)

    def operation(self, check: Check, outer: Check, ref: ValueRef, sink: FailureTarget) -> None:
        OPERATIONS[type(check.operation)](self, check.operation, outer, ref, sink)

    def predicate(self, predicate: Predicate, outer: Check, ref: ValueRef, sink: FailureTarget) -> None:
        if predicate.record.when is AppliesOn.UPDATE and not self.update:
            self.code.add("pass")
            return
        self.ran(predicate, ref, sink)
        if not sink.errors and (condition := quickconditions.is_unset(predicate, ref.value)):
            with self.code.block(f"if {condition}:"):
                self.report("", outer, ref, sink)
            return
        if predicate.record is predicates.CUSTOM and is_deep(ref.shape):  # it sees decoded values only
            self.code.call(f"{self.names.shape(ref.shape)}.demand", [ref.value])
        conditions = [] if self.suspected else quickconditions.of_test(predicate, ref, self.names)
        self.found(f"check.{predicate.name}", self.args(predicate, ref), outer, ref, sink, conditions)

    def each_value(self, each: EachValue, outer: Check, ref: ValueRef, sink: FailureTarget) -> None:
        write = self.each_item if isinstance(each.container, ListOf) else self.each_map_value
        write(each, outer, ref, sink, types=outer is self.looks_at_types)

    def call_type(self, call: CallType, outer: Check, ref: ValueRef, sink: FailureTarget) -> None:
        self.call(call.type, ref)

    def in_member(self, inside: InMember, outer: Check, ref: ValueRef, sink: FailureTarget) -> None:
        _, item, old = self.variables()
        part = ref.below(f".{inside.json}", item, old, inside.shape, f"{ref.old} is not None")
        member = f".get({literal(inside.json)})"
        source = as_go(f"{ref.value}{member}", inside.shape)
        self.fetch(item, source, ref.value if isinstance(ref.shape, PointerTo) else "")
        conditions = [is_there(ref.value)] if isinstance(ref.shape, PointerTo) else []
        if self.update:
            self.fetch(old, as_go(f"{ref.old}{member}", inside.shape), ref.old)
            conditions.append(f"{ref.old} is None or {self.differs(part)}")
        self._write_guarded(conditions, inside.inner, outer, part, sink)
        self._depth -= 1

    def in_item(self, inside: InItem, outer: Check, ref: ValueRef, sink: FailureTarget) -> None:
        index, item, old = self.variables()
        selector = self.names.selector(inside.selector)
        pointers = f"pointers={isinstance(inside.elem, PointerTo)}"
        part = replace(ref.below("", item, old, inside.elem), path=(*ref.path, "[", f"{{{index}}}", "]"))
        self.code.call(f"{index}, {item} = {selector}.find", [ref.value, pointers])
        conditions = [f"{item} is not None"]
        if self.update:
            self.code.call(f"_, {old} = {selector}.find", [ref.old, pointers])
            conditions.append(f"{old} is None or not {self.same(part)}")
        self._write_guarded(conditions, inside.inner, outer, part, sink)
        self._depth -= 1

    def if_option(self, conditional: IfOption, outer: Check, ref: ValueRef, sink: FailureTarget) -> None:
        code = self.code
        if conditional.lenient:
            with code.block(f"if {'' if conditional.enabled else 'not '}op.option({literal(conditional.option)}):"):
                self.operation(conditional.inner, set_level(outer, conditional.inner), ref, sink)
            return
        code.add(f"option = op.option({literal(conditional.option)})")
        with code.block("if option is None:"):
            self.ran(conditional, ref, sink)
            self.report(f"check.undefined_option({literal(conditional.option)})", outer, ref, sink)
        with code.block("elif option:" if conditional.enabled else "elif not option:"):
            self.operation(conditional.inner, set_level(outer, conditional.inner), ref, sink)

    def _write_guarded(
        self, conditions: list[str], inner: Check, outer: Check, part: ValueRef, sink: FailureTarget
    ) -> None:
        """Writes the inner check behind all conditions."""
        for condition in conditions:
            self.code.condition(condition)
            self.code.depth += 1
        self.operation(inner, set_level(outer, inner), part, sink)
        self.code.depth -= len(conditions)

    def membership(self, rule: Membership, outer: Check, ref: ValueRef, sink: FailureTarget) -> None:
        code = self.code
        membership = self.names.membership(rule, ref.shape)
        code.call(f"is_set = {membership}", [ref.value])
        args = ["is_set"]
        if self.update:
            self.fetch("was_set", f"{membership}({ref.old})", ref.old)
            args.append("was_set")
        self.ran(rule, ref, sink)
        function = rule.kind.value
        if rule.kind is MembershipKind.DISCRIMINATED:
            source = f'.get({literal(rule.discriminator)}) or ""'
            self.fetch("selected", f"{ref.value}{source}", ref.value if isinstance(ref.shape, PointerTo) else "")
            if self.update:
                self.fetch("was_selected", f"{ref.old}{source}", ref.old)
                args.append("was_selected")
            members = tuple((p.name, p.discriminator_value) for p in rule.participants)
            names = [f"({literal(rule.discriminator)}, selected)", self.names.operand(function, members)]
        else:
            names = [self.names.operand(function, tuple(p.name for p in rule.participants))]
        self.found(f"check.{function}", [*names, *args], outer, ref, sink)

    def modes(self, modes: Modes, outer: Check, ref: ValueRef, sink: FailureTarget) -> None:
        """Writes the checks of the mode that the discriminator names, on the member that depends on it."""
        code = self.code
        _, item, old = self.variables()
        path = f".{modes.path}" if modes.path else ""
        part = ref.below(path, item, old, modes.shape, f"{ref.old} is not None")
        member = f".get({literal(modes.json)})"
        selector = f".get({literal(modes.discriminator)}) or {literal(modes.zero)}"
        code.add(f"{item} = {as_go(f'{ref.value}{member}', modes.shape)}")
        code.add(f"mode = {ref.value}{selector}")
        if self.update:
            self.fetch(old, as_go(f"{ref.old}{member}", modes.shape), ref.old)
            self.fetch("was_mode", f"{ref.old}{selector}", ref.old)
            code.condition(f"{ref.old} is None or mode != was_mode or {self.differs(part)}")
            code.depth += 1
        for i, (mode, checks) in enumerate(modes.rules):
            with code.block(f"{'el' if i else ''}if mode == {literal(mode)}:"):
                self._in_mode(checks, outer, part, sink)
        with code.block("else:"):
            forbidden = replace(outer, level=outer.level or modes.level)
            self.ran(modes, part, sink)
            self.found(f"check.{modes.otherwise.name}", [part.value], forbidden, part, sink)
        if self.update:
            code.depth -= 1
        self._depth -= 1

    def _in_mode(self, checks: tuple[Check, ...], outer: Check, part: ValueRef, sink: FailureTarget) -> None:
        """Writes the checks in order. A failed short-circuit skips all checks after the last short-circuiting one."""
        code = self.code
        active = [c for c in checks if occurs(c, update=self.update)]
        stops = [i for i, c in enumerate(active) if c.short_circuit]
        start = len(code.lines)
        if stops:
            code.add("stop_mode = False")
        for i, check in enumerate(active):
            if stops and i == stops[-1] + 1:
                code.add("if not stop_mode:")
                code.depth += 1
            # The outer check represents the whole group, so each error is marked with its own tag.
            own = replace(check, short_circuit=outer.short_circuit, level=outer.level or check.level)
            errors = "" if check.silent else sink.errors
            self.comment(check)
            if errors or check.short_circuit:
                flag = "stop_mode" if check.short_circuit else sink.flag
                self.operation(check, own, part, FailureTarget(errors, flag))
        if stops and stops[-1] + 1 < len(active):
            code.depth -= 1
        if len(code.lines) == start:
            code.add("pass")


#: Writes the code of an operation: the operation, the outer check, the value, the handling of errors.
OPERATIONS: Mapping[type[Operation], Callable[[CheckEmitter, Any, Check, ValueRef, FailureTarget], None]] = {
    Predicate: CheckEmitter.predicate,
    Membership: CheckEmitter.membership,
    Modes: CheckEmitter.modes,
    EachValue: CheckEmitter.each_value,
    EachKey: CheckEmitter.each_key,
    InMember: CheckEmitter.in_member,
    InItem: CheckEmitter.in_item,
    IfOption: CheckEmitter.if_option,
    CallType: CheckEmitter.call_type,
}


#: Conditions under which a silent check does not stop, if they need no call.
_NEGATED = {predicates.UNSET: "{value}", predicates.UNSET_POINTER: "{value} is not None"}

_REPORT = FailureTarget()
_STOP = FailureTarget(flag="stop")
_SILENT_STOP = FailureTarget(errors="", flag="stop")

#: Writes the code after the checks of a value.
Rest = Callable[[ValueRef], None]


@dataclass(slots=True)
class CohortEmitter:
    """Writes lists of checks."""

    checks: CheckEmitter

    @property
    def code(self) -> Code:
        return self.checks.code

    @property
    def is_traced(self) -> bool:
        return self.checks.names.trace is not None

    def all(self, checks: list[Check], ref: ValueRef, rest: Rest, *, leave: bool = False) -> None:
        """Writes all checks of a value by cohorts, then the rest. A stop in the default cohort skips the rest."""
        groups = list(cohorts([c for c in checks if occurs(c, update=self.checks.update)]))
        default = groups.pop(0) if groups and not groups[0][0].cohort else []

        def after(ref: ValueRef) -> None:
            for group in groups:
                self._cohort(group, ref, lambda place: None)
            rest(ref)

        self._cohort(default, ref, after, leave=leave, last=True)

    def _cohort(
        self, checks: list[Check], ref: ValueRef, after: Rest, *, leave: bool = False, last: bool = False
    ) -> None:
        """Writes the checks of one cohort, then the code that runs if no short-circuiting check has failed.

        `last`: no later code reads the children of the value.
        """
        stopping = [c for c in checks if c.short_circuit]

        def others(ref: ValueRef) -> None:
            for check in checks:
                if not check.short_circuit and not check.silent:
                    self.checks.check(check, ref, _REPORT)
            after(ref)

        if not stopping:
            others(ref)
        elif not (leave or self.is_traced) and (unset := _only_for_set_values(stopping)):
            rest = [c for c in checks if c is not unset]
            self._stop_or(unset, ref, lambda place: self._cohort(rest, place, after, last=last), last)
        elif len(stopping) == 1 and not leave:
            self._stop_or(stopping[0], ref, others, last)
        else:
            self._stop_after(stopping, ref, others, leave, last)

    def _stop_or(self, check: Check, ref: ValueRef, others: Rest, last: bool) -> None:
        """Writes one short-circuiting check, and all other code into the branch where it passes."""
        predicate = check.operation
        if isinstance(predicate, Predicate) and predicate.record in _NEGATED and not self.is_traced:
            self.checks.comment(check)
            with self.code.block(f"if {_NEGATED[predicate.record].format(value=ref.value)}:"):
                self._nonempty(lambda: others(replace(ref, sure=True)))
        elif isinstance(predicate, Predicate) and not check.silent:
            self.checks.check(check, ref, _REPORT)
            if last and not _fails_for_nothing(predicate.record):
                with self.code.block():  # where the check has failed
                    self._check_types(ref)
            sure = ref.sure or predicate.record is predicates.REQUIRED_POINTER
            self._otherwise(lambda: others(replace(ref, sure=sure)))
        else:
            self._stop_after([check], ref, others, False, last)

    def _stop_after(self, stopping: list[Check], ref: ValueRef, others: Rest, leave: bool, last: bool) -> None:
        """Writes several short-circuiting checks: all of them run, then one failure skips the code after them."""
        self.code.add("stop = False")
        for check in stopping:
            self.checks.check(check, ref, _SILENT_STOP if check.silent else _STOP)
        if leave:
            with self.code.block("if stop:"):
                self._check_types(ref)
                self.code.add("return errs")
            others(ref)
            return
        goes_on = self._otherwise(lambda: others(ref), "if not stop:")
        harmless = all(isinstance(c.operation, Predicate) and _fails_for_nothing(c.operation.record) for c in stopping)
        if last and is_deep(ref.shape) and not harmless:
            with self.code.block("else:" if goes_on else "if stop:"):
                self._check_types(ref)

    def _check_types(self, ref: ValueRef) -> None:
        """Checks the types inside a value that no later code reads."""
        if is_deep(ref.shape):
            self.code.call(f"{self.checks.names.shape(ref.shape)}.demand", [ref.value])

    def _otherwise(self, body: Callable[[], None], opening: str = "else:") -> bool:
        """Writes the body as a block, and nothing if it is empty. Returns whether there is a block."""
        start = len(self.code.lines)
        with self.code.block(opening):
            body()
        if all(not line.strip() or line.strip().startswith("#") for line in self.code.lines[start + 1 :]):
            del self.code.lines[start:]
        return len(self.code.lines) > start

    def _nonempty(self, body: Callable[[], None]) -> None:
        """Writes `pass` into an empty block."""
        count = len(self.code.lines)
        body()
        if not any(line.strip() and not line.strip().startswith("#") for line in self.code.lines[count:]):
            self.code.add("pass")


def _only_for_set_values(stopping: list[Check]) -> Check | None:
    """Returns the check that skips unset values, if all other short-circuiting checks accept unset values."""
    unset = [c for c in stopping if c.silent and isinstance(c.operation, Predicate) and c.operation.record in _NEGATED]
    return unset[0] if len(unset) == 1 and all(c is unset[0] or passes_on_absent(c) for c in stopping) else None


def _fails_for_nothing(record: PredicateSpec) -> bool:
    """Returns whether only empty values fail a test."""
    return record.presence in (Presence.REQUIRED, Presence.UNSET)
