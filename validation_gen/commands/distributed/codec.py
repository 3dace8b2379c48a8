"""Converts dataclasses to JSON-ready data and back, by the types of their fields, or by `as_data` and `of_data`.

A dataclass becomes an object without the fields that have their default, as there may be very many of them. Fields that
begin with `_`, or are marked as `LOCAL`, are left out. Mappings with other keys than texts become pairs. Sets and pairs
are sorted, so that equal values give equal data.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import date
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

Value = TypeVar("Value")

#: Metadata of a field that stays in its process.
LOCAL: Mapping[str, bool] = MappingProxyType({"local": True})
#: Key of the metadata of a field that has a codec of its own.
CODEC = "codec"


class Codec(NamedTuple):
    """Converts a value to JSON-ready data, and back."""

    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]


def encode(value: Any, type: Any = None) -> dict[str, Any]:
    """Returns a dataclass as data for `decode`. A generic one needs its type, such as `Part[Results]`."""
    data: dict[str, Any] = _codec(type or value.__class__).encode(value)
    return data


def decode(type: type[Value], data: Any) -> Value:
    """Restores a dataclass from `encode`.

    Raises:
        ValueError, TypeError, KeyError: the data is of another form.
    """
    value: Value = _codec(type).decode(data)
    return value


def _codec(type: Any) -> Codec:
    return _make(type)


@cache
def _make(type: Any) -> Codec:
    args, plain = get_args(type), get_origin(type) or type
    if type is Any:
        return Codec(_same, _same)
    if plain in (Union, UnionType):
        return _optional(*(each for each in args if each is not NoneType))
    if hasattr(plain, "of_data"):
        return Codec(lambda value: value.as_data(), plain.of_data)
    if is_dataclass(plain):
        return _of_fields(plain, dict(zip(getattr(plain, "__parameters__", ()), args, strict=True)))
    if issubclass(plain, enum.Enum):
        return Codec(lambda value: value.value, plain)
    if plain is date:
        return Codec(date.isoformat, date.fromisoformat)
    if plain is Counter:
        return _mapping(Counter, args[0], int)
    if hasattr(plain, "keys"):
        return _mapping(dict, *args)
    if plain is tuple and args[-1] is not ...:
        return _make_fixed([_codec(each) for each in args])
    if args:
        return _items(plain, _codec(args[0]))
    return Codec(_same, lambda data: _check(data, plain))


def _same(value: Any) -> Any:
    return value


def _check(data: Any, type: type) -> Any:
    if isinstance(data, (int, float) if type is float else type) and (type is bool or not isinstance(data, bool)):
        return data
    raise ValueError(f"{type.__name__} is expected")


def _optional(type: Any) -> Codec:
    inner = _codec(type)
    return Codec(
        lambda value: None if value is None else inner.encode(value),
        lambda data: None if data is None else inner.decode(data),
    )


def _make_fixed(codecs: Collection[Codec]) -> Codec:
    return Codec(
        lambda value: [codec.encode(each) for codec, each in zip(codecs, value, strict=True)],
        lambda data: tuple(codec.decode(each) for codec, each in zip(codecs, data, strict=True)),
    )


def _items(make: Callable[[Any], Any], inner: Codec) -> Codec:
    order = sorted if make in (set, frozenset) else list
    return Codec(
        lambda value: order(value if inner.encode is _same else map(inner.encode, value)),
        lambda data: make(map(inner.decode, _check(data, list))),
    )


def _mapping(make: Callable[[Any], Any], key: Any, value: Any) -> Codec:
    keys, values = _codec(key), _codec(value)
    if issubclass(get_origin(key) or key, str):
        return Codec(
            lambda found: {keys.encode(name): values.encode(each) for name, each in found.items()},
            lambda data: make({keys.decode(name): values.decode(each) for name, each in data.items()}),
        )
    return Codec(
        lambda found: [[keys.encode(name), values.encode(each)] for name, each in sorted(found.items())],
        lambda data: make({keys.decode(name): values.decode(each) for name, each in data}),
    )


def _of_fields(type: Any, variables: Mapping[Any, Any]) -> Codec:
    hints = get_type_hints(type)
    members = {
        each.name: (
            each.metadata.get(CODEC) or _codec(variables.get(hints[each.name], hints[each.name])),
            _default(each),
        )
        for each in fields(type)
        if not each.name.startswith("_") and not each.metadata.get("local")
    }

    def encode(value: Any) -> dict[str, Any]:
        found = {}
        for name, (codec, default) in members.items():
            part = getattr(value, name)
            if part != default:
                found[name] = codec.encode(part)
        return found

    def decode(data: Any) -> Any:
        return type(**{name: members[name][0].decode(part) for name, part in data.items()})

    return Codec(encode, decode)


def _default(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()
