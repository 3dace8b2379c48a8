"""Rules for updates: `immutable`, `monotonic`, `update` (tag reference 2.2)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from validation_gen.diagnostics import Span
from validation_gen.ir import Check, Emission, Match, Predicate, predicates
from validation_gen.rules.base import Context, PayloadSpec, Rule, RuleError, RuleOutput, Scope, Target
from validation_gen.rules.differences import (
    ABSENT_VALUES,
    NEW_PARTS,
    WHOLE_OBJECT,
    ZEROS_ACCEPTED,
    ZEROS_REFUSED,
    SchemaForm,
    of_field,
)
from validation_gen.rules.lists import ListTable
from validation_gen.rules.registry import register
from validation_gen.rules.releases import Stability
from validation_gen.runtime.gotime import INTEGER_TEXTS
from validation_gen.sources.model import Interface, List, Map, Pointer
from validation_gen.tags.model import Tag, ValueType
from validation_gen.tags.suggestions import did_you_mean


@register
class Immutable(Rule):
    """Fails whenever an update reaches it, because unchanged values are not checked at all.

    So setting, clearing and changing are all refused, and so is an item that has no old counterpart.
    """

    name = "k8s:immutable"
    scopes = frozenset({Scope.TYPE, Scope.FIELD, Scope.LIST_VALUE, Scope.MAP_VALUE})
    doc = "The value may not change once the object is created."
    example = "+k8s:immutable"
    refusal = of_field("+k8s:immutable", 'Serial string `json:"serial"`', '{"serial": "B2"}', old='{"serial": "A1"}')
    history = {"1.33": Stability.ALPHA, "1.36": Stability.BETA, "1.37": Stability.STABLE}
    schema = SchemaForm(
        "transition rule in CEL: `self == oldSelf` at the field, or at the object around if the field can be absent",
        idiomatic=(NEW_PARTS, WHOLE_OBJECT),
        exact=(NEW_PARTS, WHOLE_OBJECT),
        exact_form="transition rules further up, for parts that appear",
    )

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        return RuleOutput([context.check(tag, Predicate(predicates.IMMUTABLE), short_circuit=True)])


@register
class Monotonic(Rule):
    """Refuses a decrease in an update; a value that appears or vanishes is not compared."""

    name = "k8s:monotonic"
    scopes = frozenset({Scope.TYPE, Scope.FIELD})
    doc = "An integer may not decrease."
    example = "+k8s:monotonic"
    refusal = of_field("+k8s:monotonic", 'Hours int64 `json:"hours"`', '{"hours": 9}', old='{"hours": 10}')
    history = {"1.37": Stability.ALPHA}
    schema = SchemaForm(
        "transition rule in CEL: `self >= oldSelf` at the field",
        idiomatic=(ABSENT_VALUES,),
        exact_form="at the object around, where an absent number is 0",
    )

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        if not context.types.is_integer(context.type):
            raise RuleError(f"must be an integer type (got {context.types.describe(context.type)})")
        type = context.types.value_id(context.type)
        shown = (type,) if type in INTEGER_TEXTS else ()
        return RuleOutput([context.check(tag, Predicate(predicates.MONOTONIC, shown))])


#: The constraints in the order in which they are checked.
CONSTRAINTS = ("NoSet", "NoUnset", "NoModify", "NoAddItem", "NoRemoveItem")
_OF_ITEMS = ("NoAddItem", "NoRemoveItem")


@dataclass(slots=True)
class _Constraints:
    tags: dict[str, Tag] = field(default_factory=dict)
    level: str = ""


@dataclass(slots=True)
class UpdateTable:
    """Constraints of each field by its path, until they are combined into one check."""

    by_path: dict[str, _Constraints] = field(default_factory=dict)


@register
class Update(Rule):
    """Constrains updates; all constraints of a field are one check. Set means non-null, non-zero or non-empty."""

    name = "k8s:update"
    scopes = frozenset({Scope.FIELD, Scope.LIST_VALUE, Scope.MAP_VALUE})
    payload = PayloadSpec(ValueType.STRING, "one of " + ", ".join(CONSTRAINTS))
    doc = "An update may not set, unset or modify the field, or add or remove items."
    example = "+k8s:update=NoUnset"
    refusal = of_field("+k8s:update=NoUnset", 'Dock string `json:"dock,omitempty"`', "{}", old='{"dock": "north"}')
    history = {"1.35": Stability.ALPHA, "1.36": Stability.BETA, "1.37": Stability.STABLE}
    schema = SchemaForm(
        "transition rules in CEL, at the object around",
        idiomatic=(ABSENT_VALUES, ZEROS_REFUSED, ZEROS_ACCEPTED, NEW_PARTS),
        exact=(NEW_PARTS,),
        exact_form="transition rules further up, for parts that appear",
    )

    def lower(self, context: Context, tag: Tag) -> RuleOutput:
        constraint = tag.value or ""
        if constraint not in CONSTRAINTS:
            message = f"unknown +k8s:update constraint: {constraint}"
            raise RuleError(message, code="VG203", span=tag.value_span, help=_suggest(constraint))
        if context.scope is not Scope.FIELD:
            return self._of_element(context, tag, constraint)
        self._check_fit(context, tag, constraint)
        table = context.session.state(UpdateTable)
        known = table.by_path.setdefault(context.path, _Constraints())
        known.tags.setdefault(constraint, tag)
        known.level = context.level
        return RuleOutput.from_deferred(Target.THIS, lambda: self._merge(context, tag, table))

    def _of_element(self, context: Context, tag: Tag, constraint: str) -> RuleOutput:
        if constraint != "NoModify":
            raise RuleError(
                f"+k8s:update={constraint} does not apply to {context.scope.value}, attach it to the enclosing field"
            )
        if isinstance(context.types.value(context.type), List | Map):
            raise RuleError(
                "+k8s:update=NoModify cannot be applied to list/map elements that are themselves lists or maps"
            )
        if context.scope is Scope.LIST_VALUE:
            facts = context.session.state(ListTable).by_path.get(context.parent_path)
            if facts is not None and facts.semantic != "map":
                raise RuleError(
                    "+k8s:eachVal=+k8s:update=NoModify requires the enclosing list to use listType=map or unique=map "
                    f"(got {facts.semantic})",
                    code="VG205",
                )
        return RuleOutput([self._scalar(context, tag, (constraint,))])

    def _check_fit(self, context: Context, tag: Tag, constraint: str) -> None:
        value = context.types.value(context.type)
        compound = isinstance(value, List | Map)
        if constraint in _OF_ITEMS and not compound:
            raise RuleError(f"+k8s:update={constraint} can only be used on list or map fields", span=tag.value_span)
        if constraint == "NoModify" and compound:
            raise RuleError(
                "+k8s:update=NoModify is not supported on list or map fields, use +k8s:eachVal=+k8s:update=NoModify "
                "for per-item immutability",
                span=tag.value_span,
            )
        by_value = context.types.kind(value) == "Struct" and not isinstance(context.type, Pointer)
        if constraint in ("NoSet", "NoUnset") and by_value:
            raise RuleError(
                f"+k8s:update={constraint} cannot be used on non-pointer struct fields (they cannot be unset)",
                span=tag.value_span,
            )

    def _merge(self, context: Context, tag: Tag, table: UpdateTable) -> RuleOutput:
        """Returns one check for all constraints of the field; only the first tag to ask gets it."""
        known = table.by_path.pop(context.path, None)
        if known is None:
            return RuleOutput()
        constraints = tuple(c for c in CONSTRAINTS if c in known.tags)
        value = context.types.value(context.type)
        if isinstance(value, List):
            check = self._list(context, tag, known.tags)
        elif isinstance(value, Map):
            check = self._map(context, tag, constraints)
        else:
            check = self._scalar(context, tag, constraints)
        return RuleOutput([_with_level(check, context.level or known.level)])

    def _scalar(self, context: Context, tag: Tag, constraints: tuple[str, ...]) -> Check:
        if isinstance(context.types.native(context.type), Pointer | Interface):
            record = predicates.UPDATE_POINTER
        elif context.types.kind(context.types.value(context.type)) == "Struct":
            record = predicates.UPDATE_STRUCT
        else:
            record = predicates.UPDATE_VALUE
        return context.check(tag, Predicate(record, (constraints,)), short_circuit=True)

    def _list(self, context: Context, tag: Tag, tags: dict[str, Tag]) -> Check:
        constraints = tuple(c for c in CONSTRAINTS if c in tags)
        of_items = [tags[c].span for c in _OF_ITEMS if c in tags]
        match = self._match(context, of_items[0]) if of_items else None
        native = context.types.value(context.type)
        assert isinstance(native, List)
        operands: tuple[object, ...] = (constraints,) if match is None else (constraints, match)
        shape = None if match is None else context.shape(native.elem)
        predicate = Predicate(predicates.UPDATE_LIST, operands, shape)
        return context.check(tag, predicate, *_emissions(constraints, ""), short_circuit=True)

    def _map(self, context: Context, tag: Tag, constraints: tuple[str, ...]) -> Check:
        predicate = Predicate(predicates.UPDATE_MAP, (constraints,))
        return context.check(tag, predicate, *_emissions(constraints, "[*]"), short_circuit=True)

    def _match(self, context: Context, span: Span) -> Match:
        facts = context.session.state(ListTable).find(context.path, context.types.id(context.type))
        if facts is None:
            raise RuleError(
                "+k8s:update=NoAddItem/+k8s:update=NoRemoveItem require list metadata (+k8s:listType with listMapKey, "
                "or +k8s:unique) to determine item identity",
                code="VG205",
                span=span,
                help="declare the identity of items: +k8s:listType=set, or +k8s:listType=map with +k8s:listMapKey",
            )
        match = facts.match(context)
        if match is None:
            raise RuleError(
                "+k8s:update=NoAddItem/+k8s:update=NoRemoveItem require listType=set, listType=map, unique=set, or "
                "unique=map to define item identity",
                code="VG205",
                span=span,
            )
        return match


def _suggest(constraint: str) -> str:
    """Returns the help for an unknown constraint. The proposal (KEP-5073) has lists, and `NoClear`."""
    if "," in constraint:
        return "write a tag for each constraint"
    canonical = "NoUnset" if constraint == "NoClear" else constraint
    return did_you_mean(canonical, CONSTRAINTS, f"it is one of {', '.join(CONSTRAINTS)}")


def _with_level(check: Check, level: str) -> Check:
    return replace(check, level=level) if level else check


def _emissions(constraints: tuple[str, ...], removed: str) -> list[Emission]:
    """Returns the errors of a list or map; `removed` is the path of a removed item."""
    found = []
    if {"NoSet", "NoUnset"} & set(constraints):
        found.append(Emission("FieldValueInvalid", "update"))
    if "NoAddItem" in constraints:
        found.append(Emission("FieldValueForbidden", "update", "[*]"))
    if "NoRemoveItem" in constraints:
        found.append(Emission("FieldValueForbidden", "update", removed))
    return list(dict.fromkeys(found))
