"""Words made alike in many places: numbers with nouns, and similar names.

It knows text and numbers, and nothing of validation. The texts of the API server are in `texts`.
"""

from __future__ import annotations

from collections.abc import Iterable


def counted(number: int, noun: str, *, grouped: bool = False) -> str:
    """Writes a number and its noun: `1 item`, `2 items`. A `grouped` number has commas: `1,234 items`."""
    return f"{number:,} {inflected(noun, number)}" if grouped else f"{number} {inflected(noun, number)}"


def inflected(noun: str, number: int) -> str:
    """Returns the singular of a noun for one and the plural for all other numbers: `match`, `matches`, `policies`."""
    if number == 1:
        return noun
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "ch")) else f"{noun}s"


def nearest(name: str, names: Iterable[str], *, most: int = 1, cutoff: float = 0.6) -> list[str]:
    """Finds the names that are similar to one that does not exist, the likeliest first.

    It returns `most` of them, whose `likeness` is at least `cutoff`. Capitals count. The order of `names` does not: of
    equally similar ones, the last of the alphabet comes first.
    """
    import difflib  # noqa: PLC0415 (validators import this module, and never ask for names)

    return difflib.get_close_matches(name, names, n=most, cutoff=cutoff)


def likeness(one: str, other: str) -> float:
    """Returns how similar two words are: 1 if they are equal, 0 if they have no letter in common."""
    import difflib  # noqa: PLC0415 (validators import this module, and never ask for names)

    return difflib.SequenceMatcher(None, one, other).ratio()
