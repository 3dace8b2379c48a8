"""Decodes JSON as the API server does: numbers keep their form, and duplicate names are recorded.

Source of the behaviour: `sigs.k8s.io/json`. The last value of a name counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

_MOST_TOLD = 100
_LEAST, _MOST = -(1 << 63), (1 << 63) - 1


class Duplicates:
    """Duplicate names in the objects of one document, with all their values."""

    def __init__(self) -> None:
        self._names: dict[int, tuple[dict[str, Any], dict[str, list[Any]]]] = {}

    def __bool__(self) -> bool:
        return bool(self._names)

    def object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """Makes an object from its pairs, for `json.loads`."""
        found = dict(pairs)
        if len(found) < len(pairs):
            values: dict[str, list[Any]] = {}
            for name, value in pairs:
                values.setdefault(name, []).append(value)
            self._names[id(found)] = found, {name: those for name, those in values.items() if len(those) > 1}
        return found

    def paths(self, value: Any) -> list[str]:
        """Returns the paths of duplicate names in a value, such as `spec.a`, each once; the server stops at 100."""
        return list(islice(dict.fromkeys(self._paths(value, "")), _MOST_TOLD)) if self._names else []

    def _paths(self, value: Any, path: str) -> Iterator[str]:
        if isinstance(value, dict):
            twice = self._names.get(id(value), (None, {}))[1]
            for name in twice:
                yield f"{path}.{name}".removeprefix(".")
            for name, item in value.items():
                for each in twice.get(name, (item,)):
                    yield from self._paths(each, f"{path}.{name}")
        elif isinstance(value, list):
            for index, item in enumerate(value):
                yield from self._paths(item, f"{path}[{index}]")


def read_json(text: str | bytes) -> tuple[Any, Duplicates]:
    """Returns a document, and its duplicate names.

    Raises:
        ValueError: it is no JSON; neither are `NaN` and `Infinity`.
        RecursionError: it is nested too deeply.
    """
    duplicates = Duplicates()
    value = json.loads(
        text, object_pairs_hook=duplicates.object, parse_int=_integer, parse_float=_float, parse_constant=_refused
    )
    return value, duplicates


def _integer(text: str) -> int | float:
    """Returns an integer of 64 bits, or a float as Go does."""
    if len(text) > 20:
        return _float(text)
    value = int(text)
    return value if _LEAST <= value <= _MOST else float(text)


def _float(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"the number {text[:20]} is out of range")
    return value


def _refused(text: str) -> Any:
    raise ValueError(f"invalid character {text[0]!r} looking for beginning of value")
