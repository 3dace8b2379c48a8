"""JSON numbers that Python has no value for, but that Go's decoder distinguishes.

JSON readers make them; all shapes check them closely, as their class is none that a shape accepts directly.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Huge:
    """A number such as `1e400` that no float holds. It is a value of none of Go's types."""

    text: str

    def __repr__(self) -> str:
        return self.text


class MinusZero(int):
    """The number `-0`, which unsigned integers do not accept."""

    __slots__ = ()
