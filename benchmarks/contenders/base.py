"""What a contender is. Nothing here knows a library."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from benchmarks.rules import Struct

#: Gives the errors of an object as texts with a path and a message, none for a valid one.
Check: TypeAlias = Callable[[Any], list[str]]
#: The same for an update from the second object to the first.
Update: TypeAlias = Callable[[Any, Any], list[str]]


@dataclass(frozen=True, slots=True)
class Contender:
    """One way to validate objects of one kind, prepared.

    Attributes:
        key: the name in results.
        title: the name in tables.
        reports: `all`: every error, with path and message; `first`: only one; `verdict`: none.
        check: validates an object.
        update: validates an update, where that is more than validating the new object.
        blind: types of errors of ours that it cannot know.
        ours: whether it is made by this project.
    """

    key: str
    title: str
    reports: str
    check: Check
    update: Update | None = None
    blind: frozenset[str] = frozenset()
    ours: bool = False


#: Makes the contenders of a library for a kind.
Maker: TypeAlias = Callable[[Struct], list[Contender]]
