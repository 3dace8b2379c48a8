"""Location of the cache."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

#: The variable that names another directory.
VARIABLE = "VALIDATION_GEN_CACHE_DIR"


def cache_directory(given: str, environ: Mapping[str, str] | None = None) -> Path | None:
    """Returns the directory for results: below the one that is given, else below the user's own for caches.

    It is always one of our own, since what is old in it is removed. `None` without a home.

    A relative `XDG_CACHE_HOME` does not count, as https://specifications.freedesktop.org/basedir-spec demands.
    """
    if given:
        return Path(os.path.expanduser(given), "validation-gen")  # noqa: PTH111 - unlike `Path.expanduser`, it never raises
    environ = os.environ if environ is None else environ
    base = environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # noqa: PTH117 - it may be empty
        home = environ.get("HOME") or environ.get("USERPROFILE")
        if not home:
            return None
        base = os.path.join(home, ".cache")  # noqa: PTH118
    return Path(base, "validation-gen")
