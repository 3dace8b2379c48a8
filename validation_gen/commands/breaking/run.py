"""Runs the command: reads two states and returns findings without the accepted ones.

A comment accepts a change: `validation-gen:ignore VG705 no object has such names`. It is above the new declaration to
which the finding points, or on its line. Removed elements have no declaration: the comment of the struct accepts
removed fields, the comment of the package removed kinds.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from glob import has_magic

from validation_gen.commands.breaking import kinds
from validation_gen.commands.breaking.changes import DANGEROUS, SAFE, Change
from validation_gen.commands.breaking.policy import compare_kinds, policy
from validation_gen.commands.breaking.states import UNREADABLE, State, read_new, read_old
from validation_gen.commands.breaking.walk import Pair, Walk
from validation_gen.commands.revisions import old_state
from validation_gen.compiler.lint.suppressions import OF_CHANGES, Suppression, suppressions
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostic, Diagnostics, Span
from validation_gen.sources.model import Struct, Universe
from validation_gen.tags.model import CommentLine

_Line = tuple[str, int]


@dataclass(slots=True)
class Acceptance:
    """The accepting lines of a state by location, and those that were used."""

    _by_place: dict[_Line, list[Suppression]] = field(default_factory=dict)
    _all: dict[Span, Suppression] = field(default_factory=dict)
    _used: set[Span] = field(default_factory=set)

    @classmethod
    def from_universe(cls, universe: Universe) -> Acceptance:
        found = cls()
        for package in universe.inputs:
            found._note((package.directory, 0), (*package.comments, *package.loose))
            for declaration in package.types.values():
                comments = (*declaration.second_closest, *declaration.closest)
                found._note(_line(declaration.span), comments)
                for member in declaration.type.fields if isinstance(declaration.type, Struct) else ():
                    found._note(_line(member.span), member.comments)
        return found

    def _note(self, place: _Line, comments: Sequence[CommentLine]) -> None:
        own = [s for s in suppressions(comments) if s.code.startswith(OF_CHANGES)]
        for suppression in own:
            self._all.setdefault(suppression.span, suppression)
        for line in {place, *(_line(comment.span) for comment in comments)} if own else ():
            self._by_place.setdefault(line, []).extend(own)

    def covers(self, code: str, span: Span) -> bool:
        """Returns whether a line accepts a finding at its location."""
        found = [s for s in self._by_place.get(_line(span), ()) if s.code == code]
        self._used.update(s.span for s in found)
        return bool(found)

    def report(self, diagnostics: Diagnostics) -> None:
        """Reports accepting comments without a reason, and those that accept no change."""
        for suppression in self._all.values():
            if suppression.span not in self._used:
                message = f"unused suppression: no change here has {suppression.code}"
                diagnostics.warning("VG499", message, suppression.span, "remove the line")
            elif not suppression.reason:
                message = f"{suppression.code} is ignored without a reason, which later readers need"
                help = f"write the reason behind {suppression.code}"
                diagnostics.warning("VG498", message, suppression.span, help)


def _line(span: Span) -> _Line:
    return span.file, span.line


_SHOWN = 3


@dataclass(slots=True)
class Comparison:
    """Result of a comparison. `safe` counts the harmless changes, shown or not."""

    diagnostics: Diagnostics = field(default_factory=Diagnostics)
    kinds: int = 0
    safe: int = 0
    accepted: int = 0


def compare(
    settings: Settings, against: str, *, all: bool = False, progress: Callable[[str], None] = lambda text: None
) -> Comparison:
    """Compares the sources with an older state of them.

    Args:
        settings: inputs and how to read them.
        against: `git:REF`, `git:REF:sub/dir` or a directory.
        all: True to report safe changes, too.
        progress: called with the name of the next step.
    """
    result = Comparison()
    found = result.diagnostics
    if any(map(_is_missing, (*settings.paths, *settings.definitions))):
        read_new(settings, found, progress)  # reports the missing path; comparing first would blame the old state
        return result
    with old_state(
        against, found, sources=settings.paths, manifests=settings.definitions, modules=settings.modules
    ) as old:
        if old is None:
            return result
        new = read_new(settings, found, progress)
        if any(d.code in UNREADABLE for d in found.items):
            return result
        before = read_old(old, settings, found, progress)
        progress("comparing")
        acceptance = Acceptance.from_universe(new.universe)
        for diagnostic in _findings(before, new, result):
            if acceptance.covers(diagnostic.code, diagnostic.span):
                result.accepted += 1
                continue
            if diagnostic.severity is SAFE:
                result.safe += 1
            if diagnostic.severity is not SAFE or all:
                found.add(diagnostic)
        acceptance.report(found)
    return result


def _is_missing(path: str) -> bool:
    """Returns whether an argument names a missing file or directory; patterns and standard input never do."""
    return path != "-" and not has_magic(path) and not os.path.lexists(path.removesuffix("/...") or "/")


def _findings(old: State, new: State, result: Comparison) -> Iterator[Diagnostic]:
    was, now = kinds.kinds(old.program), kinds.kinds(new.program)
    result.kinds = len(now)
    noted = any(k.root.resource.told for each in (*was.values(), *now.values()) for k in each)
    walk = Walk(old.surface, new.surface, custom=noted)
    for name in sorted(was.keys() | now.keys()):
        pairs, removed, fresh = kinds.pair_kinds(was.get(name, []), now.get(name, []))
        walk.found += ((kinds.report_removed(kind, new.program, set(now)), kind.name, "") for kind in removed)
        walk.found += ((kinds.fresh(kind), kind.name, "") for kind in fresh)
        for before, after in pairs:
            walk.found += ((change, after.name, "") for change in kinds.resource(before, after))
            if before.is_defined != after.is_defined:
                text = "one state has types for the kind, the other one a definition, so its fields are not compared"
                walk.found.append((Change("VG716", DANGEROUS, text, after.place, before.place), after.name, ""))
            else:
                compare_kinds(walk, after.name, (old, before), (new, after))
    _compare_types(walk, old, new)
    yield from _diagnostics(walk, old)
    for change, kind in policy(old, new, was, now):
        yield diagnostic(change, [kind], 1, old)


def _compare_types(walk: Walk, old: State, new: State) -> None:
    """Compares types of packages without kinds. The removal of such a type affects only Go code."""
    was, now = kinds.loose_types(old.program), kinds.loose_types(new.program)
    for name in sorted(was.keys() & now.keys()):
        walk.compare(f"{was[name].package.rpartition('/')[2]}.{name[2]}", kinds.view(was[name]), kinds.view(now[name]))


def _diagnostics(walk: Walk, old: State) -> Iterator[Diagnostic]:
    """Yields findings; equal ones at several locations become one."""
    together: dict[tuple[object, ...], list[tuple[Change, Pair | str, str]]] = {}
    for entry in walk.found:
        together.setdefault(entry[0].identity, []).append(entry)
    for group in together.values():
        change = group[0][0]
        places: list[str] = []
        count = 0
        for _, origin, path in group:
            some, number = walk.paths(origin, f"{path}{change.below}", _SHOWN)
            places += [place for place in some if place not in places]
            count += number
        yield diagnostic(change, places, count, old)


def diagnostic(change: Change, places: list[str], count: int, old: State) -> Diagnostic:
    """Returns one finding, with the paths at which it occurs."""
    notes: list[tuple[str, Span | None]] = []
    if len(places) > 1:
        more = count - min(len(places), _SHOWN)
        rest = f" and {more} more" if more > 0 else ""
        notes.append((f"also at {', '.join(places[1:_SHOWN])}{rest}", None))
    before = old.shown(change.old) if change.old else None
    if before is not None and change.new is not None:
        notes.append(("in the old state it is here", before))
    if change.effect:
        notes.append((change.effect, None))
    span = change.new or before or Span(".")
    where = f"{places[0]}: " if places else ""
    return Diagnostic(change.code, change.severity, f"{where}{change.text}", span, change.help, tuple(notes))
