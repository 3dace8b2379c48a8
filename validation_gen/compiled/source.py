"""The text of a generated module as mypyc takes it, and is quick with it.

What mypyc is given means the same as the module, line by line, so that line numbers in tracebacks are those of the
module. It is never written where people would look for it.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from validation_gen.compiled.circles import circles

#: Changes with what this module makes of a text, so that what was built before is built again.
EDITION = "2"

_HEADER = (
    "; from typing import Any as _Any, Final as _Final, cast as _cast"
    "; from validation_gen.runtime.compiled import deeper as _deeper, settle as _settle"
)


def digest_of(text: str) -> str:
    """What a compiled module compares its source with."""
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()


def for_mypyc(text: str, built_as: str, stamp: str) -> str:
    """A generated module in a form for mypyc.

    `built_as` is the module's name while it is built, `stamp` a text that can be found in the extension.
    """
    tree = ast.parse(text)
    edits = _Edits(text)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            _import(node, edits)
        elif isinstance(node, ast.Assign):
            _constant(node, edits)
    for function in functions:
        for name in _first_assigned(function):
            edits.insert(name.end_lineno, name.end_col_offset, ": _Any")
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == "__class__" and isinstance(node.ctx, ast.Load):
            # The attribute is looked up by its name; the type is at hand, and mypyc knows afterwards what the value is.
            edits.replace(node, f"type({ast.unparse(node.value)})")
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name() | ast.BoolOp() as value, attr="get" | "items")):
                # Only dicts are asked so. What is none raises TypeError where it would have raised AttributeError.
                edits.replace(value, f"_cast(dict[_Any, _Any], {ast.unparse(value)})")
            case _:
                pass
    for call in circles(functions):
        edits.replace(call.func, f"_deeper({ast.unparse(call.func)}, ")
        edits.drop(call.func.end_lineno, call.func.end_col_offset)
    ending = f"_stamp: _Final[str] = {stamp!r}\n_settle({built_as!r}, {digest_of(text)!r})\n"
    return edits.text() + ending


def _import(node: ast.ImportFrom, edits: _Edits) -> None:
    """An import of another generated module, without the name of their package, which is nobody's business."""
    if node.module == "__future__":
        edits.insert(node.end_lineno, node.end_col_offset, _HEADER)
    if not node.level:
        return
    # `__name__` is the one that the module is imported by, as it is made an extension of no package.
    package = '{"__package__": __name__.rpartition(".")[0]}'
    parts = []
    for alias in node.names:
        module = f'__import__({node.module or ""!r}, {package}, None, ({alias.name!r},), {node.level})'
        parts.append(f"{alias.asname or alias.name}: _Any = {module}.{alias.name}")
    edits.replace(node, "; ".join(parts))


def _constant(node: ast.Assign, edits: _Edits) -> None:
    """A name of the module that is assigned once: mypyc then keeps it where no dictionary has to be asked."""
    match node:
        case ast.Assign(targets=[ast.Name() as name], value=value):
            kind = "_Any"
            if isinstance(value, ast.Subscript) and ast.unparse(value.value) == "check.KNOWN":
                kind = "set[str]"
            elif isinstance(value, ast.Call) and ast.unparse(value.func) == "check.one_of":
                kind = "dict[str, None]"
            edits.insert(name.end_lineno, name.end_col_offset, f": _Final[{kind}]")
        case _:
            pass


def _first_assigned(function: ast.FunctionDef) -> Iterator[ast.Name]:
    """The first places where names get a value that mypy should not make up its mind about."""
    seen = {argument.arg for argument in function.args.args}
    for node in _in_order(function.body):
        match node:
            case ast.Assign(targets=[ast.Name(id=id) as name], value=value) if id not in seen:
                if not isinstance(value, ast.Constant) or not isinstance(value.value, bool):
                    yield name
            case _:
                pass
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            seen.add(node.id)


def _in_order(nodes: list[ast.stmt]) -> Iterator[ast.AST]:
    for node in nodes:
        yield from _walk(node)


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """The node and what is in it, in the order of the text."""
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _walk(child)


@dataclass(slots=True)
class _Edits:
    """Changes of a text at positions as `ast` has them: lines from 1, columns in bytes of UTF-8."""

    source: str
    changes: list[tuple[int, int, str]] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    encoded: bytes = b""

    def __post_init__(self) -> None:
        self.encoded = self.source.encode(errors="replace")
        self.starts = [0]
        for line in self.encoded.split(b"\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)

    def _at(self, line: int | None, column: int | None) -> int:
        return self.starts[(line or 1) - 1] + (column or 0)

    def insert(self, line: int | None, column: int | None, text: str) -> None:
        at = self._at(line, column)
        self.changes.append((at, at, text))

    def replace(self, node: ast.expr | ast.stmt, text: str) -> None:
        """Other text for a node. Line breaks in it are kept as continuations, so that all below stays where it is."""
        begin, end = self._at(node.lineno, node.col_offset), self._at(node.end_lineno, node.end_col_offset)
        breaks = self.encoded[begin:end].count(b"\n")
        self.changes.append((begin, end, text + "\\\n" * breaks if breaks else text))

    def drop(self, line: int | None, column: int | None) -> None:
        """Removes the one character there."""
        at = self._at(line, column)
        self.changes.append((at, at + 1, ""))

    def text(self) -> str:
        parts, position = [], 0
        for begin, end, text in sorted(self.changes):
            parts += [self.encoded[position:begin], text.encode()]
            position = end
        parts.append(self.encoded[position:])
        return b"".join(parts).decode()
