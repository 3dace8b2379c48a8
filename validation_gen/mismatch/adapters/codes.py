"""Names of validation libraries: their classes, and the meanings of their error codes, keywords and messages.

This module imports no library.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from validation_gen.runtime.errors import ErrorType

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ErrorMapping:
    """Meaning of a foreign error code; `None` for each unknown part."""

    type: ErrorType | None
    origin: str | None = ""


UNKNOWN = ErrorMapping(None, None)
INVALID = ErrorMapping(ErrorType.INVALID, None)
REQUIRED = ErrorMapping(ErrorType.REQUIRED)
FORBIDDEN = ErrorMapping(ErrorType.FORBIDDEN, None)
NOT_SUPPORTED = ErrorMapping(ErrorType.NOT_SUPPORTED)
TYPE_INVALID = ErrorMapping(ErrorType.TYPE_INVALID)
DUPLICATE = ErrorMapping(ErrorType.DUPLICATE)
MINIMUM = ErrorMapping(ErrorType.INVALID, "minimum")
MAXIMUM = ErrorMapping(ErrorType.INVALID, "maximum")
MAX_LENGTH = ErrorMapping(ErrorType.TOO_LONG, "maxLength")
MIN_LENGTH = ErrorMapping(ErrorType.TOO_SHORT, "minLength")
MAX_BYTES = ErrorMapping(ErrorType.TOO_LONG, "maxBytes")
MAX_ITEMS = ErrorMapping(ErrorType.TOO_MANY, "maxItems")
MIN_ITEMS = ErrorMapping(ErrorType.TOO_FEW, "minItems")
MAX_PROPERTIES = ErrorMapping(ErrorType.TOO_MANY, "maxProperties")
MIN_PROPERTIES = ErrorMapping(ErrorType.TOO_FEW, "minProperties")


def upper_limit(value: object) -> ErrorMapping:
    """Returns the rule that a value of this type breaks by being too long."""
    return MAX_ITEMS if isinstance(value, list | tuple) else MAX_PROPERTIES if isinstance(value, dict) else MAX_LENGTH


def lower_limit(value: object) -> ErrorMapping:
    """Returns the rule that a value of this type breaks by being too short."""
    return MIN_ITEMS if isinstance(value, list | tuple) else MIN_PROPERTIES if isinstance(value, dict) else MIN_LENGTH


def class_names(cls: type) -> list[tuple[str, str]]:
    """Returns the package and the name of a class and of its bases."""
    return [(each.__module__.partition(".")[0], each.__name__) for each in cls.__mro__]


def find_by_class(table: Mapping[tuple[str, str], T], cls: type) -> T | None:
    """Returns the entry of a class or of its nearest base, `None` if there is none."""
    return next((table[name] for name in class_names(cls) if name in table), None)


def _by_name(names: Mapping[ErrorMapping, str]) -> dict[str, ErrorMapping]:
    return {name: mapping for mapping, joined in names.items() for name in joined.split()}


#: Keywords of JSON Schema.
KEYWORDS = _by_name(
    {
        MINIMUM: "minimum exclusiveMinimum",
        MAXIMUM: "maximum exclusiveMaximum",
        MAX_LENGTH: "maxLength",
        MIN_LENGTH: "minLength",
        MAX_ITEMS: "maxItems",
        MIN_ITEMS: "minItems",
        MAX_PROPERTIES: "maxProperties",
        MIN_PROPERTIES: "minProperties",
        NOT_SUPPORTED: "enum const",
        TYPE_INVALID: "type",
    }
)

# --- pydantic ---------------------------------------------------------------------------------------------------------

#: Codes of version 2, and those of version 1, which have dots.
_PYDANTIC = _by_name(
    {
        REQUIRED: "missing missing_argument missing_keyword_only_argument missing_positional_only_argument "
        "union_tag_not_found value_error.missing",
        MINIMUM: "greater_than greater_than_equal value_error.number.not_ge value_error.number.not_gt",
        MAXIMUM: "less_than less_than_equal value_error.number.not_le value_error.number.not_lt",
        MAX_LENGTH: "string_too_long value_error.any_str.max_length",
        MIN_LENGTH: "string_too_short value_error.any_str.min_length",
        MAX_BYTES: "bytes_too_long",
        ErrorMapping(ErrorType.TOO_SHORT, None): "bytes_too_short",
        ErrorMapping(ErrorType.TOO_LONG, None): "url_too_long",
        MAX_ITEMS: "too_long value_error.list.max_items",
        MIN_ITEMS: "too_short value_error.list.min_items",
        NOT_SUPPORTED: "enum literal_error union_tag_invalid value_error.const type_error.enum",
        FORBIDDEN: "extra_forbidden none_required no_such_attribute unexpected_keyword_argument "
        "unexpected_positional_argument value_error.extra",
        TYPE_INVALID: "int_from_float int_parsing_size string_unicode datetime_object_invalid json_invalid "
        "is_instance_of",
        # Texts of the right type that are malformed.
        INVALID: "uuid_parsing url_parsing value_error assertion_error multiple_of string_pattern_mismatch "
        "finite_number",
    }
)
#: Families of codes, by how they begin or end. Other codes are the validator's own.
_BEGINNINGS = ("date_", "datetime_", "time_", "timezone_", "url_", "uuid_", "string_", "decimal_", "value_error.")


def find_code(code: str) -> ErrorMapping:
    """Returns the meaning of a code of pydantic."""
    if code in _PYDANTIC:
        return _PYDANTIC[code]
    if code.endswith(("_type", "_parsing")) or code.startswith("type_error"):
        return TYPE_INVALID
    return INVALID if code.startswith(_BEGINNINGS) else UNKNOWN


# --- msgspec and attrs ------------------------------------------------------------------------------------------------

_LENGTH = re.compile(r"Expected `(?P<type>\w+)[^`]*` of length (?P<compared><=|>=|<|>)")
_BOUND = re.compile(r"Expected `[^`]*` (?P<compared><=|>=|<|>) ")
_SAMPLES: dict[str, object] = {"array": [], "object": {}, "str": ""}


def find_msgspec(message: str) -> ErrorMapping:
    """Returns the meaning of a message of msgspec."""
    if length := _LENGTH.match(message):
        at_most = length["compared"].startswith("<")
        if length["type"] in _SAMPLES:
            sample = _SAMPLES[length["type"]]
            return upper_limit(sample) if at_most else lower_limit(sample)
        return MAX_BYTES if at_most else ErrorMapping(ErrorType.TOO_SHORT, None)
    if bound := _BOUND.match(message):
        return MAXIMUM if bound["compared"].startswith("<") else MINIMUM
    if message.startswith("Invalid enum value"):
        return NOT_SUPPORTED
    if message.startswith("Expected `") and ", got `" in message:
        return TYPE_INVALID
    return INVALID if message.startswith(("Expected `", "Invalid ")) else UNKNOWN


ATTRS: tuple[tuple[re.Pattern[str], ErrorMapping], ...] = (
    (re.compile(r"'\w+' must be >=? "), MINIMUM),
    (re.compile(r"'\w+' must be <=? "), MAXIMUM),
    (re.compile(r"'\w+' must be in "), NOT_SUPPORTED),
    (re.compile(r"'\w+' must (?:be (?:<class|<enum|callable|an?) |not be )"), TYPE_INVALID),
    (re.compile(r"'\w+' must match regex "), INVALID),
    (re.compile(r"(?:invalid literal for|could not convert|.* is not an instance of )"), TYPE_INVALID),
)
ATTRS_LENGTH = re.compile(r"Length of '\w+' must be (?P<compared>[<>])")

# --- marshmallow, Django REST framework and voluptuous ----------------------------------------------------------------

#: By how the messages of marshmallow and of Django REST framework begin.
_TEXTS: tuple[tuple[str, ErrorMapping], ...] = (
    ("Missing data for required field.", REQUIRED),
    ("This field is required.", REQUIRED),
    ("Field may not be null.", REQUIRED),
    ("This field may not be null.", REQUIRED),
    ("This field may not be blank.", REQUIRED),
    ("Unknown field.", FORBIDDEN),
    ("Must be greater than ", MINIMUM),
    ("Ensure this value is greater than ", MINIMUM),
    ("Must be less than ", MAXIMUM),
    ("Ensure this value is less than ", MAXIMUM),
    ("Must be one of: ", NOT_SUPPORTED),
    ("Must be equal to ", NOT_SUPPORTED),
    ("String does not match expected pattern.", INVALID),
)
_CHOICE = re.compile(r'"[^"]*" is not a valid choice\.')
_LONGER = re.compile(r"Longer than maximum length|Ensure this field has no more than|length of value must be at most")
_SHORTER = re.compile(r"Shorter than minimum length|Ensure this field has at least|length of value must be at least")
_TYPE_NAMES = re.compile(
    r"Not a valid (?:string|integer|number|boolean|list|mapping type|tuple)\.|A valid \w+ is required\."
)
#: Classes of voluptuous' errors.
VOLUPTUOUS = _by_name(
    {
        REQUIRED: "RequiredFieldInvalid",
        TYPE_INVALID: "TypeInvalid DictInvalid SequenceTypeInvalid",
        NOT_SUPPORTED: "InInvalid LiteralInvalid ScalarInvalid",
        INVALID: "MatchInvalid",
    }
)


def find_message(text: str, value: object) -> ErrorMapping:
    """Returns the meaning of a message of marshmallow, Django REST framework or voluptuous about a value."""
    for beginning, code in _TEXTS:
        if text.startswith(beginning):
            return code
    if _LONGER.match(text):
        return upper_limit(value)
    if _SHORTER.match(text):
        return lower_limit(value)
    if _TYPE_NAMES.match(text):
        return TYPE_INVALID
    return NOT_SUPPORTED if _CHOICE.match(text) else UNKNOWN
