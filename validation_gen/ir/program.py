"""Plans: the types of a run with their checks, and their packages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from validation_gen.diagnostics import Diagnostic, Span
from validation_gen.ir import predicates
from validation_gen.ir.checks import Check, IfOption, Membership, Predicate, options_in, plain_predicates, walk_checks
from validation_gen.ir.schema import (
    KindSchema,
    ListOf,
    MapOf,
    Member,
    PointerTo,
    ResourceNotes,
    SchemaNotes,
    Shape,
    StructRef,
    value_shape,
)

#: The type of the metadata of objects.
OBJECT_META = "k8s.io/apimachinery/pkg/apis/meta/v1.ObjectMeta"


@dataclass(slots=True)
class FieldPlan:
    """A struct field with its validation, in order: its own checks, those of its type, those of its items.

    `json` is the JSON name of the value (`""`: none), `path` its element in field paths (`""`: none). `inlined` is the
    type name of an inlined struct; `merged`: JSON has its members in its place. `hidden`: names that the inlined struct
    declares, but that other fields take in JSON. `omit` as in `model.Field`. `opaque`: a tag leaves out the checks of
    the field's type. `spread`: controller-gen inlines the struct, although JSON does not.
    """

    go_name: str
    json: str
    path: str
    shape: Shape
    span: Span
    inlined: str = ""
    merged: bool = False
    hidden: tuple[str, ...] = ()
    checks: list[Check] = field(default_factory=list)
    type: str = ""
    keys: Check | None = None
    values: Check | None = None
    omit: str = ""
    opaque: bool = False
    spread: bool = False
    #: True if a marker preserves unknown fields of the value.
    preserves: bool = False
    notes: SchemaNotes = field(default_factory=SchemaNotes)

    @property
    def stops_nulls(self) -> bool:
        """True if a check of the field stops at a null pointer."""
        return any(
            predicate.record in (predicates.REQUIRED_POINTER, predicates.UNSET_POINTER)
            for predicate in plain_predicates(c for c in self.checks if not c.cohort)
        )


@dataclass(slots=True)
class TypePlan:
    """A declared type with its checks.

    `checks` has the checks about several fields (unions), then the checks of the type's own tags. `keys` and `values`
    run the checks of the element types of a defined list or map. `has_checks`: the type, or a part of it, has checks.
    `gets_null`: fields pass null pointers to the type.
    """

    id: str
    package: str
    name: str
    shape: Shape
    span: Span
    checks: list[Check] = field(default_factory=list)
    keys: Check | None = None
    values: Check | None = None
    fields: list[FieldPlan] = field(default_factory=list)
    opaque: bool = False
    has_checks: bool = False
    gets_null: bool = False
    #: Id of the type on the right-hand side of the declaration: `B` in `type A B`.
    base: str = ""
    #: True if the type is declared as a struct.
    is_struct: bool = False
    #: True if a marker preserves unknown fields of values of the type.
    preserves: bool = False
    notes: SchemaNotes = field(default_factory=SchemaNotes)

    @property
    def accepts_null(self) -> bool:
        """True if the type's own checks also apply to null.

        Upstream crashes where other checks, or those of fields, get null, so their result does not matter.
        """
        inside = not self.opaque and any(f.checks or f.type or f.keys or f.values for f in self.fields)
        stops = any(predicate.record is predicates.IMMUTABLE for predicate in plain_predicates(self.checks))
        return bool(self.checks) and all(map(_accepts_null, self.checks)) and (stops or not inside)

    @property
    def every_check(self) -> list[Check]:
        """The checks of the type and of its fields."""
        return [*self.checks, *(check for member in self.fields for check in member.checks)]

    @property
    def rule_count(self) -> int:
        """The number of these checks."""
        return len(self.every_check)


def _accepts_null(check: Check) -> bool:
    operation = check.operation
    while isinstance(operation, IfOption):
        operation = operation.inner.operation
    return isinstance(operation, Membership) or (
        isinstance(operation, Predicate) and operation.record is not predicates.CUSTOM
    )


@dataclass(slots=True)
class Root:
    """A type that requests can name, and the subresources for which it is validated (`/` is the object itself)."""

    type: str
    kind: str
    api_version: str
    subresources: tuple[str, ...] = ("/",)
    resource: ResourceNotes = field(default_factory=ResourceNotes)


@dataclass(slots=True)
class PackagePlan:
    """One API package: the source of its types, and which of them are roots.

    `group` and `version` make `apiVersion`.
    """

    path: str
    name: str
    directory: str
    group: str
    version: str
    input: bool
    #: Request paths for which types that are no roots are validated.
    subresources: tuple[str, ...] = ("/",)
    roots: list[Root] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    #: True to emit a test of the `+k8s:validateFalse` that the roots reach.
    fixture: bool = False
    #: Positions of the `group` and the `version`, if they are declared.
    spans: dict[str, Span] = field(default_factory=dict)

    @property
    def api_version(self) -> str:
        return f"{self.group}/{self.version}" if self.group else self.version


@dataclass(slots=True)
class Program:
    """All types and packages that a run validates."""

    packages: dict[str, PackagePlan] = field(default_factory=dict)
    types: dict[str, TypePlan] = field(default_factory=dict)
    structs: dict[str, tuple[Member, ...]] = field(default_factory=dict)
    #: Structs with members that are not in `structs`, as they embed a type that cannot be found.
    extended: set[str] = field(default_factory=set)
    #: Types that cannot be found, by the id of a struct and the JSON name of its field, `""` for embedded ones.
    lost: dict[tuple[str, str], str] = field(default_factory=dict)
    #: Packages whose sources have errors: nothing is generated for their types.
    broken: set[str] = field(default_factory=set)
    #: Types with errors of their own, or that use such types: they have no validators.
    broken_types: set[str] = field(default_factory=set)
    #: An error of each of these types, if one is known.
    causes: dict[str, Diagnostic] = field(default_factory=dict)
    #: Kinds of definitions with errors, and one error of each.
    refused: dict[str, Diagnostic] = field(default_factory=dict)
    #: Modules with handwritten checks, by name: their text becomes part of the generated package.
    custom: dict[str, str] = field(default_factory=dict)
    #: Packages with an invalid group or version: with one of them, nothing may be written.
    misnamed: set[str] = field(default_factory=set)
    #: Schemas that validate after the rules of tags, by the id of a kind's type.
    schemas: dict[str, KindSchema] = field(default_factory=dict)
    #: Minor release of the servers whose texts errors of schemas have, if these are not the usual ones.
    server: int | None = None
    #: All types in these schemas.
    in_schemas: set[str] = field(default_factory=set)

    def is_sound(self, type: str) -> bool:
        """Returns whether a type can have validators."""
        return type not in self.broken_types

    def tag_spans(self) -> dict[tuple[str, str], Span]:
        """Returns the positions of tags in the sources, by their places (`TagRef.place`) and texts."""
        found: dict[tuple[str, str], Span] = {}
        for plan in self.types.values():
            for each in (inner for check in plan.every_check for inner in walk_checks(check) if inner.tag.text):
                found.setdefault((each.tag.place, each.tag.text), each.tag.span)
        return found

    @property
    def options(self) -> frozenset[str]:
        """Returns the validation options on which any rule depends."""
        checks = (check for plan in self.types.values() for check in plan.every_check)
        return frozenset(option for check in checks for option in options_in(check))

    def structs_in(self, shapes: Iterable[Shape]) -> frozenset[str]:
        """Returns the ids of all structs that values of some shapes can contain."""
        found: set[str] = set()
        waiting = list(shapes)
        while waiting:
            shape = waiting.pop()
            while isinstance(shape, PointerTo | ListOf | MapOf):
                shape = shape.elem
            if isinstance(shape, StructRef) and shape.id not in found:
                found.add(shape.id)
                waiting += [member.shape for member in self.structs[shape.id]]
        return frozenset(found)

    def is_resource(self, type: str) -> bool:
        """Returns whether a type is one that the API server stores: it has a kind and the metadata of an object."""
        members = {member.json: member.shape for member in self.structs.get(type, ())}
        meta = members.get("metadata")
        known = {"kind", "apiVersion"} <= members.keys()
        return known and meta is not None and value_shape(meta) == StructRef(OBJECT_META)

    def types_from(self, ids: Iterable[str]) -> set[str]:
        """Returns the ids of all types that values of some types can contain, with those in their declarations."""
        found: set[str] = set()
        waiting = list(ids)
        while waiting:
            id = waiting.pop()
            if not id or id in found:
                continue
            found.add(id)
            shapes: list[Shape] = [member.shape for member in self.structs.get(id, ())]
            plan = self.types.get(id)
            if plan is not None:
                waiting.append(plan.base)
                shapes += [plan.shape, *(member.shape for member in plan.fields)]
            for shape in shapes:
                waiting += _types(shape)
        return found

    def _merge_plans(self, type: str) -> list[TypePlan]:
        """Returns the plans of a type, of the types that it is defined by, and of all inlined structs."""
        found: dict[str, TypePlan] = {}
        waiting = [type]
        while waiting:
            id = waiting.pop()
            plan = self.types.get(id)
            if plan is not None and id not in found:
                found[id] = plan
                waiting += [plan.base, *(value_shape(member.shape).type for member in plan.fields if member.merged)]
        return list(found.values())

    def preserves_unknown(self, type: str) -> bool:
        """Returns whether unknown fields of values of a type are preserved, by it or one of its parts."""
        return any(
            plan.preserves or plan.id in self.extended or any(each.merged and each.preserves for each in plan.fields)
            for plan in self._merge_plans(type)
        )

    def preserving_members(self, type: str) -> list[str]:
        """Returns the names of the members of a struct whose values preserve unknown fields."""
        members = (member for plan in self._merge_plans(type) for member in plan.fields if member.json)
        found = (each.json for each in members if each.preserves or self._is_open_value(each.shape))
        return list(dict.fromkeys(found))

    def _is_open_value(self, shape: Shape) -> bool:
        """Returns whether the type of a list or map preserves unknown fields; structs have their own marker."""
        type = value_shape(shape).type
        return type not in self.structs and self.preserves_unknown(type)

    def checks_something(self, type: str) -> bool:
        plan = self.types.get(type)
        return plan is not None and plan.has_checks

    @property
    def validated(self) -> list[TypePlan]:
        """The types with validators: without errors, and with checks."""
        return [plan for plan in self.types.values() if plan.has_checks and self.is_sound(plan.id)]

    @property
    def validated_types(self) -> list[TypePlan]:
        """The types with validators or a schema that validates them."""
        return [
            plan
            for plan in self.types.values()
            if (plan.has_checks or plan.id in self.schemas) and self.is_sound(plan.id)
        ]


def _types(shape: Shape) -> Iterator[str]:
    """Yields the ids of the types that a shape mentions."""
    while True:
        if not isinstance(shape, PointerTo):
            yield shape.type
        if not isinstance(shape, PointerTo | ListOf | MapOf):
            return
        if isinstance(shape, MapOf):
            yield shape.key.type
        shape = shape.elem
