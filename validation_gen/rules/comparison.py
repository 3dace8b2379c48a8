"""Rules that compare with a given value, or with a sibling.

`neq` is a value that a scalar must not have (tag reference 2.2), `dependentRequired` and `dependentForbidden` let a
field require or forbid a sibling (tag reference 2.6).
"""

from __future__ import annotations

from typing import ClassVar

from validation_gen.ir import Emission, MemberPresence, Membership, MembershipKind, Participant, Predicate, predicates
from validation_gen.rules.base import (
    ANY_VALUE,
    ArgSpec,
    Context,
    PayloadSpec,
    Rule,
    RuleError,
    RuleOutput,
    Scope,
    Target,
)
from validation_gen.rules.differences import (
    ABSENT_VALUES,
    RULES_AGAIN,
    ZEROS_ACCEPTED,
    ZEROS_REFUSED,
    Refusal,
    SchemaForm,
    of_field,
)
from validation_gen.rules.limits import canonical_int, fitting
from validation_gen.rules.registry import register
from validation_gen.rules.releases import Stability
from validation_gen.runtime.gotime import INTEGER_TEXTS
from validation_gen.sources.model import Builtin, Field, List, Map, Pointer
from validation_gen.sources.typesystem import BOOL, STRING
from validation_gen.tags.model import Tag, ValueType
from validation_gen.tags.suggestions import did_you_mean


@register
class NotEqual(Rule):
    """Forbids a value. The payload has the type of the field: quoted or bare text, an integer, or `true`/`false`."""

    name = "k8s:neq"
    scopes = ANY_VALUE
    payload = PayloadSpec(ValueType.RAW, "the disallowed value")
    doc = "A string, integer or boolean must not have this value."
    example = '+k8s:neq="default"'
    refusal = of_field('+k8s:neq="default"', 'Pool string `json:"pool"`', '{"pool": "default"}')
    history = {"1.34": Stability.ALPHA}
    schema = SchemaForm(
        "CEL at the field: `self != …`",
        idiomatic=(ABSENT_VALUES, ZEROS_REFUSED),
        exact_form="CEL at the object around, if an absent value is not legal",
    )

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        disallowed = self.disallowed(context, tag)
        text = INTEGER_TEXTS.get(context.types.value_id(context.type))
        shown = (text(int(disallowed)),) if text else ()
        return RuleOutput([context.check(tag, Predicate(predicates.NOT_EQUAL, (disallowed, *shown)))])

    def disallowed(self, context: Context, tag: Tag) -> str | int | bool:
        types = context.types
        native = types.value(context.type)
        if not types.is_comparable(native):
            raise RuleError(
                f"can only be used on comparable types (e.g. string, int, bool), but got {types.describe(context.type)}"
            )
        if native == STRING:
            wanted, noun = ValueType.STRING, "a string"
        elif native == BOOL:
            wanted, noun = ValueType.BOOL, "a bool"
        elif types.is_integer(native):
            wanted, noun = ValueType.INT, "an integer"
        else:
            raise RuleError(f"unsupported type for 'neq' tag: {types.describe(context.type)}")
        if tag.value is None or tag.value_type is not wanted:
            raise RuleError(
                f"type mismatch: field is {noun}, but payload is of type {tag.value_type.value}",
                code="VG203",
                span=tag.payload.span if tag.payload else tag.value_span,
                help=f'quote it: "{tag.value}"' if wanted is ValueType.STRING else "",
            )
        if wanted is ValueType.STRING:
            return tag.value
        if wanted is ValueType.BOOL:
            return tag.value == "true"
        try:
            number = canonical_int(tag.value)
            return fitting(number, native) if isinstance(native, Builtin) else number
        except RuleError as error:
            raise RuleError(
                f"invalid integer value for payload: {error.message}",
                code="VG203",
                span=tag.value_span,
                help=error.help,
            ) from None


class _Dependency(Rule):
    scopes = frozenset({Scope.FIELD})
    args = (ArgSpec("", ValueType.STRING, "the JSON name of the sibling", required=True),)
    kind: ClassVar[MembershipKind]
    error: ClassVar[str]

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        assert context.field is not None
        assert context.parent_type is not None
        arg = tag.positional()
        name = arg.value if arg else ""
        span = arg.span if arg else None
        sibling = context.types.member(context.parent_type, name)
        if sibling is None:
            help = did_you_mean(name, context.types.member_names(context.parent_type))
            raise RuleError(f'no sibling field with JSON name "{name}"', code="VG202", span=span, help=help)
        if sibling.go_name == context.field.go_name:
            message = f'trigger and dependent field must be different (both are "{name}")'
            raise RuleError(message, code="VG202", span=span)
        if not context.field.path_name:
            raise RuleError(f'trigger field "{context.field.go_name}" has no JSON name')
        pair = (self._participant(context, "trigger", context.field), self._participant(context, "dependent", sibling))
        emission = Emission(self.error, self.name.removeprefix("k8s:"), f".{name}")
        check = context.check(tag, Membership(self.kind, pair), emission)
        return RuleOutput.from_deferred(Target.PARENT, lambda: RuleOutput([check]))

    def _participant(self, context: Context, role: str, member: Field) -> Participant:
        native = context.types.native(member.type)
        if not isinstance(native, Pointer | Map | List | Builtin):
            kind = context.types.kind(native)
            raise RuleError(f'{role} field "{member.go_name}" has unsupported type kind {kind}')
        return Participant(member.json, "", MemberPresence(member.json, isinstance(native, Pointer)))


@register
class DependentRequired(_Dependency):
    """Requires a sibling, in one direction; repeat the tag for several siblings."""

    name = "k8s:dependentRequired"
    doc = "When the field is set, the named sibling must be set too."
    example = '+k8s:dependentRequired("certificate")'
    refusal = Refusal(
        """type Robot struct {
    // +k8s:optional
    // +k8s:dependentRequired("certificate")
    Key *string `json:"key,omitempty"`
    // +k8s:optional
    Certificate *string `json:"certificate,omitempty"`
}
""",
        '{"key": "k"}',
    )
    history = {"1.37": Stability.ALPHA}
    schema = SchemaForm("CEL at the object around", idiomatic=(ZEROS_REFUSED, ZEROS_ACCEPTED, RULES_AGAIN))
    kind = MembershipKind.DEPENDENT_REQUIRED
    error = "FieldValueRequired"


@register
class DependentForbidden(_Dependency):
    """Forbids a sibling, in one direction; repeat the tag for several siblings."""

    name = "k8s:dependentForbidden"
    doc = "When the field is set, the named sibling must not be set."
    example = '+k8s:dependentForbidden("certificate")'
    refusal = Refusal(
        """type Robot struct {
    // +k8s:optional
    // +k8s:dependentForbidden("certificate")
    Token *string `json:"token,omitempty"`
    // +k8s:optional
    Certificate *string `json:"certificate,omitempty"`
}
""",
        '{"token": "t", "certificate": "c"}',
    )
    history = {"1.37": Stability.ALPHA}
    schema = SchemaForm("CEL at the object around", idiomatic=(ZEROS_REFUSED, RULES_AGAIN))
    kind = MembershipKind.DEPENDENT_FORBIDDEN
    error = "FieldValueForbidden"
