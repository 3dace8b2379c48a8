"""Exceptions of handwritten functions: separates answers from crashes, and reads the errors of answers.

One table maps the classes of validation libraries to translators, by module and name: none is ever imported. A crash
is not translated. Python does not distinguish the two; the class of the exception does, and the instruction that raised
it: `None["spec"]` is never an intended answer.
"""

from __future__ import annotations

import dis
from collections.abc import Callable
from typing import Any

from validation_gen.mismatch.adapters import jsonschemas, messages, pydantics
from validation_gen.mismatch.adapters.messages import HandwrittenError
from validation_gen.mismatch.adapters.subject import Subject
from validation_gen.mismatch.adapters.texts import errors_in
from validation_gen.runtime.errors import FieldError

Translation = Callable[[Any, Subject], list[FieldError]]


def _denial(error: BaseException, subject: Subject) -> list[FieldError]:
    """Kopf refuses a request with the text of the exception."""
    return errors_in(str(error) or repr(error), subject)


#: By the package of the class, and its name.
_TRANSLATIONS: dict[tuple[str, str], Translation] = {
    ("pydantic_core", "ValidationError"): pydantics.read_errors,
    ("pydantic", "ValidationError"): pydantics.read_errors,
    ("kopf", "PermanentError"): _denial,
    ("kopf", "TemporaryError"): _denial,
    ("jsonschema", "ValidationError"): jsonschemas.read_errors,
    ("msgspec", "ValidationError"): jsonschemas.of_msgspec,
    ("cattrs", "BaseValidationError"): jsonschemas.of_cattrs,
    ("marshmallow", "ValidationError"): messages.of_marshmallow,
    ("rest_framework", "ValidationError"): messages.of_rest_framework,
    ("voluptuous", "Invalid"): messages.of_voluptuous,
}


def translation(error: BaseException) -> Translation | None:
    """Returns the translator of an exception, `None` if it is of no known library."""
    for cls in type(error).__mro__:
        found = _TRANSLATIONS.get((cls.__module__.partition(".")[0], cls.__name__))
        if found:
            return found
    return None


#: Names of call instructions. In Python 3.11 the first of two raises, once code has run often.
_CALLS = ("CALL", "PRECALL")


def translate_exception(error: BaseException, subject: Subject) -> list[FieldError] | None:
    """Returns the errors that an exception reports, `None` if it is a crash."""
    translate = translation(error)
    if translate:
        return translate(error, subject)
    if any(cls.__name__ == "BaseExceptionGroup" for cls in type(error).__mro__):
        told = [translate_exception(inner, subject) for inner in getattr(error, "exceptions", ())]
        return None if None in told else [each for errors in told for each in errors or ()]
    if isinstance(error, HandwrittenError) or not is_answer(error):
        return None
    return errors_in(str(error) or _nameless(error), subject)


def is_answer(error: BaseException) -> bool:
    """Returns whether a built-in exception is meant as an answer about the object."""
    if isinstance(error, AssertionError):
        return True
    if isinstance(error, ValueError):
        return _raised_by(error, ("RAISE", "RERAISE", *_CALLS))  # `int("x")` tells something of the object
    return isinstance(error, TypeError) and _raised_by(error, ("RAISE", "RERAISE"))


def _raised_by(error: BaseException, instructions: tuple[str, ...]) -> bool:
    trace = error.__traceback__
    if trace is None:
        return True  # it was made and handed over
    while trace.tb_next:
        trace = trace.tb_next
    code = trace.tb_frame.f_code.co_code
    if not 0 <= trace.tb_lasti < len(code):
        return True  # compiled to C
    return dis.opname[code[trace.tb_lasti]].startswith(instructions)


def _nameless(error: BaseException) -> str:
    return "an assertion failed" if isinstance(error, AssertionError) else f"{type(error).__name__} without a message"
