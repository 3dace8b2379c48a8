"""The short way to the answer of a request that is certainly valid, as nearly all are, where there is native code.

It says that all is well, or leaves a line to `types`, which alone says what is wrong: with an object, a request or a
line. It never makes a table: that of a kind is told it by whoever has judged a request.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from json.encoder import encode_basestring_ascii
from typing import Any

from validation_gen.runtime import native
from validation_gen.runtime.registry import Kind, Registry

#: How many ways to name a kind, an operation and options are kept.
_MOST = 500
#: Longer names are not kept: nobody says them often.
_LONGEST = 2_000


def _no_number(text: str) -> float:
    raise ValueError(text)


#: Decodes a text from a position without any hook. What Python reads and JSON has not is left to others.
_scan = json.JSONDecoder(parse_constant=_no_number).raw_decode
_plain: Callable[[bytes, Any], bool] | None = getattr(native.accept, "plain", None)


class Certain:
    """What is known of requests that have been judged before, by their kind, operation and options."""

    __slots__ = ("_known", "registry")

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        #: For each, what tells valid objects, and whether the operation is an update.
        self._known: dict[tuple[object, ...], tuple[Callable[..., bool], bool]] = {}

    def request(self, line: str | bytes) -> dict[str, Any] | None:
        """The request on a line, `None` unless it is plain JSON in which nothing is twice or otherwise unusual."""
        if _plain is None or not isinstance(line, bytes):
            return None
        try:
            text = line.decode()
            request, end = _scan(text, 0)
        except (ValueError, RecursionError):
            return None
        if request.__class__ is not dict or not _plain(line, request):
            return None
        # Nearly always the end of the line stands behind it, alone.
        return request if text[end:] == "\n" or not text[end:].strip(" \t\r\n") else None

    def answer(self, request: dict[str, Any]) -> str | None:
        """The answer to a request that is certainly valid, `None` for any other."""
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
        except (KeyError, TypeError):  # a kind that is new, a name that is none
            return None
        if (update and old is None) or get("subresources") not in (None, []):
            return None
        try:
            right = accepts(obj, old) if update else accepts(obj)
        except SystemExit:  # of a handwritten check, which is told as one that fails
            return None
        return f'{{"id":{id},"errors":[]}}' if right else None

    def learn(self, request: dict[str, Any], kind: Kind, *, update: bool, options: dict[str, bool]) -> None:
        """Takes note of a request that is right, whatever its object is."""
        if _plain is None:
            return
        accepts = self.registry.accepting(kind, update=update, options=options)
        key = request["kind"], request.get("package"), request.get("op"), _options(request.get("options"))
        if accepts is None or len(repr(key)) > _LONGEST:
            return
        if len(self._known) >= _MOST:  # the oldest goes; if it is in use, it comes back at once
            del self._known[next(iter(self._known))]
        self._known[key] = accepts, update


def _options(options: Any) -> tuple[object, ...]:
    """Options as a part of a key.

    Raises:
        TypeError: they are none.
    """
    if options is None:
        return ()
    if options.__class__ is not dict or not all(state.__class__ is bool for state in options.values()):
        raise TypeError
    return tuple(sorted(options.items()))
