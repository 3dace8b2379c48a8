"""Decodes JSON as the API server does, at the speed of Python's own reader. It reads no files.

It refuses out-of-range numbers, `NaN` and duplicate keys. The check for duplicates costs as much as the rest, and is
still cheap beside validation; without it an object would be compared that no client has sent.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

from validation_gen.kubernetes.yaml import plain, whole

_MAX_DEPTH = 1000
_NESTED = (dict, list)


class TwiceError(ValueError):
    """A duplicate key. Its position is unknown."""


def load(text: str) -> Any:
    """Decodes a text.

    Raises:
        ValueError: it is no JSON; a `json.JSONDecodeError` where the position is known.
        RecursionError: it is nested too deeply.
    """
    value = _JSON.decode(text)
    if text.count("[") + text.count("{") > _MAX_DEPTH and _is_deep(value):
        raise RecursionError
    return _paired(value) if _SURROGATE.search(text) else value


def _is_deep(value: Any) -> bool:
    """Returns whether a value is nested deeper than the limit for YAML. Python's own limit depends on its version."""
    level = [value]
    for _ in range(_MAX_DEPTH):
        level = [
            item
            for outer in level
            if isinstance(outer, _NESTED)
            for item in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return False
    return True


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    obj = dict(pairs)
    if len(obj) < len(pairs):
        seen: set[str] = set()
        again = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise TwiceError(f"the key `{again:.40}` is there twice")
    return obj


def _integer(text: str) -> int | float:
    """Returns integers of 64 bits. Others become floats, as in Go."""
    if len(text) < 19:
        return int(text)
    value = plain(text)
    return value if isinstance(value, int) else _float(text)


def _float(text: str) -> int | float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text:.40} is more than a JSON number can be")
    return whole(value)


def _constant(text: str) -> None:
    raise ValueError(f"{text} is not JSON")


_JSON = json.JSONDecoder(object_pairs_hook=_object, parse_int=_integer, parse_float=_float, parse_constant=_constant)

# --- halves of surrogate pairs ----------------------------------------------------------------------------------------

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_HALF = re.compile("[\ud800-\udfff]")


def _paired(value: Any) -> Any:
    """Replaces unpaired surrogates by U+FFFD, as they cannot be encoded. Go does the same."""
    if isinstance(value, str):
        return _HALF.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_HALF.sub("\ufffd", key): _paired(item) for key, item in value.items()}
    return [_paired(item) for item in value] if isinstance(value, list) else value
