"""Terminal output: diagnostics, progress, and exit codes."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import NoReturn, TextIO

import typer

from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from validation_gen.diagnostics.formats import summary
from validation_gen.diagnostics.formats.locations import COMMAND_LINE, group_by_cause
from validation_gen.diagnostics.formats.names import DiagnosticFormat, find_format
from validation_gen.diagnostics.formats.registry import Format
from validation_gen.diagnostics.formats.report import Findings, Page, Report
from validation_gen.diagnostics.formats.sariflog import About
from validation_gen.diagnostics.visible import one_line, redact

OK, FINDINGS, ENVIRONMENT, INTERRUPTED = 0, 1, 2, 130

_PATCH_COLORS = {"+": "\x1b[32m", "-": "\x1b[31m", "@": "\x1b[36m"}
_PATIENCE = 0.5  # seconds before progress is shown


def has_color(stream: TextIO) -> bool:
    """Returns whether to use colours: on terminals, unless NO_COLOR is set, or always with FORCE_COLOR.

    See https://no-color.org and https://force-color.org; NO_COLOR comes first.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def print_diagnostics(diagnostics: Diagnostics, format: str, *, fixable: int = 0) -> None:
    """Prints all findings in order of position, and for people their number.

    Args:
        diagnostics: the findings.
        format: one of `DiagnosticFormat`.
        fixable: how many of them `--fix` would fix.
    """
    apply_levels(diagnostics)
    chosen = find_format(format)
    stream = sys.stderr if chosen.for_people else sys.stdout
    print_report(_Numbered(diagnostics.sorted(), fixable), chosen, stream)


def print_report(report: Report, format: Format, stream: TextIO | None = None) -> None:
    """Prints the report of a command, by default on standard output; separate findings come first."""
    if format.form in report.apart:
        beside = Diagnostics()
        for each in report.beside:  # added, so that levels are not applied again
            beside.add(each)
        print_diagnostics(beside, format.name if format.for_people else "concise")
    stream = stream or sys.stdout
    page = Page(color=has_color(stream), columns=_columns(stream), explain=_explain, levels=apply_levels)
    text = format.render(report, page)
    if format.annotates and (problems := write_step_summary(report.found(page))):
        text += format.render(Findings(problems), page)
    if text:
        stream.write(text)
        stream.flush()


@dataclass(frozen=True, slots=True)
class _Numbered(Findings):
    """Findings for people: grouped by cause, with their number at the end."""

    fixable: int

    def text(self, page: Page) -> str:
        return Findings(group_by_cause(self.items)).text(page) + self._number()

    def lines(self, page: Page) -> str:
        return Findings(self.items).lines(page) + self._number()

    def _number(self) -> str:
        more = f", [*] {self.fixable} fixable with `lint --fix`" if self.fixable else ""
        return f"{summary(self.items)}{more}\n" if self.items else ""


def _explain(code: str) -> About:
    """Returns the summary of a code."""
    from validation_gen.commands.explain.codes import brief  # noqa: PLC0415 - late: most formats do without

    return brief(code)


def apply_levels(diagnostics: Diagnostics) -> None:
    """Applies the levels of the configuration and the command line to findings, before they are counted."""
    from validation_gen.cli.config_context import levels  # noqa: PLC0415 - it prints what is wrong with a configuration

    levels().apply(diagnostics)


def _columns(stream: TextIO) -> int:
    """Returns the width of the terminal, 0 if there is none."""
    return shutil.get_terminal_size((0, 24)).columns if stream.isatty() else 0


def print_usage_error(error: Exception, given: Sequence[str]) -> bool:
    """Prints a usage error as a finding if the arguments name a format that owns standard output.

    Returns whether they do. For people, typer prints the error.
    """
    named = ""
    for index, word in enumerate(given):
        if word == "--":
            break
        if word == "--format":
            named = "".join(given[index + 1 : index + 2])
        elif word.startswith("--format="):
            named = word.partition("=")[2]
    format = next((each.value for each in DiagnosticFormat if each.value == named and each.owns_stdout), None)
    if format is None:
        return False
    message: str = getattr(error, "format_message", lambda: str(error))().removesuffix(".")
    found = Diagnostics()
    found.error("VG904", message, Span(COMMAND_LINE), "--help lists what the command takes")
    print_diagnostics(found, format)
    return True


def say(text: str, format: DiagnosticFormat, *, quiet: bool = False, aside: bool = False) -> None:
    """Prints a sentence about the run for people, outside of any document for programs.

    `aside`: standard output belongs to something else.
    """
    if quiet or not (format.for_people or format.record.annotates):
        return
    stream = sys.stdout if format.for_people and not aside else sys.stderr
    stream.write(f"{redact(text)}\n")
    stream.flush()


def say_unjudged(text: str, format: DiagnosticFormat, *, quiet: bool = False) -> None:
    """Prints which inputs only schemas judge, for people; nothing if `text` is empty. It is not part of an answer."""
    if text and format.for_people:
        say(text, format, quiet=quiet, aside=True)


def write_step_summary(items: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Adds the findings to GitHub's summary of the run, if there is one. Returns the error if that fails."""
    file = os.environ.get("GITHUB_STEP_SUMMARY")
    if not file:
        return []
    from validation_gen.diagnostics.formats.github import step_summary  # noqa: PLC0415 - late: only GitHub needs it
    from validation_gen.emit.output import open_to_append  # noqa: PLC0415 - as below

    try:
        with open_to_append(file) as page:
            page.write(step_summary(items).encode(errors="backslashreplace"))
    except (OSError, ValueError) as error:
        message = f"cannot write the summary: {getattr(error, 'strerror', None) or error}"
        help = "GITHUB_STEP_SUMMARY must name a file, or be empty"
        return [Diagnostic("VG903", Severity.WARNING, message, Span(file), help)]
    return []


def print_patch(patch: str) -> None:
    """Prints a patch: on a terminal with colours and without control characters, else unchanged."""
    terminal, colored = sys.stdout.isatty(), has_color(sys.stdout)
    for line in patch.split("\n")[:-1]:
        text = "\t".join(map(one_line, line.removesuffix("\r").split("\t"))) if terminal else line
        color = _PATCH_COLORS.get(text[:1]) if colored and not text.startswith(("+++ ", "--- ")) else None
        sys.stdout.write(f"{color}{text}\x1b[0m\n" if color else f"{text}\n")
    sys.stdout.flush()


def fail(message: str) -> NoReturn:
    """Prints an error about the environment, and ends the command.

    Raises:
        typer.Exit: always.
    """
    typer.echo(f"error: {message}", err=True)
    raise typer.Exit(ENVIRONMENT)


def require(what: str, extra: str, *modules: str) -> None:
    """Ends the command if a module of an extra is not installed. Imports none.

    Raises:
        typer.Exit: one is missing, which has been printed.
    """
    for name in modules:
        if importlib.util.find_spec(name) is None:
            fail(f"{what} needs {name}: pip install 'validation-gen[{extra}]'")


def exit_code(diagnostics: Diagnostics) -> int:
    """Returns 2 for errors about files or arguments, 1 for errors in their content, 0 for warnings at most."""
    apply_levels(diagnostics)
    codes = {d.code for d in diagnostics.items if d.severity is Severity.ERROR}
    if any(code.startswith("VG9") for code in codes):
        return ENVIRONMENT
    return FINDINGS if codes else OK


def was_stopped(diagnostics: Diagnostics, *done: int) -> bool:
    """Returns whether an error about files or arguments ended a run before it had `done` anything."""
    return not any(done) and exit_code(diagnostics) == ENVIRONMENT


#: Seconds between two progress lines of a run on a cluster, without a terminal.
SELDOM = 30.0


class Progress:
    """A progress line on the terminal, shown when work takes long. Silent when piped.

    With `verbose` each stage leaves a line with its duration instead, also when piped. With `every`, a line is printed
    when piped, each time after so many seconds.
    """

    def __init__(self, stream: TextIO | None = None, *, verbose: bool = False, every: float | None = None) -> None:
        self._stream = stream or sys.stderr
        self._visible = self._stream.isatty() and os.environ.get("TERM") != "dumb" and not verbose
        self._verbose = verbose
        self._every = None if self._visible or verbose else every
        self._told = time.monotonic()
        self._stage = ("", 0.0)
        self._started = time.monotonic()
        self._text = ""
        self._shown = False
        self._lock = threading.Lock()
        self._timer = threading.Timer(_PATIENCE, self._show)  # shows the line even within one long stage
        self._timer.daemon = True

    def __enter__(self) -> Progress:
        if self._visible:
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        self._tell_stage()
        with self._lock:
            self._visible = False
            if self._shown:
                self._draw("")

    def __call__(self, text: str) -> None:
        """Begins the next stage."""
        self._tell_stage()
        self._stage = (text, time.monotonic())
        with self._lock:
            self._text = f"{text} ..."
            if self._shown:
                self._draw(self._text)
        if self._every is not None and time.monotonic() - self._told >= self._every:
            self._told = time.monotonic()
            self._stream.write(f"{text}\n")
            self._stream.flush()

    def settle(self) -> None:
        """Shows the line at once, and stops the timer thread: processes must be forked without one."""
        if self._visible:
            self._timer.cancel()
            self._timer.join()
            self._show()

    def _tell_stage(self) -> None:
        text, started = self._stage
        self._stage = ("", 0.0)
        if text and self._verbose:
            self._stream.write(f"{text}: {time.monotonic() - started:.2f} s\n")

    def _show(self) -> None:
        with self._lock:
            if self._visible:
                self._shown = True
                self._draw(self._text)

    def _draw(self, text: str) -> None:
        self._stream.write(f"\r\x1b[K{text}")
        self._stream.flush()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._started
