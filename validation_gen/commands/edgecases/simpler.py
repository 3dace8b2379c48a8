"""Simpler texts and numbers than a given one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def simpler(value: Any) -> Iterator[Any]:
    """Yields simpler values, the simplest first."""
    if isinstance(value, str):
        yield from _simpler_texts(value)
    elif isinstance(value, bool):
        if value:
            yield False
    elif isinstance(value, int | float):
        yield from _simpler_numbers(value)
    elif value:
        yield {} if isinstance(value, dict) else []


def _simpler_texts(value: str) -> Iterator[str]:
    if value in ("", "a"):
        yield from [""] if value else []
        return
    candidates = ["", "a", value[: len(value) // 2], value[len(value) // 2 :], value[:-1], value[1:]]
    candidates.append("a" * len(value))
    candidates += [value.replace(char, "a") for char in sorted(set(value) - {"a"})[:4]]
    for candidate in dict.fromkeys(candidates):
        if (len(candidate), _oddness(candidate)) < (len(value), _oddness(value)):
            yield candidate


def _oddness(text: str) -> int:
    """Measures the distance of a text from one that consists of `a`."""
    return sum(1 for char in text if char != "a")


def _simpler_numbers(value: float) -> Iterator[float]:
    """Yields numbers nearer to zero; whole ones, and positive ones, are simpler."""
    candidates: list[float] = [0, 1, -1]
    if not isinstance(value, int):
        candidates.append(int(value))
    else:
        candidates += [-value, value // 2 if value > 0 else -(-value // 2), value - 1 if value > 0 else value + 1]
    for candidate in candidates:
        if (abs(candidate), candidate < 0, isinstance(candidate, float)) < (
            abs(value),
            value < 0,
            isinstance(value, float),
        ):
            yield candidate
