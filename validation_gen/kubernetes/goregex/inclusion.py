"""Compares two expressions by the texts in which they find a match.

Both automata read the same characters, one of each class that neither distinguishes. Expressions with assertions other
than the beginning or the end of a text are not compared.
"""

from __future__ import annotations

import functools
import re

from validation_gen.kubernetes.goregex.automaton import Automaton, States
from validation_gen.kubernetes.goregex.parser import GoRegexError
from validation_gen.kubernetes.goregex.pattern import compiled

#: Work limits: pairs of state sets, classes of characters, and the product of both.
_MOST_PAIRS, _MOST_POINTS, _MOST_WORK = 5_000, 6_000, 400_000
_MOST_STEPS = 2_000

_CHARACTER = re.compile(r"\\U([0-9a-f]{8})|\\?([^\\])", re.DOTALL)
_FOLDED = "(?i"
_LAST, _SURROGATES = 0x10FFFF, range(0xD800, 0xE000)
#: Characters that a class may end at without naming them: newlines, and those that fold into ASCII letters.
_UNNAMED = (0, ord("\n"), 0x17F, 0x212A)


@functools.lru_cache(maxsize=256)
def includes(wide: str, narrow: str) -> bool:
    """Returns whether `wide` matches every text that `narrow` matches; False also where that is not known."""
    try:
        one, other = compiled(narrow).automaton, compiled(wide).automaton
    except GoRegexError:
        return False
    if one is None or other is None or not (one.is_plain and other.is_plain):
        return False
    if len(one.steps) + len(other.steps) > _MOST_STEPS:
        return False
    characters = _characters(one, other)
    return bool(characters) and _includes(one, other, characters)


def _includes(narrow: Automaton, wide: Automaton, characters: list[str]) -> bool:
    #: State sets of both, and whether `narrow` has already found a match, so that its further states do not matter.
    begin: tuple[States | None, States | None, bool] = (None, None, False)
    known, waiting, work = {begin}, [begin], 0
    for mine, others, was_found in waiting:
        is_found, is_end, follows = narrow.step(mine, characters)
        other_found, other_end, other_follows = wide.step(others, characters)
        if other_found:
            continue
        is_found = is_found or was_found
        if (is_found or is_end) and not other_end:
            return False
        for follow, other in zip(follows, other_follows, strict=True):
            pair = (frozenset[int]() if is_found else follow, other, is_found)
            if pair not in known:
                known.add(pair)
                waiting.append(pair)
        work += len(characters)
        if len(known) > _MOST_PAIRS or work > _MOST_WORK:
            return False
    return True


def _characters(*automata: Automaton) -> list[str]:
    """Returns a character of each class that the automata distinguish; none if there are too many."""
    codes = [code for automaton in automata for code in automaton.codes]
    points = set(_UNNAMED)
    for code in codes:
        for escaped, plain in _CHARACTER.findall(code.pattern):
            point = int(escaped, 16) if escaped else ord(plain)
            points.update((point, point + 1))
            if _FOLDED in code.pattern:
                if point > 0x7F:
                    return []
                points.update(ord(case) + more for case in (chr(point).lower(), chr(point).upper()) for more in (0, 1))
    points.update(point + 1 for point in _UNNAMED)
    if len(points) > _MOST_POINTS:
        return []
    kinds: dict[tuple[bool, ...], str] = {}
    for point in sorted(points):
        if point <= _LAST and point not in _SURROGATES:
            char = chr(point)
            kinds.setdefault(tuple([code.match(char) is not None for code in codes]), char)
    return list(kinds.values())
