"""Duplicate tags on one declaration."""

from __future__ import annotations

from collections.abc import Iterator

from validation_gen.build.lint.base import Finding, LintRule
from validation_gen.build.lint.registry import register
from validation_gen.build.lint.survey import Declaration
from validation_gen.tags.model import Tag


@register
class DuplicateTag(LintRule):
    """Spelling does not matter: `="a"` and `=a` are the same tag."""

    code = "VG417"
    name = "duplicate-tag"
    reason = "A repeated tag is checked and reported twice, and sooner or later one of the two is changed alone."
    example = """
type Robot struct {
	// +k8s:required
	// +k8s:maxLength=10
	// +k8s:maxLength=10
	Name string `json:"name"`
}
"""
    fix = """
type Robot struct {
	// +k8s:required
	// +k8s:maxLength=10
	Name string `json:"name"`
}
"""

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        first: dict[str, Tag] = {}
        for tag in declaration.tags:
            known = first.setdefault(str(tag), tag)
            if known is not tag:
                note = ((f"{tag} is here already", known.span),)
                yield Finding(f"{tag} is a repetition", tag.span, "remove one of the two", note)
