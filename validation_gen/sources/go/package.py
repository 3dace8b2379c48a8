"""Reads one Go package directory into the model.

It works in two steps, because all files of a package share its names: first it parses all files and collects the names
of their types, then it reads declarations. Types that contain themselves by value, also through other structs and
arrays, have no finite size; packages cannot import each other in a cycle, so each is checked separately.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from validation_gen.sources.go.comments import Comments
from validation_gen.sources.go.constants import ConstantReader
from validation_gen.sources.go.files import GoFile
from validation_gen.sources.go.scope import FileScope, Importer, Imports, PackageScope, SyntaxTree
from validation_gen.sources.go.types import TypeReader
from validation_gen.sources.model import Array, Named, Package, Struct, TypeDecl, TypeExpr
from validation_gen.tags.model import PRAGMA, TAG

if TYPE_CHECKING:
    from tree_sitter import Node


def endless(package: str, types: Mapping[str, TypeDecl]) -> Iterator[tuple[str, Diagnostic]]:
    """Yields an error for each type of a package that contains itself by value, with the id of the type."""
    edges = {name: list(_find_contained(package, declaration)) for name, declaration in types.items()}
    rings = _rings({name: [to for to, _ in found if to in types] for name, found in edges.items()})
    for name, found in edges.items():
        for to, span in found:
            if name in rings and rings.get(to) == rings[name]:
                owner = f"{package}.{name}"
                message = f"{owner}: the type contains itself by value{'' if to == name else f', through {to}'}"
                help = "make it a pointer or a list, which may be absent"
                yield owner, Diagnostic("VG302", Severity.ERROR, message, span, help)


def _find_contained(package: str, declaration: TypeDecl) -> Iterator[tuple[str, Span]]:
    """Yields the types of the same package that a type contains by value, with positions."""
    if isinstance(declaration.type, Struct):
        parts = [(field.type, field.span) for field in declaration.type.fields]
    else:
        parts = [(declaration.type, declaration.span)]
    for type, span in parts:
        inner: TypeExpr = type
        while isinstance(inner, Array):
            inner = inner.elem
        if isinstance(inner, Named) and inner.package == package:
            yield inner.name, span


def _rings(edges: Mapping[str, list[str]]) -> dict[str, str]:
    """Returns the types in cycles, each with the name of its cycle (Tarjan's strongly connected components)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    waiting: list[str] = []
    found: dict[str, str] = {}
    for start in edges:
        work = [(start, iter(edges[start]))] if start not in number else []
        while work:
            node, rest = work[-1]
            if node not in number:
                number[node] = lowest[node] = len(number)
                waiting.append(node)
            to = next(rest, None)
            if to is None:
                work.pop()
                if work:
                    lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[node])
                if lowest[node] == number[node]:
                    ring = waiting[waiting.index(node) :] if waiting[-1] != node else [node]
                    del waiting[-len(ring) :]
                    if len(ring) > 1 or node in edges[node]:
                        found |= dict.fromkeys(ring, node)
                    lowest |= dict.fromkeys(ring, len(edges))  # done: nothing behind it leads back here
            elif to not in number:
                work.append((to, iter(edges[to])))
            else:
                lowest[node] = min(lowest[node], lowest[to])
    return found


_DECODERS = ("UnmarshalJSON", "UnmarshalText")
_OF_JSON = ("MarshalJSON", "UnmarshalJSON")
_OF_TEXT = ("MarshalText", "UnmarshalText")


@dataclass(frozen=True, slots=True)
class PackageSource:
    """A package as found, not yet read: its place and its files, sorted by name.

    `broken`: a file could not be read, which has been reported already. `left_out` names files that are not for the
    platform, with the reasons.
    """

    path: str
    name: str
    directory: str
    module: str
    files: Sequence[GoFile]
    broken: bool = False
    left_out: tuple[str, ...] = ()


@dataclass(slots=True)
class _File:
    """A parsed file with its top-level nodes by kind."""

    scope: FileScope
    types: list[Node]
    constants: list[Node]
    methods: list[Node]
    functions: list[Node]
    unread: list[Node] = field(default_factory=list)
    groups: list[Node] = field(default_factory=list)
    values: list[Node] = field(default_factory=list)


def read_package(
    source: PackageSource, importer: Importer, diagnostics: Diagnostics, *, user: bool = True, tags: bool = True
) -> Package:
    """Reads a package. Errors are reported, and the rest is read all the same.

    `user`: the user named the package. Without `tags`, its `+k8s:` tags are borrowed.
    """
    scope = PackageScope(source.path, importer, diagnostics)
    package = Package(source.path, source.name, source.directory, source.module, input=user, broken=source.broken)
    package.left_out = source.left_out
    files: list[_File] = []
    for file in source.files:
        if file.declares_nothing:
            continue
        tree = SyntaxTree(file.display, file.text)
        package.broken |= tree.report_errors(diagnostics)
        parsed = _sort(tree, FileScope(tree, Comments(file.display, file.text, tags), Imports(importer), scope))
        files.append(parsed)
        if file.name == "doc.go":
            package.comments = parsed.scope.comments.all_lines()
        if PRAGMA in file.text:
            package.pragmas += tuple(line for line in parsed.scope.comments.all_lines() if line.is_pragma)
        package.loose += parsed.scope.comments.between(
            _find_lines(node) for node in tree.declarations() if node.type.endswith("_declaration")
        )
    constants = ConstantReader(scope)
    for parsed in files:
        for node in parsed.constants:
            constants.declare(node, parsed.scope)
    for parsed in files:
        types = TypeReader(parsed.scope, constants)
        for node in parsed.types:
            if not types.declare(node):
                parsed.unread.append(node)
    _note_methods(scope.types, [method for parsed in files for method in _methods(parsed)])
    _take_comments_of_aliases(scope.types)
    package.types, package.notes = scope.types, [*scope.notes, *endless(package.path, scope.types)]
    package.constants = constants.read()
    for parsed in files:
        comments = parsed.scope.comments
        if tags and TAG in comments.text and not package.broken:
            taken = map(_find_lines, (*parsed.methods, *parsed.functions, *parsed.unread))
            package.stray += comments.unread(TAG, taken)
        if user and not package.broken:
            others = (node.start_point.row + 1 for node in (*parsed.methods, *parsed.functions, *parsed.values))
            package.misplaced += comments.without_readers(map(_find_lines, parsed.groups), others)
    return package


def _find_lines(node: Node) -> tuple[int, int]:
    """Returns the first and the last line of a node."""
    return node.start_point.row + 1, node.end_point.row + 1


def _sort(tree: SyntaxTree, scope: FileScope) -> _File:
    """Sorts a file's declarations and adds its imports and the names of its types."""
    file = _File(scope, [], [], [], [])
    for node in tree.declarations():
        if node.type in ("const_declaration", "var_declaration"):
            file.values.append(node)
        if node.type in ("const_declaration", "type_declaration"):
            file.groups.append(node)
        if node.type == "type_declaration":
            for spec in node.named_children:
                if spec.type in ("type_spec", "type_alias") and (name := spec.child_by_field_name("name")) is not None:
                    file.types.append(spec)
                    scope.package.names.add(tree.text(name))
        elif node.type == "const_declaration":
            file.constants.append(node)
        elif node.type == "method_declaration":
            file.methods.append(node)
        elif node.type == "function_declaration":
            file.functions.append(node)
        elif node.type == "import_declaration":
            for spec in _import_specs(node):
                scope.imports.add(tree, spec)
    return file


def _take_comments_of_aliases(types: dict[str, TypeDecl]) -> None:
    """Gives a type without a comment that of its first alias by name: upstream's parser keeps one for both."""
    for alias in sorted((t for t in types.values() if t.alias), key=lambda t: t.name):
        target: TypeDecl | None = alias
        for _ in types:  # a cycle of aliases is not legal Go, but files may hold anything
            if target is not None and target.alias:
                right = target.type
                target = types.get(right.name) if isinstance(right, Named) and right.package == alias.package else None
        if target is not None and not target.alias:
            types[target.name] = replace(
                target,
                closest=target.closest or alias.closest,
                second_closest=target.second_closest or alias.second_closest,
            )


def _import_specs(declaration: Node) -> Iterator[Node]:
    for child in declaration.named_children:
        if child.type == "import_spec":
            yield child
        elif child.type == "import_spec_list":
            yield from (spec for spec in child.named_children if spec.type == "import_spec")


def _note_methods(types: dict[str, TypeDecl], methods: Sequence[tuple[str, str]]) -> None:
    """Marks types that customize their JSON form. Methods for JSON take precedence over those for text."""
    own = {receiver for receiver, method in methods if method in _DECODERS}
    text = {receiver for receiver, method in methods if method in _OF_TEXT}
    text -= {receiver for receiver, method in methods if method in _OF_JSON}
    writers = {receiver for receiver, method in methods if method == "MarshalJSON"}
    for name in types.keys() & (own | text | writers):
        types[name] = replace(types[name], custom_json=name in own, text_json=name in text, writes_json=name in writers)


def _methods(file: _File) -> Iterator[tuple[str, str]]:
    """Yields the methods that concern JSON, each with the name of its type in front."""
    tree = file.scope.tree
    for method in file.methods:
        name, receiver = method.child_by_field_name("name"), method.child_by_field_name("receiver")
        if name is None or receiver is None or tree.text(name) not in (*_OF_JSON, *_OF_TEXT):
            continue
        # `(t *T)`, `(T)`, `(t *T[K])`: the type's name is after the star and before the parameters
        words = tree.text(receiver).strip("() \t\n").partition("[")[0].replace("*", " ").split()
        if words:
            yield words[-1].strip("()"), tree.text(name)
