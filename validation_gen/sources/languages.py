"""Languages of sources, one record each, with all facts about their files.

To add one, write a record, a finder (with the interface in `sources/reader`) and a reader in a package of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from validation_gen.sources import fs_queries


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """A language of sources. Each has one instance, and is compared by identity.

    Attributes:
        name: name in `convert` and results.
        title: name in messages.
        suffix: suffix of files that can be named and are searched for.
        declares: suffixes of files that only declare types, which are read where others need them.
        comment: the marker of a comment up to the end of the line.
        counted: its files in a named directory, as in messages.
        is_test: returns whether a file name is that of a test.
        tools: names of settings files of tools, which are skipped in the search for APIs.
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
        """Returns whether a file is written in the language, by its name."""
        return file.endswith((self.suffix, *self.declares))


GO = Language("go", "Go", fs_queries.GO_SUFFIX, "//", "Go files", lambda name: name.endswith("_test.go"))
PYTHON = Language(
    "python",
    "Python",
    fs_queries.PYTHON_SUFFIX,
    "#",
    "Python files with tags",
    lambda name: name.startswith("test_"),
    tools=("conftest.py", "setup.py"),
    declares=(".pyi",),
)
LANGUAGES = (GO, PYTHON)


def find_language(file: str) -> Language | None:
    """Returns the language of a file by its name, `None` if it is no source."""
    return next((language for language in LANGUAGES if language.has(file)), None)
