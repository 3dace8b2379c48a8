"""`subfield`, a rule for a member of a struct, on a field of that type; and `opaqueType`, which omits validation.

Source of the behaviour: tag reference 2.6.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from validation_gen.ir import Check, InMember
from validation_gen.rules.base import (
    ANY_VALUE,
    ArgSpec,
    Context,
    Deferred,
    PayloadSpec,
    Rule,
    RuleError,
    RuleOutput,
    Scope,
    Target,
)
from validation_gen.rules.differences import KEPT_UNIQUENESS, SchemaForm, of_field
from validation_gen.rules.iteration import below
from validation_gen.rules.presence import refuse_defined_collections
from validation_gen.rules.registry import register
from validation_gen.rules.releases import Stability
from validation_gen.sources.model import Field, Pointer, TypeExpr
from validation_gen.tags.model import Tag, ValueType
from validation_gen.tags.suggestions import did_you_mean


@dataclass(slots=True)
class OpaqueTable:
    """Opaque fields and types, for rules on parts of a type."""

    fields: set[Field] = field(default_factory=set)
    types: set[TypeExpr] = field(default_factory=set)

    def hides(self, context: Context) -> bool:
        return context.field in self.fields or context.types.value(context.type) in self.types


@register
class OpaqueType(Rule):
    """Skips the validation of a type; tags on the field itself still count. Types without source need it."""

    name = "k8s:opaqueType"
    scopes = ANY_VALUE
    doc = "The validation that the type declares for itself is not run here."
    example = "+k8s:opaqueType"
    history = {"1.33": Stability.ALPHA, "1.37": Stability.STABLE}
    schema = SchemaForm("the schema of the type without its rules", idiomatic=(KEPT_UNIQUENESS,))

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        table = context.session.state(OpaqueTable)
        if context.scope is Scope.TYPE:
            table.types.add(context.types.value(context.type))
        elif context.scope is Scope.FIELD and context.field is not None:
            table.fields.add(context.field)
        return RuleOutput(opaque_type=True)


@dataclass(slots=True)
class InheritedGates:
    """Places that have already inherited the presence rules of their members, to do so only once."""

    done: set[str] = field(default_factory=set)


@register
class Subfield(Rule):
    """Applies a rule to a member, guarded silently by the member's own stopping rules (`optional`, `required` …).

    There is no guard when the type is opaque. The struct's own validation of the member runs as well, afterwards. A
    member with such a rule must have no list or map type of its own (`type Names []string`): Kubernetes' code for it
    does not compile.
    """

    name = "k8s:subfield"
    scopes = ANY_VALUE
    args = (ArgSpec("", ValueType.STRING, "the JSON name of a direct member", required=True),)
    payload = PayloadSpec(ValueType.TAG, "the rule for the member")
    doc = "A member of the struct must obey the chained tag."
    example = "+k8s:subfield(name)=+k8s:format=k8s-long-name"
    refusal = of_field(
        "+k8s:subfield(name)=+k8s:format=k8s-short-name",
        'Dock Dock `json:"dock"`',
        '{"dock": {"name": "dock.7"}}',
        more="""
type Dock struct {
    Name string `json:"name"`
}
""",
    )
    history = {"1.33": Stability.BETA, "1.36": Stability.STABLE}
    schema = SchemaForm("what the chained tag becomes, at the member")

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        inner_tag: Tag | None = self.get_payload(tag)
        while inner_tag is not None:
            if inner_tag.name == self.name:
                raise RuleError(
                    f"nested +{self.name} tags are unsupported; apply validations directly to the nested type instead",
                    span=inner_tag.span,
                )
            inner_tag = inner_tag.payload
        struct_type = context.types.value(context.type)
        if context.types.struct(struct_type) is None:
            raise RuleError(f"can only be used on struct types: {context.types.kind(struct_type)}")
        arg = tag.positional()
        name = arg.value if arg else ""
        member = context.types.member(struct_type, name)
        if member is None:
            raise RuleError(
                f'no field for json name "{name}"',
                code="VG202",
                span=arg.span if arg else None,
                help=did_you_mean(
                    name, context.types.member_names(struct_type), "only direct members count, by their JSON name"
                ),
            )
        _refuse_distant_unions(context, self.get_payload(tag))
        inside = context.inside(tag, Scope.FIELD, member.type, f".{name}", field=member)
        inner = context.session.extract(inside, (self.get_payload(tag),))

        def wrap(check: Check, target: Target) -> Check:
            if target is Target.PARENT:
                return check  # belongs to the struct, as a union does
            operation = InMember(check, name, context.shape(member.type))
            return replace(check, operation=operation, cohort=name, emits=below(f".{name}", check.emits))

        def resolve() -> RuleOutput:
            combined = RuleOutput()
            combined.add(inner)
            if not context.session.state(OpaqueTable).hides(context):
                combined.add(self._gates(inside))
            refuse_defined_collections(inside, tag, combined, help=", or write the chained tag at the field itself")
            mapped = combined.wrap(wrap)
            mapped.deferred = [Deferred(Target.THIS, d.resolve) for d in mapped.deferred]
            return mapped

        # Opaque types are known only when all tags are read.
        return RuleOutput.from_deferred(Target.THIS, resolve)

    def _gates(self, inside: Context) -> RuleOutput:
        """Returns the stopping rules of the member itself, silenced."""
        done = inside.session.state(InheritedGates).done
        if inside.path in done or inside.field is None:
            return RuleOutput()
        done.add(inside.path)
        return _silent_stops(inside.session.extract(inside, inside.session.field_tags(inside.field)))


def _refuse_distant_unions(context: Context, inner: Tag) -> None:
    """Refuses union tags behind a pointer, because Kubernetes generates Go for them that does not compile.

    Raises:
        RuleError: there is one.
    """
    chained: Tag | None = inner if isinstance(context.types.native(context.type), Pointer) else None
    while chained is not None:
        if chained.name in _OF_UNIONS:
            help = f"write +{chained.name} at the field of the struct itself, or make this no pointer"
            raise RuleError(f"+{chained.name} cannot be used behind a pointer", span=chained.span, help=help)
        chained = chained.payload


#: Tags that make a field a part of a union.
_OF_UNIONS = frozenset({"k8s:unionMember", "k8s:unionDiscriminator", "k8s:zeroOrOneOfMember"})


def _silent_stops(lowered: RuleOutput) -> RuleOutput:
    result = RuleOutput([replace(c, silent=True) for c in lowered.checks if c.short_circuit])
    for work in lowered.deferred:
        result.defer(work.target, lambda work=work: _silent_stops(work.resolve()))  # type: ignore[misc]
    return result
