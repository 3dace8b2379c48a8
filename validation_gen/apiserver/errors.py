"""Refusals of requests: `Status` bodies with the server's reasons and words.

Source of the behaviour: `pkg/api/errors` of `k8s.io/apimachinery`.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from validation_gen.apiserver.storage import StoreError, UnavailableError
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.gotext import go_quote

_RETRY_SECONDS = 1


class ApiError(Exception):
    """A request that the server refuses.

    Attributes:
        code: the HTTP status.
        reason: the reason in the `Status`, empty for none.
        details: the details in the `Status`, None for none.
        retry_after: seconds after which a client may try again, 0 for none.
        continues: the token with which a list may go on, empty for none.
        first: the refused object of those that the server begins with, None otherwise.
    """

    first: Mapping[str, Any] | None = None

    def __init__(
        self,
        code: int,
        reason: str,
        message: str,
        details: Mapping[str, Any] | None = None,
        *,
        retry_after: int = 0,
        continues: str = "",
    ) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.message = message
        self.details = details
        self.retry_after = retry_after
        self.continues = continues

    def status(self) -> dict[str, Any]:
        """Returns the body of the response."""
        body: dict[str, Any] = {
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {"continue": self.continues} if self.continues else {},
            "status": "Failure",
            "message": self.message,
        }
        if self.reason:
            body["reason"] = self.reason
        if self.details is not None:
            body["details"] = dict(self.details)
        body["code"] = self.code
        return body


def make_details(group: str, kind: str, name: str = "", **rest: Any) -> dict[str, Any]:
    """Returns details without empty fields."""
    found = {"name": name, "group": group, "kind": kind, **rest}
    return {key: value for key, value in found.items() if value}


def bad_request(message: str) -> ApiError:
    """Returns 400 Bad Request."""
    return ApiError(400, "BadRequest", message)


def not_found(group: str, resource: str, name: str) -> ApiError:
    """Returns 404 for an object that does not exist."""
    message = f"{_qualify(resource, group)} {go_quote(name)} not found"
    return ApiError(404, "NotFound", message, make_details(group, resource, name))


def already_exists(group: str, resource: str, name: str) -> ApiError:
    """Returns 409 for an object that exists."""
    message = f"{_qualify(resource, group)} {go_quote(name)} already exists"
    return ApiError(409, "AlreadyExists", message, make_details(group, resource, name))


def conflict(group: str, resource: str, name: str, problem: str) -> ApiError:
    """Returns 409 for a write of an object that another write has changed before."""
    message = f"Operation cannot be fulfilled on {_qualify(resource, group)} {go_quote(name)}: {problem}"
    return ApiError(409, "Conflict", message, make_details(group, resource, name))


def forbidden(group: str, resource: str, name: str, problem: str) -> ApiError:
    """Returns 403."""
    message = f"{_qualify(resource, group)} {go_quote(name)} is forbidden: {problem}"
    return ApiError(403, "Forbidden", message, make_details(group, resource, name))


def internal(message: str) -> ApiError:
    """Returns 500 with a message alone, as for errors that are no `Status`."""
    return ApiError(500, "", message)


def storage_failure(problem: StoreError) -> ApiError:
    """Returns 503 for a store that may answer soon, 500 for any other problem of a store."""
    message = f"storage: {problem}"
    if not isinstance(problem, UnavailableError):
        return internal(message)
    return ApiError(
        503, "ServiceUnavailable", message, {"retryAfterSeconds": _RETRY_SECONDS}, retry_after=_RETRY_SECONDS
    )


def server_fault(problem: Exception) -> ApiError:
    """Returns 500 for a fault of the server, with its location in the code for a bug report."""
    frames = [each for each in traceback.extract_tb(problem.__traceback__) if "validation_gen" in each.filename]
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return internal_error(f"{type(problem).__name__}{place}")


def internal_error(problem: str) -> ApiError:
    """Returns 500 as for an error that is a `Status`."""
    return ApiError(500, "InternalError", f"Internal error occurred: {problem}", {"causes": [{"message": problem}]})


def method_not_allowed(group: str, resource: str, verb: str) -> ApiError:
    """Returns 405 for a verb that a resource does not have."""
    message = f"{verb} is not supported on resources of kind {go_quote(_qualify(resource, group))}"
    return ApiError(405, "MethodNotAllowed", message, make_details(group, resource))


def missing_resource() -> ApiError:
    """Returns 404 for a path of a built-in version that has no such resource."""
    return ApiError(404, "NotFound", "the server could not find the requested resource", {})


def refuse_method() -> ApiError:
    """Returns 405 for a path that does not have the method."""
    return ApiError(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", {})


def invalid(group: str, kind: str, name: str, errors: Sequence[FieldError]) -> ApiError:
    """Returns 422 for an object with errors."""
    causes = [{"reason": error.type.value, "message": error.body, "field": error.field} for error in errors]
    message = f"{_qualify(kind, group)} {go_quote(name)} is invalid: {aggregate(map(str, errors))}"
    return ApiError(422, "Invalid", message, make_details(group, kind, name, causes=causes))


def aggregate(texts: Iterable[str]) -> str:
    """Returns the text of several errors, each once."""
    found = list(dict.fromkeys(texts))
    return found[0] if len(found) == 1 else f"[{', '.join(found)}]"


def _qualify(resource: str, group: str) -> str:
    return f"{resource}.{group}" if group else resource
