"""Update constraints without the intended effect."""

from __future__ import annotations

from collections.abc import Iterator

from validation_gen.compiler.lint.chains import Link
from validation_gen.compiler.lint.registry import Finding, LintRule, register
from validation_gen.compiler.lint.survey import Declaration


@register
class MixedUpdates(LintRule):
    """Constraints on parts of items are checked one by one, so they may differ."""

    code = "VG410"
    name = "mixed-updates"
    reason = "All update constraints of a field are one check with one condition and one level: those of the first tag."
    example = """
type Robot struct {
	// +k8s:optional
	// +k8s:ifEnabled(Naming)=+k8s:update=NoSet
	// +k8s:update=NoUnset
	Name string `json:"name,omitempty"`
}
"""
    fix = """
type Robot struct {
	// +k8s:optional
	// +k8s:update=NoSet
	// +k8s:update=NoUnset
	Name string `json:"name,omitempty"`
}
"""

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        first: dict[tuple[str, ...], Link] = {}
        for link in declaration.named("k8s:update"):
            if link.in_items:
                continue
            known = first.setdefault(link.place, link)
            if (known.conditions, known.level) != (link.conditions, link.level):
                yield Finding(
                    f"{link.tag} becomes part of {known.line} and shares its conditions and level",
                    link.line.span,
                    "put the same tags around all update constraints of a field",
                    (("the check is that of this tag", known.line.span),),
                )
                return
