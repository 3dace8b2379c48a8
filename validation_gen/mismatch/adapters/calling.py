"""Calls handwritten validation with the arguments of its signature, which is read once.

It may be a function, an admission handler of kopf, which takes the parts of a request that it names as keywords, or a
model, schema or validator object of a library. These are recognised by their classes; no library is imported. Outside
of an operator there are no indices, no settings and no user; all parts of the object are available.
"""

from __future__ import annotations

import inspect
import logging
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from types import SimpleNamespace
from typing import Any

from validation_gen.mismatch.adapters.codes import class_names, find_by_class
from validation_gen.mismatch.adapters.texts import HandwrittenError
from validation_gen.runtime.operation import Operation

_OF_OBJECT: dict[str, Callable[[Any], Any]] = {
    "body": lambda body: body,
    "spec": lambda body: body.spec,
    "status": lambda body: body.status,
    "meta": lambda body: body.metadata,
    "name": lambda body: body.metadata.get("name"),
    "namespace": lambda body: body.metadata.get("namespace"),
    "uid": lambda body: body.metadata.get("uid"),
    "labels": lambda body: body.metadata.labels,
    "annotations": lambda body: body.metadata.annotations,
}
_OF_REQUEST = frozenset(
    "diff dryrun headers logger memo new old operation param patch retry sslpeer subresource userinfo warnings "
    "webhook".split()
)


def is_handler(parameters: Collection[inspect.Parameter]) -> bool:
    """Returns whether a function can be a handler of kopf: it takes any keyword, and names only kopf's own."""
    names = {p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) and p.default is p.empty}
    takes_all = any(p.kind is p.VAR_KEYWORD for p in parameters)
    return takes_all and "kopf" in sys.modules and names <= _OF_OBJECT.keys() | _OF_REQUEST


def wrap_handler(function: Callable[..., Any], names: Collection[str]) -> Callable[[Any, Any, Operation, str], Any]:
    """Returns a function that calls a handler with the keywords that it names."""

    def call(obj: Any, old: Any, op: Operation, subresource: str) -> Any:
        return function(**dict(_arguments(names, obj, old, op, subresource)))

    return call


def _arguments(
    names: Collection[str], obj: Any, old: Any, op: Operation, subresource: str
) -> Iterator[tuple[str, object]]:
    make = getattr(sys.modules["kopf"], "Body")  # noqa: B009 - a name of a module that is not imported here
    body, before = make(obj or {}), None if old is None else make(old)
    request = {
        "old": before,
        "new": body,
        "operation": "UPDATE" if op.update else "CREATE",
        "subresource": subresource.strip("/") or None,
        "dryrun": True,
        "webhook": None,
        "param": None,
        "retry": 0,
    }
    made: dict[str, Callable[[], object]] = {
        "diff": lambda: tuple(_differences(old, obj, ())),
        "warnings": list,
        "userinfo": dict,
        "headers": dict,
        "sslpeer": dict,
        "patch": dict,
        "memo": SimpleNamespace,
        "logger": lambda: logging.getLogger("kopf.objects"),
    }
    for name in names:
        if name in _OF_OBJECT:
            yield name, _OF_OBJECT[name](body)
        elif name in made:
            yield name, made[name]()
        elif name in request:
            yield name, request[name]


def _differences(old: Any, new: Any, path: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...], Any, Any]]:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for name in sorted(old.keys() | new.keys()):
            yield from _differences(old.get(name), new.get(name), (*path, name))
    elif old != new:
        yield "add" if old is None else "remove" if new is None else "change", path, old, new


Judge = Callable[[Any], Any]


def _decoding(decode: Callable[[Any], object]) -> Judge:
    """Returns a validator that decodes. A decoded value is no answer, but success is one."""

    def judge(obj: Any) -> None:
        decode(obj)

    return judge


_SCHEMA = ("marshmallow", "Schema")
#: Makers of validators for classes and for objects, by the package and the name of the class.
_OF_CLASSES: dict[tuple[str, str], Callable[[Any], Judge]] = {
    ("pydantic", "BaseModel"): lambda cls: _decoding(getattr(cls, "model_validate", None) or cls.parse_obj),
    ("msgspec", "Struct"): lambda cls: _decoding(lambda obj: sys.modules["msgspec"].convert(obj, cls)),
    _SCHEMA: lambda cls: cls().validate,
}
_OF_OBJECTS: dict[tuple[str, str], Callable[[Any], Judge]] = {
    ("pydantic", "TypeAdapter"): lambda adapter: _decoding(adapter.validate_python),
    _SCHEMA: lambda schema: schema.validate,
    ("voluptuous", "Schema"): _decoding,
}


def find_judge(thing: Any) -> Judge | None:
    """Returns the function that validates with an object of a known library, `None` for other objects.

    The caller translates its results and exceptions.
    """
    if isinstance(thing, type):
        make = find_by_class(_OF_CLASSES, thing)
        return None if make is None else make(thing)
    make = find_by_class(_OF_OBJECTS, type(thing))
    if make is not None:
        return make(thing)
    if callable(getattr(thing, "iter_errors", None)) and hasattr(thing, "schema"):
        judge: Judge = thing.iter_errors  # a validator of jsonschema
        return judge
    owner = getattr(thing, "__self__", None)
    is_load = owner is not None and thing.__name__ == "load" and _SCHEMA in class_names(type(owner))
    return find_judge(owner) if is_load else None


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


def get_name(function: Any) -> str:
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
    judge = find_judge(function)
    if judge:
        return lambda obj, old, op, subresource: judge(obj)
    if not callable(function):
        raise HandwrittenError(f"{function!r:.60} is no function")
    if isinstance(function, type):
        if not any("__call__" in vars(cls) for cls in function.__mro__):
            raise HandwrittenError(f"{get_name(function)} is a class whose instances cannot be called")
        try:
            function = function()
        except TypeError as error:
            raise HandwrittenError(f"{get_name(function)} is a class, and needs arguments: {error}") from None
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # functions in C
        return lambda obj, old, op, subresource: function(obj)
    if is_handler(parameters):
        return wrap_handler(function, [p.name for p in parameters])
    positional, named = _sources(parameters, get_name(function))
    return _compile(function, positional, named)


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


def _compile(function: Callable[..., Any], positional: list[str], named: dict[str, str]) -> Call:
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
