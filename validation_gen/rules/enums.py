"""Enums, and rules that depend on a validation option.

`enum` and `enumExclude`: a string type whose constants are its legal values (tag reference 2.2). `ifEnabled` and
`ifDisabled`: rules that depend on a validation option (tag reference 2.4).
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from validation_gen.ir import Check, IfOption, Predicate, predicates
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
from validation_gen.rules.differences import ABSENT_VALUES, OPTIONS, ZEROS_REFUSED, SchemaForm, of_field
from validation_gen.rules.presence import refuse_defined_collections
from validation_gen.rules.registry import register
from validation_gen.rules.releases import Change, FormerName, Stability
from validation_gen.sources.model import Const
from validation_gen.tags.model import Tag, ValueType

#: Effect of an option that the request does not define.
UNDEFINED_OPTION = Change("1.37", "an undefined option is an internal error", "an undefined option counts as off")


class _Conditional(Rule):
    scopes = ANY_VALUE | {Scope.CONSTANT}
    args = (ArgSpec("", ValueType.STRING, "the name of the option", required=True),)
    payload = PayloadSpec(ValueType.TAG, "the rule that depends on the option")
    changes = (UNDEFINED_OPTION,)
    enabled: ClassVar[bool]

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        option = tag.argument()
        lenient = not UNDEFINED_OPTION.holds_in(context.session.target)
        inner = context.session.extract(replace(context, line=context.line or tag), (self.get_payload(tag),))
        refuse_defined_collections(context, tag, inner)

        def wrap(check: Check, _: Target) -> Check:
            # The cohort is lost: a failure stops the default cohort of the tag's place. The level stays with the
            # chained rule: it does not concern an undefined option.
            return replace(check, operation=IfOption(check, option, self.enabled, lenient), cohort="", level="")

        return inner.wrap(wrap)


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


@register
class Enum(Rule):
    """Limits a string to constants, which must have exactly this type, in the package of the type."""

    name = "k8s:enum"
    scopes = frozenset({Scope.TYPE})
    doc = "A string type has its constants as the only legal values."
    example = "+k8s:enum"
    refusal = of_field(
        "mode is how the robot drives.",
        'Mode Mode `json:"mode"`',
        '{"mode": "Fast"}',
        more="""
// +k8s:enum
type Mode string

const (
    Careful Mode = "Careful"
    Normal  Mode = "Normal"
)
""",
    )
    history = {"1.34": Stability.BETA, "1.36": Stability.STABLE}
    schema = SchemaForm(
        "`enum`",
        idiomatic=(ABSENT_VALUES, ZEROS_REFUSED),
        exact_form="CEL at the object around, if an absent value is not legal",
    )
    changes = (UNDEFINED_OPTION,)

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        if not context.types.is_string(context.type):
            raise RuleError(f"can only be used on string types ({context.types.describe(context.type)})")
        values, exclusions = _values(context)
        names = tuple(sorted(values, key=str.encode))
        if not exclusions:
            return RuleOutput([context.check(tag, Predicate(predicates.ENUM, (names,)))])
        lenient = not UNDEFINED_OPTION.holds_in(context.session.target)
        return RuleOutput([context.check(tag, Predicate(predicates.ENUM_WITH_OPTIONS, (names, exclusions, lenient)))])


def _exclusion_order(tag: Tag) -> tuple[bool, str]:
    return tag.name == "k8s:ifEnabled", tag.argument()


def _values(context: Context) -> tuple[set[str], tuple[tuple[str, str, bool], ...]]:
    """Returns the values, and for conditional values: value, option, and the state that excludes the value.

    Of constants with equal values only the one with the longest comment is used, with its exclusions; of equally long
    comments, the one first in the alphabet (`addIfNotPresent` in code-generator).
    """
    chosen: dict[str, tuple[Const, tuple[Tag, ...]]] = {}
    for const, tags in sorted(context.constants, key=lambda item: item[0].name):
        if not isinstance(const.value, str) or any(t.name == EnumExclude.name for t in tags):
            continue
        rival = chosen.get(const.value)
        if rival is None or _precedence(const) < _precedence(rival[0]):
            chosen[const.value] = const, tags
    exclusions = []
    for value, (_, tags) in sorted(chosen.items(), key=lambda item: item[1][0].name):
        for tag in sorted(tags, key=_exclusion_order):
            option = tag.positional()
            if option is not None and tag.payload is not None and tag.payload.name == EnumExclude.name:
                exclusions.append((value, option.value, tag.name == "k8s:ifEnabled"))
    return set(chosen), tuple(dict.fromkeys(exclusions))


def _precedence(const: Const) -> tuple[int, bytes]:
    """Sort key of constants with equal values, by their comments as in Go."""
    lines = [line.text if line.block else line.text.removeprefix(" ") for line in const.comments]
    # Go's text has no empty lines at its ends, and never two in a row.
    kept = [line for i, line in enumerate(lines) if line or (i and lines[i - 1])]
    text = " ".join(kept if not kept or kept[-1] else kept[:-1]).encode("utf-8", "surrogatepass")
    return -len(text), text


@register
class EnumExclude(Rule):
    """Excludes a constant.

    Under `ifEnabled` or `ifDisabled` it depends on an option; one of several such tags suffices.
    """

    name = "k8s:enumExclude"
    scopes = frozenset({Scope.CONSTANT})
    doc = "The constant is no value of its enum."
    example = "+k8s:enumExclude"
    refusal = of_field(
        "mode is how the robot drives.",
        'Mode Mode `json:"mode"`',
        '{"mode": "Normal"}',
        more="""
// +k8s:enum
type Mode string

const (
    Careful Mode = "Careful"
    // +k8s:enumExclude
    Normal Mode = "Normal"
)
""",
    )
    history = {"1.35": Stability.ALPHA}
    schema = SchemaForm("a value less in `enum`")

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        return RuleOutput()  # Enum reads it, from the constants of its type
