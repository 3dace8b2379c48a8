"""Enums that admit nothing."""

from __future__ import annotations

from collections.abc import Iterator

from validation_gen.build.lint.base import Finding, LintRule
from validation_gen.build.lint.registry import register
from validation_gen.build.lint.survey import Declaration
from validation_gen.sources.languages import PYTHON


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
