"""`validation-gen convert PATH… --to python|go`: converts API types or definitions to another language."""

from __future__ import annotations

import enum
import os
from pathlib import Path
from typing import Annotated

import typer

from validation_gen.cli.options import Defined, DiagnosticFormat, Format, Modules, Readonly, refuse_empty, settings
from validation_gen.cli.terminal import OK, Progress, exit_code, one_line, print_diagnostics, say, was_stopped
from validation_gen.commands.definitions import split
from validation_gen.diagnostics import Span
from validation_gen.rules.releases import NEWEST
from validation_gen.runtime.words import counted
from validation_gen.sources.languages import LANGUAGES, Language


class Target(str, enum.Enum):
    """Languages of API types."""

    _ignore_ = "each"
    for each in LANGUAGES:
        vars()[each.name.upper()] = each.name

    @property
    def record(self) -> Language:
        """Returns the record of the language."""
        return next(each for each in LANGUAGES if each.name == self.value)


def convert(
    paths: Defined,
    to: Annotated[Target, typer.Option("--to", help="The language to write.", show_default=False)],
    output_dir: Annotated[
        str, typer.Option("--output-dir", "-o", help="Directory of the converted packages.")
    ] = "converted",
    module: Modules = [],  # noqa: B006 - typer wants a plain default and never changes it
    readonly_pkg: Readonly = [],  # noqa: B006
    format: Format = DiagnosticFormat.FULL,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No summary line.")] = False,
) -> None:
    """Write Go types, Python classes or definitions in PATH as Python dataclasses or Go types."""
    from validation_gen.commands.convert.run import convert_sources  # noqa: PLC0415
    from validation_gen.emit.output import write_files  # noqa: PLC0415 - late, so that --help stays fast

    definitions, sources = split(paths)
    options = settings(sources, module, readonly_pkg, False, [], NEWEST)
    options = options.with_definitions(definitions, sources)
    refuse_empty([output_dir], "--output-dir")
    with Progress() as progress:
        files, diagnostics = convert_sources(options, to.record, progress)
        if not files and not diagnostics.has_errors:
            message = f"nothing here can be converted to {to.record.title}"
            help = "name a directory with types in the other language, or definitions"
            diagnostics.warning("VG902", message, Span((*options.paths, *options.definitions)[0]), help)
        progress("writing")
        # a package marker is empty, so an existing one is fine
        wanted = {name: text for name, text in files.items() if text or not os.path.lexists(Path(output_dir) / name)}
        written = write_files(output_dir, wanted, diagnostics, prune=False)
    print_diagnostics(diagnostics, format.value)
    stopped = was_stopped(diagnostics, len(written.written), len(written.unchanged))
    told = f"{counted(len(written.written), 'file')} written, {len(written.unchanged)} unchanged"
    say(f"{told} in {one_line(output_dir)} ({progress.seconds:.1f} s)", format, quiet=quiet or stopped)
    code = exit_code(diagnostics)
    if code != OK:
        raise typer.Exit(code)
