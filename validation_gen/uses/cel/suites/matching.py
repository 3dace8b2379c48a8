"""Matches errors with the expected ones: pairs them, and returns the rest."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from validation_gen.uses.cel.suites.reading import Wanted


@dataclass(frozen=True, slots=True)
class Found:
    """An error, or a warning, which has only a message."""

    message: str
    path: str = ""
    type: str = ""
    text: str = ""

    def __str__(self) -> str:
        return self.text or self.message


def fits(wanted: Wanted, found: Found) -> bool:
    """Returns whether an error matches an expected one."""
    return (
        (wanted.path is None or wanted.path == found.path)
        and (wanted.type is None or wanted.type == found.type)
        and (wanted.message is None or wanted.message == found.message)
        and (wanted.contains is None or wanted.contains in found.message)
    )


def left_over(wanted: Sequence[Wanted], found: Sequence[Found]) -> tuple[list[Wanted], list[Found]]:
    """Returns the missing and the unexpected errors, after a maximum matching."""
    taken: dict[int, int] = {}  # matched errors by number, with the number of the expected one
    for number in range(len(wanted)):
        _place(number, wanted, found, taken)
    placed = set(taken.values())
    missing = [each for number, each in enumerate(wanted) if number not in placed]
    return missing, [each for number, each in enumerate(found) if number not in taken]


def _place(start: int, wanted: Sequence[Wanted], found: Sequence[Found], taken: dict[int, int]) -> None:
    """Adds one expected error to the matching along a shortest augmenting path."""
    came: dict[int, int] = {}  # visited errors, with the expected error that reached each
    waiting = deque([start])
    while waiting:
        asking = waiting.popleft()
        for place, each in enumerate(found):
            if place in came or not fits(wanted[asking], each):
                continue
            came[place] = asking
            if place in taken:
                waiting.append(taken[place])
                continue
            _move(place, start, came, taken)
            return


def _move(place: int, start: int, came: dict[int, int], taken: dict[int, int]) -> None:
    """Moves the matches along the augmenting path."""
    while True:
        mover = came[place]
        before = next((where for where, who in taken.items() if who == mover), None)
        taken[place] = mover
        if mover == start or before is None:
            return
        place = before
