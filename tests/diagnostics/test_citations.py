"""Texts for users cite a code or a command, and never a file of `docs/`, which an installed program does not have."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.docs.blocks import ROOT
from validation_gen.commands.explain.codes import PAGES
from validation_gen.emit.text import directory

#: A path below `docs/`, but no part of an address.
_CITED = re.compile(r"(?<![\w/.])docs/")
PACKAGE = ROOT / "validation_gen"


def find_cited(text: str, *, docstrings: bool) -> list[str]:
    """Returns the strings of a module that cite a page; docstrings only where they are the help of commands."""
    tree = ast.parse(text)
    skipped = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and not (docstrings and isinstance(node, ast.FunctionDef)):
                skipped.add(first.value)
    strings = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and node not in skipped]
    return [node.value for node in strings if isinstance(node.value, str) and _CITED.search(node.value)]


def test_no_text_cites_a_page() -> None:
    found: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        cited = find_cited(path.read_text(encoding="utf-8"), docstrings="cli" in path.relative_to(PACKAGE).parts)
        if cited:
            found[path.relative_to(ROOT).as_posix()] = cited
    for path in [*sorted(Path(PAGES).glob("*.md")), *sorted(directory().rglob("*.j2"))]:
        if _CITED.search(path.read_text(encoding="utf-8")):
            found[path.name] = [path.name]
    assert not found


def test_citations_are_found() -> None:
    text = 'def run():\n    """Run it (docs/a.md)."""\n    return f"see docs/{1}", "https://kubernetes.io/docs/a"\n'
    assert find_cited(text, docstrings=False) == ["see docs/"]
    assert find_cited(text, docstrings=True) == ["Run it (docs/a.md).", "see docs/"]
