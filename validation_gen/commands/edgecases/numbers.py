"""Numbers at the limits of rules and types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

_USUAL = (1, 0, 2, -1, 5, 10, 1000, 63, 64, 80, 100, 101, 253, 254, 255, 256, 1024, 10000, 65535, 65536)


def limits(go: str) -> tuple[int, int]:
    """Returns the least and the greatest value of a Go type. Larger integers would lose digits as a float."""
    if go.startswith("float"):
        return -(2**53), 2**53
    bits = int(go.lstrip("uint") or 64)
    return (0, 2**bits - 1) if go.startswith("uint") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def around(go: str, bounds: Iterable[int]) -> list[int | float]:
    """Returns numbers of a type near some bounds, and typical limits of handwritten checks; the usual ones first."""
    low, high = limits(go)
    found: dict[int | float, None] = dict.fromkeys(_USUAL[:3])
    for bound in bounds:
        found |= dict.fromkeys(_near(bound))
    found |= dict.fromkeys((*_USUAL, low, low + 1, high - 1, high))
    numbers: list[int | float] = [n for n in found if low <= n <= high]
    return [*numbers, 0.5, -0.5] if go.startswith("float") else numbers


def _near(bound: int) -> Iterator[int]:
    yield from (bound, bound - 1, bound + 1, bound - 2, bound + 2, bound * 2, bound // 2, -bound)
