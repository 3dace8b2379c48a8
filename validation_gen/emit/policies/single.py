"""Translates predicates to CEL: those about one value, about its presence, and about the items of a list."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from validation_gen.emit.checkwalk import absent_value
from validation_gen.emit.policies import fields, messages
from validation_gen.emit.policies.collecting import Collector
from validation_gen.emit.policies.messages import Words, render_value
from validation_gen.emit.policies.value_ref import ValueRef, render_items
from validation_gen.emit.schema.expressions import join_all, join_any, literal, negate, render_zero, substitute
from validation_gen.emit.schema.values import FORMAT_SCHEMAS, find_form, has_form, passes
from validation_gen.ir import (
    Aspect,
    ByKeys,
    ByValue,
    Check,
    EachKey,
    ItemPresence,
    ListOf,
    MapOf,
    PointerTo,
    Predicate,
    PredicateSpec,
    Presence,
    Scalar,
    Shape,
    Wire,
    predicates,
    value_shape,
)
from validation_gen.runtime import texts
from validation_gen.runtime.errors import ErrorType
from validation_gen.runtime.formats import FORMATS


def translate_predicate(collector: Collector, check: Check, predicate: Predicate, ref: ValueRef) -> None:
    """Translates one predicate about a single value, except predicates about changes."""
    record = predicate.record
    shape = value_shape(ref.shape)
    if isinstance(shape, ListOf) and shape.packed and (has_form(record) or record is predicates.UNIQUE):
        collector.gap(check, "bytes are one text in JSON, so that CEL cannot count or compare them")
    elif has_form(record):
        _value(collector, check, predicate, ref)
    elif record.presence is Presence.REQUIRED:
        _require(collector, check, ref)
    elif record.presence is Presence.FORBIDDEN:
        _forbidden(collector, check, ref)
    elif record in _OTHERS:
        _OTHERS[record](collector, check, predicate, ref)
    elif record.presence is not Presence.UNSET and _UNSAID[record]:
        collector.gap(check, _UNSAID[record])


def _value(collector: Collector, check: Check, predicate: Predicate, ref: ValueRef) -> None:
    form = find_form(predicate)
    if not form.complete:
        return
    zero, by_value = absent_value(ref.shape)
    zero_passes = not by_value or passes(predicate, zero)
    skips = ref.skips_zero and not check.short_circuit
    asked = substitute(form.complete, ref.plain)
    words = _words(predicate, check, ref, form.message)
    member, base = ref.member, ref.frame.base
    if not ref.steps:
        condition = asked
        if skips and not zero_passes:
            condition = join_any(f"{base} == {_render(ref.shape)}", asked)
    elif zero_passes and by_value and form.complete.count("{v}") == 1:
        condition = substitute(form.complete, fields.value(member, base))
    elif zero_passes:
        condition = join_any(negate(fields.there(member, base)), asked)
    elif skips:
        condition = join_any(fields.is_unset(member, base), asked)
    else:
        condition = join_all(fields.there(member, base), asked)
    collector.put(check, ref, condition, words)


def _words(predicate: Predicate, check: Check, ref: ValueRef, message: str) -> Words:
    """Returns the message for a value that fails a predicate."""
    type = check.emits[0].type if check.emits else "FieldValueInvalid"
    shows = render_value(ref)
    if predicate.record.measures is Aspect.SIZE and ref.steps:
        empty = "{}" if isinstance(value_shape(ref.shape), MapOf) else "[]"
        size = f"{fields.optional(ref.member, ref.frame.base)}.orValue({empty}).size()"
        shows = f"string({size})"
    elif predicate.record.measures is Aspect.SIZE:
        shows = "string({v}.size())"
    elif shows and ref.steps and not ref.member.nilable:
        shows = shows.replace("{v}", fields.value(ref.member, ref.frame.base))
    if predicate.record is predicates.FORMAT and len(predicate.operands) == 1:
        detail, long = _of_format(str(predicate.operands[0]))
        return Words(type, detail or message, shows, long=long)
    return Words(type, message, shows)


@cache
def _of_format(name: str) -> tuple[str, tuple[int, str] | None]:
    """Returns the error message for an invalid text, and the limit and message for a long one; none if they vary."""
    most = FORMAT_SCHEMAS[name].max_bytes
    wrong, long = (FORMATS[name](text) or [] for text in ("!", "a" * ((most or 0) + 1)))
    plain = [error.detail for error in wrong if error.type is ErrorType.INVALID]
    if len(wrong) != 1 or not plain:
        return "", None
    message = [error.detail for error in long if error.type is ErrorType.INVALID]
    tells = most is not None and len(long) == 1 and bool(message) and message[0] == texts.name_too_long(most)
    return plain[0], (most, message[0]) if tells and most is not None else None


def _require(collector: Collector, check: Check, ref: ValueRef) -> None:
    words = Words("FieldValueRequired")
    if not ref.steps:
        collector.gap(check, "a value that is there anyway has no presence of its own")
        return
    member = ref.member
    unchanged = ref.before(lambda old: join_all(fields.is_unset(member, old), *_besides(collector, ref, old)))
    collector.put(check, ref, fields.is_set(member, ref.frame.base), words, unchanged=unchanged)


def _besides(collector: Collector, ref: ValueRef, old: str) -> list[str]:
    return [fields.equal(collector.program, each, ref.frame.base, old) for each in ref.besides]


def _forbidden(collector: Collector, check: Check, ref: ValueRef) -> None:
    words = Words("FieldValueForbidden")
    if not ref.steps:
        condition = "false" if isinstance(ref.shape, PointerTo) else f"{ref.plain} == {_render(ref.shape)}"
    else:
        condition = fields.is_unset(ref.member, ref.frame.base)
    collector.put(check, ref, condition, words)


def _remaining(collector: Collector, check: Check, predicate: Predicate, ref: ValueRef) -> None:
    """Checks an enum without the values that options remove."""
    _value(collector, check, collector.find_remaining(predicate), ref)


def _item(collector: Collector, check: Check, predicate: Predicate, ref: ValueRef) -> None:
    """Checks that an item exists."""
    presence, text = predicate.operands
    assert isinstance(presence, ItemPresence)
    exists = f"{ref.plain}.exists(i, {fields.is_selected(presence.selector, 'i')})"
    condition = join_all(fields.there(ref.member, ref.frame.base), exists) if ref.steps else exists
    if ref.skips_zero and not check.short_circuit and ref.steps:
        condition = join_any(fields.is_unset(ref.member, ref.frame.base), exists)
    collector.put(check, ref, condition, Words("FieldValueRequired", texts.required_item(str(text))))


def _failure(collector: Collector, check: Check, predicate: Predicate, ref: ValueRef) -> None:
    """Adds a check that no value passes."""
    text = str(predicate.operands[0]) if predicate.operands else ""
    condition = "false"
    if ref.skips_zero and not check.short_circuit and ref.steps:
        condition = fields.is_unset(ref.member, ref.frame.base)
    collector.put(check, ref, condition, Words("FieldValueInvalid", f"forced failure: {text}"))


def _unique(collector: Collector, check: Check, predicate: Predicate, ref: ValueRef) -> None:
    """Handles unique items."""
    (match,) = predicate.operands
    shape = value_shape(ref.shape)
    elem = predicate.shape or (shape.elem if isinstance(shape, ListOf) else Wire("any"))
    same = collector.same_items(match if isinstance(match, ByKeys) else ByValue(), elem)
    assert same is not None
    items = render_items(ref, is_map=False, base=ref.frame.base)
    condition = f"{items}.all(x, {items}.exists_one(y, {same('x', 'y')}))"
    again = f"{items}.exists(m, x, m < n && {same('x', 'i')})"
    value = render_value(ValueRef(ref.frame, elem)).replace("{v}", "i")
    text = (
        ["'['", "string(n)", "']: Duplicate value: '", value] if value else ["'['", "string(n)", "']: Duplicate value'"]
    )
    listing = messages.each(ref, (items, "n", "i"), again, text, collector.unchanged(ref))
    collector.put(check, ref, condition, Words("FieldValueDuplicate", "items must be unique"), listing=listing)


def _no_nulls(collector: Collector, check: Check, predicate: Predicate, ref: ValueRef) -> None:  # noqa: ARG001 - one form for all
    """Handles lists whose items must not be null."""
    condition = f"{render_items(ref, is_map=False, base=ref.frame.base)}.all(x, dyn(x) != null)"
    collector.put(check, ref, condition, Words("FieldValueRequired"))


def of_key(collector: Collector, check: Check, predicate: Predicate, each: EachKey, ref: ValueRef) -> bool:
    """Translates a predicate about the keys of a map. Returns whether CEL can express it."""
    if not has_form(predicate.record):
        return False
    form = find_form(predicate)
    if not form.complete or check.silent:
        return True
    key = "k" if isinstance(each.key, Scalar) and each.key.go == "string" else "int(k)"
    base = ref.frame.base
    known = ref.before(lambda old: f"k in {fields.value(ref.member, old)}")
    items = render_items(ref, is_map=True, base=base)
    holds = join_any(substitute(form.complete, key), known)
    type = check.emits[0].type if check.emits else "FieldValueInvalid"
    words = Words(type, form.message)
    if predicate.record is predicates.FORMAT:
        words = Words(type, _of_format(str(predicate.operands[0]))[0] or form.message)
    value = ["': '", "strings.quote(k)" if key == "k" else "k"] if words.kind.shows_value else []
    text = [literal(f": {words.kind.label}"), *value, literal(f": {words.detail}")]
    listing = messages.each(ref, (items, "k", "v"), negate(holds), text, "")
    collector.put(check, ref, f"{items}.all(k, {holds})", words, unchanged="", listing=listing)
    return True


#: Tests that are not of one value, of a change or of presence.
_OTHERS: dict[PredicateSpec, Callable[[Collector, Check, Predicate, ValueRef], None]] = {
    predicates.ALWAYS_FAILS: _failure,
    predicates.ENUM_WITH_OPTIONS: _remaining,
    predicates.NO_NULLS: _no_nulls,
    predicates.REQUIRED_ITEM: _item,
    predicates.UNIQUE: _unique,
}
#: Tests that CEL cannot express, with the reason; `""` where none is needed.
_UNSAID = {predicates.CUSTOM: "handwritten code cannot be expressed in CEL", predicates.NEVER_FAILS: ""}


def is_known(record: PredicateSpec) -> bool:
    """Returns whether this module, or `changes`, translates a predicate."""
    text = has_form(record) or record.presence is not None or record.measures is Aspect.CHANGE
    return text or record in _OTHERS or record in _UNSAID


def _render(shape: Shape) -> str:
    return render_zero(shape) or "null"
