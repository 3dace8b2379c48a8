"""Type expressions in Python."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.sources.model import (
    Builtin,
    Interface,
    List,
    Map,
    Named,
    Package,
    Pointer,
    Struct,
    TypeDecl,
    TypeExpr,
)
from validation_gen.sources.typesystem import STRING, TypeSystem
from validation_gen.types import meta
from validation_gen.uses.convert.comments import is_tag
from validation_gen.uses.convert.layout import META_NAMES, Layout
from validation_gen.uses.convert.pynames import META, OURS, TYPING, Names

BYTE = Builtin("uint8")
_PLAIN = {"string": "str", "bool": "bool", "float64": "float", "int64": "int"}
_WIDTHS = {name: name.capitalize() for name in "int int8 int16 int32 uint8 uint16 uint32 uint64 float32".split()}
_WIDTHS["uint"] = "Uint64"


@dataclass(slots=True)
class Scope:
    """State that the writers of one module share. `defined` are the types above the current line."""

    package: Package
    layout: Layout
    types: TypeSystem
    diagnostics: Diagnostics
    names: Names
    enums: frozenset[str] = frozenset()
    defined: set[str] = field(default_factory=set)
    remarks: list[str] = field(default_factory=list)
    #: Statements that are too long for a line, each with its indentation.
    long: list[tuple[str, str]] = field(default_factory=list)
    can_be_empty: dict[Named, bool] = field(default_factory=dict)

    def typing(self, name: str) -> str:
        return self.names.imported(TYPING, name)

    def refuse(self, what: str, why: str, span: Span, help: str) -> str:
        """Reports a type that Python cannot represent and leaves it open. The remark becomes a comment there."""
        self.tell(what, why, span, help)
        return self.typing("Any")

    def tell(self, what: str, why: str, span: Span, help: str) -> None:
        """Reports a partial loss of an element that is written nevertheless."""
        self.diagnostics.warning("VG107", f"{what} cannot be converted to Python: {why}", span, help)
        self.remarks.append(f"`{what}` in Go: {why}.")

    # --- types -------------------------------------------------------------------------------------------------------

    def text(self, type: TypeExpr, span: Span) -> str:
        """Returns the annotation for a type. Types that Python lacks become `Any`, with a remark."""
        match type:
            case Builtin(name=name) if name in _PLAIN:
                return _PLAIN[name]
            case Builtin(name=name) if name in _WIDTHS:
                plain = "float" if name.startswith("float") else "int"
                width = self.names.imported(OURS, _WIDTHS[name], "Go")
                return f"{self.typing('Annotated')}[{plain}, {width}]"
            case Named():
                return self._reference(type, type.span or span)
            case Pointer(elem=elem) if self._is_nilable(elem):
                help = "take one star away, or write the type by hand"
                return self.refuse(shown(type), "there is one way to be absent in Python, not two", span, help)
            case Pointer(elem=elem):
                return f"{self.text(elem, span)} | None"
            case List(elem=elem):
                return "bytes" if elem == BYTE else f"list[{self.text(elem, span)}]"
            case Map(key=key, elem=elem) if self.is_key(key):
                return f"dict[{self.text(key, span)}, {self.text(elem, span)}]"
            case Map():
                return self.refuse(shown(type), "its keys are not strings", span, "use strings, as JSON does")
            case Interface():
                return self.typing("Any")
        return self.refuse(shown(type), "Python has no type like it", span, "write the type by hand")

    def _is_nilable(self, type: TypeExpr) -> bool:
        """Returns whether `None` is already a value of a type, so that a pointer to it would be ambiguous."""
        known = not isinstance(type, Named) or self.is_alias(type)
        return known and isinstance(self.types.underlying(type), List | Map | Pointer | Interface)

    def is_alias(self, type: TypeExpr) -> bool:
        """Returns whether a type is an alias in a module of ours, which readers look up."""
        declaration = self.types.declaration(type)
        if declaration is None or (declaration.package, declaration.name) in META_NAMES:
            return False
        return self.layout.has(declaration.package) and not isinstance(declaration.type, Struct)

    def is_key(self, key: TypeExpr) -> bool:
        bottom = self.types.underlying(key)
        unknown = isinstance(bottom, Named) and self.types.declaration(bottom) is None  # it is assumed to be fine
        return bottom == STRING or unknown

    def _reference(self, type: Named, span: Span) -> str:
        known = META_NAMES.get((type.package, type.name))
        if type.package == self.package.path and type.name in self.names.own:
            return self.names.own[type.name]
        if known:
            return self.names.imported(META, known, "Meta")
        package = self.types.universe.package(type.package)
        if package is None or type.name not in package.types or not self.layout.has(type.package):
            declaration = self.types.declaration(type)
            if declaration is not None and isinstance(declaration.type, Builtin) and is_plain(declaration):
                # such as time.Duration, of which only the underlying type is known
                text = self.text(declaration.type, span)
                why = f"its values are written as {declaration.type}, without its name"
                self.tell(shown(type), why, span, "nothing else is lost; write the Go type again on the way back")
                return text
            help = f"name the directory of {type.package} as another PATH, or with --module"
            return self.refuse(shown(type), "its source is not at hand", span, help)
        prefix = "".join(part.title().replace("_", "") for part in self.layout.module_parts(package)[-2:])
        return self.names.imported(self.layout.relative(self.package, package), type.name, prefix)

    def class_of(self, type: TypeExpr) -> TypeDecl | None:
        """Returns the declaration of a type that is a class in Python, and not an alias."""
        declaration = self.types.declaration(type)
        if declaration is None or not isinstance(declaration.type, Struct) or not is_plain(declaration):
            return None
        if META_NAMES.get((declaration.package, declaration.name)):
            return declaration if dataclasses.is_dataclass(meta_value(declaration)) else None
        return declaration if self.layout.has(declaration.package) else None


def meta_value(declaration: TypeDecl) -> object:
    """Returns the type in `validation_gen.types.meta` for a type of Kubernetes."""
    return getattr(meta, META_NAMES[declaration.package, declaration.name])


def shown(type: TypeExpr) -> str:
    """Returns a type as Go writes it, with the last part of import paths only."""
    match type:
        case Named(package=package, name=name):
            return f"{package.rpartition('/')[2]}.{name}"
        case Pointer(elem=elem):
            return f"*{shown(elem)}"
        case List(elem=elem):
            return f"[]{shown(elem)}"
        case Map(key=key, elem=elem):
            return f"map[{shown(key)}]{shown(elem)}"
    return str(type)


def is_plain(declaration: TypeDecl) -> bool:
    """Returns whether a type is fully declared: without type parameters and without its own JSON form."""
    return not declaration.custom_json and not declaration.parameters


def is_enum(declaration: TypeDecl, package: Package) -> bool:
    """Returns whether a type becomes an `Enum`: a string with `+k8s:enum`, maybe behind other tags, and constants."""
    own = Named(declaration.package, declaration.name)
    return (
        declaration.type == STRING
        and is_plain(declaration)
        and not declaration.alias
        and any(is_tag(line) and line.text.rstrip().endswith("+k8s:enum") for line in declaration.closest)
        and any(constant.type == own and isinstance(constant.value, str) for constant in package.constants)
    )


def inherited(declaration: TypeDecl, scope: Scope) -> Sequence[Named]:
    """Returns the embedded structs that become base classes: leading ones without comments and options."""
    fields = declaration.type.fields if isinstance(declaration.type, Struct) else ()
    bases: list[Named] = []
    seen = {(declaration.package, declaration.name)}
    for f in fields:
        plain = f.embedded and f.inline and not f.json and not f.comments and not f.omit and not f.omitted
        above = _ancestors(f.type, scope)
        if not plain or not isinstance(f.type, Named) or not scope.class_of(f.type) or seen & above:
            break
        found = scope.types.declaration(f.type)
        if found is None or found.name != f.go_name:
            break
        bases.append(f.type)
        seen |= above
    return bases


def _ancestors(type: TypeExpr, scope: Scope) -> set[tuple[str, str]]:
    """Returns a struct and all embedded structs: no class may have one of them as a base twice."""
    found: set[tuple[str, str]] = set()
    waiting = [type]
    while waiting:
        declaration = scope.types.declaration(waiting.pop())
        if (
            declaration
            and isinstance(declaration.type, Struct)
            and (declaration.package, declaration.name) not in found
        ):
            found.add((declaration.package, declaration.name))
            waiting += [f.type for f in declaration.type.fields if f.embedded]
    return found
