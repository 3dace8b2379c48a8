"""What people see: diagnostics, progress, and the exit code that follows."""

from __future__ import annotations

import os
import sys
import threading
import time
from types import TracebackType
from typing import TextIO

from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity

OK, FINDINGS, ENVIRONMENT, INTERRUPTED = 0, 1, 2, 130

_PATIENCE = 0.5  # seconds before progress is worth showing


def has_color(stream: TextIO) -> bool:
    """Colours only on terminals, and not where people have said that they want none (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def one_line(text: str) -> str:
    """Text of a user without anything that would move the cursor, break the line or not be a character."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def print_diagnostics(diagnostics: Diagnostics, format: str, stream: TextIO | None = None, *, fixable: int = 0) -> None:
    """All findings in order of position, and their number. `fixable` tells how many of them `--fix` would mend."""
    stream = stream or sys.stderr
    items: list[Diagnostic] = diagnostics.sorted()
    if not items and format != "json":
        return
    from validation_gen.rendering import render, summary  # noqa: PLC0415 - late: most runs have nothing to say

    text = render(items, color=has_color(stream), format=format)
    if text:
        stream.write(text)
    if items and format != "json":
        more = f", [*] {fixable} fixable with `--fix`" if fixable else ""
        stream.write(f"{summary(items)}{more}\n")


def exit_code(diagnostics: Diagnostics) -> int:
    """2 when files or arguments are at fault, 1 when what the files say is, 0 when there is at most a warning."""
    codes = {d.code for d in diagnostics.items if d.severity is Severity.ERROR}
    if any(code.startswith("VG9") for code in codes):
        return ENVIRONMENT
    return FINDINGS if codes else OK


class Progress:
    """A line on the terminal that says what is being done, when that takes a while. Silent when piped."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._visible = self._stream.isatty() and os.environ.get("TERM") != "dumb"
        self._started = time.monotonic()
        self._text = ""
        self._shown = False
        self._lock = threading.Lock()
        self._timer = threading.Timer(_PATIENCE, self._show)  # no stage has to call for the line to appear
        self._timer.daemon = True

    def __enter__(self) -> Progress:
        if self._visible:
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        with self._lock:
            self._visible = False
            if self._shown:
                self._draw("")

    def __call__(self, text: str) -> None:
        """Says what comes next."""
        with self._lock:
            self._text = f"{text} ..."
            if self._shown:
                self._draw(self._text)

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
