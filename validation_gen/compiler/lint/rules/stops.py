"""Tags without the intended effect: constraints of updates, and tags of an item that stop the whole list."""

from __future__ import annotations

from collections.abc import Iterator

from validation_gen.compiler.lint.chains import ITEMS, Link, is_wrapper, links
from validation_gen.compiler.lint.registry import Finding, LintRule, register
from validation_gen.compiler.lint.rules.gaps import PRESENCE
from validation_gen.compiler.lint.survey import Declaration

_STOPPING = (*PRESENCE, "k8s:immutable", "k8s:maxItems", "k8s:maxProperties", "k8s:update")


@register
class ItemStopsList(LintRule):
    """A stop within an item stops the loop, and the loop belongs to the field (tag reference 2.5 and 2.6).

    A chained rule for a member silently includes the member's own stopping tags.
    """

    code = "VG418"
    name = "item-stops-list"
    reason = (
        "One item in which the member is unset ends the validation of the field, and errors of other items get lost."
    )
    example = """
type Arm struct {
	Name string `json:"name"`
}

type Robot struct {
	// +k8s:optional
	// +k8s:eachVal=+k8s:subfield(name)=+k8s:required
	Arms []Arm `json:"arms,omitempty"`
}
"""
    fix = """
type Arm struct {
	// +k8s:required
	Name string `json:"name"`
}

type Robot struct {
	// +k8s:optional
	Arms []Arm `json:"arms,omitempty"`
}
"""

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        for link in declaration.links:
            name = _member_of_items(link)
            if not name or is_wrapper(link.name):
                continue
            help = f'put the tag on member "{name}" itself, in the type of the items'
            if link.name in PRESENCE:
                message = f'{link.tag} on member "{name}" of one item ends the validation of the whole field'
                yield Finding(message, link.tag.span, help)
            elif stop := _own_stop(declaration, link):
                yield Finding(
                    f'member "{name}" has {stop.tag} of its own, which silently ends the validation of the whole field '
                    "when it applies to one item",
                    link.line.span,
                    help,
                    ((f"{stop.tag} is here", stop.tag.span),),
                )
                return


def _member_of_items(link: Link) -> str:
    """Returns the name of the member when a tag is for a direct member of items or values."""
    around, member = link.place[-2:] if len(link.place) > 1 else ("", "")
    return member[1:] if around == ITEMS and member.startswith(".") else ""


def _own_stop(declaration: Declaration, link: Link) -> Link | None:
    """Returns a tag of the member that stops, unless its struct is opaque: then nothing of it counts."""
    survey = declaration.survey
    struct = link.outer
    while struct is not None and struct.name != "k8s:subfield":
        struct = struct.outer
    if struct is None or struct.type is None or link.field is None:
        return None
    owner = survey.types.declaration(survey.types.value(struct.type))
    if owner is not None and any(survey.find_type(owner).of_itself("k8s:opaqueType")):
        return None
    own = links(survey.types, survey.member_tags(link.field), link.field.type, link.field)
    return next((other for other in own if other.name in _STOPPING and not other.place), None)


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
