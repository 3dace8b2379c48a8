"""Lint suppressions of the project's configuration, by files.

Comments that suppress a rule on one declaration are in `suppressions`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from validation_gen.diagnostics import Diagnostic, Severity, Span
from validation_gen.diagnostics.levels import FileSuppression, Suppressions

#: Stars beside each other are one, so that no pattern takes long.
_PARTS = re.compile(r"(?:\*\*+/)+|\*\*+|\*|\?|\[!?\]?[^]]*\]|.", re.DOTALL)


@dataclass(slots=True)
class Configured:
    """The configuration of one run, and which of its suppressions were needed."""

    wanted: Suppressions
    _seen: set[str] = field(default_factory=set)
    _used: set[tuple[FileSuppression, str]] = field(default_factory=set)
    _patterns: dict[FileSuppression, re.Pattern[str]] = field(init=False)

    def __post_init__(self) -> None:
        self._patterns = {each: _pattern(each.files) for each in self.wanted.entries}

    def look_at(self, span: Span) -> None:
        """Notes that the declarations of a file are looked at."""
        self._seen.add(span.file)

    def passes_over(self, code: str, span: Span) -> bool:
        """Returns whether a finding in this file is suppressed. Marks all matching suppressions as used."""
        found = [each for each in self.wanted.entries if code in each.codes and self._covers(each, span.file)]
        self._used.update((each, code) for each in found)
        return bool(found)

    def report(self) -> Iterator[Diagnostic]:
        """Suppressions without a reason, and those without an effect."""
        for each in self.wanted.entries:
            for message, help in self._unneeded(each):
                yield Diagnostic("VG499", Severity.WARNING, message, each.span, help)
            if not each.reason:
                codes = ", ".join(each.codes)
                message = f"{codes}: ignored without a reason, so nobody can tell later whether it still may be"
                yield Diagnostic("VG498", Severity.WARNING, message, each.span, 'write reason = "…" below it')

    def _unneeded(self, suppression: FileSuppression) -> Iterator[tuple[str, str]]:
        """Yields unused suppressions, except for files that this run has not read."""
        if any(self._covers(suppression, file) for file in self._seen):
            for code in suppression.codes:
                if (suppression, code) not in self._used:
                    yield f"there is nothing in these files for which {code} would have to be ignored", "remove it"
        elif self.wanted.whole:
            files = ", ".join(suppression.files)
            yield f"no file with validated types matches {files}", "correct the pattern, or remove the suppression"

    def _covers(self, suppression: FileSuppression, file: str) -> bool:
        path = os.path.relpath(os.path.abspath(file), suppression.root)  # noqa: PTH100 - texts, and many of them
        return self._patterns[suppression].fullmatch(path.replace(os.sep, "/")) is not None


def _pattern(globs: tuple[str, ...]) -> re.Pattern[str]:
    """Returns a pattern for paths that match a glob, or that are below a matching directory."""
    return re.compile(
        "|".join(f"(?:{_expression(glob.removeprefix('./').rstrip('/'))}(?:/.*)?)" for glob in globs), re.DOTALL
    )


def _expression(glob: str) -> str:
    return "".join(map(_part, _PARTS.findall(glob)))


def _part(part: str) -> str:
    if part.startswith("**"):
        return "(?:[^/]+/)*" if part.endswith("/") else ".*"
    match part:
        case "*":
            return "[^/]*"
        case "?":
            return "[^/]"
    if len(part) > 1:
        inside = part[1:-1].replace("\\", "\\\\")
        inside = f"^{inside[1:]}" if inside.startswith("!") else inside.replace("^", "\\^")
        try:
            re.compile(f"[{inside}]")
        except re.error:
            return re.escape(part)
        return f"[{inside}]"
    return re.escape(part)
