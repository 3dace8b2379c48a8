"""Finds the files of tests, and those that they name.

A file of tests may be untrusted. It names ordinary files of its own project only, by paths relative to it: a path that
leads out of the project, directly or by links, is refused.
"""

from __future__ import annotations

import os
from pathlib import Path

from validation_gen.compiler.config.named import find_project, is_inside
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.files import reading
from validation_gen.files.reading import is_below
from validation_gen.kubernetes.manifests import Manifest, parse

#: Suffixes of test files.
SUFFIXES = (".celtest.yaml", ".celtest.yml")


def is_suite(name: str) -> bool:
    """Returns whether a file has tests, by its name."""
    return name.endswith(SUFFIXES)


def find_test_files(paths: list[str], diagnostics: Diagnostics) -> list[Path]:
    """Returns the test files that arguments name, and those in directories, sorted, each once.

    A named file counts with any suffix.
    """
    found: dict[str, Path] = {}
    for argument in paths:
        files = _below(argument, diagnostics) if os.path.isdir(argument) else [Path(argument)]  # noqa: PTH112
        if not files:
            help = f"name a file, or a directory with files that end in {SUFFIXES[0]}"
            diagnostics.error("VG902", "there are no tests here", Span(argument), help)
        for file in files:
            found.setdefault(os.path.realpath(file), file)
    return list(found.values())


def _below(top: str, diagnostics: Diagnostics) -> list[Path]:
    def report(error: OSError) -> None:
        place = Span(Path(error.filename).as_posix())
        diagnostics.error("VG901", f"cannot read the directory: {error.strerror}", place, "check the permissions")

    found: list[Path] = []
    for directory, _, names in os.walk(top, onerror=report):  # it does not follow links to directories
        files = [Path(directory, name) for name in names if is_suite(name)]
        # A dangling link is listed, and fails when it is read; pipes and devices are skipped, as reading them would
        # block.
        found += [file for file in files if os.path.isfile(file) or not os.path.exists(file)]  # noqa: PTH110, PTH113
    return sorted(found)


def read_documents(file: Path, diagnostics: Diagnostics) -> list[Manifest]:
    """Reads the documents of a test file that a user has named."""
    place = Span(file.as_posix())
    try:
        content = reading.read_named(file, reading.MOST_OF_A_SOURCE)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or error
        diagnostics.error("VG901", f"cannot read: {reason}", place, "check the path")
        return []
    before = len(diagnostics.items)
    found = parse(file.as_posix(), content, diagnostics)
    if not found and len(diagnostics.items) == before:
        diagnostics.error("VG912", "there are no tests here", place, "write `cases:` with a list of cases")
    return found


class ForbiddenPathError(ValueError):
    """A path that test files may not name; the text is the reason."""


def resolve_path(test: str, name: str) -> str:
    """Returns the path of a file that a test file names, relative to the working directory.

    Raises:
        ForbiddenPathError: it is not relative, or leads out of the project.
        ValueError: it is no valid path.
    """
    if not name or os.path.isabs(name):  # noqa: PTH117 - a text
        raise ForbiddenPathError("it is not a path relative to this file")
    directory = os.path.dirname(test)  # noqa: PTH120
    path = os.path.normpath(os.path.join(directory, name))  # noqa: PTH118
    real = os.path.realpath(os.path.join(directory, name))  # noqa: PTH118
    home = os.path.realpath(directory or ".")
    roots = _projects(home)
    if not any(is_inside(real, root) for root in roots):
        raise ForbiddenPathError(f"it leads out of {min(roots, key=len)}, the project of this file")
    return path if os.path.realpath(path) == real else real


def _projects(home: str) -> set[str]:
    """Returns the directories below which a test file in `home` may read: its git work tree, and the current one.

    Outside of work trees these are the directory of the file, and the working directory, unless that is more than a
    project: a home directory, or the whole disk.
    """
    here = os.path.realpath(".")
    person = os.path.realpath(os.path.expanduser("~"))  # noqa: PTH111 - it never raises
    is_wide = here == os.path.dirname(here) or here == person or is_below(person, here)  # noqa: PTH120
    found = {find_project(home)}
    if is_inside(home, here) and not is_wide:
        found.add(find_project(here))
    return found
