"""What the API server says is wrong with a value has one home, and is said as upstream says it (`field/errors.go`)."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from validation_gen.emit.schema.values import find_form
from validation_gen.ir import Predicate, predicates
from validation_gen.kubernetes.crd import verdict
from validation_gen.kubernetes.crd.report import Report
from validation_gen.kubernetes.crd.schema_path import SchemaPath
from validation_gen.runtime import checks, texts
from validation_gen.runtime.errors import ErrorType, FieldError

PACKAGE = Path(__file__).resolve().parents[2] / "validation_gen"
HOME = PACKAGE / "runtime" / "texts.py"

#: Limits, and what is said of too long in bytes and characters, too short, too many and too few.
LIMITS = {
    -1: ("value is too long", "value is too long", "value is too short", "has too many items", "has too few items"),
    0: (
        "may not be more than 0 bytes",
        "may not be more than 0 characters",
        "must be at least 0 characters",
        "must have at most 0 items",
        "must have at least 0 items",
    ),
    1: (
        "may not be more than 1 byte",
        "may not be more than 1 character",
        "must be at least 1 character",
        "must have at most 1 item",
        "must have at least 1 item",
    ),
    12345: (
        "may not be more than 12345 bytes",
        "may not be more than 12345 characters",
        "must be at least 12345 characters",
        "must have at most 12345 items",
        "must have at least 12345 items",
    ),
}


@pytest.mark.parametrize("limit", LIMITS)
def test_limits(limit: int) -> None:
    in_bytes, in_characters, short, many, few = LIMITS[limit]
    assert texts.too_long(limit) == in_bytes
    assert texts.too_long(limit, "character") == in_characters
    assert texts.too_short(limit) == short
    assert texts.too_many(limit) == many
    assert texts.too_few(limit) == few


@pytest.mark.parametrize("limit", [-1, 0, 1, 5])
def test_handwritten_checks_and_definitions_say_the_same(limit: int) -> None:
    in_bytes, in_characters = texts.too_long(limit), texts.too_long(limit, "character")
    short, many, few = texts.too_short(limit), texts.too_many(limit), texts.too_few(limit)
    assert FieldError.too_long("a", limit).detail == in_bytes
    assert FieldError.too_long("a", limit, "character").detail == in_characters
    assert FieldError.too_short("a", "", limit).detail == short
    assert FieldError.too_many("a", 9, limit).detail == many
    assert FieldError.too_few("a", 0, limit).detail == few
    assert verdict.too_long(verdict.ValuePath("a"), limit).detail == in_bytes
    assert verdict.too_many(verdict.ValuePath("a"), 9, limit, "items").detail == many
    report = Report()
    report.too_many("VG507", SchemaPath("spec"), 9, limit)
    assert report.findings[0].message.endswith(f": Too many: 9: {many}")


def test_checks_do_not_tell_a_limit_that_nobody_knows() -> None:
    found = [
        checks.max_items([1], -1),
        checks.max_properties({"a": 1}, -1),
        checks.max_length("a", -1),
        checks.max_bytes("a", -1),
    ]
    assert [str(error) for errors in found for error in errors or ()] == [
        "<nil>: Too many: 1: has too many items",
        "<nil>: Too many: 1: has too many items",
        "<nil>: Too long: value is too long",
        "<nil>: Too long: value is too long",
    ]


def test_a_number_that_nobody_counted_is_not_told() -> None:
    """`TooMany` omits a negative quantity; `TooFew` does not."""
    assert str(FieldError.too_many("a", -1, 3)) == "a: Too many: must have at most 3 items"
    assert str(FieldError.too_many("a", 0, -1)) == "a: Too many: 0: has too many items"
    assert str(FieldError.too_few("a", -1, 3)) == "a: Too few: -1: must have at least 3 items"
    assert str(FieldError.invalid("a", "<value omitted>", "b")) == 'a: Invalid value: "<value omitted>": b'


@pytest.mark.parametrize("value", ["plain", 'say "b" \\', "two\nlines", "ü", "\x7f"])
def test_schemas_quote_values_as_validators_do(value: str) -> None:
    """A message with a line break would be refused, at that."""
    one = checks.enum("?", checks.one_of(value, "b"))
    assert one is not None
    assert find_form(Predicate(predicates.ENUM, ((value, "b"),))).message == one[0].detail
    two = checks.not_equal(value, value)
    assert two is not None
    assert find_form(Predicate(predicates.NOT_EQUAL, (value,))).message == two[0].detail
    assert "\n" not in one[0].detail + two[0].detail


def test_supported() -> None:
    assert texts.supported(["b", 'a"']) == 'supported values: "b", "a\\""'
    assert texts.supported([""]) == 'supported values: ""'
    assert texts.supported(()) == ""
    assert FieldError.not_supported("a", 1, (2, 3)).detail == 'supported values: "2", "3"'
    report = Report()
    report.not_supported("VG505", SchemaPath("spec"), "x", ())
    assert report.findings[0].message == 'spec: Unsupported value: "x"'


def test_unmatched() -> None:
    assert texts.unmatched("no", "[a]") == "no (regex used for validation is '[a]')"
    assert texts.unmatched("no", "[a]", "a", "aa") == "no (e.g. 'a',  or 'aa', regex used for validation is '[a]')"


# --- nobody says them elsewhere --------------------------------------------------------------------------------------

#: What texts of the home begin with, or are.
_BEGINNINGS = (
    "may not be more than",
    "value is too long",
    "value is too short",
    "must be at least",
    "must have at most",
    "must have at least",
    "has too many items",
    "has too few items",
    "must be no more than",
    "must be greater than or equal to",
    "must be less than or equal to",
    "must not be equal to",
    "supported values:",
    "regex used for validation is",
    "must specify one of:",
    "must specify exactly one of:",
    "must specify at most one of:",
    "must contain the item",
    *(texts.IMMUTABLE, *texts.TRANSITIONS.values(), texts.NO_NEW_ITEM, texts.NO_LOST_ITEM),
)


def test_the_home_has_them() -> None:
    said = HOME.read_text(encoding="utf-8")
    assert [text for text in _BEGINNINGS if text not in said] == []


def _constants(file: Path) -> Iterator[tuple[str, str]]:
    """The texts in a module, and where they are."""
    source = file.read_text(encoding="utf-8")
    if file != HOME and any(beginning in source for beginning in _BEGINNINGS):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield f"{file.relative_to(PACKAGE)}:{node.lineno}", node.value


@pytest.mark.parametrize("room", ["runtime", "mismatch", "kubernetes", "emit"])
def test_they_are_said_nowhere_else(room: str) -> None:
    """What a room says by itself may begin alike, but goes on in words: `must have at least one stored version`."""
    beginnings = "|".join(map(re.escape, _BEGINNINGS))
    said = re.compile(rf"(?:^|[:,] )(?:{beginnings})(?:\s*|\s*[\d'\"\\].*)$", re.DOTALL).search
    files = sorted((PACKAGE / room).rglob("*.py"))
    assert [place for file in files for place, text in _constants(file) if said(text)] == []


def test_types_of_errors_have_the_phrases_of_upstream() -> None:
    assert {type.value: type.label for type in ErrorType} == {
        "FieldValueNotFound": "Not found",
        "FieldValueRequired": "Required value",
        "FieldValueDuplicate": "Duplicate value",
        "FieldValueInvalid": "Invalid value",
        "FieldValueNotSupported": "Unsupported value",
        "FieldValueForbidden": "Forbidden",
        "FieldValueTooLong": "Too long",
        "FieldValueTooMany": "Too many",
        "FieldValueTooFew": "Too few",
        "FieldValueTooShort": "Too short",
        "InternalError": "Internal error",
        "FieldValueTypeInvalid": "Invalid value",
    }
