"""Builds the schema of types before any rule: the type of a value, its documentation, and its markers."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

from validation_gen.diagnostics.visible import without_hidden
from validation_gen.emit.schema import SchemaOptions
from validation_gen.emit.schema.node import DOCUMENTATION, Node, Rule
from validation_gen.emit.schema.values import BASE64, EXACT_WIRE, PRESERVES, WIRE, scalar
from validation_gen.ir import (
    OBJECT_META,
    FieldPlan,
    IfOption,
    ListOf,
    MapOf,
    Operation,
    PointerTo,
    Predicate,
    Presence,
    Program,
    Scalar,
    SchemaNotes,
    Shape,
    StructRef,
    TagRef,
    TypePlan,
    Validation,
    Wire,
    value_shape,
)

#: The end of a sentence.
_SENTENCE = re.compile(r"[.!?](?=\s)")
#: Types of any JSON, whose description adds nothing to that of the field.
_PLAIN = frozenset(
    f"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/{version}.JSON" for version in ("v1", "v1beta1")
)

#: Metadata that users set in embedded objects, such as templates. Without it the API server would drop their labels.
_INNER_METADATA: Mapping[str, Any] = {
    "annotations": MapOf(Scalar("string")),
    "finalizers": ListOf(Scalar("string")),
    "labels": MapOf(Scalar("string")),
    "name": Scalar("string"),
    "namespace": Scalar("string"),
}

#: The keywords of markers that limit no value.
_NEUTRAL = frozenset(
    {
        "default",
        "example",
        "externalDocs",
        "nullable",
        "title",
        "type",
        "x-kubernetes-embedded-resource",
        "x-kubernetes-int-or-string",
        "x-kubernetes-map-type",
        "x-kubernetes-patch-merge-key",
        "x-kubernetes-patch-strategy",
        "x-kubernetes-preserve-unknown-fields",
    }
)

#: Maximum depth and size of an expanded schema. The API server refuses definitions of more than about a megabyte; types
#: that use each other twice could grow without bound.
DEEPEST = 64
MOST_NODES = 50_000


class Excessive(enum.Enum):
    """Reason why a schema ends before the types do."""

    DEPTH = f"values are more than {DEEPEST} deep in one another"
    SIZE = f"the schema would have more than {MOST_NODES} parts"


@dataclass(slots=True)
class Structure:
    """Builds the nodes of shapes. `refs` has references by type: structs in it become references, others are expanded.

    Types with their own JSON form can also be references. A recursive type cannot be expanded, so it accepts any
    object, and is recorded in `cut`. Metadata has the fields that users set; with `whole_metadata`, all fields.
    """

    program: Program
    options: SchemaOptions
    refs: Mapping[str, str] | None = None
    whole_metadata: bool = False
    cut: list[str] = field(default_factory=list)
    #: Limits that were exceeded, so that parts were not expanded.
    excess: set[Excessive] = field(default_factory=set)
    _open: list[str] = field(default_factory=list)
    _depth: int = 0
    _size: int = 0
    _opaque: bool = False

    def build_node(self, shape: Shape, notes: SchemaNotes | None = None) -> Node:
        """Returns the node of a value with this shape. `notes` are those of the field that has it."""
        node = Node() if notes is not None and notes.schemaless else self._shape(shape)
        if notes is not None:
            self.annotate(node, notes)
            if not notes.schemaless:
                self._note_object(node, shape, notes)
        if self.refs is not None and not self.options.exact:
            _infer_list_type(node)
        return node

    def _shape(self, shape: Shape) -> Node:
        """Returns the node of a shape; beyond the limits of depth and size, one that accepts anything."""
        shape = value_shape(shape)
        excess = Excessive.DEPTH if self._depth >= DEEPEST else Excessive.SIZE if self._size >= MOST_NODES else None
        if excess is None or isinstance(shape, Scalar | Wire) or (isinstance(shape, ListOf) and shape.packed):
            self._depth += 1
            self._size += 1
            node = self._spelt_out(shape)
            self._depth -= 1
            return node
        self.excess.add(excess)
        if isinstance(shape, ListOf):
            return Node({"type": "array"}, items=Node({PRESERVES: True}, cut=True))
        return Node({"type": "object", PRESERVES: True}, cut=True)

    def _spelt_out(self, shape: Shape) -> Node:
        match shape:
            case Scalar():
                node = Node(dict(scalar(shape.go)))
                if node.keywords["type"] == "number" and self.refs is None:
                    del node.keywords["format"]  # it limits nothing, and definitions do without
            case Wire(form=form):
                if self.refs is not None and shape.type in self.refs:
                    return Node(ref=self.refs[shape.type])
                exact = EXACT_WIRE.get(form) if self.options.exact else None
                node = Node(deepcopy(dict(exact or WIRE[form])))
                if self.refs is None and (form != "any" or shape.type in _PLAIN):
                    return node  # its own description is about Go
            case ListOf(packed=True):
                # The format refuses the empty text, which is no bytes at all.
                node = Node({"type": "string", **({"pattern": BASE64} if self.options.exact else {"format": "byte"})})
            case ListOf():
                node = Node({"type": "array"}, items=self._shape(shape.elem))
            case MapOf():
                node = Node({"type": "object"}, values=self._shape(shape.elem))
            case StructRef():
                return self._struct(shape.id)
        for plan in self._chain("" if isinstance(shape, PointerTo) else shape.type):
            self.annotate(node, plan.notes)
            self._note_object(node, shape, plan.notes)
        return node

    def _note_object(self, node: Node, shape: Shape, notes: SchemaNotes) -> None:
        """Turns a self-decoding struct without fields into an object, if a marker preserves unknown fields."""
        shape = value_shape(shape)
        if PRESERVES not in notes.keywords or self.options.exact:
            return
        items = node.items if isinstance(shape, ListOf) else None  # a list hands it on to its items
        inner = value_shape(shape.elem) if isinstance(shape, ListOf) else shape
        plan = self.program.types.get(inner.type) if isinstance(inner, Wire) and inner.form == "any" else None
        if plan is None or not plan.is_struct:
            return
        if items is not None and PRESERVES not in plan.notes.keywords:
            items.keywords.pop(PRESERVES, None)
        (items or node).keywords.setdefault("type", "object")

    def _chain(self, type: str) -> list[TypePlan]:
        """Returns the plans of a type and of its underlying types, the last first."""
        chain: list[TypePlan] = []
        while (plan := self.program.types.get(type)) is not None and plan not in chain:
            chain.insert(0, plan)
            type = plan.base
        return chain

    # --- structs ----------------------------------------------------------------------------------------------------

    def _struct(self, id: str) -> Node:
        if self.refs is not None:
            return Node(ref=self.refs.get(id, id))
        if id == OBJECT_META and not self.whole_metadata:
            return Node({"type": "object"}, {name: self._shape(part) for name, part in _INNER_METADATA.items()})
        if id in self._open:
            self.cut.append(id)
            return Node({"type": "object", PRESERVES: True}, cut=True)
        self._open.append(id)
        node = self.struct(id)
        self._open.pop()
        return node

    def struct(self, id: str) -> Node:
        """Returns a struct spelt out at least once, with the notes of its type."""
        node = Node({"type": "object"})
        plan = self.program.types.get(id)
        chain = self._chain(id)
        # Into a kind's own schema controller-gen merges embedded structs; elsewhere it merges all into the field's.
        is_kind = len(self._open) == 1 and len(chain) == 1
        if plan is None or not plan.fields:
            for member in self.program.structs.get(id, ()):
                node.properties[member.json] = self._shape(member.shape)
        else:
            self._fields(node, plan, frozenset(), own_first=is_kind)
        if id in self.program.extended:
            node.keywords[PRESERVES] = True
        for each in chain:
            self.annotate(node, each.notes, first=not is_kind)
        return node

    def _fields(self, node: Node, plan: TypePlan, hidden: frozenset[str], *, own_first: bool = False) -> None:
        """Adds the fields of a struct, those of inlined structs in the same object.

        Of two fields with one name, the exact manner has the one that JSON decodes. Otherwise both are merged as in
        controller-gen: the documentation of the first field wins, which is an inlined one except in a kind's own
        schema.
        """
        node.lost = node.lost or self.program.lost.get((plan.id, ""), "")
        own: set[str] = set()
        for member in (
            plan.fields if self.options.exact else sorted(plan.fields, key=lambda m: bool(m.json) != own_first)
        ):
            if member.json and not (member.spread and not self.options.exact):
                if self.options.exact and (member.json in hidden or member.json in node.properties):
                    continue
                if member.json not in own:
                    self._add_field(node, plan, member)
                own.add(member.json)
            elif member.merged or member.spread:
                if not member.notes.schemaless:
                    self._merge_inlined(node, member, hidden)
                self.annotate(node, member.notes, documented=False)
        for member in plan.fields:
            borrowed = self._borrow_notes(member.notes)
            if borrowed and member.json in node.properties and member.json not in node.required and not self._opaque:
                for entry in borrowed.validations:
                    node.add_rule(_make_borrowed_rule(_make_immutable_rule(entry, member.json)))

    def _add_field(self, node: Node, plan: TypePlan, member: FieldPlan) -> None:
        opaque, self._opaque = self._opaque, self._opaque or member.opaque
        part = self.build_node(member.shape, member.notes)
        _note_lost(part, self.program.lost.get((plan.id, member.json), ""))
        self._opaque = opaque
        if self._is_required(member) and not opaque:
            node.required.add(member.json)
        if member.json in node.properties:
            node.properties[member.json].absorb(part)
        else:
            node.properties[member.json] = part

    def _merge_inlined(self, node: Node, member: FieldPlan, hidden: frozenset[str]) -> None:
        """Adds the fields of an inlined struct, and the notes of its type."""
        inner = value_shape(member.shape)
        if not isinstance(inner, StructRef) or inner.id in self._open:
            return
        below = self.program.types.get(inner.id)
        names = hidden | frozenset(member.hidden)
        self._open.append(inner.id)
        if below is not None and below.fields:
            self._fields(node, below, names)
        else:
            for other in self.program.structs.get(inner.id, ()):
                if other.json not in names:
                    node.properties.setdefault(other.json, self._shape(other.shape))
        for each in self._chain(inner.id):
            self.annotate(node, each.notes, documented=False)
        self._open.pop()

    def _is_required(self, member: FieldPlan) -> bool:
        """Returns whether the property is required without a tag.

        A marker requires it, or encoders always write it. In the exact manner only tags require properties, by rules
        which know the old object.
        """
        if self.options.exact:
            return False
        borrowed = self._borrow_notes(member.notes)
        presence = member.notes.presence or (borrowed.presence if borrowed else "")
        if presence:
            return presence == "required"
        if member.omit:
            return False
        return not any(isinstance(check.operation, IfOption) or _lets_be(check.operation) for check in member.checks)

    # --- notes ------------------------------------------------------------------------------------------------------

    def annotate(self, node: Node, notes: SchemaNotes, *, documented: bool = True, first: bool = True) -> None:
        """Adds the schema notes of a declaration. The nearest description wins; limits are combined.

        Limits of markers are excluded in the exact manner, as validators do not know them, and in opaque fields. Rules
        of markers come `first`, or after existing ones: their order is controller-gen's.
        """
        if notes.doc and documented and self.options.max_description != 0:
            node.keywords["description"] = self.described(without_hidden(notes.doc))
        for keyword, value in notes.keywords.items():
            if keyword.startswith("x-kubernetes-list-") and node.items is None:
                continue  # bytes are a list to the rules only
            if not self._counts(keyword, notes) or (keyword in DOCUMENTATION and not documented):
                continue
            if keyword == "allOf" and isinstance(value, list):
                node.all_of += deepcopy(value)
            elif keyword == "anyOf" or keyword.startswith(("max", "min", "enum", "pattern")):
                node.demand(keyword, deepcopy(value))
            else:
                node.keywords[keyword] = deepcopy(value)
        if "type" in notes.keywords and notes.keywords["type"] != "object":
            node.properties, node.values, node.required, node.ref = {}, None, set(), ""
            if PRESERVES not in notes.keywords:
                node.keywords.pop(PRESERVES, None)
        if "default" in notes.keywords:
            node.default_span = notes.spans.get("default")
        if not (self.options.exact or self._opaque):
            known = node.rules
            node.rules = [] if first else known
            for rule in (*map(Rule, notes.validations), *(known if first else ())):
                node.add_rule(rule)
        borrowed = self._borrow_notes(notes)
        if borrowed is not None:
            self.annotate(node, replace(borrowed, validations=[]), documented=False)
            for entry in () if self._opaque else borrowed.validations:
                node.add_rule(_make_borrowed_rule(entry))
        if notes.items is not None and node.items is not None:
            self.annotate(node.items, notes.items)
        if notes.values is not None and node.values is not None:
            self.annotate(node.values, notes.values)
        for name, own in notes.properties.items():
            if name in node.properties:
                self.annotate(node.properties[name], own)

    def _borrow_notes(self, notes: SchemaNotes) -> SchemaNotes | None:
        """Returns the notes of borrowed tags, which only definitions with tags use; `None` in all other schemas."""
        is_definition = self.refs is None and self.options.tags and not self.options.exact
        return notes.borrowed if is_definition else None

    def _counts(self, keyword: str, notes: SchemaNotes) -> bool:
        """Returns whether the schema includes a keyword, in the current manner and place."""
        if keyword in _NEUTRAL:
            return True
        if self.options.exact:
            return keyword in notes.ruled and not self._opaque
        return not self._opaque or keyword.startswith("x-kubernetes-list-")

    def described(self, text: str) -> str:
        """Shortens a description to the length limit: after a sentence if possible, else after a word, with dots."""
        limit = self.options.max_description
        if limit is None or len(text) <= limit:
            return text
        sentences = [match.end() for match in _SENTENCE.finditer(text, 0, limit + 1)]
        if sentences:
            return text[: sentences[-1]]
        cut = text[:limit]
        blank = max((index for index, letter in enumerate(cut) if letter.isspace()), default=0)
        return f"{cut[:blank] if blank else cut}..."


def _make_borrowed_rule(entry: Validation) -> Rule:
    """Returns a rule that is left out without a finding where the API server would refuse it."""
    assert entry.span is not None, "it is made from a tag"
    return Rule(entry, TagRef("+k8s:immutable", entry.span), minor=True)


def _make_immutable_rule(entry: Validation, name: str) -> Validation:
    """Returns the rule for the object around an immutable field, as controller-gen 0.21 words it."""
    rule = f"!has(oldSelf.{name}) || has(self.{name})"
    return replace(entry, rule=rule, message=f"field {name} is immutable once set")


def _note_lost(node: Node, type: str) -> None:
    """Notes that the type of a value, or of its items, cannot be found."""
    while (inner := node.items or node.values) is not None:
        node = inner
    node.lost = node.lost or type


def _infer_list_type(node: Node) -> None:
    """Infers listType map/set from patchStrategy=merge.

    The API server does so with its own types: the merge key is the key of the map, and a list without one is a set. In
    a definition of a custom resource that would refuse duplicates without need.
    """
    keywords = node.keywords
    strategies = str(keywords.get("x-kubernetes-patch-strategy", "")).split(",")
    if "x-kubernetes-list-type" in keywords or "merge" not in strategies or node.items is None:
        return
    key = keywords.get("x-kubernetes-patch-merge-key")
    keywords["x-kubernetes-list-type"] = "map" if key else "set"
    if key:
        keywords["x-kubernetes-list-map-keys"] = [key]


def _lets_be(operation: Operation) -> bool:
    """Returns whether a check accepts an absent field."""
    return isinstance(operation, Predicate) and operation.record.presence in (Presence.UNSET, Presence.FORBIDDEN)
