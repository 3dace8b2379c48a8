"""Programs for types that nearly every API refers to, for schemas without sources of types."""

from __future__ import annotations

from validation_gen.build.lower.comments import TagReader
from validation_gen.build.lower.notes import spelt_out
from validation_gen.build.lower.walk import Walk
from validation_gen.diagnostics import Diagnostics
from validation_gen.ir import Program
from validation_gen.rules.releases import NEWEST
from validation_gen.sources.model import Named
from validation_gen.sources.reader import read_universe
from validation_gen.sources.typesystem import TypeSystem
from validation_gen.sources.wellknown import wire_format


def wellknown_program(id: str) -> Program:
    """Returns a type and all types in it, as a program without packages; an empty one for an unknown type."""
    diagnostics = Diagnostics()
    types = TypeSystem(read_universe((), diagnostics), spelt_out(wire_format))
    walk = Walk(types, TagReader(diagnostics, NEWEST), lambda path: True, described=True)
    package, _, name = id.rpartition(".")
    declaration = types.declaration(Named(package, name))
    if declaration is not None:
        walk.visit_declaration(declaration)
    return Program(types=walk.plans, structs=walk.shapes.structs)
