"""Reads the answers of handwritten functions: the many ways to report that an object is valid, or its errors."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from validation_gen.mismatch.adapters import libraries, messages, protocol, pydantics
from validation_gen.mismatch.adapters.messages import HandwrittenError
from validation_gen.mismatch.adapters.subject import PATH, UNKNOWN, Element, Said, Subject, elements_of
from validation_gen.mismatch.adapters.texts import error_at, errors_in
from validation_gen.runtime.errors import FieldError, Mark
from validation_gen.runtime.paths import Path

_PATH = re.compile(rf"{PATH}|[$/]\S*|", re.ASCII)
_REFUSED = "the handwritten function refuses the object and does not say why"
_DEEPEST = 50
_ACCEPTED = (
    "errors (FieldError), texts, pairs of a path and a message, mappings from paths to messages, answers of the line "
    "protocol, None and booleans"
)


def errors_of(found: Any, subject: Subject, function: str) -> list[FieldError]:
    """The errors of an answer. `function` names whose answer it is.

    Raises:
        HandwrittenError: the answer is none.
    """
    return list(_errors(found, subject, function, 0))


def _errors(found: Any, subject: Subject, function: str, depth: int) -> Iterator[FieldError]:
    if found is None or found is True:
        return
    if depth > _DEEPEST:
        raise HandwrittenError(f"{function} returned lists that are nested too deeply")
    if found is False:
        yield subject.error(None, UNKNOWN, "", _REFUSED)
    elif isinstance(found, FieldError):
        yield found
    elif isinstance(found, str):
        if found.strip():
            yield from errors_in(found, subject)
    elif isinstance(found, BaseException):
        told = libraries.translate_exception(found, subject)
        yield from errors_in(str(found) or repr(found), subject) if told is None else told
    elif isinstance(found, Mapping):
        yield from _of_mapping(found, subject, function)
    elif isinstance(found, tuple) and len(found) == 2 and (pair := _of_pair(found, subject, function, depth)):
        yield from pair[0]
    elif (by_attributes := _by_attributes(found, subject)) is not None:
        yield by_attributes
    elif depth == 0 and is_decoded(found):
        return
    elif isinstance(found, list) and all(isinstance(each, Mapping) and pydantics.is_error(each) for each in found):
        yield from pydantics.errors_in_dicts(found, subject)
    elif isinstance(found, Iterable) and not isinstance(found, bytes | bytearray):
        for each in found:
            yield from _errors(each, subject, function, depth + 1)
    else:
        if hasattr(found, "__await__"):
            if hasattr(found, "close"):
                found.close()  # otherwise Python warns later that it was never awaited
            raise HandwrittenError(f"{function} returned a coroutine: adapt an async function, or await it")
        raise HandwrittenError(f"{function} returned {_shown(found)}; these are understood: {_ACCEPTED}")


def _shown(found: Any) -> str:
    try:
        return f"{found!r:.60} of type {type(found).__name__}"
    except Exception:  # `repr` is the object's own code
        return f"a {type(found).__name__}"


# --- mappings ---------------------------------------------------------------------------------------------------------


def _of_mapping(found: Mapping[Any, Any], subject: Subject, function: str) -> Iterable[FieldError]:
    if not found or found is subject.obj:
        return []
    try:
        if isinstance(found.get("errors"), list) and found.keys() <= {"id", "errors"}:
            return [protocol.error_of(error, subject) for error in found["errors"]]
        if isinstance(found.get("response"), Mapping) or isinstance(found.get("allowed"), bool):
            response = found.get("response", found)
            return [] if response.get("allowed") is True else protocol.status_errors(response.get("status"), subject)
        if pydantics.is_error(found):
            return pydantics.errors_in_dicts([found], subject)
        if protocol.is_error(found):
            return [protocol.error_of(found, subject)]
    except protocol.MalformedError as error:
        raise HandwrittenError(f"{function} returned a malformed error: {error}") from None
    if found == subject.obj:  # a validated copy
        return []
    return messages.errors_in(found, subject, function)


# --- pairs ------------------------------------------------------------------------------------------------------------


def _of_pair(found: tuple[Any, Any], subject: Subject, function: str, depth: int) -> tuple[Iterable[FieldError]] | None:
    """Returns the errors of `(valid, errors)` or of `(path, message)`; nothing if it is just a pair."""
    first, second = found
    if isinstance(first, bool):
        if first:
            return ([],)
        wrong = list(_errors(second, subject, function, depth + 1))
        return (wrong or list(_errors(False, subject, function, depth)),)
    if not isinstance(second, str):
        return None
    if isinstance(first, Path):
        error = error_at([], second, subject)
        error.segments = list(first.segments)
        return ([error],)
    if first is None:
        return ([error_at([], second, subject)],)
    elements = _place(first)
    return None if elements is None else ([error_at(elements, second, subject)],)


def _place(path: Any) -> list[Element] | None:
    if isinstance(path, str):
        return elements_of(path) if _PATH.fullmatch(path) else None
    if isinstance(path, list | tuple) and all(isinstance(each, str | int) for each in path):
        return list(path)
    return None


# --- objects ----------------------------------------------------------------------------------------------------------

_MESSAGES = ("message", "detail", "msg")
_PLACES = ("field", "path", "loc")


def _by_attributes(found: Any, subject: Subject) -> FieldError | None:
    """The error of an object of anybody's own class that has a place and a message."""
    message = next((text for name in _MESSAGES if isinstance(text := getattr(found, name, None), str)), None)
    name = next((name for name in _PLACES if hasattr(found, name)), None)
    if message is None or name is None:
        return None
    place = getattr(found, name)
    elements = [] if place is None else _place(place)
    if elements is None:
        return None
    reason = getattr(found, "reason", None) or getattr(found, "type", None)
    type = protocol.type_named(reason) if isinstance(reason, str) else None
    error = error_at(elements, message, subject, Said(type, None) if type else UNKNOWN)
    origin = getattr(found, "origin", None)
    if isinstance(origin, str):
        error.origin, error.marks = origin, error.marks - {Mark.ANY_ORIGIN}
    return error


def is_decoded(found: Any) -> bool:
    """Returns whether a value is the decoded object, so that it must be valid."""
    if isinstance(found, type):
        return False
    libraries = {(cls.__module__.partition(".")[0], cls.__name__) for cls in type(found).__mro__}
    return (
        dataclasses.is_dataclass(found)
        or hasattr(type(found), "__attrs_attrs__")
        or not libraries.isdisjoint({("pydantic", "BaseModel"), ("msgspec", "Struct")})
    )
