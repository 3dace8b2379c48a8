"""Identity of list items: `listType`, `listMapKey`, `unique`, `customUnique` (tag reference 2.5).

Facts about a list are kept by path, because tags of one list affect each other and the tags on its items: they are
complete only when all tags of the field or type are read, so their use is deferred.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from validation_gen.ir import ByKeys, ByValue, Key, Match, Predicate, Scalar, predicates, value_shape
from validation_gen.rules.base import ANY_VALUE, Context, PayloadSpec, Rule, RuleError, RuleOutput, Scope, Target
from validation_gen.rules.differences import KEPT_UNIQUENESS, SEMANTIC_EQUALITY, SchemaForm, of_field
from validation_gen.rules.registry import register
from validation_gen.rules.releases import Stability
from validation_gen.sources.model import Builtin, Field, List, Pointer
from validation_gen.tags.model import Tag, ValueType
from validation_gen.tags.suggestions import did_you_mean

_TWO_SAWS = of_field(
    "+k8s:listType=map\n+k8s:listMapKey=name",
    'Tools []Tool `json:"tools"`',
    '{"tools": [{"name": "saw", "weight": 1}, {"name": "saw", "weight": 2}]}',
    more="""
type Tool struct {
    Name   string `json:"name"`
    Weight int32  `json:"weight"`
}
""",
)


@dataclass(slots=True)
class ListFacts:
    """Facts from the tags of one list.

    `declared` is the payload of `listType`; `semantic` is `""`, `atomic`, `set` or `map`, after `unique` as well.
    `level` is that of the tag which was read last. `custom` leaves duplicates to handwritten code.
    """

    declared: str = ""
    semantic: str = ""
    keys: list[Field] = field(default_factory=list)
    level: str = ""
    custom: bool = False
    lowered: bool = False

    def check(self) -> None:
        """Checks that the tags of the list are consistent.

        Raises:
            RuleError: they are not.
        """
        if self.keys and self.semantic != "map":
            raise RuleError(
                "found listMapKey without listType=map or unique=map", code="VG205", help="add +k8s:listType=map"
            )
        if self.semantic == "map" and not self.keys:
            raise RuleError(
                "found listType=map or unique=map without listMapKey",
                code="VG205",
                help="name the member that identifies an item: +k8s:listMapKey=name",
            )
        if not self.declared:
            raise RuleError(
                "listType must be specified - use listType=atomic, listType=set, or listType=map", code="VG205"
            )

    def match(self, context: Context) -> Match | None:
        """Returns how old and new items are matched, `None` if they are not."""
        if self.semantic == "set":
            return ByValue()
        if self.semantic == "map":
            return ByKeys(tuple(_key(context, member) for member in self.keys))
        return None


@dataclass(slots=True)
class ListTable:
    """The facts of all lists by path of the field or type."""

    by_path: dict[str, ListFacts] = field(default_factory=dict)

    def at(self, path: str) -> ListFacts:
        return self.by_path.setdefault(path, ListFacts())

    def find(self, path: str, type_id: str) -> ListFacts | None:
        """Returns the facts of a place, or else of its (defined) type."""
        return self.by_path.get(path) or self.by_path.get(type_id)


def _key(context: Context, member: Field) -> Key:
    shape = context.shape(member.type)
    if isinstance(member.type, Pointer):
        return Key(member.json, None)
    scalar = value_shape(shape)
    return Key(member.json, scalar.zero if isinstance(scalar, Scalar) else None)


def find_list(context: Context) -> List:
    """Returns the list type of a list tag.

    Raises:
        RuleError: it is not a list.
    """
    native = context.types.native(context.type)
    if not isinstance(native, List):
        raise RuleError(f"can only be used on list types ({context.types.kind(native)})")
    return native


def struct_items(context: Context, items: List) -> None:
    if context.types.struct(context.types.value(items.elem)) is None:
        raise RuleError("only lists of structs can be list-maps", help="items that are identified by value make a set")


class _ListRule(Rule):
    scopes = ANY_VALUE

    def lower_list(self, context: Context, tag: Tag) -> RuleOutput:
        """Defers the uniqueness check, once for each list, until all its tags are read."""
        return RuleOutput.from_deferred(Target.THIS, lambda: self._uniqueness(context, tag))

    def _uniqueness(self, context: Context, tag: Tag) -> RuleOutput:
        table = context.session.state(ListTable)
        facts = table.by_path.get(context.path)
        if context.scope is Scope.FIELD:
            of_type = table.by_path.get(context.types.id(context.type))
            if facts is not None and of_type is not None:
                raise RuleError(
                    f"found list metadata for both a field and its type: {context.path}",
                    code="VG205",
                    span=tag.span,
                    help="keep the tags in one of the two places",
                )
            facts = of_type or facts
        if facts is None or facts.lowered:
            return RuleOutput()
        facts.lowered = True
        try:
            facts.check()
        except RuleError as error:
            error.span = error.span or tag.span
            raise
        match = facts.match(context)
        if match is None or facts.custom:
            return RuleOutput()
        items = find_list(context)
        check = context.check(tag, Predicate(predicates.UNIQUE, (match,), context.shape(items.elem)))
        return RuleOutput([replace(check, level=facts.level)])


@register
class ListType(_ListRule):
    """Sets the type of a list.

    Lists of type `set` and `map` have unique items, which updates match; `atomic` lists have neither property.
    """

    name = "k8s:listType"
    payload = PayloadSpec(ValueType.STRING, "atomic, set or map")
    doc = "Says whether a list is replaced as a whole, is a set, or is a map with keys inside its items."
    example = "+k8s:listType=map"
    refusal = _TWO_SAWS
    history = {"1.33": Stability.BETA, "1.36": Stability.STABLE}
    schema = SchemaForm("`x-kubernetes-list-type`", idiomatic=(SEMANTIC_EQUALITY,), exact=(SEMANTIC_EQUALITY,))

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        items = find_list(context)
        facts = context.session.state(ListTable).at(context.path)
        if facts.declared:
            raise RuleError("listType cannot be specified more than once", code="VG205")
        if tag.value not in ("atomic", "set", "map"):
            raise RuleError(
                f'unknown list type "{tag.value}"', code="VG203", span=tag.value_span, help="it is atomic, set or map"
            )
        facts.level = context.level
        if tag.value != "atomic" and facts.semantic in ("set", "map"):
            raise RuleError(f'unique tag is redundant for listType="{tag.value}"', code="VG205")
        if tag.value == "map":
            struct_items(context, items)
        facts.declared = tag.value
        if tag.value != "atomic" or not facts.semantic:
            facts.semantic = tag.value
        return self.lower_list(context, tag)


@register
class ListMapKey(_ListRule):
    """Adds a member to the key of items; repeat the tag for several. An absent member counts as its zero value."""

    name = "k8s:listMapKey"
    payload = PayloadSpec(ValueType.STRING, "the JSON name of a member of the items")
    doc = "Names a member that identifies the items of a list with `listType=map`."
    example = "+k8s:listMapKey=name"
    refusal = _TWO_SAWS
    history = {"1.33": Stability.BETA, "1.36": Stability.STABLE}
    schema = SchemaForm(
        "`x-kubernetes-list-map-keys`; the member is `required`",
        idiomatic=(SEMANTIC_EQUALITY,),
        exact=(SEMANTIC_EQUALITY,),
        exact_form="the zero value as `default` in the place of `required`, where it is legal",
    )

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        items = find_list(context)
        struct_items(context, items)
        member = context.types.member(items.elem, tag.value or "")
        if member is None:
            raise RuleError(
                f'no field for JSON name "{tag.value}"',
                code="VG203",
                span=tag.value_span,
                help=did_you_mean(tag.value or "", context.types.member_names(items.elem)),
            )
        key = member.type.elem if isinstance(member.type, Pointer) else member.type
        if not isinstance(context.types.native(key), Builtin):
            raise RuleError(
                f"only primitive types and pointers to primitive types can be list-map keys, not {member.type}",
                span=tag.value_span,
            )
        context.session.state(ListTable).at(context.path).keys.append(member)
        return RuleOutput()


@register
class Unique(_ListRule):
    """Makes the items of an atomic list unique, and matches them on update."""

    name = "k8s:unique"
    payload = PayloadSpec(ValueType.STRING, "set or map")
    doc = "The items of an atomic list are unique, as a whole (`set`) or by their keys (`map`)."
    example = "+k8s:unique=set"
    refusal = of_field(
        "+k8s:listType=atomic\n+k8s:unique=set", 'Tools []string `json:"tools"`', '{"tools": ["saw", "saw"]}'
    )
    history = {"1.35": Stability.ALPHA, "1.36": Stability.BETA, "1.37": Stability.STABLE}
    schema = SchemaForm("CEL at the list", idiomatic=(SEMANTIC_EQUALITY,), exact=(SEMANTIC_EQUALITY,))

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        items = find_list(context)
        facts = context.session.state(ListTable).at(context.path)
        facts.level = context.level
        if facts.declared not in ("", "atomic"):
            raise RuleError("unique tag may not be used with listType=set or listType=map", code="VG205")
        if facts.semantic not in ("", "atomic"):
            raise RuleError("unique tag cannot be specified more than once", code="VG205")
        if tag.value not in ("set", "map"):
            message = f'unknown unique type "{tag.value}"'
            raise RuleError(message, code="VG203", span=tag.value_span, help="it is set or map")
        if tag.value == "map":
            struct_items(context, items)
        facts.semantic = tag.value
        return self.lower_list(context, tag)


@register
class CustomUnique(_ListRule):
    """Removes the check for duplicates; items are still matched on update."""

    name = "k8s:customUnique"
    doc = "Duplicates in the list are found by handwritten code."
    example = "+k8s:customUnique"
    history = {"1.35": Stability.ALPHA, "1.36": Stability.BETA, "1.37": Stability.STABLE}
    schema = SchemaForm("nothing: the list type says the rest", idiomatic=(KEPT_UNIQUENESS,), exact=(KEPT_UNIQUENESS,))

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        find_list(context)
        context.session.state(ListTable).at(context.path).custom = True
        return RuleOutput()
