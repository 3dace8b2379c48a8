"""Lint rules about limits and keywords that allow no value or any value, duplicate tags, and enums without a value.

Schemas have the keywords of openapi-gen, validators do not.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import ClassVar

from validation_gen.compiler.lint.chains import Link, apply_together, together
from validation_gen.compiler.lint.survey import Declaration, Finding, LintRule, register
from validation_gen.rules.base import RuleError
from validation_gen.rules.limits import canonical_int
from validation_gen.rules.registry import catalogue
from validation_gen.runtime.gotime import parse_duration
from validation_gen.sources.languages import PYTHON
from validation_gen.tags.model import Tag


def _number(link: Link) -> int | None:
    """Returns a limit as a number. A duration is in nanoseconds."""
    try:
        return canonical_int(link.tag.value or "")
    except RuleError:
        return parse_duration(link.tag.value or "")


class _EmptyRange(LintRule):
    #: Names of a lower and an upper limit.
    limits: ClassVar[tuple[tuple[str, str], ...]]

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        for low, high in self.limits:
            for lower, upper in itertools.product(declaration.named(low), declaration.named(high)):
                if lower.place == upper.place and together(lower, upper) and _are_crossed(lower, upper):
                    message = f"no value satisfies both {lower.tag} and {upper.tag}"
                    note = (("the other limit is here", upper.tag.span),)
                    yield Finding(message, lower.tag.span, "exchange the two numbers, or fix the wrong one", note)


def _are_crossed(lower: Link, upper: Link) -> bool:
    least, most = _number(lower), _number(upper)
    return least is not None and most is not None and least > most


@register
class EmptyRange(_EmptyRange):
    """Limits under conditions are compared when one counts wherever the other does."""

    code = "VG404"
    name = "empty-range"
    reason = "A minimum above the maximum refuses every number."
    change = """
type Robot struct {
	// +k8s:required
-	// +k8s:minimum=6
-	// +k8s:maximum=2
+	// +k8s:minimum=2
+	// +k8s:maximum=6
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
    change = """
type Robot struct {
	// +k8s:required
-	// +k8s:minLength=20
-	// +k8s:maxLength=10
+	// +k8s:minLength=10
+	// +k8s:maxLength=20
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
    change = """
type Robot struct {
	// +k8s:required
-	// +k8s:minLength=0
+	// +k8s:minLength=1
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
    change = """
type Robot struct {
	// +k8s:required
	// +k8s:maxLength=10
-	// +k8s:maxLength=20
	Name string `json:"name"`
}
"""

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        for name in _UPPER + _LOWER:
            for one, other in itertools.combinations(declaration.named(name), 2):
                least, most = _number(one), _number(other)
                if apply_together(one, other) and least is not None and most is not None and least != most:
                    yield _report_covered(*((one, other) if (least < most) is (name in _UPPER) else (other, one)))


def _report_covered(stricter: Link, looser: Link) -> Finding:
    note = (("the stricter limit is here", stricter.tag.span),)
    return Finding(f"{looser.tag} never counts beside {stricter.tag}", looser.tag.span, "remove one of the two", note)


_KEYWORD = re.compile(r"k8s:validation:(?P<ways>(?:items:|additionalProperties:|properties:\w+:)*)(?P<name>\w+)")
#: Tags with the meaning of the keyword of the same name.
_ALIKE = ("maxItems", "maxLength", "maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum")


@register
class SchemaOnlyKeyword(LintRule):
    """Reports keywords with an equivalent tag, which is in schemas, too, so that both are unnecessary."""

    code = "VG421"
    name = "schema-only-keyword"
    of_untagged = True
    reason = "The keyword reaches schemas only: no validator judges it, although it looks like a tag."
    change = """
type Robot struct {
	// +k8s:required
-	// +k8s:validation:maxLength=63
+	// +k8s:maxLength=63
	Name string `json:"name"`
}
"""

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        told: set[str] = set()
        for raw in declaration.survey.reader.extract(declaration.comments):
            found = _KEYWORD.match(raw.name)
            if found is None or found[0] in told or f"k8s:{found['name']}" in {tag.name for tag in declaration.tags}:
                continue
            told.add(found[0])  # a rule in CEL has several lines
            message = f"+{found[0]} is for schemas only; validators do not judge it"
            help = _instead(found["ways"], found["name"], raw.text.partition("=")[2].strip())
            yield Finding(message, raw.part(0, len(found[0]) + 1), help)


def _instead(ways: str, name: str, value: str) -> str:
    tag = f"k8s:{name}"
    if name not in _ALIKE or tag not in catalogue():
        return "if validators are to judge it, write a function and +k8s:customValidation"
    for way in reversed(ways.split(":")[:-1]):
        if way in ("items", "additionalProperties"):
            tag = f"k8s:eachVal=+{tag}"
        elif way != "properties":
            tag = f"k8s:subfield({way})=+{tag}"
    return f"write +{tag}={value}"


@register
class DuplicateTag(LintRule):
    """Spelling does not matter: `="a"` and `=a` are the same tag."""

    code = "VG417"
    name = "duplicate-tag"
    reason = "A repeated tag is checked and reported twice, and sooner or later one of the two is changed alone."
    change = """
type Robot struct {
	// +k8s:required
	// +k8s:maxLength=10
-	// +k8s:maxLength=10
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


@register
class EnumWithoutConstants(LintRule):
    """A constant that cannot be evaluated counts as a value: its problem has been reported."""

    code = "VG406"
    name = "enum-without-constants"
    reason = (
        "The legal values of an enum are its constants; without any it refuses every value, the empty one included."
    )
    change = """
// +k8s:enum
type Color string

-const Red = "red"
+const Red Color = "red"
"""

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        for link in declaration.named("k8s:enum"):
            constants = list(declaration.survey.constants(declaration.owner))
            if any(all(tag.name != "k8s:enumExclude" for tag in tags) for _, tags in constants):
                continue
            name = declaration.owner.name
            what = "all constants of the enum are excluded" if constants else f"there is no constant of type {name}"
            help = f'declare its values with their type, in its package: const {name}X {name} = "X"'
            if PYTHON.has(link.tag.span.file):
                help = 'give it members that are strings: X = "X"'
            yield Finding(f"{what}, so every value is refused", link.tag.span, help)
            return
