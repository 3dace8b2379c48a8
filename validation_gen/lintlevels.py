"""What a project says of lint as a whole: how much a rule matters to it, and in which files a rule is passed over.

These are facts from its configuration, beside the comments that silence a rule on one declaration. This room judges no
declaration, and reads no file.
"""

from __future__ import annotations

from dataclasses import dataclass

from validation_gen.diagnostics import Span

#: What a rule can be made, and what that means.
LEVELS = {"off": "the rule says nothing", "warning": "a finding is told", "error": "a finding fails the run"}


@dataclass(frozen=True, slots=True)
class FileSuppression:
    """Findings of some rules that are passed over in some files.

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
class LintLevels:
    """All of it.

    Attributes:
        levels: one of `LEVELS` by code; other rules keep their own.
        suppressions: in the order of the configuration.
        whole: whether a run reads all that the project has, so that a suppression without any file is a mistake.
    """

    levels: tuple[tuple[str, str], ...] = ()
    suppressions: tuple[FileSuppression, ...] = ()
    whole: bool = False


#: Nothing is said: each rule has its own level, and nothing is passed over.
NOTHING = LintLevels()
