"""Warnings about sources, where something else was asked: one line says how many there are, and how to see them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from validation_gen.build.settings import Settings
from validation_gen.cli.terminal import apply_levels, one_line
from validation_gen.diagnostics import Diagnostics, Severity
from validation_gen.runtime.words import counted


def set_aside(diagnostics: Diagnostics, settings: Settings) -> str:
    """Takes the warnings about sources out of the findings. Returns what is said of them, `""` if there is none.

    Errors stay: with them the answer may be wrong. So do warnings about unknown tags, files and arguments.
    """
    return _set_aside(diagnostics, ("VG103", "VG9"), "the sources", f"lint {shlex.join(settings.paths)}")


def set_aside_definitions(diagnostics: Diagnostics, paths: Sequence[str]) -> str:
    """Takes the warnings about definitions out, as `set_aside` does. A second definition of a kind is none of them."""
    return _set_aside(diagnostics, ("VG9", "VG513"), "the definitions", f"crd check {shlex.join(paths)}")


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
