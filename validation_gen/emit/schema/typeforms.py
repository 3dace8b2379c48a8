"""Schemas of values other than structs, lists or maps: scalars, and types with their own JSON form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PRESERVES = "x-kubernetes-preserve-unknown-fields"
BASE64 = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"


_DECIMAL = r"(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))"
_QUANTITY = rf"^(\+|-)?{_DECIMAL}(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?{_DECIMAL}))?$"
_INT_OR_STRING: Mapping[str, Any] = {
    "anyOf": [{"type": "integer"}, {"type": "string"}],
    "x-kubernetes-int-or-string": True,
}

#: Schemas of the wire forms of `sources.wellknown`.
WIRE: dict[str, Mapping[str, Any]] = {
    "any": {"x-kubernetes-preserve-unknown-fields": True},
    "duration": {"type": "string"},
    "gotime": {"type": "string", "format": "date-time"},
    "intorstring": _INT_OR_STRING,
    "microtime": {"type": "string", "format": "date-time"},
    "quantity": {**_INT_OR_STRING, "pattern": _QUANTITY},
    "raw": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
    "time": {"type": "string", "format": "date-time"},
}

_DIGITS = r"([0-9]+(\.[0-9]*)?|\.[0-9]+)"
_SUFFIX = r"([KMGTPE]i|[numkMGTPE]|[eE][+-]?0*[0-9]{1,18})"
#: Validators read a missing number as zero where the suffix is not too small or too large for that.
_SUFFIX_OF_NOTHING = r"([KMGT]i|[numkMGTPE]|[eE](\+?0*[0-9]{1,9}|-0*[0-9]))"

#: The same for the exact manner, as far as it differs.
EXACT_WIRE: dict[str, Mapping[str, Any]] = {
    "intorstring": {**_INT_OR_STRING, "maximum": 2**31 - 1, "minimum": -(2**31)},
    "quantity": {
        **_INT_OR_STRING,
        "pattern": rf"^ *([+-]?{_DIGITS}{_SUFFIX}?|[+-]?\.?{_SUFFIX_OF_NOTHING}|[+-]\.?|\.) *$",
    },
}

#: The widths that OpenAPI has no format for, as limits.
_RANGES = {
    "int8": (-(2**7), 2**7 - 1),
    "int16": (-(2**15), 2**15 - 1),
    "uint8": (0, 2**8 - 1),
    "uint16": (0, 2**16 - 1),
    "uint32": (0, 2**32 - 1),
}


def scalar(go: str) -> Mapping[str, Any]:
    """Returns the keywords of a Go type that is no more than a string, a number or a boolean."""
    if go in ("int32", "int64"):
        return {"type": "integer", "format": go}
    if go in ("float32", "float64"):
        return {"type": "number", "format": "float" if go == "float32" else "double"}
    if go in _RANGES:
        low, high = _RANGES[go]
        return {"type": "integer", "minimum": low, "maximum": high}
    if go in ("uint64", "uint"):
        return {"type": "integer", "minimum": 0}
    return {"type": {"bool": "boolean", "int": "integer"}.get(go, go)}
