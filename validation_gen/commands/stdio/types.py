"""The line protocol: one request for a verdict in, one answer out, as JSON (see docs/protocol.md).

Where there is native code, plain requests, as nearly all are, take a fast path: without hooks and with a cached
envelope. The parts around an object, such as its kind and the options, are checked when they are first seen. A later
request with the same parts is only decoded, judged and answered.
"""

from __future__ import annotations

import codecs
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from functools import partial
from json.encoder import encode_basestring_ascii
from typing import Any, TypeAlias

from validation_gen.runtime import native
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.instances import Huge, MinusZero
from validation_gen.runtime.levels import Level
from validation_gen.runtime.registry import Kind, Registry
from validation_gen.runtime.repeats import Repeated, Repeats

#: Maximum number of cached envelopes.
_MOST = 500
#: Longer envelopes are not cached, as they are rare.
_LONGEST = 2_000

#: Returns the errors of an object and its old one.
Judge: TypeAlias = Callable[[Any, Any], list[FieldError]]

#: JSON of ASCII characters in one line.
write = json.JSONEncoder(separators=(",", ":"), allow_nan=False, default=repr).encode


def _refuse_constant(text: str) -> float:
    raise ValueError(text)


#: Decodes a text from a position without any hook. It rejects constants that only Python reads.
_scan = json.JSONDecoder(parse_constant=_refuse_constant).raw_decode
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


#: One escape of a JSON text: `half` is an unpaired surrogate.
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)


#: Possible position of a minus zero, excluding names that end like one.
_MINUS_ZERO = re.compile(r"[\s\[,:]-0")


class RefusedError(Exception):
    """A request that cannot be answered; the text is the reason."""


def answer_lines(lines: Iterable[str | bytes], registry: Registry, broken: Set[str] = frozenset()) -> Iterator[str]:
    """Yields the answer to each line, in order. No content of a line ends the stream; empty lines are skipped.

    Lines of bytes should be UTF-8; others are answered like malformed lines. `broken` has the import paths of packages
    without validators because of errors in their sources.
    """
    reading, plain = _Reading(), PlainRequests(registry)
    for line in lines:
        request = plain.decode(line)
        if request is not None:
            yield plain.answer(request) or _answer(line, request, reading, plain, broken)
        elif line.strip():
            yield _answer(line, None, reading, plain, broken)


def _answer(
    line: str | bytes, decoded: dict[str, Any] | None, reading: _Reading, plain: PlainRequests, broken: Set[str]
) -> str:
    """Returns the answer to a line. A plain request is already decoded."""
    id = None
    try:
        request = reading.parsed(line) if decoded is None else reading.plain(decoded)
        asked = request.get("id")
        if asked.__class__ is not str:
            write({"id": asked})  # raises an error if it cannot be encoded
        id = asked
        registry = plain.registry
        kind, obj, old, update, options, subresource = _read(request, registry, broken)
        if reading.repeated:
            obj, old = (Repeats().decoded(registry.shape(kind), value) for value in (obj, old))
        errors = registry.run(
            kind,
            obj,
            old,
            update=update,
            options=options,
            subresource=subresource,
            types_first=reading.huge,
            level=Level.ALPHA,
        )
        if decoded is not None and subresource == "/":
            plain.add(decoded, kind, update=update, options=options)
        return write({"id": id, "errors": [error.as_dict() for error in errors]})
    except RefusedError as refusal:
        return write({"id": id, "error": str(refusal)})
    except RecursionError:
        return write({"id": id, "error": "nested too deeply"})
    except (Exception, SystemExit) as error:  # a defect of one validator must not affect other answers
        return write({"id": id, "error": f"internal error: {error.__class__.__name__}: {error}"})


class _Reading:
    """Decodes lines, and records special cases of the last one.

    `huge` is True if a number is too large for any value of Python or Go, `repeated` if an object has a duplicate key.
    """

    def __init__(self) -> None:
        self.huge = self.repeated = False
        # A hook for integers is slow, so only lines that may have a minus zero get one.
        self._usual, self._with_zero = self._decoder(None), self._decoder(_integer)

    def _decoder(self, integers: Callable[[str], int] | None) -> json.JSONDecoder:
        return json.JSONDecoder(
            object_pairs_hook=self.object, parse_float=self.number, parse_int=integers, parse_constant=_no_number
        )

    def plain(self, request: dict[str, Any]) -> dict[str, Any]:
        """Returns a decoded request without special cases."""
        self.huge = self.repeated = False
        return request

    def parsed(self, line: str | bytes) -> dict[str, Any]:
        """Decodes the request on a line."""
        self.huge = self.repeated = False
        try:
            text = _text(line) if isinstance(line, bytes) else line
            if text.startswith("\ufeff"):
                raise json.JSONDecodeError("Unexpected UTF-8 BOM (decode using utf-8-sig)", text, 0)
            whole = _ESCAPE.sub(_whole, text) if "\\u" in text else text
            decoder = self._with_zero if "-0" in whole and _MINUS_ZERO.search(whole) else self._usual
            request = decoder.decode(whole)
            if whole != text and isinstance(request, dict) and "id" in request:
                request["id"] = json.loads(text)["id"]  # which is returned unchanged
        except UnicodeDecodeError as error:
            raise RefusedError(f"not UTF-8: {error.reason} at byte {error.start + 1}") from None
        except ValueError as error:
            raise RefusedError(f"not JSON: {error}") from None
        except RecursionError:
            raise RefusedError("nested too deeply") from None
        if not isinstance(request, dict):
            raise RefusedError("a request is a JSON object")
        return request

    def object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """Returns an object, with all of its pairs if a key is duplicate."""
        found = dict(pairs)
        if len(found) == len(pairs):
            return found
        self.repeated = True
        return Repeated(pairs)

    def number(self, text: str) -> float | Huge:
        """Decodes a number. One that is too large becomes a wrong value at its position, without other effects."""
        value = float(text)
        if math.isfinite(value):
            return value
        self.huge = True
        return Huge(text)


def _text(line: bytes) -> str:
    """Decodes UTF-8 with or without a BOM. The decoder for a BOM is slow."""
    return line.decode("utf-8-sig" if line.startswith(codecs.BOM_UTF8) else "utf-8")


def _whole(escape: re.Match[str]) -> str:
    """Returns Go's reading of an escape: an unpaired surrogate becomes U+FFFD."""
    return "\\ufffd" if escape["half"] else escape[0]


def _integer(text: str) -> int:
    return MinusZero() if text == "-0" else int(text)


def _no_number(text: str) -> float:
    """Refuses `NaN` and `Infinity`, which Python reads and writes."""
    raise ValueError(f"{text} is not a number")


def _read(
    request: Mapping[str, Any], registry: Registry, broken: Set[str]
) -> tuple[Kind, Any, Any, bool, dict[str, bool], str]:
    package = _check_type(request, "package", str, "")
    kind = _find(package, _check_type(request, "kind", str, ""), registry, broken)
    op = _check_type(request, "op", str, "create")
    if op not in ("create", "update"):
        raise RefusedError(f'op is "create" or "update", not {json.dumps(op)}')
    options = _check_type(request, "options", dict, {})
    if not all(isinstance(state, bool) for state in options.values()):
        raise RefusedError("options maps names to true or false")
    subresources = _check_type(request, "subresources", list, [])
    if not all(isinstance(part, str) for part in subresources):
        raise RefusedError("subresources is a list of path segments")
    if "obj" not in request:
        raise RefusedError("obj is missing")
    return kind, request["obj"], request.get("oldObj"), op == "update", options, "/" + "/".join(subresources)


def _find(package: str, name: str, registry: Registry, broken: Set[str]) -> Kind:
    if not name:
        raise RefusedError("kind is missing")
    found = registry.of_type(name, package)
    if len(found) == 1:
        return found[0]
    if found:
        raise RefusedError(f"kind {name} is in several packages: {', '.join(k.package for k in found)}")
    tail = package.strip("/")
    for path in sorted(broken):
        if tail and (path == tail or path.endswith(f"/{tail}")):
            raise RefusedError(f"package {path} has errors, so it has no validators")
    raise RefusedError(f"no kind {name} in package {package or '(none named)'}")


def _check_type(request: Mapping[str, Any], name: str, wanted: type, default: Any) -> Any:
    value = request.get(name)
    if value is None:
        return default
    if not isinstance(value, wanted):
        raise RefusedError(f"{name} has the wrong type")
    return value
