"""Loads the validators of types and definitions for commands that answer requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from validation_gen.cli.options import import_customs
from validation_gen.cli.terminal import print_diagnostics
from validation_gen.compiler.settings import Settings

if TYPE_CHECKING:
    from validation_gen.compiler.pipeline import Result
    from validation_gen.runtime.registry import Registry


def load(options: Settings) -> tuple[Result, Registry]:
    """Reads the sources and loads their validators. Prints all findings."""
    from validation_gen.cli.trust_policy import leave_out_customs  # noqa: PLC0415
    from validation_gen.compiler.pipeline import build_program, load_validators, warn_of_nothing  # noqa: PLC0415 - late, so that --help stays fast

    result = build_program(options)
    warn_of_nothing(result.program, options, result.diagnostics)
    leave_out_customs(result)
    registry = load_validators(result.program)
    import_customs(result, options, registry)
    print_diagnostics(result.diagnostics, "concise")
    return result, registry
