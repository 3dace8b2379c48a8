"""`validation-gen monitoring`: a Grafana dashboard and Prometheus alert rules for the metrics of the harness."""

from __future__ import annotations

from typing import Annotated

import typer

from validation_gen.cli.options import DiagnosticFormat, Format, refuse_empty
from validation_gen.cli.terminal import FINDINGS, OK, exit_code, one_line, print_diagnostics, say
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.mismatch.series import PREFIX


def monitoring(
    output_dir: Annotated[str, typer.Option("--output-dir", "-o", help="Where the files go.")] = "monitoring",
    prefix: Annotated[
        str, typer.Option("--prefix", help="What the names of the series begin with, as given to Metrics.")
    ] = PREFIX,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing, and end with 1 if a file would be written.")
    ] = False,
    format: Format = DiagnosticFormat.FULL,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No summary line.")] = False,
) -> None:
    """Write a Grafana dashboard and Prometheus alert rules for the metrics of the mismatch harness."""
    from validation_gen.monitoring import build_monitoring, outdated  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.output import write_files  # noqa: PLC0415

    refuse_empty([output_dir], "--output-dir")
    try:
        files = build_monitoring(prefix)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--prefix") from None
    if check:
        stale = outdated(output_dir, files)
        found = Diagnostics()
        for name in stale:
            if format.owns_stdout:
                help = "write it again, and commit what changes"
                found.error("VG702", "this generated file is not up to date", Span(f"{output_dir}/{name}"), help)
            else:
                typer.echo(f"{one_line(output_dir)}/{name} is not up to date", err=True)
        if format.owns_stdout:
            print_diagnostics(found, format.value)
        unchanged = len(files) - len(stale)
        say(f"{len(files)} files: {len(stale)} to be written, {unchanged} unchanged", format, quiet=quiet)
        raise typer.Exit(FINDINGS if stale else OK)
    diagnostics = Diagnostics()
    written = write_files(output_dir, files, diagnostics, prune=False)
    print_diagnostics(diagnostics, format.value)
    counts = f"{len(written.written)} written, {len(written.unchanged)} unchanged"
    say(f"{len(files)} files: {counts} in {one_line(output_dir)}", format, quiet=quiet)
    code = exit_code(diagnostics)
    if code != OK:
        raise typer.Exit(code)
