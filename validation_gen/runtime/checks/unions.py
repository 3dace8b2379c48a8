"""Checks of the number of set members (tag reference 2.7).

`is_set` and `was_set` have a flag for each member, in order of declaration: it is set in the new and in the old object;
`was_set` is `None` when there is no old object. An update that changes no flag is skipped.
"""

from __future__ import annotations

from collections.abc import Sequence

from validation_gen.runtime import texts
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.gotext import go_quote

__all__ = ["dependent_forbidden", "dependent_required", "discriminated_union", "union", "zero_or_one_of"]

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
