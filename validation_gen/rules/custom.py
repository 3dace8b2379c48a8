"""`customValidation`, a handwritten function within the generated validators, and tags with a fixed result for tests.

The latter show which places a tag reaches (tag reference 2.6 and 2.8).
"""

from __future__ import annotations

from typing import ClassVar

from validation_gen.ir import Check, Predicate, PredicateSpec, predicates
from validation_gen.rules.base import ANY_VALUE, ArgSpec, Context, PayloadSpec, Rule, RuleError, RuleOutput, Scope
from validation_gen.rules.differences import (
    FIXED_RESULTS,
    HANDWRITTEN,
    RULES_AGAIN,
    ZEROS_REFUSED,
    Refusal,
    SchemaForm,
    of_field,
)
from validation_gen.rules.registry import register
from validation_gen.rules.releases import Stability
from validation_gen.sources.model import Named, Pointer
from validation_gen.tags.model import Tag, ValueType


@register
class CustomValidation(Rule):
    """Calls a handwritten function, named after its place: `ValidateCustom_<Type>`, `ValidateCustom_<Type>_<Field>`.

    The names are those of Go. On a field it is called when the field has changed and no stopping rule has failed; on a
    type, whenever the type is validated.
    """

    name = "k8s:customValidation"
    scopes = frozenset({Scope.TYPE, Scope.FIELD})
    doc = "A handwritten function checks the value too."
    example = "+k8s:customValidation"
    refusal = Refusal(
        """// +k8s:customValidation
type Robot struct {
    Wheels int32 `json:"wheels"`
}
""",
        '{"wheels": 3}',
        custom="""from validation_gen.runtime.errors import FieldError


def ValidateCustom_Robot(robot, old, op):
    if robot.get("wheels", 0) % 2:
        return [FieldError.invalid("wheels", robot["wheels"], "must be even")]
""",
    )
    history = {"1.37": Stability.STABLE}
    schema = SchemaForm("nothing", idiomatic=(HANDWRITTEN,), exact=(HANDWRITTEN,))

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        holder = context.type if context.field is None else context.parent_type
        owner = holder.elem if isinstance(holder, Pointer) else holder
        assert isinstance(owner, Named), "tags on types and fields belong to a declared type"
        name = f"ValidateCustom_{owner.name}{f'_{context.field.go_name}' if context.field else ''}"
        function = context.session.custom(owner.package, name)
        if function is None:
            raise RuleError(
                f"+k8s:customValidation: expected hand-written function {owner.package}.{name} was not found",
                code="VG206",
                help=f"write def {name}(value, old, op) in a Python file and name that with --custom-validations FILE",
            )
        predicate = Predicate(predicates.CUSTOM, (function,))
        return RuleOutput([context.check(tag, predicate)])


class _FixedResult(Rule):
    scopes = ANY_VALUE
    args = (
        ArgSpec("flags", ValueType.STRING, "ShortCircuit, NonError or both, with a comma"),
        ArgSpec("typeArg", ValueType.STRING, "a Go type; of no effect here"),
        ArgSpec("cohort", ValueType.STRING, "the name of a cohort"),
    )
    payload = PayloadSpec(ValueType.STRING, "text for the message", required=False)
    test: ClassVar[PredicateSpec]

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        arg = tag.named("flags")
        flags = {flag.strip() for flag in arg.value.split(",")} if arg else set()
        for flag in sorted(flags - {"ShortCircuit", "NonError"}):
            message = f'can\'t decode tag payload: unknown flag: "{flag}"'
            raise RuleError(message, code="VG202", span=arg.span if arg else None)
        check = Check(
            Predicate(self.test, (tag.value or "",), context.shape()),
            context.tag_ref(tag),
            self.test.emits,
            short_circuit="ShortCircuit" in flags,
            silent="NonError" in flags,
            cohort=tag.argument("cohort"),
        )
        return RuleOutput([check])


@register
class ValidateFalse(_FixedResult):
    """Always fails, to show that validation reaches a place."""

    name = "k8s:validateFalse"
    doc = "Always fails."
    example = '+k8s:validateFalse="here"'
    refusal = of_field('+k8s:validateFalse="here"', 'Model string `json:"model"`', '{"model": "HX"}')
    history = {"1.33": Stability.ALPHA}
    schema = SchemaForm("CEL: `false`", idiomatic=(FIXED_RESULTS, ZEROS_REFUSED, RULES_AGAIN), exact=(FIXED_RESULTS,))
    test = predicates.ALWAYS_FAILS


@register
class ValidateTrue(_FixedResult):
    """Never fails, to show that a tag is accepted in a place."""

    name = "k8s:validateTrue"
    doc = "Never fails."
    example = "+k8s:validateTrue"
    history = {"1.33": Stability.ALPHA}
    schema = SchemaForm("nothing")
    test = predicates.NEVER_FAILS


@register
class ValidateTrueAlpha(ValidateTrue):
    """Never fails; it has a stability of its own, for tests of the rules about stability."""

    name = "k8s:validateTrueAlpha"
    doc = "Never fails; the tag itself is alpha."
    example = "+k8s:validateTrueAlpha"
    history = {"1.36": Stability.ALPHA}
    schema = SchemaForm("nothing")


@register
class ValidateTrueBeta(ValidateTrue):
    """Never fails; it has a stability of its own, for tests of the rules about stability."""

    name = "k8s:validateTrueBeta"
    doc = "Never fails; the tag itself is beta."
    example = "+k8s:validateTrueBeta"
    history = {"1.36": Stability.BETA}
    schema = SchemaForm("nothing")


@register
class ValidateError(Rule):
    """Fails at generation, to show that a tag is read."""

    name = "k8s:validateError"
    scopes = ANY_VALUE
    payload = PayloadSpec(ValueType.STRING, "text for the message", required=False)
    doc = "Always fails, at generation."
    example = '+k8s:validateError="here"'
    history = {"1.33": Stability.ALPHA}
    schema = SchemaForm("nothing: there is no schema at its place")

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        raise RuleError(f'forced error: "{tag.value or ""}"', help="the tag is for tests of generators; remove it")
