"""The one entry: a handwritten validator of any kind becomes a function of (object, old object, operation)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from validation_gen.mismatch.adapters import answers, libraries
from validation_gen.mismatch.adapters.calling import Call, caller, is_async, name_of
from validation_gen.mismatch.adapters.subject import Element, Subject, elements_of
from validation_gen.runtime.errors import FieldError, Mark
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.shapes import Shape

Covered = bool | Callable[[FieldError], bool] | None
_COVERED = frozenset({Mark.COVERED})
_NO_MARKS: frozenset[str] = frozenset()


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
    reader = _Reader(name_of(function), covered, shape, elements_of(at))
    if is_async(function):
        return _named(_asynchronous(call, reader), function)

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
            told = reader.raised(error, obj)
            if told is None:
                raise
            return reader.returned(collected, obj) + told
        return reader.returned(found, obj)

    return _named(adapted, function)


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
            told = reader.raised(error, obj)
            if told is None:
                raise
            return reader.returned(collected, obj) + told
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
        return self.marked(answers.errors_of(found, self._subject(obj), self.function))

    def raised(self, error: Exception, obj: Any) -> list[FieldError] | None:
        errors = libraries.translate_exception(error, self._subject(obj))
        return None if errors is None else self.marked(errors)

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
        return Subject(obj, shape, self.at, _COVERED if self.covered is None else _NO_MARKS)


def _named(adapted: Any, function: Any) -> Adapted:
    """Gives a function the name of another, for logs and tracebacks; its signature stays."""
    for attribute in ("__name__", "__qualname__", "__module__", "__doc__"):
        value = getattr(function, attribute, None)
        if isinstance(value, str):
            setattr(adapted, attribute, value)
    result: Adapted = adapted
    return result
