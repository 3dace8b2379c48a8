"""`validation-gen monitoring`: writes a Grafana dashboard and Prometheus alert rules for the harness's metrics."""

from __future__ import annotations

from typing import Annotated

import typer

from validation_gen.cli.options import Check, DiagnosticFormat, Diff, Format, Quiet, refuse_empty
from validation_gen.cli.terminal import Progress
from validation_gen.commands.generate.run import Generated
from validation_gen.mismatch.series import PREFIX


def monitoring(
    output_dir: Annotated[str, typer.Option("--output-dir", "-o", help="Directory of the files.")] = "monitoring",
    prefix: Annotated[
        str, typer.Option("--prefix", help="What the names of the series begin with, as given to Metrics.")
    ] = PREFIX,
    check: Check = False,
    diff: Diff = False,
    format: Format = DiagnosticFormat.FULL,
    quiet: Quiet = False,
) -> None:
    """Write a Grafana dashboard and Prometheus alert rules for the metrics of the mismatch harness."""
    from validation_gen.cli.writing import Output, report, settle  # noqa: PLC0415 - late, so that --help stays fast
    from validation_gen.emit.monitoring import build_monitoring  # noqa: PLC0415

    refuse_empty([output_dir], "--output-dir")
    try:
        files = build_monitoring(prefix)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--prefix") from None
    with Progress() as progress:
        output = Output(output_dir, files, "file", shared=True)
        outcome = settle(Generated(), [output], progress, check=check, diff=diff)
    report(outcome, progress.seconds, head="", diff=diff, format=format, quiet=quiet)
