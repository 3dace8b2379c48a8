"""The output directory of `generate`: the modules, and the extensions that are built from them."""

from __future__ import annotations

from collections.abc import Mapping

from validation_gen.cli.terminal import Progress
from validation_gen.compiled.extensions import sweep
from validation_gen.diagnostics import Diagnostics
from validation_gen.output import Written, write_files


def write_package(
    directory: str,
    files: Mapping[str, str],
    diagnostics: Diagnostics,
    progress: Progress,
    *,
    compile: bool,
    prune: bool,
) -> tuple[Written, str]:
    """Writes the files, and with `compile` what is built from them.

    Returns what has happened to them, and why Python goes on without extensions on this machine, `""` if it need not.
    """
    # First, as an extension without its source could not be told from somebody else's.
    swept = sweep(directory, files, keep=compile, prune=prune)
    written = write_files(directory, files, diagnostics, prune=prune)
    written.removed += swept
    if not compile:
        return written, ""
    from validation_gen.compiled.build import compile_files  # noqa: PLC0415 - not every run builds

    compiled = compile_files(directory, files, diagnostics, progress)
    written.written += compiled.built
    written.unchanged += compiled.unchanged
    return written, f"not compiled, so Python runs the validators: {compiled.missing}" if compiled.missing else ""
