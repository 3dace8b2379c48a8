"""Facts about Go types for rules: kind, underlying type, members, and names in messages.

Kinds are upstream's words (`Slice`, `Map`, `Struct`, `Builtin`, `Pointer`, `Alias` …), because they appear in its
messages. A defined type with a struct underneath is a `Struct`; any other defined type is an `Alias`.

The nesting of types that are no structs has a limit: `type A []B`, `type B map[string]C` and so on. All walks over such
types are recursive, so deeper types are replaced here, before other code sees them. Structs end the count: their fields
are walked one struct at a time, however long the chain of structs is. But an embedded struct counts like a definition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from validation_gen.diagnostics import Diagnostic, Severity
from validation_gen.sources.model import (
    INTEGER_KINDS,
    Array,
    Builtin,
    Field,
    Interface,
    List,
    Map,
    Named,
    Pointer,
    Struct,
    TypeDecl,
    TypeExpr,
    Universe,
    Unsupported,
    inner_types,
    pointee,
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
                _break_cycle(universe, step.declaration)
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
    """A declaration on the current path of the walk. `distance` is the depth of the current reference inside it."""

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
    if isinstance(type, Named):
        yield type, depth
    elif isinstance(type, Struct):
        for member in type.fields:
            if member.embedded and member.inline:
                yield from _references(pointee(member.type), depth)
    for inner in inner_types(type):
        yield from _references(inner, depth + 1)


def _depth(type: TypeExpr) -> int:
    return 1 + max(map(_depth, inner_types(type)), default=0)


def _break_cycle(universe: Universe, declaration: TypeDecl) -> None:
    package = universe.packages[declaration.package]
    package.types[declaration.name] = replace(declaration, type=Unsupported("Nested", "a type nested too deeply"))
    message = f"{declaration}: {TOO_DEEP}"
    package.notes.append((str(declaration), Diagnostic("VG305", Severity.ERROR, message, declaration.span, HELP)))


_LONGEST_CHAIN = 100  # circular definitions are not legal Go, but files may contain anything

STRING = Builtin("string")
BOOL = Builtin("bool")

#: Inclusive ranges of the integer types by name.
INTEGER_RANGES: dict[str, tuple[int, int]] = {
    f"{sign}int{bits or ''}": (0, 2 ** (bits or 64) - 1)
    if sign
    else (-(2 ** ((bits or 64) - 1)), 2 ** ((bits or 64) - 1) - 1)
    for sign in ("", "u")
    for bits in (0, 8, 16, 32, 64)
}


@dataclass(frozen=True, slots=True)
class TypeSystem:
    """The types of one run. `wire` names the JSON form of types that decode themselves (`"time"`, `"quantity"` …)."""

    universe: Universe
    wire: Callable[[TypeDecl], str | None]

    def declaration(self, type: TypeExpr) -> TypeDecl | None:
        if not isinstance(type, Named):
            return None
        universe = self.universe
        package = universe.packages.get(type.package)
        found = package.types.get(type.name) if package else None
        if found is None or found.alias:  # most names are those of a type in a package that has been read
            found = universe.find(type)
        if found is None or (found.package, found.name) in universe.depths:
            return found
        return shallow(universe, found)

    def id(self, type: TypeExpr) -> str:
        """Returns the identity of a type: `import/path.Name` of its declaration, or the text of a type literal."""
        declaration = self.declaration(type)
        return str(type if declaration is None else declaration)

    def resolve(self, type: TypeExpr) -> TypeExpr:
        """Replaces Go aliases (`type A = B`) by their targets, at every depth."""
        match type:
            case Named():
                declaration = self.declaration(type)
                if declaration is None:
                    return type
                if declaration.alias:
                    return self.resolve(declaration.type)
                return Named(declaration.package, declaration.name, type.span)
            case Pointer(elem=elem):
                return Pointer(self.resolve(elem))
            case List(elem=elem):
                return List(self.resolve(elem))
            case Array(elem=elem):
                return replace(type, elem=self.resolve(elem))
            case Map(key=key, elem=elem):
                return Map(self.resolve(key), self.resolve(elem))
        return type

    def underlying(self, type: TypeExpr) -> TypeExpr:
        """Returns the type literal below a named type.

        Types with a struct below stay as they are (`type A B` is a struct of its own), and so do unknown types.
        """
        bottom = self._bottom(type)
        return bottom if self.struct(bottom) is None else type

    def struct(self, type: TypeExpr) -> Struct | None:
        """Returns a struct type, also through `type A B`; `None` for every other type."""
        declaration = self.declaration(self._bottom(type))
        return declaration.type if declaration is not None and isinstance(declaration.type, Struct) else None

    def find_lost(self, named: Named) -> Named | None:
        """Returns the unresolved type in the declaration of a type (`Y` in `type X []Y`), or the type itself."""
        seen = set()
        while (declaration := self.declaration(named)) is not None:
            inner = declaration.type
            while isinstance(inner, Pointer | List | Array | Map):
                inner = inner.elem
            seen.add(str(declaration))
            if declaration.custom_json or not isinstance(inner, Named) or str(inner) in seen:
                return None
            named = inner
        return named

    def field_names(self, type: TypeExpr) -> set[str]:
        """Returns the Go names of a struct's fields, with the fields of base classes."""
        names: set[str] = set()
        seen: set[str] = set()
        waiting = [type]
        while waiting:
            struct = self.struct(waiting.pop())
            for field in struct.fields if struct else ():
                names.add(field.go_name)
                if field.inherited and self.id(field.type) not in seen:
                    seen.add(self.id(field.type))
                    waiting.append(field.type)
        return names

    def _bottom(self, type: TypeExpr) -> TypeExpr:
        """Returns the end of a chain of definitions: a literal, or the name of a type declared as a struct."""
        for _ in range(_LONGEST_CHAIN):
            declaration = self.declaration(type)
            if declaration is None or isinstance(declaration.type, Struct):
                return type
            type = declaration.type
        return type

    def kind(self, type: TypeExpr) -> str:
        match type:
            case Builtin():
                return "Builtin"
            case Pointer():
                return "Pointer"
            case List():
                return "Slice"
            case Array():
                return "Array"
            case Map():
                return "Map"
            case Struct():
                return "Struct"
            case Interface():
                return "Interface"
            case Unsupported(kind=kind):
                return kind
        if self.declaration(type) is None:
            return "Unknown"
        return "Struct" if self.struct(type) is not None else "Alias"

    def native(self, type: TypeExpr) -> TypeExpr:
        """Returns the type without the definitions in between; pointers stay."""
        if isinstance(type, Pointer):
            return Pointer(self.native(type.elem))
        bottom = self.underlying(type)
        return self.native(bottom) if isinstance(bottom, Pointer) else bottom

    def value(self, type: TypeExpr) -> TypeExpr:
        """Returns the native type without pointers: the type that a value check sees."""
        return pointee(self.native(type))

    def value_id(self, type: TypeExpr) -> str:
        """Returns the id of a value's type as written, without aliases and pointers."""
        resolved = self.resolve(type)
        while isinstance(resolved, Pointer):
            resolved = self.resolve(resolved.elem)
        return self.id(resolved)

    def is_string(self, type: TypeExpr) -> bool:
        return self.value(type) == STRING

    def is_integer(self, type: TypeExpr) -> bool:
        value = self.value(type)
        return isinstance(value, Builtin) and value.name in INTEGER_KINDS

    def is_nilable(self, type: TypeExpr) -> bool:
        return isinstance(self.native(type), Pointer | List | Map | Interface)

    def is_comparable(self, type: TypeExpr) -> bool:
        """Returns whether Go's `==` compares the type fully: there is no pointer, list, map or interface inside."""
        return self._comparable(type, 0)

    def _comparable(self, type: TypeExpr, depth: int) -> bool:
        if depth > _LONGEST_CHAIN:
            return False
        match self.underlying(type):
            case Builtin():
                return True
            case Array(elem=elem):
                return self._comparable(elem, depth + 1)
            case Named() as named:
                struct = self.struct(named)
                return struct is not None and all(self._comparable(f.type, depth + 1) for f in struct.fields)
        return False

    def member(self, type: TypeExpr, json: str) -> Field | None:
        """Returns the direct member with this JSON name.

        As upstream, it ignores promoted members of embedded structs.
        """
        struct = self.struct(self.value(type))
        if struct is None:
            return None
        return next((f for f in struct.fields if f.path_name == json), None)

    def member_names(self, type: TypeExpr) -> list[str]:
        """Returns the JSON names of the direct members of a struct."""
        struct = self.struct(self.value(type))
        return [field.path_name for field in struct.fields] if struct else []

    def describe(self, type: TypeExpr, bottom: TypeExpr | None = None) -> str:
        """Formats the type for messages: `pkg.Name`, or `pkg.Name -> string` with another underlying type."""
        bottom = self.value(type) if bottom is None else bottom
        return str(type) if type == bottom else f"{type} -> {bottom}"
