"""Objects with values replaced, taken away, doubled or reordered, or drawn by a shape. Much quicker than hypothesis."""

from __future__ import annotations

import copy
import random
from typing import Any

from validation_gen.runtime.shapes import BOOL, Integer, ListOf, MapOf, Pointer, Shape, Struct

_TEXTS = ["", "a", "main", "1", "1Gi", "500m", "1h", "2024-01-01T00:00:00Z", "aGk=", "a\n", "/", "a.b/c", "A_b"]
_TEXTS += ["x" * 64, "x" * 300, "\ud800", "é", "10.0.0.1", "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "Front"]
_OTHERS: list[Any] = [None, True, False, 0, 1, -1, 300, 2**31, -(2**63), 2**63, 2**64, 0.0, 1.0, -0.0, float("nan")]


def _anything(rng: random.Random, depth: int = 0) -> Any:
    share = rng.random()
    if share < 0.4 or depth > 2:
        return rng.choice(_TEXTS)
    if share < 0.8:
        return rng.choice(_OTHERS)
    if share < 0.9:
        return [_anything(rng, depth + 1) for _ in range(rng.randrange(3))]
    return {rng.choice([*_TEXTS, "name", 1]): _anything(rng, depth + 1) for _ in range(rng.randrange(3))}


def damaged(obj: Any, rng: random.Random) -> Any:
    """A copy of an object that differs in one to three places."""
    whole = {"": copy.deepcopy(obj)}
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        where: Any = whole
        while True:
            place = rng.choice(list(where) if isinstance(where, dict) else range(len(where)))
            below = where[place]
            if not (isinstance(below, dict | list) and below) or rng.random() < 0.12:
                break
            where = below
        _damage(where, place, rng, keep=where is whole)
    return whole[""]


def _damage(where: Any, place: Any, rng: random.Random, *, keep: bool) -> None:
    below, share = where[place], rng.random()
    if share < 0.25 and not keep:
        del where[place]
    elif share < 0.4 and isinstance(where, list):
        where.append(copy.deepcopy(below))
    elif share < 0.5 and isinstance(where, list):
        rng.shuffle(where)
    elif share < 0.75 and isinstance(below, str):
        where[place] = rng.choice(_TEXTS)
    elif share < 0.75 and isinstance(below, int):
        where[place] = rng.choice([below + 1, below - 1, 0, 1, 2])
    else:
        where[place] = _anything(rng)


def shaped(shape: Shape, rng: random.Random, depth: int = 0) -> Any:
    """A value of a shape, or nearly: any members in any order, and a few values of another type."""
    while isinstance(shape, Pointer):
        shape = shape.elem
    few = depth > 8
    if rng.random() < 0.02:
        return _anything(rng, 2)
    match shape:
        case Struct(members=members):
            share = 0.05 if few else min(0.8, 6 / max(1, len(members)))
            names = [name for name in members if rng.random() < share]
            rng.shuffle(names)
            return {name: shaped(members[name], rng, depth + 1) for name in names}
        case ListOf(elem=elem):
            return [shaped(elem, rng, depth + 1) for _ in range(0 if few else rng.randrange(4))]
        case MapOf(elem=elem):
            return {rng.choice(_TEXTS): shaped(elem, rng, depth + 1) for _ in range(0 if few else rng.randrange(3))}
        case Integer():
            return rng.choice([0, 1, 2, 3, 5, 10, 100, 70_000, -1])
    return rng.random() < 0.5 if shape is BOOL else rng.choice([*_TEXTS, "abc", "a-b", "x.y"])
