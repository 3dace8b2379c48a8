"""Nesting depth of an expression, as the API server's parser counts it.

It counts twice. While it reads, it counts for each rule of its grammar how often that has been entered and not left; of
these, `expr`, `relation`, `calc` and `member` can be the greatest. A chain such as `a.b.c` or `a + b + c` enters its
rule once, and once more for an operand on the right. When it makes a tree of it, it counts the links and operators on
the way from the root.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

#: Greatest nesting depth of an expression.
LIMIT = 250
TOO_DEEP = f"expression recursion limit exceeded: {LIMIT}"

EXPRESSION, RELATION, SUM, MEMBER, PRIMARY = range(5)


class Depth(NamedTuple):
    """Nesting counts of a part of an expression.

    `level` is the rule that reads the part; `entered` has the greatest number for each rule, without those above
    `level`, through which the part can only be reached. `visits` is the second count.
    """

    level: int = PRIMARY
    entered: tuple[int, int, int, int] = (0, 0, 0, 0)
    visits: int = 0

    def entered_from(self, level: int) -> tuple[int, int, int, int]:
        """Returns the counts of the part as an operand that the rule of a level reads."""
        one, two, three, four = self.entered
        own = self.level
        return (
            one + (level <= EXPRESSION < own),
            two + (level <= RELATION < own),
            three + (level <= SUM < own),
            four + (level <= MEMBER < own),
        )


LEAF = Depth()


def within(level: int, parts: Iterable[Depth], part_level: int = EXPRESSION) -> Depth:
    """Returns the depth of a part that its rule reads without a chain, such as a list, a call, or `a && b`."""
    parts = list(parts)
    entered = _most(part.entered_from(part_level) for part in parts)
    return Depth(level, entered, max((part.visits for part in parts), default=0))


def choice(condition: Depth, yes: Depth, no: Depth) -> Depth:
    """Returns the depth of `condition ? yes : no`, whose rule reads itself for the last part only."""
    early = (part.entered_from(RELATION) for part in (condition, yes))
    one, two, three, four = _most([*early, no.entered_from(EXPRESSION)])
    return Depth(EXPRESSION, (one + 1, two, three, four), 1 + max(condition.visits, yes.visits, no.visits))


def link(level: int, first: Depth, others: Iterable[Depth] = (), other_level: int = EXPRESSION) -> Depth:
    """Returns the depth of a chain with one more link, from its beginning and the parts of the link."""
    others = list(others)
    inner = _most(part.entered_from(other_level) for part in others)
    counts = [count + (index == level) for index, count in enumerate(inner)]
    entered = _most([first.entered_from(level), (counts[0], counts[1], counts[2], counts[3])])
    return Depth(level, entered, 1 + max(part.visits for part in (first, *others)))


def problem(root: Depth) -> str:
    """Returns the server's error for a whole expression; empty if it is not too deep."""
    if max(root.entered_from(EXPRESSION)) > LIMIT:
        return TOO_DEEP
    return "max recursion depth exceeded" if root.visits > LIMIT else ""


def _most(each: Iterable[tuple[int, ...]]) -> tuple[int, int, int, int]:
    one, two, three, four = map(max, zip((0, 0, 0, 0), *each, strict=True))
    return one, two, three, four
