"""Location of a check: the schema of the value, its owner, and its CEL expression."""

from __future__ import annotations

from dataclasses import dataclass, replace

from validation_gen.emit.schema.expressions import Member
from validation_gen.emit.schema.node import Node
from validation_gen.ir import Match, Shape, StructRef

#: The old object in a rule with `optionalOldSelf`, if it exists.
OLD = "oldSelf.value()"


@dataclass(frozen=True, slots=True)
class Pin:
    """Moves the rules for a value to a parent.

    `exempt` are CEL conditions under any of which the rules do not count. `members` are those of which an update must
    change one, for them to count.
    """

    place: Place
    exempt: tuple[str, ...] = ()
    members: tuple[Member, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """A value. `name` is that of a member of `parent`, `""` for the root, for list items and for map values.

    `correlated`: the API server finds the old value on an update. `skips_zero`: a zero value is none, so that nothing
    is demanded of it. `match` is how the validators find the old value of a list item, `None` if they do not.
    `inlined` are the members that count, where the value is a struct among the members of another one.
    """

    node: Node
    shape: Shape
    parent: Place | None = None
    name: str = ""
    correlated: bool = True
    skips_zero: bool = False
    pin: Pin | None = None
    match: Match | None = None
    inlined: tuple[str, ...] = ()

    def member(self, json: str, node: Node, shape: Shape) -> Place:
        correlated = self.correlated and self.node.keywords.get("x-kubernetes-map-type") != "atomic"
        return Place(node, shape, self, json, correlated, pin=self.pin)

    def element(self, node: Node, shape: Shape, match: Match | None = None) -> Place:
        """An item of a list or a value of a map. `match` is how the validators recognise an item."""
        keywords = self.node.keywords
        if keywords.get("type") == "array":
            correlated = keywords.get("x-kubernetes-list-type") == "map"
        else:
            correlated = keywords.get("x-kubernetes-map-type") != "atomic"
        return Place(node, shape, self, "", self.correlated and correlated, match=match)

    def pinned(self, pin: Pin) -> Place:
        return replace(self, pin=pin)

    @property
    def keys(self) -> tuple[str, ...]:
        """The members that every item of this list has, since they identify it."""
        return tuple(self.node.keywords.get("x-kubernetes-list-map-keys", ()))

    @property
    def is_key(self) -> bool:
        """True for a key member of the list item around."""
        item = self.parent
        return item is not None and item.parent is not None and not item.name and self.name in item.parent.keys

    @property
    def solid(self) -> bool:
        """True if the value exists whenever the validators check it: it is no struct by value in another one."""
        return not self.name or not isinstance(self.shape, StructRef)

    def host(self, *, near: bool) -> tuple[Place, tuple[str, ...]]:
        """Returns the place for rules about members of this struct, and the steps from there to the struct.

        With `near` that is the struct itself, else the nearest place that exists whenever the struct is validated.
        """
        owner: Place = self
        steps: tuple[str, ...] = ()
        top = self.pin.place if self.pin is not None else None
        while (top is None or owner.node is not top.node) and owner.parent is not None and not near and not owner.solid:
            steps, owner = (owner.name, *steps), owner.parent
        return owner, steps

    def anchor(self, *, near: bool) -> tuple[Place, Member]:
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
