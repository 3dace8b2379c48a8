"""Calls a handwritten function with the arguments of its signature, which is read once."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from validation_gen.mismatch.adapters import kopfhandlers
from validation_gen.mismatch.adapters.mistakes import HandwrittenError
from validation_gen.mismatch.adapters.validators import judge_of
from validation_gen.runtime.operation import Operation

Call = Callable[[Any, Any, Operation, str], Any]

#: Names of parameters, without underscores and in small letters.
_NAMES: dict[str, str] = {
    name: meaning
    for meaning, names in {
        "obj": "obj object new newobj newobject body resource manifest data value instance document",
        "old": "old oldobj oldobject oldvalue previous prev before existing",
        "op": "op operation",
        "update": "update isupdate",
        "options": "options features gates featuregates",
        "subresource": "subresource",
        "subresources": "subresources",
    }.items()
    for name in names.split()
}
_SOURCES: dict[str, Call] = {
    "obj": lambda obj, old, op, subresource: obj,
    "old": lambda obj, old, op, subresource: old,
    "op": lambda obj, old, op, subresource: op,
    "word": lambda obj, old, op, subresource: "UPDATE" if op.update else "CREATE",
    "update": lambda obj, old, op, subresource: op.update,
    "options": lambda obj, old, op, subresource: op.options,
    "subresource": lambda obj, old, op, subresource: subresource,
    "subresources": lambda obj, old, op, subresource: [part for part in subresource.split("/") if part],
}
_ORDER = ("obj", "old", "op")
_TAKEN = "a function takes the object, the old object and the operation, or some of these by name"


def name_of(function: Any) -> str:
    """Returns the name of a function in messages."""
    while hasattr(function, "func") and not hasattr(function, "__qualname__"):
        function = function.func  # functools.partial
    name = getattr(function, "__qualname__", "") or type(function).__qualname__
    module = getattr(function, "__module__", None) or type(function).__module__
    return f"{module}.{name}"


def is_async(function: Any) -> bool:
    """Returns whether calling a function makes a coroutine, or an asynchronous generator."""
    while hasattr(function, "func") and not inspect.isroutine(function):
        function = function.func
    called = function if inspect.isroutine(function) else getattr(function, "__call__", None)  # noqa: B004
    return any(
        inspect.iscoroutinefunction(each) or inspect.isasyncgenfunction(each) for each in (function, called) if each
    )


def caller(function: Any) -> Call:
    """Returns a function of (object, old object, operation, subresource) that calls another by its signature.

    Raises:
        HandwrittenError: the signature has an unknown parameter.
    """
    judge = judge_of(function)
    if judge:
        return lambda obj, old, op, subresource: judge(obj)
    if not callable(function):
        raise HandwrittenError(f"{function!r:.60} is no function")
    if isinstance(function, type):
        if not any("__call__" in vars(cls) for cls in function.__mro__):
            raise HandwrittenError(f"{name_of(function)} is a class whose instances cannot be called")
        try:
            function = function()
        except TypeError as error:
            raise HandwrittenError(f"{name_of(function)} is a class, and needs arguments: {error}") from None
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # functions in C
        return lambda obj, old, op, subresource: function(obj)
    if kopfhandlers.is_handler(parameters):
        return kopfhandlers.caller(function, [p.name for p in parameters])
    positional, named = _sources(parameters, name_of(function))
    return _compiled(function, positional, named)


def _sources(parameters: list[inspect.Parameter], function: str) -> tuple[list[str], dict[str, str]]:
    """Returns the sources of positional arguments, and of keyword arguments by name."""
    by_position = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    positional: list[str] = []
    meanings = [_meaning(p) for p in by_position]
    # The object comes first, unless another parameter has its name: `f(old, new)`.
    is_named = "obj" in meanings and meanings[0] is not None
    for i, parameter in enumerate(by_position):
        meaning = meanings[i]
        if i == 0 and not is_named:
            meaning = "obj"
        if meaning is None:
            if parameter.default is not parameter.empty:
                break  # later parameters keep their defaults, too
            if i >= len(_ORDER):
                raise HandwrittenError(f"{function} has a parameter {parameter.name}: {_TAKEN}")
            meaning = _ORDER[i]
        positional.append(meaning)
    named = {}
    skipped = by_position[len(positional) :]
    for parameter in (*skipped, *(p for p in parameters if p.kind is p.KEYWORD_ONLY)):
        meaning = _meaning(parameter)
        if meaning and (parameter.kind is not parameter.POSITIONAL_ONLY):
            named[parameter.name] = meaning
        elif parameter.default is parameter.empty:
            raise HandwrittenError(f"{function} has a parameter {parameter.name}: {_TAKEN}")
    if any(p.kind is p.VAR_POSITIONAL for p in parameters) and not named:
        positional += _ORDER[len(positional) :]
    if "obj" not in (*positional, *named.values()):
        raise HandwrittenError(f"{function} does not take the object: {_TAKEN}")
    return positional, named


def _meaning(parameter: inspect.Parameter) -> str | None:
    meaning = _NAMES.get(parameter.name.replace("_", "").lower())
    return "word" if meaning == "op" and parameter.annotation in (str, "str") else meaning


def _compiled(function: Callable[..., Any], positional: list[str], named: dict[str, str]) -> Call:
    if not named:
        if positional == ["obj"]:
            return lambda obj, old, op, subresource: function(obj)
        if positional == ["obj", "old"]:
            return lambda obj, old, op, subresource: function(obj, old)
        if positional == ["obj", "old", "op"]:
            return lambda obj, old, op, subresource: function(obj, old, op)
    first = [_SOURCES[meaning] for meaning in positional]
    rest = {name: _SOURCES[meaning] for name, meaning in named.items()}

    def call(obj: Any, old: Any, op: Operation, subresource: str) -> Any:
        given = (obj, old, op, subresource)
        return function(*(each(*given) for each in first), **{name: each(*given) for name, each in rest.items()})

    return call
