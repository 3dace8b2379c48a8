"""JSON patches on decoded JSON (RFC 6902). They never change their input."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import Any

_OPERATIONS = ("add", "remove", "replace", "move", "copy", "test")


class PatchError(ValueError):
    """A patch that cannot be applied; the text has the reason."""


class TestFailedError(PatchError):
    """A `test` of a patch that fails, so that nothing of the patch is applied."""

    __test__ = False


def patched(document: Any, operations: Iterable[Mapping[str, Any]]) -> Any:
    """Applies a patch to a copy of a document.

    Raises:
        TestFailedError: a `test` does not hold.
        PatchError: an operation cannot be applied.
    """
    found = copy.deepcopy(document)
    for operation in operations:
        found = _applied(found, operation)
    return found


def _applied(document: Any, operation: Mapping[str, Any]) -> Any:
    kind = operation.get("op")
    if kind not in _OPERATIONS:
        raise PatchError(f"Unexpected kind: {kind}")
    path = _steps(operation.get("path", ""))
    if kind in ("move", "copy"):
        source = _steps(operation.get("from", ""))
        value = copy.deepcopy(_found(document, source, kind))
        if kind == "move":
            document = _removed(document, source)
        return _added(document, path, value)
    if kind == "test":
        if not _same(_found(document, path, kind), operation.get("value")):
            raise TestFailedError(f"testing value {operation.get('path')} failed: test failed")
        return document
    if kind == "remove":
        return _removed(document, path)
    value = copy.deepcopy(operation.get("value"))
    if kind == "replace":
        _found(document, path, kind)
        return _replaced(document, path, value)
    return _added(document, path, value)


def _steps(pointer: Any) -> list[str]:
    if not isinstance(pointer, str) or (pointer and not pointer.startswith("/")):
        raise PatchError(f"{pointer!r:.80} is no JSON pointer")
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def _found(document: Any, steps: list[str], kind: str) -> Any:
    for step in steps:
        document = _part(document, step, kind)
    return document


def _part(value: Any, step: str, kind: str) -> Any:
    if isinstance(value, dict) and step in value:
        return value[step]
    if isinstance(value, list) and (index := _index(step)) is not None and index < len(value):
        return value[index]
    raise PatchError(f"{kind} operation does not apply: doc is missing key: {step}: missing value")


def _index(step: str) -> int | None:
    plain = step.isascii() and step.isdigit() and len(step) < 10 and (step == "0" or not step.startswith("0"))
    return int(step) if plain else None


def _parent(document: Any, steps: list[str], kind: str) -> Any:
    found = _found(document, steps[:-1], kind)
    if not isinstance(found, dict | list):
        raise PatchError(f"{kind} operation does not apply: doc is missing path: /{'/'.join(steps)}: missing value")
    return found


def _added(document: Any, steps: list[str], value: Any) -> Any:
    if not steps:
        return value
    parent, step = _parent(document, steps, "add"), steps[-1]
    if isinstance(parent, dict):
        parent[step] = value
        return document
    index = len(parent) if step == "-" else _index(step)
    if index is None or index > len(parent):
        raise PatchError(
            f"add operation does not apply: Unable to access invalid index: {step}: invalid index referenced"
        )
    parent.insert(index, value)
    return document


def _replaced(document: Any, steps: list[str], value: Any) -> Any:
    if not steps:
        return value
    parent, step = _parent(document, steps, "replace"), steps[-1]
    parent[step if isinstance(parent, dict) else int(step)] = value
    return document


def _removed(document: Any, steps: list[str]) -> Any:
    if not steps:
        raise PatchError("remove operation does not apply: the whole document cannot be removed")
    _found(document, steps, "remove")
    parent, step = _parent(document, steps, "remove"), steps[-1]
    del parent[step if isinstance(parent, dict) else int(step)]
    return document


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and bool(one == other)
