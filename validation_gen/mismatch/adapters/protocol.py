"""Errors in the terms of the line protocol, as Go marshals `field.Error`, and in a `Status` of a server or webhook.

A `Status` has causes, or a message alone. Nothing here raises. See docs/protocol.md. Source of the form: `Status` and
`StatusCause` of `k8s.io/apimachinery/pkg/apis/meta/v1`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from validation_gen.mismatch.adapters.codes import UNKNOWN, ErrorMapping
from validation_gen.mismatch.adapters.subject import Subject, parse_elements
from validation_gen.mismatch.adapters.texts import error_at, errors_in
from validation_gen.runtime.errors import ErrorType, FieldError, Mark


class MalformedError(ValueError):
    """An error in the answer of another program that cannot be read; the text is the reason."""


def _plain(name: str) -> str:
    return name.replace("_", "").replace(" ", "").lower()


#: Spellings of a type by other programs: `FieldValueTooLong`, `Too long`, `TooLong`, `TOO_LONG`.
_TYPES = {
    _plain(name): type
    for type in reversed(ErrorType)
    for name in (type.value, type.label, type.name, type.value.removeprefix("FieldValue"))
} | {"unsupportedvalue": ErrorType.NOT_SUPPORTED, "internal": ErrorType.INTERNAL}


def type_named(name: str) -> ErrorType | None:
    """Returns the type of a name, `None` if there is none."""
    return _TYPES.get(_plain(name))


def is_error(data: Mapping[Any, Any]) -> bool:
    """Returns whether data has the form of one error in these terms."""
    known = {_first_small(name) for name in data if isinstance(name, str)}
    return "field" in known and not known.isdisjoint({"type", "detail", "message", "badValue", "origin"})


def read_error(data: Any, subject: Subject | None = None) -> FieldError:
    """Reads one error. Missing parts (`type`, `field`, `origin`) are marked as unknown; present ones are trusted.

    The marks of the subject apply to errors without their own `covered`.

    Raises:
        MalformedError: the data is no such error.
    """
    subject = subject or Subject()
    if not isinstance(data, Mapping):
        raise MalformedError("an error is a JSON object")
    values = {_first_small(name): value for name, value in data.items() if isinstance(name, str) and value is not None}
    type = _type(_text(values, "type"))
    field, origin, detail = _text(values, "field"), _text(values, "origin"), _text(values, "detail")
    if detail is None or type is None:
        # The message is the whole error as text, from which the missing parts are taken.
        message = _text(values, "message") or ""
        errors = error_at(None, message, subject)
        detail = errors.detail if detail is None else detail
        type = type or (None if Mark.ANY_TYPE in errors.marks else errors.type)
    path = None if field in (None, "", "<nil>") else field
    error = FieldError.at(path, type or ErrorType.INVALID, _bad_value(data, field, type, subject), detail)
    error.origin = origin or ""
    stability = _text(values, "validationStabilityLevel") or ""
    error.level = _text(values, "level") or (stability if stability in ("alpha", "beta") else "")
    if values.get("shortCircuit") is True:
        error.short_circuit = True
    return error.marked(
        *([Mark.ANY_TYPE] if type is None else ()),
        *([Mark.ANY_ORIGIN] if origin is None else ()),
        *([Mark.ANY_FIELD] if field is None else ()),
        *_coverage(values, subject),
    )


def _bad_value(data: Mapping[Any, Any], field: str | None, type: ErrorType | None, subject: Subject) -> Any:
    """Returns the reported value, else the one in the object, where errors of the type have any."""
    for name in ("badValue", "BadValue"):
        if name in data:
            return data[name]
    if field is None or type in (ErrorType.REQUIRED, ErrorType.FORBIDDEN, ErrorType.INTERNAL):
        return ""
    count, value = subject.reach(elements := parse_elements(field))
    return value if count == len(elements) else ""


def _coverage(values: Mapping[str, Any], subject: Subject) -> frozenset[str]:
    code = values.get("covered", values.get("coveredByDeclarative"))
    return subject.marks if code is None else frozenset({Mark.COVERED} if code is True else ())


def _type(name: str | None) -> ErrorType | None:
    if not name:
        return None
    type = type_named(name)
    if type is None:
        raise MalformedError(f"there is no error type {name!r:.80}")
    return type


def _text(values: Mapping[str, Any], name: str) -> str | None:
    value = values.get(name)
    if value is not None and not isinstance(value, str):
        raise MalformedError(f"{name} is a text, not {value!r:.80}")
    return value


def _first_small(name: str) -> str:
    return name[:1].lower() + name[1:]


_SILENT = "the request was denied without a reason"


def status_errors(status: Any, subject: Subject) -> list[FieldError]:
    """Returns the errors of a `Status`, at least one."""
    status = status if isinstance(status, Mapping) else {}
    details = status.get("details")
    causes = details.get("causes") if isinstance(details, Mapping) else None
    found = [error for cause in causes if (error := _cause(cause, subject))] if isinstance(causes, list) else []
    if found:
        return found
    texts = [text for name in ("message", "reason") if isinstance(text := status.get(name), str) and text.strip()]
    return errors_in(texts[0] if texts else _SILENT, subject)


def _cause(cause: Any, subject: Subject) -> FieldError | None:
    if not isinstance(cause, Mapping):
        return None
    reason, field, message = (_get_text(cause.get(name)) for name in ("reason", "field", "message"))
    if not (reason or field or message):
        return None
    type = type_named(reason) if reason else None
    error = error_at(
        parse_elements(field) if field else None, message, subject, ErrorMapping(type, None) if type else UNKNOWN
    )
    if message.startswith(f"{field}: ") and error.detail == message:
        error.detail = message.removeprefix(f"{field}: ")
    return error


def _get_text(value: Any) -> str:
    return value if isinstance(value, str) else ""
