"""Exceptions of handwritten functions: separates answers from crashes, and reads the errors of answers.

One table maps the classes of validation libraries to translators, by module and name: none is ever imported. The errors
of `jsonschema` are read by the keyword that fails. A crash is not translated. Python does not distinguish the two; the
class of the exception does, and the instruction that raised it: `None["spec"]` is never an intended answer.
"""

from __future__ import annotations

import dis
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from validation_gen.mismatch.adapters import codes, texts
from validation_gen.mismatch.adapters.codes import ErrorMapping
from validation_gen.mismatch.adapters.subject import Element, Subject, parse_elements, shape_below
from validation_gen.mismatch.adapters.texts import HandwrittenError, error_at, errors_in
from validation_gen.runtime.errors import ErrorType, FieldError, Mark
from validation_gen.runtime.shapes import ANY, RAW, ListOf, Pointer, Shape, Struct

# --- jsonschema -------------------------------------------------------------------------------------------------------

_CHOICES = ("anyOf", "oneOf")


def of_jsonschema(error: Any, subject: Subject) -> list[FieldError]:
    """Returns the errors of one `ValidationError`: as many as Kubernetes would report of the same."""
    return list(_errors(error, subject))


def _errors(error: Any, subject: Subject) -> Iterator[FieldError]:
    keyword = str(error.validator)
    if keyword in _CHOICES and (branch := _branch(error)):
        for inner in branch:
            yield from _errors(inner, subject)
        return
    elements = [each if isinstance(each, int) else str(each) for each in error.absolute_path]
    named = _map_members(error, keyword)
    if named:
        for name, value in named[1]:
            yield subject.error([*elements, name], named[0], value, error.message)
        return
    if not isinstance(error.validator, str):  # a schema that is `false`; the path lacks the element that led to it
        yield subject.error(None, codes.FORBIDDEN, "", error.message)
        return
    code = codes.KEYWORDS.get(keyword, codes.INVALID)
    if code is codes.INVALID:
        yield error_at(elements, error.message, subject, code)
    else:
        yield subject.error(elements, code, error.instance, error.message)


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


def _map_members(error: Any, keyword: str) -> tuple[ErrorMapping, list[tuple[Element, Any]]] | None:
    """Returns the errors at members and items, if the keyword is about these and not about the tested value."""
    value, wanted, instance = error.validator_value, error.message, error.instance
    if keyword == "required" and isinstance(value, list):
        return codes.REQUIRED, [(name, "") for name in value if wanted.startswith(f"{name!r} ")][:1]
    if keyword in ("dependentRequired", "dependencies") and isinstance(value, Mapping):
        lacking = [n for names in value.values() if isinstance(names, list) for n in names if n not in instance]
        names = [name for name in lacking if wanted.startswith(f"{name!r} ")]
        return ErrorMapping(ErrorType.REQUIRED, "dependentRequired"), [(name, "") for name in names][:1]
    if keyword == "uniqueItems" and isinstance(instance, list):
        later = [(i, item) for i, item in enumerate(instance) if item in instance[:i]]
        return (codes.DUPLICATE, list(later)) if later else None
    if keyword in ("additionalProperties", "unevaluatedProperties") and isinstance(instance, Mapping):
        known = error.schema.get("properties", {}) if isinstance(error.schema, Mapping) else {}
        extra: list[tuple[Element, Any]] = [(n, "") for n in instance if n not in known and f"{n!r}" in wanted]
        return (codes.FORBIDDEN, extra) if extra else None
    return None


# --- pydantic ---------------------------------------------------------------------------------------------------------

_LENGTHS = {"too_long": codes.MAX_PROPERTIES, "too_short": codes.MIN_PROPERTIES}  # of dicts
_DISCRIMINATED = {"union_tag_not_found", "union_tag_invalid"}
_PREFIXES = ("Value error, ", "Assertion failed, ")


def of_pydantic(error: Any, subject: Subject) -> list[FieldError]:
    """Returns the errors of a `ValidationError`."""
    return of_dicts(error.errors(), subject)


def is_pydantic(data: Mapping[Any, Any]) -> bool:
    """Returns whether data is one of the dicts that `errors()` lists."""
    return "loc" in data and "msg" in data and isinstance(data["loc"], list | tuple)


def of_dicts(rows: Sequence[Mapping[str, Any]], subject: Subject) -> list[FieldError]:
    """Converts the error dicts of pydantic to errors.

    A value that fits no branch of a union has an error for each branch. Type errors of a branch are dropped if another
    branch accepts the type.
    """
    found: list[tuple[bool, FieldError]] = []
    for row in rows:
        code = str(row.get("type", ""))
        elements, is_branch = _row_place(row, code, subject)
        found.append((is_branch, _row_error(row, code, elements, subject)))
    judged = {error.field for _, error in found if error.type is not ErrorType.TYPE_INVALID}
    result: list[FieldError] = []
    seen = set()
    for is_branch, error in found:
        key = (error.field, error.type, error.origin)
        if is_branch and (key in seen or (error.type is ErrorType.TYPE_INVALID and error.field in judged)):
            continue
        seen.add(key)
        result.append(error)
    return result


def _row_error(row: Mapping[str, Any], code: str, elements: list[Element], subject: Subject) -> FieldError:
    context = row.get("ctx")
    context = context if isinstance(context, Mapping) else {}
    mapping = codes.find_code(code)
    if str(context.get("field_type", "")) in ("Dictionary", "Dict", "Mapping"):
        mapping = _LENGTHS.get(code, mapping)
    text = str(row.get("msg", ""))
    for prefix in _PREFIXES:
        text = text.removeprefix(prefix)
    if mapping in (codes.INVALID, codes.UNKNOWN):
        error = error_at(elements, text, subject)
        if error.type is not ErrorType.INVALID or mapping is codes.UNKNOWN:
            return error
    bad_value = row["input"] if "input" in row else subject.value(elements)
    return subject.error(elements, mapping, bad_value, text)


def _row_place(row: Mapping[str, Any], code: str, subject: Subject) -> tuple[list[Element], bool]:
    """Returns the path elements of a location, and whether it also names a branch of a union, which is no element.

    It finds the branches by the shape, or without one by the object, which has no member of that name.
    """
    elements = [each if isinstance(each, int) else str(each) for each in row["loc"]]
    if elements[-1:] == ["[key]"]:
        return elements[:-2], False  # Kubernetes reports keys at their map
    last_may_lack = codes.find_code(code) is codes.REQUIRED and code not in _DISCRIMINATED
    shape = subject.shape_at(())
    errors = _by_object(elements, last_may_lack, subject) if shape is None else _by_shape(elements, shape)
    is_branch = len(errors) < len(elements)
    return [*errors, *_discriminator(row, code)], is_branch


def _discriminator(row: Mapping[str, Any], code: str) -> list[Element]:
    """Returns the name of the discriminator field, unless it is a function."""
    context = row.get("ctx")
    name = str(context.get("discriminator", "")) if code in _DISCRIMINATED and isinstance(context, Mapping) else ""
    return [name[1:-1]] if len(name) > 2 and name[0] == name[-1] == "'" else []


def _by_shape(elements: list[Element], shape: Shape | None) -> list[Element]:
    errors: list[Element] = []
    for i, element in enumerate(elements):
        while isinstance(shape, Pointer):
            shape = shape.elem
        if shape is ANY or shape is RAW:
            return errors + elements[i:]
        below = shape_below(shape, element)
        is_extra = isinstance(shape, Struct) and below is None and i + 1 == len(elements)
        if (below is None and not is_extra) or (isinstance(shape, ListOf) and not isinstance(element, int)):
            continue  # nothing is called so: it is a branch
        errors.append(element)
        shape = below
    return errors


def _by_object(elements: list[Element], last_may_lack: bool, subject: Subject) -> list[Element]:
    if not elements or not (subject.reach(elements[:1])[0] or len(elements) == 1):
        return [each for each in elements if isinstance(each, int) or "[" not in each]
    errors: list[Element] = []
    for i, element in enumerate(elements):
        may_lack = i + 1 == len(elements) and (last_may_lack or not errors)
        if may_lack or subject.reach([*errors, element])[0] > len(errors):
            errors.append(element)
    return errors


# --- msgspec ----------------------------------------------------------------------------------------------------------

_PLACE = re.compile(r"(?P<message>.*?)(?: - at `(?:key in )?\$(?P<path>[^`]*)`)?", re.DOTALL)
_FIELD = re.compile(r"Object (?P<what>missing required|contains unknown) field `(?P<name>[^`]*)`")


def of_msgspec(error: Any, subject: Subject) -> list[FieldError]:
    """Returns the one error of a `ValidationError`, which has only a text."""
    text = str(error)
    match = _PLACE.fullmatch(text)
    assert match
    message, path = match["message"], match["path"] or ""
    if "[...]" in path:  # some value or key of a map, without its name
        found = subject.error([], codes.find_msgspec(message), "", message)
        return [found.marked(Mark.ANY_FIELD)]
    elements = parse_elements(path)
    field = _FIELD.match(message)
    if field:
        code = codes.REQUIRED if field["what"].startswith("missing") else codes.FORBIDDEN
        return [subject.error([*elements, field["name"]], code, "", message)]
    code = codes.find_msgspec(message)
    if code is codes.UNKNOWN:
        return [error_at(elements, message, subject)]
    return [subject.error(elements, code, subject.value(elements), message)]


# --- cattrs and attrs -------------------------------------------------------------------------------------------------

_ATTRIBUTE = re.compile(r"'(?P<name>\w+)' must ")


def of_cattrs(error: Any, subject: Subject) -> list[FieldError]:
    """Returns the errors of a tree of exceptions. Notes contain the path of each branch."""
    return list(_tree(error, [], subject))


def _tree(error: Any, elements: list[Element], subject: Subject) -> Iterator[FieldError]:
    for inner in error.exceptions:
        place = [*elements, *_find_noted(inner)]
        if hasattr(inner, "exceptions"):
            yield from _tree(inner, place, subject)
        elif isinstance(inner, KeyError) and len(place) > len(elements):
            yield subject.error(place, codes.REQUIRED)
        elif type(inner).__name__ == "ForbiddenExtraKeysError":
            for name in sorted(map(str, inner.extra_fields)):
                yield subject.error([*place, name], codes.FORBIDDEN, "", str(inner))
        else:
            yield _leaf(inner, place, subject)


def _find_noted(error: Any) -> Iterator[Element]:
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
    if length := codes.ATTRS_LENGTH.match(text):
        code = codes.upper_limit(value) if length["compared"] == "<" else codes.lower_limit(value)
        return subject.error(place, code, value, text)
    for pattern, found in codes.ATTRS:
        if pattern.match(text):
            return subject.error(place, found, value, text)
    return error_at(place, text, subject)


Translation = Callable[[Any, Subject], list[FieldError]]


def _denial(error: BaseException, subject: Subject) -> list[FieldError]:
    """Kopf refuses a request with the text of the exception."""
    return errors_in(str(error) or repr(error), subject)


#: By the package of the class, and its name.
_TRANSLATIONS: dict[tuple[str, str], Translation] = {
    ("pydantic_core", "ValidationError"): of_pydantic,
    ("pydantic", "ValidationError"): of_pydantic,
    ("kopf", "PermanentError"): _denial,
    ("kopf", "TemporaryError"): _denial,
    ("jsonschema", "ValidationError"): of_jsonschema,
    ("msgspec", "ValidationError"): of_msgspec,
    ("cattrs", "BaseValidationError"): of_cattrs,
    ("marshmallow", "ValidationError"): lambda error, subject: texts.errors_by_field(
        error.messages, subject, "marshmallow"
    ),
    ("rest_framework", "ValidationError"): lambda error, subject: texts.errors_by_field(
        error.detail, subject, "rest_framework"
    ),
    ("voluptuous", "Invalid"): texts.of_voluptuous,
}


#: Names of call instructions. In Python 3.11 the first of two raises, once code has run often.
_CALLS = ("CALL", "PRECALL")


def translate_exception(error: BaseException, subject: Subject) -> list[FieldError] | None:
    """Returns the errors that an exception reports, `None` if it is a crash."""
    translate = codes.find_by_class(_TRANSLATIONS, type(error))
    if translate is not None:
        return translate(error, subject)
    if any(name == "BaseExceptionGroup" for _, name in codes.class_names(type(error))):
        errors = [translate_exception(inner, subject) for inner in getattr(error, "exceptions", ())]
        return None if None in errors else [each for errors in errors for each in errors or ()]
    if isinstance(error, HandwrittenError) or not is_answer(error):
        return None
    return errors_in(str(error) or _nameless(error), subject)


def is_answer(error: BaseException) -> bool:
    """Returns whether a built-in exception is meant as an answer about the object."""
    if isinstance(error, AssertionError):
        return True
    if isinstance(error, ValueError):
        return _is_raised_by(error, ("RAISE", "RERAISE", *_CALLS))  # `int("x")` tells something of the object
    return isinstance(error, TypeError) and _is_raised_by(error, ("RAISE", "RERAISE"))


def _is_raised_by(error: BaseException, instructions: tuple[str, ...]) -> bool:
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
