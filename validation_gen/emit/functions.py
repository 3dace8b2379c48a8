"""The body of a validator: one pass over a type's checks in order, once for create and once for update.

Generated functions take a value (`obj`), on update the old one (`old`, `None` when there is none), and the request
(`op`). They return the errors below that value with paths relative to it. Paths are spelled out only where an error
is reported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from validation_gen.emit.checks import CheckEmitter, occurs
from validation_gen.emit.place import Names, Place, Sink, as_go, is_packed, zero
from validation_gen.emit.text import Code, literal
from validation_gen.ir import Check, FieldPlan, PointerTo, StructRef, Test, TypePlan, cohorts, value_shape

#: Conditions under which a silent check does not stop, where they can be said without a call.
_NEGATED = {"unset": "{value}", "unset_pointer": "{value} is not None"}

_REPORT = Sink()
_STOP = Sink(flag="stop")
_SILENT_STOP = Sink(errors="", flag="stop")


@dataclass(slots=True)
class FunctionEmitter:
    """Writes the function of one type for one operation."""

    names: Names
    update: bool
    checks: CheckEmitter = field(init=False)

    def __post_init__(self) -> None:
        self.checks = CheckEmitter(self.names, self.update)

    @property
    def code(self) -> Code:
        return self.checks.code

    def function(self, plan: TypePlan) -> list[str]:
        mode = "update" if self.update else "create"
        old = "old: Any, " if self.update else ""
        code = self.code
        code.call(f"def {mode}_{plan.name}", [f"obj: Any, {old}op: Operation"], " -> list[FieldError]:")
        with code.block():
            code.add("errs: list[FieldError] = []")
            shape = PointerTo(plan.shape) if plan.gets_null else plan.shape
            if is_packed(plan.shape):
                code.add("obj = unpacked(obj)")
            place = Place("obj", "old" if self.update else "None", (), shape)
            self._checks(plan.checks, place, lambda: self._inside(plan, place), leave="return errs")
            code.add("return errs")
        return code.lines

    def _inside(self, plan: TypePlan, place: Place) -> None:
        for iteration in (plan.keys, plan.values):
            if iteration is not None:
                self.checks.check(iteration, place, _REPORT)
        if plan.opaque:
            return
        start = len(self.code.lines)
        for member in plan.fields:
            self._field(member)
        if plan.gets_null and len(self.code.lines) > start:
            guard = Code(depth=self.code.depth)
            with guard.block("if obj is None:"):
                guard.add("return errs")
            self.code.lines[start:start] = guard.lines

    # --- fields -----------------------------------------------------------------------------------------------------

    def _field(self, member: FieldPlan) -> None:
        checks = [c for c in member.checks if occurs(c, self.update)]
        if not (checks or member.type or member.keys or member.values):
            return
        code = self.code
        code.add()
        code.comment(member.json or member.go_name)
        element = f".{member.path}" if member.path else ""
        old = "was" if self.update else "None"
        place = Place("v", old, (element,), member.shape, member.inlined, "old is not None")
        self.checks.fetch("v", self._source(member, "obj"), "")
        if self.update:
            self.checks.fetch("was", self._source(member, "old"), "old")
            with code.block(f"if old is None or {self.checks.differs(place)}:"):
                self._value(member, checks, place)
        else:
            self._value(member, checks, place)

    def _value(self, member: FieldPlan, checks: list[Check], place: Place) -> None:
        def rest() -> None:
            if member.type:
                self.checks.call(member.type, place, known=member.stops_nulls)
            for iteration in (member.keys, member.values):
                if iteration is not None:
                    self.checks.check(iteration, place, _REPORT)

        self._checks(checks, place, rest)

    def _source(self, member: FieldPlan, obj: str) -> str:
        """An expression for a field's value in its object."""
        if member.json:
            return as_go(f"{obj}.get({literal(member.json)})", member.shape)
        if not member.inlined or not isinstance(value_shape(member.shape), StructRef):
            return zero(member.shape)
        view = f"without({obj}, {literal(member.hidden)})" if member.hidden else obj
        if isinstance(member.shape, PointerTo):
            return f"inlined({view}, {self.names.struct_names(member.shape)})"
        return view

    # --- lists of checks --------------------------------------------------------------------------------------------

    def _checks(self, checks: list[Check], place: Place, rest: Callable[[], None], leave: str = "") -> None:
        """All checks of a value by cohorts, then the rest. A stop in the default cohort skips the rest, or leaves."""
        groups = list(cohorts([c for c in checks if occurs(c, self.update)]))
        default = groups.pop(0) if groups and not groups[0][0].cohort else []

        def after() -> None:
            for group in groups:
                self._cohort(group, place, lambda: None)
            rest()

        self._cohort(default, place, after, leave)

    def _cohort(self, checks: list[Check], place: Place, after: Callable[[], None], leave: str = "") -> None:
        stopping = [c for c in checks if c.short_circuit]

        def others() -> None:
            for check in checks:
                if not check.short_circuit and not check.silent:
                    self.checks.check(check, place, _REPORT)
            after()

        if not stopping:
            others()
        elif len(stopping) == 1 and not leave:
            self._stop_or(stopping[0], place, others)
        else:
            self._stop_after(stopping, place, others, leave)

    def _stop_or(self, check: Check, place: Place, others: Callable[[], None]) -> None:
        """One stopping check, everything else in its other branch."""
        test = check.operation
        if isinstance(test, Test) and test.name in _NEGATED:
            self.checks.comment(check)
            with self.code.block(f"if {_NEGATED[test.name].format(value=place.value)}:"):
                self._nonempty(others)
        elif isinstance(test, Test) and not check.silent:
            self.checks.check(check, place, _REPORT)
            self._otherwise(others)
        else:
            self._stop_after([check], place, others, "")

    def _stop_after(self, stopping: list[Check], place: Place, others: Callable[[], None], leave: str) -> None:
        """Several stopping checks: all of them run before the stop is decided."""
        self.code.add("stop = False")
        for check in stopping:
            self.checks.check(check, place, _SILENT_STOP if check.silent else _STOP)
        if leave:
            with self.code.block("if stop:"):
                self.code.add(leave)
            others()
        else:
            self._otherwise(others, "if not stop:")

    def _otherwise(self, body: Callable[[], None], opening: str = "else:") -> None:
        """The body as a block of its own, and nothing at all when it is empty."""
        start = len(self.code.lines)
        with self.code.block(opening):
            body()
        if all(not line.strip() or line.strip().startswith("#") for line in self.code.lines[start + 1 :]):
            del self.code.lines[start:]

    def _nonempty(self, body: Callable[[], None]) -> None:
        """A block must not be empty."""
        count = len(self.code.lines)
        body()
        if not any(line.strip() and not line.strip().startswith("#") for line in self.code.lines[count:]):
            self.code.add("pass")
