"""Where the tests of others are whose tables are read here. They are no part of this project.

Their tables are recorded (`recorded.py`). `test_recorded.py` compares them with checkouts, which these variables of the
environment name. Rules run as on servers of 1.36, so the checkouts must be of that release: later ones expect other
things of lists, and of texts.

- `VALIDATION_GEN_APIEXTENSIONS`: kubernetes/apiextensions-apiserver at v0.36
- `VALIDATION_GEN_APISERVER_SOURCE`: kubernetes/apiserver at v0.36
- `VALIDATION_GEN_CEL_GO`: google/cel-go at v0.26
- `VALIDATION_GEN_CEL_SPEC`: google/cel-spec at v0.25.2 or a little later (508bd98)
"""

from __future__ import annotations

import os
from pathlib import Path

APIEXTENSIONS, APISERVER, CEL_GO, CEL_SPEC = (
    "VALIDATION_GEN_APIEXTENSIONS",
    "VALIDATION_GEN_APISERVER_SOURCE",
    "VALIDATION_GEN_CEL_GO",
    "VALIDATION_GEN_CEL_SPEC",
)


def folder(variable: str, path: str) -> Path | None:
    """A folder of a checkout, if there is one."""
    root = os.environ.get(variable)
    found = Path(root, path) if root else None
    return found if found is not None and found.is_dir() else None
