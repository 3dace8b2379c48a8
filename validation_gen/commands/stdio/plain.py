"""Answers plain requests, as nearly all are, where there is native code: without hooks and with a cached envelope.

What surrounds an object, such as its kind and the options, is checked by `types` when it is first seen. A later request
with the same around its object is decoded, judged and answered here. All other lines are left to `types`, which answers
them with all that can be wrong with lines and requests.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from json.encoder import encode_basestring_ascii
from typing import Any, TypeAlias

from validation_gen.runtime import native
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.levels import Level
from validation_gen.runtime.registry import Kind, Registry

#: Maximum number of cached envelopes.
_MOST = 500
#: Longer envelopes are not cached, as they are rare.
_LONGEST = 2_000

#: Returns the errors of an object and its old one.
Judge: TypeAlias = Callable[[Any, Any], list[FieldError]]

#: JSON of ASCII characters in one line.
write = json.JSONEncoder(separators=(",", ":"), allow_nan=False, default=repr).encode


def _no_number(text: str) -> float:
    raise ValueError(text)


#: Decodes a text from a position without any hook. It rejects constants that only Python reads.
_scan = json.JSONDecoder(parse_constant=_no_number).raw_decode
_plain: Callable[[bytes, Any], bool] | None = getattr(native.accept, "plain", None)


class PlainRequests:
    """Answers requests by cached judges of their kinds, operations and options."""

    __slots__ = ("_judges", "registry")

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self._judges: dict[tuple[object, ...], Judge] = {}

    def decode(self, line: str | bytes) -> dict[str, Any] | None:
        """Decodes the request on a line, `None` unless it is plain JSON without duplicate keys."""
        if _plain is None or not isinstance(line, bytes):
            return None
        try:
            text = line.decode()
            request, end = _scan(text, 0)
        except (ValueError, RecursionError):
            return None
        if request.__class__ is not dict or not _plain(line, request):
            return None
        # Usually only a line feed follows.
        return request if text[end:] == "\n" or not text[end:].strip(" \t\r\n") else None

    def answer(self, request: dict[str, Any]) -> str | None:
        """Returns the answer to a request with a known envelope, `None` for any other and where something fails."""
        get = request.get
        id = get("id")
        if id.__class__ is int:
            text = str(id)
        elif id.__class__ is str:
            text = encode_basestring_ascii(id)
        else:
            return None
        try:
            judge = self._judges[get("kind"), get("package"), get("op"), _options(get("options"))]
            obj = request["obj"]
        except (KeyError, TypeError):  # a new kind, or an invalid name
            return None
        if get("subresources") not in (None, []):
            return None
        try:
            errors = judge(obj, get("oldObj"))
            return write({"id": id, "errors": [each.as_dict() for each in errors]}) if errors else _valid(text)
        except (Exception, SystemExit):  # of a handwritten check, which is reported as a failure
            return None

    def add(self, request: dict[str, Any], kind: Kind, *, update: bool, options: dict[str, bool]) -> None:
        """Caches the envelope of a correct request."""
        key = request["kind"], request.get("package"), request.get("op"), _options(request.get("options"))
        if _plain is None or len(repr(key)) > _LONGEST:
            return
        if len(self._judges) >= _MOST:  # evicts the oldest; if it is in use, it is added again at once
            del self._judges[next(iter(self._judges))]
        self._judges[key] = partial(self.registry.run, kind, update=update, options=options, level=Level.ALPHA)


def _valid(id: str) -> str:
    return f'{{"id":{id},"errors":[]}}'


def _options(options: Any) -> tuple[object, ...]:
    """Returns options as a part of a key.

    Raises:
        TypeError: they are malformed.
    """
    if options is None:
        return ()
    if options.__class__ is not dict or not all(state.__class__ is bool for state in options.values()):
        raise TypeError
    return tuple(sorted(options.items()))
