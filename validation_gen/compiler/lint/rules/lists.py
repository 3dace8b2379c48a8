"""Lists without a topology, tags with wrong assumptions about items, and unions with too few members."""

from __future__ import annotations

import re
from collections.abc import Iterator

from validation_gen.compiler.lint.chains import Link
from validation_gen.compiler.lint.survey import Declaration, Finding, LintRule, Survey, register
from validation_gen.sources.languages import PYTHON
from validation_gen.sources.model import META, List, Named, Pointer, Struct, TypeDecl, TypeExpr, inner_types

_LIST_TYPE, _UNIQUE = "k8s:listType", "k8s:unique"


@register
class LonelyListTag(LintRule):
    """Upstream looks at the tags of a list as a whole only when one of `listType` and `unique` is among them."""

    code = "VG407"
    name = "lonely-list-tag"
    reason = "These tags only add to listType or unique; alone they are read and then forgotten."
    change = """
type Arm struct {
	// +k8s:required
	Name string `json:"name"`
}

type Robot struct {
	// +k8s:optional
+	// +k8s:listType=map
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
    change = """
type Robot struct {
	// +k8s:optional
	// +k8s:listType=atomic
-	// +k8s:eachVal=+k8s:immutable
+	// +k8s:immutable
	Serials []string `json:"serials,omitempty"`
}
"""

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        for link in declaration.named("k8s:immutable", "k8s:update"):
            containers = _each(link)
            if (
                containers is None
                or not _is_list(declaration, containers)
                or _identity(declaration, containers) in ("set", "map")
            ):
                continue
            if link.name == "k8s:immutable":
                message = "items of this list have no identity: once the list changes at all, every item is refused"
            else:
                message = f"items of this list have no old value, so {link.tag} cannot tell what has changed"
            help = "give the items an identity with +k8s:listType=map, or put the tag on the list itself"
            yield Finding(message, link.tag.span, help)


def _each(link: Link) -> Link | None:
    """Returns the innermost `eachVal` around a link."""
    outer = link.outer
    while outer is not None and outer.name != "k8s:eachVal":
        outer = outer.outer
    return outer


def _is_list(declaration: Declaration, each: Link) -> bool:
    return each.type is not None and isinstance(declaration.survey.types.native(each.type), List)


def _identity(declaration: Declaration, each: Link) -> str:
    """Returns the identity of items: `set`, `map`, or another value without one."""
    links = [link for link in declaration.named(_UNIQUE, _LIST_TYPE) if link.place == each.place]
    if not links and each.type is not None:
        owner = declaration.survey.types.declaration(each.type)
        links = list(declaration.survey.find_type(owner).of_itself(_UNIQUE, _LIST_TYPE)) if owner else []
    links.sort(key=lambda link: link.name != _UNIQUE)
    return links[0].tag.value or "" if links else ""


#: Comments that declare the topology of a list. Kubernetes derives it from the strategy of patches, too.
_TOPOLOGY = re.compile(r"\+.*\b(?:listType|patchStrategy)\b")
#: Names of fields that usually tell items apart.
_KEYS = ("name", "id", "key", "type")


@register
class ListWithoutTopology(LintRule):
    """Looks at the fields of kinds with ObjectMeta, and of the types in them: such objects are applied.

    Without a topology a list is atomic. That is mostly meant for lists of scalars, and seldom for lists of structs, of
    which several managers add items; `listType=atomic` says that it is. Lists in lists and maps have no place for a
    tag.
    """

    code = "VG425"
    name = "list-without-topology"
    of_untagged = True
    reason = (
        "Without listType server-side apply takes a list as one value: one manager owns all items, and the apply of "
        "another one is a conflict or removes them."
    )
    change = """
import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Arm struct {
	// +k8s:required
	Name string `json:"name"`
}

type Robot struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +k8s:optional
+	// +k8s:listType=map
+	// +k8s:listMapKey=name
	Arms []Arm `json:"arms,omitempty"`
}
"""

    def check(self, declaration: Declaration) -> Iterator[Finding]:
        survey = declaration.survey
        value = survey.types.value(declaration.type)
        if declaration.field is None or not isinstance(value, List):
            return
        struct = _find_struct(survey, value.elem)
        if struct is None or str(declaration.owner) not in survey.state(_AppliedTypes).names:
            return
        if _has_topology(declaration):
            return
        message = "without listType the list is one value for server-side apply, and one manager owns all items"
        yield Finding(message, declaration.span, _topology_help(struct, declaration.span.file))


def _find_struct(survey: Survey, item: TypeExpr) -> Struct | None:
    """Returns the struct of items that are objects in JSON."""
    value = survey.types.value(item)
    owner = survey.types.declaration(value) if isinstance(value, Named) else None
    return None if owner is not None and survey.decodes_itself(owner) else survey.types.struct(value)


def _has_topology(declaration: Declaration) -> bool:
    """Returns whether the field, or the type of its list, declares a topology."""
    types, type = declaration.survey.types, declaration.type
    if "patchStrategy:" in ((declaration.field and declaration.field.tag) or ""):
        return True
    found = declaration
    while True:
        if any(found.of_itself(_LIST_TYPE)) or any(_TOPOLOGY.match(line.text.strip()) for line in found.comments):
            return True
        type = type.elem if isinstance(type, Pointer) else type
        owner = types.declaration(type) if isinstance(type, Named) else None
        if owner is None:
            return False
        found, type = declaration.survey.find_type(owner), owner.type


def _topology_help(item: Struct, file: str) -> str:
    """Suggests a topology for a list of structs."""
    names = [field.json for field in item.fields]
    key = next((name for name in _KEYS if name in names), "<field>")
    map, atomic = f"+{_LIST_TYPE}=map and +k8s:listMapKey={key}", f"+{_LIST_TYPE}=atomic"
    if PYTHON.has(file):
        map, atomic = f'ListType("map") and ListMapKey("{key}")', 'ListType("atomic")'
    return f"add {map} to merge the items, or {atomic} to keep one owner"


class _AppliedTypes:
    """The types of objects with ObjectMeta, and of all values in them."""

    def __init__(self, survey: Survey) -> None:
        self.names: set[str] = set()
        pending = [owner for owner in survey.owners() if _is_kind(owner)]
        while pending:
            owner = pending.pop()
            if str(owner) in self.names:
                continue
            self.names.add(str(owner))
            inside = [field.type for field in survey.fields(owner)] or [survey.types.resolve(owner.type)]
            while inside:
                type = inside.pop()
                if isinstance(type, Named):
                    found = survey.types.declaration(type)
                    pending += [found] if found is not None else []
                inside += inner_types(type)


def _is_kind(owner: TypeDecl) -> bool:
    return any(field.type == Named(META, "ObjectMeta") for field in owner.fields)


_DISCRIMINATOR, _MEMBER, _ZERO_OR_ONE = "k8s:unionDiscriminator", "k8s:unionMember", "k8s:zeroOrOneOfMember"
_UnionKey = tuple[tuple[str, ...], str]


def _key(declaration: Declaration, link: Link) -> _UnionKey:
    """Returns the key of a tag's union: the path of its struct or list, and the name of the union."""
    return (*declaration.path, *link.place)[:-1], link.tag.argument("union")


class _Unions:
    """The links of all unions of a type by tag and union, put together once for all members."""

    def __init__(self, survey: Survey) -> None:
        self._survey = survey
        self._owners: dict[str, dict[tuple[str, _UnionKey], list[Link]]] = {}

    def find_links(self, owner: TypeDecl) -> dict[tuple[str, _UnionKey], list[Link]]:
        id = str(owner)
        if id not in self._owners:
            found = self._owners[id] = {}
            for declaration in self._survey.together(owner):
                for link in declaration.named(_DISCRIMINATOR, _MEMBER, _ZERO_OR_ONE):
                    found.setdefault((link.name, _key(declaration, link)), []).append(link)
        return self._owners[id]


def _in_union(declaration: Declaration, key: _UnionKey, name: str) -> list[Link]:
    return declaration.survey.state(_Unions).find_links(declaration.owner).get((name, key), [])


def _shall_grow(declaration: Declaration) -> bool:
    return declaration.field is not None and len(declaration.survey.fields(declaration.owner)) == 1


@register
class LonelyMember(LintRule):
    """With a discriminator one member is enough: it is set in its mode and in no other.

    A union that is alone in a struct is meant to grow, so nothing is reported there.
    """

    code = "VG414"
    name = "lonely-union"
    reason = "A union is a rule about several members; with one of them, or none, it says nothing or something else."
    change = """
type Motion struct {
	// +k8s:optional
	// +k8s:unionMember
	Wheels *int32 `json:"wheels,omitempty"`
	// +k8s:optional
+	// +k8s:unionMember
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
    change = """
type Motion struct {
	// +k8s:required
	// +k8s:beta=+k8s:unionDiscriminator
	Kind string `json:"kind"`
	// +k8s:required
-	// +k8s:beta=+k8s:unionDiscriminator
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
