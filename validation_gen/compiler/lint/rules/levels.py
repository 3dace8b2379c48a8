"""The levels of rules and of tags: `alpha` and `beta` in their place, and no tag in rules above its own level."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from validation_gen.compiler.lint.chains import Link
from validation_gen.compiler.lint.registry import Finding, LintRule, register
from validation_gen.compiler.lint.survey import Declaration
from validation_gen.rules.registry import catalogue
from validation_gen.rules.releases import Stability, stability
from validation_gen.rules.spelling import as_known

_LEVELS = {"k8s:alpha": Stability.ALPHA, "k8s:beta": Stability.BETA}


@register
class LevelPrefix(LintRule):
    """Upstream's first rule."""

    code = "VG401"
    name = "level-prefix"
    refused_upstream = True
    reason = (
        "A level marks a rule as a whole, and tools that look for rules on trial look at the beginning of the line."
    )
    example = """
type Robot struct {
	// +k8s:optional
	// +k8s:eachVal=+k8s:alpha=+k8s:maxLength=16
	Names []string `json:"names,omitempty"`
}
"""
    fix = """
type Robot struct {
	// +k8s:optional
	// +k8s:alpha=+k8s:eachVal=+k8s:maxLength=16
	Names []string `json:"names,omitempty"`
}
"""

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        for link in declaration.named(*_LEVELS):
            if link.outer is not None:
                message = f'tag "{link.name}" can\'t be used in between'
                yield Finding(message, link.tag.name_span, _put_first(link, declaration.survey.target))
                return
            if link.tag.payload is None:
                message = f'tag "{link.name}" requires a validation tag as its value payload'
                yield Finding(message, link.tag.span, f"write the tag that is on trial: +{link.name}=+k8s:required")
                return


@register
class TagStability(LintRule):
    """Upstream's second rule. Releases without `alpha` and `beta` do not have it, as no fix is possible.

    Chains with a misplaced level are left to VG401, because its fix changes the findings about them.
    """

    code = "VG402"
    name = "stability"
    refused_upstream = True
    reason = "A tag whose meaning may still change cannot carry a rule that is promised to stay."
    example = """
type Robot struct {
	// +k8s:optional
	// +k8s:neq="default"
	Name string `json:"name,omitempty"`
}
"""
    fix = """
type Robot struct {
	// +k8s:optional
	// +k8s:alpha=+k8s:neq="default"
	Name string `json:"name,omitempty"`
}
"""

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        target = declaration.survey.target
        if not any(catalogue()[name].exists_in(target) for name in _LEVELS):
            return
        misplaced = {link.line for link in declaration.named(*_LEVELS) if link.outer is not None}
        for link in declaration.links:
            rule = catalogue().get(link.name)
            level = stability(rule.history, target) if rule else None
            if rule is None or level is None or link.name in _LEVELS or link.line in misplaced:
                continue
            wanted = _wanted(link, declaration.owner.package)
            if level < wanted:
                name = rule.name_in(target)
                message = (
                    f'tag "{name}" with stability level "{level.value}" cannot be used in {wanted.value} validation'
                )
                yield Finding(message, link.tag.name_span, _advice(link, level, target))
                return


def _put_first(level: Link, target: str) -> str:
    """Returns a chain with its level in front. Of several levels the outermost counts."""
    inner, outer = level.tag.payload, level.outer
    while inner is not None and outer is not None:
        inner, outer = replace(outer.tag, payload=inner), outer.outer
    if inner is None:
        return "put the level first"
    if level.line.name in _LEVELS:
        return f"one level is enough: {as_known(inner, target)}"
    return f"put the level first: {as_known(replace(level.tag, payload=inner), target)}"


def _wanted(link: Link, package: str) -> Stability:
    """Returns the level that a tag needs in its place."""
    line = link.line
    version = package.rpartition("/")[2]
    wanted = Stability.STABLE
    if "alpha" in version:
        wanted = Stability.ALPHA
    elif "beta" in version:
        wanted = Stability.BETA
    if line.name in _LEVELS:
        wanted = _LEVELS[line.name]
        if line.payload is None:
            return wanted
        line = line.payload
    if line.name in ("k8s:ifEnabled", "k8s:ifDisabled") and wanted is Stability.STABLE:
        return Stability.BETA
    return wanted


def _advice(link: Link, level: Stability, target: str) -> str:
    prefix = next(name for name, its in _LEVELS.items() if its is level)
    if link.line.name in _LEVELS:
        return f"write +{prefix} in place of +{link.line.name}"
    return f"put the level first: +{prefix}={as_known(link.line, target)}"
