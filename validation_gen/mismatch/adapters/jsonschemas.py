"""Errors of the `jsonschema` package, by the keyword that fails, and of msgspec, cattrs and attrs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from validation_gen.mismatch.adapters.subject import (
    DUPLICATE,
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
    lower_limit,
    parse_elements,
    upper_limit,
)
from validation_gen.mismatch.adapters.texts import error_at
from validation_gen.runtime.errors import ErrorType, FieldError, Mark

_SAID: dict[str, ErrorMapping] = {
    "minimum": MINIMUM,
    "exclusiveMinimum": MINIMUM,
    "maximum": MAXIMUM,
    "exclusiveMaximum": MAXIMUM,
    "maxLength": MAX_LENGTH,
    "minLength": MIN_LENGTH,
    "maxItems": MAX_ITEMS,
    "minItems": MIN_ITEMS,
    "maxProperties": MAX_PROPERTIES,
    "minProperties": MIN_PROPERTIES,
    "enum": NOT_SUPPORTED,
    "const": NOT_SUPPORTED,
    "type": TYPE_INVALID,
}
_CHOICES = ("anyOf", "oneOf")


def read_errors(error: Any, subject: Subject) -> list[FieldError]:
    """Returns the errors of one `ValidationError`: as many as Kubernetes would report of the same."""
    return list(_errors(error, subject))


def _errors(error: Any, subject: Subject) -> Iterator[FieldError]:
    keyword = str(error.validator)
    if keyword in _CHOICES and (branch := _branch(error)):
        for inner in branch:
            yield from _errors(inner, subject)
        return
    elements = [each if isinstance(each, int) else str(each) for each in error.absolute_path]
    named = _named(error, keyword)
    if named:
        for name, value in named[1]:
            yield subject.error([*elements, name], named[0], value, error.message)
        return
    if not isinstance(error.validator, str):  # a schema that is `false`; the path lacks the element that led to it
        yield subject.error(None, FORBIDDEN, "", error.message)
        return
    said = _SAID.get(keyword, INVALID)
    if said is INVALID:
        yield error_at(elements, error.message, subject, said)
    else:
        yield subject.error(elements, said, error.instance, error.message)


def _keywords(error: Any) -> Mapping[str, Any]:
    """Returns the schema that was not satisfied, as a mapping of keywords."""
    return error.schema if isinstance(error.schema, Mapping) else {}


def _branch(error: Any) -> list[Any]:
    """Returns the errors of the one branch that takes the type of the value, none if several do or none does."""
    branches: dict[Any, list[Any]] = {}
    for inner in error.context:
        branches.setdefault(inner.relative_schema_path[0], []).append(inner)
    fitting = [
        errors
        for errors in branches.values()
        if not any(each.validator == "type" and not each.relative_path for each in errors)
    ]
    return fitting[0] if len(fitting) == 1 else []


def _named(error: Any, keyword: str) -> tuple[ErrorMapping, list[tuple[Element, Any]]] | None:
    """Returns the errors of named values below the tested one, if the keyword is about such."""
    value, wanted, instance = error.validator_value, error.message, error.instance
    if keyword == "required" and isinstance(value, list):
        return REQUIRED, [(name, "") for name in value if wanted.startswith(f"{name!r} ")][:1]
    if keyword in ("dependentRequired", "dependencies") and isinstance(value, Mapping):
        lacking = [n for names in value.values() if isinstance(names, list) for n in names if n not in instance]
        names = [name for name in lacking if wanted.startswith(f"{name!r} ")]
        return ErrorMapping(ErrorType.REQUIRED, "dependentRequired"), [(name, "") for name in names][:1]
    if keyword == "uniqueItems" and isinstance(instance, list):
        later = [(i, item) for i, item in enumerate(instance) if item in instance[:i]]
        return (DUPLICATE, list(later)) if later else None
    if keyword in ("additionalProperties", "unevaluatedProperties") and isinstance(instance, Mapping):
        known = _keywords(error).get("properties", {})
        extra: list[tuple[Element, Any]] = [(n, "") for n in instance if n not in known and f"{n!r}" in wanted]
        return (FORBIDDEN, extra) if extra else None
    return None


# --- msgspec ----------------------------------------------------------------------------------------------------------

_PLACE = re.compile(r"(?P<message>.*?)(?: - at `(?:key in )?\$(?P<path>[^`]*)`)?", re.DOTALL)
_FIELD = re.compile(r"Object (?P<what>missing required|contains unknown) field `(?P<name>[^`]*)`")
_LENGTH = re.compile(r"Expected `(?P<type>\w+)[^`]*` of length (?P<compared><=|>=|<|>)")
_BOUND = re.compile(r"Expected `[^`]*` (?P<compared><=|>=|<|>) ")
_SAMPLES: dict[str, object] = {"array": [], "object": {}, "str": ""}


def of_msgspec(error: Any, subject: Subject) -> list[FieldError]:
    """Returns the one error of a `ValidationError`, which has only a text."""
    text = str(error)
    match = _PLACE.fullmatch(text)
    assert match
    message, path = match["message"], match["path"] or ""
    if "[...]" in path:  # some value or key of a map, without its name
        found = subject.error([], _of_msgspec(message), "", message)
        return [found.marked(Mark.ANY_FIELD)]
    elements = parse_elements(path)
    field = _FIELD.match(message)
    if field:
        said = REQUIRED if field["what"].startswith("missing") else FORBIDDEN
        return [subject.error([*elements, field["name"]], said, "", message)]
    said = _of_msgspec(message)
    if said is UNKNOWN:
        return [error_at(elements, message, subject)]
    return [subject.error(elements, said, subject.value(elements), message)]


def _of_msgspec(message: str) -> ErrorMapping:
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


# --- cattrs and attrs -------------------------------------------------------------------------------------------------

_ATTRS: tuple[tuple[re.Pattern[str], ErrorMapping | None], ...] = (
    (re.compile(r"'\w+' must be >=? "), MINIMUM),
    (re.compile(r"'\w+' must be <=? "), MAXIMUM),
    (re.compile(r"'\w+' must be in "), NOT_SUPPORTED),
    (re.compile(r"'\w+' must (?:be (?:<class|<enum|callable|an?) |not be )"), TYPE_INVALID),
    (re.compile(r"'\w+' must match regex "), INVALID),
    (re.compile(r"(?:invalid literal for|could not convert|.* is not an instance of )"), TYPE_INVALID),
)
_ATTRS_LENGTH = re.compile(r"Length of '\w+' must be (?P<compared>[<>])")
_ATTRIBUTE = re.compile(r"'(?P<name>\w+)' must ")


def of_cattrs(error: Any, subject: Subject) -> list[FieldError]:
    """Returns the errors of a tree of exceptions. Notes contain the path of each branch."""
    return list(_tree(error, [], subject))


def _tree(error: Any, elements: list[Element], subject: Subject) -> Iterator[FieldError]:
    for inner in error.exceptions:
        place = [*elements, *_noted(inner)]
        if hasattr(inner, "exceptions"):
            yield from _tree(inner, place, subject)
        elif isinstance(inner, KeyError) and len(place) > len(elements):
            yield subject.error(place, REQUIRED)
        elif type(inner).__name__ == "ForbiddenExtraKeysError":
            for name in sorted(map(str, inner.extra_fields)):
                yield subject.error([*place, name], FORBIDDEN, "", str(inner))
        else:
            yield _leaf(inner, place, subject)


def _noted(error: Any) -> Iterator[Element]:
    for note in getattr(error, "__notes__", ()):
        if isinstance(note, str) and type(note) is not str:
            # Notes of attributes have a name, those of items an index; every text has a method `index`.
            place = getattr(note, "name", None) or note.__dict__.get("index")
            if isinstance(place, str | int):
                yield place
                return


def _leaf(error: BaseException, place: list[Element], subject: Subject) -> FieldError:
    text = str(error.args[0]) if error.args else str(error)
    attribute = _ATTRIBUTE.match(text) or re.match(r"Length of '(?P<name>\w+)'", text)
    if attribute and place[-1:] != [attribute["name"]]:
        place = [*place, attribute["name"]]  # validators of attrs run after all attributes were structured
    value = subject.value(place)
    if length := _ATTRS_LENGTH.match(text):
        said = upper_limit(value) if length["compared"] == "<" else lower_limit(value)
        return subject.error(place, said, value, text)
    for pattern, found in _ATTRS:
        if found and pattern.match(text):
            return subject.error(place, found, value, text)
    return error_at(place, text, subject)
