"""The declarations of a run as lint rules see them, and the questions that rules ask of their surroundings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar, cast

from validation_gen.compiler.lint.chains import Link, links
from validation_gen.compiler.lower.comments import TagReader
from validation_gen.diagnostics import Span
from validation_gen.ir import Program
from validation_gen.sources.model import Const, Field, Named, Struct, TypeDecl, TypeExpr
from validation_gen.sources.typesystem import TypeSystem
from validation_gen.tags.comments import CommentLine
from validation_gen.tags.model import Tag

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
        """The links with these tag names that speak of the declared value itself, not of parts of it."""
        return (link for link in self.named(*names) if not link.place)

    @property
    def path(self) -> tuple[str, ...]:
        """The way from the value of the owner to that of the declaration."""
        return () if self.field is None else (f".{self.field.go_name}",)


@dataclass(slots=True)
class Survey:
    """All declarations that take part in a program."""

    types: TypeSystem
    reader: TagReader
    program: Program
    _types: dict[str, Declaration] = field(default_factory=dict)
    _fields: dict[str, tuple[Declaration, ...]] = field(default_factory=dict)
    _constants: dict[str, dict[str, list[Const]]] = field(default_factory=dict)
    _states: dict[object, object] = field(default_factory=dict)

    @property
    def target(self) -> str:
        return self.reader.target

    def owners(self) -> Iterator[TypeDecl]:
        """The declared types of the program in the order of their ids."""
        for id in sorted(self.program.types):
            plan = self.program.types[id]
            found = self.types.declaration(Named(plan.package, plan.name))
            if found is not None:
                yield found

    def of(self, owner: TypeDecl) -> Declaration:
        """A declared type itself."""
        id = str(owner)
        if id not in self._types:
            named = Named(owner.package, owner.name)
            self._types[id] = self._declaration(id, owner, None, named, owner.span, owner.closest)
        return self._types[id]

    def fields(self, owner: TypeDecl) -> tuple[Declaration, ...]:
        """The fields that are written in the declaration of a type."""
        id = str(owner)
        if id not in self._fields:
            written = owner.type.fields if isinstance(owner.type, Struct) and not self.decodes_itself(owner) else ()
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
        """Yields a type and its fields, whose tags may be about the same value."""
        yield self.of(owner)
        yield from self.fields(owner)

    def bottom(self, owner: TypeDecl) -> TypeDecl | None:
        """The end of a chain of definitions (`type A B`), whose right-hand side is a literal; `None` when unknown."""
        for _ in range(_LONGEST_CHAIN):
            if not isinstance(owner.type, Named):
                return owner
            found = self.types.declaration(owner.type)
            if found is None:
                return None
            owner = found
        return None

    def constants(self, owner: TypeDecl) -> Iterator[tuple[Const, tuple[Tag, ...]]]:
        """The constants of exactly this type in its package, with their tags."""
        package = self.types.universe.package(owner.package)
        if owner.package not in self._constants:
            table = self._constants[owner.package] = {}
            for const in package.constants if package else ():
                if isinstance(const.type, Named):
                    table.setdefault(self.types.id(const.type), []).append(const)
        for const in self._constants[owner.package].get(str(owner), ()):
            yield const, self.reader.rules(const.comments, const.name, report=False)

    def state(self, kind: Callable[[Survey], State]) -> State:
        """Returns a cached analysis of this survey that rules share."""
        if kind not in self._states:
            self._states[kind] = kind(self)
        return cast("State", self._states[kind])

    def member_tags(self, member: Field) -> tuple[Tag, ...]:
        """The tags in the comments of a field that is known from elsewhere."""
        return self.reader.rules(member.comments, "", report=False)
