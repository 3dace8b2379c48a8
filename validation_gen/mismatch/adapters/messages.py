"""Messages by field, as form libraries collect them: marshmallow, Django REST framework, voluptuous, hand-made dicts.

An example: `{"spec": {"ports": {0: {"name": ["Not a valid string."]}}}, "spec.replicas": "must be positive"}`. A form
that is none of these is a mistake of the handwritten function, not of the object that it validates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from validation_gen.mismatch.adapters.subject import (
    FORBIDDEN,
    INVALID,
    MAXIMUM,
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
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.shapes import MapOf, Pointer, Shape


class HandwrittenError(TypeError):
    """A function cannot be adapted, or answers with something that cannot be understood. The text names it."""


#: Names under which libraries report errors of the whole object.
_WHOLE = frozenset({"", "_schema", "non_field_errors", "__all__", "__root__", "<nil>"})

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
_TYPES = re.compile(
    r"Not a valid (?:string|integer|number|boolean|list|mapping type|tuple)\.|A valid \w+ is required\."
)


def errors_in(messages: Any, subject: Subject, function: str = "the function") -> list[FieldError]:
    """Returns the errors of messages by field: a text, a list of such, or a mapping from names to such, to any depth.

    Raises:
        HandwrittenError: it contains another type.
    """
    return list(_errors(messages, [], subject, function))


def _errors(messages: Any, elements: list[Element], subject: Subject, function: str) -> Iterator[FieldError]:
    if isinstance(messages, Mapping):
        if elements and _is_map(subject.shape_at(elements[:-1])) and messages.keys() <= {"key", "value"}:
            # The value of a map, and its key, which Kubernetes reports at the map.
            yield from _errors(messages.get("value"), elements, subject, function)
            key = Subject(str(elements[-1]), marks=subject.marks)
            for error in _errors(messages.get("key"), [], key, function):
                error.segments = list(subject.path(elements[:-1]).segments)
                yield error
            return
        for name, inner in messages.items():
            yield from _errors(inner, [*elements, *_named(name, elements)], subject, function)
    elif isinstance(messages, list | tuple | set | frozenset):
        for inner in messages:
            yield from _errors(inner, elements, subject, function)
    elif isinstance(messages, str):
        yield _error(messages, elements, subject)
    elif isinstance(messages, FieldError):
        yield messages
    elif messages is not None and messages is not False:
        raise HandwrittenError(
            f"{function} returned a mapping with {messages!r:.60} in it: from places to messages was expected"
        )


def _is_map(shape: Shape | None) -> bool:
    while isinstance(shape, Pointer):
        shape = shape.elem
    return isinstance(shape, MapOf)


def _named(name: Any, elements: list[Element]) -> list[Element]:
    if isinstance(name, int):
        return [name]
    if name is None or name in _WHOLE:
        return []
    return [str(name)] if elements else parse_elements(str(name))


def _error(text: str, elements: list[Element], subject: Subject) -> FieldError:
    said = _find_mapping(text, subject.value(elements))
    if said is UNKNOWN:
        return error_at(elements, text, subject)
    return subject.error(elements, said, subject.value(elements), str(text))


def _find_mapping(text: str, value: Any) -> ErrorMapping:
    for beginning, said in _TEXTS:
        if text.startswith(beginning):
            return said
    if _LONGER.match(text):
        return upper_limit(value)
    if _SHORTER.match(text):
        return lower_limit(value)
    if _TYPES.match(text):
        return TYPE_INVALID
    return NOT_SUPPORTED if _CHOICE.match(text) else UNKNOWN


# --- exceptions -------------------------------------------------------------------------------------------------------


def of_marshmallow(error: Any, subject: Subject) -> list[FieldError]:
    return errors_in(error.messages, subject, "marshmallow")


def of_rest_framework(error: Any, subject: Subject) -> list[FieldError]:
    return errors_in(error.detail, subject, "rest_framework")


_VOLUPTUOUS: dict[str, ErrorMapping] = {
    "RequiredFieldInvalid": REQUIRED,
    "TypeInvalid": TYPE_INVALID,
    "DictInvalid": TYPE_INVALID,
    "SequenceTypeInvalid": TYPE_INVALID,
    "InInvalid": NOT_SUPPORTED,
    "LiteralInvalid": NOT_SUPPORTED,
    "ScalarInvalid": NOT_SUPPORTED,
    "MatchInvalid": INVALID,
}


def of_voluptuous(error: Any, subject: Subject) -> list[FieldError]:
    """Returns the errors of an `Invalid`, which can be a `MultipleInvalid`."""
    if hasattr(error, "errors"):
        return [found for each in error.errors for found in of_voluptuous(each, subject)]
    elements = [each if isinstance(each, int) else str(each) for each in error.path]
    text = str(error.msg)
    value = subject.value(elements)
    said = _VOLUPTUOUS.get(type(error).__name__, UNKNOWN)
    if text == "extra keys not allowed":
        said = FORBIDDEN
    elif text.startswith("value must be "):
        said = MINIMUM if "at least" in text or "higher" in text else MAXIMUM
    elif said is UNKNOWN:
        said = _find_mapping(text, value)
    return [error_at(elements, text, subject) if said is UNKNOWN else subject.error(elements, said, value, text)]
