"""Computes JSON patches between objects (RFC 6902): only the differences, always in the same order.

`jsonpatch` (extra `serve`) compares lists, within limits: a list for which that would take long, or need more text than
the list itself, is replaced as a whole. There are only additions, removals and replacements.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

#: Limits of values in two lists compared item by item, in all such lists of two objects, and of their depth.
_MOST_VALUES, _MOST_IN_ALL, _DEEPEST = 1000, 5000, 20
_MISSING = object()
_SCALARS = (str, int, float, bool)


def build_patch(old: Any, new: Any) -> list[dict[str, Any]]:
    """Returns the operations from `old` to `new`, none if they are the same.

    Raises:
        RecursionError: they are nested too deeply.
    """
    return list(_Difference().between("", old, new))


class _Difference:
    """Finds the operations of a patch. If there are many lists, it compares only the first ones item by item."""

    def __init__(self) -> None:
        self._left = _MOST_IN_ALL

    def between(self, path: str, old: Any, new: Any) -> Iterator[dict[str, Any]]:
        """Yields the operations at and below a path."""
        if old is new:
            return
        if isinstance(old, dict) and isinstance(new, dict):
            for name in sorted(old.keys() | new.keys()):
                at = f"{path}/{_escape(name)}"
                before, after = old.get(name, _MISSING), new.get(name, _MISSING)
                if after is _MISSING:
                    yield {"op": "remove", "path": at}
                elif before is _MISSING:
                    yield {"op": "add", "path": at, "value": after}
                else:
                    yield from self.between(at, before, after)
        elif not identical(old, new):
            if isinstance(old, list) and isinstance(new, list):
                yield from self._of_lists(path, old, new)
            else:
                yield {"op": "replace", "path": path, "value": new}

    def _of_lists(self, path: str, old: list[Any], new: list[Any]) -> list[dict[str, Any]]:
        whole = [{"op": "replace", "path": path, "value": new}]
        count = _count(old, new)
        self._left -= min(count, _MOST_VALUES)
        if count > _MOST_VALUES or self._left < 0:
            return whole
        import jsonpatch  # noqa: PLC0415 - it comes with the extra `serve`, which not everybody needs

        before, after = _sort_members(old), _sort_members(new)
        found = jsonpatch.JsonPatch.from_diff(before, after, optimization=False)
        operations = [{**each, "path": f"{path}{each['path']}"} for each in found.patch]
        if any(each["op"] not in ("add", "remove", "replace") for each in operations):
            return whole
        if len(json.dumps(operations)) >= len(json.dumps(whole)) or not identical(found.apply(before), after):
            return whole
        return operations


def _sort_members(value: Any) -> Any:
    """Returns a copy with members in the order of their names, which gives the order of operations."""
    if isinstance(value, dict):
        return {name: _sort_members(value[name]) for name in sorted(value)}
    return [_sort_members(item) for item in value] if isinstance(value, list) else value


def _count(*values: Any) -> int:
    """Counts the values in JSON values with all their parts. Exceeds the limit if they are too many or too deep."""
    count = 0
    waiting = [(value, 0) for value in values]
    while waiting and count + len(waiting) <= _MOST_VALUES:
        value, depth = waiting.pop()
        count += _MOST_VALUES if depth > _DEEPEST else 1
        below = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        waiting.extend((each, depth + 1) for each in below)
    return count + len(waiting)


def _escape(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


# --- values -----------------------------------------------------------------------------------------------------------


def identical(one: Any, other: Any) -> bool:
    """Returns whether two values are the same JSON: 1 is neither true nor 1.0; the order of members does not count."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(identical(value, other[name]) for name, value in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(identical, one, other))
    if isinstance(one, float):
        return repr(one) == repr(other)  # -0.0 and 0.0 have different texts
    return bool(one == other)


def not_json(value: Any) -> str:
    """Returns why a value cannot be JSON, or changes its meaning there; empty if it can."""
    waiting = [("", value, 0)]
    while waiting:
        path, found, depth = waiting.pop()
        if depth > 500:
            return f"what is at {path:.80}… (nested too deeply)"
        if type(found) is dict:
            for name, item in found.items():
                if not isinstance(name, str):
                    return f"the key {name!r:.80} at {path or 'the object'}"
                waiting.append((f"{path}.{name:.40}", item, depth + 1))
        elif type(found) is list:
            waiting.extend((f"{path}[{index}]", item, depth + 1) for index, item in enumerate(found))
        elif found is not None and type(found) not in _SCALARS:
            return f"{path or 'the object'} of type {type(found).__name__}"
        elif type(found) is float and found - found != 0:
            return f"{path} with the number {found}"
    return ""
