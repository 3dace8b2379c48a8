"""Go text as formatted by gofmt: literals, identifiers, and aligned lines."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from validation_gen.diagnostics.visible import replaced

KEYWORDS = frozenset(
    "break case chan const continue default defer else fallthrough for func go goto if import interface map package "
    "range return select struct switch type var".split()
)


def quoted(value: str | int | float | bool | None) -> str:
    """Returns a constant value as a literal."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return repr(value)
    text = json.dumps(value, ensure_ascii=False)
    text = "".join(c if c.isprintable() else _escape(c) for c in text.replace("\\/", "/"))
    return replaced(text, _escape)  # Python regards variation selectors as printable


def _escape(character: str) -> str:
    code = ord(character)
    if 0xD800 <= code <= 0xDFFF:  # a surrogate is invalid in Go
        return "\ufffd"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def identifier(name: str) -> str:
    """Returns the name without characters that Go does not allow: `x-y` becomes `xY`."""
    first, *rest = re.split(r"\W+", name)
    text = first + "".join(word[:1].upper() + word[1:] for word in rest)
    if not text or text[0].isdigit():
        return f"X{text}"
    return f"{text}_" if text in KEYWORDS else text


def aligned(rows: Sequence[list[str] | str]) -> list[str]:
    """Returns lines with aligned cells, as the tabwriter of gofmt does it.

    A column spans neighbouring lines that have it, each cell followed by at least one blank; the last cell of a line is
    in no column. Lines that are no lists have no cells, and end all columns.
    """
    cells = [[row] if isinstance(row, str) else list(row) for row in rows]
    column = 0
    while any(len(line) > column + 1 for line in cells):
        start = 0
        while start < len(cells):
            end = start
            while end < len(cells) and len(cells[end]) > column + 1:
                end += 1
            width = max((len(line[column]) for line in cells[start:end]), default=0)
            for line in cells[start:end]:
                line[column] = line[column].ljust(width + 1)
            start = max(end, start + 1)
        column += 1
    return ["".join(line).rstrip() for line in cells]
