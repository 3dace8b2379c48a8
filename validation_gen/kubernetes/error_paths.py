"""Finds the value in an object that the path of an error points to.

Paths are made for people: keys of maps are not escaped, and the names of inlined structs may appear. So the object
decides how to read a path. Nothing here prints anything.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

#: Path from an object to one of its parts: names of fields and keys, and indices of items.
ValueKeys = tuple[str | int, ...]

_INDEX = re.compile(r"\[([0-9]{1,9})\]")
_NAME = re.compile(r"\.?[^.\[]+")
_STOP = re.compile(r"[.\[]")
_FEW = 8


def find_path(obj: Any, path: str) -> tuple[ValueKeys, bool]:
    """Returns the path as far as the object has it, and whether that is all of it."""
    if path in ("", "<nil>"):
        return (), True
    way = _follow(obj, path)
    if not way[1] and path.startswith(".") and (first := _NAME.match(path)):
        inside = _follow(obj, path[first.end() :])  # the name of an inlined struct, which no JSON has
        return max(way, inside, key=lambda each: (each[1], len(each[0])))
    return way


def _follow(obj: Any, path: str) -> tuple[ValueKeys, bool]:
    way: list[str | int] = []
    at = 0
    while at < len(path):
        if isinstance(obj, dict):
            # The longest key that fits: keys of maps have dots and brackets of their own.
            key = _key(obj, path, at)
            if key is None:
                break
            at = _end(path, at, key)
            way.append(key)
            obj = obj[key]
        elif isinstance(obj, list) and (index := _INDEX.match(path, at)) and int(index[1]) < len(obj):
            at = index.end()
            way.append(int(index[1]))
            obj = obj[int(index[1])]
        else:
            break
    return tuple(way), at == len(path)


def _key(obj: dict[str, Any], path: str, at: int) -> str | None:
    """Returns the longest key of an object at a position of a path.

    It tries the keys or the possible ends, whichever are fewer.
    """
    stops = [match.start() for match in islice(_STOP.finditer(path, at + 1), len(obj))]
    if len(obj) <= max(len(stops), _FEW):
        return max((key for key in obj if _end(path, at, key)), key=len, default=None)
    found = (path[at + (path[at] in ".[") : stop - (path[at] == "[")] for stop in (len(path), *reversed(stops)))
    return next((key for key in found if key in obj and _end(path, at, key)), None)


def _end(path: str, at: int, key: str) -> int:
    """Returns the end of a key in a path, 0 if the key is not there."""
    forms = (f".{key}", f"[{key}]") if at or path[0] in ".[" else (key,)
    for form in forms:
        end = at + len(form)
        if path.startswith(form, at) and (end == len(path) or path[end] in ".["):
            return end
    return 0
