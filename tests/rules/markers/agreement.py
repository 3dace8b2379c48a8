"""Compares what comments say with the CustomResourceDefinitions that controller-gen has made of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from validation_gen.compiler.lower.shapes import Shapes
from validation_gen.diagnostics import Diagnostics
from validation_gen.ir import SchemaNotes
from validation_gen.rules.markers import MarkerReader
from validation_gen.sources.model import Field, List, Map, Named, Package, Pointer, Struct, TypeDecl, TypeExpr
from validation_gen.sources.reader import read_universe
from validation_gen.sources.typesystem import TypeSystem
from validation_gen.sources.wellknown import wire_format

#: What comes from the types themselves.
_STRUCTURE = frozenset(
    (
        *("type", "format", "properties", "items", "required", "additionalProperties", "anyOf", "allOf"),
        *("description", "x-kubernetes-validations"),
    )
)


@dataclass(slots=True)
class Comparison:
    """Compares packages with definitions. `differences` are places with what is not the same; `agreed` is a count."""

    types: TypeSystem
    shapes: Shapes
    reader: MarkerReader
    differences: list[str] = field(default_factory=list)
    agreed: int = 0

    @classmethod
    def of(cls, paths: list[str]) -> Comparison:
        universe = read_universe(paths, Diagnostics())
        types = TypeSystem(universe, wire_format)

        def declared(name: str) -> TypeDecl | None:
            path, _, last = name.rpartition(".")
            package = universe.package(path)
            return package.types.get(last) if package else None

        return cls(types, Shapes(types), MarkerReader(Diagnostics(), declared))

    def compare(self, file: Path, package: Package, version: str) -> None:
        """Compares the kind of a file in one version with the type of that name in a package."""
        definition = yaml.safe_load(file.read_text(encoding="utf-8"))
        kind = definition["spec"]["names"]["kind"]
        (found,) = (each for each in definition["spec"]["versions"] if each["name"] == version)
        self._resource(definition, found, package.types[kind])
        self._schema(found["schema"]["openAPIV3Schema"], Named(package.path, kind), f"{version}.{kind}", None)

    def _same(self, place: str, what: str, wanted: object, found: object) -> None:
        if wanted == found:
            self.agreed += 1
        else:
            self.differences.append(f"{place}: {what}")

    def _resource(self, definition: Mapping[str, Any], version: Mapping[str, Any], declaration: TypeDecl) -> None:
        notes = self.reader.resource(declaration)
        place = f"{version['name']}.{declaration.name}"
        names, subresources = definition["spec"]["names"], version.get("subresources") or {}
        scale = subresources.get("scale") or {}
        columns = [
            (c["name"], c["type"], c["jsonPath"], c.get("description", ""), c.get("format", ""), c.get("priority", 0))
            for c in version.get("additionalPrinterColumns", ())
        ]
        mine = [(c.name, c.type, c.json_path, c.description, c.format, c.priority) for c in notes.columns]
        self._same(place, "columns", columns, mine)
        self._same(place, "plural", names["plural"], notes.plural or names["plural"])
        self._same(place, "singular", names["singular"], notes.singular or declaration.name.lower())
        self._same(place, "shortNames", names.get("shortNames", []), list(notes.short_names))
        self._same(place, "categories", names.get("categories", []), list(notes.categories))
        self._same(place, "scope", definition["spec"]["scope"], notes.scope or "Namespaced")
        self._same(place, "status", "status" in subresources, notes.status)
        self._same(place, "scale", scale.get("specReplicasPath", ""), notes.scale.spec_replicas if notes.scale else "")
        self._same(place, "served", version["served"], notes.served)
        self._same(place, "storage", version["storage"], notes.storage or len(definition["spec"]["versions"]) == 1)
        self._same(place, "deprecated", version.get("deprecated", False), notes.deprecated)
        self._same(place, "warning", version.get("deprecationWarning"), notes.deprecation_warning)
        self._same(place, "selectable", [f["jsonPath"] for f in version.get("selectableFields", ())], notes.selectable)
        annotations = definition["metadata"].get("annotations", {})
        self._same(place, "annotations", {}, {k: v for k, v in notes.annotations.items() if annotations.get(k) != v})

    def _schema(self, schema: Mapping[str, Any], type: TypeExpr, place: str, own: SchemaNotes | None) -> None:
        notes = [own] if own else []
        while isinstance(type, Named | Pointer):
            if isinstance(type, Pointer):
                type = type.elem
                continue
            declaration = self._declaration(type)
            if declaration is None:
                break
            notes.append(self.reader.of_type(declaration, self.shapes.build(type)))
            type = declaration.type
        self._same(place, "description", schema.get("description", ""), next((n.doc for n in notes if n.doc), ""))
        self._keywords(schema, notes, place)
        if isinstance(type, Struct):
            fields = {member.json: member for member in self._flattened(type)}
            for name, inner in schema.get("properties", {}).items():
                if name not in fields:
                    self.differences.append(f"{place}.{name}: no field")
                elif not _is_foreign(fields[name].type):
                    found = self.reader.of_field(fields[name], self.shapes.build(self.types.resolve(fields[name].type)))
                    self._schema(inner, fields[name].type, f"{place}.{name}", found)
        elif isinstance(type, List) and "items" in schema and not _is_foreign(type.elem):
            inner = dict(schema["items"])
            for keyword, value in (pair for n in notes if n.items for pair in n.items.keywords.items()):
                self._same(f"{place}[]", keyword, value, inner.pop(keyword, None))
            self._schema(inner, type.elem, f"{place}[]", None)
        elif isinstance(type, Map) and isinstance(schema.get("additionalProperties"), dict):
            self._schema(schema["additionalProperties"], type.elem, f"{place}{{}}", None)

    def _keywords(self, schema: Mapping[str, Any], notes: list[SchemaNotes], place: str) -> None:
        """Of what is said twice, the field counts more than its type; limits of both are in `allOf`."""
        values = [schema, *schema.get("allOf", ())]
        for note in notes:
            for keyword in note.keywords:
                nearest = next(other.keywords[keyword] for other in notes if keyword in other.keywords)
                self._same(place, keyword, True, any(part.get(keyword) == nearest for part in values))
        for keyword in schema.keys() - _STRUCTURE:
            self._same(place, keyword, True, any(keyword in note.keywords for note in notes))
        rules = [
            (
                r["rule"],
                r.get("message", ""),
                r.get("messageExpression", ""),
                r.get("reason", ""),
                r.get("fieldPath", ""),
            )
            for r in schema.get("x-kubernetes-validations", ())
        ]
        mine = [(r.rule, r.message, r.message_expression, r.reason, r.field_path) for n in notes for r in n.validations]
        self._same(place, "rules", sorted(rules), sorted(mine))

    def _declaration(self, type: Named) -> TypeDecl | None:
        """The declaration of a name, be it only another name: controller-gen reads its comments."""
        package = self.types.universe.package(type.package)
        return package.types.get(type.name) if package is not None and not _is_foreign(type) else None

    def _flattened(self, struct: Struct) -> Iterator[Field]:
        for member in struct.fields:
            inner = self.types.struct(self.types.value(member.type)) if member.inline else None
            if inner is not None:
                yield from self._flattened(inner)
            elif not member.omitted:
                yield member


def _is_foreign(type: TypeExpr) -> bool:
    """Whether a type's source is not that which controller-gen had."""
    while isinstance(type, Pointer):
        type = type.elem
    return isinstance(type, Named) and ("." not in type.package or type.package.startswith("k8s.io/"))
