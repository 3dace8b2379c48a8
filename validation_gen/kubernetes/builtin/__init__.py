"""Built-in kinds of Kubernetes: names, scopes, the releases in which their versions are served, and their deprecation.

They are data, made from the types of `k8s.io/api` and its release notes: `kinds.txt`, and `lifecycle.json` with the
releases, the replacement, and the changes of fields of deprecated and removed versions. Their schemas are not known.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

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


#: Releases whose API versions are known, oldest first.
RELEASES = tuple(f"1.{minor}" for minor in range(16, 39))


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """The end of a kind in one version.

    Attributes:
        api_version: group and version.
        kind: its name.
        deprecated: the minor of the first release that warns of it, None if there is none.
        removed: the minor of the first release that no longer serves it, None if none is planned.
        replacement: API version and kind as the server's warning names them, empty if it names none.
        notes: what changes in the fields, a sentence each.
    """

    api_version: str
    kind: str
    deprecated: int | None
    removed: int | None
    replacement: str
    notes: tuple[str, ...]

    def warning(self) -> str:
        """Returns the server's warning, as `deprecation.WarningMessage` words it."""
        text = f"{self.api_version} {self.kind} is deprecated in v1.{self.deprecated}+"
        if self.removed is not None:
            text += f", unavailable in v1.{self.removed}+"
        return f"{text}; use {self.replacement}" if self.replacement else text


@cache
def lifecycles() -> Mapping[tuple[str, str], Lifecycle]:
    """Returns all deprecated and removed versions, by API version and kind."""
    data = json.loads(Path(__file__).with_name("lifecycle.json").read_text(encoding="utf-8"))
    found = (_read_lifecycle(entry, data["notes"]) for entry in data["versions"])
    return {(each.api_version, each.kind): each for each in found}


def _read_lifecycle(entry: dict[str, Any], notes: Mapping[str, list[str]]) -> Lifecycle:
    version = f"{entry['group']}/{entry['version']}".removeprefix("/")
    texts = tuple(notes.get(f"{version} {entry['kind']}", ()))
    deprecated, removed = (int(entry[name][2:]) if entry[name] else None for name in ("deprecated", "removed"))
    return Lifecycle(version, entry["kind"], deprecated, removed, entry["replacement"], texts)


def find_replacement(version: str, kind: str, minor: int) -> BuiltIn | None:
    """Returns the most stable version of a kind, or of its replacement, that release 1.`minor` serves."""
    end = lifecycles().get((version, kind))
    before, _, after = end.replacement.partition(" ") if end is not None else ("", "", "")
    other = kinds().get((before, after))
    group, name = (other.group, other.kind) if other is not None else (version.rpartition("/")[0], kind)
    served = [each for each in kinds().values() if (each.group, each.kind) == (group, name) and each.is_served(minor)]
    found = max(served, key=lambda each: _rank(each, minor), default=None)
    return found if found is not None and (found.api_version, found.kind) != (version, kind) else None


def _rank(each: BuiltIn, minor: int) -> tuple[bool, bool, int]:
    """Orders versions: those without a deprecation, then stable ones, then newer ones."""
    end = lifecycles().get((each.api_version, each.kind))
    is_kept = end is None or end.deprecated is None or minor < end.deprecated
    name = each.api_version.rpartition("/")[2]
    return is_kept, "alpha" not in name and "beta" not in name, each.since
