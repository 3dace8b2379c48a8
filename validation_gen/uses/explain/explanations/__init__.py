"""Explanations of diagnostic codes, with an example and a fix. Lint rules have their own, all others are here."""

from __future__ import annotations

from functools import cache

from validation_gen.build.lint.registry import lint_rules
from validation_gen.diagnostics import Severity
from validation_gen.uses.explain.explanations import (
    celtests,
    changes,
    comparisons,
    conversions,
    definitions,
    files,
    markers,
    outputs,
    patches,
    policies,
    roundtrips,
    rules,
    schemas,
    suppressions,
    tags,
    types,
    verdicts,
    webhooks,
)
from validation_gen.uses.explain.explanations.base import Explanation, Sample

__all__ = ["Explanation", "Sample", "explanations"]


@cache
def explanations() -> dict[str, Explanation]:
    """Returns the explanations of all codes, in the order of the codes."""
    found: dict[str, Explanation] = {}
    for module in (
        tags,
        conversions,
        rules,
        types,
        markers,
        patches,
        suppressions,
        schemas,
        policies,
        definitions,
        webhooks,
        comparisons,
        roundtrips,
        outputs,
        verdicts,
        celtests,
        changes,
        files,
    ):
        found |= module.EXPLANATIONS
    for code, rule in lint_rules().items():
        severities = [rule.severity]
        if rule.refused_upstream:
            severities.append(Severity.ERROR)
        found[code] = Explanation(rule.reason, Sample(rule.example), Sample(rule.fix), tuple(severities))
    return dict(sorted(found.items()))
