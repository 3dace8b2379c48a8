"""Lint rules about tags without the intended effect: misplaced levels, constraints of updates, stops within items."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from validation_gen.compiler.lint.chains import ITEMS, Link, is_wrapper, links
from validation_gen.compiler.lint.rules.presence import PRESENCE
from validation_gen.compiler.lint.survey import Declaration, Finding, LintRule, register
from validation_gen.rules.registry import catalogue
from validation_gen.rules.releases import Stability, stability
from validation_gen.rules.spelling import spell_known

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
    change = """
type Robot struct {
	// +k8s:optional
-	// +k8s:eachVal=+k8s:alpha=+k8s:maxLength=16
+	// +k8s:alpha=+k8s:eachVal=+k8s:maxLength=16
	Names []string `json:"names,omitempty"`
}
"""

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        for link in declaration.named(*_LEVELS):
            if link.outer is not None:
                message = f'tag "{link.name}" can\'t be used in between'
                yield Finding(message, link.tag.name_span, _move_level_first(link, declaration.survey.target))
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
    change = """
type Robot struct {
	// +k8s:optional
-	// +k8s:neq="default"
+	// +k8s:alpha=+k8s:neq="default"
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
            wanted = _find_needed_level(link, declaration.owner.package)
            if level < wanted:
                name = rule.name_in(target)
                message = (
                    f'tag "{name}" with stability level "{level.value}" cannot be used in {wanted.value} validation'
                )
                yield Finding(message, link.tag.name_span, _advice(link, level, target))
                return


def _move_level_first(level: Link, target: str) -> str:
    """Returns a chain with its level in front. The outermost of several levels applies."""
    inner, outer = level.tag.payload, level.outer
    while inner is not None and outer is not None:
        inner, outer = replace(outer.tag, payload=inner), outer.outer
    if inner is None:
        return "put the level first"
    if level.line.name in _LEVELS:
        return f"one level is enough: {spell_known(inner, target)}"
    return f"put the level first: {spell_known(replace(level.tag, payload=inner), target)}"


def _find_needed_level(link: Link, package: str) -> Stability:
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
    return f"put the level first: +{prefix}={spell_known(link.line, target)}"


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
    change = """
type Arm struct {
+	// +k8s:required
	Name string `json:"name"`
}

type Robot struct {
	// +k8s:optional
-	// +k8s:eachVal=+k8s:subfield(name)=+k8s:required
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
    """Returns a short-circuiting tag of the member; `None` also for an opaque struct, whose tags are ignored."""
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
    change = """
type Robot struct {
	// +k8s:optional
-	// +k8s:ifEnabled(Naming)=+k8s:update=NoSet
+	// +k8s:update=NoSet
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
