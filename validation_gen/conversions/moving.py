"""Converts an object to another version by moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from validation_gen.conversions.moves import AnyMove, Constant, Default, Only
from validation_gen.conversions.paths import EACH, Step, get, put, take
from validation_gen.conversions.values import ABSENT, copied

_Taken = tuple[AnyMove, tuple[Step, ...], list[Any]]


def moved(obj: Any, moves: Sequence[AnyMove], versions: tuple[str, str], *, forward: bool) -> Any:
    """Returns a copy of an object with all moves applied, or reversed if not `forward`.

    Raises:
        ConversionError: a value has the wrong type for a move.
    """
    result = copied(obj)
    taken = _taken(obj, result, moves, forward=forward)
    leaving, entering = versions if forward else versions[::-1]
    for move in moves:
        if isinstance(move, Only | Constant) and move.version == leaving:
            for chosen in list(move.where.places(result)):
                take(result, move.where.bound(chosen))
    side = 1 if forward else 0
    # Containers come before their content.
    for move, chosen, values in sorted(taken, key=lambda each: _depth(each[0], side)):
        targets = move.paths[side]
        for path, value in zip(targets, move.changed(values, forward=forward), strict=True):
            if value is not ABSENT:
                put(result, path.bound(chosen), value)
    for move in moves:
        if isinstance(move, Constant | Default) and move.version == entering:
            for chosen in list(move.where.places(result)):
                place = move.where.bound(chosen)
                if get(result, place) is ABSENT:
                    put(result, place, copied(move.value))
    return result


def _taken(obj: Any, result: Any, moves: Sequence[AnyMove], *, forward: bool) -> list[_Taken]:
    """Removes the moved values from the result, inner ones before their containers, and returns them."""
    side = 0 if forward else 1
    found: list[_Taken] = []
    for move in sorted(moves, key=lambda move: -_depth(move, side)):
        sources = move.paths[side]
        places = dict.fromkeys(chosen for path in sources for chosen in path.places(obj))
        for chosen in places:
            # Items keep their places: only their values change.
            values = [(get if path.steps[-1] is EACH else take)(result, path.bound(chosen)) for path in sources]
            if any(value is not ABSENT for value in values):
                found.append((move, chosen, values))
    return found


def _depth(move: AnyMove, side: int) -> int:
    return max((len(path.steps) for path in move.paths[side]), default=0)
