"""Traverses the checks of a program: each check with its value, and the conditions under which it runs.

The descent is type, checks, keys and values, fields, and so on. Readers of a program filter the visits; emitters, which
write code for each operation, have a descent of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NoReturn

from validation_gen.ir.checks import (
    CallType,
    Check,
    EachKey,
    EachValue,
    IfOption,
    InItem,
    InMember,
    Membership,
    Modes,
    Operation,
    Predicate,
    Selector,
    TagRef,
    cohorts,
)
from validation_gen.ir.program import FieldPlan, Program, TypePlan
from validation_gen.ir.schema import ListOf, MapOf, StructRef, value_shape


@dataclass(frozen=True, slots=True)
class FieldStep:
    """A step to a member of a struct by its JSON name, which is `""` for an inlined struct and a field without one.

    `plan` is the declaration, if the step comes from it and not from a check such as `+k8s:subfield`.
    """

    json: str
    plan: FieldPlan | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Item:
    """A step to an item of a list: any, or the first one that a selector matches."""

    selector: Selector = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """A step to a value of a map, or to its key."""

    key: bool = False


Step = FieldStep | Item | Entry


@dataclass(frozen=True, slots=True, eq=False)
class Location:
    """A value: the step from the value around it, and its path in errors, with `[*]` for items and values."""

    around: Location | None = None
    step: Step | None = None
    path: str = ""
    depth: int = 0

    def to(self, step: Step, path: str) -> Location:
        """Returns the location of a part."""
        return Location(self, step, path, self.depth + 1)

    def member(self, name: str, path: str) -> Location:
        """Returns the location of a member by its JSON name."""
        return self.to(FieldStep(name), f"{self.path}.{path}")

    def declared(self, plan: FieldPlan) -> Location:
        """Returns the location of a field. Upstream uses the name of an inlined struct if the path would be empty."""
        path = f"{self.path}.{plan.path}" if plan.path else self.path or f".{plan.inlined}"
        return self.to(FieldStep(plan.json, plan), path)

    def inside(self, each: EachKey | EachValue) -> Location:
        """Returns the location of the items, values or keys of a container. Errors of keys have the path of the map."""
        if isinstance(each, EachKey):
            return self.to(Entry(key=True), self.path)
        return self.to(Entry() if isinstance(each.container, MapOf) else Item(), f"{self.path}[*]")

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps from the root."""
        found: list[Step] = []
        at = self
        while at.around is not None and at.step is not None:
            found.append(at.step)
            at = at.around
        return tuple(reversed(found))


@dataclass(frozen=True, slots=True)
class OnOption:
    """The condition that a validation option has a state."""

    at: Location
    check: IfOption

    @property
    def depth(self) -> int:
        """The number of steps to the value with the condition."""
        return self.at.depth


@dataclass(frozen=True, slots=True)
class InMode:
    """The condition that the discriminator of a struct has a value."""

    struct: Location
    modes: Modes
    mode: str | bool

    @property
    def depth(self) -> int:
        """The number of steps to the member that depends on the mode."""
        return self.struct.depth + 1


#: A condition of a check besides the presence of its value.
Condition = OnOption | InMode


@dataclass(frozen=True, slots=True)
class Visit:
    """A check without its wrappers, at the value that it tests.

    Attributes:
        check: the innermost check. Its operation is `Modes` for the modes that forbid the member, and `CallType` for a
            call of the checks of a type, which follow.
        outer: the check that its plan or its mode lists: it has the tag, and the effect of a failure.
        at: the tested value.
        start: the value that has the outer check.
        guard: the value that an update must change, or the check is skipped; `None` if every update runs it.
        conditions: options and modes, from the outside in.
        level: the level of its errors, `"alpha"`, `"beta"` or `""`.
        silent: True if its failure is not reported.
        stopped_by: checks of the same value, or of an outer one of the same field, whose failure skips this one.
    """

    check: Check
    outer: Check
    at: Location
    start: Location
    guard: Location | None
    conditions: tuple[Condition, ...] = ()
    level: str = ""
    silent: bool = False
    stopped_by: tuple[Check, ...] = ()

    @property
    def operation(self) -> Operation:
        return self.check.operation

    @property
    def tag(self) -> TagRef:
        return self.outer.tag

    @property
    def modes(self) -> tuple[InMode, ...]:
        """The modes among the conditions."""
        return tuple(each for each in self.conditions if isinstance(each, InMode))


@dataclass(frozen=True, slots=True)
class Carried:
    """A check at some step between the value that carries it and the value that it tests.

    `taken` is the number of steps so far, `left` has the remaining steps.
    """

    visit: Visit
    taken: int
    left: tuple[Step, ...]

    @classmethod
    def start(cls, visit: Visit) -> Carried:
        """Returns a check at the value with its plan, at the root of its visit."""
        return cls(visit, 0, visit.at.steps)

    def inside(self) -> Carried:
        """Returns the check at the next step."""
        return Carried(self.visit, self.taken + 1, self.left[1:])

    @property
    def operation(self) -> Operation:
        return self.visit.operation

    @property
    def is_of_mode(self) -> bool:
        """True for the check of a mode at the struct or above, where its `Modes` represent it."""
        return self.visit.start.depth > self.taken

    @property
    def is_of_items(self) -> bool:
        """True if the check is about all items of the list, or all values of the map."""
        return self.left[:1] in ((Item(),), (Entry(),))

    @property
    def is_of_keys(self) -> bool:
        return self.left[:1] == (Entry(key=True),)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions that begin here or further up."""
        return tuple(each for each in self.visit.conditions if each.depth <= self.taken)


def visit(program: Program, type: str) -> Iterator[Visit]:
    """Yields all checks of a type and of its parts in their order. A type inside itself is not repeated."""
    root = Location()
    yield from _Walk(program).type(type, root, None, (), frozenset())


def visit_checks(checks: Iterable[Check], at: Location, *, guarded: bool = True) -> Iterator[Visit]:
    """Yields the checks of one value in order, without the checks of its type. `guarded`: updates may skip them."""
    for check in checks:
        yield from unwrap(Visit(check, check, at, at, at if guarded else None, silent=check.silent))


def visit_fields(program: Program, type: str) -> Iterator[tuple[TypePlan, FieldPlan, Location]]:
    """Yields all fields of a type and of its parts with their struct, also those without checks."""
    yield from _fields(program, type, Location(), frozenset())


def _fields(
    program: Program, type: str, around: Location, above: frozenset[str]
) -> Iterator[tuple[TypePlan, FieldPlan, Location]]:
    plan = program.types.get(type)
    if plan is None or type in above:
        return
    for member in plan.fields:
        path = f"{around.path}.{member.path}" if member.path else around.path
        at = around.to(FieldStep(member.json, member), path)
        yield plan, member, at
        shape = value_shape(member.shape)
        while isinstance(shape, ListOf | MapOf):
            at = at.to(Entry() if isinstance(shape, MapOf) else Item(), f"{at.path}[*]")
            shape = value_shape(shape.elem)
        if isinstance(shape, StructRef):
            yield from _fields(program, shape.id, at, above | {type})


def flatten(program: Program, struct: str) -> Iterator[tuple[TypePlan, FieldPlan, tuple[FieldPlan, ...]]]:
    """Yields the fields of a struct, then those of inlined ones as Go's decoder has them, without shadowed ones.

    Each has its struct, and the inlined structs on the way to it.
    """
    yield from _flat(program, struct, (), frozenset())


def _flat(
    program: Program, struct: str, way: tuple[FieldPlan, ...], above: frozenset[str]
) -> Iterator[tuple[TypePlan, FieldPlan, tuple[FieldPlan, ...]]]:
    plan = program.types.get(struct)
    if plan is None or struct in above:
        return
    hidden = {name for outer in way for name in outer.hidden}
    yield from ((plan, member, way) for member in plan.fields if member.json not in hidden)
    for member in plan.fields:
        inner = value_shape(member.shape)
        if not member.json and member.inlined and isinstance(inner, StructRef):
            yield from _flat(program, inner.id, (*way, member), above | {struct})


def unwrap(found: Visit) -> Iterator[Visit]:
    """Yields the innermost checks of a check: one check, or the checks of all modes."""
    operation, at = found.check.operation, found.at
    if found.check.level and not found.level:
        found = replace(found, level=found.check.level)
    match operation:
        case Predicate() | Membership() | CallType():
            yield found
        case Modes():
            yield from _in_modes(operation, found)
            yield found
        case IfOption(inner=inner):
            yield from unwrap(replace(found, check=inner, conditions=(*found.conditions, OnOption(at, operation))))
        case EachValue(inner=inner, match=match):
            part = at.inside(operation)
            is_compared = match is not None or isinstance(operation.container, MapOf)
            yield from unwrap(replace(found, check=inner, at=part, guard=part if is_compared else found.guard))
        case EachKey(inner=inner):
            part = at.inside(operation)
            yield from unwrap(replace(found, check=inner, at=part, guard=part))
        case InMember(inner=inner, json=json):
            part = at.member(json, json)
            yield from unwrap(replace(found, check=inner, at=part, guard=part))
        case InItem(inner=inner, selector=selector):
            part = at.to(Item(selector), f"{at.path}[*]")
            yield from unwrap(replace(found, check=inner, at=part, guard=part))
        case _:
            _refuse(operation)


def _refuse(operation: NoReturn) -> NoReturn:
    raise AssertionError(f"no visits for {operation}")


def _in_modes(modes: Modes, found: Visit) -> Iterator[Visit]:
    """Yields the checks of all modes, with their own tags. Earlier short-circuiting checks can skip the last ones."""
    part = found.at.member(modes.json, modes.path)
    for mode, checks in modes.rules:
        stops = [i for i, check in enumerate(checks) if check.short_circuit]
        inside = replace(found, at=part, start=part, guard=part)
        inside = replace(inside, conditions=(*found.conditions, InMode(found.at, modes, mode)))
        for i, check in enumerate(checks):
            by = tuple(checks[stop] for stop in stops) if stops and i > stops[-1] else ()
            silent, stopped_by = found.silent or check.silent, (*found.stopped_by, *by)
            yield from unwrap(replace(inside, check=check, outer=check, silent=silent, stopped_by=stopped_by))


def visit_plan(
    plan: TypePlan | FieldPlan, at: Location, guard: Location | None, stopped_by: tuple[Check, ...] = ()
) -> Iterator[Visit]:
    """Yields the checks of a value by cohorts, then the calls for its type, its keys and its values."""
    for cohort in cohorts(plan.checks):
        own = tuple(check for check in cohort if check.short_circuit)
        for check in cohort:
            by = stopped_by if check.short_circuit else (*stopped_by, *own)
            yield from unwrap(Visit(check, check, at, at, guard, silent=check.silent, stopped_by=by))
        if not cohort[0].cohort:
            stopped_by += own
    if isinstance(plan, FieldPlan) and plan.type:
        call = Check(CallType(plan.type), TagRef("", plan.span))
        yield Visit(call, call, at, at, guard, stopped_by=stopped_by)
    for check in filter(None, (plan.keys, plan.values)):
        yield from unwrap(Visit(check, check, at, at, guard, silent=check.silent, stopped_by=stopped_by))


@dataclass(frozen=True, slots=True)
class _Walk:
    program: Program

    def type(
        self, id: str, at: Location, guard: Location | None, stopped_by: tuple[Check, ...], above: frozenset[str]
    ) -> Iterator[Visit]:
        """Yields the checks of a type and of its parts. It yields nothing for a type inside itself (`above`)."""
        plan = self.program.types.get(id)
        if plan is None or id in above:
            return
        above |= {id}
        yield from self._plan(plan, at, guard, stopped_by, above)
        for member in () if plan.opaque else plan.fields:
            part = at.declared(member)
            yield from self._plan(member, part, part, (), above)

    def _plan(
        self,
        plan: TypePlan | FieldPlan,
        at: Location,
        guard: Location | None,
        stopped_by: tuple[Check, ...],
        above: frozenset[str],
    ) -> Iterator[Visit]:
        for found in visit_plan(plan, at, guard, stopped_by):
            yield found
            if isinstance(found.operation, CallType):
                yield from self.type(found.operation.type, found.at, found.guard, found.stopped_by, above)
