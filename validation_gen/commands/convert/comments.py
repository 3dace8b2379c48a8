"""Comments of the model as lines of text: blocks, and text that a language cannot represent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from validation_gen.diagnostics.visible import has_hidden, visible
from validation_gen.tags.comments import CommentLine

_PROSE = re.compile(r"| ?(?![-*#\[•]|\d+[.)])\S.*")
_TAG = re.compile(r"[ \t]*\+(?:k8s|kubebuilder):")
_ENDS_LINE = re.compile("[\0-\x08\n-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_SEEN = "\t\u200c\u200d"
_LICENSE = ("copyright", "licensed under", "spdx-license-identifier")


def is_tag(line: CommentLine) -> bool:
    return line.text.lstrip(" \t").startswith("+")


def comment(marker: str, lines: Iterable[CommentLine]) -> list[str]:
    """Returns the lines of a comment, with a blank behind the marker as formatters of both languages need it.

    Invisible characters become escapes, except in tags: these have no escapes, and their values stay.
    """
    return [_line(marker, visible(line.text, keep=_kept_in(line))) for line in lines]


def hidden_in_tags(lines: Iterable[CommentLine]) -> list[tuple[CommentLine, str]]:
    """Returns the tags with an invisible character, and its name."""
    return [
        (line, f"U+{ord(found[0]):04X}")
        for line in lines
        if _TAG.match(line.text) and (found := [c for c in line.text if has_hidden(c, keep=_SEEN)])
    ]


def _kept_in(line: CommentLine) -> str:
    if not _TAG.match(line.text):
        return "\t"
    return "".join({c for c in line.text if not _ENDS_LINE.match(c)} | {"\t"})


def _line(marker: str, text: str) -> str:
    text = text.rstrip()
    if marker == "//" and text.startswith(" \t"):  # in Go a tab alone starts a code block
        text = text[1:]
    if marker == "#" and text.lstrip().startswith("type:"):  # which black takes for a type comment
        text = text.lstrip()
    blank = text.startswith(" ") or (marker == "//" and text.startswith("\t"))
    return f"{marker}{text}" if blank or not text else f"{marker} {text}"


def groups(lines: Sequence[CommentLine]) -> list[list[CommentLine]]:
    """Returns the comment blocks of lines: a block ends where the source has other lines in between."""
    found: list[list[CommentLine]] = []
    for line in lines:
        last = found[-1][-1].span if found else None
        if last is not None and (last.file, last.line + 1) == (line.span.file, line.span.line):
            found[-1].append(line)
        else:
            found.append([line])
    return [trimmed for group in found if (trimmed := _trimmed(group))]


def _trimmed(lines: list[CommentLine]) -> list[CommentLine]:
    """Returns a block without empty lines at its beginning and end."""
    start, end = 0, len(lines)
    while start < end and not lines[start].text.strip():
        start += 1
    while end > start and not lines[end - 1].text.strip():
        end -= 1
    return lines[start:end]


def is_prose(group: Sequence[CommentLine]) -> bool:
    """Returns whether a block is plain text with at most tags, so that gofmt does not reformat it: no list, no code."""
    return all(_PROSE.fullmatch(line.text) for line in group) and not is_license(group)


def is_license(group: Sequence[CommentLine]) -> bool:
    return any(word in line.text.lower() for line in group for word in _LICENSE)
