"""`neq`: a value that a scalar must not have (tag reference 2.2)."""

from __future__ import annotations

from validation_gen.ir import Predicate, predicates
from validation_gen.rules.base import ANY_VALUE, Context, PayloadSpec, Rule, RuleError, RuleOutput
from validation_gen.rules.differences import ABSENT_VALUES, ZEROS_REFUSED
from validation_gen.rules.fidelity import SchemaForm, of_field
from validation_gen.rules.limits import canonical_int, fitting
from validation_gen.rules.registry import register
from validation_gen.rules.releases import Stability
from validation_gen.runtime.gotime import INTEGER_TEXTS
from validation_gen.sources.model import Builtin
from validation_gen.sources.typesystem import BOOL, STRING
from validation_gen.tags.model import Tag, ValueType


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
