"""Applies the tags of one declaration, refuses types that Kubernetes does not validate, and notes facts for schemas.

Each tag is applied separately, so that one mistake does not hide another. The reasons for refused types are upstream's
(tag reference 3.6). Notes for schemas are list types from tags, documentation, and keywords from other comments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.ir import Check, ResourceNotes, SchemaNotes, Shape, TypePlan, Wire
from validation_gen.rules.base import Context, Deferred, RuleError, RuleOutput, Session, Target
from validation_gen.rules.lists import ListTable
from validation_gen.rules.registry import apply, in_order
from validation_gen.sources.model import (
    Array,
    Builtin,
    Field,
    List,
    Map,
    Named,
    Package,
    Pointer,
    Struct,
    TypeDecl,
    TypeExpr,
    Unsupported,
)
from validation_gen.sources.typesystem import STRING, TypeSystem
from validation_gen.tags.model import CommentLine, Tag

if TYPE_CHECKING:
    from validation_gen.rules.markers import MarkerReader, PackageNotes


ARRAYS = "fixed-size arrays are not supported"
USE_A_SLICE = "declare a slice; +k8s:maxItems limits its length"


def has_array(types: TypeSystem, type: TypeExpr) -> bool:
    """Returns whether a type is an array, or contains one outside of structs."""
    native = types.native(type)
    seen = {native}
    while isinstance(native, Pointer | List | Map):
        native = types.native(native.elem)
        if native in seen:
            return False  # a list or map of itself
        seen.add(native)
    return isinstance(native, Array)


def demands_something(tag: Tag) -> bool:
    """Returns whether a tag does more than disable validation."""
    while tag.payload is not None:
        tag = tag.payload
    return tag.name != "k8s:opaqueType"


def refusal(types: TypeSystem, type: TypeExpr, *, strict: bool = False) -> str:
    """Says why a field of this type cannot be validated; empty when it can.

    `strict` refuses integer keys of maps as well, which upstream does although Go and JSON know them.
    """
    match type:
        case Pointer(elem=elem):
            return _pointer(types, elem) or refusal(types, elem, strict=strict)
        case Builtin(name="complex64" | "complex128"):
            return "kind Unsupported is not supported"
        case Array():
            return ARRAYS
        case List(elem=elem):
            return _list(types, elem) or refusal(types, elem, strict=strict)
        case Map(key=key, elem=elem):
            return _map(types, key, elem, strict) or refusal(types, elem, strict=strict)
        case Unsupported(kind=kind):
            # Invalid or unresolved types have been reported at their location.
            return "" if kind in ("Invalid", "Unresolved") else f"kind {kind} is not supported"
        case Named():
            declaration = types.declaration(type)
            if declaration is not None and isinstance(declaration.type, Pointer):
                return "typedefs to pointers are not supported"
            underlying = types.underlying(type)
            return "" if isinstance(underlying, Named) else refusal(types, underlying, strict=strict)
    return ""


def _pointer(types: TypeSystem, elem: TypeExpr) -> str:
    match types.native(elem):
        case Pointer():
            return "pointers to pointers are not supported"
        case List() | Array():
            return "pointers to lists are not supported"
        case Map():
            return "pointers to maps are not supported"
    return ""


def _list(types: TypeSystem, elem: TypeExpr) -> str:
    match types.native(elem):
        case List(elem=inner) if types.native(inner) != Builtin("uint8"):
            return "lists of lists are not supported"
        case Map():
            return "lists of maps are not supported"
    return ""


def _map(types: TypeSystem, key: TypeExpr, elem: TypeExpr, strict: bool) -> str:
    if types.native(key) != STRING and (strict or not types.is_integer(key)):
        return "maps with non-string keys are not supported"
    match types.native(elem):
        case Pointer():
            return "maps of pointers are not supported"
        case Map():
            return "maps of maps are not supported"
    return ""


def refusal_of_tags(types: TypeSystem, type: TypeExpr) -> str:
    """Returns the reason why tags are refused on a field or type of this kind, although it is supported itself."""
    value = types.value(type)
    if isinstance(value, Map) and isinstance(value.elem, List):
        return "validation for map of slices is not supported"
    return ""


@dataclass(slots=True)
class ArrayItems:
    """The types of items of arrays, whose rules never run."""

    types: TypeSystem
    diagnostics: Diagnostics
    #: The places of arrays with tags.
    refused: set[str] = field(default_factory=set)
    #: The types of items, each with its place, the type that has it there, and where that is written.
    _found: list[tuple[str, str, str, Span]] = field(default_factory=list)

    def add(self, type: TypeExpr, place: str, owner: str, span: Span) -> None:
        """Records the types of items of the arrays in a type."""
        waiting = [(type, False)]
        while waiting:
            each, inside = waiting.pop()
            if isinstance(each, Named) and inside and self.types.declaration(each) is not None:
                self._found.append((self.types.id(each), place, owner, span))
            elif isinstance(each, Pointer | List | Array | Map):
                waiting.append((each.elem, inside or isinstance(each, Array)))

    def report(self, checked: Callable[[str], bool]) -> None:
        """Warns of arrays whose item types have checks."""
        for item, place, owner, span in self._found:
            if checked(item) and place not in self.refused:
                name = item.rpartition(".")[2]
                message = f"{place}: {ARRAYS}, so the rules of {name} do not count for items"
                with self.diagnostics.owned_by(owner):
                    self.diagnostics.warning("VG302", message, span, USE_A_SLICE)


_MOST_ROUNDS = 10  # upstream's limit; only a rule that defers for ever can reach it


@dataclass(frozen=True, slots=True)
class RuleApplier:
    """Applies tags and finishes deferred work; refusals become diagnostics."""

    diagnostics: Diagnostics

    def apply(self, context: Context, tags: Sequence[Tag], place: str) -> RuleOutput:
        """Returns the checks of a declaration's tags in upstream's order. `place` names it in messages."""
        result = RuleOutput()
        for tag in in_order(tags):
            try:
                result.add(apply(context, tag))
            except RuleError as error:
                self._report(error, place, tag.span)
        return result

    def resolve(self, deferred: list[Deferred], place: str, span: Span, this: list[Check], parent: list[Check]) -> None:
        """Resolves deferred work in rounds, because its results can be deferred again.

        The checks go to `this` declaration or to the one around it, as each piece of work decides.
        """
        for _ in range(_MOST_ROUNDS):
            following: list[Deferred] = []
            for work in deferred:
                try:
                    result = work.resolve()
                except RuleError as error:
                    self._report(error, place, span)
                    continue
                (this if work.target is Target.THIS else parent).extend(result.checks)
                following += result.deferred
            deferred = following
            if not deferred:
                return
        message = f"deferred validation recursion depth exceeded {_MOST_ROUNDS} for {place}"
        self.diagnostics.error("VG205", message, span)

    def _report(self, error: RuleError, place: str, span: Span) -> None:
        self.diagnostics.error(error.code, f"{place}: {error.message}", error.span or span, error.help)


#: Markers that say whether the objects of a kind are in namespaces, and whether their status is written apart.
_OF_OBJECTS = re.compile(r"\s*\+(?:kubebuilder:(?:resource|subresource:status)|genclient:nonNamespaced)\b")
_PRESERVES = re.compile(
    r"\s*\+kubebuilder:(?:pruning:PreserveUnknownFields|validation:(?:items:)?XPreserveUnknownFields)\s*(?:=\s*true\s*)?$"
)


def keeps_unknown(lines: Iterable[CommentLine]) -> bool:
    """Returns whether a marker preserves unknown fields."""
    return any("PreserveUnknownFields" in line.text and _PRESERVES.match(line.text) for line in lines)


def spelt_out(wire: Callable[[TypeDecl], str | None]) -> Callable[[TypeDecl], str | None]:
    """Returns the JSON forms of types for schemas.

    A self-decoding type has the schema of its declaration, unless it also encodes itself, and a marker gives it a JSON
    type, as in controller-gen. Most of these decode themselves to accept an older form, too, and a schema without
    constraints would be useless. A struct without fields may be anything, and a type with methods for text is a string.
    """
    quiet = _markers()(Diagnostics())

    def form(declaration: TypeDecl) -> str | None:
        known = wire(declaration)
        if known != "any" or not declaration.custom_json or declaration.text_json:
            return known
        if isinstance(declaration.type, Struct) and all(member.omitted for member in declaration.type.fields):
            return known
        has_marker = declaration.writes_json and "type" in quiet.of_type(declaration, Wire("any")).keywords
        return known if has_marker else None

    return form


def _markers() -> type[MarkerReader]:
    """Returns the reader, imported late: its catalogue is for schemas only."""
    from validation_gen.rules.markers import MarkerReader  # noqa: PLC0415

    return MarkerReader


@dataclass(slots=True)
class Notes:
    """Makes the notes of types and fields, when their tags are read. They are empty unless `wanted`.

    Validators also need two facts about a resource: whether it is namespaced, and whether it has a status subresource.
    """

    session: Session
    diagnostics: Diagnostics
    wanted: bool
    _reader: MarkerReader | None = None
    _packages: dict[str, PackageNotes] = field(default_factory=dict)

    @property
    def markers(self) -> MarkerReader:
        if self._reader is None:
            self._reader = _markers()(self.diagnostics, self._declared)
        return self._reader

    def _declared(self, id: str) -> TypeDecl | None:
        path, _, name = id.rpartition(".")
        package = self.session.types.universe.package(path)
        return package.types.get(name) if package is not None else None

    def of_package(self, package: Package) -> PackageNotes:
        if package.path not in self._packages:
            self._packages[package.path] = self.markers.of_package(package, report=package.input)
        return self._packages[package.path]

    def of_type(self, declaration: TypeDecl, shape: Shape) -> SchemaNotes:
        if not self.wanted:
            return SchemaNotes()
        package = self.session.types.universe.package(declaration.package)
        optional = package is not None and self.of_package(package).presence == "optional"
        report = package is not None and package.input
        constants = package.constants if package is not None else ()
        notes = self.markers.of_type(declaration, shape, report=report, optional=optional, constants=constants)
        if declaration.text_json:
            notes.keywords.setdefault("type", "string")
        self._note_list(str(declaration), notes)
        return notes

    def report_alias(self, alias: TypeDecl) -> None:
        """Warns of markers that an alias has and that its type does not get."""
        if self.wanted and self.session.types.universe.is_input(alias.package):
            self.markers.report_alias(alias)

    def of_field(self, member: Field, shape: Shape, owner: TypePlan, path: str) -> SchemaNotes:
        """Returns the notes of a field. `path` is its key in the tables of the rules."""
        if not self.wanted:
            return SchemaNotes()
        notes = self.markers.of_field(
            member, shape, owner.id, report=self.session.types.universe.is_input(owner.package)
        )
        package = self.session.types.universe.package(owner.package)
        if not notes.presence and package is not None and self.of_package(package).presence == "optional":
            notes.presence = "optional"
        self._note_list(path, notes)
        return notes

    def of_resource(self, declaration: TypeDecl) -> ResourceNotes:
        if self.wanted:
            return self.markers.resource(declaration, report=self.session.types.universe.is_input(declaration.package))
        if not any(_OF_OBJECTS.match(line.text) for line in (*declaration.apart, *declaration.closest)):
            return ResourceNotes()
        found = self.markers.resource(declaration, report=False)
        return ResourceNotes(scope=found.scope, status=found.status)

    def _note_list(self, path: str, notes: SchemaNotes) -> None:
        """Records the list types that the tags of a place declare, for itself and for its items."""
        table = self.session.state(ListTable).by_path
        while (facts := table.get(path)) is not None or f"{path}[(vals)]" in table:
            if facts is not None and facts.declared:
                notes.keywords["x-kubernetes-list-type"] = facts.declared
                notes.keywords.pop("x-kubernetes-list-map-keys", None)
                if facts.declared == "map" and facts.keys:
                    notes.keywords["x-kubernetes-list-map-keys"] = [key.json for key in facts.keys]
                notes.ruled |= {"x-kubernetes-list-type", "x-kubernetes-list-map-keys"}
            path += "[(vals)]"
            if path not in table:
                return
            notes.items = notes.items or SchemaNotes()
            notes = notes.items
