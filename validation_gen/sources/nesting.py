"""Limits the nesting of types that are no structs: `type A []B`, `type B map[string]C` and so on.

All walks over such types are recursive, so deeper types are replaced here, before other code sees them. Structs end the
count: their fields are walked one struct at a time, however long the chain of structs is. But an embedded struct counts
like a definition.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from validation_gen.diagnostics import Diagnostic, Severity
from validation_gen.sources.model import (
    Array,
    List,
    Map,
    Named,
    Pointer,
    Struct,
    TypeDecl,
    TypeExpr,
    Universe,
    Unsupported,
)

#: Greatest nesting of definitions and type literals.
DEEPEST = 100
#: Greatest size of a type written out: keys of maps can double it at every step.
_LARGEST = 1000
TOO_DEEP = "types are nested too deeply here"
HELP = f"declare a struct in between: at most {DEEPEST} lists, maps, pointers and definitions may be in one another"


def shallow(universe: Universe, declaration: TypeDecl) -> TypeDecl:
    """Returns the declaration, or replaces it in the universe by an unsupported type, with a note.

    Each declaration is measured once, and those that it refers to before it.
    """
    key = (declaration.package, declaration.name)
    if key in universe.depths:
        return declaration
    path = [_Step(universe, declaration)]
    above = {key: 0}
    while path:
        step = path[-1]
        inner = next(step.waiting, None)
        if inner is None:
            path.pop()
            above.pop(step.key)
            if step.deepest > DEEPEST or step.size > _LARGEST or step.endless:
                _cut(universe, step.declaration)
                step.deepest = step.size = 0
            universe.depths[step.key] = step.deepest, step.size
            if path:
                path[-1].take(step.deepest, step.size)
            continue
        named, step.distance = inner
        found = universe.find(named)
        if found is None or (isinstance(found.type, Struct) and not step.flat):
            continue
        below = (found.package, found.name)
        if below in universe.depths:
            step.take(*universe.depths[below])
        elif below in above:
            # a list of itself is legal Go; an alias of itself is not
            step.endless |= all(each.declaration.alias for each in path[above[below] :])
        else:
            above[below] = len(path)
            path.append(_Step(universe, found))
    return universe.packages[declaration.package].types.get(declaration.name, declaration)


class _Step:
    """A declaration on the path down. `distance` is the depth of the current reference inside it."""

    def __init__(self, universe: Universe, declaration: TypeDecl) -> None:
        self.declaration = declaration
        self.key = (declaration.package, declaration.name)
        #: True if referenced structs are parts of this one: all of its fields are.
        self.flat = isinstance(declaration.type, Struct | Named)
        self.waiting = iter(list(_references(declaration.type, 1)))
        self.deepest = self.size = _depth(declaration.type)
        self.distance = 0
        self.endless = False

    def take(self, depth: int, size: int) -> None:
        """Adds the depth and size of the current reference."""
        self.deepest = max(self.deepest, self.distance + depth)
        self.size += 0 if isinstance(self.declaration.type, Struct) else size


def _references(type: TypeExpr, depth: int) -> Iterator[tuple[Named, int]]:
    """Yields the named types in an expression, each with its depth."""
    match type:
        case Named():
            yield type, depth
        case Struct(fields=fields):
            for member in fields:
                if member.embedded and member.inline:
                    yield from _references(_pointee(member.type), depth)
        case Pointer(elem=elem) | List(elem=elem) | Array(elem=elem):
            yield from _references(elem, depth + 1)
        case Map(key=key, elem=elem):
            yield from _references(key, depth + 1)
            yield from _references(elem, depth + 1)


def _pointee(type: TypeExpr) -> TypeExpr:
    while isinstance(type, Pointer):
        type = type.elem
    return type


def _depth(type: TypeExpr) -> int:
    match type:
        case Pointer(elem=elem) | List(elem=elem) | Array(elem=elem):
            return 1 + _depth(elem)
        case Map(key=key, elem=elem):
            return 1 + max(_depth(key), _depth(elem))
    return 1


def _cut(universe: Universe, declaration: TypeDecl) -> None:
    package = universe.packages[declaration.package]
    package.types[declaration.name] = replace(declaration, type=Unsupported("Nested", "a type nested too deeply"))
    message = f"{declaration}: {TOO_DEEP}"
    package.notes.append((str(declaration), Diagnostic("VG305", Severity.ERROR, message, declaration.span, HELP)))
