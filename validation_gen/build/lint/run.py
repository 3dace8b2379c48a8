"""One pass over all declarations that take part, with every rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field

from validation_gen.build.lint.base import Finding, LintRule
from validation_gen.build.lint.configured import Configured
from validation_gen.build.lint.participants import mentions, participants
from validation_gen.build.lint.registry import lint_rules
from validation_gen.build.lint.suppressions import Silence, nolints, reason_of
from validation_gen.build.lint.survey import Declaration, Survey
from validation_gen.build.lower.comments import TagReader
from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from validation_gen.diagnostics.levels import Suppressions
from validation_gen.ir import Program
from validation_gen.rules.releases import NEWEST
from validation_gen.sources.model import TypeDecl
from validation_gen.sources.typesystem import TypeSystem
from validation_gen.tags.parser import RawTag


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
            for finding in run.findings(owner):
                diagnostics.add(finding)
    remarks = [*_silencers_told(silent, run, edges), *run.silence.report()] if silent else [*run.silence.report()]
    if not failed:  # which may have kept rules from a check
        remarks += (finding for package in types.universe.inputs for finding in run.silence.take_lost(package.pragmas))
    for finding in (*remarks, *run.wanted.report()):
        diagnostics.add(finding)


@dataclass(slots=True)
class _Run:
    """The findings of each type, which are looked for once. Lines in `refused` have errors and get none."""

    survey: Survey
    diagnostics: Diagnostics
    refused: Set[tuple[str, int]]
    strict: bool
    wanted: Configured
    misspelt: Set[tuple[str, int]]
    silence: Silence = field(default_factory=lambda: Silence({code: rule.name for code, rule in lint_rules().items()}))
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
    """The lines with tags that surely mean another one than they name."""
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


def _silencers_told(
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
            if not reason_of(raw):
                message = (
                    f"{place}: lint is turned off without a reason, so nobody can tell later whether it still may be"
                )
                help = f"write the reason behind it: +{raw.name} # the reason"
                yield Diagnostic("VG498", Severity.WARNING, message, span, help)
        elif not diagnostics.blamed and not diagnostics.unowned:
            idle.add(span)
            message = f"{place}: there is nothing here for which lint would have to be turned off"
            # Not a fix: the lint of Kubernetes' own generator, which reads the tag as well, may find other things.
            help = "remove the line, if Kubernetes' own lint does not need it"
            yield Diagnostic("VG499", Severity.WARNING, message, span, help)
