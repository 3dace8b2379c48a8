"""The validation program: what to check, on which value, in which order. Rules produce it, emitters read it.

Everything here is resolved data. No emitter needs the source, the tags or the rules; no rule knows an emitter. A check
says what is tested, which errors it can give, whether it stops others, and which tag it comes from.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, field

from validation_gen.diagnostics import Span

# --- the shape of values --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scalar:
    """A JSON string, number or boolean by its Go type name. `named` tells a defined type (`type Phase string`)."""

    go: str
    named: bool = False

    @property
    def zero(self) -> str | int | bool:
        if self.go == "string":
            return ""
        return False if self.go == "bool" else 0


@dataclass(frozen=True, slots=True)
class Wire:
    """A type with a JSON form of its own: `time`, `quantity`, `intorstring`, `bytes`, `raw`, `any` and others."""

    form: str


@dataclass(frozen=True, slots=True)
class PointerTo:
    elem: Shape


@dataclass(frozen=True, slots=True)
class ListOf:
    elem: Shape


@dataclass(frozen=True, slots=True)
class MapOf:
    """A JSON object with free names; integer keys are written as decimal names."""

    elem: Shape
    key: Scalar = Scalar("string")


@dataclass(frozen=True, slots=True)
class StructRef:
    """A struct type by its id (`import/path.Name`); its members are in `Program.structs`."""

    id: str


Shape = Scalar | Wire | PointerTo | ListOf | MapOf | StructRef


def value_shape(shape: Shape) -> Shape:
    """The shape without pointers."""
    while isinstance(shape, PointerTo):
        shape = shape.elem
    return shape


@dataclass(frozen=True, slots=True)
class Member:
    """One name of a struct's JSON object, embedded structs flattened as by Go's decoder. `omit` as in `model.Field`."""

    json: str
    shape: Shape
    omit: str


# --- checks ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Emission:
    """An error that a check can give: type, origin and the path below the checked value (`""`, `[*]`, `.child`)."""

    type: str
    origin: str = ""
    path: str = ""


@dataclass(frozen=True, slots=True)
class TagRef:
    """The tag that a check comes from, in canonical form, and where it stands."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Key:
    """A member that identifies list items. `zero` stands for an absent value, `None` when the member is a pointer."""

    json: str
    zero: str | int | bool | None


@dataclass(frozen=True, slots=True)
class ByKeys:
    """List items are the same when all these members are equal."""

    keys: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class ByValue:
    """List items are the same when they are equal as a whole."""


Match = ByKeys | ByValue


@dataclass(frozen=True, slots=True)
class Term:
    """One condition of an item selector: the member equals the value. `pointer` members must be set for that."""

    json: str
    value: str | int | bool
    pointer: bool

    @property
    def zero(self) -> str | int | bool | None:
        return None if self.pointer else type(self.value)()


Selector = tuple[Term, ...]


class When(enum.Enum):
    """The operations in which a check can give an error."""

    ALWAYS = "always"
    UPDATE = "update"


@dataclass(frozen=True, slots=True)
class Test:
    """A call of one runtime check, `validation_gen.runtime.checks.<name>(value, *operands)`.

    With `old` the call is `(value, old value, *operands)`. `when` says whether the check exists on create. `shape` is
    the shape of the tested value where the check needs it, as an operand of its own behind the others. With `request`
    the last operand is the request, for its options.
    """

    name: str
    operands: tuple[object, ...] = ()
    old: bool = False
    when: When = When.ALWAYS
    shape: Shape | None = None
    request: bool = False


@dataclass(frozen=True, slots=True)
class CustomFunction:
    """A handwritten check: a Python function in a module of the generated package, or of the runtime."""

    module: str
    name: str


@dataclass(frozen=True, slots=True)
class Participant:
    """A member of a struct or item of a list whose being set matters: its name in messages, and how to see that it is.

    `discriminator_value` is the value that selects it in a discriminated union.
    """

    name: str
    discriminator_value: str
    presence: MemberPresence | ItemPresence


@dataclass(frozen=True, slots=True)
class MemberPresence:
    """A struct member is set when it is not null (`pointer`) or not its zero value."""

    json: str
    pointer: bool


@dataclass(frozen=True, slots=True)
class ItemPresence:
    """A list item is present when an item matches the selector."""

    selector: Selector


class MembershipKind(enum.Enum):
    """Which participants may or must be set together. In dependencies the first one is the trigger."""

    EXACTLY_ONE = "union"
    AT_MOST_ONE = "zero_or_one_of"
    DISCRIMINATED = "discriminated_union"
    DEPENDENT_REQUIRED = "dependent_required"
    DEPENDENT_FORBIDDEN = "dependent_forbidden"


@dataclass(frozen=True, slots=True)
class Membership:
    """A rule about which members of a struct or items of a list are set, not about their values."""

    kind: MembershipKind
    participants: tuple[Participant, ...]
    discriminator: str = ""


@dataclass(frozen=True, slots=True)
class Modes:
    """Checks of one member that depend on the value of another, the discriminator.

    `rules` has the checks of each mode in order; a mode without any forbids the member, by the test `otherwise` whose
    errors have the level `level`. Not looked at when an update changes neither discriminator nor member.
    """

    json: str
    path: str
    shape: Shape
    discriminator: str
    zero: str | bool
    rules: tuple[tuple[str | bool, tuple[Check, ...]], ...]
    otherwise: str
    level: str = ""


@dataclass(frozen=True, slots=True)
class EachValue:
    """The inner check on every item of a list or value of a map.

    `match` correlates old list items (`None`: items have no old value). `elem` is the shape of an item as declared.
    """

    inner: Check
    container: ListOf | MapOf
    match: Match | None = None

    @property
    def elem(self) -> Shape:
        return self.container.elem


@dataclass(frozen=True, slots=True)
class EachKey:
    """The inner check on every key of a map; its errors stand at the map's own path. `key` is the shape of a key."""

    inner: Check
    key: Shape


@dataclass(frozen=True, slots=True)
class InMember:
    """The inner check on one member of a struct."""

    inner: Check
    json: str
    shape: Shape


@dataclass(frozen=True, slots=True)
class InItem:
    """The inner check on the first list item that the selector matches."""

    inner: Check
    selector: Selector
    elem: Shape


@dataclass(frozen=True, slots=True)
class IfOption:
    """The inner check only while a validation option has the wanted state.

    An option that a request does not define is an error, or counts as off when `lenient`.
    """

    inner: Check
    option: str
    enabled: bool
    lenient: bool = False


@dataclass(frozen=True, slots=True)
class CallType:
    """All checks of a type."""

    type: str


Operation = Test | Membership | Modes | EachValue | EachKey | InMember | InItem | IfOption | CallType


@dataclass(frozen=True, slots=True)
class Check:
    """One step of the program.

    `short_circuit`: a failure stops the rest of its cohort, in the default cohort the whole value. `silent`: a
    failure is not reported. `level` is `"alpha"`, `"beta"` or `""`.
    """

    operation: Operation
    tag: TagRef
    emits: tuple[Emission, ...] = ()
    short_circuit: bool = False
    silent: bool = False
    cohort: str = ""
    level: str = ""


def cohorts(checks: list[Check]) -> Iterator[list[Check]]:
    """The checks of one value in order of evaluation, one list a cohort.

    The default cohort comes first, named ones in order of first appearance; within a cohort the checks that stop others
    come first. All of those run before the stop is decided.
    """
    names = sorted({c.cohort for c in checks}, key=lambda name: (name != "", _first(checks, name)))
    for name in names:
        cohort = [c for c in checks if c.cohort == name]
        yield [c for c in cohort if c.short_circuit] + [c for c in cohort if not c.short_circuit]


def _first(checks: list[Check], cohort: str) -> int:
    return next(i for i, c in enumerate(checks) if c.cohort == cohort)


# --- plans ----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class FieldPlan:
    """A struct field with all that happens to it, in order: its own checks, those of its type, those of its items.

    `json` is where the value is found (`""`: it never is), `path` its element in field paths (`""`: none). `inlined` is
    the type name of an inlined struct. `hidden` are JSON names that belong to somebody else although an inlined struct
    declares them.
    """

    go_name: str
    json: str
    path: str
    shape: Shape
    span: Span
    inlined: str = ""
    hidden: tuple[str, ...] = ()
    checks: list[Check] = field(default_factory=list)
    type: str = ""
    keys: Check | None = None
    values: Check | None = None


@dataclass(slots=True)
class TypePlan:
    """A declared type with its checks.

    `checks` holds what sibling fields brought up (unions) before the type's own tags. `keys` and `values` run the
    checks of the element types of a defined list or map. `has_checks` is true when any of this, or anything below,
    does something.
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


@dataclass(slots=True)
class Root:
    """A type that requests name, and the subresources for which it is validated (`/` is the object itself)."""

    type: str
    kind: str
    api_version: str
    subresources: tuple[str, ...] = ("/",)


@dataclass(slots=True)
class PackagePlan:
    """One API package: where its types are from, which of them are roots. `group` and `version` make `apiVersion`."""

    path: str
    name: str
    directory: str
    group: str
    version: str
    input: bool
    roots: list[Root] = field(default_factory=list)
    types: list[str] = field(default_factory=list)

    @property
    def api_version(self) -> str:
        return f"{self.group}/{self.version}" if self.group else self.version


@dataclass(slots=True)
class Program:
    """Everything that a run validates."""

    packages: dict[str, PackagePlan] = field(default_factory=dict)
    types: dict[str, TypePlan] = field(default_factory=dict)
    structs: dict[str, tuple[Member, ...]] = field(default_factory=dict)
    #: Packages whose sources have errors: nothing is generated for their types.
    broken: set[str] = field(default_factory=set)
    #: Types with errors of their own, or that use such types: they have no validators.
    broken_types: set[str] = field(default_factory=set)
    #: Modules with handwritten checks, by name: their text becomes part of the generated package.
    custom: dict[str, str] = field(default_factory=dict)

    def is_sound(self, type: str) -> bool:
        """Whether a type can have validators."""
        return type not in self.broken_types

    def checks_something(self, type: str) -> bool:
        plan = self.types.get(type)
        return plan is not None and plan.has_checks

    @property
    def rule_count(self) -> int:
        """The number of checks that stand on types and fields."""
        return sum(len(t.checks) + sum(len(f.checks) for f in t.fields) for t in self.types.values())
