"""Built-in kinds of Kubernetes: names, scopes, and the releases in which their versions are served.

They are data (`kinds.txt`), made from the types of `k8s.io/api`. Their schemas are not known here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

#: Minor version of the server that this package follows: 1.36.
NEWEST = 36
#: Minor version that also means all earlier releases.
_ALWAYS = 16


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A kind in one version.

    Attributes:
        api_version: group and version, the version alone for the group without a name.
        kind: its name.
        plural: the name of the resource.
        namespaced: whether its objects are in namespaces.
        since: the minor of the first release that serves it; 16 also means all earlier ones.
        until: the minor of the first release that no longer serves it, None if there is none.
    """

    api_version: str
    kind: str
    plural: str
    namespaced: bool
    since: int
    until: int | None

    @property
    def group(self) -> str:
        return self.api_version.rpartition("/")[0]

    def is_served(self, minor: int = NEWEST) -> bool:
        """Returns whether a server of release 1.`minor` serves it, if all versions are enabled."""
        return (self.since <= minor or self.since == _ALWAYS) and (self.until is None or minor < self.until)


@cache
def kinds() -> Mapping[tuple[str, str], BuiltIn]:
    """Returns all built-in kinds, by API version and kind."""
    text = Path(__file__).with_name("kinds.txt").read_text(encoding="utf-8")
    found = map(_read, (line for line in text.splitlines() if not line.startswith("#")))
    return {(each.api_version, each.kind): each for each in found}


def _read(line: str) -> BuiltIn:
    version, kind, plural, scope, since, until = line.split()
    return BuiltIn(version, kind, plural, scope == "Namespaced", _minor(since), None if until == "-" else _minor(until))


def _minor(release: str) -> int:
    return int(release.partition(".")[2])


__all__ = ["NEWEST", "BuiltIn", "kinds"]
