"""Places in a definition: paths in the API server's terms and in the file.

The two differ: the server moves the common parts of all versions out of `spec.versions` before validation. `as_decoded`
gives values as Go decodes them: maps in the order of their keys, and the numbers that its decoder makes.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any


class SchemaPath:
    """Path with one step more than its parent. `str` is the server's text; `keys` is the path in the file."""

    __slots__ = ("_keys", "_parent", "_text")

    def __init__(self, text: str, *keys: str | int, parent: SchemaPath | None = None) -> None:
        self._text = text
        self._keys = keys
        self._parent = parent

    def child(self, name: str, *keys: str | int) -> SchemaPath:
        """Returns the path of a field. `keys` are given where the file has other names than the server."""
        return SchemaPath(f".{name}", *(keys or (name,)), parent=self)

    def key(self, name: str) -> SchemaPath:
        """Returns the path of an entry of a map, such as of `properties`."""
        return SchemaPath(f"[{name}]", name, parent=self)

    def index(self, number: int) -> SchemaPath:
        """Returns the path of an item of a list."""
        return SchemaPath(f"[{number}]", number, parent=self)

    def _chain(self) -> list[SchemaPath]:
        chain: list[SchemaPath] = []
        place: SchemaPath | None = self
        while place is not None:
            chain.append(place)
            place = place._parent
        return chain[::-1]

    def __str__(self) -> str:
        return "".join(place._text for place in self._chain()).removeprefix(".")

    @property
    def keys(self) -> tuple[str | int, ...]:
        return tuple(key for place in self._chain() for key in place._keys)


#: Least absolute value of floats that Go writes with an exponent.
_EXPONENTS = 1e21


def as_decoded(value: Any) -> Any:
    """Returns a value as Go decodes it: keys are in order, and integers of more than 64 bits are floats."""
    if isinstance(value, dict):
        return {key: as_decoded(item) for key, item in sorted(value.items())}
    if isinstance(value, list):
        return [as_decoded(item) for item in value]
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return float(value)
    return value


def as_written(value: Any) -> Any:
    """Returns a copy of a value as Go writes it and reads it again: 1.0 is 1, and floats have the digits they need."""
    if isinstance(value, dict):
        return {key: as_written(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_written(item) for item in value]
    if type(value) is float and value.is_integer() and abs(value) < _EXPONENTS:
        return int(Decimal(repr(value)))
    return value
