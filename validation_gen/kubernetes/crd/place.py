"""The way to a part of a definition, as the API server names it and as it stands in the file.

The two differ: the server moves what all versions share out of `spec.versions` before it looks at it.
"""

from __future__ import annotations


class Place:
    """One step further than its parent. `str` is the server's text; `keys` lead through the file."""

    __slots__ = ("_keys", "_parent", "_text")

    def __init__(self, text: str, *keys: str | int, parent: Place | None = None) -> None:
        self._text = text
        self._keys = keys
        self._parent = parent

    def child(self, name: str, *keys: str | int) -> Place:
        """A field. `keys` are given where the file has other names than the server."""
        return Place(f".{name}", *(keys or (name,)), parent=self)

    def key(self, name: str) -> Place:
        """An entry of a map, such as of `properties`."""
        return Place(f"[{name}]", name, parent=self)

    def index(self, number: int) -> Place:
        """An item of a list."""
        return Place(f"[{number}]", number, parent=self)

    def _chain(self) -> list[Place]:
        chain: list[Place] = []
        place: Place | None = self
        while place is not None:
            chain.append(place)
            place = place._parent
        return chain[::-1]

    def __str__(self) -> str:
        return "".join(place._text for place in self._chain()).removeprefix(".")

    @property
    def keys(self) -> tuple[str | int, ...]:
        return tuple(key for place in self._chain() for key in place._keys)
