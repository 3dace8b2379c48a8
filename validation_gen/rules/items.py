"""`item`: a rule for the one list item that a key selects (tag reference 2.5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from validation_gen.ir import Check, InItem, Selector, Term
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
from validation_gen.rules.differences import ABSENT_VALUES, RULES_AGAIN, SchemaForm, of_field
from validation_gen.rules.iteration import below
from validation_gen.rules.limits import canonical_int, fitting
from validation_gen.rules.lists import ListTable
from validation_gen.rules.registry import register
from validation_gen.rules.releases import Stability
from validation_gen.runtime.gotext import go_quote
from validation_gen.sources.model import Builtin, Field, List, Pointer, TypeExpr
from validation_gen.sources.typesystem import BOOL, STRING
from validation_gen.tags.model import Arg, Tag, ValueType

_TOOL = """
type Tool struct {
    Name   string `json:"name"`
    Weight int32  `json:"weight"`
}
"""

Criteria = tuple[tuple[str, str | int | bool], ...]


def selector_text(criteria: Criteria) -> str:
    """Returns the selector in the form of error paths: `{"name": "succeeded"}`."""
    pairs = [f"{go_quote(k)}: {go_quote(v) if isinstance(v, str) else str(v).lower()}" for k, v in criteria]
    return f"{{{', '.join(pairs)}}}"


def selector(context: Context, item: TypeExpr, criteria: Criteria) -> Selector:
    """Returns the criteria as conditions on members of the items.

    Raises:
        RuleError: a member does not exist or has another type.
    """
    return tuple(_term(context, context.types.member(item, name), name, value) for name, value in criteria)


def _term(context: Context, member: Field | None, name: str, value: str | int | bool) -> Term:
    if member is None:
        raise RuleError(f'no field with JSON name "{name}"', code="VG202")
    native = context.types.value(member.type)
    shown = str(value).lower() if isinstance(value, bool) else value
    if native == STRING:
        if not isinstance(value, str):
            raise RuleError(f"type mismatch, field is string but value is not: {shown}", code="VG202")
    elif native == BOOL:
        if not isinstance(value, bool):
            raise RuleError(f"type mismatch, field is bool but value is not: {shown}", code="VG202")
    elif context.types.is_integer(native):
        if isinstance(value, str | bool):
            raise RuleError(f"type mismatch, field is int but value is not: {shown}", code="VG202")
        if isinstance(native, Builtin):
            fitting(value, native)
    else:
        raise RuleError(f"unsupported type {native} for field {member.go_name}", code="VG202")
    return Term(member.json, value, isinstance(member.type, Pointer))


@register
class Item(Rule):
    """Applies a rule to a selected item, if there is one; unions can require it.

    Each selector is a cohort of its own.
    """

    name = "k8s:item"
    scopes = ANY_VALUE
    other_args = ArgSpec("key", ValueType.RAW, "a key of the list by its JSON name, with its value in the item", True)
    payload = PayloadSpec(ValueType.TAG, "the rule for the selected item")
    doc = "The item of a list-map with the given keys must obey the chained tag."
    example = '+k8s:item(type: "Approved")=+k8s:zeroOrOneOfMember'
    refusal = of_field(
        '+k8s:listType=map\n+k8s:listMapKey=name\n+k8s:item(name: "saw")=+k8s:subfield(weight)=+k8s:minimum=2',
        'Tools []Tool `json:"tools"`',
        '{"tools": [{"name": "saw", "weight": 1}]}',
        more=_TOOL,
    )
    history = {"1.34": Stability.ALPHA, "1.36": Stability.STABLE}
    schema = SchemaForm("CEL at the items, for the one with the keys", idiomatic=(ABSENT_VALUES, RULES_AGAIN))

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        native = context.types.value(context.type)
        if not isinstance(native, List):
            raise RuleError("can only be used on list types")
        if context.types.struct(context.types.value(native.elem)) is None:
            raise RuleError("can only be used on lists of structs")
        criteria = _criteria(tag)
        text = selector_text(criteria)
        item = context.types.value(native.elem)
        inside = context.inside(tag, Scope.LIST_VALUE, item, f"[{text}]", selector=criteria)
        inner = context.session.extract(inside, (self.get_payload(tag),))

        def wrap(check: Check, target: Target) -> Check:
            if target is Target.PARENT:
                return check  # a rule over the whole list, such as a union of items
            terms = self._terms(context, native, criteria, tag)
            operation = InItem(check, terms, context.shape(native.elem))
            return replace(check, operation=operation, cohort=text, emits=below("[*]", check.emits))

        result = RuleOutput(
            opaque_type=inner.opaque_type, opaque_keys=inner.opaque_keys, opaque_values=inner.opaque_values
        )
        if inner.checks:
            result.defer(Target.THIS, lambda: RuleOutput(list(inner.checks)).wrap(wrap))
        for work in inner.deferred:
            result.defer(Target.THIS, _on_the_list(work, wrap))
        return result

    def _terms(self, context: Context, items: List, criteria: Criteria, tag: Tag) -> Selector:
        """Returns the selector, checked against the keys of the list."""
        facts = context.session.state(ListTable).find(context.path, context.types.id(context.type))
        try:
            if facts is None or facts.semantic != "map" or not facts.keys:
                raise RuleError(
                    "found items with no list metadata - item tags require listType=map or unique=map with listMapKey",
                    code="VG205",
                )
            if len(criteria) != len(facts.keys):
                raise RuleError(
                    f"number of arguments ({len(criteria)}) does not match number of listMapKey fields "
                    f"({len(facts.keys)})",
                    code="VG202",
                )
            given = dict(criteria)
            missing = [key.json for key in facts.keys if key.json not in given]
            if missing:
                raise RuleError(f"missing required listMapKey fields: [{' '.join(missing)}]", code="VG202")
            return selector(context, items.elem, tuple((key.json, given[key.json]) for key in facts.keys))
        except RuleError as error:
            error.span = error.span or tag.span
            raise


def _on_the_list(work: Deferred, wrap: Callable[[Check, Target], Check]) -> Callable[[], RuleOutput]:
    """Defers work of the chained tag. Checks for the item's parent belong to the list with the tag."""

    def resolve() -> RuleOutput:
        resolved = work.resolve()
        result = RuleOutput([wrap(check, work.target) for check in resolved.checks])
        for further in resolved.deferred:
            result.defer(Target.THIS, _on_the_list(further, wrap))
        return result

    return resolve


def _criteria(tag: Tag) -> Criteria:
    seen: dict[str, str | int | bool] = {}
    for arg in tag.args:
        if not arg.name:
            raise RuleError(
                "all arguments must be named",
                code="VG202",
                span=arg.span,
                help=f'name the key: {tag.name}(name: "{arg.value}")',
            )
        if arg.name in seen:
            raise RuleError(f'duplicate argument: "{arg.name}"', code="VG202", span=arg.span)
        seen[arg.name] = _value(arg)
    if not seen:
        raise RuleError("no selection criteria was specified", code="VG202")
    return tuple(seen.items())


def _value(arg: Arg) -> str | int | bool:
    if arg.type is ValueType.BOOL:
        return arg.value == "true"
    if arg.type is ValueType.STRING:
        return arg.value
    try:
        return canonical_int(arg.value)
    except RuleError as error:
        raise RuleError(
            f'invalid value for argument "{arg.name}": invalid integer: {error.message}', code="VG202", span=arg.span
        ) from None
