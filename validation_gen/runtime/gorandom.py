"""Go's random numbers: the sequence that `math/rand` gives for a seed.

Samples are filled from it, because upstream's are, and random keys of maps are a part of the paths that are compared.
Source of the behaviour: `math/rand` (`rng.go`, `rand.go`, `gen_cooked.go`), which Go has promised not to change.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

_LENGTH, _TAP, _FEED = 607, 273, 334
_WORD = 2**64
_SEEDS = 2**31 - 1
_STEPS = 7_800_000_000_000
_SLOT = 18  # bytes: enough for a sum of 607 products of words


class GoRandom:
    """A generator like `rand.New(rand.NewSource(seed))`: each number is the sum of those 607 and 273 before it."""

    def __init__(self, seed: int = 0) -> None:
        self._words = [a ^ b for a, b in zip(_seeded(seed, 40, 20), _table(), strict=True)]
        self._tap, self._feed = 0, _FEED

    def int63(self) -> int:
        self._tap = (self._tap - 1) % _LENGTH
        self._feed = (self._feed - 1) % _LENGTH
        word = (self._words[self._feed] + self._words[self._tap]) % _WORD
        self._words[self._feed] = word
        return word % 2**63

    def int31(self) -> int:
        return self.int63() >> 32

    def int63n(self, end: int) -> int:
        """Returns a number below `end`. Draws again where some numbers would be likelier than others."""
        while (number := self.int63()) >= 2**63 - 2**63 % end:
            pass
        return number % end

    def intn(self, end: int) -> int:
        """Returns a number below `end` from half as many bits: a sequence of its own."""
        while (number := self.int31()) >= 2**31 - 2**31 % end:
            pass
        return number % end

    def float64(self) -> float:
        while (number := self.int63() / 2**63) == 1:
            pass
        return number


def _seeded(seed: int, high: int, middle: int) -> Iterator[int]:
    """Returns the words of a seed, by Lehmer's generator without its first twenty numbers."""

    def numbers() -> Iterator[int]:
        number = seed % _SEEDS or 89482311
        while True:
            number = number * 48271 % _SEEDS
            yield number

    drawn = numbers()
    for _ in range(20):
        next(drawn)
    for _ in range(_LENGTH):
        yield next(drawn) << high ^ next(drawn) << middle ^ next(drawn)


@functools.cache
def _table() -> tuple[int, ...]:
    """Returns the state of the generator after its first 7.8e12 steps, from which Go starts; there it is a table.

    Steps are linear, so that the last numbers are sums of multiples of the first ones. The multiples are the
    coefficients of x^7.8e12 modulo x^607 - x^334 - 1.
    """
    power = [1] + [0] * (_LENGTH - 1)
    for bit in f"{_STEPS:b}":
        power = _reduced(_squared(power))
        if bit == "1":
            power = _reduced([0, *power])
    start = list(_seeded(1, 20, 10))
    numbers = [start[(_FEED - 1 - i) % _LENGTH] for i in range(_LENGTH)]
    for i in range(_LENGTH):
        numbers.append((numbers[i] + numbers[i + _FEED]) % _WORD)
    words = [0] * _LENGTH
    for i in range(_LENGTH):
        total = sum(a * b for a, b in zip(power, numbers[i : i + _LENGTH], strict=True))
        words[(_FEED - 1 - _STEPS - i) % _LENGTH] = total % _WORD
    return tuple(words)


def _squared(polynomial: list[int]) -> list[int]:
    """By one multiplication of big integers, which have the coefficients in slots: far faster than one by one."""
    packed = int.from_bytes(b"".join(word.to_bytes(_SLOT, "little") for word in polynomial), "little")
    product = (packed * packed).to_bytes(2 * _LENGTH * _SLOT, "little")
    return [int.from_bytes(product[i : i + _SLOT], "little") for i in range(0, len(product), _SLOT)]


def _reduced(polynomial: list[int]) -> list[int]:
    for i in range(len(polynomial) - 1, _LENGTH - 1, -1):
        polynomial[i - _LENGTH] += polynomial[i]
        polynomial[i - _TAP] += polynomial[i]
    return [word % _WORD for word in polynomial[:_LENGTH]]
