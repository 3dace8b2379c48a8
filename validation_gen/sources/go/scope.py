"""Names in a Go file: the imports of the file and the types of its package."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from validation_gen.diagnostics import Diagnostic, Diagnostics
from validation_gen.runtime.words import nearest
from validation_gen.sources.go.comments import Comments
from validation_gen.sources.go.literals import string_value
from validation_gen.sources.go.syntax import SyntaxTree
from validation_gen.sources.model import (
    INTEGER_KINDS,
    Builtin,
    Interface,
    Named,
    Package,
    TypeDecl,
    TypeExpr,
    Unsupported,
)

if TYPE_CHECKING:
    from tree_sitter import Node

#: The predeclared types by their canonical names.
BUILTINS: dict[str, TypeExpr] = {
    **{
        name: Builtin(name)
        for name in sorted(
            INTEGER_KINDS | {"bool", "string", "uintptr", "float32", "float64", "complex64", "complex128"}
        )
    },
    "byte": Builtin("uint8"),
    "rune": Builtin("int32"),
    "any": Interface(),
    "error": Interface(),
    "comparable": Interface(),
}

_MAJOR_VERSION = re.compile(r"v[0-9]+")
_GOPKG_VERSION = re.compile(r"\.v[0-9]+$")


class Importer(Protocol):
    """Access to other packages for the reader of one package."""

    def package_name(self, path: str) -> str | None:
        """Returns the name in the package clause; `None` when no source is found."""

    def package(self, path: str) -> Package | None:
        """Returns the package; `None` when no source is found, and while it is being read (an import cycle)."""


@dataclass(slots=True)
class PackageScope:
    """The package being read. `types` grows while declarations are read; `names` is complete from the start."""

    path: str
    importer: Importer
    diagnostics: Diagnostics
    names: set[str] = field(default_factory=set)
    types: dict[str, TypeDecl] = field(default_factory=dict)
    #: As in `Package`.
    notes: list[tuple[str, Diagnostic]] = field(default_factory=list)


@dataclass(slots=True)
class Imports:
    """The import declarations of one file."""

    importer: Importer
    named: dict[str, str] = field(default_factory=dict)
    unnamed: list[str] = field(default_factory=list)
    dotted: list[str] = field(default_factory=list)
    _resolved: dict[str, str | None] = field(default_factory=dict)

    def add(self, tree: SyntaxTree, node: Node) -> None:
        """Adds an `import_spec` node."""
        path_node, name_node = node.child_by_field_name("path"), node.child_by_field_name("name")
        path = string_value(tree.text(path_node)) if path_node else None
        if not path:
            return
        name = tree.text(name_node) if name_node else ""
        if name == ".":
            self.dotted.append(path)
        elif not name:
            self.unnamed.append(path)
        elif name != "_":
            self.named.setdefault(name, path)

    def resolve(self, qualifier: str) -> str | None:
        """Returns the import path of a qualifier; `None` when nothing is imported under that name."""
        if qualifier in self.named:
            return self.named[qualifier]
        if qualifier not in self._resolved:
            self._resolved[qualifier] = self._resolve_unnamed(qualifier)
        return self._resolved[qualifier]

    def _resolve_unnamed(self, qualifier: str) -> str | None:
        """Finds a package by its package clause, or without source by its last element.

        Likely paths are tried first: a file rarely needs more than one disk access per qualifier.
        """
        unknown: list[str] = []
        for path in sorted(self.unnamed, key=lambda path: qualifier not in guess_names(path)):
            name = self.importer.package_name(path)
            if name == qualifier:
                return path
            if name is None:
                unknown.append(path)
        guesses = [(guess_names(path).index(qualifier), path) for path in unknown if qualifier in guess_names(path)]
        if guesses:
            return min(guesses)[1]
        # A package without source may have any name: the only one matches, unless the qualifier is close to another
        # name.
        is_slip = nearest(qualifier, [*self.named, *(guess_names(path)[0] for path in self.unnamed)])
        return unknown[0] if len(unknown) == 1 and not is_slip else None

    def suggestion(self, qualifier: str) -> str:
        known = [*self.named, *(guess_names(path)[0] for path in self.unnamed)]
        close = nearest(qualifier, known)
        return f"did you mean `{close[0]}`?" if close else "add an import declaration for it"


def guess_names(path: str) -> list[str]:
    """Returns likely package names of an import path, the likeliest first.

    The last element, or the one before a major version suffix (`k8s.io/klog/v2`), without the version of gopkg.in. Go
    allows any name, but the prefix `go-` and the suffixes `-go` and `.go` are common conventions.
    """
    elements = path.split("/")
    if len(elements) > 1 and _MAJOR_VERSION.fullmatch(elements[-1]):
        # `example.com/api/v1` is a package named v1, `k8s.io/klog/v2` is klog: v0 and v1 are never major suffixes
        likely = [elements[-1]] if elements[-1] in ("v0", "v1") else [elements[-2], elements[-1]]
    else:
        likely = [_GOPKG_VERSION.sub("", elements[-1])]
    bare = [re.sub(r"^go[-.]|[-.]go$", "", name) for name in likely]
    return list(dict.fromkeys([*likely, *bare, *(name.replace("-", "") for name in bare)]))


@dataclass(slots=True)
class FileScope:
    """One file of the package, with all that the readers of types and constants need."""

    tree: SyntaxTree
    comments: Comments
    imports: Imports
    package: PackageScope

    def unqualified(self, name: str, node: Node, parameters: tuple[str, ...] = ()) -> TypeExpr:
        """Resolves a plain type name: Go tries type parameters, the package, dot imports and builtins in turn."""
        if name in parameters:
            return Unsupported("TypeParam", name)
        if name in self.package.names:
            return Named(self.package.path, name, self.tree.span(node))
        if name in BUILTINS:
            return BUILTINS[name]
        return Named(self._dotted(name) or self.package.path, name, self.tree.span(node))

    def qualified(self, qualifier: str, name: str, node: Node) -> TypeExpr:
        """Resolves `qualifier.name`. An unknown qualifier is reported here and gives `Unsupported("Unresolved")`."""
        path = self.imports.resolve(qualifier)
        if path is None:
            self.package.diagnostics.error(
                "VG301",
                f"`{qualifier}` in `{qualifier}.{name}` is not an imported package",
                self.tree.span(node),
                help=self.imports.suggestion(qualifier),
            )
            return Unsupported("Unresolved", f"{qualifier}.{name}")
        return Named(path, name, self.tree.span(node))

    def _dotted(self, name: str) -> str | None:
        """Returns the dot-imported package that declares this name; without sources, the only possible one."""
        if not name[:1].isupper():
            return None
        unknown: list[str] = []
        for path in self.imports.dotted:
            package = self.package.importer.package(path)
            if package is None:
                unknown.append(path)
            elif name in package.types:
                return path
        return unknown[0] if len(unknown) == 1 else None
