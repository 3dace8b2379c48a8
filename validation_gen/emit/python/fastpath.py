"""Writes the checks of a struct and its members as a table beside the validating functions.

The native accept path walks this table (`validation_gen.runtime.fastpath`). Each entry comes from the same checks as
the functions, as calls of the same runtime functions with the same operands, so that a new test needs nothing here. A
check that a table cannot encode becomes the step `never`: its value is left to the functions.

Types of members are not repeated: shapes have them. The checks of a named single value, list or map are written out at
each use, as only structs have tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from validation_gen.emit.python.names import Names
from validation_gen.emit.python.value_ref import add_holders, innermost
from validation_gen.emit.text import WIDTH, Code, literal
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
    ListOf,
    Membership,
    MembershipKind,
    Modes,
    PointerTo,
    Predicate,
    Presence,
    Program,
    Shape,
    StructRef,
    TypePlan,
    cohorts,
    predicates,
    value_shape,
    walk_checks,
)
from validation_gen.ir.checks import Operation

#: Source text, or several of them in brackets.
Text = str | tuple["Text", ...]
_NEVER = literal("never")
_UNSET = (literal(predicates.UNSET.name), literal(predicates.UNSET_POINTER.name))
_GUARD = literal("guard")
#: Checks of a type look at null, too.
_FOR_NULL = literal("null")


@dataclass(frozen=True, slots=True)
class TableEmitter:
    """Writes the table of one struct."""

    names: Names

    def lines(self, plan: TypePlan) -> list[str]:
        """Returns the lines of the table, none without checks."""
        entries: list[tuple[str, Text]] = []
        whole = [*self._checks(plan.checks, plan.shape)]
        if plan.gets_null:
            whole.append(_FOR_NULL)
        found: dict[str, list[Text]] = {}
        for member in [] if plan.opaque else plan.fields:
            if member.json:
                found.setdefault(member.json, []).extend(self._member(member))
            else:
                whole += self._elsewhere(member)
        for name in self._find_unvisited(plan):
            found.setdefault(name, []).append(literal("opaque"))
        if whole:
            entries.append(("", tuple(whole)))
        found = {name: _without_empty(steps) for name, steps in found.items()}
        entries += [(name, tuple(steps)) for name, steps in found.items() if not _says_nothing(steps)]
        if not entries:
            return []
        code = Code()
        code.add(f"@{self.names.shape(plan.shape)}.accept")
        # a function, as constants of other types are defined below
        code.add(f"def table_{plan.name}() -> shapes.Table:")
        with code.block():
            code.add("return {")
            with code.block():
                for name, steps in entries:
                    _write(code, f"{literal(name)}: ", steps)
            code.add("}")
        return code.lines

    def _find_unvisited(self, plan: TypePlan) -> Iterator[str]:
        """Yields the members whose struct types have checks that do not run at these members."""
        if not isinstance(plan.shape, StructRef):
            return
        seen: set[str] = set()
        for member in [] if plan.opaque else plan.fields:
            inner = value_shape(member.shape)
            seen.add(member.json)
            if member.merged and member.type and isinstance(inner, StructRef):
                seen |= {each.json for each in self.names.members(inner)}
        for each in self.names.members(plan.shape):
            struct = innermost(each.shape)
            if each.json not in seen and isinstance(struct, StructRef) and struct.id in self.names.holding:
                yield each.json

    def _member(self, member: FieldPlan) -> list[Text]:
        steps = [*self._checks(member.checks, member.shape)]
        if not self._is_entered(member):
            steps.append(literal("opaque"))
        if member.type:
            steps += self._type(member.type, member.shape)
            plan = self.names.plan(member.type)
            if plan.gets_null and isinstance(plan.shape, StructRef):
                steps.append(_FOR_NULL)
        for iteration in (member.keys, member.values):
            if iteration is not None:
                steps += self._step(iteration, member.shape)
        return steps

    def _is_entered(self, member: FieldPlan) -> bool:
        """Returns whether the checks of the struct inside a member run, if it has any."""
        struct = innermost(member.shape)
        if not isinstance(struct, StructRef) or struct.id not in self.names.holding:
            return True
        if member.type:
            return True
        iterations = [*member.checks, *filter(None, (member.keys, member.values))]
        return any(struct.id in _types_in(check) for check in iterations)

    def _elsewhere(self, member: FieldPlan) -> list[Text]:
        """Returns the steps of a field without a JSON name: an inlined struct, or a field that JSON never has."""
        if not (member.checks or member.type or member.keys or member.values):
            return []
        shape = value_shape(member.shape)
        if not member.merged or not isinstance(shape, StructRef):
            return [literal("unnamed")]
        if member.checks or member.type != shape.id:
            return [literal("merged")]
        return [
            (
                literal("inline"),
                self.names.shape(shape),
                literal(member.hidden),
                str(isinstance(member.shape, PointerTo)),
            )
        ]

    # --- checks -----------------------------------------------------------------------------------------------------

    def _checks(self, checks: list[Check], shape: Shape) -> Iterator[Text]:
        """Yields the steps of a list of checks. Unset values skip the steps after `unset`."""
        for group in cohorts(checks):
            if group[0].cohort:
                yield from self._cohort(group)
            else:
                yield from self._stopping(group, shape)

    def _stopping(self, checks: list[Check], shape: Shape, *, guards: bool = True) -> Iterator[Text]:
        """Yields the steps of short-circuiting checks, first reporting ones, then silent ones; then all other steps.

        A silent check tests whether the value is unset, or is a guard: a check of a part that skips the whole value.
        """
        for check in checks:
            if check.short_circuit and not check.silent:
                yield from self._step(check, shape)
        for check in checks:
            if check.silent and _asks_unset(check):
                yield from self._step(check, shape)
            elif check.silent and check.short_circuit and guards:
                yield from ((_GUARD, each) for each in self._step(check, shape) if each != _NEVER)
        for check in checks:
            if not (check.short_circuit or check.silent):
                yield from self._step(check, shape)

    def _cohort(self, checks: list[Check]) -> Iterator[Text]:
        """Yields the steps of a cohort: checks of one part that short-circuit only each other."""
        inner = [check.operation for check in checks]
        parts = {each.json for each in inner if isinstance(each, InMember)}
        if len(parts) == 1 and all(isinstance(each, InMember) for each in inner):
            found = [
                Check(e.inner.operation, c.tag, (), c.short_circuit, c.silent)
                for c, e in zip(checks, inner, strict=True)
                if isinstance(e, InMember)
            ]
            (name,) = parts
            shape = next(each.shape for each in inner if isinstance(each, InMember))
            if steps := tuple(self._stopping(found, shape, guards=False)):
                yield (literal("in"), literal(name), steps)
            return
        for check in checks:
            if not check.silent:
                yield from self._step(check, None)

    def _step(self, check: Check, shape: Shape | None) -> Iterator[Text]:
        """Yields the step of a check; none if it can give no error."""
        yield from OPERATIONS[type(check.operation)](self, check.operation, shape)

    def predicate(self, predicate: Predicate, shape: Shape | None) -> Iterator[Text]:
        if predicate.record is not predicates.NEVER_FAILS:
            yield self._test(predicate)

    def each_value(self, each: EachValue, shape: Shape | None) -> Iterator[Text]:
        steps = tuple(self._step(each.inner, each.elem))
        if each.match is not None:  # an update looks for old items
            yield (literal("each"), steps, self.names.items(each.match, each.elem))
        elif steps or isinstance(each.container, ListOf):
            yield (literal("each"), steps)

    def each_key(self, each: EachKey, shape: Shape | None) -> Iterator[Text]:
        if steps := tuple(self._step(each.inner, each.key)):
            yield (literal("keys"), steps)

    def in_member(self, inside: InMember, shape: Shape | None) -> Iterator[Text]:
        if steps := tuple(self._step(inside.inner, inside.shape)):
            yield (literal("in"), literal(inside.json), steps)

    def in_item(self, inside: InItem, shape: Shape | None) -> Iterator[Text]:
        if steps := tuple(self._step(inside.inner, inside.elem)):
            selector = self.names.selector(inside.selector)
            yield (literal("item"), selector, str(isinstance(inside.elem, PointerTo)), steps)

    def if_option(self, conditional: IfOption, shape: Shape | None) -> Iterator[Text]:
        steps = tuple(self._step(conditional.inner, shape))
        lenient = str(conditional.lenient)
        yield (literal("if"), literal(conditional.option), str(conditional.enabled), lenient, *steps)

    def call_type(self, call: CallType, shape: Shape | None) -> Iterator[Text]:
        yield from self._type(call.type, shape)

    def _type(self, type: str, shape: Shape | None) -> Iterator[Text]:
        """Returns the checks of a type: none for a struct, which has its own table."""
        plan = self.names.plan(type)
        declared = value_shape(plan.shape)
        if isinstance(declared, StructRef):
            here = None if shape is None else value_shape(shape)
            if declared.id != type or here != declared:
                yield _NEVER
            return
        yield from self._checks(plan.checks, plan.shape)
        for iteration in (plan.keys, plan.values):
            if iteration is not None:
                yield from self._step(iteration, plan.shape)

    def _test(self, predicate: Predicate) -> Text:
        record = predicate.record
        of_change = record.when is AppliesOn.UPDATE
        known = record.is_plain or of_change or record in (predicates.CUSTOM, predicates.ENUM_WITH_OPTIONS)
        if not known:
            return _NEVER
        arguments: list[Text] = [*([literal("change")] if of_change else []), literal(predicate.name)]
        arguments += self.names.operands(predicate)
        return tuple(arguments) if len(arguments) > 1 else arguments[0]

    def membership(self, rule: Membership, shape: Shape | None) -> Iterator[Text]:
        if shape is None:
            yield _NEVER
            return
        members = self.names.membership(rule, shape)
        name = rule.kind.value
        if rule.kind is MembershipKind.DISCRIMINATED:
            pairs = tuple((p.name, p.discriminator_value) for p in rule.participants)
            yield (literal(name), literal(rule.discriminator), self.names.operand(name, pairs), members)
            return
        yield (literal(name), self.names.operand(name, tuple(p.name for p in rule.participants)), members)

    def modes(self, modes: Modes, shape: Shape | None) -> Iterator[Text]:
        rules: list[Text] = [(literal(mode), tuple(self._in_mode(checks, modes.shape))) for mode, checks in modes.rules]
        selector = literal((modes.discriminator, modes.zero))
        yield literal("modes"), literal(modes.json), selector, tuple(rules), literal(modes.otherwise.name)

    def _in_mode(self, checks: tuple[Check, ...], shape: Shape) -> Iterator[Text]:
        """Translates the checks of a mode like a cohort, but always runs all checks before the last stopping one."""
        last = max((i for i, check in enumerate(checks) if check.short_circuit), default=-1)
        for check in checks[: last + 1]:
            if not check.silent:
                yield from self._step(check, shape)
        for check in checks[: last + 1]:
            if check.silent and _asks_unset(check):
                yield from self._step(check, shape)
        for check in checks[last + 1 :]:
            if not check.silent:
                yield from self._step(check, shape)


#: Yields the steps of an operation on a value of a shape.
OPERATIONS: Mapping[type[Operation], Callable[[TableEmitter, Any, Shape | None], Iterator[Text]]] = {
    Predicate: TableEmitter.predicate,
    Membership: TableEmitter.membership,
    Modes: TableEmitter.modes,
    EachValue: TableEmitter.each_value,
    EachKey: TableEmitter.each_key,
    InMember: TableEmitter.in_member,
    InItem: TableEmitter.in_item,
    IfOption: TableEmitter.if_option,
    CallType: TableEmitter.call_type,
}


def holding_structs(program: Program) -> frozenset[str]:
    """Returns the ids of structs with checks, and of those that contain them."""
    return add_holders(program.structs, [plan.id for plan in program.validated])


def _types_in(check: Check) -> set[str]:
    """Returns the ids of the types whose validators a check calls."""
    return {each.operation.type for each in walk_checks(check) if isinstance(each.operation, CallType)}


def _without_empty(steps: list[Text]) -> list[Text]:
    """Removes the steps that check nothing of items, unless another step matches items with old ones."""
    empty: Text = (literal("each"), ())
    kept = [step for step in steps if step != empty]
    return steps if any(step[0] == literal("each") and len(step) > 2 for step in kept) else kept


def _says_nothing(steps: list[Text]) -> bool:
    """Returns whether steps only skip absent values."""
    return all(step in _UNSET for step in steps)


def _asks_unset(check: Check) -> bool:
    """Returns whether a check only skips unset values."""
    operation: Operation = check.operation
    while isinstance(operation, IfOption):
        operation = operation.inner.operation
    return isinstance(operation, Predicate) and operation.record.presence is Presence.UNSET


# --- text ------------------------------------------------------------------------------------------------------------


def _spelt(text: Text) -> str:
    if isinstance(text, str):
        return text
    inner = ", ".join(map(_spelt, text))
    return f"({inner},)" if len(text) == 1 else f"({inner})"


def _write(code: Code, head: str, text: Text) -> None:
    """Writes `head text,` as black formats it: on one line if it fits, else one line for each part."""
    line = f"{head}{_spelt(text)},"
    if isinstance(text, str) or 4 * code.depth + len(line) <= WIDTH:
        code.add(line)
        return
    code.add(f"{head}(")
    with code.block():
        _write_parts(code, text)
    code.add("),")


def _write_parts(code: Code, parts: Iterable[Text]) -> None:
    for part in parts:
        _write(code, "", part)
