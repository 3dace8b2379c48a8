"""Finds tags that belong to nothing, so that their rules have no effect."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.sources.python.scope import ModuleScope
from validation_gen.tags.comments import CommentLine

_TAG = re.compile(r"\s*(\+k8s:[^\W\d][\w-]*)")
_PLACES = "put it right above a field, class, enum member or alias, or behind it on its line"


def stray_tags(scope: ModuleScope) -> Iterator[Diagnostic]:
    """Yields warnings about a module that has been read.

    First for classes that look like types but are none, then for single comments.
    """
    file = scope.file
    covered: set[int] = set()
    for name, node in scope.classes.items():
        lines = range(_first(node), (node.end_lineno or node.lineno) + 1)
        if scope.is_struct(node) or scope.is_enum(node):
            continue
        above = file.above(_first(node))
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


def _first(node: ast.ClassDef) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


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
