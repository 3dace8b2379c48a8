"""Kinds of two programs: pairs them, finds removed and new ones, and compares their resource names.

Kinds are paired by group, version and name, independent of their packages. Types of packages without kinds, which
others embed, are paired by their names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import takewhile

from validation_gen.commands.breaking.changes import BREAKING, DANGEROUS, NONE, REMOVAL, SAFE, Change
from validation_gen.commands.breaking.shapes import View
from validation_gen.diagnostics import Severity, Span
from validation_gen.ir import PackagePlan, Program, Root, StructRef, TypePlan, Wire
from validation_gen.runtime.words import inflected
from validation_gen.types.naming import pluralize

_UNSERVED = "stored objects cannot be read in this version any more; they must be served in another one"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind in its package."""

    package: PackagePlan
    root: Root
    plan: TypePlan

    @property
    def name(self) -> str:
        """Name of the kind in messages."""
        return f"{self.package.api_version} {self.root.kind}".lstrip()

    @property
    def plural(self) -> str:
        return self.root.resource.plural or pluralize(self.root.kind)

    @property
    def scope(self) -> str:
        return self.root.resource.scope or "Namespaced"

    @property
    def is_defined(self) -> bool:
        """True if the kind comes from a definition and not from sources."""
        return isinstance(self.plan.shape, Wire)

    @property
    def view(self) -> View:
        return View(StructRef(self.plan.id), root=True)

    @property
    def place(self) -> Span:
        return self.root.resource.span or self.plan.span


Name = tuple[str, str, str]


def kinds(program: Program) -> dict[Name, list[Kind]]:
    """Returns the kinds of a program by group, version and name, without the list kinds of other kinds."""
    found: dict[Name, list[Kind]] = {}
    for package in program.packages.values():
        if not package.input or package.path in program.broken:
            continue
        names = {root.kind for root in package.roots}
        for root in package.roots:
            if root.kind.removesuffix("List") not in names - {root.kind} and root.type in program.types:
                kind = Kind(package, root, program.types[root.type])
                found.setdefault((package.group, package.version, root.kind), []).append(kind)
    return found


def loose_types(program: Program) -> dict[tuple[str, str, str], TypePlan]:
    """Returns the types of packages without kinds, by group, package and name."""
    return {
        (package.group, package.name, program.types[id].name): program.types[id]
        for package in program.packages.values()
        if package.input and not package.roots and package.path not in program.broken
        for id in package.types
        if id in program.types and program.types[id].name[:1].isupper()
    }


def pair_kinds(old: list[Kind], new: list[Kind]) -> tuple[list[tuple[Kind, Kind]], list[Kind], list[Kind]]:
    """Pairs kinds of one name by their import paths; returns the pairs, the removed kinds and the new ones."""
    known, paths = {kind.package.path: kind for kind in new}, {kind.package.path for kind in old}
    pairs = [(kind, known[kind.package.path]) for kind in old if kind.package.path in known]
    lost = [kind for kind in old if kind.package.path not in known]
    waiting = [kind for kind in new if kind.package.path not in paths]
    for kind in list(lost):
        if waiting:
            twin = max(waiting, key=partial(_likeness, kind))
            waiting.remove(twin)
            lost.remove(kind)
            pairs.append((kind, twin))
    # A server has one definition of a kind; with several files it is unknown which one counts.
    pairs += [(kind, new[-1]) for kind in lost if kind.is_defined and new]
    pairs += [(old[-1], kind) for kind in waiting if kind.is_defined and old]
    return pairs, [k for k in lost if not (k.is_defined and new)], [k for k in waiting if not (k.is_defined and old)]


def _likeness(kind: Kind, other: Kind) -> int:
    """Counts the elements that the import paths of two kinds have in common at the end."""
    one, two = kind.package.path.split("/"), other.package.path.split("/")
    pairs = zip(reversed(one), reversed(two), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def stability(version: str) -> int:
    """Returns 0 for alpha, 1 for beta, 2 for general availability."""
    return 0 if "alpha" in version else 1 if "beta" in version else 2


def report_removed(kind: Kind, program: Program, left: set[Name]) -> Change:
    """Returns the change for a kind that the new state does not have."""
    group, version, name = kind.package.group, kind.package.version, kind.root.kind
    packages = [p for p in program.packages.values() if p.input and p.group == group]
    own = [p for p in packages if p.name == name or not kind.is_defined]  # each version has its own definition
    here = [p for p in own if p.version == version]
    others = sorted({v for g, v, n in left if (g, n) == (group, name)})
    if not packages and group:
        text = f"the group {group} is gone"
    elif not here and (others or not kind.is_defined):
        text = f"the version {version} of {name} is gone"
    else:
        text = "the kind is gone"
    if others:
        text += f"; {', '.join(others)} {'has' if len(others) == 1 else 'have'} it"
    place = Span(here[0].directory) if here else Span(own[0].directory) if own else None
    severity, help = BREAKING, f"keep it; {REMOVAL}"
    level = stability(version)
    if not here and others and level < 2:
        severity = DANGEROUS if level == 0 else BREAKING
        noted = (
            "rule #4a: an alpha version may go without notice"
            if level == 0
            else "rule #4a: a beta version is served for 9 months or 3 releases after it was deprecated"
        )
        help = f"see that it was deprecated for long enough; {noted}"
        if level == 1 and kind.root.resource.deprecated:
            severity = DANGEROUS
    elif not here:
        help = f"keep it; rule #4a: {'a version of general availability' if level == 2 else version} is not removed"
        help = help if level == 2 else f"keep it until another version has the kind; {REMOVAL}"
    return Change("VG701", severity, text, place, kind.plan.span, _UNSERVED, help)


def fresh(kind: Kind) -> Change:
    return Change("VG715", SAFE, "the kind is new in this version", kind.plan.span, None, NONE)


def resource(old: Kind, new: Kind) -> Iterator[Change]:
    """Yields changes of a resource's names, scope, subresources and versions."""
    for severity, text, effect, help in (*_address(old, new), *_features(old, new), *_subresources(old, new)):
        yield Change("VG713", severity, text, new.place, old.place, effect, help)
    if old.root.resource.served and not new.root.resource.served:
        text = "the version is not served any more"
        yield Change("VG701", BREAKING, text, new.place, old.place, _UNSERVED, "serve it until no client uses it")


#: The severity, the text, the effect and the help of a change.
_Words = tuple[Severity, str, str, str]


def _address(old: Kind, new: Kind) -> Iterator[_Words]:
    effect = "stored objects are not found under their new address"
    if (old.root.resource.told or new.root.resource.told) and old.scope != new.scope:
        text = f"the scope is {new.scope}, it was {old.scope}"
        yield BREAKING, text, effect, "the scope of a resource cannot change"
    if old.plural != new.plural:
        text = f"the plural is {new.plural}, it was {old.plural}"
        yield BREAKING, text, effect, "the name of a resource cannot change; it is part of every address"


def _features(old: Kind, new: Kind) -> Iterator[_Words]:
    was, now = old.root.resource, new.root.resource
    if lost := sorted(set(was.short_names) - set(now.short_names)):
        text = f"the {inflected('short name', len(lost))} {', '.join(lost)} {'are' if len(lost) > 1 else 'is'} gone"
        yield DANGEROUS, text, NONE, ""
    if was.conversion is not None and now.conversion is None:
        text = "no webhook converts between versions any more"
        effect = "what the version of a request and the stored one do not share is dropped"
        yield DANGEROUS, text, effect, "keep it while there are several versions"
    if lost := sorted(set(was.selectable) - set(now.selectable)):
        text = f"{', '.join(lost)} {'are' if len(lost) > 1 else 'is'} not selectable any more"
        yield BREAKING, text, "clients that select by it fail", "keep it"


def _subresources(old: Kind, new: Kind) -> Iterator[_Words]:
    was, now = old.root.resource.scale, new.root.resource.scale
    if _status(old) and not _status(new):
        yield BREAKING, "the status subresource is gone", "clients of it fail", "keep it"
    if was is not None and now is None:
        yield BREAKING, "the scale subresource is gone", "clients of it fail", "keep it"
    if _status(new) and not _status(old):
        effect = "what clients write of `status` with the object is dropped"
        yield DANGEROUS, "the status subresource is new", effect, "see that clients write it by the subresource"
    if now is not None and now != was:
        text = "the scale subresource is new" if was is None else "the scale subresource is about other fields"
        effect = "objects are refused whose fields for it hold no numbers of replicas"
        yield DANGEROUS, text, effect, "see that clients expect it, and what objects hold there"


def _status(kind: Kind) -> bool:
    return kind.root.resource.status or "/status" in kind.root.subresources


def view(plan: TypePlan) -> View:
    """Returns a type that is not a kind, as a value."""
    return View(plan.shape if not isinstance(plan.shape, StructRef) else StructRef(plan.id), span=plan.span)
