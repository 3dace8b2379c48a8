"""A value on the way through an object."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from validation_gen.ir import Shape


@dataclass(frozen=True, slots=True)
class Place:
    """A value with its path, its old value, and its shape. `known` is True if there is an old value, also null."""

    path: str
    value: Any
    old: Any
    shape: Shape
    known: bool = False

    def below(self, step: str, value: Any, old: Any, shape: Shape, known: bool) -> Place:
        """Returns a part of the value; `step` is `.name`, `[0]` or `""`."""
        return Place(f"{self.path}{step}".removeprefix("."), value, old, shape, known)

    def with_value(self, value: Any, old: Any) -> Place:
        return replace(self, value=value, old=old)
