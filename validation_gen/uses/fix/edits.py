"""Applies edits to the bytes of a file. All other bytes stay unchanged."""

from __future__ import annotations

import codecs
import io
import re
import tokenize
from collections.abc import Iterable

from validation_gen.diagnostics import Edit
from validation_gen.sources.languages import PYTHON, language_of

_PYTHON = re.compile(rb"(\r\n|\r|\n)")
_GO = re.compile(rb"(\n)")
#: The marker of a comment and the blanks around it, at the end of the text before a comment.
_MARKER = re.compile(r"[ \t]*(?://|\#:?|(?<!/)\*)?[ \t]*\Z")


class StaleError(Exception):
    """The file does not contain the text to replace: it has changed, or the reader has misread it."""


def edited(content: bytes, edits: Iterable[Edit], file: str) -> tuple[bytes, list[int]]:
    """Returns the content with all edits applied, which must not overlap, and the removed lines.

    Raises:
        StaleError: the text to replace is missing.
    """
    is_python = language_of(file) is PYTHON
    encoding = _encoding(content) if is_python else "utf-8"
    bom = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
    # Each line is followed by its line end.
    parts = (_PYTHON if is_python else _GO).split(content[len(bom) :])
    gone = []
    for edit in sorted(edits, reverse=True):  # from the end, so that positions stay valid
        index = 2 * (edit.span.line - 1)
        if not 0 <= index < len(parts):
            raise StaleError
        line = _edited_line(_decoded(parts[index], encoding), edit)
        if line is None:
            del parts[index : index + 2]
            gone.append(edit.span.line)
        else:
            try:
                parts[index] = line.encode(encoding)
            except UnicodeEncodeError:
                raise StaleError from None
    return bom + b"".join(parts), sorted(gone)


def _edited_line(line: str, edit: Edit) -> str | None:
    """Returns the line after an edit, `None` if it is removed."""
    start, end = edit.span.column - 1, edit.span.end_column - 1
    if start < 0 or line[start:end] != edit.old:
        raise StaleError
    before, after = line[:start], line[end:]
    if not edit.line or after.strip():
        return f"{before}{edit.new}{after}"
    before = _MARKER.sub("", before, count=1)
    return before if before.strip() else None


def _encoding(content: bytes) -> str:
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
    except SyntaxError:
        raise StaleError from None
    return encoding.removesuffix("-sig")


def _decoded(line: bytes, encoding: str) -> str:
    try:
        text = line.decode(encoding)
        if text.encode(encoding) == line:
            return text
    except (UnicodeError, LookupError):
        pass
    raise StaleError
