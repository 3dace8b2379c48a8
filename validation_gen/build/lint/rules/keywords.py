"""Keywords of openapi-gen, which schemas have and validators do not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from validation_gen.build.lint.base import Finding, LintRule
from validation_gen.build.lint.registry import register
from validation_gen.build.lint.survey import Declaration
from validation_gen.rules.registry import catalogue

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
    example = """
type Robot struct {
	// +k8s:required
	// +k8s:validation:maxLength=63
	Name string `json:"name"`
}
"""
    fix = """
type Robot struct {
	// +k8s:required
	// +k8s:maxLength=63
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
