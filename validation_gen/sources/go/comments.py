"""Comments of a Go file, grouped as `go/ast` groups them.

Tags are in comments, and line numbers alone decide which comment belongs to which declaration. A scan of the text finds
the comments, independent of the syntax tree: so they are correct even where the syntax is broken.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field

from validation_gen.diagnostics import Span
from validation_gen.tags.model import TAG, CommentLine

# Strings and runes match, too, so that text like a comment inside them is skipped. A token without an end extends to
# the end of the line (strings) or of the file (raw strings, block comments), as in Go's scanner. `line` takes a whole
# run of line comments at once: comments are most of an API's text, and a match costs more than its length.
_TOKEN = re.compile(
    r"""(?P<line>//[^\n]*(?:\n[ \t\r]*//[^\n]*)*)
    | (?P<block>/\*(?s:.*?)(?:\*/|\Z))
    | `[^`]*(?:`|\Z)
    | "(?:[^"\\\n]|\\.)*"?
    | '(?:[^'\\\n]|\\.)+'""",
    re.VERBOSE,
)
# Comments for tools, such as `//go:generate`, are not a string (`isDirective` of go/ast).
_NO_DIRECTIVE = ("", " ", "\t", "+", "/")
_DIRECTIVE = re.compile(r"//(?:line |extern |export |[a-z0-9]+:[a-z0-9])")


@dataclass(slots=True)
class CommentGroup:
    """Comments with neither code nor an empty line between them. Lines count from 1.

    `pieces` are the offsets of its block comments and runs of line comments. `behind`: there is code before it on its
    line.
    """

    first_line: int
    last_line: int
    behind: bool = False
    pieces: list[tuple[int, int]] = field(default_factory=list)


@dataclass(slots=True)
class Comments:
    """All comments of one file."""

    file: str
    text: str
    #: True if lines with `+k8s:` tags count as the user's; else they are borrowed.
    tags: bool = True
    groups: list[CommentGroup] = field(init=False)
    _starts: list[int] = field(init=False)
    _by_last_line: dict[int, CommentGroup] = field(init=False)
    _read: set[int] = field(init=False, default_factory=set)
    _apart: set[int] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", self.text))]
        self.groups = self._group()
        self._by_last_line = {group.last_line: group for group in self.groups}  # of two on a line, the last one counts

    def above(self, line: int) -> tuple[CommentLine, ...]:
        """Returns the doc comment of the declaration on a line: the group whose last line is exactly one line above.

        Upstream checks line numbers only (`docComment` in gengo), so a trailing comment on the line above counts as
        well.
        """
        group = self._by_last_line.get(line - 1)
        self._read.add(line - 1)
        return self.lines(group) if group else ()

    def second_above(self, line: int) -> tuple[CommentLine, ...]:
        """Returns the group that ends two lines above the doc comment, or two lines above a declaration without one."""
        closest = self._by_last_line.get(line - 1)
        group = self._by_last_line.get((closest.first_line if closest else line) - 2)
        return self.lines(group) if group else ()

    def apart(self, line: int, floor: int) -> tuple[CommentLine, ...]:
        """Returns the last group after line `floor` and above the doc comment of the declaration on a line."""
        closest = self._by_last_line.get(line - 1)
        end = closest.first_line if closest and not closest.behind else line
        index = bisect_left(self.groups, end, key=lambda group: group.first_line) - 1
        group = self.groups[index] if index >= 0 else None
        if group is None or group.first_line <= floor or group.behind:
            return ()
        self._apart.add(group.last_line)
        return self.lines(group)

    def between(self, taken: Iterable[tuple[int, int]]) -> tuple[CommentLine, ...]:
        """Returns the groups that are neither within some ranges of lines nor end right above one."""
        ranges = sorted((first - 1, last) for first, last in taken)
        starts = [first for first, _ in ranges]
        found: list[CommentLine] = []
        for group in self.groups:
            index = bisect_right(starts, group.last_line) - 1
            if index < 0 or ranges[index][1] < group.first_line:
                found += self.lines(group)
        return tuple(found)

    def unread(self, text: str, taken: Iterable[tuple[int, int]]) -> tuple[CommentLine, ...]:
        """Returns the unread groups with a text that are neither within some ranges of lines nor right above one."""
        ranges = [(first - 1, last) for first, last in taken]
        found: list[CommentLine] = []
        for group in self.groups:
            holds = group.last_line not in self._read and any(
                self.text.find(text, *piece) >= 0 for piece in group.pieces
            )
            if holds and not any(first <= group.last_line and group.first_line <= last for first, last in ranges):
                found += self.lines(group)
        return tuple(found)

    def without_readers(self, inside: Iterable[tuple[int, int]], above: Iterable[int]) -> tuple[CommentLine, ...]:
        """Returns the groups with a plus sign inside some ranges of lines, or right above lines, that no reader takes.

        These are comments behind code, and those that are neither the doc comment of a declaration nor apart above it.
        """
        ranges, ends = sorted(inside), {line - 1 for line in above}
        starts = [first for first, _ in ranges]
        found: list[CommentLine] = []
        for group in self.groups:
            index = bisect_right(starts, group.first_line) - 1
            is_inside = index >= 0 and group.last_line <= ranges[index][1]
            is_read = not group.behind and (group.last_line in self._read or group.last_line in self._apart)
            is_above = group.last_line in ends and not group.behind
            if ((is_inside and not is_read) or is_above) and any(self.text.find("+", *p) >= 0 for p in group.pieces):
                found += self.lines(group)
        return tuple(found)

    def all_lines(self) -> tuple[CommentLine, ...]:
        return tuple(line for group in self.groups for line in self.lines(group))

    def lines(self, group: CommentGroup) -> tuple[CommentLine, ...]:
        """Returns the lines of a group without comment markers, directives and trailing blanks.

        Follows `CommentGroup.Text`.
        """
        lines: list[CommentLine] = []
        file, behind = self.file, group.behind
        for start, end in group.pieces:
            number = self._find_line(start)
            column = start - self._starts[number - 1] + 1
            text = self.text[start:end]
            is_block = text.startswith("/*")
            if is_block:
                column += 2
                text = text[2:-2] if len(text) >= 4 and text.endswith("*/") else text[2:]
            for part in text.split("\n"):
                left = 0 if is_block else part.index("//")
                # prose begins with a blank, and a check of one character is faster than the pattern
                if is_block or part[left + 2 : left + 3] in _NO_DIRECTIVE or not _DIRECTIVE.match(part, left):
                    left += 0 if is_block else 2
                    body = part[left:].rstrip(" \t\r")
                    first = column + left
                    span = Span(file, number, first, first + len(body))
                    borrowed = not self.tags and body.lstrip().startswith(TAG)
                    lines.append(CommentLine(body, span, True, behind, is_block, borrowed))
                number += 1
                column = 1
        return tuple(lines)

    def _find_line(self, position: int) -> int:
        return bisect_right(self._starts, position)

    def _group(self) -> list[CommentGroup]:
        """Groups comments as `parser.next` and `consumeCommentGroup` of go/parser do.

        A comment behind code on its line opens a group that only comments on that same line may join; any other group
        goes on until there is code or an empty line.
        """
        groups: list[CommentGroup] = []
        previous_end = 0
        lines_allowed = 0
        for match in _TOKEN.finditer(self.text):
            if match.lastgroup is None:
                continue
            start, end = match.span()
            first, last = self._find_line(start), self._find_line(end)
            gap = self.text[previous_end:start]
            is_code = bool(gap.strip())
            if is_code or not groups or gap.count("\n") > lines_allowed:
                lines_allowed = 0 if is_code and gap.rpartition("\n")[2].strip() else 1
                groups.append(CommentGroup(first, last, behind=lines_allowed == 0))
            group = groups[-1]
            previous_end = end
            if lines_allowed == 0 and match.lastgroup == "line" and first != last:
                # of a run that begins behind code, the first line is a group of its own
                split = self.text.index("\n", start)
                group.pieces.append((start, split))
                group.last_line = first
                start = self.text.index("//", split)
                lines_allowed = 1
                group = CommentGroup(first + 1, last)
                groups.append(group)
            group.pieces.append((start, end))
            group.last_line = last
        return groups
