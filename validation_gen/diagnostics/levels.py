"""Levels of findings for a project and a call, and files in which findings of lint are skipped.

They come from a configuration and a command line. They are applied at the end, to all findings of a run: no stage knows
them, so the generated output never depends on them. This module reads no file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from validation_gen.diagnostics import CODES, UNREACHED, Diagnostic, Diagnostics, Severity, Span

#: Levels of a code, and their meaning.
LEVELS = {"off": "no finding", "warning": "a finding is reported", "error": "a finding fails the run"}
#: Name of all codes on a command line.
ALL = "ALL"
#: Prefix of codes about the run itself, such as an unreadable file: these have no level.
OF_THE_RUN = "VG9"
#: Errors that do not affect the generated output. All others stay errors.
_OPINIONS = ("VG4", "VG7", "VG807", "VG812")
#: Codes that are the result of a command, with the command and a weaker option: levels do not change them.
_ANSWERS = {
    "VG804": ("validate", "; --skip leaves out objects of a kind"),
    "VG805": ("coverage", "; --allow names errors that no test has to trigger"),
    "VG806": ("coverage", ", and take the entry out of the file"),
    "VG810": ("cel test", ""),
    "VG811": ("cel test", "; --min-coverage says how many rules must be seen"),
}
#: Beginnings of the help of a VG103 that is certainly a misspelt tag: its rule has no effect.
_SLIPS = ("did you mean", "write '=' before", "write the name of the tag right behind")
#: Codes that a configuration can accept: a type that cannot be found, with less output.
_ACCEPTED = ("VG301",)


@dataclass(frozen=True, slots=True)
class FileSuppression:
    """Findings of some rules that are skipped in some files.

    Attributes:
        codes: the rules.
        files: patterns of paths below `root`, in which `**` matches any directories. A directory includes all files
            below it.
        reason: the reason, empty if none is given.
        root: the absolute directory of the patterns.
        span: position in the configuration.
    """

    codes: tuple[str, ...]
    files: tuple[str, ...]
    reason: str
    root: str
    span: Span


@dataclass(frozen=True, slots=True)
class Suppressions:
    """All suppressions, in the order of the configuration.

    `whole` is whether a run reads all files of the project, so that a suppression without any file is a mistake.
    """

    entries: tuple[FileSuppression, ...] = ()
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Level:
    """Configured level of a code: one of `LEVELS`, the reason, and its position."""

    code: str
    level: str
    reason: str = ""
    span: Span = Span("")  # noqa: RUF009 - it is frozen


@dataclass(frozen=True, slots=True)
class Levels:
    """Levels of findings from a configuration and a command line.

    Attributes:
        levels: configured levels; other codes keep their own.
        select: prefixes of the only codes to report, empty for all.
        ignore: prefixes of codes not to report. Of two prefixes the longer one counts.
    """

    levels: tuple[Level, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def apply(self, diagnostics: Diagnostics) -> None:
        """Applies the levels, and removes ignored findings. It is idempotent.

        An error without which there is no right output stays one, and a finding reports that. Findings about types on
        which nothing depends are never raised.
        """
        if not (self.levels or self.select or self.ignore):
            diagnostics.amend(fail_for_slip)
            return
        levels = {each.code: each for each in self.levels}
        kept, remarks = [], []
        for finding in diagnostics.items:
            level, by = self._level(finding.code, levels.get(finding.code))
            accepted = _OPINIONS + _ACCEPTED if isinstance(by, Level) else _OPINIONS
            firm = finding.severity is Severity.ERROR and not finding.code.startswith(accepted)
            if firm and level in ("off", "warning"):
                remarks += list(_stays(finding.code, level, by))
            elif level == "off":
                continue
            if not level or (UNREACHED, None) in finding.notes:
                kept.append(fail_for_slip(finding))
            else:
                kept.append(finding if firm else replace(finding, severity=Severity(level)))
        diagnostics.items[:] = kept
        diagnostics.extend(remarks)

    def of_error(self, code: str) -> tuple[Severity | None, list[Diagnostic]]:
        """Returns the severity for an error of a code, `None` if it is off, and remarks."""
        found = Diagnostics([Diagnostic(code, Severity.ERROR, "", Span(""))])
        self.apply(found)
        severity = next((each.severity for each in found.items if each.code == code), None)
        return severity, [each for each in found.items if each.code != code]

    def of_warning(self, code: str) -> Severity | None:
        """Returns the severity for a warning of a code, `None` if it is off."""
        found = Diagnostics([Diagnostic(code, Severity.WARNING, "", Span(""))])
        self.apply(found)
        return next((each.severity for each in found.items), None)

    def _level(self, code: str, configured: Level | None) -> tuple[str, Level | str]:
        """Returns the wanted level, `""` for the code's own, and its origin: `""` for none."""
        if code.startswith(OF_THE_RUN):
            return "", ""
        selected, ignored = _longest(self.select, code), _longest(self.ignore, code)
        if ignored and len(ignored) >= len(selected):
            return "off", ignored
        if self.select and not selected:
            return "off", ""
        if configured is None or (selected and configured.level == "off"):
            return "", ""
        return configured.level, configured


def fail_for_slip(finding: Diagnostic) -> Diagnostic:
    """Raises an unknown tag to an error if it certainly means another one."""
    if finding.code == "VG103" and finding.severity is Severity.WARNING and finding.help.startswith(_SLIPS):
        return replace(finding, severity=Severity.ERROR)
    return finding


def _longest(beginnings: tuple[str, ...], code: str) -> str:
    return max((each for each in beginnings if code.startswith(each)), key=len, default="")


def _stays(code: str, level: str, by: Level | str) -> Iterator[Diagnostic]:
    command, instead = _ANSWERS.get(code, ("", ", and fix the error"))
    why = f"it is the answer of `{command}`" if command else "without what it asks for there is no right output"
    message = f"{code} stays an error: {why}"
    if isinstance(by, Level):
        yield Diagnostic("VG906", Severity.WARNING, message, by.span, f'remove the level "{level}"{instead}')
    elif by:
        by = ALL if by == "VG" else by
        help = f"leave out --ignore {by}{instead}"
        yield Diagnostic("VG904", Severity.WARNING, message, Span("--ignore"), help)


def beginning(text: str) -> str | None:
    """Returns the code prefix that a text means, `None` if there are no such codes."""
    wanted = "VG" if text.upper() == ALL else text.upper()
    return wanted if wanted and any(code.startswith(wanted) for code in CODES) else None
