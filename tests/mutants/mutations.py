"""Small changes of a module, as text: everything else stays where it is, so that a survivor can be read as a patch."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

_TURNED = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}


@dataclass(frozen=True)
class Mutation:
    """One change of a text: the characters from `begin` to `end` become `new`."""

    line: int
    begin: int
    end: int
    old: str
    new: str

    def apply(self, text: str) -> str:
        """Return the changed module."""
        return text[: self.begin] + self.new + text[self.end :]

    def __str__(self) -> str:
        return f"{self.line}: {' '.join(self.old.split())}  ->  {' '.join(self.new.split())}"


class _Text:
    """Offsets in a text by lines and columns as `ast` has them, which are bytes of UTF-8."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._lines = text.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def at(self, line: int, column: int) -> int:
        return self._starts[line - 1] + len(self._lines[line - 1].encode()[:column].decode())

    def begin(self, node: ast.expr | ast.stmt) -> int:
        return self.at(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.stmt) -> int:
        return self.at(node.end_lineno or 0, node.end_col_offset or 0)

    def of(self, node: ast.expr | ast.stmt) -> str:
        return self.text[self.begin(node) : self.end(node)]


def mutations(source: str) -> list[Mutation]:
    """Return all small changes of a module, in the order of its lines."""
    text = _Text(source)
    found = []
    for node in _executed(ast.parse(source)):
        for begin, end, new in _changes(node, text):
            found.append(Mutation(source.count("\n", 0, begin) + 1, begin, end, source[begin:end], new))
    return sorted(found, key=lambda each: (each.begin, each.end, each.new))


def _executed(tree: ast.Module) -> Iterator[ast.AST]:
    """All nodes but those of annotations, of declarations for type checkers, of messages and of assertions."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.JoinedStr | ast.Assert | ast.Raise):
            continue
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        yield node
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list"):
                continue
            waiting += [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, ast.AST)]


def _changes(node: ast.AST, text: _Text) -> Iterator[tuple[int, int, str]]:
    if isinstance(node, ast.Compare):
        operands = [node.left, *node.comparators]
        for op, left, right in zip(node.ops, operands, operands[1:], strict=False):
            begin, end = text.end(left), text.begin(right)
            between = text.text[begin:end]
            if "(" not in between and ")" not in between and "#" not in between:
                yield begin, end, f" {_TURNED[type(op)]} "
    elif isinstance(node, ast.BoolOp):
        word, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            begin, end = text.end(left), text.begin(right)
            between = text.text[begin:end]
            if between.count(word) == 1 and "#" not in between:
                yield begin, end, between.replace(word, other)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield text.begin(node), text.end(node), f"({text.of(node.operand)})"
    elif isinstance(node, ast.If | ast.IfExp | ast.While) and not isinstance(node.test, ast.UnaryOp | ast.Compare):
        yield text.begin(node.test), text.end(node.test), f"not ({text.of(node.test)})"
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield text.begin(node), text.end(node), str(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield text.begin(node), text.end(node), str(node.value + 1)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        begin, end = text.end(node.left), text.begin(node.right)
        word, other = ("+", "-") if isinstance(node.op, ast.Add) else ("-", "+")
        if text.text[begin:end].strip() == word and not isinstance(node.right, ast.Constant | ast.JoinedStr):
            yield begin, end, f" {other} "
    elif isinstance(node, ast.Continue):
        yield text.begin(node), text.end(node), "break"
