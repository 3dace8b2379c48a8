"""Mistakes in an expression: a sentence and a position, and the API server's rendering of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Issue:
    """One mistake. `offset` counts characters of the text; it is -1 for the whole text."""

    message: str
    offset: int

    def location(self, text: str) -> tuple[int, int]:
        """Returns line and column, both from 1; a mistake without a position has line -1 and column 0, as upstream."""
        if self.offset < 0:
            return -1, 0
        return text.count("\n", 0, self.offset) + 1, self.offset - text.rfind("\n", 0, self.offset)


class InvalidExpression(Exception):  # noqa: N818 (what it says is no fault of this program)
    """Raised for an expression with mistakes. No other exception depends on the text."""

    def __init__(self, issues: Iterable[Issue]) -> None:
        self.issues = tuple(issues)
        super().__init__("; ".join(issue.message for issue in self.issues))


def rendered(text: str, issues: Iterable[Issue]) -> str:
    """Renders issues as the API server does: a line for the sentence, the line of source, a mark below the position."""
    return "\n".join(_rendered(text, issue) for issue in sorted(issues, key=lambda issue: issue.location(text)))


def _rendered(text: str, issue: Issue) -> str:
    line, column = issue.location(text)
    head = f"ERROR: <input>:{line}:{column}: {issue.message}"
    if line < 1:
        return head
    source = text.split("\n")[line - 1].replace("\t", " ")
    dots = "".join("." if char.isascii() else "\uff0e" for char in source[: column - 1])
    marked = source[column - 1 : column]
    mark = "^" if not marked or marked.isascii() else "\uff3e"
    return f"{head}\n | {source}\n | {dots}{mark}"
