"""How much findings matter to a project and to a call, and in which files findings of lint are skipped.

These are facts from a configuration and a command line. They are applied to what a run has found, when all is found: no
stage knows them, so that what is generated never depends on them. This module reads no file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from validation_gen.diagnostics import CODES, UNREACHED, Diagnostic, Diagnostics, Severity, Span

#: What a code can be made, and what that means.
LEVELS = {"off": "nothing is said", "warning": "a finding is told", "error": "a finding fails the run"}
#: What stands for all codes on a command line.
ALL = "ALL"
#: About the run itself, such as a file that cannot be read: these have no level.
OF_THE_RUN = "VG9"
#: Errors of these are opinions or verdicts, and what is generated is right all the same. All others stay errors.
_OPINIONS = ("VG4", "VG7", "VG807")
#: The answer that a command is asked for, with the command and what says less than a level: no level changes these.
_ANSWERS = {
    "VG804": ("validate", "; --skip leaves out objects of a kind"),
    "VG805": ("coverage", "; --allow names errors that no test has to trigger"),
    "VG806": ("coverage", ", and take the entry out of the file"),
    "VG810": ("cel test", ""),
    "VG811": ("cel test", "; --min-coverage says how many rules must be seen"),
}
#: Beginnings of the help of a VG103 that is surely a misspelt tag: its rule has no effect.
_SLIPS = ("did you mean", "write '=' before", "write the name of the tag right behind")
#: What a configuration can accept: a type that cannot be found, where the output says less.
_ACCEPTED = ("VG301",)


@dataclass(frozen=True, slots=True)
class FileSuppression:
    """Findings of some rules that are skipped in some files.

    Attributes:
        codes: the rules.
        files: patterns of paths below `root`, in which `**` stands for any directories. A directory means all below it.
        reason: why, empty if nobody has said so.
        root: the absolute directory to which the patterns belong.
        span: where the configuration says it.
    """

    codes: tuple[str, ...]
    files: tuple[str, ...]
    reason: str
    root: str
    span: Span


@dataclass(frozen=True, slots=True)
class Suppressions:
    """All of them, in the order of the configuration.

    `whole` is whether a run reads all that the project has, so that one without any file is a mistake.
    """

    entries: tuple[FileSuppression, ...] = ()
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Level:
    """What the configuration makes of a code: one of `LEVELS`, why, and where it says so."""

    code: str
    level: str
    reason: str = ""
    span: Span = Span("")  # noqa: RUF009 - it is frozen


@dataclass(frozen=True, slots=True)
class Levels:
    """What a configuration and a command line say of findings.

    Attributes:
        levels: by the configuration; other codes keep their own.
        select: beginnings of codes of which alone a call wants to know, none for all.
        ignore: beginnings of codes of which it does not want to know. Of two beginnings the longer one counts.
    """

    levels: tuple[Level, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def apply(self, diagnostics: Diagnostics) -> None:
        """Gives findings their levels, and takes out what nobody wants to know. A second time changes nothing.

        An error that means that there is no right output stays one, and a finding says so. Findings about types
        on which nothing depends are never raised.
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
        for remark in remarks:
            diagnostics.add(remark)

    def of_error(self, code: str) -> tuple[Severity | None, list[Diagnostic]]:
        """What becomes of an error that is no finding yet: how much it matters, `None` for nothing, and remarks."""
        found = Diagnostics([Diagnostic(code, Severity.ERROR, "", Span(""))])
        self.apply(found)
        severity = next((each.severity for each in found.items if each.code == code), None)
        return severity, [each for each in found.items if each.code != code]

    def of_warning(self, code: str) -> Severity | None:
        """How much a warning matters that is no finding yet, `None` for nothing."""
        found = Diagnostics([Diagnostic(code, Severity.WARNING, "", Span(""))])
        self.apply(found)
        return next((each.severity for each in found.items), None)

    def _level(self, code: str, configured: Level | None) -> tuple[str, Level | str]:
        """The level that is wanted, `""` for its own, and who wants it: `""` for nobody in particular."""
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
    """Makes an error of an unknown tag that surely means another one."""
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
    """The beginning of codes that a text means, `None` if there are no such codes."""
    wanted = "VG" if text.upper() == ALL else text.upper()
    return wanted if wanted and any(code.startswith(wanted) for code in CODES) else None
