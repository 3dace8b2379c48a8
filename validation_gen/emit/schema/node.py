"""A schema while it is built: keywords, parts and CEL rules, and how these combine.

The place of a check is the schema of the value, its owner, and its CEL expression.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from validation_gen.diagnostics import Span
from validation_gen.emit.schema.expressions import Member
from validation_gen.ir import Match, Shape, StructRef, TagRef, Validation

#: Documentation keywords of a type or field.
DOCUMENTATION = frozenset({"description", "example", "externalDocs", "title"})


@dataclass(frozen=True, slots=True)
class Rule:
    """A CEL rule of a schema. `tag` is its origin, `None` for a handwritten one.

    `cheaper` is a similar, less expensive rule, for schemas that are too large for this one. A `minor` rule is omitted
    without a finding if it is impossible: it only closes a gap of another rule, or is not from the project. `property`
    is a property that the rule requires; without the rule, the schema requires it.
    """

    entry: Validation
    tag: TagRef | None = None
    cheaper: Validation | None = None
    minor: bool = False
    property: str = ""


@dataclass(slots=True)
class Node:
    """The schema of one value.

    `properties`, `items` and `values` (of a map) are the schemas of its parts. `ref` names a shared schema that the
    rest extends. `cut` marks a recursive type, which is not expanded. `not_empty` is the keyword that requires a set
    value, unless another one does. `all_of` has parts that cannot be merged into the keywords. `refuses_default` is
    True if a rule fails for the default, `default_span` is the default's location.
    """

    keywords: dict[str, Any] = field(default_factory=dict)
    properties: dict[str, Node] = field(default_factory=dict)
    required: set[str] = field(default_factory=set)
    items: Node | None = None
    values: Node | None = None
    rules: list[Rule] = field(default_factory=list)
    all_of: list[dict[str, Any]] = field(default_factory=list)
    ref: str = ""
    cut: bool = False
    refuses_default: bool = False
    not_empty: str = ""
    default_span: Span | None = None
    #: The unknown type of this value or of one whose fields are inlined.
    lost: str = ""
    #: Cache of the rules for `add_rule`.
    _said: set[tuple[str, str]] = field(default_factory=set, repr=False, compare=False)

    def demand(self, keyword: str, value: Any) -> None:
        """Adds a limiting keyword. The tighter of two limits wins; other keywords are combined by `allOf`."""
        known = self.keywords.get(keyword)
        if known is None or known == value:
            self.keywords[keyword] = value
        elif keyword.startswith("max"):
            self.keywords[keyword] = min(known, value)
        elif keyword.startswith("min"):
            self.keywords[keyword] = max(known, value)
        elif keyword == "enum" and (common := [v for v in known if v in value]):
            self.keywords[keyword] = common
        else:
            self.all_of.append({keyword: value})

    def absorb(self, other: Node) -> None:
        """Merges another struct's schema of the same field, as controller-gen does.

        This node keeps its documentation, its values of an enum and other keywords without an order.
        """
        types = {node.keywords.get("type") for node in (self, other)} - {None}
        if len(types) > 1:
            return
        for keyword, value in other.keywords.items():
            if keyword.startswith(("max", "min", "pattern")):
                self.demand(keyword, value)
            elif keyword not in DOCUMENTATION:
                self.keywords.setdefault(keyword, value)
        for name, inner in other.properties.items():
            if name in self.properties:
                inner.absorb(self.properties[name])  # below the field, the last documentation counts
            self.properties[name] = inner
        self.required |= other.required
        self.items = self.items or other.items
        if self.values is not None and other.values is not None:
            self.values.absorb(other.values)
        else:
            self.values = self.values or other.values
        own, self.rules = self.rules, []
        for rule in (*other.rules, *own):
            self.add_rule(rule)
        self.all_of += other.all_of
        self.default_span = self.default_span or other.default_span
        self.ref, self.cut, self.lost = self.ref or other.ref, self.cut or other.cut, self.lost or other.lost

    def add_rule(self, rule: Rule) -> None:
        """Adds a CEL rule unless there is an equal one for the same field."""
        if len(self._said) != len(self.rules):
            self._said = {(r.entry.rule, r.entry.field_path) for r in self.rules}
        key = (rule.entry.rule, rule.entry.field_path)
        if key not in self._said:
            self._said.add(key)
            self.rules.append(rule)

    def nodes(self) -> Iterator[Node]:
        """Yields this node and all below, each before its parts."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += [
                part for part in (node.values, node.items, *reversed(node.properties.values())) if part is not None
            ]

    def lost_type(self) -> str:
        """Returns the name of an unresolved type of this value or of a part of it, `""` if there is none."""
        return next((node.lost for node in self.nodes() if node.lost), "")

    def _refuses_empty(self) -> bool:
        """Returns whether other keywords already refuse an empty text."""
        keywords = self.keywords
        try:
            matches = re.search(keywords.get("pattern", ""), "") is not None
        except re.error:  # of Go, and not of Python
            matches = True
        return not matches or "" not in keywords.get("enum", ("",))

    def as_json(self) -> dict[str, Any]:
        """Returns the schema as OpenAPI has it, keys in alphabetical order."""
        schema = dict(self.keywords)
        if self.not_empty and not self._refuses_empty():
            schema[self.not_empty] = max(1, schema.get(self.not_empty, 1))
        all_of = list(self.all_of)
        if self.ref:
            # A reference cannot have neighbours, so it becomes one part of several when it has any.
            if not (schema or all_of or self.properties or self.required or self.rules):
                return {"$ref": self.ref}
            all_of.insert(0, {"$ref": self.ref})
        if self.properties:
            schema["properties"] = {name: self.properties[name].as_json() for name in sorted(self.properties)}
        if self.required:
            schema["required"] = sorted(self.required)
        if self.items is not None:
            schema["items"] = self.items.as_json()
        if self.values is not None:
            schema["additionalProperties"] = self.values.as_json()
        if self.rules:
            schema["x-kubernetes-validations"] = [_as_json(rule.entry) for rule in self.rules]
        if all_of:
            schema["allOf"] = all_of
        return {key: schema[key] for key in sorted(schema)}


def has_type(node: Node) -> bool:
    """Returns whether CEL has a type for values of this schema: not if values, or items of lists, can be anything."""
    inner = node.items or node.values
    if inner is not None:
        return has_type(inner)
    return bool(node.ref or {"type", "x-kubernetes-int-or-string"} & node.keywords.keys())


def _as_json(rule: Validation) -> dict[str, Any]:
    """Returns an entry of `x-kubernetes-validations`, keys in alphabetical order."""
    entry: dict[str, Any] = {
        "fieldPath": rule.field_path,
        "message": rule.message,
        "messageExpression": rule.message_expression,
        "optionalOldSelf": rule.optional_old_self,
        "reason": rule.reason,
        "rule": rule.rule,
    }
    return {key: value for key, value in entry.items() if value not in ("", None)}


#: The old object in a rule with `optionalOldSelf`, if it exists.
OLD = "oldSelf.value()"


@dataclass(frozen=True, slots=True)
class AnchoredRule:
    """Moves the rules for a value to a parent.

    `exempt`: CEL conditions; the rules are skipped if one of them holds. `members`: an update is checked only if it
    changes one of these.
    """

    place: ValueRef
    exempt: tuple[str, ...] = ()
    members: tuple[Member, ...] = ()


@dataclass(frozen=True, slots=True)
class ValueRef:
    """A value. `name` is that of a member of `parent`, `""` for the root, for list items and for map values.

    `correlated`: the API server finds the old value on an update. `skips_zero`: a zero value counts as absent and is
    not checked. `match`: how the validators find the old value of a list item, `None` if they do not. `inlined`: the
    members of a struct that is inlined into its parent.
    """

    node: Node
    shape: Shape
    parent: ValueRef | None = None
    name: str = ""
    correlated: bool = True
    skips_zero: bool = False
    pin: AnchoredRule | None = None
    match: Match | None = None
    inlined: tuple[str, ...] = ()

    def member(self, json: str, node: Node, shape: Shape) -> ValueRef:
        correlated = self.correlated and self.node.keywords.get("x-kubernetes-map-type") != "atomic"
        return ValueRef(node, shape, self, json, correlated, pin=self.pin)

    def element(self, node: Node, shape: Shape, match: Match | None = None) -> ValueRef:
        """Returns an item of a list or a value of a map. `match` is how the validators recognise an item."""
        keywords = self.node.keywords
        if keywords.get("type") == "array":
            correlated = keywords.get("x-kubernetes-list-type") == "map"
        else:
            correlated = keywords.get("x-kubernetes-map-type") != "atomic"
        return ValueRef(node, shape, self, "", self.correlated and correlated, match=match)

    def pinned(self, pin: AnchoredRule) -> ValueRef:
        return replace(self, pin=pin)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the items of this list, which every item must have."""
        return tuple(self.node.keywords.get("x-kubernetes-list-map-keys", ()))

    @property
    def is_key(self) -> bool:
        """True for a key member of the list item around."""
        item = self.parent
        return item is not None and item.parent is not None and not item.name and self.name in item.parent.keys

    @property
    def solid(self) -> bool:
        """True if the value is in JSON whenever validators check it; a member that is a struct may be absent."""
        return not self.name or not isinstance(self.shape, StructRef)

    def host(self, *, near: bool) -> tuple[ValueRef, tuple[str, ...]]:
        """Returns the place for rules about members of this struct, and the steps from there to the struct.

        `near`: the place is the struct itself, else the nearest parent that exists whenever the struct is validated.
        """
        owner: ValueRef = self
        steps: tuple[str, ...] = ()
        top = self.pin.place if self.pin is not None else None
        while (top is None or owner.node is not top.node) and owner.parent is not None and not near and not owner.solid:
            steps, owner = (owner.name, *steps), owner.parent
        return owner, steps

    def anchor(self, *, near: bool) -> tuple[ValueRef, Member]:
        """Returns the place for rules about the value's presence, and the value as its member.

        With `near` that is the owner, else the nearest place above that exists whenever the value is validated.
        """
        top = self.pin.place if self.pin is not None else None
        if (top is not None and self.node is top.node) or self.parent is None or (not self.name and top is None):
            return self, Member((), self.shape)
        steps: tuple[str, ...] = (self.name,)
        owner = self.parent
        while owner.parent is not None and (owner.node is not top.node if top else not near and not owner.solid):
            steps, owner = (owner.name, *steps), owner.parent
        return owner, Member(steps, self.shape)


def as_before(member: Member) -> str:
    """Returns the condition that an update leaves a member unchanged, for a rule with `optionalOldSelf`."""
    return member.equals("self", OLD)
