"""Answers without a review: a `Status` of `v1`, whose text an API server passes on to its client.

For most codes it ignores a plain text. Sources of the behaviour: `newUnstructuredResponseError` in `rest/request.go` of
`k8s.io/client-go`, and `NewGenericServerResponse` in `pkg/api/errors` of `k8s.io/apimachinery`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from starlette.responses import Response

#: Content type of such a body.
JSON = "application/json"
_REASONS = {
    400: "BadRequest",
    403: "Forbidden",
    404: "NotFound",
    405: "MethodNotAllowed",
    408: "Timeout",
    413: "RequestEntityTooLarge",
    415: "UnsupportedMediaType",
    429: "TooManyRequests",
}


def failure(code: int, message: str, headers: Mapping[str, str] | None = None) -> Response:
    """Returns an answer with an HTTP code other than 200."""
    status = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message}
    # ASCII, so that a lone surrogate from a client is escaped.
    body = json.dumps({**status, "reason": _REASONS.get(code, ""), "code": code}, separators=(",", ":"))
    return Response(body, code, headers, JSON)
