"""Files to fix: checks that they may be changed, reads them, and writes them with edits and no other change."""

from __future__ import annotations

import codecs
import io
import os
import re
import stat
import tokenize
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from validation_gen.diagnostics import Diagnostics, Edit, Span
from validation_gen.emit.output import is_within
from validation_gen.emit.output.owned import replace_below
from validation_gen.emit.text import make_unified_diff
from validation_gen.files import reading
from validation_gen.files.reading import is_below
from validation_gen.sources.languages import PYTHON, find_language

_GENERATED = re.compile(rb"^(?://|#) Code generated .* DO NOT EDIT\.\r?$", re.MULTILINE)


#: Markers of the top directory of a project.
_SIGNS = ("go.mod", "pyproject.toml", ".git")


class KeptError(Exception):
    """A file must stay unchanged; the text is the reason."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file on disk, with its new content. `name` is its name in findings, `path` its real path, without links.

    `tree` is the directory that must contain the real path.
    """

    name: str
    path: str
    old: bytes
    new: bytes
    tree: str = ""

    @property
    def patch(self) -> str:
        """Returns the change, as `git apply` accepts it."""
        return make_unified_diff(self.name, self.old.decode(errors="replace"), self.new.decode(errors="replace"))


#: Returns the reason why a file must stay unchanged, by its path without links; `""` for none.
Bar = Callable[[str], str]


def read_source(name: str, trees: Sequence[str] = (), bar: Bar = lambda path: "") -> SourceFile:
    """Reads a file to fix: no link may lead out of the project that contains its name.

    A link may lead to another path in the same project.

    Raises:
        KeptError: it must not or cannot be changed.
    """
    try:
        path = os.path.realpath(name)
        tree = _find_tree(name, trees)
        if not is_within(path, tree):
            raise KeptError(f"it is a link that leads out of {tree}")
        if reason := bar(path):
            raise KeptError(reason)
        mode = os.stat(path).st_mode  # noqa: PTH116 - of a text
        if not stat.S_ISREG(mode):
            raise KeptError("it is no ordinary file")
        content = reading.read(path)
    except (OSError, ValueError) as problem:
        raise KeptError(f"it cannot be read: {getattr(problem, 'strerror', None) or problem}") from None
    if not mode & 0o222 or not os.access(path, os.W_OK):
        raise KeptError("it is read-only")
    if _GENERATED.search(content):
        raise KeptError("it is generated; fix its source")
    return SourceFile(name, path, content, content, tree)


def _find_tree(name: str, trees: Sequence[str]) -> str:
    """Returns the project of a file: the next directory with a marker, from the argument or the file upwards."""
    path = os.path.abspath(name)  # noqa: PTH100 - links are what is looked for
    places = [os.path.abspath(tree) for tree in trees]  # noqa: PTH100
    above = [place for place in places if os.path.isdir(place) and is_below(path, place)]  # noqa: PTH112
    tree = max(above, key=len, default=os.path.dirname(path))  # noqa: PTH120
    for place in (Path(tree), *Path(tree).parents):
        if any(os.path.lexists(place / sign) for sign in _SIGNS):
            return os.fspath(place)
    return tree


def write(files: Mapping[str, SourceFile], diagnostics: Diagnostics) -> list[str]:
    """Writes the changed files. Returns the names of the written files; others are reported."""
    written = []
    for name, file in files.items():
        try:
            now = reading.read(file.path)
            if now != file.old or os.path.realpath(name) != file.path:
                keep(name, "it has changed while it was read; run again", diagnostics)
                continue
            replace_below(file.tree or os.path.dirname(file.path), file.path, file.new)  # noqa: PTH120
            written.append(name)
        except OSError as problem:
            message = f"cannot write: {problem.strerror or problem}"
            diagnostics.error("VG903", message, Span(name), "check the permissions of the directory")
    return written


def keep(name: str, reason: str, diagnostics: Diagnostics) -> None:
    """Reports a file that stays unchanged although its findings have fixes."""
    diagnostics.warning("VG903", f"nothing is fixed in this file: {reason}", Span(name), "fix it by hand")


_PYTHON = re.compile(rb"(\r\n|\r|\n)")
_GO = re.compile(rb"(\n)")
#: The marker of a comment and the blanks around it, at the end of the text before a comment.
_MARKER = re.compile(r"[ \t]*(?://|\#:?|(?<!/)\*)?[ \t]*\Z")


class StaleError(Exception):
    """The file does not contain the text to replace: it has changed, or the reader has misread it."""


def apply_edits(content: bytes, edits: Iterable[Edit], file: str) -> tuple[bytes, list[int]]:
    """Returns the content with all edits applied, which must not overlap, and the removed lines.

    Raises:
        StaleError: the text to replace is missing.
    """
    is_python = find_language(file) is PYTHON
    encoding = _encoding(content) if is_python else "utf-8"
    bom = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
    # Each line is followed by its line end.
    parts = (_PYTHON if is_python else _GO).split(content[len(bom) :])
    removed = []
    for edit in sorted(edits, reverse=True):  # from the end, so that positions stay valid
        index = 2 * (edit.span.line - 1)
        if not 0 <= index < len(parts):
            raise StaleError
        line = _edit_line(_decode(parts[index], encoding), edit)
        if line is None:
            del parts[index : index + 2]
            removed.append(edit.span.line)
        else:
            try:
                parts[index] = line.encode(encoding)
            except UnicodeEncodeError:
                raise StaleError from None
    return bom + b"".join(parts), sorted(removed)


def _edit_line(line: str, edit: Edit) -> str | None:
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


def _decode(line: bytes, encoding: str) -> str:
    try:
        text = line.decode(encoding)
        if text.encode(encoding) == line:
            return text
    except (UnicodeError, LookupError):
        pass
    raise StaleError
