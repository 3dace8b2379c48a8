"""Tags with a fixed result, for tests of generators: they show which places a tag reaches (tag reference 2.8)."""

from __future__ import annotations

from typing import ClassVar

from validation_gen.ir import Check, Predicate, PredicateSpec, predicates
from validation_gen.rules.base import ANY_VALUE, ArgSpec, Context, Lowered, PayloadSpec, Rule, RuleError
from validation_gen.rules.differences import FIXED_RESULTS, RULES_AGAIN, ZEROS_REFUSED
from validation_gen.rules.fidelity import SchemaForm
from validation_gen.rules.refusals import of_field
from validation_gen.rules.registry import register
from validation_gen.rules.releases import Stability
from validation_gen.tags.model import Tag, ValueType


class _FixedResult(Rule):
    scopes = ANY_VALUE
    args = (
        ArgSpec("flags", ValueType.STRING, "ShortCircuit, NonError or both, with a comma"),
        ArgSpec("typeArg", ValueType.STRING, "a Go type; of no effect here"),
        ArgSpec("cohort", ValueType.STRING, "the name of a cohort"),
    )
    payload = PayloadSpec(ValueType.STRING, "text for the message", required=False)
    test: ClassVar[PredicateSpec]

    def lower(self, context: Context, tag: Tag) -> Lowered:
        arg, cohort = tag.named("flags"), tag.named("cohort")
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
            cohort=cohort.value if cohort else "",
        )
        return Lowered([check])


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
class ValidateTrueAlpha(_FixedResult):
    """Never fails; it has a stability of its own, for tests of the rules about stability."""

    name = "k8s:validateTrueAlpha"
    doc = "Never fails; the tag itself is alpha."
    example = "+k8s:validateTrueAlpha"
    history = {"1.36": Stability.ALPHA}
    schema = SchemaForm("nothing")
    test = predicates.NEVER_FAILS


@register
class ValidateTrueBeta(_FixedResult):
    """Never fails; it has a stability of its own, for tests of the rules about stability."""

    name = "k8s:validateTrueBeta"
    doc = "Never fails; the tag itself is beta."
    example = "+k8s:validateTrueBeta"
    history = {"1.36": Stability.BETA}
    schema = SchemaForm("nothing")
    test = predicates.NEVER_FAILS


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

    def lower(self, context: Context, tag: Tag) -> Lowered:
        raise RuleError(f'forced error: "{tag.value or ""}"', help="the tag is for tests of generators; remove it")
