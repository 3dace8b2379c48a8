"""Applies the fixes of findings: selects them, tests the changed files, and writes them.

A fix is tested before it is applied: the readers read the changed text, and a fix that causes an error, or does not
remove its finding, is refused. Fixes are applied in rounds: of two that touch, the second waits for the next round, as
does a finding that appears only when another one is removed. This package never creates fixes, and it never prints.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from validation_gen.commands.fix.files import (
    Bar,
    KeptError,
    SourceFile,
    StaleError,
    apply_edits,
    keep,
    read_source,
    write,
)
from validation_gen.diagnostics import Diagnostic, Diagnostics, Edit, Fix, Severity

#: Reads everything again, with new contents for some files (by their real paths).
Judge = Callable[[Mapping[str, bytes]], Sequence[Diagnostic]]

_MOST_ROUNDS = 10
#: A finding without its location, as lines move.
_Key = tuple[str, str, str]


@dataclass(slots=True)
class Outcome:
    """Result of fixing: the new files, the removed findings, and the number of refused fixes."""

    files: dict[str, SourceFile] = field(default_factory=dict)
    fixed: int = 0
    #: Findings of the beginning that were removed.
    gone: list[Diagnostic] = field(default_factory=list)
    refused: int = 0
    diagnostics: Diagnostics = field(default_factory=Diagnostics)


def mend(
    findings: Sequence[Diagnostic], judge: Judge, trees: Sequence[str] = (), bar: Bar = lambda path: ""
) -> Outcome:
    """Tries the fixes of some findings, and then those of new findings in the changed files. Writes nothing.

    `trees` are the directory arguments: links in them must not lead outside. `bar` returns the reason why the file at a
    resolved path must stay unchanged, `""` for none.
    """
    return _Mending(judge, trees, bar).run(findings)


@dataclass(frozen=True, slots=True)
class _Trial:
    """Some fixes, the files with them, and the findings in these."""

    fixes: tuple[Fix, ...]
    files: dict[str, SourceFile]
    findings: Sequence[Diagnostic]


@dataclass(slots=True)
class _Mending:
    judge: Judge
    trees: Sequence[str]
    bar: Bar
    files: dict[str, SourceFile] = field(default_factory=dict)
    outcome: Outcome = field(default_factory=Outcome)
    _kept: set[str] = field(default_factory=set)
    _refused: set[tuple[_Key, str]] = field(default_factory=set)

    def run(self, findings: Sequence[Diagnostic]) -> Outcome:
        before = findings
        done: set[Fix | None] = set()
        for _ in range(_MOST_ROUNDS):
            fixes = self._next(before)
            if not fixes:
                break
            trial = self._best((), fixes, before)
            made, refused = set(trial.fixes), set(fixes).difference(trial.fixes)
            self._refused |= {(_key(d), d.fix.title) for d in before if d.fix in refused and d.fix}
            mended = [d for d in before if d.fix in made]
            self.outcome.fixed += len(mended)
            done.update(trial.fixes)
            self.files, before = trial.files, trial.findings
        left = Counter(map(_key, before))
        # Of several equal findings, those with applied fixes count as removed.
        for finding in sorted(findings, key=lambda d: d.fix in done):
            if left[_key(finding)]:
                left[_key(finding)] -= 1
            else:
                self.outcome.gone.append(finding)
        self.outcome.refused = sum(d.fix is not None and (_key(d), d.fix.title) in self._refused for d in before)
        self.outcome.files = {name: file for name, file in self.files.items() if file.new != file.old}
        return self.outcome

    def _next(self, findings: Sequence[Diagnostic]) -> tuple[Fix, ...]:
        """Returns the fixes to try, in the order of their locations, without fixes that overlap an earlier one."""
        chosen: dict[Fix, None] = {}
        taken: dict[tuple[str, int], list[Edit]] = {}
        for finding in sorted(findings, key=lambda d: d.sort_key):
            fix = finding.fix
            if fix is None or fix in chosen or (_key(finding), fix.title) in self._refused:
                continue
            if fix.barrier:
                self._keep(finding.span.file, fix.barrier)
            elif all(self._is_open(edit) for edit in fix.edits) and not any(_touches(e, taken) for e in fix.edits):
                chosen[fix] = None
                for edit in fix.edits:
                    taken.setdefault((edit.span.file, edit.span.line), []).append(edit)
        return tuple(chosen)

    def _is_open(self, edit: Edit) -> bool:
        """Returns whether a file can be changed, and contains the text to replace."""
        name = edit.span.file
        if name in self._kept:
            return False
        try:
            if name not in self.files:
                self.files[name] = read_source(name, self.trees, self.bar)
            apply_edits(self.files[name].new, [edit], name)
        except KeptError as problem:
            self._keep(name, str(problem))
        except StaleError:
            self._keep(name, "it has changed while it was read; run again")
        return name not in self._kept

    def _keep(self, name: str, reason: str) -> None:
        if name not in self._kept:
            self._kept.add(name)
            keep(name, reason, self.outcome.diagnostics)

    # --- trials -----------------------------------------------------------------------------------------------------

    def _best(self, sure: tuple[Fix, ...], fixes: tuple[Fix, ...], before: Sequence[Diagnostic]) -> _Trial:
        """Returns the largest harmless part of `fixes` together with the known harmless ones."""
        trial, removed = self._try((*sure, *fixes))
        culprits = _culprits(trial, removed, before)
        if not culprits:
            return trial
        rest = tuple(fix for fix in fixes if fix not in culprits)
        if len(rest) < len(fixes):
            return self._best(sure, rest, before)
        # Some fix does harm elsewhere, and only trials can find it.
        if len(fixes) <= 1:
            return self._try(sure)[0]
        half = len(fixes) // 2
        first = self._best(sure, fixes[:half], before)
        return self._best(first.fixes, fixes[half:], before)

    def _try(self, fixes: tuple[Fix, ...]) -> tuple[_Trial, dict[str, list[int]]]:
        edits: dict[str, list[Edit]] = {}
        for edit in (edit for fix in fixes for edit in fix.edits):
            edits.setdefault(edit.span.file, []).append(edit)
        files, removed = dict(self.files), {}
        for name, those in edits.items():
            new, removed[name] = apply_edits(files[name].new, those, name)
            files[name] = replace(files[name], new=new)
        findings = self.judge({file.path: file.new for file in files.values() if file.new != file.old})
        return _Trial(fixes, files, findings), removed


def _key(finding: Diagnostic) -> _Key:
    return finding.span.file, finding.code, finding.message


def _touches(edit: Edit, taken: Mapping[tuple[str, int], list[Edit]]) -> bool:
    for other in taken.get((edit.span.file, edit.span.line), ()):
        apart = edit.span.end_column <= other.span.column or other.span.end_column <= edit.span.column
        if edit.line or other.line or not apart or edit.span == other.span:
            return True
    return False


_ELSEWHERE = Fix("", ())


def _culprits(trial: _Trial, removed: Mapping[str, list[int]], before: Sequence[Diagnostic]) -> set[Fix]:
    """Returns the fixes that do not remove their findings, or cause errors in their lines.

    A fix that is in no trial represents all others.
    """
    found: set[Fix] = set()
    was, now = Counter(map(_key, before)), Counter(map(_key, trial.findings))
    made = set(trial.fixes)
    mended = Counter(_key(d) for d in before if d.fix in made)
    for finding in before:
        key = _key(finding)
        if finding.fix in made and finding.fix is not None and now[key] > was[key] - mended[key]:
            found.add(finding.fix)
    for finding in trial.findings:
        if finding.severity is Severity.ERROR and now[_key(finding)] > was[_key(finding)]:
            place = (finding.span.file, finding.span.line)
            those = {fix for fix in trial.fixes if any(_find_line(edit, removed) == place for edit in fix.edits)}
            found |= those or {_ELSEWHERE}
    return found


def _find_line(edit: Edit, removed: Mapping[str, list[int]]) -> tuple[str, int]:
    """Returns the line of an edit after the removal of lines above it."""
    line = edit.span.line
    return edit.span.file, line - sum(other < line for other in removed.get(edit.span.file, ()))


__all__ = ["Judge", "Outcome", "SourceFile", "mend", "write"]
