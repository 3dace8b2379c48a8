"""One Python file as text: its syntax tree, its comments, and positions."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Container
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.sources import recording_fs
from validation_gen.tags.model import CommentLine

_QUOTES = re.compile(r"""[rRuUbB]{0,2}(?:\"\"\"|'''|"|')""")


@dataclass(frozen=True, slots=True)
class _Comment:
    """A comment without its marker. `alone`: there is nothing else on its line."""

    line: CommentLine
    alone: bool


@dataclass(slots=True)
class PythonFile:
    """A parsed module. `display` is its path as a user would type it. An unparseable file has an empty tree."""

    display: str
    lines: list[str]
    tree: ast.Module
    #: The lines of `type X = …` statements.
    aliases: frozenset[int] = frozenset()
    _comments: dict[int, _Comment] = field(default_factory=dict)
    #: Lines whose comments have been read.
    _read: set[int] = field(default_factory=set)

    # --- positions --------------------------------------------------------------------------------------------------

    def span(self, node: ast.expr | ast.stmt | ast.arg | ast.alias | ast.keyword) -> Span:
        """Returns the span of a node, or of its first line."""
        start = self._column(node.lineno, node.col_offset)
        if node.end_lineno == node.lineno and node.end_col_offset is not None:
            return Span(self.display, node.lineno, start, self._column(node.lineno, node.end_col_offset))
        return Span(self.display, node.lineno, start, max(len(self._line(node.lineno)) + 1, start + 1))

    def word(self, line: int, word: str) -> Span:
        """Returns the first position of a word in a line, such as the name in `class Name:`."""
        match = re.search(rf"\b{re.escape(word)}\b", self._line(line))
        start = match.start() if match else 0
        return Span(self.display, line, start + 1, start + 1 + len(word))

    def text(self, node: ast.AST) -> str:
        return ast.unparse(node)

    def _line(self, number: int) -> str:
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def _column(self, line: int, offset: int) -> int:
        """Returns a column in characters, from 1, for an offset in bytes of UTF-8."""
        return len(self._line(line).encode(errors="replace")[:offset].decode(errors="replace")) + 1

    # --- comments ---------------------------------------------------------------------------------------------------

    def above(self, line: int) -> tuple[CommentLine, ...]:
        """Returns the comment that ends right above a line."""
        return self._noted(self._block(line - 1))

    def second_above(self, line: int) -> tuple[CommentLine, ...]:
        """Returns the comment that ends one or two empty lines above that comment, or above a line without one.

        Formatters put two empty lines where Go has one.
        """
        last = line - len(self._block(line - 1)) - 1
        for distance in (1, 2):
            if last - distance < 0 or self._line(last - distance + 1).strip():
                break
            if found := self._block(last - distance):
                return self._noted(found)
        return ()

    def behind(self, first: int, last: int) -> tuple[CommentLine, ...]:
        """Returns the comments behind code on some lines."""
        found = (self._comments.get(line) for line in range(first, last + 1))
        return self._noted([comment.line for comment in found if comment is not None and not comment.alone])

    def beside(self, statement: ast.stmt) -> tuple[CommentLine, ...]:
        """Returns the comment above a statement, and those behind its lines; of a class, behind its head."""
        first = first_line(statement)
        last = None if isinstance(statement, ast.ClassDef) else statement.end_lineno
        return (*self.above(first), *self.behind(first, last or statement.lineno))

    def before(self, line: int) -> tuple[CommentLine, ...]:
        """Returns all separate comments above a line, without the one that belongs to that line."""
        own = line - len(self._block(line - 1))
        return self._noted([c.line for number, c in sorted(self._comments.items()) if c.alone and number < own])

    def comments(self, lines: Container[int]) -> tuple[CommentLine, ...]:
        """Returns all comments on some lines."""
        return tuple(c.line for number, c in sorted(self._comments.items()) if number in lines)

    def unread(self) -> tuple[CommentLine, ...]:
        """Returns the comments that no declaration has read."""
        return tuple(c.line for number, c in sorted(self._comments.items()) if number not in self._read)

    def _noted(self, lines: list[CommentLine]) -> tuple[CommentLine, ...]:
        self._read.update(line.span.line for line in lines)
        return tuple(lines)

    def docstring(self) -> tuple[CommentLine, ...]:
        """Returns the lines of the module's docstring, as in the file."""
        return self.string(self.tree.body[0]) if self.tree.body else ()

    def string(self, first: ast.stmt) -> tuple[CommentLine, ...]:
        """Returns the lines of a string that is a statement of its own."""
        if not isinstance(first, ast.Expr) or not isinstance(first.value, ast.Constant):
            return ()
        if not isinstance(first.value.value, str) or first.end_lineno is None:
            return ()
        found = []
        for number in range(first.lineno, first.end_lineno + 1):
            text, left = self._line(number), 0
            if number == first.lineno:
                opening = _QUOTES.match(text, first.col_offset)
                left = opening.end() if opening else 0
            if number == first.end_lineno:
                text = text[: self._column(number, first.end_col_offset or 0) - 1].rstrip("\"'")
            body = text[left:].rstrip()
            found.append(CommentLine(body, Span(self.display, number, left + 1, left + 1 + len(body))))
        return tuple(found)

    def _block(self, last: int) -> list[CommentLine]:
        found: list[CommentLine] = []
        while (comment := self._comments.get(last)) is not None and comment.alone:
            found.insert(0, comment.line)
            last -= 1
        return found


def first_line(statement: ast.stmt) -> int:
    """Returns the line of a statement, or of its first decorator."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


def is_none(expression: ast.expr) -> bool:
    return isinstance(expression, ast.Constant) and expression.value is None


def read_text(path: Path, display: str, diagnostics: Diagnostics) -> str | None:
    """Returns the text of a file in its declared encoding; `None` (and a VG901) when it is unreadable."""
    try:
        data = io.BytesIO(recording_fs.read(path))
        encoding, _ = tokenize.detect_encoding(data.readline)
        data.seek(0)
        return io.TextIOWrapper(data, encoding).read()
    except OSError as problem:
        message = f"cannot read the file: {problem.strerror or problem}"
        diagnostics.error("VG901", message, Span(display), "check where it leads to, and the permissions")
    except (SyntaxError, UnicodeDecodeError, LookupError, ValueError):
        help = "save the file as UTF-8, or declare its encoding in the first line"
        diagnostics.error("VG901", "the text does not have the encoding that the file declares", Span(display), help)
    return None


def parse_text(text: str, display: str, diagnostics: Diagnostics) -> tuple[PythonFile, bool]:
    """Returns a parsed file, and whether that succeeded. A syntax error is reported."""
    lines = re.split(r"\r\n|\r|\n", text)
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (SyntaxError, tokenize.TokenError):
        tokens = []  # the parser reports the same with a better position
    aliases, changed = _without_type_statements(tokens, lines)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in strings are not our concern
            tree = ast.parse(changed)
    except SyntaxError as problem:
        _report(problem, lines, display, diagnostics)
        return PythonFile(display, lines, ast.Module([], [])), False
    except (ValueError, RecursionError, MemoryError) as problem:
        message = f"syntax error: {'nested too deeply' if not isinstance(problem, ValueError) else problem}"
        diagnostics.error("VG101", message, Span(display, 1, 1, 2))
        return PythonFile(display, lines, ast.Module([], [])), False
    return PythonFile(display, lines, tree, aliases, _comments(tokens, display)), True


def _report(problem: SyntaxError, lines: list[str], display: str, diagnostics: Diagnostics) -> None:
    line = min(max(problem.lineno or 1, 1), max(len(lines), 1))
    column = max(problem.offset or 1, 1)
    end = problem.end_offset if problem.end_lineno == problem.lineno and problem.end_offset else column + 1
    span = Span(display, line, column, max(end, column + 1))
    diagnostics.error("VG101", f"syntax error: {problem.msg}", span, "only files that Python can parse are read")


def _comments(tokens: list[tokenize.TokenInfo], display: str) -> dict[int, _Comment]:
    found = {}
    for token in tokens:
        if token.type != tokenize.COMMENT:
            continue
        (line, column), alone = token.start, not token.line[: token.start[1]].strip()
        marker = 2 if token.string.startswith("#:") else 1  # Sphinx's marker
        text = token.string[marker:].rstrip()
        left = column + marker + 1
        found[line] = _Comment(CommentLine(text, Span(display, line, left, left + len(text))), alone)
    return found


def _without_type_statements(tokens: list[tokenize.TokenInfo], lines: list[str]) -> tuple[frozenset[int], str]:
    """Replaces `type X = …` by `type;X = …`: the same columns, and every Python can parse it.

    The statement is new in Python 3.12, and older ones have to read files that use it, too.
    """
    found = set()
    changed = list(lines)
    fresh = True  # at the beginning of a statement
    for token, following in pairwise(tokens):
        if fresh and token.string == "type" and following.type == tokenize.NAME and token.end[0] == following.start[0]:
            line, column = token.end
            changed[line - 1] = f"{changed[line - 1][:column]};{changed[line - 1][column + 1 :]}"
            found.add(line)
        layout = (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT, tokenize.ENCODING)
        fresh = token.type in layout
    return frozenset(found), "\n".join(changed)
