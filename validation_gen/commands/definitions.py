"""Recognises arguments that name CustomResourceDefinitions. `schemes` reads the kinds in them."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable
from pathlib import Path

from validation_gen.compiler.config.survey import declares_api
from validation_gen.files import reading
from validation_gen.files.reading import is_manifest
from validation_gen.sources.languages import find_language

#: Maximum number of searched directories; beyond it an argument counts as sources.
_MOST_DIRECTORIES = 10_000
#: Directories that no reader of sources enters, beside hidden ones.
_SKIPPED = ("vendor", "testdata", "node_modules", "site-packages")
_DEFINITION = re.compile(rb"""\bkind["']?\s*:\s*["']?CustomResourceDefinition\b""")


def split(paths: Iterable[str]) -> tuple[list[str], list[str]]:
    """Divides arguments into definitions and sources of types.

    A file counts by its name. A directory has definitions if there are manifests in it, and no Go or Python file
    declares a type of an API. Beside other Go and Python files, one of the manifests has to hold a definition.
    """
    definitions: list[str] = []
    sources: list[str] = []
    for path in paths:
        plain = path.removesuffix("/...")
        if path == "-" or is_manifest(path):
            definitions.append(path)
        elif _is_of_definitions(plain):
            definitions.append(plain)
        else:
            sources.append(path)
    return definitions, sources


def is_lasting(path: str) -> bool:
    """Returns whether an argument can be read again: not standard input, pipes, patterns and lists of names."""
    if os.path.lexists(path):
        return os.path.isfile(path) or os.path.isdir(path)  # noqa: PTH112, PTH113 - they never raise
    return path != "-" and not glob.has_magic(path) and "," not in path


def _is_of_definitions(path: str) -> bool:
    if not os.path.isdir(path):  # noqa: PTH112 - unlike Path.is_dir, it never raises
        return False
    manifests: list[str] = []
    sources: list[str] = []
    for count, (directory, _, files) in enumerate(os.walk(path)):
        if count > _MOST_DIRECTORIES:
            return False
        above = Path(directory).relative_to(path).parts
        is_read = not any(name in _SKIPPED or name.startswith(("_", ".")) for name in above)
        for name in files:
            whole = os.path.join(directory, name)  # noqa: PTH118
            if is_manifest(name):
                manifests.append(whole)
            elif is_read and (language := find_language(name)) is not None and not language.is_test(name):
                sources.append(whole)
    if not manifests or not sources:
        return bool(manifests)
    return not any(declares_api(name, _read(name)) for name in sources) and any(
        _DEFINITION.search(_read(name)) for name in manifests
    )


def _read(path: str) -> bytes:
    """Returns the contents of a file, nothing if it cannot be read."""
    try:
        return reading.read(path)
    except (OSError, ValueError):
        return b""
