"""Tags with wrong assumptions about the items of a list."""

from __future__ import annotations

from collections.abc import Iterator

from validation_gen.compiler.lint.chains import Link
from validation_gen.compiler.lint.registry import Finding, LintRule, register
from validation_gen.compiler.lint.survey import Declaration
from validation_gen.sources.model import List

_LIST_TYPE, _UNIQUE = "k8s:listType", "k8s:unique"


@register
class LonelyListTag(LintRule):
    """Upstream looks at the tags of a list as a whole only when one of `listType` and `unique` is among them."""

    code = "VG407"
    name = "lonely-list-tag"
    reason = "These tags only add to listType or unique; alone they are read and then forgotten."
    example = """
type Arm struct {
	// +k8s:required
	Name string `json:"name"`
}

type Robot struct {
	// +k8s:optional
	// +k8s:listMapKey=name
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
	// +k8s:listType=map
	// +k8s:listMapKey=name
	Arms []Arm `json:"arms,omitempty"`
}
"""

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        leaders = {link.place for link in declaration.named(_LIST_TYPE, _UNIQUE)}
        for link in declaration.named("k8s:listMapKey", "k8s:customUnique"):
            if link.place not in leaders:
                kind = "map" if link.name == "k8s:listMapKey" else "set"
                message = f"{link.tag} has no effect without +{_LIST_TYPE} or +{_UNIQUE} on the same list"
                yield Finding(message, link.tag.span, f"add +{_LIST_TYPE}={kind}, or remove the tag")
                return


@register
class UnknownItems(LintRule):
    """Items with identity may be frozen: then `immutable` refuses changed items and new ones."""

    code = "VG408"
    name = "update-rule-for-unknown-items"
    reason = "Items of a list that is neither a set nor a map have no old value, so an update looks like an addition."
    example = """
type Robot struct {
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:eachVal=+k8s:immutable
	Serials []string `json:"serials,omitempty"`
}
"""
    fix = """
type Robot struct {
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:immutable
	Serials []string `json:"serials,omitempty"`
}
"""

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        for link in declaration.named("k8s:immutable", "k8s:update"):
            around = _each(link)
            if around is None or not _is_list(declaration, around) or _identity(declaration, around) in ("set", "map"):
                continue
            if link.name == "k8s:immutable":
                message = "items of this list have no identity: once the list changes at all, every item is refused"
            else:
                message = f"items of this list have no old value, so {link.tag} cannot tell what has changed"
            help = "give the items an identity with +k8s:listType=map, or put the tag on the list itself"
            yield Finding(message, link.tag.span, help)


def _each(link: Link) -> Link | None:
    """The `eachVal` around a link that is nearest to it."""
    outer = link.outer
    while outer is not None and outer.name != "k8s:eachVal":
        outer = outer.outer
    return outer


def _is_list(declaration: Declaration, each: Link) -> bool:
    return each.type is not None and isinstance(declaration.survey.types.native(each.type), List)


def _identity(declaration: Declaration, each: Link) -> str:
    """Returns the identity of items: `set`, `map`, or another value without one."""
    told = [link for link in declaration.named(_UNIQUE, _LIST_TYPE) if link.place == each.place]
    if not told and each.type is not None:
        owner = declaration.survey.types.declaration(each.type)
        told = list(declaration.survey.of(owner).of_itself(_UNIQUE, _LIST_TYPE)) if owner else []
    told.sort(key=lambda link: link.name != _UNIQUE)
    return told[0].tag.value or "" if told else ""
