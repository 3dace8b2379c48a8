"""Deprecated and removed versions of built-in kinds: the releases, the replacement, and the changes of fields.

They are data (`lifecycle.json`), made from the types of `k8s.io/api`, its release notes and the deprecation guide.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from validation_gen.kubernetes.builtin import BuiltIn, kinds

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
    found = (_read(entry, data["notes"]) for entry in data["versions"])
    return {(each.api_version, each.kind): each for each in found}


def _read(entry: dict[str, Any], notes: Mapping[str, list[str]]) -> Lifecycle:
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
