"""`dependentRequired` and `dependentForbidden`: a field that requires or forbids a sibling (tag reference 2.6)."""

from __future__ import annotations

from typing import ClassVar

from validation_gen.ir import Emission, MemberPresence, Membership, MembershipKind, Participant
from validation_gen.rules.base import ArgSpec, Context, Rule, RuleError, RuleOutput, Scope, Target
from validation_gen.rules.differences import RULES_AGAIN, ZEROS_ACCEPTED, ZEROS_REFUSED
from validation_gen.rules.fidelity import Refusal, SchemaForm
from validation_gen.rules.registry import register
from validation_gen.rules.releases import Stability
from validation_gen.sources.model import Builtin, Field, List, Map, Pointer
from validation_gen.tags.model import Tag, ValueType
from validation_gen.tags.suggestions import probable


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
            struct = context.types.struct(context.types.value(context.parent_type))
            near = probable(name, [f.path_name for f in struct.fields] if struct else [])
            help = f"did you mean {near}?" if near else ""
            raise RuleError(f'no sibling field with JSON name "{name}"', code="VG202", span=span, help=help)
        if sibling.go_name == context.field.go_name:
            message = f'trigger and dependent field must be different (both are "{name}")'
            raise RuleError(message, code="VG202", span=span)
        if not context.field.path_name:
            raise RuleError(f'trigger field "{context.field.go_name}" has no JSON name')
        pair = (self._participant(context, "trigger", context.field), self._participant(context, "dependent", sibling))
        emission = Emission(self.error, self.name.removeprefix("k8s:"), f".{name}")
        check = context.check(tag, Membership(self.kind, pair), emission)
        result = RuleOutput()
        result.defer(Target.PARENT, lambda: RuleOutput([check]))
        return result

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
