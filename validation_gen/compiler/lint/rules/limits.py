"""Limits that leave nothing, and limits that demand nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from validation_gen.compiler.lint.chains import Link, together
from validation_gen.compiler.lint.registry import Finding, LintRule, register
from validation_gen.compiler.lint.survey import Declaration
from validation_gen.rules.base import RuleError
from validation_gen.rules.limits import canonical_int
from validation_gen.runtime.gotime import parse_duration


def _number(link: Link) -> int | None:
    """Returns a limit; that of a duration in nanoseconds."""
    try:
        return canonical_int(link.tag.value or "")
    except RuleError:
        return parse_duration(link.tag.value or "")


class _EmptyRange(LintRule):
    #: Names of a lower and an upper limit.
    limits: ClassVar[tuple[tuple[str, str], ...]]

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        for low, high in self.limits:
            for lower in declaration.named(low):
                for upper in declaration.named(high):
                    if lower.place == upper.place and together(lower, upper) and _crossed(lower, upper):
                        yield Finding(
                            f"no value satisfies both {lower.tag} and {upper.tag}",
                            lower.tag.span,
                            "exchange the two numbers, or fix the wrong one",
                            (("the other limit is here", upper.tag.span),),
                        )


def _crossed(lower: Link, upper: Link) -> bool:
    least, most = _number(lower), _number(upper)
    return least is not None and most is not None and least > most


@register
class EmptyRange(_EmptyRange):
    """Limits under conditions are compared when one counts wherever the other does."""

    code = "VG404"
    name = "empty-range"
    reason = "A minimum above the maximum refuses every number."
    example = """
type Robot struct {
	// +k8s:required
	// +k8s:minimum=6
	// +k8s:maximum=2
	Wheels int32 `json:"wheels"`
}
"""
    fix = """
type Robot struct {
	// +k8s:required
	// +k8s:minimum=2
	// +k8s:maximum=6
	Wheels int32 `json:"wheels"`
}
"""
    limits = (("k8s:minimum", "k8s:maximum"),)


@register
class EmptySizes(_EmptyRange):
    """A character takes a byte at least, so limits in bytes are compared with those in characters."""

    code = "VG405"
    name = "empty-sizes"
    reason = "A least size above the greatest refuses every string, list or map."
    example = """
type Robot struct {
	// +k8s:required
	// +k8s:minLength=20
	// +k8s:maxLength=10
	Name string `json:"name"`
}
"""
    fix = """
type Robot struct {
	// +k8s:required
	// +k8s:minLength=10
	// +k8s:maxLength=20
	Name string `json:"name"`
}
"""
    limits = (
        ("k8s:minLength", "k8s:maxLength"),
        ("k8s:minLength", "k8s:maxBytes"),
        ("k8s:minItems", "k8s:maxItems"),
        ("k8s:minProperties", "k8s:maxProperties"),
    )


@register
class EmptyDemand(LintRule):
    """Sizes only: a minimum of zero does demand something of a signed number."""

    code = "VG415"
    name = "empty-demand"
    reason = "No size is below zero, so the tag looks like a rule and is none."
    example = """
type Robot struct {
	// +k8s:required
	// +k8s:minLength=0
	Name string `json:"name"`
}
"""
    fix = """
type Robot struct {
	// +k8s:required
	// +k8s:minLength=1
	Name string `json:"name"`
}
"""

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        for link in declaration.named("k8s:minLength", "k8s:minItems", "k8s:minProperties"):
            number = _number(link)
            if number is not None and number <= 0:
                yield Finding(f"{link.tag} demands nothing", link.tag.span, "remove the tag, or write the least size")


_UPPER = ("k8s:maxBytes", "k8s:maxItems", "k8s:maxLength", "k8s:maxProperties", "k8s:maximum")
_LOWER = ("k8s:minItems", "k8s:minLength", "k8s:minProperties", "k8s:minimum")


@register
class CoveredLimit(LintRule):
    """Limits under different conditions or levels are two rules: the stricter one may be unenforced."""

    code = "VG420"
    name = "covered-limit"
    reason = "Of two limits of one kind only the stricter one counts, and the other misleads readers."
    example = """
type Robot struct {
	// +k8s:required
	// +k8s:maxLength=10
	// +k8s:maxLength=20
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
        for name in _UPPER + _LOWER:
            seen: list[Link] = []
            for link in declaration.named(name):
                for other in seen:
                    if _alike(link, other):
                        yield _covered(link, other, upper=name in _UPPER)
                seen.append(link)


def _alike(link: Link, other: Link) -> bool:
    """Returns whether two limits with different numbers always apply to the same value together."""
    numbers = _number(link), _number(other)
    return (
        None not in numbers
        and numbers[0] != numbers[1]
        and (link.place, link.conditions, link.level) == (other.place, other.conditions, other.level)
    )


def _covered(link: Link, other: Link, *, upper: bool) -> Finding:
    stricter, looser = (link, other) if ((_number(link) or 0) < (_number(other) or 0)) is upper else (other, link)
    note = (("the stricter limit is here", stricter.tag.span),)
    return Finding(f"{looser.tag} never counts beside {stricter.tag}", looser.tag.span, "remove one of the two", note)
