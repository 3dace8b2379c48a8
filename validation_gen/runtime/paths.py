"""Paths to fields for handwritten checks, and the order of paths.

Source of the notation: `k8s.io/apimachinery/pkg/util/validation/field.Path`.
"""

from __future__ import annotations

from collections.abc import Iterable


class Path:
    """The path from an object to one of its values: `Path("spec").child("ports").index(0).key("http")`.

    `Path()` is the object itself. Paths are immutable; each method returns a longer one.
    """

    __slots__ = ("segments",)

    def __init__(self, *names: str) -> None:
        #: The elements as they are written, from the innermost outwards.
        self.segments: tuple[str, ...] = tuple(f".{name}" for name in reversed(names))

    def child(self, name: str, *more: str) -> Path:
        """Returns the path of a member, or of a member of a member."""
        return self._with(*(f".{each}" for each in (name, *more)))

    def index(self, index: int) -> Path:
        """Returns the path of an item of a list."""
        return self._with(f"[{index}]")

    def key(self, key: str) -> Path:
        """Returns the path of a value in a map. Keys are not escaped."""
        return self._with(f"[{key}]")

    def _with(self, *elements: str) -> Path:
        longer = Path()
        longer.segments = (*reversed(elements), *self.segments)
        return longer

    def __str__(self) -> str:
        return "".join(reversed(self.segments)).removeprefix(".") or "<nil>"

    def __repr__(self) -> str:
        return f"Path({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Path) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


def nearest_above(paths: Iterable[str], parents: Iterable[str]) -> dict[str, str]:
    """Maps each path to the nearest of `parents` above it. Includes `parents` themselves, but no path without a parent.

    `spec` is above `spec.ports[0]`. In sorted texts a prefix comes before longer texts, so that one pass finds all
    parents, for any number and length of paths.
    """
    known = set(parents)
    found: dict[str, str] = {}
    way: list[str] = []  # the parents that the current path begins with, each of which begins with the one before
    for path in sorted(known.union(paths)):
        while way and not path.startswith(way[-1]):
            way.pop()
        if way:
            last = way[-1]
            above = last if path[len(last)] in ".[" else found.get(last)
            if above is not None:
                found[path] = above
        if path and path in known:
            way.append(path)
    return found
