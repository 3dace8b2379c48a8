"""Kubernetes releases: the tags of each, with their names and stability.

Every rule has its own history; this module only reads one.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import total_ordering

#: The releases that can be targeted, oldest first. 1.38 follows an alpha, which can still change.
RELEASES = ("1.33", "1.34", "1.35", "1.36", "1.37", "1.38")
#: Newest release that is out: the default target.
NEWEST = "1.37"


def at_least(target: str, release: str) -> bool:
    """Returns whether a target is this release or a later one."""
    return RELEASES.index(target) >= RELEASES.index(release)


def parse_minor(target: str) -> int:
    """Returns the number after the dot of a release."""
    return int(target.partition(".")[2])


@total_ordering
class Stability(enum.Enum):
    """Stability of a tag's meaning. The values are upstream's words."""

    ALPHA = "Alpha"
    BETA = "Beta"
    STABLE = "Stable"

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Stability):
            return NotImplemented
        order = list(Stability)
        return order.index(self) < order.index(other)


#: Stability of a tag by release, from its introduction, for each release that changed it.
History = Mapping[str, Stability]


def stability(history: History, target: str) -> Stability | None:
    """Returns the stability of a tag in a release, `None` before its introduction."""
    found = None
    for release, level in history.items():
        if at_least(target, release):
            found = level
    return found


@dataclass(frozen=True, slots=True)
class Change:
    """A release that changed the meaning of a tag, with the new and the old meaning in a few words.

    Rules use `holds_in`, and messages `now` or `before`: so both depend on the same release.
    """

    release: str
    now: str
    before: str

    def holds_in(self, target: str) -> bool:
        return at_least(target, self.release)


#: Change of errors of schemas, which no tag has.
TOO_FEW = Change(
    "1.38", "too few items or properties by a schema are `Too few`", "are `Invalid value`, with another text"
)


@dataclass(frozen=True, slots=True)
class FormerName:
    """A former name of a tag. `until` is the last release with that name; `args` maps old argument names."""

    name: str
    until: str
    args: Mapping[str, str] = field(default_factory=dict)
