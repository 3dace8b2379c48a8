"""Values in objects of a type: their shapes and all checks on them.

Checks on a value are on its field, on its type, and on surrounding values (`+k8s:subfield`, `+k8s:eachVal`,
`+k8s:item`, `+k8s:ifMode`). A `ValueSpec` collects them. They are built lazily, as types may be recursive. This module
draws no values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from validation_gen.ir import (
    CallType,
    Check,
    FieldPlan,
    ListOf,
    Location,
    MapOf,
    Membership,
    Modes,
    Operation,
    PointerTo,
    Predicate,
    Program,
    Scalar,
    Selector,
    Shape,
    StructRef,
    TypePlan,
    ValueShape,
    value_shape,
    visit_checks,
)
from validation_gen.ir.traverse import Carried, Condition, FieldStep, InMode, Item, flatten

#: Conditions of a request, by the names in `Fact.when`: options are on or off, discriminators name a mode.
Conditions = Mapping[str, object]
When = tuple[tuple[str, object], ...]

_UNKNOWN = object()
_HERE = Location()


def option_name(option: str) -> str:
    """Returns the name of a validation option among conditions."""
    return f"option {option}"


def mode_name(struct: str, discriminator: str) -> str:
    """Returns the name of a discriminator among conditions."""
    return f"mode {struct} {discriminator}"


@dataclass(frozen=True, slots=True)
class Fact:
    """A check of a value or of one of its parts. `when` has the conditions around the check.

    `carried` has the steps to the tested value. A short-circuiting check skips the others of its `group`: the rules of
    a field and of its type are one group, rules of parents are other groups.
    """

    carried: Carried
    when: When = ()
    group: str = ""

    @property
    def operation(self) -> Operation | None:
        """The operation if the check is about the value itself."""
        return None if self.carried.left else self.carried.operation

    def counts(self, conditions: Conditions) -> bool:
        return all(conditions.get(name, _UNKNOWN) == state for name, state in self.when)

    def inside(self, group: str, mode_name: str = "") -> Fact:
        """Returns the check at the next step. `mode_name` is the name of the discriminator if that is into a mode."""
        inner = self.carried.inside()
        begun = (_when(each, mode_name) for each in inner.conditions[len(self.carried.conditions) :])
        return Fact(inner, (*self.when, *begun), group)


def _when(condition: Condition, mode_name: str = "") -> tuple[str, object]:
    if isinstance(condition, InMode):
        return mode_name, condition.mode
    return option_name(condition.check.option), condition.check.enabled


def find_facts(checks: Iterable[Check]) -> Iterator[Fact]:
    """Yields checks of a value. Calls of a type's checks are skipped."""
    for visit in visit_checks(checks, _HERE):
        if not isinstance(visit.operation, CallType):
            carried = Carried.start(visit)
            yield Fact(carried, tuple(map(_when, carried.conditions)))


class ValueSpecs:
    """The `ValueSpec`s of all types of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._plain: dict[str, ValueSpec] = {}

    def of_type(self, id: str) -> ValueSpec:
        """Returns the values of a declared type."""
        if id not in self._plain:
            self._plain[id] = ValueSpec(self, self.program.types[id].shape)
        return self._plain[id]

    def at(
        self, shape: Shape, facts: Iterable[Fact] = (), *, opaque: bool = False, hints: tuple[object, ...] = ()
    ) -> ValueSpec:
        """Returns the values of a shape with facts from outside."""
        facts = tuple(facts)
        if isinstance(shape, StructRef) and not facts and not opaque and shape.id in self.program.types:
            return self.of_type(shape.id)
        return ValueSpec(self, shape, facts, opaque, hints)

    def plans(self, id: str) -> Iterator[TypePlan]:
        """Yields a struct and its inlined ones: all types decoded from one JSON object."""
        plan = self.program.types.get(id)
        if plan is not None:
            yield plan
            for member in plan.fields:
                inlined = value_shape(member.shape)
                if member.merged and isinstance(inlined, StructRef):
                    yield from self.plans(inlined.id)

    def fields(self, id: str) -> Iterator[FieldPlan]:
        """Yields the fields of a struct and of its inlined ones, without shadowed ones."""
        for _, member, way in flatten(self.program, id):
            if member.json and all(outer.merged for outer in way):
                yield member


@dataclass(eq=False)
class ValueSpec:
    """A value of a type at a location.

    `shape` is the declared shape. `given` has the facts from parents. `opaque` leaves out the checks of the type.
    `hints` are values that other rules mention, such as the modes of a discriminator.
    """

    places: ValueSpecs = field(repr=False)
    shape: Shape
    given: tuple[Fact, ...] = ()
    opaque: bool = False
    hints: tuple[object, ...] = ()
    #: Cache of the drawing modules.
    notes: dict[object, object] = field(default_factory=dict, repr=False)

    @cached_property
    def value(self) -> ValueShape:
        """The shape without pointers."""
        return value_shape(self.shape)

    @property
    def is_pointer(self) -> bool:
        return isinstance(self.shape, PointerTo)

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """All checks of the value, those of inlined structs included."""
        if self.opaque:
            return self.given
        return (*self.given, *find_facts(self._own_checks()))

    def _own_checks(self) -> Iterator[Check]:
        value = self.value
        if not isinstance(value, StructRef):
            plan = self.places.program.types.get(value.type)
            yield from plan.checks if plan is not None else ()
            return
        for plan in self.places.plans(value.id):
            yield from plan.checks
            for member in plan.fields:
                if not member.json:
                    yield from member.checks

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The conditions on which any check of the value depends."""
        return tuple(dict.fromkeys(name for fact in self.facts for name, _ in fact.when))

    def tests(self, conditions: Conditions | None = None) -> Iterator[Predicate]:
        """Yields the tests of the value itself; all of them if no conditions are given."""
        yield from (predicate for _, predicate in self.grouped(conditions))

    def grouped(self, conditions: Conditions | None = None) -> Iterator[tuple[str, Predicate]]:
        """Yields the same with the group of each."""
        for fact in self.facts:
            if isinstance(fact.operation, Predicate) and (conditions is None or fact.counts(conditions)):
                yield fact.group, fact.operation

    # --- children ---------------------------------------------------------------------------------------------------

    @cached_property
    def members(self) -> dict[str, ValueSpec]:
        """The members of a struct by JSON name."""
        if not isinstance(self.value, StructRef):
            return {}
        if self.is_pointer and not self.given and not self.opaque and self.value.id in self.places.program.types:
            return self.places.of_type(self.value.id).members
        fields: dict[str, FieldPlan] = {}
        for plan in () if self.opaque else self.places.fields(self.value.id):
            fields.setdefault(plan.json, plan)
        found = {}
        for member in self.places.program.structs.get(self.value.id, ()):
            known = fields.get(member.json)
            facts = [*find_facts(known.checks if known is not None else ()), *self._about(member.json)]
            opaque = self.opaque or (known is not None and known.opaque)
            hints = tuple(self._hints(member.json))
            found[member.json] = self.places.at(member.shape, facts, opaque=opaque, hints=hints)
        return found

    @cached_property
    def order(self) -> dict[str, int]:
        """The index of each member among the members."""
        return {name: index for index, name in enumerate(self.members)}

    @cached_property
    def paths(self) -> dict[str, str]:
        """The JSON names of members by their names in field paths."""
        fields = () if not isinstance(self.value, StructRef) else self.places.fields(self.value.id)
        return {**{name: name for name in self.members}, **{f.path: f.json for f in fields if f.path}}

    def _about(self, name: str) -> Iterator[Fact]:
        for fact in self.facts:
            carried = fact.carried
            if carried.left[:1] != (FieldStep(name),):
                continue
            if carried.is_of_mode and not carried.inside().is_of_mode:
                key = mode_name(self.value.type, carried.visit.modes[-1].modes.discriminator)
                yield fact.inside(key, key)
            else:
                yield fact.inside(f"from {carried.visit.tag.span}")

    def _hints(self, name: str) -> Iterator[object]:
        """Yields the values of a member that affect its siblings."""
        for fact in self.facts:
            operation = fact.operation
            if isinstance(operation, Modes) and operation.discriminator == name:
                yield from (mode for mode, _ in operation.rules)
            elif isinstance(operation, Membership) and operation.discriminator == name:
                yield from (p.discriminator_value for p in operation.participants)

    def mode_name(self, modes: Modes) -> str:
        """Returns the key under which `Conditions` have the mode of this struct's discriminator."""
        return mode_name(self.value.type, modes.discriminator)

    @cached_property
    def elem(self) -> ValueSpec:
        """The items of a list, or the values of a map."""
        assert isinstance(self.value, ListOf | MapOf)
        return self.places.at(self.value.elem, self._of_items())

    def _of_items(self) -> Iterator[Fact]:
        return (fact.inside("") for fact in self.facts if fact.carried.is_of_items)

    @cached_property
    def selected(self) -> list[tuple[Selector, ValueSpec]]:
        """The list items that rules select: each selector once, with all facts about its item."""
        assert isinstance(self.value, ListOf)
        selectors: dict[Selector, list[Fact]] = {}
        for fact in self.facts:
            step = fact.carried.left[0] if fact.carried.left else None
            if isinstance(step, Item) and step.selector:
                selectors.setdefault(step.selector, []).append(fact.inside("selected"))
        for selector in self._mentioned():
            selectors.setdefault(selector, [])
        of_all = tuple(self._of_items())
        return [(s, self.places.at(self.value.elem, (*of_all, *facts))) for s, facts in selectors.items()]

    def _mentioned(self) -> Iterator[Selector]:
        """Yields the selectors of items that a rule requires, or whose presence a rule checks."""
        for fact in self.facts:
            operation = fact.operation
            operands = operation.operands if isinstance(operation, Predicate) else ()
            participants = operation.participants if isinstance(operation, Membership) else ()
            for part in (*operands, *(p.presence for p in participants)):
                selector = getattr(part, "selector", None)
                if selector is not None:
                    yield selector

    @cached_property
    def key(self) -> ValueSpec:
        """The keys of a map."""
        assert isinstance(self.value, MapOf)
        facts = [fact.inside("") for fact in self.facts if fact.carried.is_of_keys]
        return self.places.at(self.value.key, facts)

    @property
    def is_numbered(self) -> bool:
        """True for the key of a map that is written as a decimal number."""
        return isinstance(self.value, Scalar) and self.value.go not in ("string", "bool")
