"""Interface of a rule: one class for each tag, with its places and its meaning.

Tags are checked against a rule's declaration (scopes, arguments, payload), so it cannot be wrong. `Rule.lower` returns
checks as data; rules that need to see their siblings first (list metadata, unions) return deferred work.
"""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import ClassVar, TypeVar

from validation_gen.diagnostics import Span
from validation_gen.ir import Check, CustomFunction, Emission, Operation, Predicate, Shape, TagRef
from validation_gen.rules.differences import Refusal, SchemaForm
from validation_gen.rules.releases import Change, FormerName, History, at_least, stability
from validation_gen.sources.extensions import Extensions
from validation_gen.sources.model import Const, Field, TypeExpr
from validation_gen.sources.typesystem import TypeSystem
from validation_gen.tags.model import Tag, ValueType


class Scope(enum.Enum):
    """Places of tags. The values are phrases for messages."""

    TYPE = "type definitions"
    FIELD = "struct fields"
    LIST_VALUE = "list values"
    MAP_KEY = "map keys"
    MAP_VALUE = "map values"
    CONSTANT = "constant values"


ANY_VALUE = frozenset({Scope.TYPE, Scope.FIELD, Scope.LIST_VALUE, Scope.MAP_KEY, Scope.MAP_VALUE})


class RuleError(Exception):
    """A tag that has no meaning here. `span` is the wrong part, by default the whole (innermost) tag."""

    def __init__(self, message: str, *, code: str = "VG204", span: Span | None = None, help: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.span = span
        self.help = help

    def within(self, tag: Tag) -> RuleError:
        """Returns the error in the words of the enclosing tag."""
        message = f'tag "{tag.name}": {self.message}'
        return RuleError(message, code=self.code, span=self.span or tag.span, help=self.help)


@dataclass(frozen=True, slots=True)
class ArgSpec:
    """An argument of a tag. An empty name means a positional one."""

    name: str
    type: ValueType
    doc: str
    required: bool = False


@dataclass(frozen=True, slots=True)
class PayloadSpec:
    """Value after a tag's equals sign. `ValueType.RAW` admits every scalar."""

    type: ValueType
    doc: str
    required: bool = True


@dataclass(frozen=True, slots=True)
class Context:
    """Place of a tag.

    `path` identifies the place (`pkg.Type`, `pkg.Type.field`, `….field[(vals)]`): rules that share facts about a place
    use it as key. `selector` is set under `item`. `line` is the outermost tag, which errors name as their cause;
    `level` the stability level (`"alpha"`, `"beta"`) from enclosing tags. `owner` is the id of the declaration with the
    outermost tag, `member` the name of its field.
    """

    scope: Scope
    type: TypeExpr
    path: str
    session: Session
    field: Field | None = None
    parent_path: str = ""
    parent_type: TypeExpr | None = None
    selector: tuple[tuple[str, object], ...] | None = None
    constants: tuple[tuple[Const, tuple[Tag, ...]], ...] = ()
    line: Tag | None = None
    level: str = ""
    owner: str = ""
    member: str = ""

    @property
    def types(self) -> TypeSystem:
        return self.session.types

    def inside(
        self,
        tag: Tag,
        scope: Scope,
        type: TypeExpr,
        element: str,
        *,
        field: Field | None = None,
        selector: tuple[tuple[str, object], ...] | None = None,
    ) -> Context:
        """Returns the context of a tag chained to a wrapper: a part of this value, with the path suffix `element`."""
        return replace(
            self,
            scope=scope,
            type=type,
            path=f"{self.path}{element}",
            field=field,
            parent_path=self.path,
            parent_type=self.type,
            selector=selector,
            constants=(),
            line=self.line or tag,
        )

    def tag_ref(self, tag: Tag) -> TagRef:
        outermost = self.line or tag
        return TagRef(str(outermost), outermost.span, self.owner, self.member)

    def check(
        self,
        tag: Tag,
        operation: Operation,
        *emits: Emission,
        short_circuit: bool = False,
        silent: bool = False,
    ) -> Check:
        """Returns a check at this place. Without `emits`, its errors are those of the test's record."""
        if not emits and isinstance(operation, Predicate):
            emits = operation.record.emits
        return Check(operation, self.tag_ref(tag), emits, short_circuit, silent)

    def shape(self, type: TypeExpr | None = None) -> Shape:
        return self.session.shape(self.type if type is None else type)


class Target(enum.Enum):
    """The declaration that gets deferred checks: the one with the tag, or its parent."""

    THIS = "this"
    PARENT = "parent"


@dataclass(frozen=True, slots=True)
class Deferred:
    """Work that waits until all tags of the enclosing declaration are known."""

    target: Target
    resolve: Callable[[], RuleOutput]


@dataclass(slots=True)
class RuleOutput:
    """Result of lowering a tag."""

    checks: list[Check] = field(default_factory=list)
    deferred: list[Deferred] = field(default_factory=list)
    opaque_type: bool = False
    opaque_keys: bool = False
    opaque_values: bool = False

    def add(self, other: RuleOutput) -> None:
        self.checks += other.checks
        self.deferred += other.deferred
        self.opaque_type |= other.opaque_type
        self.opaque_keys |= other.opaque_keys
        self.opaque_values |= other.opaque_values

    def defer(self, target: Target, resolve: Callable[[], RuleOutput]) -> None:
        self.deferred.append(Deferred(target, resolve))

    @classmethod
    def from_deferred(cls, target: Target, resolve: Callable[[], RuleOutput]) -> RuleOutput:
        """Returns the output of a tag whose checks depend on its siblings."""
        return cls(deferred=[Deferred(target, resolve)])

    def wrap(self, wrap: Callable[[Check, Target], Check], target: Target = Target.THIS) -> RuleOutput:
        """Returns a copy with `wrap` applied to every check, present or deferred."""
        later = [Deferred(work.target, _wrap_later(work, wrap)) for work in self.deferred]
        return replace(self, checks=[wrap(check, target) for check in self.checks], deferred=later)


def _wrap_later(work: Deferred, wrap: Callable[[Check, Target], Check]) -> Callable[[], RuleOutput]:
    return lambda: work.resolve().wrap(wrap, work.target)


State = TypeVar("State")

CustomFunctions = Callable[[str, str], CustomFunction | None]


def no_custom_functions(package: str, name: str) -> CustomFunction | None:  # noqa: ARG001 - there is none
    """Lookup for programs without handwritten functions."""
    return None


@dataclass(slots=True)
class Session:
    """State that rules share while one program is built: the types, and one record for each rule family."""

    types: TypeSystem
    shape: Callable[[TypeExpr], Shape]
    #: Applies tags in a context; the registry provides it, for the payload of wrapper rules.
    extract: Callable[[Context, tuple[Tag, ...]], RuleOutput]
    #: Returns the tags in a field's comments.
    field_tags: Callable[[Field], tuple[Tag, ...]]
    #: The target release of Kubernetes.
    target: str
    #: Finds the handwritten function for a type by its package's import path and the function's name.
    custom: CustomFunctions
    #: The formats of the project.
    extensions: Extensions = field(default_factory=Extensions)
    _states: dict[type, object] = field(default_factory=dict)

    def state(self, kind: type[State]) -> State:
        if kind not in self._states:
            self._states[kind] = kind()
        found = self._states[kind]
        assert isinstance(found, kind)
        return found


class Rule(ABC):
    """A tag of the catalogue."""

    name: ClassVar[str]
    scopes: ClassVar[frozenset[Scope]]
    args: ClassVar[tuple[ArgSpec, ...]] = ()
    #: Names of alternative arguments, of which one is required.
    one_of: ClassVar[tuple[str, ...]] = ()
    #: Arguments of any other name; without it there can be none.
    other_args: ClassVar[ArgSpec | None] = None
    payload: ClassVar[PayloadSpec | None] = None
    #: One sentence: the meaning of the tag.
    doc: ClassVar[str]
    #: A tag line that is valid in at least one place.
    example: ClassVar[str]
    #: An object that the tag refuses, `None` for tags that refuse none.
    refusal: ClassVar[Refusal | None] = None
    #: Stability of the tag by release, from its introduction.
    history: ClassVar[History]
    #: Form in schemas, and its fidelity.
    schema: ClassVar[SchemaForm]
    former_names: ClassVar[tuple[FormerName, ...]] = ()
    #: Releases that changed the meaning of the tag, oldest first.
    changes: ClassVar[tuple[Change, ...]] = ()

    def former_name(self, target: str) -> FormerName | None:
        """Returns the name of the tag in a release, if it is not the present one."""
        return next((former for former in self.former_names if at_least(former.until, target)), None)

    def name_in(self, target: str) -> str:
        """Returns the name of the tag in a release; its present name where the release lacks it."""
        former = self.former_name(target)
        return self.name if former is None or stability(self.history, target) is None else former.name

    def example_in(self, target: str) -> str:
        """Returns the example in the form of a release."""
        return self.example.replace(f"+{self.name}", f"+{self.name_in(target)}")

    def exists_in(self, target: str) -> bool:
        """Returns whether a release knows the tag under its present name."""
        return stability(self.history, target) is not None and self.former_name(target) is None

    @abstractmethod
    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        """Returns the meaning of the tag in this context.

        Raises:
            RuleError: the tag is well-formed but has no meaning here.
        """

    def get_payload(self, tag: Tag) -> Tag:
        """Returns the chained tag of a wrapper, whose presence `accept` has checked."""
        assert tag.payload is not None
        return tag.payload

    def payload_type(self, target: str) -> ValueType:
        """Returns the type that a payload must have in a release. `RAW` leaves the check to `lower`."""
        return ValueType.NONE if self.payload is None else self.payload.type

    def accept(self, context: Context, tag: Tag) -> None:
        """Checks scope, arguments and payload against the rule's declaration.

        Raises:
            RuleError: with upstream's text (tag reference 1.3).
        """
        if context.scope not in self.scopes:
            places = ", ".join(s.value for s in Scope if s in self.scopes)
            raise RuleError(
                f'tag "{self.name}" cannot be specified on {context.scope.value}',
                code="VG201",
                span=tag.name_span,
                help=f"it can stand on {places}",
            )
        try:
            self._accept_args(tag)
            self._accept_payload(tag, self.payload_type(context.session.target))
            if self.one_of and not any(arg.name in self.one_of for arg in tag.args):
                raise RuleError(f"missing required {self.one_of[-1]}", code="VG202")
        except RuleError as error:
            error.help = error.help or f"for example: {self.example_in(context.session.target)}"
            raise error.within(tag) from None

    def _accept_args(self, tag: Tag) -> None:
        for spec in self.args:
            given = tag.named(spec.name)
            if given is None:
                if spec.required:
                    missing = f'named argument "{spec.name}"' if spec.name else "required positional argument"
                    raise RuleError(f"missing {missing} of type {spec.type.value}", code="VG202")
            elif given.type is not spec.type:
                got, want = given.type.value, spec.type.value
                raise RuleError(
                    f'argument "{given.name or given.value}" has wrong type: got {got}, want {want}',
                    code="VG202",
                    span=given.span,
                    help=f'quote it: "{given.value}"' if spec.type is ValueType.STRING else "",
                )
        if self.other_args is None:
            known = {spec.name for spec in self.args}
            for arg in tag.args:
                if arg.name not in known:
                    raise RuleError(
                        f'unrecognized named argument "{arg.name or arg.value}"', code="VG202", span=arg.span
                    )

    def _accept_payload(self, tag: Tag, wanted: ValueType) -> None:
        if tag.value_type is ValueType.NONE:
            if self.payload is not None and self.payload.required:
                raise RuleError(f"missing required tag value of type {self.payload.type.value}", code="VG203")
            return
        if wanted is not ValueType.RAW and tag.value_type is not wanted:
            raise RuleError(
                f"tag value has wrong type: got {tag.value_type.value}, want {wanted.value}",
                code="VG203",
                span=tag.payload.span if tag.payload else tag.value_span,
                help="" if self.payload else f"{tag.name} takes no value",
            )
