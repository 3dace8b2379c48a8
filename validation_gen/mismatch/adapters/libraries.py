"""Exceptions of handwritten functions: separates answers from crashes, and reads the errors of answers.

One table maps the classes of validation libraries to translators, by module and name: none is ever imported. The errors
of `jsonschema` are read by the keyword that fails. A crash is not translated. Python does not distinguish the two; the
class of the exception does, and the instruction that raised it: `None["spec"]` is never an intended answer.
"""

from __future__ import annotations

import dis
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from validation_gen.mismatch.adapters import pydantics, texts
from validation_gen.mismatch.adapters.subject import (
    DUPLICATE,
    FORBIDDEN,
    INVALID,
    MAX_BYTES,
    MAX_ITEMS,
    MAX_LENGTH,
    MAX_PROPERTIES,
    MAXIMUM,
    MIN_ITEMS,
    MIN_LENGTH,
    MIN_PROPERTIES,
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
from validation_gen.mismatch.adapters.texts import HandwrittenError, error_at, errors_in
from validation_gen.runtime.errors import ErrorType, FieldError, Mark

_SAID: dict[str, ErrorMapping] = {
    "minimum": MINIMUM,
    "exclusiveMinimum": MINIMUM,
    "maximum": MAXIMUM,
    "exclusiveMaximum": MAXIMUM,
    "maxLength": MAX_LENGTH,
    "minLength": MIN_LENGTH,
    "maxItems": MAX_ITEMS,
    "minItems": MIN_ITEMS,
    "maxProperties": MAX_PROPERTIES,
    "minProperties": MIN_PROPERTIES,
    "enum": NOT_SUPPORTED,
    "const": NOT_SUPPORTED,
    "type": TYPE_INVALID,
}
_CHOICES = ("anyOf", "oneOf")


def read_errors(error: Any, subject: Subject) -> list[FieldError]:
    """Returns the errors of one `ValidationError`: as many as Kubernetes would report of the same."""
    return list(_errors(error, subject))


def _errors(error: Any, subject: Subject) -> Iterator[FieldError]:
    keyword = str(error.validator)
    if keyword in _CHOICES and (branch := _branch(error)):
        for inner in branch:
            yield from _errors(inner, subject)
        return
    elements = [each if isinstance(each, int) else str(each) for each in error.absolute_path]
    named = _named(error, keyword)
    if named:
        for name, value in named[1]:
            yield subject.error([*elements, name], named[0], value, error.message)
        return
    if not isinstance(error.validator, str):  # a schema that is `false`; the path lacks the element that led to it
        yield subject.error(None, FORBIDDEN, "", error.message)
        return
    said = _SAID.get(keyword, INVALID)
    if said is INVALID:
        yield error_at(elements, error.message, subject, said)
    else:
        yield subject.error(elements, said, error.instance, error.message)


def _keywords(error: Any) -> Mapping[str, Any]:
    """Returns the schema that was not satisfied, as a mapping of keywords."""
    return error.schema if isinstance(error.schema, Mapping) else {}


def _branch(error: Any) -> list[Any]:
    """Returns the errors of the one branch that takes the type of the value, none if several do or none does."""
    branches: dict[Any, list[Any]] = {}
    for inner in error.context:
        branches.setdefault(inner.relative_schema_path[0], []).append(inner)
    fitting = [
        errors
        for errors in branches.values()
        if not any(each.validator == "type" and not each.relative_path for each in errors)
    ]
    return fitting[0] if len(fitting) == 1 else []


def _named(error: Any, keyword: str) -> tuple[ErrorMapping, list[tuple[Element, Any]]] | None:
    """Returns the errors at members and items, if the keyword is about these and not about the tested value."""
    value, wanted, instance = error.validator_value, error.message, error.instance
    if keyword == "required" and isinstance(value, list):
        return REQUIRED, [(name, "") for name in value if wanted.startswith(f"{name!r} ")][:1]
    if keyword in ("dependentRequired", "dependencies") and isinstance(value, Mapping):
        lacking = [n for names in value.values() if isinstance(names, list) for n in names if n not in instance]
        names = [name for name in lacking if wanted.startswith(f"{name!r} ")]
        return ErrorMapping(ErrorType.REQUIRED, "dependentRequired"), [(name, "") for name in names][:1]
    if keyword == "uniqueItems" and isinstance(instance, list):
        later = [(i, item) for i, item in enumerate(instance) if item in instance[:i]]
        return (DUPLICATE, list(later)) if later else None
    if keyword in ("additionalProperties", "unevaluatedProperties") and isinstance(instance, Mapping):
        known = _keywords(error).get("properties", {})
        extra: list[tuple[Element, Any]] = [(n, "") for n in instance if n not in known and f"{n!r}" in wanted]
        return (FORBIDDEN, extra) if extra else None
    return None


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
    elements = parse_elements(path)
    field = _FIELD.match(message)
    if field:
        said = REQUIRED if field["what"].startswith("missing") else FORBIDDEN
        return [subject.error([*elements, field["name"]], said, "", message)]
    said = _of_msgspec(message)
    if said is UNKNOWN:
        return [error_at(elements, message, subject)]
    return [subject.error(elements, said, subject.value(elements), message)]


def _of_msgspec(message: str) -> ErrorMapping:
    if length := _LENGTH.match(message):
        at_most = length["compared"].startswith("<")
        if length["type"] in _SAMPLES:
            sample = _SAMPLES[length["type"]]
            return upper_limit(sample) if at_most else lower_limit(sample)
        return MAX_BYTES if at_most else ErrorMapping(ErrorType.TOO_SHORT, None)
    if bound := _BOUND.match(message):
        return MAXIMUM if bound["compared"].startswith("<") else MINIMUM
    if message.startswith("Invalid enum value"):
        return NOT_SUPPORTED
    if message.startswith("Expected `") and ", got `" in message:
        return TYPE_INVALID
    return INVALID if message.startswith(("Expected `", "Invalid ")) else UNKNOWN


# --- cattrs and attrs -------------------------------------------------------------------------------------------------

_ATTRS: tuple[tuple[re.Pattern[str], ErrorMapping | None], ...] = (
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
        said = upper_limit(value) if length["compared"] == "<" else lower_limit(value)
        return subject.error(place, said, value, text)
    for pattern, found in _ATTRS:
        if found and pattern.match(text):
            return subject.error(place, found, value, text)
    return error_at(place, text, subject)


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
    ("jsonschema", "ValidationError"): read_errors,
    ("msgspec", "ValidationError"): of_msgspec,
    ("cattrs", "BaseValidationError"): of_cattrs,
    ("marshmallow", "ValidationError"): texts.of_marshmallow,
    ("rest_framework", "ValidationError"): texts.of_rest_framework,
    ("voluptuous", "Invalid"): texts.of_voluptuous,
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
