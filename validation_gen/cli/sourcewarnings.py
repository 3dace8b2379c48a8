"""Summarises warnings about sources in one line, for commands about something else."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from validation_gen.cli.terminal import apply_levels, one_line
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostics, Severity
from validation_gen.runtime.words import counted


def set_aside(diagnostics: Diagnostics, settings: Settings) -> str:
    """Removes the warnings about sources from the findings. Returns a sentence about them, `""` if there is none.

    Keeps errors, as they can make the answer wrong, and warnings about unknown tags, files and arguments.
    """
    return _set_aside(diagnostics, ("VG103", "VG9"), "the sources", f"lint {shlex.join(settings.paths)}")


def set_aside_definitions(diagnostics: Diagnostics, paths: Sequence[str]) -> str:
    """Removes the warnings about definitions, as `set_aside` does. Keeps those about a second definition of a kind."""
    return _set_aside(diagnostics, ("VG9", "VG513"), "the definitions", f"crd lint {shlex.join(paths)}")


def _set_aside(diagnostics: Diagnostics, stay: tuple[str, ...], what: str, command: str) -> str:
    apply_levels(diagnostics)
    stays = [d.severity is Severity.ERROR or d.code.startswith(stay) for d in diagnostics.items]
    kept = [d for d, wanted in zip(diagnostics.items, stays, strict=True) if wanted]
    hidden = [d for d, wanted in zip(diagnostics.items, stays, strict=True) if not wanted]
    if not hidden:
        return ""
    diagnostics.items[:] = kept
    warnings = sum(d.severity is Severity.WARNING for d in hidden)
    told = counted(warnings, "warning") if warnings else counted(len(hidden), "note")
    shows = "shows it" if (warnings or len(hidden)) == 1 else "shows them"
    return one_line(f"{told} about {what}; `validation-gen {command}` {shows}")
