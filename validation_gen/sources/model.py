"""Facts of a source: packages, types, fields, constants and the comments above them.

This is the common model of all readers (Go and Python). It has facts only: no parsed tags and no rules. Names follow
Go's, because upstream's rules use Go's terms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from validation_gen.diagnostics import Diagnostic, Span
from validation_gen.tags.model import CommentLine

INTEGER_KINDS = frozenset(
    "int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64".split()  # uintptr is not an integer of an API
)


@dataclass(frozen=True, slots=True)
class Builtin:
    """A predeclared Go type by its canonical name: `byte` is `uint8`, `rune` is `int32`."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Named:
    """A reference to a declared type. `package` is the import path; `span` is the position of the reference."""

    package: str
    name: str
    span: Span | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"{self.package}.{self.name}"


#: Import path of the package with `ObjectMeta`.
META = "k8s.io/apimachinery/pkg/apis/meta/v1"
TIME = Named(META, "Time")
RAW_EXTENSION = Named("k8s.io/apimachinery/pkg/runtime", "RawExtension")
QUANTITY = Named("k8s.io/apimachinery/pkg/api/resource", "Quantity")
INT_OR_STRING = Named("k8s.io/apimachinery/pkg/util/intstr", "IntOrString")


@dataclass(frozen=True, slots=True)
class Pointer:
    elem: TypeExpr

    def __str__(self) -> str:
        return f"*{self.elem}"


@dataclass(frozen=True, slots=True)
class List:
    """A Go slice."""

    elem: TypeExpr

    def __str__(self) -> str:
        return f"[]{self.elem}"


@dataclass(frozen=True, slots=True)
class Array:
    """A Go array; `length` is its source text, `count` its value, `None` if that is unknown."""

    length: str
    elem: TypeExpr
    count: int | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"[{self.length}]{self.elem}"


@dataclass(frozen=True, slots=True)
class Map:
    key: TypeExpr
    elem: TypeExpr

    def __str__(self) -> str:
        return f"map[{self.key}]{self.elem}"


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct. `unexported` are the embedded types that Go does not export: JSON sees their fields, rules do not."""

    fields: tuple[Field, ...]
    unexported: tuple[Field, ...] = field(default=(), compare=False)

    def decoded(self) -> tuple[Field, ...]:
        """All fields that JSON may see, in source order."""
        if not self.unexported:
            return self.fields
        return tuple(sorted((*self.fields, *self.unexported), key=lambda each: (each.span.line, each.span.column)))

    def __str__(self) -> str:
        return "struct{…}"


@dataclass(frozen=True, slots=True)
class Interface:
    def __str__(self) -> str:
        return "interface{}"


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A type that no API can have. `kind` is Go's name for it (`Chan`, `Func`), `text` its source."""

    kind: str
    text: str

    def __str__(self) -> str:
        return self.text


TypeExpr = Builtin | Named | Pointer | List | Array | Map | Struct | Interface | Unsupported


def inner_types(type: TypeExpr) -> tuple[TypeExpr, ...]:
    """Returns the element types of a pointer, list, array or map; nothing for other types."""
    match type:
        case Pointer(elem=elem) | List(elem=elem) | Array(elem=elem):
            return (elem,)
        case Map(key=key, elem=elem):
            return key, elem
    return ()


def comments_of_fields(type: TypeExpr) -> Iterator[CommentLine]:
    """Yields the comments of the fields of a struct, and of those inside of a type."""
    for member in type.fields if isinstance(type, Struct) else ():
        yield from (*member.apart, *member.comments)
        yield from comments_of_fields(member.type)
    for inner in inner_types(type):
        yield from comments_of_fields(inner)


def pointee(type: TypeExpr) -> TypeExpr:
    """Returns the type behind all pointers."""
    while isinstance(type, Pointer):
        type = type.elem
    return type


@dataclass(frozen=True, slots=True)
class Field:
    """A struct field. Readers leave out unexported fields.

    `json` is the name under which JSON decoding finds the field, `""` when it has none: an inlined (embedded) struct,
    or `json:"-"` (then `omitted` is true). `path_name` is the name in field paths, `""` where upstream adds no element.
    `omit` is `"omitempty"`, `"omitzero"` or `""`: the values that encoding leaves out. `attribute` is the name in a
    Python class. `inherited`: an embedded struct is the base of such a class, so that its fields are the class's own.
    `apart` as in `TypeDecl`. `tag` is Go's struct tag as it is written, `""` without one; Python has none.
    """

    go_name: str
    type: TypeExpr
    json: str
    inline: bool
    omitted: bool
    embedded: bool
    comments: tuple[CommentLine, ...]
    span: Span
    omit: str = ""
    attribute: str = ""
    inherited: bool = False
    apart: tuple[CommentLine, ...] = field(default=(), compare=False)
    tag: str | None = field(default=None, compare=False)
    #: True if the tag has the option `string`: a number, a boolean or a text is in a string of its own.
    quoted: bool = False
    #: True if Go exports it: some embedded ones are not exported.
    exported: bool = True

    @property
    def path_name(self) -> str:
        return "" if self.inline or self.omitted else self.json


@dataclass(frozen=True, slots=True)
class TypeDecl:
    """A declared type.

    `type` is the right-hand side as written (`type A B` has `Named B`), so nothing is flattened here. `alias` is true
    for `type A = B`. `closest` is the doc comment, `second_closest` the block one empty line above it. `custom_json` is
    true when the type has an `UnmarshalJSON` or `UnmarshalText` method of its own, `text_json` when its methods are
    only for text, so that JSON has a string, `writes_json` when it has a `MarshalJSON`. `parameters` names its type
    parameters. `apart` is the last comment between the doc comment and the previous declaration, however far above:
    controller-gen's `second_closest`.
    """

    package: str
    name: str
    type: TypeExpr
    span: Span
    alias: bool = False
    closest: tuple[CommentLine, ...] = ()
    second_closest: tuple[CommentLine, ...] = ()
    custom_json: bool = False
    writes_json: bool = False
    text_json: bool = field(default=False, compare=False)
    parameters: tuple[str, ...] = ()
    apart: tuple[CommentLine, ...] = field(default=(), compare=False)
    #: Docstring of a Python class.
    docstring: str = field(default="", compare=False)

    @property
    def exported(self) -> bool:
        return self.name[:1].isupper()

    @property
    def fields(self) -> tuple[Field, ...]:
        """Returns the fields that a struct itself declares; no fields for other types."""
        return self.type.fields if isinstance(self.type, Struct) else ()

    def __str__(self) -> str:
        return f"{self.package}.{self.name}"


@dataclass(frozen=True, slots=True)
class Const:
    """A constant. `type` is its declared type or `None`; `value` is `None` when it could not be evaluated."""

    name: str
    type: Named | Builtin | None
    value: str | int | float | bool | None
    comments: tuple[CommentLine, ...]
    span: Span


@dataclass(slots=True)
class Package:
    """A package as read.

    `path` is its import path, `name` its package clause, `directory` where its files are (as the user would write it),
    `module` the import path of its module. `comments` are all comment lines of its `doc.go`, `loose` those of all files
    that are neither doc comments nor inside declarations, `stray` comments with tags that no declaration has read,
    `misplaced` comments with a plus sign that belong to no type or field, `pragmas` comments of all files that address
    this program by name. `input` is true when the user named the package, false when an import led to it.
    """

    path: str
    name: str
    directory: str
    module: str
    comments: tuple[CommentLine, ...] = ()
    loose: tuple[CommentLine, ...] = field(default=(), compare=False)
    stray: tuple[CommentLine, ...] = field(default=(), compare=False)
    misplaced: tuple[CommentLine, ...] = field(default=(), compare=False)
    pragmas: tuple[CommentLine, ...] = field(default=(), compare=False)
    #: Findings about its types, each with the type's id. They matter only if the package takes part.
    notes: list[tuple[str, Diagnostic]] = field(default_factory=list)
    types: dict[str, TypeDecl] = field(default_factory=dict)
    constants: list[Const] = field(default_factory=list)
    input: bool = True
    broken: bool = False
    #: Files of its directory that are not for the platform, each with the reason.
    left_out: tuple[str, ...] = field(default=(), compare=False)

    @property
    def span(self) -> Span:
        return Span(self.directory)


@dataclass(slots=True)
class Universe:
    """All packages of a run. Packages outside the input are loaded at the first use of one of their types."""

    packages: dict[str, Package] = field(default_factory=dict)
    load: Callable[[str], Package | None] = lambda path: None
    #: Release of Kubernetes whose bundled types count.
    release: str = ""
    #: Returns a help for a package whose source cannot be found.
    locate: Callable[[str], str] = lambda path: f"name its source with --module {path}=DIR"
    #: Cache of the depth and size of type definitions (`nesting`).
    depths: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)

    def package(self, path: str) -> Package | None:
        """Returns the package with this import path, and loads it if needed; `None` when no source can be found."""
        if path not in self.packages:
            loaded = self.load(path)
            if loaded is None:
                return None
            self.packages[path] = loaded
        return self.packages[path]

    def find(self, name: Named) -> TypeDecl | None:
        """Returns the declaration of a reference, through Go aliases (`type A = B`); `None` when there is none."""
        for _ in range(100):  # a cycle of aliases is not legal Go, but files may hold anything
            package = self.packages.get(name.package) or self.package(name.package)
            declaration = package.types.get(name.name) if package else None
            if declaration is None or not declaration.alias or not isinstance(declaration.type, Named):
                return declaration
            name = declaration.type
        return None

    def is_input(self, path: str) -> bool:
        """Returns whether the user named a package."""
        package = self.package(path)
        return package is not None and package.input

    @property
    def inputs(self) -> list[Package]:
        return [self.packages[path] for path in sorted(self.packages) if self.packages[path].input]
