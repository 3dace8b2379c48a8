"""Fast path for requests that are certainly valid, as nearly all are, where there is native code.

It accepts a line or leaves it to `types`, which reports all errors of objects, requests and lines. It never builds a
table: after a request has been judged, `learn` adds the table of its kind.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from json.encoder import encode_basestring_ascii
from typing import Any

from validation_gen.runtime import native
from validation_gen.runtime.registry import Kind, Registry

#: Maximum number of cached combinations of a kind, an operation and options.
_MOST = 500
#: Longer names are not cached, as they are rare.
_LONGEST = 2_000


def _no_number(text: str) -> float:
    raise ValueError(text)


#: Decodes a text from a position without any hook. It rejects constants that only Python reads.
_scan = json.JSONDecoder(parse_constant=_no_number).raw_decode
_plain: Callable[[bytes, Any], bool] | None = getattr(native.accept, "plain", None)


class Certain:
    """Cached predicates of judged requests, by their kind, operation and options."""

    __slots__ = ("_known", "registry")

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        #: For each, the predicate for valid objects, and whether the operation is an update.
        self._known: dict[tuple[object, ...], tuple[Callable[..., bool], bool]] = {}

    def request(self, line: str | bytes) -> dict[str, Any] | None:
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
        """Returns the answer to a request that is certainly valid, `None` for any other."""
        get = request.get
        id = get("id")
        if id.__class__ is int:
            id = str(id)
        elif id.__class__ is str:
            id = encode_basestring_ascii(id)
        else:
            return None
        try:
            accepts, update = self._known[get("kind"), get("package"), get("op"), _options(get("options"))]
            obj, old = request["obj"], get("oldObj") if update else None
        except (KeyError, TypeError):  # a new kind, or an invalid name
            return None
        if (update and old is None) or get("subresources") not in (None, []):
            return None
        try:
            right = accepts(obj, old) if update else accepts(obj)
        except SystemExit:  # of a handwritten check, which is reported as a failure
            return None
        return f'{{"id":{id},"errors":[]}}' if right else None

    def learn(self, request: dict[str, Any], kind: Kind, *, update: bool, options: dict[str, bool]) -> None:
        """Caches the predicate of a correct request, independent of its object."""
        if _plain is None:
            return
        accepts = self.registry.accepting(kind, update=update, options=options)
        key = request["kind"], request.get("package"), request.get("op"), _options(request.get("options"))
        if accepts is None or len(repr(key)) > _LONGEST:
            return
        if len(self._known) >= _MOST:  # evicts the oldest; if it is in use, it is added again at once
            del self._known[next(iter(self._known))]
        self._known[key] = accepts, update


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
