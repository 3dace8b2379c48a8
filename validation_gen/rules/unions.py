"""`unionMember`, `unionDiscriminator`, `zeroOrOneOfMember`: limits on the number of set members (tag reference 2.7).

Each tag only records its member; the check is made once, for the enclosing struct (or list), when all members are
known.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from validation_gen.ir import Emission, ItemPresence, MemberPresence, Membership, MembershipKind, Participant
from validation_gen.rules.base import ArgSpec, Context, PayloadSpec, Rule, RuleError, RuleOutput, Scope, Target
from validation_gen.rules.differences import (
    ABSENT_VALUES,
    NULL_UNIONS,
    RULES_AGAIN,
    UNIONS_OF_ITEMS,
    ZEROS_ACCEPTED,
    ZEROS_REFUSED,
    Refusal,
    SchemaForm,
)
from validation_gen.rules.items import selector
from validation_gen.rules.registry import register
from validation_gen.rules.releases import Stability
from validation_gen.sources.model import Builtin, Field, List, Map, Pointer
from validation_gen.tags.model import Tag, ValueType

_DRIVES = '{"wheeled": "4x4", "legged": "6"}'


@dataclass(slots=True)
class UnionFacts:
    """Facts about one union. Its check comes from the first member's tag."""

    discriminator: Field | None = None
    members: list[Participant] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    of_items: bool = False
    tag: Tag | None = None
    context: Context | None = None


@dataclass(slots=True)
class UnionTable:
    """Unions of each struct or list by its path, then by the union's name."""

    by_parent: dict[str, dict[str, UnionFacts]] = field(default_factory=dict)

    def at(self, parent: str, name: str) -> UnionFacts:
        return self.by_parent.setdefault(parent, {}).setdefault(name, UnionFacts())


class ZeroOrOneTable(UnionTable):
    """Groups of `zeroOrOneOfMember`, which never mix with unions."""


_UNION_ARG = ArgSpec("union", ValueType.STRING, "the name of the union, when a struct has several")


def _member_name(tag: Tag, default: str) -> str:
    """Returns the discriminator value that selects a member."""
    given = tag.named("memberName")
    if given is not None:
        return given.value
    return default if tag.value is None else tag.value


@register
class UnionDiscriminator(Rule):
    """Marks the discriminator of a union. The tag does not check the field itself; give its type `+k8s:enum`."""

    name = "k8s:unionDiscriminator"
    scopes = frozenset({Scope.FIELD, Scope.LIST_VALUE})
    args = (_UNION_ARG,)
    doc = "The field says which member of the union is set."
    example = "+k8s:unionDiscriminator"
    refusal = Refusal(
        """type Robot struct {
    // +k8s:unionDiscriminator
    Drive string `json:"drive"`
    // +k8s:optional
    // +k8s:unionMember
    Wheeled *string `json:"wheeled,omitempty"`
    // +k8s:optional
    // +k8s:unionMember
    Legged *string `json:"legged,omitempty"`
}
""",
        '{"drive": "Legged", "wheeled": "4x4"}',
    )
    history = {"1.34": Stability.BETA}
    schema = SchemaForm(
        "CEL at the object, a rule for each member of the union",
        idiomatic=(ABSENT_VALUES, ZEROS_REFUSED, ZEROS_ACCEPTED, RULES_AGAIN),
    )

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        if context.field is None:
            raise RuleError("can only be used on struct fields", code="VG201")
        if not context.types.is_string(context.type):
            raise RuleError(f"can only be used on string types ({context.types.describe(context.type)})")
        if isinstance(context.types.native(context.type), Pointer):
            help = "make the field a string, which is empty when it is not set"
            raise RuleError("can only be used on strings that are no pointers", help=help)
        table = context.session.state(UnionTable)
        table.at(context.parent_path, tag.argument("union")).discriminator = context.field
        return RuleOutput()


class _Member(Rule):
    scopes = frozenset({Scope.FIELD, Scope.LIST_VALUE})
    args = (
        _UNION_ARG,
        ArgSpec("memberName", ValueType.STRING, "the discriminator value of this member, by default the Go field name"),
    )
    # The 1.35 documentation writes +k8s:unionMember="name" for the memberName argument.
    payload: ClassVar[PayloadSpec | None] = PayloadSpec(
        ValueType.STRING, "another way to write memberName", required=False
    )
    table: ClassVar[type[UnionTable]]
    origin: ClassVar[str]
    kind: ClassVar[MembershipKind]

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        member = self._field_member(context, tag) if context.scope is Scope.FIELD else self._item_member(context, tag)
        facts = context.session.state(self.table).at(context.parent_path, tag.argument("union"))
        of_items = context.scope is Scope.LIST_VALUE
        if member.name in facts.names:
            kind = "list-item union member" if of_items else "union member"
            raise RuleError(f'{kind} "{member.name}" already exists', code="VG205")
        if facts.members and facts.of_items != of_items:
            raise RuleError("cannot have both field members and item members", code="VG205")
        facts.of_items = of_items
        facts.members.append(member)
        facts.names.add(member.name)
        if facts.tag is None:
            facts.tag, facts.context = tag, context
        return RuleOutput.from_deferred(Target.PARENT, lambda: self._checks(context))

    def _field_member(self, context: Context, tag: Tag) -> Participant:
        native = context.types.native(context.type)
        if not isinstance(native, Pointer | Map | List | Builtin):
            raise RuleError(
                f"can only be used on nilable and primitive types ({context.types.kind(native)})",
                help="make the field a pointer (T | None in Python), so that it can be unset",
            )
        assert context.field is not None
        if not context.field.path_name:
            raise RuleError(f'field "{context.field.go_name}" is a union member but has no JSON name', code="VG205")
        presence = MemberPresence(context.field.json, isinstance(native, Pointer))
        return Participant(context.field.path_name, _member_name(tag, context.field.go_name), presence)

    def _item_member(self, context: Context, tag: Tag) -> Participant:
        if not context.selector:
            raise RuleError(
                "list-item union member has no list selector in context",
                code="VG201",
                help='select the item: +k8s:item(name: "x")=+k8s:unionMember',
            )
        criteria = tuple((name, value) for name, value in context.selector if isinstance(value, str | int))
        presence = ItemPresence(selector(context, context.type, criteria))
        return Participant(context.path.rpartition(".")[2], _member_name(tag, ""), presence)

    def _checks(self, context: Context) -> RuleOutput:
        """Returns all unions of the parent, sorted by name; only the first member to ask gets them."""
        unions = context.session.state(self.table).by_parent.pop(context.parent_path, {})
        result = RuleOutput()
        for _, facts in sorted(unions.items()):
            if facts.tag is None or facts.context is None:
                continue  # a discriminator without members
            kind = self.kind if facts.discriminator is None else MembershipKind.DISCRIMINATED
            if facts.discriminator is None:
                union = Membership(kind, tuple(facts.members))
                emits = [Emission("FieldValueInvalid", self.origin)]
            else:
                union = Membership(kind, tuple(facts.members), facts.discriminator.json)
                emits = [Emission("FieldValueInvalid", self.origin, f".{m.name}") for m in facts.members]
            result.checks.append(facts.context.check(facts.tag, union, *emits))
        return result


@register
class UnionMemberRule(_Member):
    """Requires exactly one member of a union; with a discriminator, the one that it names."""

    name = "k8s:unionMember"
    doc = "The field is one of several of which exactly one must be set."
    example = "+k8s:unionMember"
    refusal = Refusal(
        """type Robot struct {
    // +k8s:optional
    // +k8s:unionMember
    Wheeled *string `json:"wheeled,omitempty"`
    // +k8s:optional
    // +k8s:unionMember
    Legged *string `json:"legged,omitempty"`
}
""",
        _DRIVES,
    )
    history = {"1.34": Stability.BETA, "1.36": Stability.STABLE}
    schema = SchemaForm(
        "CEL at the object or list",
        idiomatic=(ABSENT_VALUES, ZEROS_REFUSED, ZEROS_ACCEPTED, RULES_AGAIN, UNIONS_OF_ITEMS, NULL_UNIONS),
        exact=(UNIONS_OF_ITEMS, NULL_UNIONS),
    )
    table = UnionTable
    origin = "union"
    kind = MembershipKind.EXACTLY_ONE


@register
class ZeroOrOneOfMember(_Member):
    """Allows at most one member. It is meant for list items: a field may be unknown to an older client."""

    name = "k8s:zeroOrOneOfMember"
    doc = "The field or item is one of several of which at most one may be set."
    example = "+k8s:zeroOrOneOfMember"
    refusal = Refusal(
        """type Robot struct {
    // +k8s:optional
    // +k8s:zeroOrOneOfMember
    Wheeled *string `json:"wheeled,omitempty"`
    // +k8s:optional
    // +k8s:zeroOrOneOfMember
    Legged *string `json:"legged,omitempty"`
}
""",
        _DRIVES,
    )
    history = {"1.34": Stability.BETA, "1.36": Stability.STABLE}
    schema = SchemaForm(
        "CEL at the object or list", idiomatic=(ZEROS_REFUSED, RULES_AGAIN, UNIONS_OF_ITEMS), exact=(UNIONS_OF_ITEMS,)
    )
    payload = None
    table = ZeroOrOneTable
    origin = "zeroOrOneOf"
    kind = MembershipKind.AT_MOST_ONE
