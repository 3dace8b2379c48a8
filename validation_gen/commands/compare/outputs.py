"""Outputs of `validation-gen compare`: the results on standard output, and the chosen files."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path

from validation_gen.commands.compare.report import Compared, History, append_run, read_history, render_html, to_run
from validation_gen.commands.compare.results import Results
from validation_gen.commands.compare.work import Work
from validation_gen.diagnostics import Diagnostics, Span
from validation_gen.emit.output import replace_file
from validation_gen.files import reading
from validation_gen.mismatch.series import validation_identifier

#: Marks a page written by this command, within its first bytes.
_PAGE = b'<meta name="generator" content="validation-gen compare">'
_BEGINNING = 1000


def to_report(results: Results, work: Work, diagnostics: Diagnostics) -> Compared:
    """Returns the report of the results, with the files that a user edits."""

    def locate(source: str, tag: str) -> tuple[str, int, int] | None:
        span = work.declarations.span(source, tag)
        return (span.file, span.line, span.column) if span is not None else None

    return Compared(results, locate, work.saved, diagnostics.items)


def check_outputs(report: str, history: str, file: str, diagnostics: Diagnostics) -> None:
    """Reports unwritable output files, and those with foreign content, before the comparison starts."""
    if report and (problem := _in_the_way(report, _is_page)):
        _refuse(report, problem, "move it away, or name another file with --report", diagnostics)
    if history and (problem := _in_the_way(history, _is_history)):
        _refuse(history, problem, "name another file with --history", diagnostics)
    if file:
        if not _has_prometheus_client():
            help = "pip install 'validation-gen[metrics]'"
            diagnostics.error("VG904", "metrics need the package prometheus-client", Span("--metrics-file"), help)
        elif Path(file).suffix != ".prom":
            message = f"{file!r} does not end in .prom, and node_exporter reads only files that do"
            diagnostics.error("VG904", message, Span("--metrics-file"), "name a file that ends in .prom")
        elif problem := _in_the_way(file, lambda path: True):
            _refuse(file, problem, "name another file with --metrics-file", diagnostics)


def _refuse(file: str, problem: str | OSError, help: str, diagnostics: Diagnostics) -> None:
    if isinstance(problem, OSError):
        problem = f"cannot write: {problem.strerror or problem}"
    diagnostics.error("VG903", problem, Span(Path(file).as_posix()), help)


def _has_prometheus_client() -> bool:
    try:
        import prometheus_client  # noqa: F401, PLC0415 - late, as other runs do without it
    except ImportError:
        return False
    return True


def _in_the_way(file: str, is_ours: Callable[[Path], bool]) -> str:
    """Returns why a file cannot be written, `""` if it can."""
    path = Path(file)
    try:
        if path.is_dir():
            return "this is a directory"
        if not path.exists():
            return ""
        if not path.is_file():
            return "this is no regular file"
        return "" if not path.stat().st_size or is_ours(path) else "the file exists and holds something else"
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        return f"cannot write: {getattr(error, 'strerror', None) or error}"


def _is_page(path: Path) -> bool:
    with reading.open_argument(path) as file:
        return _PAGE in (file.read(_BEGINNING) or b"")


def _is_history(path: Path) -> bool:
    history = read_history(path)
    return bool(history.runs) or not history.problems


def write_page(file: str, results: Results, history: History, diagnostics: Diagnostics) -> None:
    """Writes the page. Replaces an older page at the same path."""
    try:
        replace_file(Path(file), render_html(results, history, str(Path(file).parent)).encode(errors="replace"))
    except OSError as error:
        _refuse(file, error, "name another file with --report", diagnostics)


def keep_history(file: str, results: Results, diagnostics: Diagnostics) -> History:
    """Adds the run to the history file, if there is one, and returns all runs."""
    run = to_run(results, datetime.now(timezone.utc).isoformat(timespec="seconds"))
    if not file:
        return History([run])
    try:
        append_run(Path(file), run)
        history = read_history(Path(file))
    except OSError as error:
        _refuse(file, error, "name another file with --history", diagnostics)
        return History([run])
    for problem in history.problems:
        span = Span(Path(file).as_posix(), problem.line, 1, 2)
        message = f"this line is no run, so it is skipped: {problem.reason}"
        diagnostics.warning("VG606", message, span, "take the line out, or let --history name another file")
    return history


def write_metrics(file: str, prefix: str, results: Results, diagnostics: Diagnostics) -> None:
    """Writes the totals for the textfile collector of node_exporter."""
    from prometheus_client import generate_latest  # noqa: PLC0415 - late, as other runs do without it

    from validation_gen.mismatch.metrics import Counts, LastRun  # noqa: PLC0415

    counts: dict[str, Counts] = {}
    for (kind, operation), tally in results.tallies.items():
        word, _, subresource = operation.partition(" ")
        name = kind.rpartition("/")[2].rpartition(".")[2]
        identifier = validation_identifier(name, subresource, update=word == "update")
        counted = Counts(tally.mismatches, tally.expected, tally.panics, tally.duplicates)
        counts[identifier] = counts.get(identifier, Counts()) + counted
    last = LastRun(
        not results.interrupted and not results.mismatches and not results.panics,
        counts,
        results.compared,
        results.bad,
        results.seconds,
        results.handwritten_seconds,
        results.declarative_seconds,
        prefix=prefix,
    )
    try:
        replace_file(Path(file), generate_latest(last))
    except OSError as error:
        _refuse(file, error, "name another file with --metrics-file", diagnostics)
