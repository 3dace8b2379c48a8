"""One record for each predicate of the runtime, with all properties that other modules need.

A predicate is a function of `validation_gen.runtime.checks`. Emitters, searches and comparisons use its record and
compare no names: properties of several predicates are attributes, and a particular one is a constant of this module.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from validation_gen.runtime import texts


@dataclass(frozen=True, slots=True)
class Emission:
    """An error that a check can give: type, origin and the path below the checked value (`""`, `[*]`, `.child`)."""

    type: str
    origin: str = ""
    path: str = ""


class AppliesOn(enum.Enum):
    """The operations in which a check can give an error."""

    ALWAYS = "always"
    UPDATE = "update"


class Aspect(enum.Enum):
    """Aspect of a value that a predicate checks."""

    PRESENCE = "presence"
    SIZE = "number of items"
    CHARACTERS = "number of characters"
    BYTES = "number of bytes"
    NUMBER = "number"
    VALUE = "value"
    ITEMS = "items"
    CHANGE = "change by an update"
    ANYTHING = "anything"


class Bound(enum.Enum):
    """Kind of a limit: the least or the greatest value."""

    LEAST = "least"
    MOST = "most"


class Presence(enum.Enum):
    """Effect of a predicate on set and unset fields."""

    REQUIRED = "must be set"
    FORBIDDEN = "must not be set"
    UNSET = "is left alone while it is not set"


class AbsentPolicy(enum.IntEnum):
    """Absent values that pass a predicate with any operands. Each member includes the members before it."""

    NONE = 0
    NULL = 1
    ZERO = 2


class Operands(enum.Enum):
    """Operands that distinguish two predicates of a kind; the others follow from the type of the value."""

    ALL = "all"
    FIRST = "the first"
    NONE = "none"


#: All predicates, by name.
PREDICATES: dict[str, PredicateSpec] = {}


@dataclass(frozen=True, slots=True, eq=False)
class PredicateSpec:
    """A predicate of the runtime. Each has one instance, as a constant of this module, and is compared by identity.

    Rules make `Predicate`s of it. A new one needs a function in the runtime and a record here; a limit has samples in
    the tests of records, too. The one module that needs a property without an attribute (an enum in a schema, a pair of
    limits in a quick condition) has it, and a test of records reports a module without an answer.

    Attributes:
        name: the function in `validation_gen.runtime.checks`, called with the value, the old value with `old`, whether
            there is an old value with `known`, the operands, a shape if the `Predicate` has one, the request
            with `request`.
        measures: the aspect of the value that it checks.
        emits: the errors that it can give. It is empty if they depend on the operands.
        constraint: its name in comparisons of versions, which is that of the equivalent tag or keyword.
        passes: the absent values that pass; none of a change, where the old value counts.
        judges_null: it can fail for null. All others skip null, as there is no value.
        bound: whether its operand is a limit, and which one.
        presence: its effect on set and unset fields.
        pointer: null is unset for it, instead of the zero value.
        when: whether it exists on create.
        known: for values that may be null although they are there.
        operands: those that count in comparisons of versions.
        quick: a condition in Python that holds whenever a present value fails, with `{v}` for the value and `{0}` for
            an operand, and other braces doubled, as in a template of `str.format`; `""` where the call is as quick, or
            only the emitter knows one.
        keyword: the keyword of schemas that has the operand as its value.
        keyword_is_exact: the keyword is no weaker than the predicate.
        cel: the predicate in CEL, a template like `quick`; `""` if it is not about a single value, or if it depends on
            the operands.
        text: the API server's text for a value that fails, by the operands.
    """

    name: str
    measures: Aspect
    constraint: str
    emits: tuple[Emission, ...] = ()
    passes: AbsentPolicy = AbsentPolicy.NONE
    judges_null: bool = False
    bound: Bound | None = None
    presence: Presence | None = None
    pointer: bool = False
    when: AppliesOn = AppliesOn.ALWAYS
    old: bool = False
    known: bool = False
    request: bool = False
    operands: Operands = Operands.ALL
    quick: str = ""
    keyword: str = ""
    keyword_is_exact: bool = True
    cel: str = ""
    text: Callable[..., str] | None = None

    def __post_init__(self) -> None:
        assert self.name not in PREDICATES, self.name
        PREDICATES[self.name] = self

    def __repr__(self) -> str:
        return f"predicates.{self.name.upper()}"

    @property
    def is_plain(self) -> bool:
        """True if the predicate only uses the value and the operands."""
        return not (self.old or self.known or self.request)

    @property
    def judges_a_value(self) -> bool:
        """True if the predicate depends on one value and its operands: neither on a change, nor on other items."""
        return self.measures in _OF_ONE_VALUE or self.presence in (Presence.REQUIRED, Presence.FORBIDDEN)


_OF_ONE_VALUE = frozenset(
    (Aspect.SIZE, Aspect.CHARACTERS, Aspect.BYTES, Aspect.NUMBER, Aspect.VALUE),
)


# --- presence of a field ----------------------------------------------------------------------------------------------

_REQUIRED = (Emission("FieldValueRequired"),)
_FORBIDDEN = (Emission("FieldValueForbidden"),)


def _presence(
    name: str, constraint: str, presence: Presence, emits: tuple[Emission, ...] = (), **more: Any
) -> tuple[PredicateSpec, PredicateSpec]:
    """Returns the predicate for a value, which is unset when zero, and the one for a pointer, unset when null."""
    common = {"judges_null": True, "presence": presence, **more}
    return (
        PredicateSpec(name, Aspect.PRESENCE, constraint, emits, **common),
        PredicateSpec(f"{name}_pointer", Aspect.PRESENCE, constraint, emits, pointer=True, **common),
    )


REQUIRED, REQUIRED_POINTER = _presence("required", "required", Presence.REQUIRED, _REQUIRED, operands=Operands.NONE)
UNSET, UNSET_POINTER = _presence("unset", "optional", Presence.UNSET, operands=Operands.NONE)
FORBIDDEN, FORBIDDEN_POINTER = _presence(
    "forbidden", "forbidden", Presence.FORBIDDEN, _FORBIDDEN, passes=AbsentPolicy.ZERO
)

# --- limits -----------------------------------------------------------------------------------------------------------


def _limit(
    name: str, measures: Aspect, error: str, bound: Bound, text: Callable[..., str], **more: Any
) -> PredicateSpec:
    """Returns a limit. Its constraint, the origin of its errors, and its usual keyword have the name of its tag."""
    head, _, rest = name.partition("_")
    tag = f"{head}{rest.capitalize()}"
    emits = (Emission(error, tag),)
    return PredicateSpec(name, measures, tag, emits, bound=bound, text=text, **{"keyword": tag, **more})


def _max_size(name: str) -> PredicateSpec:
    more = {"passes": AbsentPolicy.ZERO, "quick": "len({v}) > {0}", "cel": "{v}.size() <= {0}"}
    return _limit(name, Aspect.SIZE, "FieldValueTooMany", Bound.MOST, texts.too_many, **more)


def _min_size(name: str) -> PredicateSpec:
    error, cel = "FieldValueTooFew", "{v}.size() >= {0}"
    return _limit(name, Aspect.SIZE, error, Bound.LEAST, texts.too_few, judges_null=True, cel=cel)


MAX_ITEMS, MIN_ITEMS = _max_size("max_items"), _min_size("min_items")
MAX_PROPERTIES, MIN_PROPERTIES = _max_size("max_properties"), _min_size("min_properties")
MAX_LENGTH = _limit(
    "max_length",
    Aspect.CHARACTERS,
    "FieldValueTooLong",
    Bound.MOST,
    lambda limit: texts.too_long(limit, "character"),
    passes=AbsentPolicy.ZERO,
    cel="{v}.size() <= {0}",
)
MIN_LENGTH = _limit(
    "min_length",
    Aspect.CHARACTERS,
    "FieldValueTooShort",
    Bound.LEAST,
    texts.too_short,
    passes=AbsentPolicy.NULL,
    cel="{v}.size() >= {0}",
)
#: Its second operand is the origin of its errors, if that is another.
MAX_BYTES = _limit(
    "max_bytes",
    Aspect.BYTES,
    "FieldValueTooLong",
    Bound.MOST,
    lambda limit, origin="": texts.too_long(limit),
    passes=AbsentPolicy.ZERO,
    operands=Operands.FIRST,
    quick="len({v}) > {0} or not {v}.isascii()",
    keyword="maxLength",
    keyword_is_exact=False,
    cel="bytes({v}).size() <= {0}",
)
MINIMUM = _limit("minimum", Aspect.NUMBER, "FieldValueInvalid", Bound.LEAST, texts.at_least, passes=AbsentPolicy.NULL)
MAXIMUM = _limit("maximum", Aspect.NUMBER, "FieldValueInvalid", Bound.MOST, texts.at_most, passes=AbsentPolicy.NULL)

# --- one value --------------------------------------------------------------------------------------------------------

#: Its second operand is Go's form of the value, if that is unusual.
NOT_EQUAL = PredicateSpec(
    "not_equal",
    Aspect.VALUE,
    "neq",
    (Emission("FieldValueInvalid", "neq"),),
    passes=AbsentPolicy.NULL,
    operands=Operands.FIRST,
    quick="{v} == {0}",
    cel="{v} != {0}",
    text=texts.not_equal,
)
ENUM = PredicateSpec(
    "enum",
    Aspect.VALUE,
    "enum",
    (Emission("FieldValueNotSupported"),),
    passes=AbsentPolicy.NULL,
    operands=Operands.FIRST,
    keyword="enum",
)
#: Its operands are values, exclusions (value, option, the state that excludes it), and whether unknown options are off.
ENUM_WITH_OPTIONS = PredicateSpec(
    "enum_with_options",
    Aspect.VALUE,
    "enum",
    (Emission("FieldValueNotSupported"), Emission("InternalError")),
    passes=AbsentPolicy.NULL,
    operands=Operands.FIRST,
    request=True,
)
FORMAT = PredicateSpec("format", Aspect.VALUE, "format", passes=AbsentPolicy.NULL)
#: A text of a pattern, such as a format of a project. Its operands: a pattern of Go, the text of errors, their origin.
MATCHES = PredicateSpec(
    "matches",
    Aspect.VALUE,
    "pattern",
    passes=AbsentPolicy.NULL,
    operands=Operands.FIRST,
    keyword="pattern",
    cel="{v}.matches({0})",
    text=lambda pattern, message, origin: message,
)

# --- items ------------------------------------------------------------------------------------------------------------

UNIQUE = PredicateSpec(
    "unique",
    Aspect.ITEMS,
    "unique",
    (Emission("FieldValueDuplicate", "", "[*]"),),
    passes=AbsentPolicy.ZERO,
)
NO_NULLS = PredicateSpec(
    "no_nulls",
    Aspect.ITEMS,
    "no_nulls",
    (Emission("FieldValueRequired", "", "[*]"),),
    passes=AbsentPolicy.ZERO,
    judges_null=True,
    quick="None in {v}",
)
REQUIRED_ITEM = PredicateSpec("required_item", Aspect.ITEMS, "requiredItem", _REQUIRED, judges_null=True)

# --- changes ----------------------------------------------------------------------------------------------------------

_UPDATE = (Emission("FieldValueInvalid", "update"),)


def _update(kind: str, emits: tuple[Emission, ...], *, judges_null: bool = False, known: bool = False) -> PredicateSpec:
    """Returns the predicate for the constraints of `update` on a kind of values."""
    return PredicateSpec(
        f"update_{kind}",
        Aspect.CHANGE,
        "update",
        emits,
        operands=Operands.FIRST,
        judges_null=judges_null,
        when=AppliesOn.UPDATE,
        old=not known,
        known=known,
    )


IMMUTABLE = PredicateSpec(
    "immutable",
    Aspect.CHANGE,
    "immutable",
    (Emission("FieldValueInvalid", "immutable"),),
    judges_null=True,
    when=AppliesOn.UPDATE,
)
MONOTONIC = PredicateSpec(
    "monotonic",
    Aspect.CHANGE,
    "monotonic",
    (Emission("FieldValueInvalid", "monotonic"),),
    operands=Operands.NONE,
    when=AppliesOn.UPDATE,
    old=True,
)
UPDATE_VALUE = _update("value", _UPDATE)
UPDATE_POINTER = _update("pointer", _UPDATE, judges_null=True)
UPDATE_STRUCT = _update("struct", _UPDATE, known=True)
UPDATE_LIST = _update("list", (), judges_null=True)
UPDATE_MAP = _update("map", (), judges_null=True)

# --- predicates that only the runtime knows ---------------------------------------------------------------------------

ALWAYS_FAILS = PredicateSpec(
    "always_fails",
    Aspect.ANYTHING,
    "always_fails",
    (Emission("FieldValueInvalid", "validateFalse"),),
    judges_null=True,
)
NEVER_FAILS = PredicateSpec("never_fails", Aspect.ANYTHING, "never_fails", judges_null=True)
CUSTOM = PredicateSpec("custom", Aspect.ANYTHING, "custom", judges_null=True, old=True, request=True)
