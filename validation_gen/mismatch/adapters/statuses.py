"""Refusals as the API server and admission webhooks send them: a `Status` with causes, or with a message alone.

Source of the form: `Status` and `StatusCause` of `k8s.io/apimachinery/pkg/apis/meta/v1`. Nothing here raises.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from validation_gen.mismatch.adapters.protocol import type_named
from validation_gen.mismatch.adapters.subject import UNKNOWN, Said, Subject, elements_of
from validation_gen.mismatch.adapters.texts import error_at, errors_in
from validation_gen.runtime.errors import FieldError

_SILENT = "the request was denied without a reason"


def errors_of(status: Any, subject: Subject) -> list[FieldError]:
    """The errors of a `Status`, at least one."""
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
    reason, field, message = (_text(cause.get(name)) for name in ("reason", "field", "message"))
    if not (reason or field or message):
        return None
    type = type_named(reason) if reason else None
    error = error_at(elements_of(field) if field else None, message, subject, Said(type, None) if type else UNKNOWN)
    if message.startswith(f"{field}: ") and error.detail == message:
        error.detail = message.removeprefix(f"{field}: ")
    return error


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
