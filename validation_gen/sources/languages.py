"""The languages in which types are written, one record each: whoever asks what a file is asks the record.

To add one, write a record, a finder (`sources/arguments` has what it must do) and a reader in a package of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from validation_gen.sources import suffixes


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """A language of sources. Each is made once, and compared by identity.

    Attributes:
        name: as `convert` and results have it.
        title: as messages have it.
        suffix: that of files which can be named and are looked for.
        declares: suffixes of files that only declare types, which are read where others need them.
        comment: the sign of a comment up to the end of the line.
        counted: what of it counts in a directory that is named, as messages have it.
        is_test: whether a file of that name holds tests, and no API.
        tools: names of files that hold settings of tools. Where an API is looked for, they are passed over.
    """

    name: str
    title: str
    suffix: str
    comment: str
    counted: str
    is_test: Callable[[str], bool]
    tools: tuple[str, ...] = ()
    declares: tuple[str, ...] = ()

    def has(self, file: str) -> bool:
        """Tell by its name whether a file is written in the language."""
        return file.endswith((self.suffix, *self.declares))


GO = Language("go", "Go", suffixes.GO, "//", "Go files", lambda name: name.endswith("_test.go"))
PYTHON = Language(
    "python",
    "Python",
    suffixes.PYTHON,
    "#",
    "Python files with tags",
    lambda name: name.startswith("test_"),
    tools=("conftest.py", "setup.py"),
    declares=(".pyi",),
)
LANGUAGES = (GO, PYTHON)


def language_of(file: str) -> Language | None:
    """Return the language of a file by its name, `None` if it is a source of none."""
    return next((language for language in LANGUAGES if language.has(file)), None)
