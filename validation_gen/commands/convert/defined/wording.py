"""Renders values and descriptions as lines of comments that readers cannot mistake for anything else."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Mapping

from validation_gen.diagnostics.visible import as_json_escape, has_hidden, replaced, without_hidden
from validation_gen.tags.comments import PRAGMA

#: Text that needs no quotes in a marker.
_BARE = re.compile(r"(?!(?:true|false)\Z)[A-Za-z_][A-Za-z0-9_./-]*")
_WIDTH = 82
#: Beginning of a line that readers do not take for a description.
_TAKEN = re.compile(rf"\s*(?:\+|{PRAGMA})")
_SKIPPED = ("TODO", "---", "```", "~~~")


def quoted(text: str) -> str:
    """Returns a text as the quoted value of a marker."""
    if "`" not in text and re.search(r'["\\]', text) and text.isprintable() and not has_hidden(text):
        return f"`{text}`"
    plain = json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
    return replaced(plain, lambda character: f"\\U{ord(character):08x}")


def bare(text: str) -> str:
    """Returns a text as the value of a marker, without quotes if it needs none."""
    return text if _BARE.fullmatch(text) else quoted(text)


def as_json(value: object) -> str:
    """Returns a value in JSON, in one line without invisible characters."""
    return replaced(json.dumps(value, ensure_ascii=False), as_json_escape)


def arguments(values: Mapping[str, object]) -> str:
    """Returns named arguments of a marker; texts in quotes, lists of texts with a semicolon between."""
    return ",".join(f"{name}={_argument(value)}" for name, value in values.items())


def _argument(value: object) -> str:
    if isinstance(value, list | tuple):
        return ";".join(bare(str(item)) for item in value)
    return quoted(value) if isinstance(value, str) else as_json(value)


def described(text: str) -> Iterable[str]:
    """Yields the visible lines of a description. Long ones are broken, unless a part would begin like a tag."""
    for line in map(without_hidden, text.strip().splitlines()):
        parts = textwrap.wrap(line, _WIDTH, break_long_words=False, break_on_hyphens=False) or [""]
        if len(parts) > 1 and not any(_TAKEN.match(part) or part.startswith(_SKIPPED) for part in parts[1:]):
            yield from parts
        else:
            yield line


def is_description(line: str) -> bool:
    """Returns whether readers take a line of a comment for a description, and not for a tag or a pragma."""
    return _TAKEN.match(line) is None


def in_comment(line: str) -> str:
    """Returns a line of a description as the text of a comment. A line that readers skip is moved by a blank."""
    return f" {' ' if line.startswith(_SKIPPED) else ''}{line}" if line.strip() else ""
