"""Type expressions in Python, with the imports and the names that they need in a module."""

from __future__ import annotations

import dataclasses
import keyword
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from validation_gen.commands.convert.comments import META_NAMES, Layout, is_tag
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
from validation_gen.types.naming import attribute_name

FUTURE, DATACLASSES, ENUM, TYPING = "__future__", "dataclasses", "enum", "typing"
OURS, META = "validation_gen.types", "validation_gen.types.meta"
_STANDARD = (DATACLASSES, ENUM, TYPING)

#: Builtins that annotations and defaults need. Names in the module must not shadow them.
BUILTINS = frozenset("bool bytes dict field float int list str".split())


class Names:
    """The names of one module. Its own take precedence: imports are renamed to avoid them."""

    def __init__(self, declared: Iterable[str]) -> None:
        self.own = {name: _safe(name) for name in declared}
        self._taken = {*self.own.values(), *BUILTINS}
        self._imported: dict[tuple[str, str], str] = {}

    def imported(self, module: str, name: str, prefix: str = "Py") -> str:
        """Imports a name of another module, and returns its local name. `prefix` avoids conflicts with own names."""
        key = (module, name)
        if key not in self._imported:
            plain = name == "field" and module == DATACLASSES
            self._imported[key] = name if plain else unique(name, self._taken, f"{prefix}{name}")
        return self._imported[key]

    def new(self, name: str) -> str:
        """Returns a name for another declaration of the module."""
        return unique(_safe(name), self._taken)

    def import_lines(self) -> list[list[str]]:
        """Returns import statements in their customary groups."""
        modules: dict[str, list[str]] = {}
        for (module, name), local in sorted(self._imported.items()):
            modules.setdefault(module, []).append(name if name == local else f"{name} as {local}")
        lines = {module: f"from {module} import {', '.join(names)}" for module, names in modules.items()}
        standard = [lines[m] for m in _STANDARD if m in lines]
        ours = [lines[m] for m in (OURS, META) if m in lines]
        siblings = [lines[m] for m in sorted(lines, key=_distance) if m.startswith(".")]
        future = [lines[FUTURE]] if FUTURE in lines else []
        return [group for group in (future, standard, ours, siblings) if group]


def _distance(module: str) -> tuple[int, str]:
    """Returns the sort key of relative imports: the most distant first."""
    name = module.lstrip(".")
    return (len(name) - len(module), name)


def _safe(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) or name in BUILTINS or name == "object" else name


def unique(name: str, taken: set[str], second: str = "") -> str:
    """Reserves and returns a free name: the wanted one, the second choice, or one with a number."""
    number = 1
    wanted = name
    while wanted in taken:
        wanted = second if second and second not in taken else f"{second or name}_{(number := number + 1)}"
    taken.add(wanted)
    return wanted


def attribute(name: str, hidden: Collection[str], taken: set[str]) -> str:
    """Returns an attribute for a JSON name or a Go name that shadows no name in annotations of the class."""
    wanted = attribute_name(name)
    return unique(f"{wanted}_" if wanted in BUILTINS or wanted in hidden else wanted, taken)


def member_names(type_name: str, constants: list[str]) -> list[str]:
    """Returns names for the members of an enum: its constants in capitals, without their common first words."""
    words = [_words(name) for name in constants]
    first, last = min(words), max(words)
    shared = 0
    while shared < min(len(first), len(last)) and first[shared] == last[shared]:
        shared += 1
    own = _words(type_name)
    if len(words) == 1:
        shared = len(own) if words[0][: len(own)] == own else 0
    short = [w[shared:] for w in words]
    if not all(s and s[0][0].isalpha() for s in short):
        short = words
    taken: set[str] = set()
    return [unique("_".join(s).upper(), taken) for s in short]


def _words(name: str) -> list[str]:
    return [word for word in re.split("_+", attribute_name(name)) if word]


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
                return self.refuse(render_type(type), "there is one way to be absent in Python, not two", span, help)
            case Pointer(elem=elem):
                return f"{self.text(elem, span)} | None"
            case List(elem=elem):
                return "bytes" if elem == BYTE else f"list[{self.text(elem, span)}]"
            case Map(key=key, elem=elem) if self.is_key(key):
                return f"dict[{self.text(key, span)}, {self.text(elem, span)}]"
            case Map():
                return self.refuse(render_type(type), "its keys are not strings", span, "use strings, as JSON does")
            case Interface():
                return self.typing("Any")
        return self.refuse(render_type(type), "Python has no type like it", span, "write the type by hand")

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
                self.tell(render_type(type), why, span, "nothing else is lost; write the Go type again on the way back")
                return text
            help = f"name the directory of {type.package} as another PATH, or with --module"
            return self.refuse(render_type(type), "its source is not at hand", span, help)
        prefix = "".join(part.title().replace("_", "") for part in self.layout.module_parts(package)[-2:])
        return self.names.imported(self.layout.relative(self.package, package), type.name, prefix)

    def find_class(self, type: TypeExpr) -> TypeDecl | None:
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


def render_type(type: TypeExpr) -> str:
    """Returns a type as Go writes it, with the last part of import paths only."""
    match type:
        case Named(package=package, name=name):
            return f"{package.rpartition('/')[2]}.{name}"
        case Pointer(elem=elem):
            return f"*{render_type(elem)}"
        case List(elem=elem):
            return f"[]{render_type(elem)}"
        case Map(key=key, elem=elem):
            return f"map[{render_type(key)}]{render_type(elem)}"
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


def find_base_classes(declaration: TypeDecl, scope: Scope) -> Sequence[Named]:
    """Returns the embedded structs that become base classes: leading ones without comments and options."""
    fields = declaration.type.fields if isinstance(declaration.type, Struct) else ()
    bases: list[Named] = []
    seen = {(declaration.package, declaration.name)}
    for f in fields:
        plain = f.embedded and f.inline and not f.json and not f.comments and not f.omit and not f.omitted
        above = _ancestors(f.type, scope)
        if not plain or not isinstance(f.type, Named) or not scope.find_class(f.type) or seen & above:
            break
        found = scope.types.declaration(f.type)
        if found is None or found.name != f.go_name:
            break
        bases.append(f.type)
        seen |= above
    return bases


def _ancestors(type: TypeExpr, scope: Scope) -> set[tuple[str, str]]:
    """Returns a struct and all embedded structs, because no class can have a base twice."""
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
