"""Comparison of paths as texts. Callers resolve links before, if these matter."""

from __future__ import annotations

import os

#: Suffixes of files with manifests.
MANIFESTS = (".yaml", ".yml", ".json")


def is_below(path: str, directory: str) -> bool:
    """Returns whether an absolute path is below an absolute directory, and not the directory itself."""
    path, directory = os.path.normcase(path), os.path.normcase(directory)
    return path.startswith(directory.rstrip(os.sep) + os.sep)


def is_manifest(name: str) -> bool:
    """Returns whether a file name is that of a manifest."""
    return name.endswith(MANIFESTS)
