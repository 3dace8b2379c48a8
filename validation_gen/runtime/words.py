"""Words that are made in many places and must be made alike: numbers with nouns, names that are like another.

It knows text and numbers, and nothing of validation. What the API server says is in `errors`.
"""

from __future__ import annotations

from collections.abc import Iterable


def counted(number: int, noun: str, *, grouped: bool = False) -> str:
    """Write a number and what is counted: `1 item`, `2 items`. A `grouped` number has commas: `1,234 items`."""
    return f"{number:,} {inflected(noun, number)}" if grouped else f"{number} {inflected(noun, number)}"


def inflected(noun: str, number: int) -> str:
    """Give the singular of a noun for one and the plural for all other numbers: `match`, `matches`, `policies`."""
    if number == 1:
        return noun
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "ch")) else f"{noun}s"


def nearest(name: str, names: Iterable[str], *, most: int = 1, cutoff: float = 0.6) -> list[str]:
    """Find the names that may be meant by one that does not exist, the likeliest first.

    It gives `most` of them, which are at least as like as `cutoff` in the measure of `likeness`. Capitals count. The
    order of `names` does not: of those that are equally like, the last of the alphabet comes first.
    """
    import difflib  # noqa: PLC0415 (validators import this module, and never ask for names)

    return difflib.get_close_matches(name, names, n=most, cutoff=cutoff)


def likeness(one: str, other: str) -> float:
    """Measure how like two words are: 1 if they are equal, 0 if they have no letter in common."""
    import difflib  # noqa: PLC0415 (validators import this module, and never ask for names)

    return difflib.SequenceMatcher(None, one, other).ratio()
