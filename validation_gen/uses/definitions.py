"""CustomResourceDefinitions as sources of types: which arguments name them. What they define is in `schemes`."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable

from validation_gen.files.paths import is_manifest
from validation_gen.sources.languages import language_of

#: How many directories are looked into before an argument is taken for sources.
_MOST_DIRECTORIES = 10_000


def split(paths: Iterable[str]) -> tuple[list[str], list[str]]:
    """The arguments that name definitions, and those that name sources of types.

    A file is told by its name. A directory has definitions if there are manifests in it and no Go or Python below.
    """
    definitions: list[str] = []
    sources: list[str] = []
    for path in paths:
        (definitions if path == "-" or is_manifest(path) or _has_manifests_alone(path) else sources).append(path)
    return definitions, sources


def is_lasting(path: str) -> bool:
    """Whether an argument can be asked again later: standard input and pipes cannot, nor patterns and several names."""
    if os.path.lexists(path):
        return os.path.isfile(path) or os.path.isdir(path)  # noqa: PTH112, PTH113 - they never raise
    return path != "-" and not glob.has_magic(path) and "," not in path


def _has_manifests_alone(path: str) -> bool:
    found = False
    if not os.path.isdir(path):  # noqa: PTH112 - unlike Path.is_dir, it never raises
        return False
    for count, (_, _, files) in enumerate(os.walk(path)):
        if count > _MOST_DIRECTORIES or any(language_of(name) is not None for name in files):
            return False
        found = found or any(map(is_manifest, files))
    return found
