"""What an update has found to differ, so that it is not found out again on every level below.

An update asks of a value whether it has changed, then of its parts, then of theirs. Python's comparison goes down to
the first difference each time: for what is nested deeply, nearly everything would be compared as often as it is deep.
So an update in which many values differ notes all values on the way to a difference. Ordinary updates never come so
far.

What is noted never decides an answer: a value that is noted is looked at more closely, as any that differs. It is
forgotten when the update ends, since whoever owns the objects may change them then.
"""

from __future__ import annotations

from collections.abc import Iterator
from threading import get_ident
from typing import Any

#: As many values may differ before a note is taken: it costs more than the comparison, and is of no use for few.
_PATIENCE = 16
_left = [_PATIENCE]
#: So many values within each other are compared again sooner than they are looked up.
_SHALLOW = 8

#: Pairs that differ in Python's eyes, by their ids, with the values themselves, so that ids hold.
UNEQUAL: dict[tuple[int, int], tuple[Any, Any]] = {}
#: Pairs that differ to the API server, by the ids of their shape and of both.
DIFFERENT: dict[tuple[int, int, int], tuple[Any, Any]] = {}
# All threads share these, as that takes least: who ends an update throws all away, and others note it again.
_running: set[int] = set()


def begin() -> int:
    """An update begins in this thread. Returns what `end` wants."""
    me = get_ident()
    _running.add(me)
    return me


def end(me: int) -> None:
    """The update is over."""
    _running.discard(me)
    _left[0] = _PATIENCE
    if UNEQUAL or DIFFERENT:
        UNEQUAL.clear()
        DIFFERENT.clear()


def met(a: Any, b: Any) -> None:
    """Two lists or objects differ in Python's eyes."""
    if _left[0] > 0:
        _left[0] -= 1
        return
    if a.__class__ is dict:  # most differ before there is anything in them that has parts
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
    """Two lists or objects differ to the API server."""
    if UNEQUAL and get_ident() in _running:
        DIFFERENT[id(shape), id(a), id(b)] = a, b


def _way_to_difference(a: Any, b: Any) -> list[tuple[Any, Any]]:
    """The lists and objects, from the outermost inwards, in which the first difference lies."""
    way: list[tuple[Any, Any]] = []
    rest: list[Iterator[tuple[Any, Any]]] = []
    pair: tuple[Any, Any] | None = (a, b)
    while pair is not None:
        a, b = pair
        parts = _parts(a, b)
        if parts is None:  # this is it
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
    """What has to be equal so that two values are; `None` if they are not, whatever is in them."""
    if a is b:
        return iter(())
    if a.__class__ is dict and b.__class__ is dict:
        return ((x, b[key]) for key, x in a.items()) if a.keys() == b.keys() else None
    if a.__class__ is list and b.__class__ is list:
        return zip(a, b, strict=True) if len(a) == len(b) else None
    return iter(()) if a == b else None
