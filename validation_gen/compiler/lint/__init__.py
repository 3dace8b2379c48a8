"""Lint rules: legal tags that their author will probably regret.

This stage is one pass over all declarations that take part, with the rules that the configuration leaves for their
file. It reads the sources and the finished program and reports. It never changes either, and it skips tags with
errors, which have been reported already. Comments that suppress a rule on one declaration are in `suppressions`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field

from validation_gen.compiler.lint.suppressions import SuppressionSet, get_reason, mentions, nolints, participants
from validation_gen.compiler.lint.survey import Declaration, Finding, LintRule, Survey, lint_rules
from validation_gen.compiler.lower.comments import TagReader
from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from validation_gen.diagnostics.levels import FileSuppression, Suppressions
from validation_gen.ir import Program
from validation_gen.rules.releases import NEWEST
from validation_gen.sources.model import TypeDecl
from validation_gen.sources.typesystem import TypeSystem
from validation_gen.tags.parser import RawTag

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
        """Reports suppressions without a reason, and those without an effect."""
        for each in self.wanted.entries:
            for message, help in self._find_unneeded(each):
                yield Diagnostic("VG499", Severity.WARNING, message, each.span, help)
            if not each.reason:
                codes = ", ".join(each.codes)
                message = f"{codes}: ignored without a reason, which later readers need"
                yield Diagnostic("VG498", Severity.WARNING, message, each.span, 'write reason = "…" below it')

    def _find_unneeded(self, suppression: FileSuppression) -> Iterator[tuple[str, str]]:
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


def lint(
    types: TypeSystem,
    program: Program,
    diagnostics: Diagnostics,
    *,
    target: str = NEWEST,
    strict: bool = False,
    suppressions: Suppressions = Suppressions(),  # noqa: B008 - it is frozen
) -> None:
    """Adds the rules' findings about the declarations of a program's input packages to `diagnostics`.

    Args:
        types: the types from which the program was lowered.
        program: decides which types are checked. It is not changed.
        diagnostics: has the findings of earlier stages; lines with their errors get no findings.
        target: the Kubernetes release to agree with.
        strict: True to report patterns that Kubernetes' own generator refuses as errors.
        suppressions: the project's suppressions by files.
    """
    survey = Survey(types, TagReader(diagnostics, target), program)
    refused = {_line(d.span) for d in diagnostics.items if d.severity is Severity.ERROR}
    run = _Run(survey, diagnostics, refused, strict, Configured(suppressions), _misspelt(diagnostics))
    silent = _silencers(survey)
    failed = diagnostics.has_errors
    edges = mentions(survey)
    for owner in participants(survey, edges=edges):
        with diagnostics.owned_by(str(owner)):
            diagnostics.extend(run.findings(owner))
    remarks = [*_report_silencers(silent, run, edges), *run.silence.report()] if silent else [*run.silence.report()]
    if not failed:  # which may have kept rules from a check
        remarks += (finding for package in types.universe.inputs for finding in run.silence.take_lost(package.pragmas))
    diagnostics.extend([*remarks, *run.wanted.report()])


@dataclass(slots=True)
class _Run:
    """The findings of each type, which are looked for once. Lines in `refused` have errors and get none."""

    survey: Survey
    diagnostics: Diagnostics
    refused: Set[tuple[str, int]]
    strict: bool
    wanted: Configured
    misspelt: Set[tuple[str, int]]
    silence: SuppressionSet = field(
        default_factory=lambda: SuppressionSet({code: rule.name for code, rule in lint_rules().items()})
    )
    _known: dict[str, list[Diagnostic]] = field(default_factory=dict)

    def findings(self, owner: TypeDecl) -> list[Diagnostic]:
        """Returns the findings about a type that are not suppressed."""
        id = str(owner)
        if id not in self._known:
            self._known[id] = list(self._findings(owner))
        return self._known[id]

    def _findings(self, owner: TypeDecl) -> Iterator[Diagnostic]:
        package = self.survey.types.universe.packages[owner.package]
        sure = str(owner) not in self.diagnostics.blamed and not package.broken
        for declaration in self.survey.together(owner):
            misspelt = self._is_misspelt(declaration)
            ignored = self.silence.covers(declaration, sure=sure and not misspelt)
            self.wanted.look_at(declaration.span)
            if misspelt:
                continue  # a misspelt tag may be the cause of a missing or unused one
            for rule, finding in _findings(declaration):
                if rule.code in ignored:
                    self.silence.use(ignored[rule.code])
                elif _line(finding.span) in self.refused or self.wanted.passes_over(rule.code, finding.span):
                    continue
                else:
                    yield _diagnostic(rule, declaration, finding, self.strict)

    def _is_misspelt(self, declaration: Declaration) -> bool:
        return bool(self.misspelt) and any(_line(line.span) in self.misspelt for line in declaration.comments)


def _misspelt(diagnostics: Diagnostics) -> frozenset[tuple[str, int]]:
    """Returns the lines with unknown tags for which a known name is suggested."""
    near = (d.span for d in diagnostics.items if d.code == "VG103" and d.help.startswith("did you mean"))
    return frozenset(map(_line, near))


def _findings(declaration: Declaration) -> Iterator[tuple[LintRule, Finding]]:
    for rule in lint_rules().values():
        if declaration.tags or rule.of_untagged:
            for finding in rule.check(declaration):
                yield rule, finding


def _diagnostic(rule: LintRule, declaration: Declaration, finding: Finding, strict: bool) -> Diagnostic:
    message = f"{declaration.place}: {finding.message}"
    severity = rule.severity_in(strict=strict)
    return Diagnostic(rule.code, severity, message, finding.span, finding.help, finding.notes)


def _line(span: Span) -> tuple[str, int]:
    return span.file, span.line


# --- tags that turn off all rules ------------------------------------------------------------------------------------


def _silencers(survey: Survey) -> dict[Span, tuple[RawTag, str]]:
    """Returns the `nolint` tags of the input, each with the name of its declaration."""
    found: dict[Span, tuple[RawTag, str]] = {}
    for package in survey.types.universe.inputs:
        blocks = [(package.comments, f"package {package.path}")]
        blocks += [(declaration.closest, str(declaration)) for declaration in package.types.values()]
        for lines, place in blocks:
            for raw in nolints(lines):
                found.setdefault(raw.span, (raw, place))
    return found


def _report_silencers(
    silencers: dict[Span, tuple[RawTag, str]], run: _Run, edges: Mapping[str, set[str]]
) -> Iterator[Diagnostic]:
    """Yields warnings about `nolint` tags without a reason, and about those without an effect."""
    idle: set[Span] = set()
    diagnostics = run.diagnostics
    shown = {str(owner) for owner in participants(run.survey, edges=edges)}
    for owner in participants(run.survey, silencers.keys(), edges):
        run.findings(owner)  # to find out whether suppressions in silenced types are used
    for span, (raw, place) in sorted(silencers.items()):
        more = [owner for owner in participants(run.survey, idle | {span}, edges) if str(owner) not in shown]
        if any(run.findings(owner) for owner in more):
            if not get_reason(raw):
                message = f"{place}: lint is turned off without a reason, which later readers need"
                help = f"write the reason behind it: +{raw.name} # the reason"
                yield Diagnostic("VG498", Severity.WARNING, message, span, help)
        elif not diagnostics.blamed and not diagnostics.unowned:
            idle.add(span)
            message = f"{place}: unused suppression: no lint finding here"
            # Not a fix: the lint of Kubernetes' own generator, which reads the tag as well, may find other things.
            help = "remove the line, if Kubernetes' own lint does not need it"
            yield Diagnostic("VG499", Severity.WARNING, message, span, help)


__all__ = ["lint", "lint_rules"]
