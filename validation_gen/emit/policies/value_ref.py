"""Describes a value: the loops around it, the fields that lead to it, and its counterpart in the old object."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from validation_gen.emit.policies import fields
from validation_gen.emit.schema.expressions import Member, join_all, join_any, negate
from validation_gen.ir import MapOf, PointerTo, Shape, Wire, value_shape

_IS_THERE = re.compile(r"has\([\w.]+\)|[\w.?]+\.hasValue\(\)")

#: Returns a condition on a value, given the expression of its parent.
Said = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Frame:
    """A variable: the object, or an item, a value or a key of a loop.

    `base` is its expression, `old` the expression of its counterpart. `container` is the list or map of a loop. `same`
    returns the condition that two items match; `None` if CEL cannot express it, so that items have no counterpart. Then
    `kept` is the condition that the list is unchanged. `by_value`: items match if they are equal as a whole.
    """

    base: str = "object"
    old: str = "oldObject"
    container: ValueRef | None = None
    variable: str = ""
    is_map: bool = False
    same: str | None = ""
    kept: str = ""
    by_value: bool = False

    @property
    def depth(self) -> int:
        return 0 if self.container is None else self.container.frame.depth + 1

    @property
    def tracked(self) -> bool:
        """True if a counterpart in the old object can be found."""
        return self.same is not None and (self.container is None or self.container.frame.tracked)


ROOT = Frame()


@dataclass(frozen=True, slots=True)
class ValueRef:
    """A value.

    Attributes:
        frame: the variable from which steps lead to it.
        steps: the names of fields on the way.
        shape: its declared shape.
        path: its path in messages, of texts and of names of variables with an index or a key in braces.
        gates: conditions without which it is not validated.
        around: the path to the nearest optional value above it, without which it has no old value.
        skips_zero: True if a zero value counts as absent, so that it has no constraints.
        besides: other members that must be unchanged, too, for an update to skip it.
        inlined: the members that count, where it is a struct among the members of another one.
        embedded: the members of such a struct that is a pointer: it is present if one of them is.
    """

    frame: Frame
    shape: Shape
    steps: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    gates: tuple[str, ...] = ()
    around: tuple[str, ...] = ()
    skips_zero: bool = False
    besides: tuple[Member, ...] = ()
    inlined: tuple[str, ...] | None = None
    embedded: tuple[Member, ...] = ()

    @property
    def member(self) -> Member:
        return Member(self.steps, self.shape)

    @property
    def plain(self) -> str:
        return fields.plain(self.member, self.frame.base)

    @property
    def is_object(self) -> bool:
        """True for the whole object."""
        return not self.steps and self.frame.container is None and self.inlined is None

    def below(self, json: str, path: str, shape: Shape) -> ValueRef:
        """Returns a member of a struct. Members behind a pointer are checked only where the pointer is set."""
        gates, outer = self.gates, self.around
        if self.steps and isinstance(self.shape, PointerTo):
            there = fields.there(self.member, self.frame.base)
            gates = (*gates, there) if there not in gates else gates
            outer = self.steps
        path_ = (*self.path, f".{path}") if path else self.path
        return replace(
            self,
            shape=shape,
            steps=(*self.steps, json),
            path=path_,
            gates=gates,
            around=outer,
            skips_zero=False,
            besides=(),
            inlined=None,
        )

    def behind(self, gate: str) -> ValueRef:
        return replace(self, gates=(*self.gates, gate))

    def item(self, elem: Shape, same: Callable[[str, str], str] | None, kept: str) -> ValueRef:
        """Returns a reference to list items. `same` compares an old and a new item, `kept`: the list is unchanged."""
        variable, old = self._names()
        found = same(old, variable) if same is not None else None
        by_value = found == f"{old} == {variable}"
        frame = Frame(variable, old, self, variable, same=found, kept="" if found else kept, by_value=by_value)
        return self._inside(frame, elem)

    def selected(self, elem: Shape, selected: Callable[[str], str]) -> ValueRef:
        """Returns the item of a list that a selector means."""
        variable, old = self._names()
        found = self._inside(Frame(variable, old, self, variable, same=selected(old)), elem)
        return found.behind(selected(variable))

    def value(self, elem: Shape) -> ValueRef:
        """Returns the values of a map."""
        assert isinstance(value_shape(self.shape), MapOf)
        variable = f"k{self._number()}"
        frame = Frame(f"{self.plain}[{variable}]", f"{self.old}[{variable}]", self, variable, is_map=True)
        return self._inside(frame, elem)

    @property
    def old(self) -> str:
        """Expression of the value in the old object."""
        return fields.plain(self.member, self.frame.old)

    def _names(self) -> tuple[str, str]:
        number = self._number()
        return f"i{number}", f"o{number}"

    def _number(self) -> str:
        return str(self.frame.depth + 1) if self.frame.depth else ""

    def _inside(self, frame: Frame, elem: Shape) -> ValueRef:
        index = f"{{{frame.variable if frame.is_map else frame.variable.replace('i', 'n')}}}"
        return ValueRef(frame, elem, path=(*self.path, "[", index, "]"))

    # --- conditions -------------------------------------------------------------------------------------------------

    def before(self, message: Said) -> str:
        """Returns the condition that the parent has a counterpart in the old object, and that `message` is true of it.

        It is `""` if there is never a counterpart.
        """
        if not self.frame.tracked:
            return ""
        there = fields.there(Member(self.around, PointerTo(Wire("any"))), self.frame.old) if self.around else ""
        embedded = join_any(*(fields.there(member, self.frame.old) for member in self.embedded))
        found = join_all(there, embedded, message(self.frame.old))
        frame = self.frame
        while frame.container is not None:
            whole = frame.container
            items = render_items(whole, frame.is_map, whole.frame.old)
            if frame.is_map:
                found = join_all(f"{frame.variable} in {items}", found)
            elif frame.by_value and found == "true":
                found = f"{frame.variable} in {items}"
            else:
                found = f"{items}.exists({frame.old}, {join_all(frame.same or '', '' if found == 'true' else found)})"
            frame = whole.frame
        # Without an old object there are no parents, and no items.
        return found if self.around or self.embedded or self.frame.container else join_all("oldObject != null", found)

    def demanded(self, condition: str, outer: Frame = ROOT) -> str:
        """Converts a condition on the value to one on the whole object, or on the surrounding item `outer`."""
        found = join_any(*map(negate, self.gates), condition)
        frame = self.frame
        while frame.container is not None and frame is not outer:
            whole = frame.container
            found = self.looped(frame, found)
            frame = whole.frame
        return found

    @staticmethod
    def looped(frame: Frame, condition: str) -> str:
        """Turns a condition on each item into one on the parent of the list or map."""
        whole = frame.container
        assert whole is not None
        loop = f"{render_items(whole, frame.is_map, whole.frame.base)}.all({frame.variable}, {condition})"
        return join_any(*map(negate, telling(whole.gates)), frame.kept, loop)


def render_items(whole: ValueRef, is_map: bool, base: str) -> str:
    """Returns the items of a list, or the map, empty where it is absent."""
    empty = "{}" if is_map else "[]"
    return f"{fields.optional(whole.member, base)}.orValue({empty})" if whole.steps else base


def telling(gates: tuple[str, ...]) -> list[str]:
    """Returns the gates except presence checks: an absent list has no items."""
    return [gate for gate in gates if not _IS_THERE.fullmatch(gate)]
