"""Errors of the `jsonschema` package: by the keyword that a value does not satisfy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from validation_gen.mismatch.adapters.subject import (
    DUPLICATE,
    FORBIDDEN,
    INVALID,
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
    Element,
    Said,
    Subject,
)
from validation_gen.mismatch.adapters.texts import error_at
from validation_gen.runtime.errors import ErrorType, FieldError

_SAID: dict[str, Said] = {
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


def errors_of(error: Any, subject: Subject) -> list[FieldError]:
    """The errors of one `ValidationError`: as many as Kubernetes would report of the same."""
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
    """The schema that was not satisfied, as a mapping of keywords."""
    return error.schema if isinstance(error.schema, Mapping) else {}


def _branch(error: Any) -> list[Any]:
    """The errors of the one branch that takes the type of the value, none if several do or none does."""
    branches: dict[Any, list[Any]] = {}
    for inner in error.context:
        branches.setdefault(inner.relative_schema_path[0], []).append(inner)
    fitting = [
        errors
        for errors in branches.values()
        if not any(each.validator == "type" and not each.relative_path for each in errors)
    ]
    return fitting[0] if len(fitting) == 1 else []


def _named(error: Any, keyword: str) -> tuple[Said, list[tuple[Element, Any]]] | None:
    """Returns the errors of named values below the tested one, if the keyword is about such."""
    value, wanted, instance = error.validator_value, error.message, error.instance
    if keyword == "required" and isinstance(value, list):
        return REQUIRED, [(name, "") for name in value if wanted.startswith(f"{name!r} ")][:1]
    if keyword in ("dependentRequired", "dependencies") and isinstance(value, Mapping):
        lacking = [n for names in value.values() if isinstance(names, list) for n in names if n not in instance]
        names = [name for name in lacking if wanted.startswith(f"{name!r} ")]
        return Said(ErrorType.REQUIRED, "dependentRequired"), [(name, "") for name in names][:1]
    if keyword == "uniqueItems" and isinstance(instance, list):
        later = [(i, item) for i, item in enumerate(instance) if item in instance[:i]]
        return (DUPLICATE, list(later)) if later else None
    if keyword in ("additionalProperties", "unevaluatedProperties") and isinstance(instance, Mapping):
        known = _keywords(error).get("properties", {})
        extra: list[tuple[Element, Any]] = [(n, "") for n in instance if n not in known and f"{n!r}" in wanted]
        return (FORBIDDEN, extra) if extra else None
    return None
