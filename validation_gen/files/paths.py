"""Which paths are below which, as texts. Who has to know it of links resolves them first."""

from __future__ import annotations

import os

#: How the names of files with manifests end.
MANIFESTS = (".yaml", ".yml", ".json")


def is_below(path: str, directory: str) -> bool:
    """Whether an absolute path leads below an absolute directory, which does not count itself."""
    path, directory = os.path.normcase(path), os.path.normcase(directory)
    return path.startswith(directory.rstrip(os.sep) + os.sep)


def is_manifest(name: str) -> bool:
    """Whether a name is one that files with manifests have."""
    return name.endswith(MANIFESTS)
