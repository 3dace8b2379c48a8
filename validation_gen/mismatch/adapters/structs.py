"""Errors of libraries that structure data into classes: msgspec, cattrs, and the validators of attrs below it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from validation_gen.mismatch.adapters.subject import (
    FORBIDDEN,
    INVALID,
    MAX_BYTES,
    MAXIMUM,
    MINIMUM,
    NOT_SUPPORTED,
    REQUIRED,
    TYPE_INVALID,
    UNKNOWN,
    Element,
    Said,
    Subject,
    elements_of,
    least_of,
    most_of,
)
from validation_gen.mismatch.adapters.texts import error_at
from validation_gen.runtime.errors import ErrorType, FieldError, Mark

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
    elements = elements_of(path)
    field = _FIELD.match(message)
    if field:
        said = REQUIRED if field["what"].startswith("missing") else FORBIDDEN
        return [subject.error([*elements, field["name"]], said, "", message)]
    said = _of_msgspec(message)
    if said is UNKNOWN:
        return [error_at(elements, message, subject)]
    return [subject.error(elements, said, subject.value(elements), message)]


def _of_msgspec(message: str) -> Said:
    if length := _LENGTH.match(message):
        at_most = length["compared"].startswith("<")
        if length["type"] in _SAMPLES:
            sample = _SAMPLES[length["type"]]
            return most_of(sample) if at_most else least_of(sample)
        return MAX_BYTES if at_most else Said(ErrorType.TOO_SHORT, None)
    if bound := _BOUND.match(message):
        return MAXIMUM if bound["compared"].startswith("<") else MINIMUM
    if message.startswith("Invalid enum value"):
        return NOT_SUPPORTED
    if message.startswith("Expected `") and ", got `" in message:
        return TYPE_INVALID
    return INVALID if message.startswith(("Expected `", "Invalid ")) else UNKNOWN


# --- cattrs and attrs -------------------------------------------------------------------------------------------------

_ATTRS: tuple[tuple[re.Pattern[str], Said | None], ...] = (
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
        said = most_of(value) if length["compared"] == "<" else least_of(value)
        return subject.error(place, said, value, text)
    for pattern, found in _ATTRS:
        if found and pattern.match(text):
            return subject.error(place, found, value, text)
    return error_at(place, text, subject)
