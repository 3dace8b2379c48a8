"""One check in generated code, with all the checks around and inside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from validation_gen.emit.python import quickconditions
from validation_gen.emit.python.calls import marked
from validation_gen.emit.python.guards import is_deep
from validation_gen.emit.python.loops import LoopEmitter
from validation_gen.emit.python.place import Place, Sink, as_go, is_there
from validation_gen.emit.text import literal
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
    occurs,
    predicates,
)


@dataclass(slots=True)
class CheckEmitter(LoopEmitter):
    """Writes checks for one operation."""

    def check(self, check: Check, place: Place, sink: Sink) -> None:
        """One check of a value."""
        self.comment(check)
        self.operation(check, check, place, sink)

    def operation(self, check: Check, outer: Check, place: Place, sink: Sink) -> None:
        OPERATIONS[type(check.operation)](self, check.operation, outer, place, sink)

    def predicate(self, test: Predicate, outer: Check, place: Place, sink: Sink) -> None:
        if test.record.when is AppliesOn.UPDATE and not self.update:
            self.code.add("pass")
            return
        self.ran(test, place, sink)
        if not sink.errors and (condition := quickconditions.unset(test, place.value)):
            with self.code.block(f"if {condition}:"):
                self.report("", outer, place, sink)
            return
        if test.record is predicates.CUSTOM and is_deep(place.shape):  # it sees decoded values only
            self.code.call(f"{self.names.shape(place.shape)}.demand", [place.value])
        conditions = [] if self.suspected else quickconditions.of_test(test, place, self.names)
        self.found(f"check.{test.name}", self.args(test, place), outer, place, sink, conditions)

    def each_value(self, each: EachValue, outer: Check, place: Place, sink: Sink) -> None:
        write = self.each_item if isinstance(each.container, ListOf) else self.each_map_value
        write(each, outer, place, sink, types=outer is self.looks_at_types)

    def call_type(self, call: CallType, outer: Check, place: Place, sink: Sink) -> None:
        self.call(call.type, place)

    def in_member(self, inside: InMember, outer: Check, place: Place, sink: Sink) -> None:
        _, item, old = self.variables()
        part = place.below(f".{inside.json}", item, old, inside.shape, f"{place.old} is not None")
        member = f".get({literal(inside.json)})"
        source = as_go(f"{place.value}{member}", inside.shape)
        self.fetch(item, source, place.value if isinstance(place.shape, PointerTo) else "")
        conditions = [is_there(place.value)] if isinstance(place.shape, PointerTo) else []
        if self.update:
            self.fetch(old, as_go(f"{place.old}{member}", inside.shape), place.old)
            conditions.append(f"{place.old} is None or {self.differs(part)}")
        self._guarded(conditions, inside.inner, outer, part, sink)
        self._depth -= 1

    def in_item(self, inside: InItem, outer: Check, place: Place, sink: Sink) -> None:
        index, item, old = self.variables()
        selector = self.names.selector(inside.selector)
        pointers = f"pointers={isinstance(inside.elem, PointerTo)}"
        part = replace(place.below("", item, old, inside.elem), path=(*place.path, "[", f"{{{index}}}", "]"))
        self.code.call(f"{index}, {item} = {selector}.find", [place.value, pointers])
        conditions = [f"{item} is not None"]
        if self.update:
            self.code.call(f"_, {old} = {selector}.find", [place.old, pointers])
            conditions.append(f"{old} is None or not {self.same(part)}")
        self._guarded(conditions, inside.inner, outer, part, sink)
        self._depth -= 1

    def if_option(self, conditional: IfOption, outer: Check, place: Place, sink: Sink) -> None:
        code = self.code
        if conditional.lenient:
            with code.block(f"if {'' if conditional.enabled else 'not '}op.option({literal(conditional.option)}):"):
                self.operation(conditional.inner, marked(outer, conditional.inner), place, sink)
            return
        code.add(f"option = op.option({literal(conditional.option)})")
        with code.block("if option is None:"):
            self.ran(conditional, place, sink)
            self.report(f"check.undefined_option({literal(conditional.option)})", outer, place, sink)
        with code.block("elif option:" if conditional.enabled else "elif not option:"):
            self.operation(conditional.inner, marked(outer, conditional.inner), place, sink)

    def _guarded(self, conditions: list[str], inner: Check, outer: Check, part: Place, sink: Sink) -> None:
        """The inner check behind all conditions."""
        for condition in conditions:
            self.code.condition(condition)
            self.code.depth += 1
        self.operation(inner, marked(outer, inner), part, sink)
        self.code.depth -= len(conditions)

    def membership(self, rule: Membership, outer: Check, place: Place, sink: Sink) -> None:
        code = self.code
        membership = self.names.membership(rule, place.shape)
        code.call(f"is_set = {membership}", [place.value])
        args = ["is_set"]
        if self.update:
            self.fetch("was_set", f"{membership}({place.old})", place.old)
            args.append("was_set")
        self.ran(rule, place, sink)
        function = rule.kind.value
        if rule.kind is MembershipKind.DISCRIMINATED:
            source = f'.get({literal(rule.discriminator)}) or ""'
            self.fetch("selected", f"{place.value}{source}", place.value if isinstance(place.shape, PointerTo) else "")
            if self.update:
                self.fetch("was_selected", f"{place.old}{source}", place.old)
                args.append("was_selected")
            members = tuple((p.name, p.discriminator_value) for p in rule.participants)
            names = [f"({literal(rule.discriminator)}, selected)", self.names.operand(function, members)]
        else:
            names = [self.names.operand(function, tuple(p.name for p in rule.participants))]
        self.found(f"check.{function}", [*names, *args], outer, place, sink)

    def modes(self, modes: Modes, outer: Check, place: Place, sink: Sink) -> None:
        """The checks of the mode that the discriminator names, on the member that depends on it."""
        code = self.code
        _, item, old = self.variables()
        path = f".{modes.path}" if modes.path else ""
        part = place.below(path, item, old, modes.shape, f"{place.old} is not None")
        member = f".get({literal(modes.json)})"
        selector = f".get({literal(modes.discriminator)}) or {literal(modes.zero)}"
        code.add(f"{item} = {as_go(f'{place.value}{member}', modes.shape)}")
        code.add(f"mode = {place.value}{selector}")
        if self.update:
            self.fetch(old, as_go(f"{place.old}{member}", modes.shape), place.old)
            self.fetch("was_mode", f"{place.old}{selector}", place.old)
            code.condition(f"{place.old} is None or mode != was_mode or {self.differs(part)}")
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

    def _in_mode(self, checks: tuple[Check, ...], outer: Check, part: Place, sink: Sink) -> None:
        """Checks in order; those behind the last stopping one are skipped when any of these has failed."""
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
                self.operation(check, own, part, Sink(errors, flag))
        if stops and stops[-1] + 1 < len(active):
            code.depth -= 1
        if len(code.lines) == start:
            code.add("pass")


#: Writes the code of an operation: the operation, the outer check, the value, the handling of errors.
OPERATIONS: Mapping[type[Operation], Callable[[CheckEmitter, Any, Check, Place, Sink], None]] = {
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
