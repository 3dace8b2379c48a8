"""Where results are kept."""

from __future__ import annotations

import os
from collections.abc import Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

#: The variable that names another directory.
VARIABLE = "VALIDATION_GEN_CACHE_DIR"


def cache_directory(given: str, environ: Mapping[str, str] | None = None) -> Path | None:
    """The directory for results: below the one that is given, else below the user's own for caches.

    It is always one of our own, since what is old in it is removed. `None` without a home.

    A relative `XDG_CACHE_HOME` does not count, as https://specifications.freedesktop.org/basedir-spec demands.
    """
    from pathlib import Path  # noqa: PLC0415 - slow to import

    place = cache_place(given, os.environ if environ is None else environ)
    return Path(place) if place else None


def cache_place(given: str, environ: Mapping[str, str]) -> str:
    """The same as a text, `""` for none."""
    if given:
        return os.path.join(os.path.expanduser(given), "validation-gen")  # noqa: PTH111, PTH118 - it never raises
    base = environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # noqa: PTH117 - it may be empty
        home = environ.get("HOME") or environ.get("USERPROFILE")
        if not home:
            return ""
        base = os.path.join(home, ".cache")  # noqa: PTH118
    return os.path.join(base, "validation-gen")  # noqa: PTH118
