"""The interface of a lint rule, all rules by code, and the declarations of a run as rules see them.

A rule is a class that describes a problem and finds it on a declaration. Rules register themselves with `@register`;
the modules of `validation_gen.compiler.lint.rules` are found by listing, so a new family only needs a new module. Rules
can query the surroundings of a declaration: for example, whether the type of a field has its own validation, so that a
null would be dereferenced (tag reference 4).
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar, TypeVar, cast

from validation_gen.compiler.lint.chains import ITEMS, KEYS, Link, is_wrapper, links
from validation_gen.compiler.lower.comments import TagReader
from validation_gen.diagnostics import Severity, Span
from validation_gen.ir import Program
from validation_gen.rules.registry import catalogue, import_modules
from validation_gen.sources.model import Array, Const, Field, List, Map, Named, Pointer, TypeDecl, TypeExpr
from validation_gen.sources.typesystem import TypeSystem
from validation_gen.tags.model import CommentLine, Tag

State = TypeVar("State")

_LONGEST_CHAIN = 100  # definitions that refer to each other in a ring are no legal Go, but files may hold anything


@dataclass(frozen=True, slots=True, eq=False)
class Declaration:
    """A type or a field with its tags.

    `place` names it in messages. `owner` is the declared type that it is or belongs to; `field` is `None` for a type.
    """

    place: str
    owner: TypeDecl
    field: Field | None
    type: TypeExpr
    span: Span
    comments: tuple[CommentLine, ...]
    tags: tuple[Tag, ...]
    links: tuple[Link, ...]
    survey: Survey

    def named(self, *names: str) -> Iterator[Link]:
        """Returns all links with these tag names."""
        return (link for link in self.links if link.name in names)

    def of_itself(self, *names: str) -> Iterator[Link]:
        """Yields the links with these tag names whose tags are about the declared value itself, not about its parts."""
        return (link for link in self.named(*names) if not link.place)

    @property
    def path(self) -> tuple[str, ...]:
        """The path from the value of the owner to the value of the declaration."""
        return () if self.field is None else (f".{self.field.go_name}",)


@dataclass(slots=True)
class Survey:
    """All declarations that take part in a program."""

    types: TypeSystem
    reader: TagReader
    program: Program
    _types: dict[str, Declaration] = field(default_factory=dict)
    _fields: dict[str, tuple[Declaration, ...]] = field(default_factory=dict)
    _states: dict[object, object] = field(default_factory=dict)

    @property
    def target(self) -> str:
        return self.reader.target

    def owners(self) -> Iterator[TypeDecl]:
        """Yields the declared types of the program in the order of their ids."""
        for id in sorted(self.program.types):
            plan = self.program.types[id]
            found = self.types.declaration(Named(plan.package, plan.name))
            if found is not None:
                yield found

    def find_type(self, owner: TypeDecl) -> Declaration:
        """Returns a declared type itself."""
        id = str(owner)
        if id not in self._types:
            named = Named(owner.package, owner.name)
            self._types[id] = self._declaration(id, owner, None, named, owner.span, owner.closest)
        return self._types[id]

    def fields(self, owner: TypeDecl) -> tuple[Declaration, ...]:
        """Returns the fields that are written in the declaration of a type."""
        id = str(owner)
        if id not in self._fields:
            written = () if self.decodes_itself(owner) else owner.fields
            self._fields[id] = tuple(
                self._declaration(
                    f"field {id}.{f.path_name or f.go_name}", owner, f, self.types.resolve(f.type), f.span, f.comments
                )
                for f in written
            )
        return self._fields[id]

    def decodes_itself(self, owner: TypeDecl) -> bool:
        """Returns whether a type has its own JSON form, so that its fields do not matter."""
        return self.types.wire(owner) is not None

    def _declaration(
        self,
        place: str,
        owner: TypeDecl,
        field: Field | None,
        type: TypeExpr,
        span: Span,
        comments: tuple[CommentLine, ...],
    ) -> Declaration:
        tags = self.reader.rules(comments, place, report=False)
        chain = tuple(links(self.types, tags, type, field))
        return Declaration(place, owner, field, type, span, comments, tags, chain, self)

    def together(self, owner: TypeDecl) -> Iterator[Declaration]:
        """Yields the declarations of a type and of its fields, because their tags may be about the same value."""
        yield self.find_type(owner)
        yield from self.fields(owner)

    def bottom(self, owner: TypeDecl) -> TypeDecl | None:
        """Returns the last type in a chain of definitions (`type A B`), which is a literal; `None` if it is unknown."""
        for _ in range(_LONGEST_CHAIN):
            if not isinstance(owner.type, Named):
                return owner
            found = self.types.declaration(owner.type)
            if found is None:
                return None
            owner = found
        return None

    def constants(self, owner: TypeDecl) -> Iterator[tuple[Const, tuple[Tag, ...]]]:
        """Yields the constants of exactly this type in its package, with their tags."""
        package = self.types.universe.package(owner.package)
        for const in package.constants if package else ():
            if isinstance(const.type, Named) and self.types.id(const.type) == str(owner):
                yield const, self.reader.rules(const.comments, const.name, report=False)

    def state(self, kind: Callable[[Survey], State]) -> State:
        """Returns a cached analysis of this survey that rules share."""
        if kind not in self._states:
            self._states[kind] = kind(self)
        return cast("State", self._states[kind])

    def member_tags(self, member: Field) -> tuple[Tag, ...]:
        """Returns the tags in the comments of a field that is known from elsewhere."""
        return self.reader.rules(member.comments, "", report=False)


_OPAQUE = "k8s:opaqueType"
_NO_VALIDATION = frozenset({"k8s:optional", _OPAQUE})
_OF_LISTS = ("k8s:listType", "k8s:unique")


@dataclass(frozen=True, slots=True)
class Opacity:
    """Validation that tags disable: of the type itself, of its keys, of its items."""

    type: bool = False
    keys: bool = False
    items: bool = False

    @staticmethod
    def from_links(links: Iterable[Link]) -> Opacity:
        places = {link.place for link in links if link.name == _OPAQUE}
        if not places:
            return _NONE  # nearly always
        return Opacity(() in places, (KEYS,) in places, (ITEMS,) in places)

    def __or__(self, other: Opacity) -> Opacity:
        if other is _NONE:
            return self
        return Opacity(self.type or other.type, self.keys or other.keys, self.items or other.items)


_NONE = Opacity()


def is_validated(links: Iterable[Link]) -> bool:
    """Returns whether tags have an effect. Tags that only inform (`listType=atomic`) count, as they do upstream."""
    return any(
        link.name in catalogue() and link.name not in _NO_VALIDATION and not is_wrapper(link.name) for link in links
    )


@dataclass(slots=True)
class Transitive:
    """Answers for the types of one program. Structs are settled together, because they may contain each other."""

    survey: Survey
    _structs: set[str] = field(default_factory=set)
    _settled: bool = False
    _busy: set[str] = field(default_factory=set)

    def validates(self, declaration: Declaration) -> bool:
        """Returns whether the type of a declaration validates its values."""
        if not self._settled:
            self._settle()
        return self._validates(declaration.type, Opacity.from_links(declaration.links))

    def _settle(self) -> None:
        """Finds the structs with a validated member, near or far."""
        self._settled = True
        pending = {}
        for owner in self.survey.owners():
            fields = self.survey.fields(owner)
            if any(is_validated(member.links) for member in fields):
                self._structs.add(str(owner))
            elif fields:
                pending[str(owner)] = [(member.type, Opacity.from_links(member.links)) for member in fields]
        changed = True
        while changed:
            changed = False
            for id, members in list(pending.items()):
                if any(self._validates(*member) for member in members):
                    del pending[id]
                    self._structs.add(id)  # at once, which spares rounds
                    changed = True

    def _validates(self, type: TypeExpr, opacity: Opacity) -> bool:
        if opacity.type:
            return False
        match type:
            case Pointer(elem=elem):
                return self._validates(elem, opacity)
            case List(elem=elem) | Array(elem=elem):
                return self._validates(elem, Opacity(opacity.items))
            case Map(key=key, elem=elem):
                return self._validates(key, Opacity(opacity.keys)) or self._validates(elem, Opacity(opacity.items))
            case Named():
                owner = self.survey.types.declaration(type)
                return owner is not None and self._declared(owner, opacity)
        return False

    def _declared(self, owner: TypeDecl, opacity: Opacity) -> bool:
        id = str(owner)
        plan = self.survey.program.types.get(id)
        if plan is None or id in self._busy or self.survey.decodes_itself(owner):
            return False
        own = self.survey.find_type(owner)
        opacity |= Opacity.from_links(own.links)
        if opacity.type:
            return False
        if plan.checks or any(own.named(*_OF_LISTS)):
            return True
        # The tags of a type further down a chain of definitions do not count: Go has only its literal.
        bottom = self.survey.bottom(owner)
        if bottom is None:
            return False
        if self.survey.fields(bottom):
            return str(bottom) in self._structs
        self._busy.add(id)
        try:
            return self._validates(bottom.type, opacity)
        finally:
            self._busy.discard(id)


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of a rule about a declaration, in the terms of a `Diagnostic`.

    `span` is the tag at fault, or the name of the declaration when a tag is missing.
    """

    message: str
    span: Span
    help: str = ""
    notes: tuple[tuple[str, Span | None], ...] = ()


class LintRule(ABC):
    """A lint rule: it finds a pattern that is legal but wrong."""

    code: ClassVar[str]
    #: A few words with dashes, for lists and tables.
    name: ClassVar[str]
    severity: ClassVar[Severity] = Severity.WARNING
    #: True if Kubernetes' own generator refuses this. A strict run does so too.
    refused_upstream: ClassVar[bool] = False
    #: True to check declarations without a tag, too.
    of_untagged: ClassVar[bool] = False
    #: One sentence: why it is bad.
    reason: ClassVar[str]
    #: Go declarations as a diff that solves the problem: lines that begin with `-` have it, those with `+` do not.
    change: ClassVar[str]

    @property
    def example(self) -> str:
        return _take_side(self.change, "-")

    @property
    def fix(self) -> str:
        return _take_side(self.change, "+")

    def severity_in(self, *, strict: bool) -> Severity:
        return Severity.ERROR if strict and self.refused_upstream else self.severity

    @abstractmethod
    def check(self, declaration: Declaration) -> Iterator[Finding]:
        """Yields the findings on a type or field with tags. Each declaration is shown to each rule once."""


def _take_side(change: str, side: str) -> str:
    """Returns the text before a diff (`-`) or after it (`+`)."""
    lines = change.splitlines(keepends=True)
    return "".join(line.removeprefix(side) for line in lines if line[0] not in "-+" or line[0] == side)


_rules: dict[str, LintRule] = {}


def register(rule: type[LintRule]) -> type[LintRule]:
    """Adds a rule.

    Raises:
        ValueError: the code is taken. This is a mistake in the rules, never of a user.
    """
    if rule.code in _rules:
        raise ValueError(f"lint rule {rule.code} is registered twice")
    _rules[rule.code] = rule()
    return rule


@functools.cache
def lint_rules() -> dict[str, LintRule]:
    """Returns all rules in the order of their codes."""
    import_modules("validation_gen.compiler.lint.rules")
    return dict(sorted(_rules.items()))
