"""The body of a validator: one pass over a type's checks in order, once for create and once for update.

Generated functions take a value (`obj`), on update the old one (`old`, `None` when there is none), and the request
(`op`). They return the errors below that value with paths relative to it, `None` when there are none. Paths are built
only when an error is reported.

The caller has checked the type of the value itself; the function checks the types of all its children, and raises
`WrongTypeError` at the first value that does not decode.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from validation_gen.emit.python.checks import CheckEmitter, CohortEmitter
from validation_gen.emit.python.names import Names
from validation_gen.emit.python.quickconditions import accepts_absent, doubts, has_changed, of_scalar
from validation_gen.emit.python.value_ref import (
    TypeWalk,
    ValueRef,
    is_deep,
    is_packed,
    is_there,
    refuses_null,
    suspect,
    zero,
)
from validation_gen.emit.text import WIDTH, Code, literal
from validation_gen.ir import (
    Check,
    EachValue,
    FieldPlan,
    Member,
    PointerTo,
    Predicate,
    StructRef,
    TypePlan,
    occurs,
    value_shape,
)
from validation_gen.ir.predicates import UNSET_POINTER

#: A read of an optional member, or an expression that may be None by its type.
_ASKED = re.compile(
    r" +(\w+) = (?:None if (?:\w+ is None|None is \w+) else )?(?:(?:\w+\.get|without|inlined|unpacked)\(|\{\}$)"
)


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

    @property
    def walk(self) -> TypeWalk:
        return self.checks.walk

    def function(self, plan: TypePlan) -> list[str]:
        mode = "update" if self.update else "create"
        type = "dict[str, Any]" if isinstance(plan.shape, StructRef) and not plan.gets_null else "Any"
        old = ["old: Any"] if self.update else []
        code = self.code
        code.call(f"def {mode}_{plan.name}", [f"obj: {type}", *old, "op: Operation"], " -> list[FieldError] | None:")
        with code.block():
            code.add("errs: list[FieldError] | None = None")
            start = len(code.lines)
            shape = PointerTo(plan.shape) if plan.gets_null else plan.shape
            if is_packed(plan.shape):
                code.add("obj = unpacked(obj)")
            place = ValueRef("obj", "old" if self.update else "None", (), shape)
            CohortEmitter(self.checks).all(plan.checks, place, lambda place: self._inside(plan, place), leave=True)
            code.add("return errs")
            code.lines[start:start] = _declarations(code.lines[start:])
        return code.lines

    def _inside(self, plan: TypePlan, ref: ValueRef) -> None:
        for iteration in (plan.keys, plan.values):
            if iteration is not None:
                self.checks.iterate(iteration, ref)
        start = len(self.code.lines)
        if isinstance(plan.shape, StructRef):
            self._members(plan, plan.shape)
        elif plan.values is None and is_deep(plan.shape):
            self.walk.below(plan.shape, ref.value)
        if plan.gets_null and len(self.code.lines) > start:
            guard = Code(depth=self.code.depth)
            with guard.block("if obj is None:"):
                guard.add("return errs")
            self.code.lines[start:start] = guard.lines

    def _members(self, plan: TypePlan, struct: StructRef) -> None:
        """Writes all members of a struct: first those without rules (types are checked), then the others in order."""
        ruled = [] if plan.opaque else [f for f in plan.fields if self._find_checks(f) or self._goes_on(f)]
        unruled = self._find_unchecked(struct, ruled)
        self.walk.members(unruled)
        if self.update and any(member.json for member in ruled):
            self.code.add("before = {} if old is None else old")
        for member in ruled:
            self._field(member)

    def _find_unchecked(self, struct: StructRef, ruled: list[FieldPlan]) -> list[Member]:
        """Returns the members that no field with rules checks. An inlined struct checks its own members."""
        seen = {member.json for member in ruled}
        for member in ruled:
            inner = value_shape(member.shape)
            if member.merged and member.type and isinstance(inner, StructRef):
                seen |= {m.json for m in self.names.members(inner)} - set(member.hidden)
        return [member for member in self.names.members(struct) if member.json not in seen]

    # --- fields -----------------------------------------------------------------------------------------------------

    def _find_checks(self, member: FieldPlan) -> list[Check]:
        return [c for c in member.checks if occurs(c, update=self.update)]

    @staticmethod
    def _goes_on(member: FieldPlan) -> bool:
        """Returns whether the type of a field has checks."""
        return bool(member.type or member.keys or member.values)

    def _field(self, member: FieldPlan) -> None:
        checks = self._find_checks(member)
        code = self.code
        code.add()
        code.comment(member.json or member.go_name)
        element = f".{member.path}" if member.path else ""
        old = "was" if self.update else "None"
        place = ValueRef("v", old, (element,), member.shape, member.inlined, "old is not None")
        if member.json and refuses_null(place.shape):
            with code.block(f"if obj.get({literal(member.json)}, obj) is None:"):
                code.add(f"{self.names.shape(place.shape)}.present(None)")
        if not member.json:
            self._elsewhere(member, checks, place)
        elif self.update:
            if self._accepts_absent(member, checks, place):
                with code.block(f"if {literal(member.json)} in obj:"):
                    code.add(f"v = obj[{literal(member.json)}]")
                    self._if_changed(member, checks, place)
            else:
                code.call("v = obj.get", [literal(member.json)])
                self._if_changed(member, checks, place)
        elif self._accepts_absent(member, checks, place):
            with code.block(f"if {literal(member.json)} in obj:"):
                code.add(f"v = obj[{literal(member.json)}]")
                if self._is_optional_struct(member, checks):
                    self.checks.comment(checks[0])
                    shape = self.names.shape(place.shape)
                    question = f"if v.__class__ is dict or (v := {shape}.decoded(v)) is not None:"
                    if not self.checks.fits(question):
                        self._decoded(place, "v")
                        question = f"if {is_there('v')}:"
                    with code.block(question):
                        self.checks.call(member.type, place, known=True)
                else:
                    self._write_checks(member, checks, place)
        else:
            code.call("v = obj.get", [literal(member.json)])
            self._write_checks(member, checks, place)

    def _accepts_absent(self, member: FieldPlan, checks: list[Check], ref: ValueRef) -> bool:
        """Returns whether an absent value needs no check."""
        return self.names.trace is None and accepts_absent(checks, member.type, ref.shape, self.names)

    def _if_changed(self, member: FieldPlan, checks: list[Check], ref: ValueRef) -> None:
        """Writes the handling of a fetched value on update."""
        self.code.call("was = before.get", [literal(member.json)])
        doubtful = doubts(member, checks, ref, self.names) if self.names.trace is None else None
        question = has_changed(ref, self.names, quick=doubtful is not None)
        if not self.checks.fits(f"if old is None or {question}:"):
            question = question.partition(" and ")[2]  # the call begins with the same as the condition before it
        self.code.condition(f"old is None or {question}")
        with self.code.block():
            self._write_checks(member, checks, ref, doubtful or ())

    def _is_optional_struct(self, member: FieldPlan, checks: list[Check]) -> bool:
        """Returns whether a field has only its type's checks behind `+k8s:optional`, which is frequent."""
        tests = [c.operation for c in checks]
        return (
            len(tests) == 1
            and isinstance(tests[0], Predicate)
            and tests[0].record is UNSET_POINTER
            and bool(member.type)
            and isinstance(member.shape, PointerTo)
            and isinstance(member.shape.elem, StructRef)
        )

    def _write_checks(
        self, member: FieldPlan, checks: list[Check], ref: ValueRef, doubtful: Sequence[str] = ()
    ) -> None:
        """Writes all checks of a value, behind a quick condition that accepts most texts and numbers."""
        condition = of_scalar(ref.shape, checks, member.type, "v", self.names)
        if condition and self.names.trace is None and self.code.depth * 4 + len(f"if {condition}:") <= WIDTH:
            with self.code.block(f"if {condition}:"):
                self.code.call(f"v = {self.names.shape(ref.shape)}.decoded", ["v"])
                self.checks.suspected = True
                self._with_old(ref, lambda: self._value(member, checks, ref))
                self.checks.suspected = False
            return
        self._decoded(ref, "v")
        if not doubtful:
            self._with_old(ref, lambda: self._value(member, checks, ref))
            return
        start = len(self.code.lines)
        self.code.alternatives("doubtful", doubtful)
        self.code.condition(f"old is None or not doubtful or not {self.names.shape(ref.shape)}.same(v, was)")
        with self.code.block():
            self._value(member, checks, ref)
        self._old_decoded(ref, start)

    def _with_old(self, ref: ValueRef, body: Callable[[], None]) -> None:
        start = len(self.code.lines)
        body()
        if self.update:
            self._old_decoded(ref, start)

    def _elsewhere(self, member: FieldPlan, checks: list[Check], ref: ValueRef) -> None:
        """Writes the checks of a field without a name: an inlined struct, or a field without a value in JSON."""
        self.checks.fetch("v", self._source(member, "obj"), "")
        if not self.update:
            self._value(member, checks, ref)
            return
        self.checks.fetch("was", self._source(member, "old"), "old")
        self.code.condition(f"old is None or {self.checks.differs(ref)}")
        with self.code.block():
            self._value(member, checks, ref)

    def _decoded(self, ref: ValueRef, variable: str) -> None:
        self.walk.guard(ref.shape, variable)
        if is_packed(ref.shape):
            self.code.add(f"{variable} = unpacked({variable})")

    def _old_decoded(self, ref: ValueRef, start: int) -> None:
        """Inserts code that decodes the old value before the lines that use it, if there are any."""
        lines = self.code.lines
        if not any(re.search(r"\bwas\b", line) for line in lines[start:]) or not suspect(ref.shape, "", self.names):
            return
        body = lines[start:]
        del lines[start:]
        with self.code.block("if old is not None:"):
            self._decoded(ref, "was")
        lines += body

    def _value(self, member: FieldPlan, checks: list[Check], ref: ValueRef) -> None:
        looked = self._looking_at_types(member, checks, ref)

        def rest(ref: ValueRef) -> None:
            if member.type:
                self.checks.call(member.type, ref, known=ref.sure or member.stops_nulls)
            for iteration in (member.keys, member.values):
                if iteration is not None:
                    self.checks.iterate(iteration, ref)
            if not (member.type or member.values or looked) and member.json and is_deep(member.shape):
                self.walk.below(member.shape, ref.value)

        self.checks.looks_at_types = looked
        CohortEmitter(self.checks).all(checks, ref, rest)
        self.checks.looks_at_types = None

    def _looking_at_types(self, member: FieldPlan, checks: list[Check], ref: ValueRef) -> Check | None:
        """Returns a check that loops over all scalars of a container, so that the same loop can check their types."""
        if self.update or not member.json or member.type or member.values:
            return None
        for check in checks:
            each = check.operation
            if (
                isinstance(each, EachValue)
                and not (check.cohort or check.short_circuit or check.silent)
                and each.container == value_shape(ref.shape)
                and not is_deep(each.elem)
            ):
                return check
        return None

    def _source(self, member: FieldPlan, obj: str) -> str:
        """Returns an expression for the value of a field without a name."""
        if not member.merged or not isinstance(value_shape(member.shape), StructRef):
            return zero(member.shape)
        view = f"without({obj}, {literal(member.hidden)})" if member.hidden else obj
        if isinstance(member.shape, PointerTo):
            return f"inlined({view}, {self.names.struct_names(member.shape)})"
        return view


def _declarations(lines: list[str]) -> list[str]:
    """Declares fetched members as Any.

    mypy infers that for items of `dict[str, Any]`; pyright takes the result of `get` for `Any | None` without it, and
    does not see replacements of values of the wrong type. A declaration has no effect at run time.
    """
    asked = dict.fromkeys(found[1] for line in lines if (found := _ASKED.match(line)))
    return [f"    {name}: Any" for name in asked if name != "obj"]
