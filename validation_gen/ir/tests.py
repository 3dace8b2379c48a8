"""One record for each test of the runtime, with all properties that other modules need.

A test is a function of `validation_gen.runtime.checks`. Emitters, searches and comparisons use its record and compare
no names: properties of several tests are attributes, and a particular test is a constant of this module.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass

from validation_gen.runtime import texts


@dataclass(frozen=True, slots=True)
class Emission:
    """An error that a check can give: type, origin and the path below the checked value (`""`, `[*]`, `.child`)."""

    type: str
    origin: str = ""
    path: str = ""


class When(enum.Enum):
    """The operations in which a check can give an error."""

    ALWAYS = "always"
    UPDATE = "update"


class Measure(enum.Enum):
    """Aspect of a value that a test checks."""

    PRESENCE = "whether it is set"
    SIZE = "how many items it has"
    CHARACTERS = "how many characters it has"
    BYTES = "how many bytes it has"
    NUMBER = "how great it is"
    VALUE = "which value it is"
    ITEMS = "which items it has"
    CHANGE = "what an update makes of it"
    ANYTHING = "what only the runtime knows"


class Bound(enum.Enum):
    """Kind of a limit: the least or the greatest value."""

    LEAST = "least"
    MOST = "most"


class Presence(enum.Enum):
    """Effect of a test on set and unset fields."""

    REQUIRED = "must be set"
    FORBIDDEN = "must not be set"
    UNSET = "is left alone while it is not set"


class Passes(enum.IntEnum):
    """Absent values that pass a test whatever its operands are, each with those before it."""

    NONE = 0
    NULL = 1
    ZERO = 2


class Operands(enum.Enum):
    """Operands that distinguish two tests of a kind; the others follow from the type of the value."""

    ALL = "all"
    FIRST = "the first"
    NONE = "none"


#: All tests, by name.
TESTS: dict[str, TestRecord] = {}


@dataclass(frozen=True, slots=True, eq=False)
class TestRecord:
    """A test of the runtime. Each has one instance, as a constant of this module, and is compared by identity.

    Rules make `Test`s of it. A new one needs a function in the runtime and a record here, and nothing else: properties
    without an attribute (an enum in a schema, a pair of limits in a quick condition) are known to the one module that
    uses them, and a test of records reports a module without an answer.

    Attributes:
        name: the function in `validation_gen.runtime.checks`, called with the value, the old value with `old`, whether
            there is an old value with `known`, the operands, a shape if the `Test` has one, the request with `request`.
        measures: the aspect of the value that it checks.
        emits: the errors that it can give. It is empty if they depend on the operands.
        demand: its name in comparisons of versions, which is that of the equivalent tag or keyword.
        passes: the absent values that pass; none of a change, where the old value counts.
        judges_null: it can fail for null. All others skip null, as there is no value.
        bound: whether its operand is a limit, and which one.
        presence: its effect on set and unset fields.
        pointer: null is unset for it, instead of the zero value.
        when: whether it exists on create.
        known: for values that may be null although they are there.
        operands: those that count in comparisons of versions.
        quick: a condition in Python that holds whenever a present value fails, with `{v}` for the value and `{0}` for
            an operand; `""` where the call is as quick, or only the emitter knows one.
        keyword: the keyword of schemas that has the operand as its value.
        keyword_is_exact: the keyword is no weaker than the test.
        cel: the test in CEL, with `{v}` and `{0}`; `""` if it is not about a single value, or if it depends on the
            operands.
        text: the API server's text for a value that fails, by the operands.
    """

    __test__ = False  # no class of tests, in spite of its name for pytest

    name: str
    measures: Measure
    demand: str
    emits: tuple[Emission, ...] = ()
    passes: Passes = Passes.NONE
    judges_null: bool = False
    bound: Bound | None = None
    presence: Presence | None = None
    pointer: bool = False
    when: When = When.ALWAYS
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
        assert self.name not in TESTS, self.name
        TESTS[self.name] = self

    def __repr__(self) -> str:
        return f"tests.{self.name.upper()}"

    @property
    def is_plain(self) -> bool:
        """True if the test only uses the value and the operands."""
        return not (self.old or self.known or self.request)

    @property
    def judges_a_value(self) -> bool:
        """True if the test only depends on one value and its operands: neither a change, nor an item beside others."""
        return self.measures in _OF_ONE_VALUE or self.presence in (Presence.REQUIRED, Presence.FORBIDDEN)


_OF_ONE_VALUE = frozenset(
    (Measure.SIZE, Measure.CHARACTERS, Measure.BYTES, Measure.NUMBER, Measure.VALUE),
)


# --- presence of a field ----------------------------------------------------------------------------------------------

_REQUIRED = (Emission("FieldValueRequired"),)
_FORBIDDEN = (Emission("FieldValueForbidden"),)

REQUIRED = TestRecord(
    "required",
    Measure.PRESENCE,
    "required",
    _REQUIRED,
    judges_null=True,
    presence=Presence.REQUIRED,
    operands=Operands.NONE,
)
REQUIRED_POINTER = TestRecord(
    "required_pointer",
    Measure.PRESENCE,
    "required",
    _REQUIRED,
    judges_null=True,
    presence=Presence.REQUIRED,
    pointer=True,
    operands=Operands.NONE,
)
UNSET = TestRecord(
    "unset",
    Measure.PRESENCE,
    "optional",
    judges_null=True,
    presence=Presence.UNSET,
    operands=Operands.NONE,
)
UNSET_POINTER = TestRecord(
    "unset_pointer",
    Measure.PRESENCE,
    "optional",
    judges_null=True,
    presence=Presence.UNSET,
    pointer=True,
    operands=Operands.NONE,
)
FORBIDDEN = TestRecord(
    "forbidden",
    Measure.PRESENCE,
    "forbidden",
    _FORBIDDEN,
    passes=Passes.ZERO,
    judges_null=True,
    presence=Presence.FORBIDDEN,
)
FORBIDDEN_POINTER = TestRecord(
    "forbidden_pointer",
    Measure.PRESENCE,
    "forbidden",
    _FORBIDDEN,
    passes=Passes.ZERO,
    judges_null=True,
    presence=Presence.FORBIDDEN,
    pointer=True,
)

# --- limits -----------------------------------------------------------------------------------------------------------

MAX_ITEMS = TestRecord(
    "max_items",
    Measure.SIZE,
    "maxItems",
    (Emission("FieldValueTooMany", "maxItems"),),
    passes=Passes.ZERO,
    bound=Bound.MOST,
    quick="len({v}) > {0}",
    keyword="maxItems",
    cel="{v}.size() <= {0}",
    text=texts.too_many,
)
MIN_ITEMS = TestRecord(
    "min_items",
    Measure.SIZE,
    "minItems",
    (Emission("FieldValueTooFew", "minItems"),),
    judges_null=True,
    bound=Bound.LEAST,
    keyword="minItems",
    cel="{v}.size() >= {0}",
    text=texts.too_few,
)
MAX_PROPERTIES = TestRecord(
    "max_properties",
    Measure.SIZE,
    "maxProperties",
    (Emission("FieldValueTooMany", "maxProperties"),),
    passes=Passes.ZERO,
    bound=Bound.MOST,
    quick="len({v}) > {0}",
    keyword="maxProperties",
    cel="{v}.size() <= {0}",
    text=texts.too_many,
)
MIN_PROPERTIES = TestRecord(
    "min_properties",
    Measure.SIZE,
    "minProperties",
    (Emission("FieldValueTooFew", "minProperties"),),
    judges_null=True,
    bound=Bound.LEAST,
    keyword="minProperties",
    cel="{v}.size() >= {0}",
    text=texts.too_few,
)
MAX_LENGTH = TestRecord(
    "max_length",
    Measure.CHARACTERS,
    "maxLength",
    (Emission("FieldValueTooLong", "maxLength"),),
    passes=Passes.ZERO,
    bound=Bound.MOST,
    keyword="maxLength",
    cel="{v}.size() <= {0}",
    text=lambda limit: texts.too_long(limit, "character"),
)
MIN_LENGTH = TestRecord(
    "min_length",
    Measure.CHARACTERS,
    "minLength",
    (Emission("FieldValueTooShort", "minLength"),),
    passes=Passes.NULL,
    bound=Bound.LEAST,
    keyword="minLength",
    cel="{v}.size() >= {0}",
    text=texts.too_short,
)
#: Its second operand is the origin of its errors, if that is another.
MAX_BYTES = TestRecord(
    "max_bytes",
    Measure.BYTES,
    "maxBytes",
    (Emission("FieldValueTooLong", "maxBytes"),),
    passes=Passes.ZERO,
    bound=Bound.MOST,
    operands=Operands.FIRST,
    quick="len({v}) > {0} or not {v}.isascii()",
    keyword="maxLength",
    keyword_is_exact=False,
    cel="bytes({v}).size() <= {0}",
    text=lambda limit, origin="": texts.too_long(limit),
)
MINIMUM = TestRecord(
    "minimum",
    Measure.NUMBER,
    "minimum",
    (Emission("FieldValueInvalid", "minimum"),),
    passes=Passes.NULL,
    bound=Bound.LEAST,
    keyword="minimum",
    text=texts.at_least,
)
MAXIMUM = TestRecord(
    "maximum",
    Measure.NUMBER,
    "maximum",
    (Emission("FieldValueInvalid", "maximum"),),
    passes=Passes.NULL,
    bound=Bound.MOST,
    keyword="maximum",
    text=texts.at_most,
)

# --- one value --------------------------------------------------------------------------------------------------------

#: Its second operand is Go's form of the value, if that is unusual.
NOT_EQUAL = TestRecord(
    "not_equal",
    Measure.VALUE,
    "neq",
    (Emission("FieldValueInvalid", "neq"),),
    passes=Passes.NULL,
    operands=Operands.FIRST,
    quick="{v} == {0}",
    cel="{v} != {0}",
    text=texts.not_equal,
)
ENUM = TestRecord(
    "enum",
    Measure.VALUE,
    "enum",
    (Emission("FieldValueNotSupported"),),
    passes=Passes.NULL,
    operands=Operands.FIRST,
    keyword="enum",
)
#: Its operands are values, exclusions (value, option, the state that excludes it), and whether unknown options are off.
ENUM_WITH_OPTIONS = TestRecord(
    "enum_with_options",
    Measure.VALUE,
    "enum",
    (Emission("FieldValueNotSupported"), Emission("InternalError")),
    passes=Passes.NULL,
    operands=Operands.FIRST,
    request=True,
)
FORMAT = TestRecord("format", Measure.VALUE, "format", passes=Passes.NULL)

# --- items ------------------------------------------------------------------------------------------------------------

UNIQUE = TestRecord(
    "unique",
    Measure.ITEMS,
    "unique",
    (Emission("FieldValueDuplicate", "", "[*]"),),
    passes=Passes.ZERO,
)
NO_NULLS = TestRecord(
    "no_nulls",
    Measure.ITEMS,
    "no_nulls",
    (Emission("FieldValueRequired", "", "[*]"),),
    passes=Passes.ZERO,
    judges_null=True,
    quick="None in {v}",
)
REQUIRED_ITEM = TestRecord("required_item", Measure.ITEMS, "requiredItem", _REQUIRED, judges_null=True)

# --- changes ----------------------------------------------------------------------------------------------------------

_UPDATE = (Emission("FieldValueInvalid", "update"),)

IMMUTABLE = TestRecord(
    "immutable",
    Measure.CHANGE,
    "immutable",
    (Emission("FieldValueInvalid", "immutable"),),
    judges_null=True,
    when=When.UPDATE,
)
MONOTONIC = TestRecord(
    "monotonic",
    Measure.CHANGE,
    "monotonic",
    (Emission("FieldValueInvalid", "monotonic"),),
    operands=Operands.NONE,
    when=When.UPDATE,
    old=True,
)
UPDATE_VALUE = TestRecord(
    "update_value",
    Measure.CHANGE,
    "update",
    _UPDATE,
    operands=Operands.FIRST,
    when=When.UPDATE,
    old=True,
)
UPDATE_POINTER = TestRecord(
    "update_pointer",
    Measure.CHANGE,
    "update",
    _UPDATE,
    operands=Operands.FIRST,
    judges_null=True,
    when=When.UPDATE,
    old=True,
)
UPDATE_STRUCT = TestRecord(
    "update_struct",
    Measure.CHANGE,
    "update",
    _UPDATE,
    operands=Operands.FIRST,
    when=When.UPDATE,
    known=True,
)
UPDATE_LIST = TestRecord(
    "update_list",
    Measure.CHANGE,
    "update",
    operands=Operands.FIRST,
    judges_null=True,
    when=When.UPDATE,
    old=True,
)
UPDATE_MAP = TestRecord(
    "update_map",
    Measure.CHANGE,
    "update",
    operands=Operands.FIRST,
    judges_null=True,
    when=When.UPDATE,
    old=True,
)

# --- tests that only the runtime knows --------------------------------------------------------------------------------

ALWAYS_FAILS = TestRecord(
    "always_fails",
    Measure.ANYTHING,
    "always_fails",
    (Emission("FieldValueInvalid", "validateFalse"),),
    judges_null=True,
)
NEVER_FAILS = TestRecord("never_fails", Measure.ANYTHING, "never_fails", judges_null=True)
CUSTOM = TestRecord("custom", Measure.ANYTHING, "custom", judges_null=True, old=True, request=True)
