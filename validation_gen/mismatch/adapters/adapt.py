"""The one entry: a handwritten validator of any kind becomes a function of (object, old object, operation).

Functions report in many ways that an object is valid, or its errors.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from validation_gen.mismatch.adapters import libraries, protocol, texts
from validation_gen.mismatch.adapters.calling import Call, caller, get_name, is_async
from validation_gen.mismatch.adapters.codes import UNKNOWN, ErrorMapping, class_names
from validation_gen.mismatch.adapters.subject import PATH, Element, Subject, parse_elements
from validation_gen.mismatch.adapters.texts import HandwrittenError, error_at, errors_in
from validation_gen.runtime.errors import FieldError, Mark
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.paths import Path
from validation_gen.runtime.shapes import Shape

_PATH = re.compile(rf"{PATH}|[$/]\S*|", re.ASCII)
_REFUSED = "the handwritten function refuses the object and does not say why"
_DEEPEST = 50
_ACCEPTED = (
    "errors (FieldError), texts, pairs of a path and a message, mappings from paths to messages, answers of the line "
    "protocol, None and booleans"
)


def read_errors(found: Any, subject: Subject, function: str) -> list[FieldError]:
    """Returns the errors of an answer. `function` names whose answer it is.

    Raises:
        HandwrittenError: the answer has no known form.
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
        errors = libraries.translate_exception(found, subject)
        yield from errors_in(str(found) or repr(found), subject) if errors is None else errors
    elif isinstance(found, Mapping):
        yield from _of_mapping(found, subject, function)
    elif (
        isinstance(found, tuple) and len(found) == 2 and (pair := _of_pair(found, subject, function, depth)) is not None
    ):
        yield from pair
    elif (by_attributes := _by_attributes(found, subject)) is not None:
        yield by_attributes
    elif depth == 0 and is_decoded(found):
        return
    elif isinstance(found, list) and all(isinstance(each, Mapping) and libraries.is_pydantic(each) for each in found):
        yield from libraries.of_dicts(found, subject)
    elif isinstance(found, Iterable) and not isinstance(found, bytes | bytearray):
        for each in found:
            yield from _errors(each, subject, function, depth + 1)
    else:
        if hasattr(found, "__await__"):
            if hasattr(found, "close"):
                found.close()  # otherwise Python warns later that it was never awaited
            raise HandwrittenError(f"{function} returned a coroutine: adapt an async function, or await it")
        raise HandwrittenError(f"{function} returned {_describe(found)}; these are understood: {_ACCEPTED}")


def _describe(found: Any) -> str:
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
            return [protocol.read_error(error, subject) for error in found["errors"]]
        if isinstance(found.get("response"), Mapping) or isinstance(found.get("allowed"), bool):
            response = found.get("response", found)
            return [] if response.get("allowed") is True else protocol.status_errors(response.get("status"), subject)
        if libraries.is_pydantic(found):
            return libraries.of_dicts([found], subject)
        if protocol.is_error(found):
            return [protocol.read_error(found, subject)]
    except protocol.MalformedError as error:
        raise HandwrittenError(f"{function} returned a malformed error: {error}") from None
    if found == subject.obj:  # a validated copy
        return []
    return texts.errors_by_field(found, subject, function)


# --- pairs ------------------------------------------------------------------------------------------------------------


def _of_pair(found: tuple[Any, Any], subject: Subject, function: str, depth: int) -> list[FieldError] | None:
    """Returns the errors of `(valid, errors)` or of `(path, message)`, `None` if it is just a pair."""
    first, second = found
    if isinstance(first, bool):
        wrong = [] if first else list(_errors(second, subject, function, depth + 1))
        return wrong if first or wrong else list(_errors(False, subject, function, depth))
    if not isinstance(second, str):
        return None
    if isinstance(first, Path):
        error = error_at([], second, subject)
        error.segments = list(first.segments)
        return [error]
    elements = [] if first is None else _find_elements(first)
    return None if elements is None else [error_at(elements, second, subject)]


def _find_elements(path: Any) -> list[Element] | None:
    if isinstance(path, str):
        return parse_elements(path) if _PATH.fullmatch(path) else None
    if isinstance(path, list | tuple) and all(isinstance(each, str | int) for each in path):
        return list(path)
    return None


# --- objects ----------------------------------------------------------------------------------------------------------

_MESSAGES = ("message", "detail", "msg")
_PLACES = ("field", "path", "loc")


def _by_attributes(found: Any, subject: Subject) -> FieldError | None:
    """Returns the error of an object of anybody's own class that has a place and a message."""
    message = next((text for name in _MESSAGES if isinstance(text := getattr(found, name, None), str)), None)
    name = next((name for name in _PLACES if hasattr(found, name)), None)
    if message is None or name is None:
        return None
    place = getattr(found, name)
    elements = [] if place is None else _find_elements(place)
    if elements is None:
        return None
    reason = getattr(found, "reason", None) or getattr(found, "type", None)
    type = protocol.type_named(reason) if isinstance(reason, str) else None
    error = error_at(elements, message, subject, ErrorMapping(type, None) if type else UNKNOWN)
    origin = getattr(found, "origin", None)
    if isinstance(origin, str):
        error.origin, error.marks = origin, error.marks - {Mark.ANY_ORIGIN}
    return error


def is_decoded(found: Any) -> bool:
    """Returns whether a value is the decoded object, so that it must be valid."""
    if isinstance(found, type):
        return False
    return (
        dataclasses.is_dataclass(found)
        or hasattr(type(found), "__attrs_attrs__")
        or not {("pydantic", "BaseModel"), ("msgspec", "Struct")}.isdisjoint(class_names(type(found)))
    )


Covered = bool | Callable[[FieldError], bool] | None


class Adapted(Protocol):
    """Result of `adapt`. For an async function it is a coroutine function."""

    def __call__(self, obj: Any, old: Any, op: Operation, subresource: str = "/") -> Any: ...


def adapt(
    function: Any,
    *,
    covered: Covered = None,
    shape: Shape | Callable[[Any], Shape | None] | None = None,
    at: str = "",
) -> Adapted:
    """Returns a handwritten validator as a function `(obj, old, operation) -> list[FieldError]`.

    The adapted version of an async function, or of an asynchronous generator, is a coroutine function, so that
    `inspect.iscoroutinefunction` distinguishes the two.

    Args:
        function: a function, method, partial or callable object; a pydantic model, a `TypeAdapter`, a msgspec
            struct, a jsonschema validator, a marshmallow or voluptuous schema; or a handler of kopf.
        covered: the errors that a tag declares, too, so that they are compared. By default these are all errors
            that do not use the vocabulary of `FieldError`, whose own marks count.
        shape: the shape of the object, or a function that returns it; it distinguishes keys of maps from members.
        at: the part of the object that the validator is about. Its paths are relative to it.

    Raises:
        HandwrittenError: the signature has an unknown parameter. The adapted function raises it for an unreadable
            answer. Unintended exceptions of the function pass through unchanged.
    """
    call = caller(function)
    reader = _Reader(get_name(function), covered, shape, parse_elements(at))
    if is_async(function):
        return _copy_name(_asynchronous(call, reader), function)

    def adapted(obj: Any, old: Any, op: Operation, subresource: str = "/") -> list[FieldError]:
        collected: list[Any] = []
        try:
            found = call(obj, old, op, subresource)
            if found.__class__ is list and all(each.__class__ is FieldError for each in found):
                return found if covered is None else reader.marked(found)
            if isinstance(found, Iterator):
                collected.extend(found)  # errors yielded before an exception are kept
                found = collected
        except Exception as error:
            return reader.raised(error, obj, collected)
        return reader.returned(found, obj)

    return _copy_name(adapted, function)


def _asynchronous(call: Call, reader: _Reader) -> Callable[..., Awaitable[list[FieldError]]]:
    async def adapted(obj: Any, old: Any, op: Operation, subresource: str = "/") -> list[FieldError]:
        collected: list[Any] = []
        try:
            found = call(obj, old, op, subresource)
            if isinstance(found, AsyncIterator):
                async for each in found:
                    collected.append(each)  # noqa: PERF401 - what was yielded before an exception stays
                found = collected
            else:
                found = await found
        except Exception as error:
            return reader.raised(error, obj, collected)
        return reader.returned(found, obj)

    return adapted


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the answers of one function."""

    function: str
    covered: Covered
    shape: Shape | Callable[[Any], Shape | None] | None
    at: list[Element]

    def returned(self, found: Any, obj: Any) -> list[FieldError]:
        return self.marked(read_errors(found, self._subject(obj), self.function))

    def raised(self, error: Exception, obj: Any, before: list[Any]) -> list[FieldError]:
        """Returns what the function yielded before an exception, and the errors in it. Raises a crash again."""
        errors = libraries.translate_exception(error, self._subject(obj))
        if errors is None:
            raise error
        return self.returned(before, obj) + self.marked(errors)

    def marked(self, errors: list[FieldError]) -> list[FieldError]:
        if self.covered is not None:
            for error in errors:
                if self.covered is True or (self.covered is not False and self.covered(error)):
                    error.marked(Mark.COVERED)
        return errors

    def _subject(self, obj: Any) -> Subject:
        shape = self.shape
        if shape is not None and not isinstance(shape, Shape):
            shape = shape(obj)
        return Subject(obj, shape, self.at, frozenset({Mark.COVERED} if self.covered is None else ()))


def _copy_name(adapted: Any, function: Any) -> Adapted:
    """Gives a function the name of another, for logs and tracebacks; its signature stays."""
    for attribute in ("__name__", "__qualname__", "__module__", "__doc__"):
        value = getattr(function, attribute, None)
        if isinstance(value, str):
            setattr(adapted, attribute, value)
    result: Adapted = adapted
    return result
