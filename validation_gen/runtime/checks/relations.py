"""Checks of more than one value: items of a list, members of a union, and an update with the value before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from validation_gen.runtime import texts
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.gotext import go_quote
from validation_gen.runtime.gotime import INTEGER_TEXTS
from validation_gen.runtime.items import Items, Selector
from validation_gen.runtime.shapes import Pointer

__all__ = [
    "dependent_forbidden",
    "dependent_required",
    "discriminated_union",
    "immutable",
    "monotonic",
    "no_nulls",
    "required_item",
    "union",
    "unique",
    "update_list",
    "update_map",
    "update_pointer",
    "update_struct",
    "update_value",
    "zero_or_one_of",
]


def no_nulls(value: Sequence[Any] | None) -> list[FieldError] | None:
    if value is None or None not in value:
        return None
    return [FieldError(ErrorType.REQUIRED, "", "", "", f"[{i}]") for i, item in enumerate(value) if item is None]


def required_item(value: Sequence[Any] | None, selector: Selector, text: str) -> list[FieldError] | None:
    """Reports a list without a matching item. `text` is the selector in messages."""
    if selector.find(value, pointers=False)[0] >= 0:
        return None
    return [FieldError(ErrorType.REQUIRED, "", texts.required_item(text))]


def unique(value: Sequence[Any] | None, items: Items) -> list[FieldError] | None:
    """Reports each item that equals an earlier one, once."""
    if value is None or len(value) < 2:
        return None
    as_json = True if isinstance(items.shape, Pointer) else None  # otherwise decided by the rule
    return [
        FieldError(ErrorType.DUPLICATE, items.shape.encoded(value[i]), "", "", f"[{i}]", json_string=as_json)
        for i in items.duplicates(value)
    ] or None


Flags = Sequence[bool]


def union(names: Sequence[str], is_set: Flags, was_set: Flags | None = None) -> list[FieldError] | None:
    """Requires exactly one member."""
    count = sum(is_set)
    if count == 1 or is_set == was_set:
        return None
    detail = texts.exactly_one(names) if count else texts.one_of(names)
    return [FieldError(ErrorType.INVALID, _specified(names, is_set) if count else "", detail, "union")]


def zero_or_one_of(names: Sequence[str], is_set: Flags, was_set: Flags | None = None) -> list[FieldError] | None:
    """Allows at most one member."""
    if sum(is_set) < 2 or is_set == was_set:
        return None
    detail = texts.at_most_one(names)
    return [FieldError(ErrorType.INVALID, _specified(names, is_set), detail, "zeroOrOneOf")]


def discriminated_union(
    discriminator: tuple[str, str],
    members: Sequence[tuple[str, str]],
    is_set: Flags,
    was_set: Flags | None = None,
    was_discriminator: str | None = None,
) -> list[FieldError] | None:
    """Requires the member that the discriminator names, and forbids others.

    `discriminator` is its name and value, `members` are pairs of name and selecting value.
    """
    name, value = discriminator
    if was_set is not None and is_set == was_set and value == was_discriminator:
        return None
    errors = []
    for (member, selected_by), present in zip(members, is_set, strict=True):
        if present and value != selected_by:
            detail = f"may only be specified when `{name}` is {go_quote(selected_by)}"
        elif not present and value == selected_by:
            detail = f"must be specified when `{name}` is {go_quote(value)}"
        else:
            continue
        errors.append(FieldError(ErrorType.INVALID, "", detail, "union", f".{member}"))
    return errors or None


def dependent_required(names: Sequence[str], is_set: Flags, was_set: Flags | None = None) -> list[FieldError] | None:
    """Requires the second member when the first is set."""
    if is_set != [True, False] or is_set == was_set:
        return None
    detail = texts.required_with(names[0])
    return [FieldError(ErrorType.REQUIRED, "", detail, "dependentRequired", f".{names[1]}")]


def dependent_forbidden(names: Sequence[str], is_set: Flags, was_set: Flags | None = None) -> list[FieldError] | None:
    """Forbids the second member when the first is set."""
    if is_set != [True, True] or is_set == was_set:
        return None
    detail = texts.forbidden_with(names[0])
    return [FieldError(ErrorType.FORBIDDEN, "", detail, "dependentForbidden", f".{names[1]}")]


def _specified(names: Sequence[str], is_set: Flags) -> str:
    return "{" + ", ".join(name for name, present in zip(names, is_set, strict=True) if present) + "}"


def immutable(value: Any) -> list[FieldError] | None:  # noqa: ARG001 - every value that gets here has changed
    return [FieldError(ErrorType.INVALID, None, texts.IMMUTABLE, "immutable")]


def monotonic(value: int | None, old: int | None, type: str = "") -> list[FieldError] | None:
    """Reports a number less than the old one. `type` is a Go type whose numbers print differently."""
    if value is None or old is None or value >= old:
        return None
    shown = INTEGER_TEXTS[type](old) if type else old
    return [FieldError(ErrorType.INVALID, value, f"may not be decreased from {shown}", "monotonic")]


def _transition(constraints: Iterable[str], was: bool, is_set: bool) -> list[FieldError]:
    """Reports the constraints that a step from `was` set to `is_set` breaks; NoModify means set before and after."""
    broken = {"NoSet": is_set and not was, "NoUnset": was and not is_set, "NoModify": was and is_set}
    details = [texts.TRANSITIONS[name] for name in constraints if broken.get(name)]
    return [FieldError(ErrorType.INVALID, None, detail, "update") for detail in details]


def update_value(value: Any, old: Any, constraints: Sequence[str]) -> list[FieldError] | None:
    """Checks a plain value, set when it is not zero. Without an old value there is no transition."""
    return None if old is None else _transition(constraints, bool(old), bool(value)) or None


def update_pointer(value: Any, old: Any, constraints: Sequence[str]) -> list[FieldError] | None:
    """Checks a pointer, set when it is not null; a missing old value counts as unset."""
    return _transition(constraints, old is not None, value is not None) or None


def update_struct(value: Any, known: bool, constraints: Sequence[str]) -> list[FieldError] | None:  # noqa: ARG001
    """Checks a struct by value, which is always set. `known`: there is an old value."""
    return _transition(constraints, True, True) or None if known else None


def update_list(
    value: Sequence[Any] | None, old: Sequence[Any] | None, constraints: Sequence[str], items: Items | None = None
) -> list[FieldError] | None:
    """Checks a list, set when it has items. `items` identifies the items, where none may be added or removed."""
    value, old = value or (), old or ()
    errors = _transition(constraints, bool(old), bool(value))
    if items is not None and "NoAddItem" in constraints:
        find = items.finder(old)
        errors += [
            FieldError(ErrorType.FORBIDDEN, "", texts.NO_NEW_ITEM, "update", f"[{i}]")
            for i, item in enumerate(value)
            if not items.is_nil(item) and find(item) is None
        ]
    if items is not None and "NoRemoveItem" in constraints:
        find = items.finder(value)
        errors += [
            FieldError(ErrorType.FORBIDDEN, "", texts.NO_LOST_ITEM, "update")
            for item in old
            if not items.is_nil(item) and find(item) is None
        ]
    return errors or None


def update_map(
    value: Mapping[str, Any] | None, old: Mapping[str, Any] | None, constraints: Sequence[str]
) -> list[FieldError] | None:
    """Checks a map, set when it has keys."""
    value, old = value or {}, old or {}
    errors = _transition(constraints, bool(old), bool(value))
    for constraint, here, there, detail in (
        ("NoAddItem", value, old, texts.NO_NEW_ITEM),
        ("NoRemoveItem", old, value, texts.NO_LOST_ITEM),
    ):
        if constraint in constraints:
            errors += [
                FieldError(ErrorType.FORBIDDEN, "", detail, "update", f"[{key}]") for key in here if key not in there
            ]
    return errors or None
