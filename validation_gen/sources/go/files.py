"""Go files as text: reads them and their package clause.

This module knows the names of Go files and their package clause. It never parses declarations, which `package` does;
`constraints` selects the files.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.sources import recording_fs
from validation_gen.sources.languages import GO

# Blanks and comments in front of the package clause.
_BLANK = re.compile(r"[\s;\ufeff]+|//[^\n]*|/\*.*?\*/", re.DOTALL)
_PACKAGE = re.compile(r"package\b")
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_TYPE = re.compile(r"^type[ \t(]", re.MULTILINE)
# https://go.dev/s/generatedcode: the line that marks generated files.
_GENERATED = re.compile(r"^// Code generated .* DO NOT EDIT\.\r?$", re.MULTILINE)
# Files of that kind that lack the line.
_TEXTS = "_swagger_doc_generated.go"
# Text of generated files that matters here. Generators write formatted code, so declarations start a line.
_MATTERS = ("\ntype", "\nconst", "arshalJSON(", "arshalText(")


@dataclass(frozen=True, slots=True)
class GoFile:
    """A Go file as read. `name` is its base name, `display` its path as a user would type it."""

    name: str
    display: str
    text: str
    package: str

    @property
    def declares_nothing(self) -> bool:
        """True if it is a generated file with neither types, constants nor decoding methods, which need not be parsed.

        Most files called `zz_generated.*` have functions for the types, but some are copies of types. Protobuf code is
        most of `k8s.io/api`, and half of the rest are the texts of its documentation; parsing them would take ten times
        as long as all other files.
        """
        if self.name == "doc.go" or any(word in self.text for word in _MATTERS):
            return False
        return self.name.endswith(_TEXTS) or self.is_by_name or _GENERATED.search(self.text) is not None

    @property
    def is_by_name(self) -> bool:
        """True if its name marks a generated file."""
        return self.name.startswith("zz_generated.")

    @property
    def declares_types(self) -> bool:
        return _TYPE.search(self.text) is not None


def is_source_name(name: str) -> bool:
    """Returns whether a file of this name belongs to a package (`go help packages`), without test files."""
    return GO.has(name) and not name.startswith(("_", ".")) and not GO.is_test(name)


def read_go_file(path: Path, display: str, diagnostics: Diagnostics) -> GoFile | None:
    """Reads one file. Returns `None` (and reports a VG901) if it is unreadable or no UTF-8, which Go requires."""
    try:
        data = recording_fs.read(path)
    except OSError as problem:
        message = f"cannot read the file: {problem.strerror or problem}"
        diagnostics.error("VG901", message, Span(display), "check where it leads to, and the permissions")
        return None
    try:
        text = data.decode()
    except UnicodeDecodeError as problem:
        start = data.rfind(b"\n", 0, problem.start) + 1
        column = len(data[start : problem.start].decode(errors="replace")) + 1
        span = Span(display, data.count(b"\n", 0, problem.start) + 1, column, column + 1)
        byte = data[problem.start]
        diagnostics.error(
            "VG901", f"byte 0x{byte:02x} is not UTF-8", span, help="Go sources are UTF-8; convert the file"
        )
        return None
    return GoFile(path.name, display, text.removeprefix("\ufeff"), package_clause(text))


def package_clause(text: str) -> str:
    """Returns the name in the package clause, `""` when the file has none."""
    clause = _PACKAGE.match(text, _skip_blank(text, 0))
    name = _IDENTIFIER.match(text, _skip_blank(text, clause.end())) if clause else None
    return name[0] if name else ""


def get_head(text: str) -> str:
    """Returns the text above the package clause."""
    return text[: _skip_blank(text, 0)]


def _skip_blank(text: str, position: int) -> int:
    while match := _BLANK.match(text, position):
        position = match.end()
    return position
