"""Cache of differences found by an update, so that nested values are not compared again on each level.

An update compares a value with the old one, then its parts, then their parts. Python's comparison descends to the first
difference each time: in deeply nested values, nearly everything would be compared once per level. So an update in which
many values differ records all values on the path to a difference. Ordinary updates never come so far.

The cache never decides a result: a recorded value is examined more closely, as any that differs. It is cleared when the
update ends, since callers may change the objects then.
"""

from __future__ import annotations

from collections.abc import Iterator
from threading import get_ident
from typing import Any

#: Number of differences before the cache is used: recording is slower than a comparison, and useless for few.
_PATIENCE = 16
_left = [_PATIENCE]
#: Up to this depth a comparison is faster than a look-up.
_SHALLOW = 8

#: Pairs that are unequal in Python, by their ids, with the values themselves, which keeps the ids valid.
UNEQUAL: dict[tuple[int, int], tuple[Any, Any]] = {}
#: Pairs that differ to the API server, by the ids of their shape and of both.
DIFFERENT: dict[tuple[int, int, int], tuple[Any, Any]] = {}
# All threads share these, as that is fastest: the end of any update clears them, and others record again.
_running: set[int] = set()


def begin() -> int:
    """Begins an update in this thread. Returns the argument of `end`."""
    me = get_ident()
    _running.add(me)
    return me


def end(me: int) -> None:
    """Ends the update."""
    _running.discard(me)
    _left[0] = _PATIENCE
    if UNEQUAL or DIFFERENT:
        UNEQUAL.clear()
        DIFFERENT.clear()


def record_unequal(a: Any, b: Any) -> None:
    """Records that two lists or objects are unequal in Python."""
    if _left[0] > 0:
        _left[0] -= 1
        return
    if a.__class__ is dict:  # most differ before a part that has parts itself
        get = b.get
        for key, x in a.items():
            y = get(key)
            if x is not y:
                if x.__class__ is dict or x.__class__ is list:
                    break
                if x != y:
                    return
    if get_ident() in _running:
        way = _way_to_difference(a, b)
        if len(way) > _SHALLOW:
            UNEQUAL.update(((id(x), id(y)), (x, y)) for x, y in way)


def differ(shape: object, a: Any, b: Any) -> None:
    """Records that two lists or objects differ to the API server."""
    if UNEQUAL and get_ident() in _running:
        DIFFERENT[id(shape), id(a), id(b)] = a, b


def _way_to_difference(a: Any, b: Any) -> list[tuple[Any, Any]]:
    """Returns the lists and objects that contain the first difference, from the outermost inwards."""
    way: list[tuple[Any, Any]] = []
    rest: list[Iterator[tuple[Any, Any]]] = []
    pair: tuple[Any, Any] | None = (a, b)
    while pair is not None:
        a, b = pair
        parts = _parts(a, b)
        if parts is None:  # the first difference
            return [*way, pair]
        way.append(pair)
        rest.append(parts)
        pair = next(rest[-1], None)
        while pair is None and rest:
            rest.pop()
            way.pop()
            pair = next(rest[-1], None) if rest else None
    return []


def _parts(a: Any, b: Any) -> Iterator[tuple[Any, Any]] | None:
    """Returns the pairs that must be equal for equal values; `None` if the values differ whatever they contain."""
    if a is b:
        return iter(())
    if a.__class__ is dict and b.__class__ is dict:
        return ((x, b[key]) for key, x in a.items()) if a.keys() == b.keys() else None
    if a.__class__ is list and b.__class__ is list:
        return zip(a, b, strict=True) if len(a) == len(b) else None
    return iter(()) if a == b else None
