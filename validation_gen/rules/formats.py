"""`format`: names with a known syntax (tag reference 2.3)."""

from __future__ import annotations

from validation_gen.ir import Emission, Predicate, predicates
from validation_gen.rules.base import ANY_VALUE, Context, PayloadSpec, Rule, RuleError, RuleOutput
from validation_gen.rules.differences import ABSENT_VALUES, LENGTHS_OF_PARTS, ZEROS_REFUSED, SchemaForm, of_field
from validation_gen.rules.registry import register
from validation_gen.rules.releases import Stability
from validation_gen.tags.model import Tag, ValueType
from validation_gen.tags.suggestions import did_you_mean

#: Formats by name, with the error types other than `Invalid` that each can report.
FORMATS: dict[str, tuple[str, ...]] = {
    "k8s-extended-resource-name": (),
    "k8s-ip": (),
    "k8s-label-key": (),
    "k8s-label-value": (),
    "k8s-long-name": (),
    "k8s-long-name-caseless": (),
    "k8s-path-segment-name": (),
    "k8s-prefixed-label-key": (),
    "k8s-resource-fully-qualified-name": ("FieldValueTooLong",),
    "k8s-resource-pool-name": ("FieldValueTooLong",),
    "k8s-short-name": (),
    "k8s-uuid": (),
}


#: Test of a format whose declaration, or whose file, has an error that is reported.
_REPORTED = Predicate(predicates.NEVER_FAILS)


@register
class Format(Rule):
    """Requires a format.

    One violation can give several errors, as for a name that is too long and has wrong characters.
    """

    name = "k8s:format"
    scopes = ANY_VALUE
    payload = PayloadSpec(ValueType.STRING, "the name of the format: " + ", ".join(FORMATS))
    doc = "A string must have the named format."
    example = "+k8s:format=k8s-short-name"
    refusal = of_field("+k8s:format=k8s-short-name", 'Dock string `json:"dock"`', '{"dock": "dock.7"}')
    history = {"1.35": Stability.BETA, "1.36": Stability.STABLE}
    schema = SchemaForm(
        "`pattern` and `maxLength`",
        idiomatic=(ABSENT_VALUES, ZEROS_REFUSED, LENGTHS_OF_PARTS),
        exact_form="CEL for lengths of parts, and for an absent value",
    )

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        if not context.types.is_string(context.type):
            raise RuleError(f"can only be used on string types ({context.types.describe(context.type)})")
        name = tag.value or ""
        extensions = context.session.extensions
        own = extensions.formats.get(name)
        if own is not None:
            if not own.is_sound:
                return RuleOutput([context.check(tag, _REPORTED)])
            predicate = Predicate(predicates.MATCHES, (own.pattern, own.message, own.origin))
            return RuleOutput([context.check(tag, predicate, Emission("FieldValueInvalid", own.origin))])
        if name not in FORMATS and not (extensions.is_whole or name.startswith("k8s-")):
            return RuleOutput([context.check(tag, _REPORTED)])
        if name not in FORMATS:
            known = [*FORMATS, *extensions.formats]
            raise RuleError(
                f'unsupported validation format "{name}"',
                code="VG203",
                span=tag.value_span,
                help=did_you_mean(name, known, f"the formats are {', '.join(known)}"),
            )
        origin = f"format={name}"
        emits = [Emission(type, origin) for type in ("FieldValueInvalid", *FORMATS[name])]
        return RuleOutput([context.check(tag, Predicate(predicates.FORMAT, (name,)), *emits)])
