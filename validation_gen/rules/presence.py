"""`required`, `optional`, `forbidden`: whether a field must, may or must not be set (tag reference 2.1)."""

from __future__ import annotations

import json

from validation_gen.ir import ItemPresence, Predicate, predicates
from validation_gen.rules.base import Context, Rule, RuleError, RuleOutput, Scope, Target
from validation_gen.rules.differences import RULES_AGAIN, ZEROS_ACCEPTED, ZEROS_REFUSED, SchemaForm, of_field
from validation_gen.rules.items import selector, selector_text
from validation_gen.rules.registry import register
from validation_gen.rules.releases import Stability
from validation_gen.sources.model import INTEGER_KINDS, Builtin, Interface, List, Map, Named, Pointer
from validation_gen.tags.model import Tag
from validation_gen.tags.parser import extract as tag_lines
from validation_gen.tags.parser import parse_raw


class _Presence(Rule):
    scopes = frozenset({Scope.FIELD})

    def is_pointer(self, context: Context) -> bool:
        """Returns whether a type is a pointer for presence: unset if null. Other types are unset if zero.

        Raises:
            RuleError: on a struct by value, which cannot be unset.
        """
        native = context.types.native(context.type)
        if context.types.kind(native) == "Struct":
            raise RuleError(
                f'non-pointer structs cannot use the "{self.name}" tag',
                help="make the field a pointer (T | None in Python), or put tags on the members of the struct",
            )
        return isinstance(native, Pointer | Interface)

    def required(self, context: Context, tag: Tag) -> RuleOutput:
        record = predicates.REQUIRED_POINTER if self.is_pointer(context) else predicates.REQUIRED
        return RuleOutput([context.check(tag, Predicate(record), short_circuit=True)])

    def unset(self, context: Context, tag: Tag) -> RuleOutput:
        record = predicates.UNSET_POINTER if self.is_pointer(context) else predicates.UNSET
        return RuleOutput([context.check(tag, Predicate(record), short_circuit=True, silent=True)])


@register
class Required(_Presence):
    """Requires a field: a zero value, empty list or map, or null pointer is an error, and stops its other checks."""

    name = "k8s:required"
    scopes = frozenset({Scope.FIELD, Scope.LIST_VALUE})
    doc = "The field must be set."
    example = "+k8s:required"
    refusal = of_field("+k8s:required", 'Model string `json:"model"`', '{"model": ""}')
    history = {"1.33": Stability.BETA, "1.36": Stability.STABLE}
    schema = SchemaForm(
        "`required`, with `minLength: 1` or `minItems: 1`",
        idiomatic=(ZEROS_ACCEPTED,),
        exact_form="CEL at the object around in the place of both",
    )

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        if context.scope is Scope.FIELD:
            return self.required(context, tag)
        if not context.selector:
            raise RuleError(
                f'tag "{self.name}" cannot be specified on {context.scope.value}',
                code="VG201",
                help="a list item is always there; a selected one can be required: +k8s:item(...)=+k8s:required",
            )
        return self._require_item(context, tag)

    def _require_item(self, context: Context, tag: Tag) -> RuleOutput:
        """Requires an item in its list, as in the 1.35 documentation; upstream refuses the tag here."""
        criteria = tuple((name, value) for name, value in context.selector or () if isinstance(value, str | int))
        presence = ItemPresence(selector(context, context.type, criteria))
        check = context.check(tag, Predicate(predicates.REQUIRED_ITEM, (presence, selector_text(criteria))))
        return RuleOutput.from_deferred(Target.PARENT, lambda: RuleOutput([check]))


@register
class Optional(_Presence):
    """Skips an unset field.

    A field with a default is never unset when it is validated, so the tag becomes `required`; except that a value whose
    default is its zero value cannot be distinguished from an unset one, and then the tag has no effect.
    """

    name = "k8s:optional"
    doc = "The field may be left unset; then nothing else of it is checked."
    example = "+k8s:optional"
    refusal = of_field('+default="Normal"\n+k8s:optional', 'Mode string `json:"mode,omitempty"`', "{}")
    history = {"1.33": Stability.BETA, "1.36": Stability.STABLE}
    schema = SchemaForm(
        "the property is not `required`",
        idiomatic=(ZEROS_REFUSED, ZEROS_ACCEPTED),
        exact_form="other rules of the field let zero values pass",
    )

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        default = _default(context)
        if default is None:
            return self.unset(context, tag)
        if not context.types.is_nilable(context.type) and _is_zero(default, context):
            return RuleOutput()
        return self.required(context, tag)


@register
class Forbidden(_Presence):
    """Forbids a field: a set one is an error; an unset one is skipped, as by `optional`."""

    name = "k8s:forbidden"
    doc = "The field must not be set."
    example = "+k8s:forbidden"
    refusal = of_field("+k8s:forbidden", 'Wings *int32 `json:"wings,omitempty"`', '{"wings": 2}')
    history = {"1.33": Stability.ALPHA, "1.36": Stability.BETA}
    schema = SchemaForm("CEL at the field, or at the object around for a pointer", idiomatic=(RULES_AGAIN,))

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        record = predicates.FORBIDDEN_POINTER if self.is_pointer(context) else predicates.FORBIDDEN
        result = RuleOutput([context.check(tag, Predicate(record), short_circuit=True)])
        result.add(self.unset(context, tag))
        return result


def refuse_defined_collections(context: Context, tag: Tag, lowered: RuleOutput, *, help: str = "") -> None:
    """Refuses presence rules inside a wrapper tag on a list or map with a type of its own.

    Kubernetes passes the wrapper a generic function of slices or maps, which Go does not accept for a defined type.

    Args:
        context: the place of the rules.
        tag: the wrapper.
        lowered: the wrapped rules.
        help: an alternative to using the type literal.

    Raises:
        RuleError: there is such a rule.
    """
    type = context.types.resolve(context.type)
    native = context.types.native(type)
    if not (isinstance(type, Named) and isinstance(native, List | Map)):
        return
    if any(isinstance(check.operation, Predicate) and check.operation.record in _OF_VALUES for check in lowered.checks):
        kind = "list" if isinstance(native, List) else "map"
        message = (
            f"presence rules cannot be wrapped for the defined {kind} type {type}: "
            "Kubernetes generates Go for this that does not compile"
        )
        raise RuleError(message, span=tag.span, help=f"give the field the type {native}{help}").within(tag)


#: Presence tests of values that are no pointers.
_OF_VALUES = (predicates.REQUIRED, predicates.UNSET, predicates.FORBIDDEN)


def _default(context: Context) -> object:
    """Returns the value of the field's `+default=` tag, `None` when it has none."""
    assert context.field is not None
    tags = [parse_raw(raw) for raw in tag_lines(context.field.comments) if raw.name == "default"]
    if not tags:
        return None
    if len(tags) > 1:
        values = " ".join(f'"{t.value}"' for t in tags)
        raise RuleError(f"+default tag with multiple values: [{values}]", code="VG205", span=tags[1].span)
    tag = tags[0]
    if not tag.value:
        raise RuleError("+default tag with no value", code="VG203", span=tag.span)
    try:
        value = json.loads(tag.value, parse_constant=_no_json)
    except (ValueError, RecursionError) as error:
        raise RuleError(
            f'failed to parse default value "{tag.value}": {error}',
            code="VG203",
            span=tag.value_span,
            help='defaults are JSON: +default="text", +default=5, +default={}',
        ) from None
    if value is None:
        raise RuleError(
            f'failed to parse default value "{tag.value}": unmarshalled to nil', code="VG203", span=tag.value_span
        )
    return value


def _no_json(text: str) -> object:
    """Refuses `NaN` and `Infinity`, which Python reads and JSON does not have."""
    raise ValueError(f"{text} is not JSON")


def _is_zero(default: object, context: Context) -> bool:
    native = context.types.value(context.type)
    if isinstance(native, List | Map) or not isinstance(native, Builtin):
        raise RuleError(f"unknown zero-value for type {native}")
    if native.name == "string":
        return default == ""
    if native.name == "bool":
        return default is False
    if native.name in INTEGER_KINDS or native.name.startswith("float"):
        return isinstance(default, int | float) and not isinstance(default, bool) and default == 0
    raise RuleError(f"unknown zero-value for type {native}")
