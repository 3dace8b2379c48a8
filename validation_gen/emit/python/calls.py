"""Calls in generated code: of one check, and of all checks of a type, with the handling of their errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from validation_gen.emit.python.names import Names
from validation_gen.emit.python.quickconditions import descends, is_same_on_update
from validation_gen.emit.python.value_ref import FailureTarget, TypeWalk, ValueRef, is_null, is_there, path_expression
from validation_gen.emit.text import WIDTH, Code, literal
from validation_gen.ir import CallType, Check, Operation, PointerTo, Predicate, Scalar, StructRef, value_shape


@dataclass(slots=True)
class CallEmitter:
    """Writes calls for one operation. Names of loop variables are numbered by depth."""

    names: Names
    update: bool
    code: Code = field(default_factory=Code)
    #: True if the value is suspect already, so that further conditions are not worth their lines.
    suspected: bool = False
    #: A check of all items or values of the field, which looks at their types, too.
    looks_at_types: Check | None = None
    _depth: int = 0

    @property
    def walk(self) -> TypeWalk:
        return TypeWalk(self.names, self.code)

    def comment(self, check: Check) -> None:
        if check.tag.text:
            self.code.comment(check.tag.text)

    def args(self, predicate: Predicate, ref: ValueRef) -> list[str]:
        args = [ref.value]
        if predicate.record.old:
            args.append(ref.old)
        if predicate.record.known:
            args.append(ref.has_old)
        args += self.names.operands(predicate)
        return [*args, "op"] if predicate.record.request else args

    def found(
        self,
        function: str,
        args: list[str],
        check: Check,
        ref: ValueRef,
        sink: FailureTarget,
        conditions: Sequence[str] = (),
    ) -> None:
        """Writes a call of a check inside conditions, and the handling of its errors."""
        code, depth = self.code, self.code.depth
        call = f"found := {function}" if sink.errors else function
        whole = f"{call}({', '.join(args)})"
        quick = f"if {' and '.join(map(_bracket, [*conditions, whole]))}:"
        if conditions and self.fits(quick):
            code.add(quick)
        else:
            fitting = all(self.fits(f"if {condition}:", below) for below, condition in enumerate(conditions))
            if not check.short_circuit and fitting:
                for condition in conditions:
                    code.add(f"if {condition}:")
                    code.depth += 1
            code.call(f"if {call}", args, ":")
        with code.block():
            self.report("found", check, ref, sink)
        code.depth = depth

    def fits(self, line: str, below: int = 0) -> bool:
        """Returns whether a line fits at the current depth, plus `below` blocks."""
        return (self.code.depth + below) * 4 + len(line) <= WIDTH

    def ran(self, operation: Operation, ref: ValueRef, sink: FailureTarget) -> None:
        """Writes, in traced code, that a check runs now."""
        if self.names.trace is not None:
            number, silent = self.names.trace.number(operation), not sink.errors
            self.code.call("op.ran", [str(number), str(silent), path_expression(ref.path)])

    def report(self, errors: str, check: Check, ref: ValueRef, sink: FailureTarget) -> None:
        if self.names.trace is not None:
            if sink.errors and errors != "found":
                self.code.add(f"found = {errors}")
                errors = "found"
            self.code.add(f"op.failed({'found' if sink.errors else '[]'})")
        if sink.errors:
            rule = self.names.rule(check, ref.shape)
            path = path_expression(ref.path)
            if ref.inlined:
                report = f"{rule}.report(None, {errors}, {path})"
                self.code.call(f"{sink.errors} = under", [sink.errors, _inline(ref), report])
            else:
                self.code.call(f"{sink.errors} = {rule}.report", [sink.errors, errors, path])
        if sink.flag:
            self.code.add(f"{sink.flag} = True")

    def call(self, type: str, ref: ValueRef, *, known: bool = False) -> None:
        """Writes the call of all checks of a type. Null pointers to structs are skipped, unless the type checks them.

        `known` is True if the value is not null.
        """
        compares = self.update and not is_same_on_update(self.names.plan(type))
        function = self.names.function("update" if compares else "create", type)
        args = [ref.value, *([ref.old] if compares else []), "op"]
        nilable = (
            not known
            and isinstance(ref.shape, PointerTo)
            and isinstance(ref.shape.elem, StructRef)
            and not self.names.plan(type).gets_null
        )
        condition = f"{ref.value} is not None" if nilable else ""
        quick = f"if {condition} and (found := {function}({', '.join(args)})):"
        depth = self.code.depth
        if self.names.trace is not None:
            function, args = "op.part", [path_expression(ref.path), function, *args]
        if condition and self.fits(quick) and self.names.trace is None:
            self.code.add(quick)
        else:
            if nilable:
                self.code.add(f"if {condition}:")
                self.code.depth += 1
            self.code.call(f"if found := {function}", args, ":")
        with self.code.block():
            path = path_expression(ref.path)
            if ref.inlined:
                inner = "found" if path == '""' else f"under(None, {path}, found)"
                self.code.call("errs = under", ["errs", _inline(ref), inner])
            elif path == '""':
                self.code.add("errs = found if errs is None else errs + found")
            else:
                self.code.call("errs = under", ["errs", path, "found"])
        self.code.depth = depth

    # --- values -----------------------------------------------------------------------------------------------------

    def variables(self) -> tuple[str, str, str]:
        """Fresh names for an index or key, a part and its old value."""
        self._depth += 1
        n = "" if self._depth == 1 else str(self._depth)
        return f"i{n}", f"item{n}", f"old_item{n}" if self.update else "None"

    def fetch(self, variable: str, source: str, guard: str) -> None:
        """Writes `variable = source`, with `None` where the guarding object is null."""
        if not guard or source in ("old", "None"):
            self.code.add(f"{variable} = {source}")
            return
        is_old = guard.startswith(("old", "was"))  # its null check must have this form, too
        null, there = (f"{guard} is None", f"{guard} is not None") if is_old else (is_null(guard), is_there(guard))
        line = f"{variable} = None if {null} else {source}"
        if self.code.depth * 4 + len(line) <= WIDTH:
            self.code.add(line)
            return
        self.code.add(f"{variable} = None")
        with self.code.block(f"if {there}:"):
            self.code.expression(f"{variable} = ", source)

    def differs(self, ref: ValueRef) -> str:
        if isinstance(value_shape(ref.shape), Scalar):
            return f"{ref.value} != {ref.old}"
        return f"not {self.same(ref)}"

    def same(self, ref: ValueRef, inner: Check | None = None) -> str:
        """Returns the condition that a value has not changed.

        If the only check is a call of a type that compares its own fields, the quick comparison is enough.
        """
        call = inner.operation if inner is not None else None
        question = "unchanged" if isinstance(call, CallType) and descends(call.type, self.names) else "same"
        return f"{self.names.shape(ref.shape)}.{question}({ref.value}, {ref.old})"


def _bracket(text: str) -> str:
    """Returns a condition, in parentheses if other conditions can only be joined to it so."""
    return f"({text})" if ":=" in text or " or " in text else text


def set_level(outer: Check, inner: Check) -> Check:
    """Returns the outer check with the level of its errors: its own, or else that of the inner check."""
    return outer if outer.level or not inner.level else replace(outer, level=inner.level)


def _inline(ref: ValueRef) -> str:
    return f"Inlined({literal(ref.inlined)})"
