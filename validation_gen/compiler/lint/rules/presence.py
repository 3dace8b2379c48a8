"""Presence of fields: missing tags for optional fields, and contradictory ones."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from validation_gen.compiler.lint.chains import Link
from validation_gen.compiler.lint.registry import Finding, LintRule, register
from validation_gen.compiler.lint.survey import Declaration
from validation_gen.compiler.lint.transitive import Transitive, is_validated
from validation_gen.sources.model import Pointer
from validation_gen.sources.typesystem import BOOL
from validation_gen.tags.parser import extract

PRESENCE = ("k8s:optional", "k8s:required", "k8s:forbidden")


def is_struct_by_value(declaration: Declaration) -> bool:
    return declaration.survey.types.struct(declaration.type) is not None


def may_be_left_out(declaration: Declaration) -> bool:
    """Returns whether other marks of a field make it optional."""
    assert declaration.field is not None
    others = {raw.name for raw in extract(declaration.comments)}
    return "optional" in others or bool(declaration.field.omit) or isinstance(declaration.type, Pointer)


@register
class Presence(LintRule):
    """Upstream's third rule. A presence tag counts at any position, also as a condition's payload."""

    code = "VG403"
    name = "presence"
    refused_upstream = True
    of_untagged = True
    reason = "Without a presence tag an absent field is validated like a written zero, and a null pointer is followed."
    example = """
type Robot struct {
	// +k8s:minimum=2
	Wheels *int32 `json:"wheels,omitempty"`
}
"""
    fix = """
type Robot struct {
	// +k8s:optional
	// +k8s:minimum=2
	Wheels *int32 `json:"wheels,omitempty"`
}
"""

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        if declaration.field is None or is_struct_by_value(declaration) or any(declaration.named(*PRESENCE)):
            return
        if is_validated(declaration.links) or declaration.survey.state(Transitive).validates(declaration):
            left_out = may_be_left_out(declaration)
            yield Finding(
                "field with validation must have +k8s:optional, +k8s:required or +k8s:forbidden",
                declaration.span,
                f"add +k8s:{'optional' if left_out else 'required'}, "
                f"{'because' if left_out else 'unless'} it may be left out",
            )


@register
class RequiredBool(LintRule):
    """Also where the member of a struct is required from outside."""

    code = "VG411"
    name = "required-bool"
    reason = "The zero value of a boolean is false, and a required field may not have its zero value: it must be true."
    example = """
type Robot struct {
	// +k8s:required
	Enabled bool `json:"enabled"`
}
"""
    fix = """
type Robot struct {
	// +k8s:required
	Enabled *bool `json:"enabled"`
}
"""

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        for link in declaration.named("k8s:required"):
            if link.type is not None and declaration.survey.types.native(link.type) == BOOL:
                message = "a required boolean must be true, because false counts as unset"
                yield Finding(
                    message, link.tag.span, "make the field a *bool, or drop the tag and take false for absent"
                )


@register
class ContradictoryPresence(LintRule):
    """Under different conditions or levels two of the tags make sense: a stricter rule on trial, an option's effect."""

    code = "VG412"
    name = "contradictory-presence"
    reason = "Of two presence tags that count in the same requests, one is without effect or both leave no way out."
    example = """
type Robot struct {
	// +k8s:optional
	// +k8s:required
	Name string `json:"name"`
}
"""
    fix = """
type Robot struct {
	// +k8s:required
	Name string `json:"name"`
}
"""

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        for one, other in itertools.combinations(declaration.named(*PRESENCE), 2):
            same = (one.place, one.conditions, one.level) == (other.place, other.conditions, other.level)
            if same and one.name != other.name:
                yield _contradiction(*sorted((one, other), key=lambda link: PRESENCE.index(link.name)))


def _contradiction(one: Link, other: Link) -> Finding:
    """Returns the finding about two tags in the order of `PRESENCE`."""
    note = ((f"+{other.name} is here", other.tag.span),)
    if one.name == "k8s:optional":
        message = f"+{one.name} has no effect beside +{other.name}"
        return Finding(message, one.tag.span, "keep the one that is meant", note)
    message = f"+{one.name} and +{other.name} refuse the field whether it is set or not"
    return Finding(message, one.tag.span, "keep the one that is meant", note)
