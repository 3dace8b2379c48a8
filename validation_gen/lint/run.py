"""One pass over all declarations that take part, with every rule."""

from __future__ import annotations

from collections.abc import Iterator

from validation_gen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from validation_gen.ir import Program
from validation_gen.lint.base import Finding, LintRule
from validation_gen.lint.configured import Configured
from validation_gen.lint.participants import participants
from validation_gen.lint.registry import lint_rules
from validation_gen.lint.suppressions import Silence
from validation_gen.lint.survey import Declaration, Survey
from validation_gen.lintlevels import NOTHING, LintLevels
from validation_gen.lower.comments import TagReader
from validation_gen.rules.releases import NEWEST
from validation_gen.typesystem import TypeSystem


def lint(
    types: TypeSystem,
    program: Program,
    diagnostics: Diagnostics,
    *,
    target: str = NEWEST,
    strict: bool = False,
    levels: LintLevels = NOTHING,
) -> None:
    """Adds to `diagnostics` what the rules have against the declarations of a program's input packages.

    Args:
        types: the types from which the program was lowered.
        program: says which types take part. It is not changed.
        diagnostics: holds the findings of earlier stages; lines with errors of theirs get no findings.
        target: the Kubernetes release to agree with.
        strict: makes errors of what Kubernetes' own generator refuses.
        levels: what the project says of single rules. It wins over all else.
    """
    survey = Survey(types, TagReader(diagnostics, target), program)
    refused = {_line(d.span) for d in diagnostics.items if d.severity is Severity.ERROR}
    silence = Silence(frozenset(lint_rules()))
    wanted = Configured(levels)
    for owner in participants(survey):
        with diagnostics.owned_by(str(owner)):
            for declaration in survey.together(owner):
                ignored = silence.covers(declaration)
                wanted.look_at(declaration.span)
                for rule, finding in _findings(declaration):
                    if _line(finding.span) in refused:
                        continue
                    if rule.code in ignored:
                        silence.use(ignored[rule.code])
                    elif not wanted.passes_over(rule.code, finding.span):
                        wanted.add(_diagnostic(rule, declaration, finding, strict), diagnostics)
    remarks = Diagnostics()
    silence.report(remarks)
    wanted.report(remarks)
    for remark in remarks.items:
        wanted.add(remark, diagnostics)


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
