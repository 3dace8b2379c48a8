"""Checks of one value, of its presence, and of options of a request."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from validation_gen.runtime import texts
from validation_gen.runtime.errors import OMITTED, ErrorType, FieldError
from validation_gen.runtime.formats import FORMATS
from validation_gen.runtime.gotext import go_quote
from validation_gen.runtime.names import byte_count, remember
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.shapes import Shape, Wire

__all__ = [
    "KNOWN",
    "always_fails",
    "enum",
    "enum_with_options",
    "forbidden",
    "forbidden_pointer",
    "format",
    "matches",
    "max_bytes",
    "max_items",
    "max_length",
    "max_properties",
    "maximum",
    "min_items",
    "min_length",
    "min_properties",
    "minimum",
    "never_fails",
    "not_equal",
    "one_of",
    "required",
    "required_pointer",
    "undefined_option",
    "unset",
    "unset_pointer",
]


def undefined_option(name: str) -> list[FieldError]:
    return [FieldError(ErrorType.INTERNAL, {}, f"undefined validation option {go_quote(name)}")]


# A look-up in the enumeration takes as long as a comparison of two numbers.
_INVALID = ErrorType.INVALID
_NOT_SUPPORTED = ErrorType.NOT_SUPPORTED
_TOO_FEW = ErrorType.TOO_FEW
_TOO_LONG = ErrorType.TOO_LONG
_TOO_MANY = ErrorType.TOO_MANY
_TOO_SHORT = ErrorType.TOO_SHORT
#: Cached valid texts by format.
KNOWN: dict[str, set[str]] = {name: set() for name in FORMATS}


def max_items(value: Sequence[Any] | None, limit: int) -> list[FieldError] | None:
    if value is None or len(value) <= limit:
        return None
    return [FieldError(_TOO_MANY, len(value), texts.too_many(limit), "maxItems")]


def min_items(value: Sequence[Any] | None, limit: int) -> list[FieldError] | None:
    count = len(value or ())
    if count >= limit:
        return None
    return [FieldError(_TOO_FEW, count, texts.too_few(limit), "minItems")]


def max_properties(value: Mapping[str, Any] | None, limit: int) -> list[FieldError] | None:
    count = len(value or ())
    if count <= limit:
        return None
    return [FieldError(_TOO_MANY, count, texts.too_many(limit), "maxProperties")]


def min_properties(value: Mapping[str, Any] | None, limit: int) -> list[FieldError] | None:
    count = len(value or ())
    if count >= limit:
        return None
    return [FieldError(_TOO_FEW, count, texts.too_few(limit), "minProperties")]


def max_length(value: str | None, limit: int) -> list[FieldError] | None:
    """Limits the number of characters."""
    if value is None or len(value) <= limit:
        return None
    return [FieldError(_TOO_LONG, OMITTED, texts.too_long(limit, "character"), "maxLength")]


def min_length(value: str | None, limit: int) -> list[FieldError] | None:
    """Requires a number of characters."""
    if value is None or len(value) >= limit:
        return None
    return [FieldError(_TOO_SHORT, value, texts.too_short(limit), "minLength")]


def max_bytes(value: str | None, limit: int, origin: str = "maxBytes") -> list[FieldError] | None:
    """Limits the number of bytes in UTF-8."""
    if value is None or byte_count(value) <= limit:
        return None
    return [FieldError(_TOO_LONG, OMITTED, texts.too_long(limit), origin)]


def minimum(value: int | None, limit: int) -> list[FieldError] | None:
    if value is None or value >= limit:
        return None
    return [FieldError(_INVALID, value, texts.at_least(limit), "minimum")]


def maximum(value: int | None, limit: int) -> list[FieldError] | None:
    if value is None or value <= limit:
        return None
    return [FieldError(_INVALID, value, texts.at_most(limit), "maximum")]


def not_equal(value: Any, disallowed: str | int | bool, shown: str = "") -> list[FieldError] | None:
    """Reports the disallowed value. `shown` is its text in Go, where that is unusual."""
    if value is None or value != disallowed:
        return None
    return [FieldError(_INVALID, value, texts.not_equal(disallowed, shown), "neq")]


def one_of(*values: str) -> dict[str, None]:
    """Returns the legal values of an enum, in the order of its message."""
    return dict.fromkeys(values)


def enum(value: str | None, values: Mapping[str, object]) -> list[FieldError] | None:
    """Reports a value that is not in `values`, whose keys are in the order of the message."""
    if value is None or value in values:
        return None
    return [FieldError(_NOT_SUPPORTED, value, _supported(tuple(values)))]


@functools.lru_cache(maxsize=1024)
def _supported(values: tuple[str, ...]) -> str:
    return texts.supported(values)


def enum_with_options(
    value: str | None,
    values: Collection[str],
    exclusions: Sequence[tuple[str, str, bool]],
    lenient: bool,
    op: Operation,
) -> list[FieldError] | None:
    """Checks an enum some of whose values depend on options.

    `exclusions` are triples of value, option, and the state of the option that excludes the value. An option that the
    request does not define makes the whole enum undecidable, or counts as off when `lenient`.
    """
    if value is None:
        return None
    undefined = None
    excluded: set[str] = set()
    for name, option, when in exclusions:
        state = op.option(option)
        if state is None and not lenient:
            undefined = option  # only for values that no other exclusion matches
            break
        if bool(state) == when:
            excluded.add(name)
    if value not in excluded and (undefined is not None or value in values):
        return None if undefined is None else undefined_option(undefined)
    allowed = [name for name in values if name not in excluded]
    if undefined is not None and allowed:
        return undefined_option(undefined)
    return enum(value, dict.fromkeys(allowed))


def format(value: str | None, name: str) -> list[FieldError] | None:
    """Checks a format. `name` is one of `validation_gen.runtime.formats`."""
    if value is None:
        return None
    errors = FORMATS[name](value)
    if errors is None:
        remember(KNOWN[name], value)
    return errors


def matches(value: str | None, pattern: str, message: str, origin: str) -> list[FieldError] | None:
    """Searches a value for a regular expression of Go, in linear time: `validate.Matches` of Kubernetes 1.38."""
    if value is None:
        return None
    from validation_gen.runtime.goregex import compiled  # noqa: PLC0415 - for formats of projects

    return [FieldError(_INVALID, value, message, origin)] if compiled(pattern).matches(value) is False else None


def required(value: Any) -> list[FieldError] | None:
    return None if value else [FieldError(ErrorType.REQUIRED)]


def required_pointer(value: Any) -> list[FieldError] | None:
    return [FieldError(ErrorType.REQUIRED)] if value is None else None


def forbidden(value: Any) -> list[FieldError] | None:
    return [FieldError(ErrorType.FORBIDDEN)] if value else None


def forbidden_pointer(value: Any) -> list[FieldError] | None:
    return None if value is None else [FieldError(ErrorType.FORBIDDEN)]


def unset(value: Any) -> bool:
    """Returns whether a value is unset. Its other checks are skipped then."""
    return not value


def unset_pointer(value: Any) -> bool:
    return value is None


def always_fails(value: Any, text: str, shape: Shape) -> list[FieldError] | None:
    """Reports every value."""
    detail = f"forced failure: {text}"
    # Go passes a pointer here, and what a pointer points to is printed as JSON.
    # A type with a JSON form of its own is never nil here, other values are when they are behind a pointer.
    bad = None if value is None and not isinstance(shape, Wire) else shape.encoded(value)
    return [FieldError(ErrorType.INVALID, bad, detail, "validateFalse", json_string=True)]


def never_fails(value: Any, text: str, shape: Shape) -> list[FieldError] | None:  # noqa: ARG001 - one form for both
    """Accepts every value."""
    return None
