"""Tags that add nothing or admit nothing: keywords of openapi-gen alone, duplicate tags, and enums without a value.

Schemas have the keywords of openapi-gen, validators do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from validation_gen.compiler.lint.registry import Finding, LintRule, register
from validation_gen.compiler.lint.survey import Declaration
from validation_gen.rules.registry import catalogue
from validation_gen.sources.languages import PYTHON
from validation_gen.tags.model import Tag

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


@register
class EnumWithoutConstants(LintRule):
    """A constant that cannot be evaluated counts as a value: its problem has been reported."""

    code = "VG406"
    name = "enum-without-constants"
    reason = (
        "The legal values of an enum are its constants; without any it refuses every value, the empty one included."
    )
    example = """
// +k8s:enum
type Color string

const Red = "red"
"""
    fix = """
// +k8s:enum
type Color string

const Red Color = "red"
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
