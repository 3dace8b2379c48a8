"""Kubernetes releases: which tags exist in each, under which name, and how stable they are.

Every rule carries its own history; this module only knows how to read one.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import total_ordering

#: The releases that can be targeted, oldest first.
RELEASES = ("1.33", "1.34", "1.35", "1.36", "1.37")
NEWEST = RELEASES[-1]


def at_least(target: str, release: str) -> bool:
    """Whether a target is this release or a later one."""
    return RELEASES.index(target) >= RELEASES.index(release)


@total_ordering
class Stability(enum.Enum):
    """How far a tag's meaning can be relied on. The values are upstream's words."""

    ALPHA = "Alpha"
    BETA = "Beta"
    STABLE = "Stable"

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Stability):
            return NotImplemented
        order = list(Stability)
        return order.index(self) < order.index(other)


#: The stability of a tag from each release on in which it changed; the first one is that of its introduction.
History = Mapping[str, Stability]


def stability(history: History, target: str) -> Stability | None:
    """The stability of a tag in a release, `None` before its introduction."""
    found = None
    for release, level in history.items():
        if at_least(target, release):
            found = level
    return found


@dataclass(frozen=True, slots=True)
class Change:
    """A release in which a tag got another meaning: what is so since then, and what was so before, in a few words.

    Rules ask `holds_in`, and people are told `now` or `before`: so both go by the same release.
    """

    release: str
    now: str
    before: str

    def holds_in(self, target: str) -> bool:
        return at_least(target, self.release)


@dataclass(frozen=True, slots=True)
class FormerName:
    """What a tag was called before. `until` is the last release with that name; `args` maps old argument names."""

    name: str
    until: str
    args: Mapping[str, str] = field(default_factory=dict)
