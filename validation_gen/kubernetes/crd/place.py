"""Path to a part of a definition, in the API server's terms and in the file.

The two differ: the server moves the common parts of all versions out of `spec.versions` before validation.
"""

from __future__ import annotations


class Place:
    """Path with one step more than its parent. `str` is the server's text; `keys` is the path in the file."""

    __slots__ = ("_keys", "_parent", "_text")

    def __init__(self, text: str, *keys: str | int, parent: Place | None = None) -> None:
        self._text = text
        self._keys = keys
        self._parent = parent

    def child(self, name: str, *keys: str | int) -> Place:
        """Returns the path of a field. `keys` are given where the file has other names than the server."""
        return Place(f".{name}", *(keys or (name,)), parent=self)

    def key(self, name: str) -> Place:
        """Returns the path of an entry of a map, such as of `properties`."""
        return Place(f"[{name}]", name, parent=self)

    def index(self, number: int) -> Place:
        """Returns the path of an item of a list."""
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
