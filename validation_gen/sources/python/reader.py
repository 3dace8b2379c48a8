"""Reads Python modules into the model one by one when they are needed, and finds tags that belong to nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from validation_gen.sources.model import Package
from validation_gen.sources.python.declarations import DeclarationReader
from validation_gen.sources.python.finder import ModuleSource, PythonFinder
from validation_gen.sources.python.scope import ModuleScope
from validation_gen.sources.python.syntax import first_line, parse_text
from validation_gen.tags.model import CommentLine

_TAG = re.compile(r"\s*(\+k8s:[^\W\d][\w-]*)")
_PLACES = "put it right above a field, class, enum member or alias, or behind it on its line"


def stray_tags(scope: ModuleScope) -> Iterator[Diagnostic]:
    """Yields warnings about a module that has been read.

    First for classes that look like types without being one, then for single comments.
    """
    file = scope.file
    covered: set[int] = set()
    for name, node in scope.classes.items():
        lines = range(first_line(node), (node.end_lineno or node.lineno) + 1)
        if scope.is_struct(node) or scope.is_enum(node):
            continue
        above = file.above(first_line(node))
        own = [line for line in file.comments(lines) if _TAG.match(line.text)]
        if own or any(_TAG.match(line.text) for line in above) or _has_values(scope, node):
            message = f"the class `{name}` has tags, but no fields that could be read"
            yield _warning(message, file.word(node.lineno, name), "make it a dataclass")
            covered.update(lines)
    for line in unread_lines(scope):
        found = _TAG.match(line.text)
        if found and line.span.line not in covered:
            start = found.start(1)
            yield _warning(f"{found[1]} belongs to nothing here", line.span.sub(start, start + len(found[1])), _PLACES)


def unread_lines(scope: ModuleScope) -> Iterator[CommentLine]:
    """Yields the comment lines that belong to no declaration, and the lines of docstrings."""
    yield from scope.file.unread()
    yield from _docstrings(scope)


def _warning(message: str, span: Span, help: str) -> Diagnostic:
    return Diagnostic("VG201", Severity.WARNING, message, span, help)


def _has_values(scope: ModuleScope, node: ast.ClassDef) -> bool:
    """Returns whether a field has a tag as a value."""
    return any(
        isinstance(part, ast.Name | ast.Attribute) and scope.meaning(part).name.startswith("validation_gen.tags.")
        for statement in node.body
        if isinstance(statement, ast.AnnAssign)
        for part in ast.walk(statement.annotation)
    )


def _docstrings(scope: ModuleScope) -> Iterator[CommentLine]:
    """Yields the lines of separate strings in the classes of a module."""
    for node in scope.classes.values():
        for statement in node.body:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                yield from scope.file.string(statement)


_TAG_NAME = re.compile(r"[ \t]*\+([^\W\d][\w.:-]*)")


@dataclass(slots=True)
class PythonReader:
    """Reads modules by their import paths. Imported modules are found on the way."""

    finder: PythonFinder
    diagnostics: Diagnostics
    _scopes: dict[str, ModuleScope] = field(default_factory=dict)
    _broken: set[str] = field(default_factory=set)

    def package(self, path: str, *, user: bool) -> Package | None:
        """Returns the module with this path as a package, `None` if it is neither imported nor named.

        `user`: it gets code of its own if it was named.
        """
        scope = self.scope(path)
        if scope is None:
            return None
        source = scope.source
        user = user and path in self.finder.inputs
        package = Package(path, path.rpartition("/")[2], source.display, source.prefix, input=user)
        package.broken = path in self._broken
        package.comments = self._comments(scope)
        every = range(len(scope.file.lines) + 1)
        package.pragmas = tuple(line for line in scope.file.comments(every) if line.is_pragma)
        DeclarationReader(package, scope, self.scope, self.diagnostics).read()
        if user:
            self.diagnostics.extend(stray_tags(scope))
            known = {line.span for line in package.comments}
            package.misplaced = tuple(line for line in unread_lines(scope) if line.span not in known)
        return package

    def scope(self, path: str) -> ModuleScope | None:
        """Returns the names of a module by its import path."""
        if path not in self._scopes and path in self.finder.inputs:
            self._parse(self.finder.inputs[path])
        return self._scopes.get(path)

    def _find(self, dotted: str, importer: ModuleSource) -> ModuleScope | None:
        source = self.finder.find(dotted, importer)
        if source is None:
            return None
        if source.path not in self._scopes:
            self._parse(source)
        return self._scopes[source.path]

    def _parse(self, source: ModuleSource) -> None:
        file, worked = parse_text(source.text, source.display, self.diagnostics)
        if not worked:
            self._broken.add(source.path)
        self._scopes[source.path] = ModuleScope(source, file, self._find)

    # --- directives -------------------------------------------------------------------------------------------------

    def _comments(self, scope: ModuleScope) -> tuple[CommentLine, ...]:
        """Returns the comments of a module as a whole, and the directives of enclosing packages that it lacks."""
        own = _own_comments(scope)
        names = {name for line in own if (name := _tag_name(line))}
        found = list(own)
        parts = scope.source.dotted.split(".")
        for last in range(len(parts) - 1, 0, -1):
            outer = self._find(".".join(parts[:last]), scope.source)
            if outer is None or not outer.source.is_package:
                continue
            inherited = [line for line in _own_comments(outer) if (name := _tag_name(line)) and name not in names]
            names |= {name for line in inherited if (name := _tag_name(line))}
            found += inherited
        return tuple(found)


def _tag_name(line: CommentLine) -> str:
    match = _TAG_NAME.match(line.text)
    return match[1] if match else ""


def _own_comments(scope: ModuleScope) -> tuple[CommentLine, ...]:
    """Returns the docstring, and the comments above the first declaration that do not belong to it."""
    file = scope.file
    first = next((s for s in file.tree.body if not isinstance(s, ast.Import | ast.ImportFrom | ast.Expr)), None)
    line = len(file.lines) + 2 if first is None else first_line(first)
    return (*file.docstring(), *file.before(line))
