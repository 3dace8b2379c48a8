"""Go syntax trees: parsing with tree-sitter, positions in characters, and messages for syntax errors.

No other module imports tree-sitter; it is loaded with the first file, so that commands that read no Go start fast.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from validation_gen.diagnostics import Diagnostics, Span

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
            return self._place_of_missing(node), f"syntax error: {wanted} is missing"
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

    def _place_of_missing(self, node: Node) -> Span:
        """Returns the position for a missing, empty node: the next character, or one past the end of the line."""
        span = self.span(node)
        return Span(span.file, span.line, span.column, span.column + 1)
