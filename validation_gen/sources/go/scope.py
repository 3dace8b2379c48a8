"""Names in a Go file: the imports of the file and the types of its package; and its syntax tree, by tree-sitter.

No other module imports tree-sitter; it is loaded with the first file, so that commands that read no Go start fast.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from validation_gen.diagnostics import Diagnostic, Diagnostics, Span
from validation_gen.runtime.words import nearest
from validation_gen.sources.go.comments import Comments
from validation_gen.sources.go.literals import string_value
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
    from tree_sitter import Node, Parser


_MAX_ERRORS = 3
_EXCERPT = 30
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_DECLARATIONS = (
    "package_clause",
    *(f"{kind}_declaration" for kind in ("import", "type", "const", "var", "function", "method")),
)
# The compiler checks function bodies and variables: they hide no declaration, and the grammar may be older than the
# user's version of Go.
_PASSED_OVER = ("block", "var_declaration")
_QUOTES = {"`": "raw string", '"': "string", "'": "character"}


@cache
def _parser() -> Parser:
    import tree_sitter  # noqa: PLC0415
    import tree_sitter_go  # noqa: PLC0415

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_go.language()))


class SyntaxTree:
    """One parsed file. It returns the texts and spans of nodes, because nodes count bytes."""

    __slots__ = ("_ascii", "_data", "file", "root")

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self._data = text.encode()
        self._ascii = len(self._data) == len(text)
        self.root = _parser().parse(self._data).root_node

    def text(self, node: Node) -> str:
        return self._data[node.start_byte : node.end_byte].decode(errors="replace")

    def line(self, node: Node) -> int:
        return node.start_point[0] + 1

    def span(self, node: Node) -> Span:
        """Returns the node's span; of a node with several lines, the part on its first line."""
        row, column = node.start_point
        start, end = node.start_byte, node.end_byte
        if node.end_point[0] != row:
            end = self._data.find(b"\n", start)
            end -= self._data[end - 1 : end] == b"\r"
        if self._ascii:
            return Span(self.file, row + 1, column + 1, column + 1 + end - start)
        first = len(self._data[start - column : start].decode(errors="replace")) + 1
        return Span(self.file, row + 1, first, first + len(self._data[start:end].decode(errors="replace")))

    def declarations(self) -> Iterator[Node]:
        """Yields the nodes at the top level, also those inside error nodes."""
        stack = [self.root]
        while stack:
            stack.extend(reversed(stack.pop().children))
            while stack and not (stack[-1].is_error or stack[-1].type == "statement_list"):
                yield stack.pop()

    def report_errors(self, diagnostics: Diagnostics) -> bool:
        """Reports a VG101 for the first few syntax errors; returns whether there were any."""
        found = list(islice(self._errors(), _MAX_ERRORS))
        for span, message in found:
            diagnostics.error("VG101", message, span)
        return bool(found)

    def _errors(self) -> Iterator[tuple[Span, str]]:
        for top in [self.root] if self.root.is_error else self.root.children:
            if top.is_named and not (top.is_error or top.is_extra or top.type in _DECLARATIONS):
                # the grammar takes statements at the top level; Go does not
                yield self.span(top), f"syntax error: a declaration is expected, not {self._excerpt(top)}"
                continue
            stack = [top]
            while stack:
                node = stack.pop()
                if node.is_missing or node.is_error:
                    yield self._explain(node)
                elif node.has_error and node.type not in _PASSED_OVER:
                    stack.extend(reversed(node.children))

    def _explain(self, node: Node) -> tuple[Span, str]:
        """Returns position and text of an error. An error node may span half a file; the user wants the wrong token."""
        if node.is_missing:
            wanted = "a new line or `;`" if node.type.startswith("source_file") else f"`{node.type}`"
            wanted = {"`identifier`": "a name", "`type_identifier`": "a type"}.get(wanted, wanted)
            if node.type in _QUOTES:
                wanted = f"the closing `{node.type}` of a {_QUOTES[node.type]}"
            return self._find_missing_span(node), f"syntax error: {wanted} is missing"
        to_the_end = not self._data[node.end_byte :].strip()
        unclosed: list[Node] = []
        for child in node.children:
            if child.type in _QUOTES:
                return self.span(child), f"syntax error: this {_QUOTES[child.type]} is not closed"
            if child.type in _CLOSING:
                unclosed.append(child)
            elif unclosed and child.type == _CLOSING[unclosed[-1].type]:
                unclosed.pop()
        one_line = node.start_point[0] == node.end_point[0]
        if unclosed and (to_the_end or (one_line and unclosed[-1].type != "{")):
            return self.span(unclosed[-1]), f"syntax error: this `{unclosed[-1].type}` is not closed"
        leaf = node
        while leaf.child_count and leaf.children[0].end_byte > leaf.children[0].start_byte:
            leaf = leaf.children[0]
        return self.span(leaf), f"syntax error: unexpected {self._excerpt(leaf)}"

    def _excerpt(self, node: Node) -> str:
        text = self.text(node).partition("\n")[0].strip()
        if not text.isprintable():
            return f"character {text[0]!r}"
        return f"`{text if len(text) <= _EXCERPT else text[: _EXCERPT - 1] + '…'}`"

    def _find_missing_span(self, node: Node) -> Span:
        """Returns the position for a missing, empty node: the next character, or one past the end of the line."""
        span = self.span(node)
        return Span(span.file, span.line, span.column, span.column + 1)


def operand(node: Node) -> Node | None:
    """Returns the first child of a node, apart from comments."""
    return next((child for child in node.named_children if child.type != "comment"), None)


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
    """One file of the package, with the data for the readers of types and constants."""

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
        return Named(self._find_dot_import(name) or self.package.path, name, self.tree.span(node))

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

    def _find_dot_import(self, name: str) -> str | None:
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
