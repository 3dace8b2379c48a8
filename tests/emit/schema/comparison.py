"""In what two objects differ, as data: a place for each difference, and a share of what is equal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where two objects differ. A side that has nothing there is `absent`."""

    path: str
    ours: Any
    theirs: Any

    def __str__(self) -> str:
        return f"{self.path}\n    ours:   {str(self.ours)[:300]}\n    theirs: {str(self.theirs)[:300]}"


def differences(ours: Any, theirs: Any, path: str = "") -> Iterator[Difference]:
    """The differences, each at the highest place where only one side has something or the values are not alike."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted(ours.keys() | theirs.keys(), key=str):
            yield from differences(ours.get(key, _ABSENT), theirs.get(key, _ABSENT), f"{path}/{key}")
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for index, (left, right) in enumerate(zip(ours, theirs, strict=True)):
            yield from differences(left, right, f"{path}/{index}")
    elif type(ours) is not type(theirs) or ours != theirs:
        yield Difference(path, ours, theirs)


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """All values that are no lists and no objects, with their places. Lists of plain values have no order."""
    if isinstance(value, dict) and value:
        for key, part in value.items():
            yield from leaves(part, f"{path}/{key}")
    elif isinstance(value, list) and value:
        for index, part in enumerate(value):
            if isinstance(part, dict | list):
                yield from leaves(part, f"{path}/{index}")
            else:
                yield f"{path}/={part!r}", ""
    else:
        yield path, repr(value)


def share(ours: Any, theirs: Any) -> tuple[int, int]:
    """How many values are equal, and how many there are on either side."""
    left, right = set(leaves(ours)), set(leaves(theirs))
    return len(left & right), len({path for path, _ in left | right})
