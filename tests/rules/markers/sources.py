"""Go text as the reader of markers sees it."""

from __future__ import annotations

import tempfile
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

from tests.case_folders import inside
from validation_gen.compiler.lower.shapes import Shapes
from validation_gen.diagnostics import Diagnostic, Diagnostics
from validation_gen.ir import ResourceNotes, SchemaNotes
from validation_gen.rules.markers import MarkerReader, PackageNotes
from validation_gen.sources.model import Named, Struct, TypeDecl, Universe
from validation_gen.sources.reader import read_universe
from validation_gen.sources.typesystem import TypeSystem
from validation_gen.sources.wellknown import wire_format


@dataclass(frozen=True, slots=True)
class Read:
    """All that the comments of some packages say. Types by name, fields as `Type.json`."""

    types: dict[str, SchemaNotes] = field(default_factory=dict)
    fields: dict[str, SchemaNotes] = field(default_factory=dict)
    resources: dict[str, ResourceNotes] = field(default_factory=dict)
    packages: dict[str, PackageNotes] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    @property
    def found(self) -> list[str]:
        """The findings in short."""
        return [f"{d.code} {d.message.partition(': ')[2]}" for d in self.diagnostics]


def read(paths: list[str]) -> Read:
    """What the packages at some paths say."""
    universe = read_universe(paths, Diagnostics())
    types = TypeSystem(universe, wire_format)
    shapes = Shapes(types)
    diagnostics = Diagnostics()
    reader = MarkerReader(diagnostics, lambda struct: _declaration(universe, struct))
    found = Read()
    for package in universe.inputs:
        found.packages[package.path] = reader.of_package(package)
        for declaration in package.types.values():
            name = declaration.name
            found.types[name] = reader.of_type(declaration, shapes.build(Named(package.path, name)))
            found.resources[name] = reader.resource(declaration)
            for member in declaration.type.fields if isinstance(declaration.type, Struct) else ():
                shape = shapes.build(types.resolve(member.type))
                notes = reader.of_field(member, shape, str(declaration))
                found.fields[f"{name}.{member.json or member.go_name}"] = notes
    found.diagnostics.extend(diagnostics.sorted())
    return found


def read_text(go: str, **files: str) -> Read:
    """What a package says that has some declarations, and further files by name."""
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        (root / "go.mod").write_text("module example.com/v1\n", encoding="utf-8")
        (root / "types.go").write_text(f"package v1\n\n{textwrap.dedent(go).lstrip()}", encoding="utf-8")
        for name, text in files.items():
            (root / f"{name}.go").write_text(textwrap.dedent(text).lstrip(), encoding="utf-8")
        with inside(root):
            return read(["."])


def read_field(markers: str, type: str = "string", more: str = "") -> tuple[SchemaNotes, Read]:
    """What lines of markers say of a field of a type."""
    lines = "".join(f"\t// {line}\n" for line in textwrap.dedent(markers).strip().splitlines())
    others = "".join(f'\t{name.title()} string `json:"{name}"`\n' for name in ("a", "b", "name"))
    found = read_text(f'type T struct {{\n{lines}\tF {type} `json:"f"`\n{others}}}\n{more}')
    return found.fields["T.f"], found


def read_type(markers: str, type: str = "string", more: str = "") -> tuple[SchemaNotes, ResourceNotes, Read]:
    """What lines of markers say of a declared type, and of it as a resource."""
    lines = "".join(f"// {line}\n" for line in textwrap.dedent(markers).strip().splitlines())
    found = read_text(f"{lines}type T {type}\n{more}")
    return found.types["T"], found.resources["T"], found


def _declaration(universe: Universe, struct: str) -> TypeDecl | None:
    path, _, name = struct.rpartition(".")
    package = universe.package(path)
    return package.types.get(name) if package else None
