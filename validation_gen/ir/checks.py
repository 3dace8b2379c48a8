"""Checks: their operation, their errors, the checks that they stop, and their tag."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import get_args

from validation_gen.diagnostics import Span
from validation_gen.ir import predicates
from validation_gen.ir.predicates import AppliesOn, Emission, PredicateSpec
from validation_gen.ir.schema import ListOf, MapOf, Shape


@dataclass(frozen=True, slots=True)
class TagRef:
    """The tag of a check, in canonical form, and its position.

    `type` is the id of the type that declares it, `member` the name of its field: the JSON name, the Go name where it
    has none, and `""` for a tag of the type itself. They stay when lines move.
    """

    text: str
    span: Span
    type: str = ""
    member: str = ""

    @property
    def place(self) -> str:
        """Type and field as one name: `example.com/fleet/robots/v1.RobotSpec.model`."""
        return f"{self.type}.{self.member}" if self.member else self.type


@dataclass(frozen=True, slots=True)
class Key:
    """A member that identifies list items. `zero` replaces an absent value, `None` when the member is a pointer."""

    json: str
    zero: str | int | bool | None


@dataclass(frozen=True, slots=True)
class ByKeys:
    """Matches list items whose key members are equal."""

    keys: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class ByValue:
    """Matches list items that are equal as a whole."""


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


@dataclass(frozen=True, slots=True)
class Predicate:
    """A call of one predicate with its operands: `validation_gen.runtime.checks.<name>(value, *operands)`.

    `record` has the further arguments of the call, and all properties of the predicate. `shape` is the shape of the
    tested value where the predicate needs it, as an operand of its own behind the others.
    """

    record: PredicateSpec
    operands: tuple[object, ...] = ()
    shape: Shape | None = None

    @property
    def name(self) -> str:
        """The name of the function in the runtime."""
        return self.record.name

    @property
    def limit(self) -> int | None:
        """The limit of the predicate, `None` if it has none, or one that is not a number."""
        first = self.operands[0] if self.record.bound and self.operands else None
        return first if isinstance(first, int) else None


@dataclass(frozen=True, slots=True)
class CustomFunction:
    """A handwritten check: a Python function in a module of the generated package, or of the runtime."""

    module: str
    name: str


@dataclass(frozen=True, slots=True)
class Participant:
    """A member of a struct or item of a list in a rule about presence: its name in messages, and its presence test.

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
    """Kinds of rules about several participants. In the two dependency rules the first participant is the trigger."""

    EXACTLY_ONE = "union"
    AT_MOST_ONE = "zero_or_one_of"
    DISCRIMINATED = "discriminated_union"
    DEPENDENT_REQUIRED = "dependent_required"
    DEPENDENT_FORBIDDEN = "dependent_forbidden"


@dataclass(frozen=True, slots=True)
class Membership:
    """A rule about the presence of members of a struct or items of a list, not about their values."""

    kind: MembershipKind
    participants: tuple[Participant, ...]
    discriminator: str = ""


@dataclass(frozen=True, slots=True)
class Modes:
    """Checks of one member that depend on the value of another, the discriminator.

    `rules` has the checks of each mode in order. A mode without any forbids the member by the predicate `otherwise`,
    whose errors have the level `level`. It is skipped when an update changes neither discriminator nor member.
    """

    json: str
    path: str
    shape: Shape
    discriminator: str
    zero: str | bool
    rules: tuple[tuple[str | bool, tuple[Check, ...]], ...]
    otherwise: Predicate
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
    """The inner check on every key of a map; its errors have the map's own path. `key` is the shape of a key."""

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


Operation = Predicate | Membership | Modes | EachValue | EachKey | InMember | InItem | IfOption | CallType
#: All operations. Each emitter has a table with a method for each of them.
OPERATIONS: tuple[type[Operation], ...] = get_args(Operation)


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


def children(operation: Operation) -> tuple[Check, ...]:
    """Returns the checks inside an operation, empty unless it is a wrapper."""
    match operation:
        case EachValue() | EachKey() | InMember() | InItem() | IfOption():
            return (operation.inner,)
        case Modes():
            return tuple(each for _, checks in operation.rules for each in checks)
        case Predicate() | Membership() | CallType():
            return ()


def walk_checks(check: Check) -> Iterator[Check]:
    """Yields a check and all checks inside it, from the outside in."""
    yield check
    for each in children(check.operation):
        yield from walk_checks(each)


def occurs(check: Check, *, update: bool) -> bool:
    """Returns whether a check can report anything on an update, or on a create."""
    operation = check.operation
    while isinstance(operation, EachValue | EachKey | InMember | InItem):
        operation = operation.inner.operation
    # An option that the request does not define is an error even where the rule itself has none.
    return update or not isinstance(operation, Predicate) or operation.record.when is AppliesOn.ALWAYS


def find_called_type(check: Check | None) -> str:
    """Returns the id of the type whose checks run on each item, value or key; `""` if the check is no such loop."""
    operation = check.operation if check is not None else None
    inner = operation.inner.operation if isinstance(operation, EachKey | EachValue) else None
    return inner.type if isinstance(inner, CallType) else ""


def plain_predicates(checks: Iterable[Check]) -> Iterator[Predicate]:
    """Yields the predicates among checks, but not those inside wrappers."""
    return (check.operation for check in checks if isinstance(check.operation, Predicate))


def options_in(check: Check) -> Iterator[str]:
    """Yields the validation options on which a check depends."""
    for each in walk_checks(check):
        match each.operation:
            case IfOption(option=option):
                yield option
            case Predicate(record=predicates.ENUM_WITH_OPTIONS, operands=(_, tuple() as exclusions, *_)):
                yield from (option for _, option, _ in exclusions)


def cohorts(checks: list[Check]) -> Iterator[list[Check]]:
    """Yields the checks of one value in order of evaluation, one list for each cohort.

    The default cohort comes first, named ones in order of first appearance; within a cohort the checks that stop others
    come first. All of those run before the stop is decided.
    """
    found: dict[str, list[Check]] = {}
    for check in checks:
        found.setdefault(check.cohort, []).append(check)
    for cohort in (*filter(None, [found.pop("", None)]), *found.values()):
        yield [c for c in cohort if c.short_circuit] + [c for c in cohort if not c.short_circuit]
