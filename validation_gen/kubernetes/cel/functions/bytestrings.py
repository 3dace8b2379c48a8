"""CEL value of a text of the format `byte`.

Sources of the behaviour: `UnstructuredToVal` of the API server, `strfmt` of kube-openapi, and Go's `encoding/base64`.
Schemas require the standard alphabet with `+` and `/`. Expressions read the URL alphabet with `-` and `_`, and fail on
the standard one.
"""

from __future__ import annotations

import base64
import re

from validation_gen.kubernetes.cel.functions.conversions import encoded
from validation_gen.kubernetes.cel.values import EvaluationError

_BASE64 = re.compile(rb"(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2}==|[A-Za-z0-9_-]{3}=)?")
_NO_DIGIT = re.compile(rb"[^A-Za-z0-9_\r\n-]")
_NEWLINES = b"\r\n"


def bytes_of(text: str) -> bytes:
    """Decodes a text, which may have newlines anywhere."""
    data = encoded(text)
    digits = data.translate(None, _NEWLINES)
    if not _BASE64.fullmatch(digits):
        problem = f"illegal base64 data at input byte {_first_problem(data)}"
        raise EvaluationError(f"Invalid byte formatted string {text}: {problem}")
    return base64.urlsafe_b64decode(digits)


def _first_problem(data: bytes) -> int:
    """Returns the position that Go's error names. Go reads four digits at a time."""
    match = _NO_DIGIT.search(data)
    end = match.start() if match else len(data)
    digits = len(data[:end].translate(None, _NEWLINES)) % 4
    if match is None:
        return len(data) - digits
    if match[0] != b"=" or digits < 2:
        return end
    at = _after_newlines(data, end + 1)
    if digits == 2:
        if at == len(data):
            return at
        if data[at : at + 1] != b"=":
            return at - 1
        at = _after_newlines(data, at + 1)
    return at


def _after_newlines(data: bytes, at: int) -> int:
    return len(data) - len(data[at:].lstrip(_NEWLINES))
