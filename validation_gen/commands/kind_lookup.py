"""Looks up kinds without rules: whether Kubernetes has them, and similar names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from validation_gen.kubernetes.builtin import NEWEST, BuiltIn, Lifecycle, find_replacement, kinds, lifecycles
from validation_gen.kubernetes.crd.run import KIND
from validation_gen.kubernetes.objects.anykind import refusal
from validation_gen.runtime.words import likeness

__all__ = ["ApiVersionEnd", "Defined", "Recognised", "find_end", "recognise", "refusal", "tally"]

#: Kinds of definitions and sources, each as API version and kind.
Defined = frozenset[tuple[str, str]]
#: Minimum similarity of a group to be suggested.
_LIKE = 0.88
#: Minimum length of a name for two slips, and maximum length to compare.
_LONG, _LONGEST = 8, 100


@dataclass(frozen=True, slots=True)
class Recognised:
    """Result of the lookup of a kind without rules.

    Attributes:
        version: the API version of its objects.
        kind: its name.
        built_in: the built-in kind of this name, None if Kubernetes has none, or no longer has it.
        hint: a similar name, or the release since which it is served or not; empty if unknown.
    """

    version: str
    kind: str
    built_in: BuiltIn | None = None
    hint: str = ""

    @property
    def reason(self) -> str:
        """Reason why objects of the kind are not validated."""
        if self.built_in is not None:
            return "; ".join(filter(None, ("built-in, no schema here", self.hint)))
        return self.hint or "neither built-in nor defined here"

    def __str__(self) -> str:
        return f"{self.kind} {self.version}: {self.reason}"


@dataclass(frozen=True, slots=True)
class ApiVersionEnd:
    """A built-in kind in a version that the target release does not serve, or that it warns of.

    Attributes:
        text: the finding; the server's warning for a version that is served.
        reason: the same without the name, for a count of such objects; empty for a version that is served.
        use: the replacement that the target serves, as a request; empty if there is none.
        notes: what changes in the fields.
        is_served: True if the target serves the version.
    """

    text: str
    reason: str
    use: str = ""
    notes: tuple[str, ...] = ()
    is_served: bool = False


@lru_cache(maxsize=1024)
def recognise(version: str, kind: str, defined: Defined, minor: int = NEWEST) -> Recognised:
    """Looks up a kind without rules among those of release 1.`minor`."""
    found = kinds().get((version, kind))
    if found is None:
        return Recognised(version, kind, hint=_suggest(version, kind, defined, minor))
    if found.until is not None and found.until <= minor:
        return Recognised(version, kind, hint=_instead(found, defined, minor))
    hint = "" if found.is_served(minor) else f"since 1.{found.since}"
    if kind == KIND:
        hint = "`validation-gen crd lint` checks it"
    return Recognised(version, kind, found, hint)


@lru_cache(maxsize=1024)
def find_end(version: str, kind: str, minor: int) -> ApiVersionEnd | None:
    """Returns the reason why release 1.`minor` does not serve a built-in kind in a version, or warns of it."""
    found, end = kinds().get((version, kind)), lifecycles().get((version, kind))
    notes = end.notes if end is not None else ()
    other = find_replacement(version, kind, minor)
    use = f"write {other.api_version} {other.kind}" if other is not None else ""
    removed = end.removed if end is not None else found.until if found is not None else None
    if removed is not None and removed <= minor:
        reason = f"not served since 1.{removed}"
        return ApiVersionEnd(f"{version} {kind} is {reason}", "; ".join(filter(None, (reason, use))), use, notes)
    if found is not None and not found.is_served(minor):
        reason = f"served since 1.{found.since}, not by 1.{minor}"
        return ApiVersionEnd(f"{version} {kind} is {reason}", "; ".join(filter(None, (reason, use))), use)
    if end is not None and end.deprecated is not None and end.deprecated <= minor:
        return _find_deprecation(end, use, minor)
    return None


def _find_deprecation(end: Lifecycle, use: str, minor: int) -> ApiVersionEnd:
    """Returns the server's warning of a version, with advice that release 1.`minor` allows to follow."""
    text, notes = end.warning(), end.notes
    version, _, kind = end.replacement.partition(" ")
    newer = kinds().get((version, kind))
    if newer is not None and not newer.is_served(minor):
        text, notes = f"{text} (served since 1.{newer.since})", ()
    elif use and not end.replacement:
        text = f"{text}; {use}"
    return ApiVersionEnd(text, "", use, notes, is_served=True)


def _instead(gone: BuiltIn, defined: Defined, minor: int) -> str:
    """Describes the release that dropped a kind, and the versions that have it."""
    told = f"not served since 1.{gone.until}"
    others = [version for version, kind in _all(defined, minor) if kind == gone.kind]
    newest = [version for version in others if version.rpartition("/")[0] == gone.group] or others
    return f"{told}; did you mean {newest[-1]}?" if newest else told


def _suggest(version: str, kind: str, defined: Defined, minor: int) -> str:
    """Suggests a known kind that is similar to an unknown one."""
    known = _all(defined, minor)
    group = version.rpartition("/")[0]
    versions = [each for each, name in known if name == kind]
    if own := [each for each in versions if each.rpartition("/")[0] == group]:
        return f"not in this version; did you mean {' or '.join(own)}?"
    if near := _slip(kind, [name for each, name in known if each == version]):
        return f"no such kind; did you mean {near}?"
    if other := [each for each in versions if _is_like(group, each.rpartition("/")[0])]:
        return f"not in this group; did you mean {other[-1]}?"
    others = {name: each for each, name in known if _is_like(group, each.rpartition("/")[0])}
    if "." in group and (near := _slip(kind, others)):
        return f"no such kind; did you mean {near} {others[near]}?"
    return ""


def _slip(kind: str, names: Iterable[str]) -> str:
    """Returns the known name of a misspelt kind: at most one slip, two in a long name. It ignores case."""
    most = 1 if len(kind) < _LONG else 2
    near = [(each, name) for name in names if (each := _slips(kind.lower(), name.lower(), most)) <= most]
    return min(near, default=(0, ""))[1]


def _slips(one: str, other: str, most: int) -> int:
    """Counts the superfluous, missing, wrong or swapped letters; returns more than `most` beyond that."""
    if abs(len(one) - len(other)) > most or len(one) > _LONGEST:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one):
        last, row, older = row, [at + 1], before
        for place, wanted in enumerate(other):
            cost = min(last[place + 1] + 1, row[place] + 1, last[place] + (letter != wanted))
            if at and place and (letter, one[at - 1]) == (other[place - 1], wanted):
                cost = min(cost, older[place - 1] + 1)
            row.append(cost)
        before = last
    return row[-1]


def _is_like(group: str, other: str) -> bool:
    """Returns whether a group is similar to another, or has no dots, which only groups of Kubernetes itself lack."""
    return "." not in group or likeness(group, other) >= _LIKE


def _all(defined: Defined, minor: int) -> list[tuple[str, str]]:
    """Returns all known kinds with their versions; the most stable and newest version of a kind comes last."""
    served = {key for key, each in kinds().items() if each.is_served(minor)}
    return sorted(served | defined, key=lambda each: (_rank(each[0]), each))


def _rank(version: str) -> tuple[bool, list[int]]:
    name = version.rpartition("/")[2]
    return "alpha" not in name and "beta" not in name, [int(digits) for digits in re.findall(r"[0-9]+", name)]


def tally(unjudged: Iterable[str]) -> list[str]:
    """Returns a line for each kind that was not validated, with the number of its objects."""
    return [f"not judged: {count} {name}" for name, count in sorted(Counter(unjudged).items())]
