"""Checks the rules of Kubernetes' deprecation policy about versions, as far as sources show them.

Rule #1 (elements are removed only in a new version) is a part of the comparison. This module has #2 (versions can
represent each other), #3 (nothing is deprecated in favour of something less stable), #4a (how long versions live) and
#4b (when objects may be stored in a new one). Source:
https://kubernetes.io/docs/reference/using-api/deprecation-policy/
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from validation_gen.commands.breaking.changes import BREAKING, DANGEROUS, Change
from validation_gen.commands.breaking.kinds import Kind, Name, stability
from validation_gen.commands.breaking.states import State
from validation_gen.commands.breaking.walk import Walk
from validation_gen.sources.model import Universe
from validation_gen.tags.model import CommentLine

_VERSION = re.compile(r"\bv[0-9]+(?:(?:alpha|beta)[0-9]+)?\b")
_PHASE = re.compile(r"\s*\+k8s:prerelease-lifecycle-gen:(?P<name>\w+)=(?P<value>\S+)\s*")
_RELEASE = re.compile(r"([0-9]+)\.([0-9]+)")
_STAGES = ("alpha", "beta", "general availability")
#: Number of releases that serve a beta version after its deprecation.
_BETA_RELEASES = 3

#: Possible effects of a round trip through another version, by the code of the difference.
_TRIPS = {
    "VG702": "is not in {other}, so that a round trip through it loses the value",
    "VG704": "has another type in {other}: {text}",
    "VG705": "is limited further in {other}: {text}",
    "VG707": "has fewer values in {other}: {text}",
}
_Versions = Mapping[tuple[str, str], list[Kind]]


def policy(
    old: State, new: State, was: Mapping[Name, list[Kind]], now: Mapping[Name, list[Kind]]
) -> Iterator[tuple[Change, str]]:
    """Yields the policy violations of the new state that the old state does not have."""
    before, after = _versions(was), _versions(now)
    known = {(kind.name, change.text) for kind, change in _all(old, before)}
    broken = {p.group for p in old.program.packages.values() if p.path in old.program.broken}
    for kind, change in _all(new, after):
        if (kind.name, change.text) not in known and kind.package.group not in broken:
            yield replace(change, new=change.new or kind.place), kind.name
    for key, versions in after.items():
        for change in _storage(before.get(key, []), versions):
            yield change, versions[0].name


def _versions(kinds: Mapping[Name, list[Kind]]) -> dict[tuple[str, str], list[Kind]]:
    """Returns the versions of each kind of a group, where each version has one package."""
    found: dict[tuple[str, str], list[Kind]] = {}
    for (group, _, name), each in kinds.items():
        if len(each) == 1:
            found.setdefault((group, name), []).append(each[0])
    return found


def _all(state: State, versions: _Versions) -> Iterator[tuple[Kind, Change]]:
    for each in versions.values():
        if len(each) > 1:
            yield from _round_trips(state, each)
        for kind in each:
            phases = _phases(state.universe, kind)
            for change in (*_replacement(kind, each, phases), *_lifetime(kind, phases)):
                yield kind, change


# --- rule #2 ---------------------------------------------------------------------------------------------------------


def _round_trips(state: State, versions: list[Kind]) -> Iterator[tuple[Kind, Change]]:
    """Yields the losses between the hub (the stored or most stable version) and each other version."""
    served = [kind for kind in versions if kind.root.resource.served]
    if len(served) < 2:
        return
    hub = next((k for k in served if k.root.resource.storage), None) or max(served, key=_rank)
    for other in served:
        if other is not hub:
            yield from _trip(state, hub, other)
            yield from _trip(state, other, hub)


def _rank(kind: Kind) -> tuple[int, list[int]]:
    version = kind.package.version
    return stability(version), [int(number) for number in re.findall(r"[0-9]+", version)]


def _trip(state: State, start: Kind, other: Kind) -> Iterator[tuple[Kind, Change]]:
    """Yields the fields that another version loses or refuses when objects of one version are converted to it."""
    noted: set[tuple[object, ...]] = set()
    for change, place in _between(state, start, other):
        message = _TRIPS.get(change.code)
        if message is None or change.severity is not BREAKING or change.identity in noted:
            continue
        noted.add(change.identity)
        text = f"`{place}` {message.format(other=other.package.version, text=change.text)}"
        help = (
            "add it to both versions, or keep it in an annotation when converting; "
            "rule #2 of Kubernetes' deprecation policy: versions can be converted to each other without loss"
        )
        effect = f"objects that are written as {start.package.version} and read as {other.package.version}"
        effect += " come back changed" if change.code == "VG702" else " can be refused"
        yield start, Change("VG721", DANGEROUS, text, change.old, None, effect, help)


def _between(state: State, start: Kind, other: Kind) -> Iterator[tuple[Change, str]]:
    """Yields the changes from one version to another one, with the first path of each."""
    walk = Walk(state.surface, state.surface)
    if start.is_defined == other.is_defined:
        compare_kinds(walk, "", (state, start), (state, other))
    for change, origin, path in walk.found:
        places, _ = walk.paths(origin, f"{path}{change.below}", 1)
        yield change, places[0].strip() if places else ""


def compare_kinds(walk: Walk, name: str, old: tuple[State, Kind], new: tuple[State, Kind]) -> None:
    """Compares two kinds, both of sources or both of definitions, under a name."""
    (was, before), (now, after) = old, new
    if not before.is_defined:
        walk.compare(name, before.view, after.view)
        return
    from validation_gen.commands.breaking.schemas import differences  # noqa: PLC0415 - it brings the parser of CEL

    try:
        changes = list(differences(was.defined[before.root.type], now.defined[after.root.type]))
    except RecursionError:
        text = "the schema is nested too deeply, so it is not compared"
        changes = [(Change("VG716", BREAKING, text, after.place, before.place), "")]
    walk.found += ((change, name, path) for change, path in changes)


# --- rule #3 ---------------------------------------------------------------------------------------------------------


def _phases(universe: Universe, kind: Kind) -> dict[str, str]:
    """Reads the releases of a kind from its comment, in the form of Kubernetes' own generator."""
    package = universe.packages.get(kind.package.path)
    declaration = package.types.get(kind.root.kind) if package else None
    lines: tuple[CommentLine, ...] = (
        (*declaration.second_closest, *declaration.closest) if declaration is not None else ()
    )
    return {match["name"]: match["value"] for line in lines if (match := _PHASE.fullmatch(line.text))}


def _replacement(kind: Kind, versions: list[Kind], phases: Mapping[str, str]) -> Iterator[Change]:
    """Reports a deprecation in favour of a version that is less stable."""
    version = kind.package.version
    named: list[str] = []
    note = kind.root.resource
    if "replacement" in phases:
        named = phases["replacement"].split(",")[1:2]
    elif note.deprecated:
        named = [v for v in _VERSION.findall(note.deprecation_warning or "") if v != version]
        left = [k.package.version for k in versions if not k.root.resource.deprecated]
        named = named[-1:] or sorted(left, key=stability)[-1:]
    for other in named:
        if stability(other) < stability(version):
            text = f"{version} is deprecated in favour of {other}, which is less stable"
            help = (
                f"keep {version} until a version of {_STAGES[stability(version)]} replaces it; "
                "rule #3 of Kubernetes' deprecation policy"
            )
            yield Change("VG722", BREAKING, text, kind.place, help=help)


# --- rule #4 ---------------------------------------------------------------------------------------------------------


def _lifetime(kind: Kind, phases: Mapping[str, str]) -> Iterator[Change]:
    """Reports a version that is removed earlier than its stability allows."""
    removed = _release(phases.get("removed", ""))
    if removed is None:
        return
    version, level = kind.package.version, stability(kind.package.version)
    start = _release(phases.get("deprecated", "")) or _release(phases.get("introduced", ""))
    shown = phases["removed"]
    if level == 2:
        text = f"{version} is generally available, and will be removed in {shown}"
        help = "deprecate it and keep it; rule #4a of Kubernetes' deprecation policy"
        yield Change("VG723", BREAKING, text, kind.place, help=help)
    elif level == 1 and start is not None and start[0] == removed[0] and removed[1] - start[1] < _BETA_RELEASES:
        earliest = f"{start[0]}.{start[1] + _BETA_RELEASES}"
        text = f"{version} is deprecated in {start[0]}.{start[1]} and will be removed in {shown}, which is too early"
        help = (
            f"remove it in {earliest} or later; rule #4a of Kubernetes' deprecation policy: a beta version is served "
            "for 9 months or 3 releases after it was deprecated, whichever is longer"
        )
        yield Change("VG723", BREAKING, text, kind.place, help=help)


def _release(text: str) -> tuple[int, int] | None:
    match = _RELEASE.fullmatch(text)
    return (int(match[1]), int(match[2])) if match else None


def _storage(old: list[Kind], new: list[Kind]) -> Iterator[Change]:
    """Reports objects that are stored in a version which no release had before, so that a rollback is impossible."""
    stored = next((kind for kind in new if kind.root.resource.storage), None)
    known = {kind.package.version for kind in old}
    if stored is None or not known or stored.package.version in known:
        return
    version = stored.package.version
    text = f"objects are stored as {version}, which the old state does not have"
    effect = "after a rollback, objects that were stored as the new version cannot be read"
    help = (
        f"release {version} first, and store objects in it with the release after; "
        "rule #4b of Kubernetes' deprecation policy"
    )
    yield Change("VG724", BREAKING, text, stored.place, effect=effect, help=help)
