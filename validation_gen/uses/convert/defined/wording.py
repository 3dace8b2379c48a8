"""Values and descriptions as lines of comments: whatever a definition holds, it stays a value or a description."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Mapping

from validation_gen.diagnostics.visible import as_json_escape, has_hidden, replaced, without_hidden
from validation_gen.tags.comments import PRAGMA

#: Text that means itself in a marker, whatever stands around it.
_BARE = re.compile(r"(?!(?:true|false)\Z)[A-Za-z_][A-Za-z0-9_./-]*")
_WIDTH = 82
#: How a line begins that readers take for something else than a description.
_TAKEN = re.compile(rf"\s*(?:\+|{PRAGMA})")
_SKIPPED = ("TODO", "---", "```", "~~~")


def quoted(text: str) -> str:
    """A text as the value of a marker."""
    if "`" not in text and re.search(r'["\\]', text) and text.isprintable() and not has_hidden(text):
        return f"`{text}`"
    plain = json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
    return replaced(plain, lambda character: f"\\U{ord(character):08x}")


def bare(text: str) -> str:
    """A text as the value of a marker, without quotes if it needs none."""
    return text if _BARE.fullmatch(text) else quoted(text)


def as_json(value: object) -> str:
    """A value in JSON, in one line that people see all of."""
    return replaced(json.dumps(value, ensure_ascii=False), as_json_escape)


def arguments(values: Mapping[str, object]) -> str:
    """Named arguments of a marker; texts in quotes, lists of texts with a semicolon between."""
    return ",".join(f"{name}={_argument(value)}" for name, value in values.items())


def _argument(value: object) -> str:
    if isinstance(value, list | tuple):
        return ";".join(bare(str(item)) for item in value)
    return quoted(value) if isinstance(value, str) else as_json(value)


def described(text: str) -> Iterable[str]:
    """The lines of a description as people see it. Long ones are broken, unless a part would begin like a tag."""
    for line in map(without_hidden, text.strip().splitlines()):
        parts = textwrap.wrap(line, _WIDTH, break_long_words=False, break_on_hyphens=False) or [""]
        if len(parts) > 1 and not any(_TAKEN.match(part) or part.startswith(_SKIPPED) for part in parts[1:]):
            yield from parts
        else:
            yield line


def is_description(line: str) -> bool:
    """Whether readers take a line of a comment for a description, and not for a tag or a remark to this program."""
    return _TAKEN.match(line) is None


def in_comment(line: str) -> str:
    """A line of a description as the text of a comment. What readers skip is moved by a blank."""
    return f" {' ' if line.startswith(_SKIPPED) else ''}{line}" if line.strip() else ""
