"""Protobuf bodies of built-in kinds, which typed clients in Go send, as decoded JSON.

Sources of the behaviour: `pkg/runtime/serializer/protobuf` of `k8s.io/apimachinery`, and the encoding of Protocol
Buffers, version 2. Unknown fields are skipped, as the server skips them.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta, timezone
from functools import cache
from typing import Any

from validation_gen.apiserver.core.types import Field, fields

_MAGIC = b"k8s\0"
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_DEEPEST = 100


class ProtobufError(ValueError):
    """A body is not a valid message."""


def decode(body: bytes, find_type: Callable[[str, str], str]) -> Any:
    """Returns the object of a body.

    Args:
        body: the body.
        find_type: returns the type of an object by its `apiVersion` and kind.

    Raises:
        ProtobufError: it cannot be decoded.
    """
    if not body.startswith(_MAGIC):
        raise ProtobufError("provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]")
    meta, raw = {}, b""
    for number, value in _parts(body[len(_MAGIC) :]):
        if number == 1:
            meta = {n: _text(each) for n, each in _parts(_bytes(value))}
        elif number == 2:
            raw = _bytes(value)
    named = {"apiVersion": meta.get(1, ""), "kind": meta.get(2, "")}
    message = _message(find_type(named["apiVersion"], named["kind"]), raw, 0)
    return {**message, **{name: value for name, value in named.items() if value}}


def _parts(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yields the fields of a message: number and value."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        number, wire = tag >> 3, tag & 7
        if wire == _VARINT:
            value, at = _varint(data, at)
            yield number, value
            continue
        if wire == _BYTES:
            length, at = _varint(data, at)
        elif wire in (_FIXED64, _FIXED32):
            length = 8 if wire == _FIXED64 else 4
        else:
            raise ProtobufError(f"proto: illegal wireType {wire}")
        if at + length > len(data) or number == 0:
            raise ProtobufError("unexpected EOF")
        yield number, data[at : at + length]
        at += length


def _varint(data: bytes, at: int) -> tuple[int, int]:
    found = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            raise ProtobufError("unexpected EOF")
        found |= (data[at] & 0x7F) << shift
        at += 1
        if data[at - 1] < 0x80:
            return found & 0xFFFFFFFFFFFFFFFF, at
    raise ProtobufError("proto: integer overflow")


def _bytes(value: int | bytes) -> bytes:
    if isinstance(value, int):
        raise ProtobufError("proto: wrong wireType = 0")
    return value


def _text(value: int | bytes) -> str:
    return _bytes(value).decode("utf-8", "replace")


@cache
def _numbers(name: str) -> dict[int, Any]:
    """Returns the fields of a struct by number; the fields of an inlined message are a nested mapping."""
    found: dict[int, Any] = {}
    for each in fields(name):
        numbers = each.facts.get("n", ())
        path = [numbers] if isinstance(numbers, int) else list(numbers)
        if path:
            inner = found
            for number in path[:-1]:
                inner = inner.setdefault(number, {})
            inner[path[-1]] = each
    return found


def _message(name: str, data: bytes, depth: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    _add(found, _numbers(name), data, depth)
    return found


def _add(found: dict[str, Any], numbers: Mapping[int, Any], data: bytes, depth: int) -> None:
    """Adds the fields of a message to an object."""
    if depth > _DEEPEST:
        raise ProtobufError("exceeded max depth")
    for number, value in _parts(data):
        each = numbers.get(number)
        if isinstance(each, Field):
            _set(found, each, value, depth)
        elif each is not None:
            _add(found, each, _bytes(value), depth + 1)


def _set(found: dict[str, Any], each: Field, value: int | bytes, depth: int) -> None:
    kind = each.kind
    if kind.startswith("[]"):
        found.setdefault(each.name, []).append(_value(kind[2:], value, depth))
    elif kind.startswith("{}"):
        pair = dict(_parts(_bytes(value)))
        inner = pair.get(2, b"")
        item = (
            [_text(one) for _, one in _parts(_bytes(inner))] if kind == "{}[]string" else _value(kind[2:], inner, depth)
        )
        found.setdefault(each.name, {})[_text(pair.get(1, b""))] = item
    else:
        found[each.name] = _value(kind, value, depth)


def _value(kind: str, value: int | bytes, depth: int) -> Any:
    if kind in ("int32", "int64", "bool"):
        if not isinstance(value, int):
            raise ProtobufError("proto: wrong wireType = 2")
        signed = value - (1 << 64) if value >= 1 << 63 else value
        return bool(value) if kind == "bool" else signed
    if kind == "string":
        return _text(value)
    data = _bytes(value)
    if kind == "bytes":
        return base64.b64encode(data).decode()
    if kind in ("time", "microtime"):
        return _time(dict(_parts(data)), micro=kind == "microtime")
    if kind == "raw":
        return _raw(dict(_parts(data)).get(1, b""))
    return _message(kind, data, depth + 1)


def _time(parts: Mapping[int, int | bytes], *, micro: bool) -> str | None:
    seconds, nanos = (parts.get(number, 0) for number in (1, 2))
    if not isinstance(seconds, int) or not isinstance(nanos, int):
        raise ProtobufError("proto: wrong wireType = 2")
    if not seconds and not nanos:
        return None
    seconds = seconds - (1 << 64) if seconds >= 1 << 63 else seconds
    try:
        moment = _EPOCH + timedelta(seconds=seconds, microseconds=nanos // 1000 if micro else 0)
    except OverflowError:
        raise ProtobufError("the time is out of range") from None
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ" if micro else "%Y-%m-%dT%H:%M:%SZ")


def _raw(value: int | bytes) -> Any:
    try:
        return json.loads(_bytes(value) or b"null")
    except (ValueError, RecursionError) as problem:
        raise ProtobufError(str(problem)) from None
