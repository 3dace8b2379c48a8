"""JSON patches and merge patches, as the API server applies them.

Source of the behaviour: `gopkg.in/evanphx/json-patch.v4`, whose leniency differs from RFC 6902 and RFC 7386: a missing
key may be replaced and copied, and the index -1 is the end of a list.
"""

from __future__ import annotations

import copy
import re
from typing import Any

from validation_gen.runtime.wire import identical

_MISSING: Any = object()
#: Greatest size of all values that the copies of one patch may add, in values.
_MOST_COPIED = 1_000_000


class PatchError(Exception):
    """A patch does not apply; the text is the library's."""


def merge_patch(document: Any, patch: Any) -> Any:
    """Applies a merge patch to a document and returns the result: null removes a member."""
    if not isinstance(patch, dict):
        return _without_nulls(patch)
    found = dict(document) if isinstance(document, dict) else {}
    for name, value in patch.items():
        if value is None:
            found.pop(name, None)
        elif isinstance(value, dict) and isinstance(found.get(name), dict):
            found[name] = merge_patch(found[name], value)
        else:
            found[name] = _without_nulls(value)
    return found


def _without_nulls(value: Any) -> Any:
    """Returns a value that a merge patch adds, without the nulls in its objects."""
    if isinstance(value, dict):
        return {name: _without_nulls(item) for name, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_without_nulls(item) if isinstance(item, dict) else item for item in value]
    return value


def json_patch(document: Any, operations: list[Any]) -> Any:
    """Returns a document after the operations of a JSON patch.

    Raises:
        PatchError: one fails.
    """
    found = copy.deepcopy(document)
    copied = 0
    for operation in operations:
        kind = operation.get("op")
        path = operation.get("path")
        if kind in ("add", "replace", "test"):
            value = copy.deepcopy(operation.get("value"))
        elif kind in ("move", "copy"):
            value = _get(found, operation.get("from"), kind)
            if kind == "move":
                _change(found, operation.get("from"), "remove", None)
            else:
                copied += _size(value)
                if copied > _MOST_COPIED:
                    raise PatchError("copies add too many values")
                value = None if value is _MISSING else copy.deepcopy(value)
            kind = "add"
        elif kind == "remove":
            value = None
        else:
            raise PatchError(f"Unexpected kind: {kind}")
        if kind == "test":
            have = _get(found, path, "test")
            if not identical(None if have is _MISSING else have, value):
                raise PatchError(f"testing value {path} failed: test failed")
        elif path == "":
            if kind == "remove":
                raise PatchError("remove operation does not apply: doc is missing path")
            found = value
        else:
            _change(found, path, kind, value)
    return found


def _size(value: Any) -> int:
    """Returns the number of values in a value."""
    waiting, count = [value], 0
    while waiting:
        item = waiting.pop()
        count += 1
        waiting.extend(item.values() if isinstance(item, dict) else item if isinstance(item, list) else ())
    return count


def _steps(path: Any) -> list[str]:
    if not isinstance(path, str):
        raise PatchError("operation missing path field")
    return [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:]]


def _container(document: Any, path: Any, kind: str) -> tuple[Any, str]:
    steps = _steps(path)
    if not steps:
        raise PatchError(f"{kind} operation does not apply: doc is missing path: {path!r}: missing value")
    found = document
    for step in steps[:-1]:
        found = _item(found, step)
        if not isinstance(found, (dict, list)):
            raise PatchError(f"{kind} operation does not apply: doc is missing path: {path!r}: missing value")
    return found, steps[-1]


def _item(container: Any, step: str) -> Any:
    if isinstance(container, dict):
        return container.get(step, _MISSING)
    if isinstance(container, list):
        index = _index(step, len(container))
        return container[index]
    return _MISSING


def _index(step: str, length: int, *, grows: bool = False) -> int:
    """Parses the index of an item. -1 is the last item; with `grows` it is the position after it."""
    if not re.fullmatch(r"-?\d{1,9}", step):
        raise PatchError(f"strconv.Atoi: parsing {step!r}: invalid syntax")
    index = int(step)
    top = length + 1 if grows else length
    if index < 0:
        if index < -top:
            raise PatchError(f"Unable to access invalid index: {index}: invalid index referenced")
        return index + top
    if index >= top:
        raise PatchError(f"Unable to access invalid index: {index}: invalid index referenced")
    return index


def _get(document: Any, path: Any, kind: str) -> Any:
    if path == "":
        return document
    container, step = _container(document, path, kind)
    found = _item(container, step)
    if found is _MISSING and kind == "move":
        raise PatchError(f"move operation does not apply: doc is missing from path: {path}: missing value")
    return found


def _change(document: Any, path: Any, kind: str, value: Any) -> None:
    container, step = _container(document, path, kind)
    if isinstance(container, dict):
        if kind == "remove":
            if step not in container:
                raise PatchError(f"Unable to remove nonexistent key: {step}: missing value")
            del container[step]
        else:
            container[step] = value
    elif kind == "add":
        if step == "-":
            container.append(value)
        else:
            container.insert(_index(step, len(container), grows=True), value)
    elif kind == "replace":
        container[_index(step, len(container))] = value
    else:
        del container[_index(step, len(container))]
