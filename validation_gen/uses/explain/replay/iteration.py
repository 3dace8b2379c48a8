"""The parts of a value that a check iterates: items, values, keys, members, selected items, members by mode.

On an update each of them may have an old value, and unchanged ones are skipped.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Any

from validation_gen.ir import (
    ByValue,
    CallType,
    Check,
    EachKey,
    EachValue,
    InItem,
    InMember,
    ListOf,
    Modes,
    PointerTo,
    Scalar,
)
from validation_gen.ir.program import TypePlan
from validation_gen.uses.explain.fields.rules import selected, shown
from validation_gen.uses.explain.replay.places import Place
from validation_gen.uses.explain.replay.record import Skip, Why
from validation_gen.uses.explain.replay.teller import Teller


@dataclass(slots=True)
class Iteration:
    """Iterates over parts of values."""

    teller: Teller
    update: bool

    @abstractmethod
    def operation(self, outer: Check, inner: Check, place: Place, on: str) -> bool:
        """Runs a check with its wrappers. Returns whether it has failed anywhere."""

    @abstractmethod
    def occurs(self, check: Check) -> bool:
        """Returns whether a check can report anything in this operation."""

    @abstractmethod
    def plan(self, type: str) -> TypePlan:
        """Returns the plan of a type."""

    def _part(self, inner: Check, outer: Check, part: Place, on: str, *, same: bool) -> bool:
        """Records the check of one part, which may be unchanged."""
        skip = Skip(Why.UNCHANGED, f"{part.path} is as it was", part.path) if same else None
        with self.teller.skipping(skip):
            return self.operation(outer, inner, part, on) and not same

    def _none(self, outer: Check, place: Place, on: str, text: str) -> bool:
        """Records a check without parts. Calls of other types are not recorded then."""
        if outer.tag.text and not outer.silent:
            self.teller.left_out(outer, place.path, on, Skip(Why.ABSENT, text, place.path))
        return False

    # --- items, values, keys ------------------------------------------------------------------------------------------

    def each_value(self, each: EachValue, outer: Check, place: Place, on: str) -> bool:
        """Records a check of all items of a list or values of a map."""
        if not place.value:
            return self._none(outer, place, on, "there are no items")
        if isinstance(each.container, ListOf):
            return self._each_item(each, outer, place, on)
        return self._each_map_value(each, outer, place, on)

    def _each_item(self, each: EachValue, outer: Check, place: Place, on: str) -> bool:
        values = self.teller.values
        failed = False
        find = None
        if self.update and each.match is not None:
            find = values.items(each.match, each.elem).finder(place.old)
        for i, raw in enumerate(place.value):
            if raw is None and isinstance(each.elem, PointerTo):
                part = place.below(f"[{i}]", None, None, each.elem, False)
                self._none(outer, part, on, "the item is null")
                continue
            item = values.go(each.elem, raw)
            old = find(item) if find is not None else None
            found = old is not None
            if isinstance(each.match, ByValue):
                same, old = found, None
            else:
                same = found and values.same(each.elem, item, old)
                old = values.go(each.elem, old) if found else None
            part = place.below(f"[{i}]", item, old, each.elem, found)
            failed |= self._part(each.inner, outer, part, on, same=same)
        return failed

    def _each_map_value(self, each: EachValue, outer: Check, place: Place, on: str) -> bool:
        values = self.teller.values
        failed = False
        before = (place.old or {}) if self.update else {}
        for key, raw in place.value.items():
            item = values.go(each.elem, raw)
            known = key in before
            old = values.go(each.elem, before[key]) if known else None
            part = place.below(f"[{key}]", item, old, each.elem, known)
            if item is None and isinstance(each.elem, PointerTo):
                self._none(outer, part, on, "the value is null")
                continue
            failed |= self._part(each.inner, outer, part, on, same=known and values.same(each.elem, item, old))
        return failed

    def each_key(self, each: EachKey, outer: Check, place: Place, on: str) -> bool:
        """Records a check of all keys of a map, once for the map, which is the path of its errors."""
        keys = [key for key in place.value or () if not (self.update and key in (place.old or ()))]
        if not place.value:
            return self._none(outer, place, on, "there are no keys")
        skip = None if keys else Skip(Why.UNCHANGED, f"all keys of {place.path} have been there before", place.path)
        with self.teller.skipping(skip):
            if isinstance(each.inner.operation, CallType):
                self._keys_of(each.inner.operation.type, keys, place)
                return False
            integers = isinstance(each.key, Scalar) and each.key.go != "string"
            return self.operation(outer, each.inner, _as_keys(place, keys, integers, each), on)

    def _keys_of(self, type: str, keys: list[Any], place: Place) -> None:
        """Records the rules of the type of keys. A stopping rule applies if it has failed for all keys."""
        plan = self.plan(type)
        stop: Skip | None = None
        for check in sorted(plan.checks, key=lambda check: not check.short_circuit):
            if check.silent or not self.occurs(check):
                continue
            before = len(self.teller.replay.records)
            with self.teller.skipping(None if check.short_circuit else stop):
                failed = self.operation(check, check, _as_keys(place, keys, False, None), f"type {plan.name}")
            errors = sum(len(record.errors) for record in self.teller.replay.records[before:])
            if failed and check.short_circuit and errors >= len(keys):
                stop = Skip(Why.STOPPED, f"{check.tag.text} has stopped it for all keys", place.path)

    # --- members and selected items -----------------------------------------------------------------------------------

    def in_member(self, inside: InMember, outer: Check, place: Place, on: str) -> bool:
        """Records a check of one member of a struct."""
        values = self.teller.values
        if place.value is None:
            return self._none(outer, place.below(f".{inside.json}", None, None, inside.shape, False), on, _NOTHING)
        value = values.go(inside.shape, place.value.get(inside.json))
        known = self.update and place.old is not None
        old = values.go(inside.shape, place.old.get(inside.json)) if known else None
        part = place.below(f".{inside.json}", value, old, inside.shape, known)
        return self._part(inside.inner, outer, part, on, same=known and values.same(inside.shape, value, old))

    def in_item(self, inside: InItem, outer: Check, place: Place, on: str) -> bool:
        """Records a check of the first item that a selector matches."""
        values = self.teller.values
        selector = values.selector(inside.selector)
        pointers = isinstance(inside.elem, PointerTo)
        index, item = selector.find(place.value, pointers=pointers)
        if item is None:
            return self._none(outer, place, on, f"no item has {selected(inside.selector)}")
        _, old = selector.find(place.old, pointers=pointers) if self.update else (-1, None)
        known = old is not None
        part = place.below(f"[{index}]", item, old, inside.elem, known)
        return self._part(inside.inner, outer, part, on, same=known and values.same(inside.elem, item, old))

    # --- modes --------------------------------------------------------------------------------------------------------

    def modes(self, modes: Modes, outer: Check, place: Place, on: str) -> None:
        """Records the checks of one member by the value of another."""
        values = self.teller.values
        obj, before = place.value or {}, place.old
        value = values.go(modes.shape, obj.get(modes.json))
        mode = obj.get(modes.discriminator) or modes.zero
        known = self.update and before is not None
        old = values.go(modes.shape, before.get(modes.json)) if known else None
        part = place.below(f".{modes.path}" if modes.path else "", value, old, modes.shape, known)
        skip = None
        if known and mode == (before.get(modes.discriminator) or modes.zero) and values.same(modes.shape, value, old):
            skip = Skip(Why.UNCHANGED, f"{modes.discriminator} and {part.path} are as they were", part.path)
        with self.teller.skipping(skip):
            for wanted, checks in modes.rules:
                other = None if wanted == mode else _other_mode(modes, mode)
                with self.teller.skipping(other):
                    self._in_mode(checks, outer, part, on)
            forbidden = Check(modes.otherwise, outer.tag, _forbidden(outer), level=outer.level or modes.level)
            ruled = any(wanted == mode for wanted, _ in modes.rules)
            with self.teller.skipping(_other_mode(modes, mode) if ruled else None):
                self.operation(replace(forbidden, silent=outer.silent), forbidden, part, on)

    def _in_mode(self, checks: tuple[Check, ...], outer: Check, part: Place, on: str) -> None:
        """Runs checks in order; a failure skips those behind the last one that can stop."""
        active = [check for check in checks if self.occurs(check)]
        last = max((i for i, check in enumerate(active) if check.short_circuit), default=-1)
        stop: Skip | None = None
        for i, check in enumerate(active):
            own = replace(check, level=outer.level or check.level)
            with self.teller.skipping(stop if i > last else None):
                if check.silent and not check.short_circuit:
                    continue
                failed = self.operation(own, check, part, on)
            if failed and check.short_circuit and stop is None:
                stop = Skip(Why.STOPPED, f"{check.tag.text} at {part.path} has stopped it", part.path)


_NOTHING = "there is no value"


def _other_mode(modes: Modes, mode: Any) -> Skip:
    return Skip(Why.MODE, f"{modes.discriminator} is {shown(mode)}")


def _forbidden(outer: Check) -> tuple[Any, ...]:
    """Returns the error for a member that no mode allows."""
    return tuple(replace(e, path="") for e in outer.emits if e.type == "FieldValueForbidden")[:1]


def _as_keys(place: Place, keys: list[Any], integers: bool, each: EachKey | None) -> Place:
    """Returns a map for checks of its keys: their errors have its path. The value is the first key."""
    key = keys[0] if keys else ""
    shape = each.key if each is not None else place.shape
    return Place(place.path, int(key) if integers and keys else key, None, shape)
