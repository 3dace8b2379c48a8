"""Errors of pydantic, as `ValidationError.errors()` lists them. Version 1 is supported in part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from validation_gen.mismatch.adapters.subject import (
    FORBIDDEN,
    INVALID,
    MAX_BYTES,
    MAX_ITEMS,
    MAX_LENGTH,
    MAX_PROPERTIES,
    MAXIMUM,
    MIN_ITEMS,
    MIN_LENGTH,
    MIN_PROPERTIES,
    MINIMUM,
    NOT_SUPPORTED,
    REQUIRED,
    TYPE_INVALID,
    UNKNOWN,
    Element,
    ErrorMapping,
    Subject,
    shape_below,
)
from validation_gen.mismatch.adapters.texts import error_at
from validation_gen.runtime.errors import ErrorType, FieldError
from validation_gen.runtime.shapes import ANY, RAW, ListOf, Pointer, Shape, Struct

_SAID: dict[str, ErrorMapping] = {
    "missing": REQUIRED,
    "missing_argument": REQUIRED,
    "missing_keyword_only_argument": REQUIRED,
    "missing_positional_only_argument": REQUIRED,
    "union_tag_not_found": REQUIRED,
    "greater_than": MINIMUM,
    "greater_than_equal": MINIMUM,
    "less_than": MAXIMUM,
    "less_than_equal": MAXIMUM,
    "string_too_long": MAX_LENGTH,
    "string_too_short": MIN_LENGTH,
    "bytes_too_long": MAX_BYTES,
    "bytes_too_short": ErrorMapping(ErrorType.TOO_SHORT, None),
    "url_too_long": ErrorMapping(ErrorType.TOO_LONG, None),
    "too_long": MAX_ITEMS,
    "too_short": MIN_ITEMS,
    "enum": NOT_SUPPORTED,
    "literal_error": NOT_SUPPORTED,
    "union_tag_invalid": NOT_SUPPORTED,
    "extra_forbidden": FORBIDDEN,
    "none_required": FORBIDDEN,
    "no_such_attribute": FORBIDDEN,
    "unexpected_keyword_argument": FORBIDDEN,
    "unexpected_positional_argument": FORBIDDEN,
    "int_from_float": TYPE_INVALID,
    "int_parsing_size": TYPE_INVALID,
    "string_unicode": TYPE_INVALID,
    "datetime_object_invalid": TYPE_INVALID,
    "json_invalid": TYPE_INVALID,
    "is_instance_of": TYPE_INVALID,
    # Texts of the right type that are malformed.
    "uuid_parsing": INVALID,
    "url_parsing": INVALID,
    "value_error": INVALID,
    "assertion_error": INVALID,
    "multiple_of": INVALID,
    "string_pattern_mismatch": INVALID,
    "finite_number": INVALID,
    # Version 1.
    "value_error.missing": REQUIRED,
    "value_error.extra": FORBIDDEN,
    "value_error.const": NOT_SUPPORTED,
    "type_error.enum": NOT_SUPPORTED,
    "value_error.number.not_ge": MINIMUM,
    "value_error.number.not_gt": MINIMUM,
    "value_error.number.not_le": MAXIMUM,
    "value_error.number.not_lt": MAXIMUM,
    "value_error.any_str.max_length": MAX_LENGTH,
    "value_error.any_str.min_length": MIN_LENGTH,
    "value_error.list.max_items": MAX_ITEMS,
    "value_error.list.min_items": MIN_ITEMS,
}
#: Families of codes, by how they begin or end. Other codes are the validator's own.
_BEGINNINGS = ("date_", "datetime_", "time_", "timezone_", "url_", "uuid_", "string_", "decimal_", "value_error.")
_MAPPINGS = {"too_long": MAX_PROPERTIES, "too_short": MIN_PROPERTIES}
_DISCRIMINATED = {"union_tag_not_found", "union_tag_invalid"}
_PREFIXES = ("Value error, ", "Assertion failed, ")


def read_errors(error: Any, subject: Subject) -> list[FieldError]:
    """Returns the errors of a `ValidationError`."""
    return errors_in_dicts(error.errors(), subject)


def is_error(data: Mapping[Any, Any]) -> bool:
    """Returns whether data is one of the dicts that `errors()` lists."""
    return "loc" in data and "msg" in data and isinstance(data["loc"], list | tuple)


def errors_in_dicts(rows: Sequence[Mapping[str, Any]], subject: Subject) -> list[FieldError]:
    """Converts the error dicts of pydantic to errors.

    A value that fits no branch of a union has an error for each branch. Type errors of a branch are dropped if another
    branch accepts the type.
    """
    found: list[tuple[bool, FieldError]] = []
    for row in rows:
        code = str(row.get("type", ""))
        elements, is_branch = _place(row, code, subject)
        found.append((is_branch, _error(row, code, elements, subject)))
    judged = {error.field for _, error in found if error.type is not ErrorType.TYPE_INVALID}
    result: list[FieldError] = []
    seen = set()
    for is_branch, error in found:
        key = (error.field, error.type, error.origin)
        if is_branch and (key in seen or (error.type is ErrorType.TYPE_INVALID and error.field in judged)):
            continue
        seen.add(key)
        result.append(error)
    return result


def _error(row: Mapping[str, Any], code: str, elements: list[Element], subject: Subject) -> FieldError:
    context = row.get("ctx")
    context = context if isinstance(context, Mapping) else {}
    said = _find_mapping(code)
    if str(context.get("field_type", "")) in ("Dictionary", "Dict", "Mapping"):
        said = _MAPPINGS.get(code, said)
    text = str(row.get("msg", ""))
    for prefix in _PREFIXES:
        text = text.removeprefix(prefix)
    if said in (INVALID, UNKNOWN):
        error = error_at(elements, text, subject)
        if error.type is not ErrorType.INVALID or said is UNKNOWN:
            return error
    bad_value = row["input"] if "input" in row else subject.value(elements)
    return subject.error(elements, said, bad_value, text)


def _find_mapping(code: str) -> ErrorMapping:
    said = _SAID.get(code)
    if said:
        return said
    if code.endswith(("_type", "_parsing")) or code.startswith("type_error"):
        return TYPE_INVALID
    return INVALID if code.startswith(_BEGINNINGS) else UNKNOWN


def _place(row: Mapping[str, Any], code: str, subject: Subject) -> tuple[list[Element], bool]:
    """Returns the path elements of a location, and whether it also names a branch of a union, which is no element.

    It finds the branches by the shape, or without one by the object, which has no member of that name.
    """
    elements = [each if isinstance(each, int) else str(each) for each in row["loc"]]
    if elements[-1:] == ["[key]"]:
        return elements[:-2], False  # Kubernetes reports keys at their map
    last_may_lack = _find_mapping(code) is REQUIRED and code not in _DISCRIMINATED
    shape = subject.shape_at(())
    kept = _by_object(elements, last_may_lack, subject) if shape is None else _by_shape(elements, shape)
    is_branch = len(kept) < len(elements)
    return [*kept, *_discriminator(row, code)], is_branch


def _discriminator(row: Mapping[str, Any], code: str) -> list[Element]:
    """Returns the name of the discriminator field, unless it is a function."""
    context = row.get("ctx")
    name = str(context.get("discriminator", "")) if code in _DISCRIMINATED and isinstance(context, Mapping) else ""
    return [name[1:-1]] if len(name) > 2 and name[0] == name[-1] == "'" else []


def _by_shape(elements: list[Element], shape: Shape | None) -> list[Element]:
    kept: list[Element] = []
    for i, element in enumerate(elements):
        while isinstance(shape, Pointer):
            shape = shape.elem
        if shape is ANY or shape is RAW:
            return kept + elements[i:]
        below = shape_below(shape, element)
        is_extra = isinstance(shape, Struct) and below is None and i + 1 == len(elements)
        if (below is None and not is_extra) or (isinstance(shape, ListOf) and not isinstance(element, int)):
            continue  # nothing is called so: it is a branch
        kept.append(element)
        shape = below
    return kept


def _by_object(elements: list[Element], last_may_lack: bool, subject: Subject) -> list[Element]:
    if not elements or not (subject.reach(elements[:1])[0] or len(elements) == 1):
        return [each for each in elements if isinstance(each, int) or "[" not in each]
    kept: list[Element] = []
    for i, element in enumerate(elements):
        may_lack = i + 1 == len(elements) and (last_may_lack or not kept)
        if may_lack or subject.reach([*kept, element])[0] > len(kept):
            kept.append(element)
    return kept
