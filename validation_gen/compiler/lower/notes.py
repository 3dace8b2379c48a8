"""Schema notes beside rules: list types from tags, documentation and keywords from other comments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from validation_gen.diagnostics import Diagnostics
from validation_gen.ir import ResourceNotes, SchemaNotes, Shape, TypePlan, Wire
from validation_gen.rules.base import Session
from validation_gen.rules.lists import ListTable
from validation_gen.sources.model import Field, Package, Struct, TypeDecl
from validation_gen.tags.model import CommentLine

if TYPE_CHECKING:
    from validation_gen.rules.markers import MarkerReader, PackageNotes


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
        if self.wanted and self._is_input(alias.package):
            self.markers.report_alias(alias)

    def of_field(self, member: Field, shape: Shape, owner: TypePlan, path: str) -> SchemaNotes:
        """Returns the notes of a field. `path` is its key in the tables of the rules."""
        if not self.wanted:
            return SchemaNotes()
        notes = self.markers.of_field(member, shape, owner.id, report=self._is_input(owner.package))
        package = self.session.types.universe.package(owner.package)
        if not notes.presence and package is not None and self.of_package(package).presence == "optional":
            notes.presence = "optional"
        self._note_list(path, notes)
        return notes

    def of_resource(self, declaration: TypeDecl) -> ResourceNotes:
        if self.wanted:
            return self.markers.resource(declaration, report=self._is_input(declaration.package))
        if not any(_OF_OBJECTS.match(line.text) for line in (*declaration.apart, *declaration.closest)):
            return ResourceNotes()
        found = self.markers.resource(declaration, report=False)
        return ResourceNotes(scope=found.scope, status=found.status)

    def _is_input(self, path: str) -> bool:
        package = self.session.types.universe.package(path)
        return package is not None and package.input

    def _note_list(self, path: str, notes: SchemaNotes) -> None:
        """Notes the list type that the tags of a place declare, and those of its items."""
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
