"""What is answered where there is no review: a `Status` of `v1`, whose words an API server hands on to its client.

Of most codes it does not tell a plain text. Sources of the behaviour: `newUnstructuredResponseError` in
`rest/request.go` of `k8s.io/client-go`, and `NewGenericServerResponse` in `pkg/api/errors` of `k8s.io/apimachinery`.
"""

from __future__ import annotations

import json

#: What a body of this form is sent as.
FORM = (b"content-type", b"application/json")
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


def failure(code: int, message: str) -> bytes:
    """The body of an answer with a code of HTTP that is no 200."""
    status = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message}
    # ASCII, so that half of a pair of surrogates, which a client has sent, is escaped.
    return json.dumps({**status, "reason": _REASONS.get(code, ""), "code": code}, separators=(",", ":")).encode()
