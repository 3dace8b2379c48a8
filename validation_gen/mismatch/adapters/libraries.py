"""Exceptions of validation libraries, recognised by the module and name of their classes without an import.

One table maps classes to translators. Libraries are optional, and none is ever imported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from validation_gen.mismatch.adapters import jsonschemas, messages, pydantics, structs
from validation_gen.mismatch.adapters.subject import Subject
from validation_gen.mismatch.adapters.texts import errors_in
from validation_gen.runtime.errors import FieldError

Translation = Callable[[Any, Subject], list[FieldError]]


def _denial(error: BaseException, subject: Subject) -> list[FieldError]:
    """Kopf refuses a request with the text of the exception."""
    return errors_in(str(error) or repr(error), subject)


#: By the package of the class, and its name.
_TRANSLATIONS: dict[tuple[str, str], Translation] = {
    ("pydantic_core", "ValidationError"): pydantics.errors_of,
    ("pydantic", "ValidationError"): pydantics.errors_of,
    ("kopf", "PermanentError"): _denial,
    ("kopf", "TemporaryError"): _denial,
    ("jsonschema", "ValidationError"): jsonschemas.errors_of,
    ("msgspec", "ValidationError"): structs.of_msgspec,
    ("cattrs", "BaseValidationError"): structs.of_cattrs,
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
