"""Loads the native fast path, if it is built and wanted.

It is built where there is a C compiler when the package is installed. `VALIDATION_GEN_PURE=1` does without it.
"""

from __future__ import annotations

import os
import sys
from types import ModuleType

#: Version of the interface between Python and the extension, which `_fastpath.c` has, too. A change of the interface
#: increments both, because an editable installation keeps its old extension when the source changes.
EDITION = 10
#: The text where the extension is of another edition.
STALE = (
    "in pure Python, as the native accept path is of another version: install again, "
    "in a clone by `python -m pip install -e .`"
)


def _loaded() -> tuple[ModuleType | None, str]:
    if os.environ.get("VALIDATION_GEN_PURE", "") not in ("", "0"):
        return None, "in pure Python, as VALIDATION_GEN_PURE says"
    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        return None, "in pure Python, as this one runs without the GIL"
    try:
        from validation_gen.runtime import _fastpath  # noqa: PLC0415 - it need not be there
    except ImportError:
        return None, "in pure Python, as the native accept path has not been built"
    if getattr(_fastpath, "EDITION", None) != EDITION:
        return None, STALE
    return _fastpath, "with the native accept path"


#: The extension, `None` if it is missing or unwanted; and the text that `--version -v` prints.
accept, told = _loaded()
