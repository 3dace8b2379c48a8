"""Tests of changes: immutable, monotonic, and the constraints of `update`. They ask nothing of a new object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from validation_gen.emit.policies import fields
from validation_gen.emit.policies.messages import Words, shown
from validation_gen.emit.policies.places import Place
from validation_gen.emit.schema.expressions import all_of, any_of, negated
from validation_gen.ir import ByKeys, ByValue, Check, ListOf, Predicate, predicates, value_shape
from validation_gen.runtime import texts

if TYPE_CHECKING:
    from validation_gen.emit.policies.walk import Walker

_IS_NEW = "oldObject == null"


def change(walker: Walker, check: Check, test: Predicate, place: Place) -> None:
    """Translates one test of a change."""
    if test.record is predicates.IMMUTABLE:
        _put(walker, check, place, _IS_NEW, Words("FieldValueInvalid", texts.IMMUTABLE, fixed="null"), unchanged=None)
    elif test.record is predicates.MONOTONIC:
        _monotonic(walker, check, place)
    else:
        constraints = test.operands[0]
        assert isinstance(constraints, tuple)
        for constraint in constraints:
            _transition(walker, check, test, place, constraint)


def _put(
    walker: Walker, check: Check, place: Place, condition: str, words: Words, *, unchanged: str | None = ""
) -> None:
    if place.skips_zero and not check.short_circuit and place.steps:
        condition = any_of(condition, fields.is_unset(place.member, place.frame.base))
    walker.put(check, place, condition, words, unchanged=unchanged)


def _monotonic(walker: Walker, check: Check, place: Place) -> None:
    member, base = place.member, place.frame.base
    new = fields.value(member, base) if not member.nilable else place.plain

    def decreased(old: str) -> str:
        was = fields.value(member, old) if not member.nilable else fields.plain(member, old)
        there = (fields.there(member, base), fields.there(member, old)) if member.nilable and member.steps else ()
        return all_of(*there, f"{new} < {was}")

    fails = place.before(decreased)
    if fails:
        more = ""
        if place.frame.container is None:
            was = fields.plain(member, "oldObject") if member.nilable else fields.value(member, "oldObject")
            more = f"' from ' + string({was})"
        words = Words("FieldValueInvalid", "may not be decreased", shown(place).replace("{v}", new), more=more)
        _put(walker, check, place, negated(fails), words)


def _transition(walker: Walker, check: Check, test: Predicate, place: Place, constraint: str) -> None:
    """One constraint of `update`."""
    member, base = place.member, place.frame.base
    words = Words("FieldValueInvalid", texts.TRANSITIONS.get(constraint, ""), fixed="null")
    record = test.record
    struct = record is predicates.UPDATE_STRUCT
    is_set = "true" if struct else fields.is_set(member, base)
    is_unset = "false" if struct else fields.is_unset(member, base)

    def was_set(old: str) -> str:
        return "true" if struct else fields.is_set(member, old)

    if constraint == "NoSet":
        if struct:
            return
        if record is predicates.UPDATE_VALUE:
            fails = all_of(is_set, place.before(lambda old: fields.is_unset(member, old)))
            _put(walker, check, place, negated(fails), words)
        else:
            condition = any_of(_IS_NEW, "" if is_unset == "false" else is_unset, place.before(was_set))
            _put(walker, check, place, condition, words)
    elif constraint == "NoUnset":
        if not struct and place.steps:
            fails = place.before(was_set)
            if fails:
                _put(walker, check, place, any_of(is_set, negated(fails)), words)
    elif constraint == "NoModify":
        same = place.before(lambda old: fields.equal(walker.program, member, base, old))
        known = place.before(was_set)
        if known:
            condition = any_of("" if is_unset == "false" else is_unset, negated(known), same)
            _put(walker, check, place, condition, words)
    else:
        _items(walker, check, test, place, constraint)


def _items(walker: Walker, check: Check, test: Predicate, place: Place, constraint: str) -> None:
    """Handles added or removed items. Their errors have the path of the list or map."""
    added = constraint == "NoAddItem"
    words = Words("FieldValueForbidden", texts.NO_NEW_ITEM if added else texts.NO_LOST_ITEM)
    member, base = place.member, place.frame.base
    shape = value_shape(member.shape)
    new = fields.value(member, base)
    match = test.operands[1] if len(test.operands) > 1 else None

    def among(item: str, items: str) -> str:
        if not isinstance(shape, ListOf) or not isinstance(match, ByKeys | ByValue):
            return f"{item} in {items}"
        same = walker.same_items(match, shape.elem)
        found = same("y", item) if same is not None else f"y == {item}"
        return f"{item} in {items}" if found == f"y == {item}" else f"{items}.exists(y, {found})"

    if added:
        known = place.before(lambda old: f"{new}.all(x, {among('x', fields.value(member, old))})")
        condition = any_of(_IS_NEW, f"{new}.size() == 0", known)
    else:
        lost = place.before(lambda old: f"!{fields.value(member, old)}.all(x, {among('x', new)})")
        if not lost:
            return
        condition = negated(lost)
    _put(walker, check, place, condition, words)
