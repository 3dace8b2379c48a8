"""Things that validate without being functions: models, schemas and validator objects of libraries.

They are recognised by their classes, as their exceptions are; no library is imported.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

Judge = Callable[[Any], Any]


def judge_of(thing: Any) -> Judge | None:
    """Returns the function that validates with such an object, `None` for other objects.

    Its answers and exceptions are translated later.
    """
    if isinstance(thing, type):
        return _of_class(thing)
    if _is(type(thing), "pydantic", "TypeAdapter"):
        return _forgetting(thing.validate_python)
    if _is(type(thing), "marshmallow", "Schema"):
        return _judge(thing.validate)
    if _is(type(thing), "voluptuous", "Schema"):
        return _forgetting(thing)
    if callable(getattr(thing, "iter_errors", None)) and hasattr(thing, "schema"):
        return _judge(thing.iter_errors)  # a validator of jsonschema
    owner = getattr(thing, "__self__", None)
    if owner is not None and _is(type(owner), "marshmallow", "Schema") and thing.__name__ == "load":
        return _judge(owner.validate)
    return None


def _of_class(cls: type) -> Judge | None:
    if _is(cls, "pydantic", "BaseModel"):
        return _forgetting(getattr(cls, "model_validate", None) or getattr(cls, "parse_obj"))  # noqa: B009
    if _is(cls, "msgspec", "Struct"):
        convert = sys.modules["msgspec"].convert
        return lambda obj: _nothing(convert(obj, cls))
    if _is(cls, "marshmallow", "Schema"):
        return _judge(cls().validate)
    return None


def _is(cls: type, library: str, name: str) -> bool:
    return any(each.__name__ == name and each.__module__.partition(".")[0] == library for each in cls.__mro__)


def _judge(method: Any) -> Judge:
    """Returns the method of a validator; it returns the errors."""
    judge: Judge = method
    return judge


def _forgetting(decode: Any) -> Judge:
    """Returns a validator that decodes. A decoded value is no answer, but success is one."""
    return lambda obj: _nothing(decode(obj))


def _nothing(_: object) -> None:
    return None
