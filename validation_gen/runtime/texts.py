"""Texts of the API server: the details of errors, each defined once.

Validators, rules in schemas, and checks of definitions share these texts. Each function names the one of Kubernetes
that it follows; they are those of `field` (`k8s.io/apimachinery/pkg/util/validation/field`), `content`
(`…/pkg/api/validate/content`) and `validate` (`…/pkg/api/validate`). A text with one use is at its place.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

from validation_gen.runtime.gotext import go_quote
from validation_gen.runtime.words import counted

# --- how many, how long ----------------------------------------------------------------------------------------------
# A negative limit is unknown, and is not shown.


@functools.lru_cache(maxsize=256)
def too_long(limit: int, unit: str = "byte") -> str:
    """Says that a text is too long: `field.TooLong`, or `TooLongCharacters` if the unit is `character`."""
    return f"may not be more than {counted(limit, unit)}" if limit >= 0 else "value is too long"


@functools.lru_cache(maxsize=256)
def too_short(limit: int) -> str:
    """Says that a text has too few characters: `field.TooShort`."""
    return f"must be at least {counted(limit, 'character')}" if limit >= 0 else "value is too short"


@functools.lru_cache(maxsize=256)
def too_many(limit: int) -> str:
    """Says that a list or map has too many items: `field.TooMany`."""
    return f"must have at most {counted(limit, 'item')}" if limit >= 0 else "has too many items"


@functools.lru_cache(maxsize=256)
def too_few(limit: int) -> str:
    """Says that a list or map has too few items: `field.TooFew`."""
    return f"must have at least {counted(limit, 'item')}" if limit >= 0 else "has too few items"


def name_too_long(limit: int, unit: str = "bytes") -> str:
    """Reports that a name is too long: `content.MaxLenError`, or that of `validation` with `characters`."""
    return f"must be no more than {limit} {unit}"


# --- which values ----------------------------------------------------------------------------------------------------


def at_least(limit: int) -> str:
    """Says that a number is too small: `content.MinError`."""
    return f"must be greater than or equal to {limit}"


def at_most(limit: int) -> str:
    """Says that a number is too great: `content.MaxError`."""
    return f"must be less than or equal to {limit}"


def not_equal(disallowed: str | int | bool, shown: str = "") -> str:
    """Says that a value is the one that is not allowed: `content.NEQError`.

    `shown` is how Go prints a value that is not a string, where that is not as usual.
    """
    if isinstance(disallowed, str):
        shown = go_quote(disallowed)
    elif not shown:
        shown = str(disallowed).lower() if isinstance(disallowed, bool) else str(disallowed)
    return f"must not be equal to {shown}"


def supported(values: Iterable[str]) -> str:
    """Lists the supported values: `field.NotSupported`. Returns an empty text without values."""
    shown = ", ".join(map(go_quote, values))
    return f"supported values: {shown}" if shown else ""


def unmatched(text: str, regex: str, *examples: str) -> str:
    """Says that a name does not match: `content.RegexError`. The doubled blank after a comma is upstream's."""
    shown = " or ".join(f"'{example}', " for example in examples)
    return f"{text} ({'e.g. ' if shown else ''}{shown}regex used for validation is '{regex}')"


# --- changes ---------------------------------------------------------------------------------------------------------

#: `validate.Immutable`.
IMMUTABLE = "field is immutable"
#: What `validate.UpdateValueByCompare` and its siblings say of a value that was set, cleared or changed.
TRANSITIONS = {
    "NoSet": "field cannot be set once created",
    "NoUnset": "field cannot be cleared once set",
    "NoModify": "field cannot be modified once set",
}
#: ... and of an item that is new or gone.
NO_NEW_ITEM = "item may not be added"
NO_LOST_ITEM = "item may not be removed"


# --- members ---------------------------------------------------------------------------------------------------------


def exactly_one(names: Iterable[str]) -> str:
    """Says that several members of a union are set: `validate.Union`."""
    return f"must specify exactly one of: {_listed(names)}"


def one_of(names: Iterable[str]) -> str:
    """Says that no member of a union is set: `validate.Union`."""
    return f"must specify one of: {_listed(names)}"


def at_most_one(names: Iterable[str]) -> str:
    """Says that several members are set where one may be: `validate.ZeroOrOneOfUnion`."""
    return f"must specify at most one of: {_listed(names)}"


def required_with(name: str) -> str:
    """Says that a field is missing since another is set: `validate.DependentRequired`."""
    return f"must be set when {name} is set"


def forbidden_with(name: str) -> str:
    """Says that a field is set although another is: `validate.DependentForbidden`."""
    return f"may not be set when {name} is set"


def required_item(selector: str) -> str:
    """Says that a list lacks an item."""
    return f"must contain the item {selector}"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
