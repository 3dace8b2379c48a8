"""Names fields the same for all objects: `spec.ports[*].name`, for any item or key."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from validation_gen.conversions.paths import spelt
from validation_gen.conversions.values import ABSENT
from validation_gen.ir import ListOf, MapOf, StructRef
from validation_gen.uses.edgecases import Place

_INDEX = re.compile(r"\[[^\]]*\]")


_STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")


def value_at(obj: Any, path: str) -> Any:
    """Returns the value at the path of an error, `ABSENT` if it cannot be found: keys with dots are ambiguous."""
    for match in _STEP.finditer(path):
        name, index = match.groups()
        if isinstance(obj, dict) and name in obj:
            obj = obj[name]
        elif isinstance(obj, list) and index and int(index) < len(obj):
            obj = obj[int(index)]
        else:
            return ABSENT
    return obj


def has_field(place: Place, name: str) -> bool:
    """Returns whether objects of a place have a field, by its name."""
    for match in re.finditer(r"\.?([^.\[\]]+)|\[\*\]", name):
        shape = place.value
        if match[1] is None and isinstance(shape, ListOf | MapOf):
            place = place.elem
        elif isinstance(shape, StructRef) and match[1] in place.members:
            place = place.members[match[1]]
        else:
            return False
    return True


def field_of(place: Place | None, at: str | Sequence[Any]) -> str:
    """Returns the field of a path or of steps, in objects of a place."""
    if isinstance(at, str):
        # Keys of maps may have dots: they are in brackets there.
        return "" if at == "<nil>" else _INDEX.sub("[*]", at)
    found: list[Any] = []
    for step in at:
        inside: Place | None = None
        shape = place.value if place is not None else None
        if isinstance(shape, ListOf | MapOf):
            assert place is not None
            inside = place.elem
            found.append(None)
        else:
            if isinstance(shape, StructRef):
                assert place is not None
                inside = place.members.get(step) if isinstance(step, str) else None
            found.append(step if isinstance(step, str) else None)
        place = inside
    return spelt(tuple(found))
