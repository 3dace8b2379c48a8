"""`eachVal` and `eachKey`: a rule for every item, value or key (tag reference 2.5)."""

from __future__ import annotations

from dataclasses import replace

from validation_gen.ir import CallType, Check, EachKey, EachValue, Emission, ListOf, MapOf, TagRef, value_shape
from validation_gen.rules.base import (
    ANY_VALUE,
    Context,
    Deferred,
    PayloadSpec,
    Rule,
    RuleError,
    RuleOutput,
    Scope,
    Session,
    Target,
)
from validation_gen.rules.differences import ITEMS_TOGETHER, RULES_AGAIN, SchemaForm, of_field
from validation_gen.rules.lists import ListTable
from validation_gen.rules.registry import register
from validation_gen.rules.releases import Stability
from validation_gen.sources.model import Array, List, Map, TypeExpr
from validation_gen.tags.model import Tag, ValueType


def each_value(session: Session, path: str, type: TypeExpr, inner: Check) -> Check:
    """Returns the check on every value of the list or map at `path`.

    The tags of a list decide how its items are correlated.
    """
    container = value_shape(session.shape(type))
    assert isinstance(container, ListOf | MapOf)
    match = None
    if isinstance(container, ListOf):
        facts = session.state(ListTable).find(path, session.types.id(type))
        if facts is not None:
            match = facts.match(Context(Scope.FIELD, type, path, session))
    return replace(inner, operation=EachValue(inner, container, match), cohort="", emits=below("[*]", inner.emits))


def each_key(session: Session, key: TypeExpr, inner: Check) -> Check:
    """Returns the check on every key of a map, whose keys are of type `key`."""
    return replace(inner, operation=EachKey(inner, session.shape(key)), cohort="")


def below(element: str, emits: tuple[Emission, ...]) -> tuple[Emission, ...]:
    """Returns the emissions of a part with paths from the whole."""
    return tuple(replace(e, path=element + e.path) for e in emits)


def call_type(type: str, tag: TagRef) -> Check:
    """Returns the check that runs all checks of an element's type."""
    return Check(CallType(type), tag)


@register
class EachVal(Rule):
    """Applies a rule to each value, with the old value of the same identity."""

    name = "k8s:eachVal"
    scopes = ANY_VALUE
    payload = PayloadSpec(ValueType.TAG, "the rule for each value")
    doc = "Every item of a list or value of a map must obey the chained tag."
    example = "+k8s:eachVal=+k8s:maxLength=63"
    refusal = of_field(
        "+k8s:eachVal=+k8s:maxLength=4", 'Tools []string `json:"tools"`', '{"tools": ["saw", "screwdriver"]}'
    )
    history = {"1.33": Stability.ALPHA, "1.37": Stability.STABLE}
    schema = SchemaForm(
        "what the chained tag becomes, at `items` or `additionalProperties`",
        idiomatic=(ITEMS_TOGETHER,),
        exact=(ITEMS_TOGETHER,),
    )

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        native = context.types.native(context.type)
        if not isinstance(value_shape(context.shape()), ListOf | MapOf) or not isinstance(native, List | Array | Map):
            raise RuleError(f"can only be used on list or map types ({context.types.kind(native)})")
        scope, selector = (Scope.LIST_VALUE, ()) if isinstance(native, List | Array) else (Scope.MAP_VALUE, None)
        inside = context.inside(tag, scope, native.elem, "[(vals)]", selector=selector)
        inner = context.session.extract(inside, (self.get_payload(tag),))
        result = RuleOutput(opaque_values=inner.opaque_type)
        if inner.checks or inner.deferred:
            # List tags on the same field decide how items are correlated, so this is deferred until they are read.
            result.defer(Target.THIS, lambda: self._on_each(context, inner))
        elif not inner.opaque_type:
            raise RuleError("no validation functions found", help="the chained tag has no effect here")
        return result

    def _on_each(self, context: Context, inner: RuleOutput) -> RuleOutput:
        # Deferred work of the chained tag is due now; only work that it defers again still waits.
        flat = RuleOutput(list(inner.checks))
        for work in inner.deferred:
            due = work.resolve()
            flat.checks += due.checks
            flat.deferred += [Deferred(Target.THIS, later.resolve) for later in due.deferred]
        return flat.wrap(lambda check, _: each_value(context.session, context.path, context.type, check))


@register
class EachKeyRule(Rule):
    """Applies a rule to each new key.

    Errors have the path of the map; keys that the old map has are not checked again.
    """

    name = "k8s:eachKey"
    scopes = ANY_VALUE
    payload = PayloadSpec(ValueType.TAG, "the rule for each key")
    doc = "Every key of a map must obey the chained tag."
    example = "+k8s:eachKey=+k8s:format=k8s-label-key"
    refusal = of_field(
        "+k8s:eachKey=+k8s:format=k8s-label-key", 'Marks map[string]string `json:"marks"`', '{"marks": {"/x": "1"}}'
    )
    history = {"1.33": Stability.ALPHA, "1.36": Stability.BETA, "1.37": Stability.STABLE}
    schema = SchemaForm("CEL at the map: `self.all(k, …)`", idiomatic=(RULES_AGAIN,))

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        native = context.types.native(context.type)
        if not isinstance(native, Map):
            raise RuleError(f"can only be used on map types ({context.types.kind(native)})")
        inside = context.inside(tag, Scope.MAP_KEY, native.key, "[(keys)]")
        inner = context.session.extract(inside, (self.get_payload(tag),))
        if not inner.checks and not inner.deferred and not inner.opaque_type:
            raise RuleError("no validation functions found", help="the chained tag has no effect here")
        result = inner.wrap(lambda check, _: each_key(context.session, native.key, check))
        result.opaque_type, result.opaque_keys = False, inner.opaque_type
        return result
