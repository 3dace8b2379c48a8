"""Loads validators for commands that answer requests, and sums up warnings about sources for commands about objects."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from validation_gen.cli.terminal import apply_levels, print_diagnostics
from validation_gen.cli.trust_policy import leave_out_customs
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostics, Severity
from validation_gen.diagnostics.visible import one_line
from validation_gen.runtime.words import counted

if TYPE_CHECKING:
    from validation_gen.compiler.pipeline import Result
    from validation_gen.runtime.registry import Registry


def import_customs(result: Result, settings: Settings, registry: Registry) -> None:
    """Imports the user's own functions now, so that a broken file is reported once, with its position."""
    from validation_gen.emit.loading.generated import import_customs as imported  # noqa: PLC0415 - late, so that --help stays fast

    imported(result.program.custom, settings.custom, registry, result.diagnostics)


def load(options: Settings) -> tuple[Result, Registry]:
    """Reads the sources and loads their validators. Prints all findings."""
    from validation_gen.compiler.pipeline import build_program, load_validators, warn_of_nothing  # noqa: PLC0415 - late, so that --help stays fast

    result = build_program(options)
    warn_of_nothing(result.program, options, result.diagnostics)
    leave_out_customs(result)
    registry = load_validators(result.program)
    import_customs(result, options, registry)
    print_diagnostics(result.diagnostics, "concise")
    return result, registry


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
    counts = counted(warnings, "warning") if warnings else counted(len(hidden), "note")
    shows = "shows it" if (warnings or len(hidden)) == 1 else "shows them"
    return one_line(f"{counts} about {what}; `validation-gen {command}` {shows}")
