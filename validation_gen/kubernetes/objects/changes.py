"""Changes between the sent and the stored form of an object, with their reasons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from validation_gen.kubernetes.objects.outcome import Change
from validation_gen.runtime.wire import identical

_PLAIN = re.compile(r"[^.\[\]]+")
_OWNED = ("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "selfLink")


def changes_of(sent: Any, stored: Any) -> list[Change]:
    """Returns the parts that differ, in the order of the sent object, each once."""
    return list(_changes(sent, stored, ""))


def _changes(sent: Any, stored: Any, path: str) -> Iterator[Change]:
    if isinstance(sent, dict) and isinstance(stored, dict):
        for name, value in sent.items():
            inner = _inside(path, name)
            if name in stored:
                yield from _changes(value, stored[name], inner)
            else:
                yield Change(inner, _why_gone(path, name, value), value)
        for name, value in stored.items():
            if name not in sent:
                yield Change(_inside(path, name), "set by the server" if path == "metadata" else "defaulted", value)
    elif isinstance(sent, list) and isinstance(stored, list) and len(sent) == len(stored):
        for index, (one, other) in enumerate(zip(sent, stored, strict=True)):
            yield from _changes(one, other, f"{path}[{index}]")
    elif sent is None and stored is not None:
        yield Change(path, "defaulted", stored)
    elif not identical(sent, stored) and sent != stored:
        yield Change(path, "kept as it was" if path.partition(".")[0] in ("metadata", "status") else "changed", stored)


def _inside(path: str, name: str) -> str:
    step = f".{name}" if _PLAIN.fullmatch(name) else f"[{name}]"
    return f"{path}{step}".removeprefix(".")


def _why_gone(path: str, name: str, value: Any) -> str:
    if value is None:
        return "dropped: null means nothing here"
    if path == "metadata":
        return "ignored: the server sets it" if name in _OWNED else "dropped: it is empty, or metadata does not have it"
    if not path and name == "status":
        return "ignored: status is a subresource"
    return "pruned: no schema has it"
