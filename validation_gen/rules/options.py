"""`ifEnabled` and `ifDisabled`: rules that depend on a validation option (tag reference 2.4)."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from validation_gen.ir import Check, IfOption
from validation_gen.rules.base import ANY_VALUE, ArgSpec, Context, Lowered, PayloadSpec, Rule, Scope, Target
from validation_gen.rules.differences import OPTIONS
from validation_gen.rules.fidelity import SchemaForm
from validation_gen.rules.presence import refuse_defined_collections
from validation_gen.rules.refusals import of_field
from validation_gen.rules.registry import register
from validation_gen.rules.releases import Change, FormerName, Stability
from validation_gen.tags.model import Tag, ValueType

#: Effect of an option that the request does not define.
UNDEFINED_OPTION = Change("1.37", "an undefined option is an internal error", "an undefined option counts as off")


class _Conditional(Rule):
    scopes = ANY_VALUE | {Scope.CONSTANT}
    args = (ArgSpec("", ValueType.STRING, "the name of the option", required=True),)
    payload = PayloadSpec(ValueType.TAG, "the rule that depends on the option")
    changes = (UNDEFINED_OPTION,)
    enabled: ClassVar[bool]

    def lower(self, context: Context, tag: Tag) -> Lowered:
        arg = tag.positional()
        option = arg.value if arg else ""
        lenient = not UNDEFINED_OPTION.holds_in(context.session.target)
        inner = context.session.extract(replace(context, line=context.line or tag), (self.payload_of(tag),))
        refuse_defined_collections(context, tag, inner)

        def around(check: Check, _: Target) -> Check:
            # The cohort is lost: a failure stops the default cohort of the tag's place. The level stays with the
            # chained rule: it does not concern an undefined option.
            return replace(check, operation=IfOption(check, option, self.enabled, lenient), cohort="", level="")

        return inner.wrap(around)


@register
class IfEnabled(_Conditional):
    """Applies a rule while an option is on. A request that does not define it gets an internal error (before 1.37)."""

    name = "k8s:ifEnabled"
    doc = "The chained tag counts while the option is on."
    example = "+k8s:ifEnabled(FancyWheels)=+k8s:required"
    refusal = of_field(
        "+k8s:ifEnabled(FancyWheels)=+k8s:required",
        'Wheels *string `json:"wheels,omitempty"`',
        "{}",
        FancyWheels=True,
    )
    history = {"1.33": Stability.ALPHA, "1.36": Stability.BETA, "1.37": Stability.STABLE}
    schema = SchemaForm("what the chained tag becomes, if the option is on", idiomatic=(OPTIONS,), exact=(OPTIONS,))
    former_names = (FormerName("k8s:ifOptionEnabled", until="1.34"),)
    enabled = True


@register
class IfDisabled(_Conditional):
    """Applies a rule while an option is off."""

    name = "k8s:ifDisabled"
    doc = "The chained tag counts while the option is off."
    example = "+k8s:ifDisabled(FancyWheels)=+k8s:forbidden"
    refusal = of_field(
        "+k8s:ifDisabled(FancyWheels)=+k8s:forbidden",
        'Wheels *string `json:"wheels,omitempty"`',
        '{"wheels": "fancy"}',
        FancyWheels=False,
    )
    history = {"1.33": Stability.ALPHA, "1.36": Stability.BETA, "1.37": Stability.STABLE}
    schema = SchemaForm("what the chained tag becomes, if the option is off", idiomatic=(OPTIONS,), exact=(OPTIONS,))
    former_names = (FormerName("k8s:ifOptionDisabled", until="1.34"),)
    enabled = False
