"""Unions with too few members to mean anything."""

from __future__ import annotations

from collections.abc import Iterator

from validation_gen.compiler.lint.chains import Link
from validation_gen.compiler.lint.registry import Finding, LintRule, register
from validation_gen.compiler.lint.survey import Declaration, Survey
from validation_gen.sources.model import TypeDecl

_DISCRIMINATOR, _MEMBER, _ZERO_OR_ONE = "k8s:unionDiscriminator", "k8s:unionMember", "k8s:zeroOrOneOfMember"
_UnionKey = tuple[tuple[str, ...], str]


def _key(declaration: Declaration, link: Link) -> _UnionKey:
    """Returns the key of a tag's union: the path of its struct or list, and the name of the union."""
    named = link.tag.named("union")
    return (*declaration.path, *link.place)[:-1], named.value if named else ""


class _Unions:
    """The links of all unions of a type by tag and union, put together once for all members."""

    def __init__(self, survey: Survey) -> None:
        self._survey = survey
        self._owners: dict[str, dict[tuple[str, _UnionKey], list[Link]]] = {}

    def of(self, owner: TypeDecl) -> dict[tuple[str, _UnionKey], list[Link]]:
        id = str(owner)
        if id not in self._owners:
            found = self._owners[id] = {}
            for declaration in self._survey.together(owner):
                for link in declaration.named(_DISCRIMINATOR, _MEMBER, _ZERO_OR_ONE):
                    found.setdefault((link.name, _key(declaration, link)), []).append(link)
        return self._owners[id]


def _in_union(declaration: Declaration, key: _UnionKey, name: str) -> list[Link]:
    return declaration.survey.state(_Unions).of(declaration.owner).get((name, key), [])


def _shall_grow(declaration: Declaration) -> bool:
    return declaration.field is not None and len(declaration.survey.fields(declaration.owner)) == 1


@register
class LonelyMember(LintRule):
    """With a discriminator one member is enough: it is set in its mode and in no other.

    A union in a struct that has nothing else is one that shall grow, and nothing has been forgotten.
    """

    code = "VG414"
    name = "lonely-union"
    reason = "A union is a rule about several members; with one of them, or none, it says nothing or something else."
    example = """
type Motion struct {
	// +k8s:optional
	// +k8s:unionMember
	Wheels *int32 `json:"wheels,omitempty"`
	// +k8s:optional
	Legs *int32 `json:"legs,omitempty"`
}
"""
    fix = """
type Motion struct {
	// +k8s:optional
	// +k8s:unionMember
	Wheels *int32 `json:"wheels,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	Legs *int32 `json:"legs,omitempty"`
}
"""

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        for link in declaration.named(_MEMBER, _ZERO_OR_ONE):
            key = _key(declaration, link)
            if len(_in_union(declaration, key, link.name)) > 1:
                continue
            if link.name == _ZERO_OR_ONE:
                message = "at most one of one member is always true"
                yield Finding(message, link.tag.span, "add the tag to the other members, or remove it")
            elif not _in_union(declaration, key, _DISCRIMINATOR) and not _shall_grow(declaration):
                message = "the union has no other member, so this one is simply required"
                help = "add the tag to the other members, with the same union name, or write +k8s:required"
                yield Finding(message, link.tag.span, help)
        for link in declaration.named(_DISCRIMINATOR):
            if not _in_union(declaration, _key(declaration, link), _MEMBER):
                message = "no member belongs to the union of this discriminator, so it has no effect"
                help = "put +k8s:unionMember on the members, with the same union name and in the same struct"
                yield Finding(message, link.tag.span, help)


@register
class ReplacedDiscriminator(LintRule):
    """The last one counts, as upstream; two groups of modes with one name are an error of their own."""

    code = "VG419"
    name = "replaced-discriminator"
    reason = "A union has one discriminator, and of several the last one counts without a word about the others."
    example = """
type Motion struct {
	// +k8s:required
	// +k8s:beta=+k8s:unionDiscriminator
	Kind string `json:"kind"`
	// +k8s:required
	// +k8s:beta=+k8s:unionDiscriminator
	Terrain string `json:"terrain"`
	// +k8s:optional
	// +k8s:unionMember
	Wheels *int32 `json:"wheels,omitempty"`
}
"""
    fix = """
type Motion struct {
	// +k8s:required
	// +k8s:beta=+k8s:unionDiscriminator
	Kind string `json:"kind"`
	// +k8s:required
	Terrain string `json:"terrain"`
	// +k8s:optional
	// +k8s:unionMember
	Wheels *int32 `json:"wheels,omitempty"`
}
"""

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        for link in declaration.named(_DISCRIMINATOR):
            last = _in_union(declaration, _key(declaration, link), _DISCRIMINATOR)[-1]
            if last.field is not link.field:
                message = "another discriminator of the same union takes the place of this one"
                help = "remove one of the two, or give each a union of its own: (union: <name>)"
                yield Finding(message, link.tag.span, help, ((f"{last.tag} is here", last.tag.span),))
