"""Detects default inputs, for a run without arguments."""

from __future__ import annotations

import os
from pathlib import Path

from validation_gen.build.config.files import find, opened
from validation_gen.diagnostics import Diagnostics


def has_inputs() -> bool:
    """Returns whether the environment or the configuration names inputs.

    A malformed configuration counts: the run reports it.
    """
    if os.environ.get("VALIDATION_GEN_INPUTS"):
        return True
    named = os.environ.get("VALIDATION_GEN_CONFIG")
    diagnostics = Diagnostics()
    try:
        document = opened(Path(named), diagnostics) if named else find(Path.cwd(), diagnostics)
    except OSError:  # the current directory was deleted
        return False
    return bool(diagnostics.items) or (document is not None and "inputs" in document.table)
