"""Rewrites markers of controller-gen as tags, where it is proved that nothing changes.

All markers are tried at once, and after a failure part by part. `comment_sites` finds the comments, `rewriting` finds a
tag for a marker, `objects` builds definitions and validators of sources, and `proof` compares two of these. Nothing
here writes a file or prints.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from validation_gen.commands.fix.files import Bar, KeptError, SourceFile, StaleError, apply_edits, read_source
from validation_gen.commands.migrate.comment_sites import places
from validation_gen.commands.migrate.objects import State, build_state
from validation_gen.commands.migrate.proof import Prover, Trial, Verdict
from validation_gen.commands.migrate.rewriting import KeptMarker, Rewriting, Unit
from validation_gen.compiler.pipeline import refuse_nothing
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostic, Diagnostics, Edit, Severity
from validation_gen.rules.markers.reader import MarkerReader
from validation_gen.runtime.words import counted
from validation_gen.sources.languages import GO
from validation_gen.sources.typesystem import TypeSystem
from validation_gen.sources.wellknown import wire_format

CODE = "VG552"
#: Each trial reads the sources twice.
_MOST_TRIALS = 40
_UNTRIED = "there were too many trials: name fewer directories"


@dataclass(slots=True)
class Migration:
    """The new files, the number of rewritten markers, and the markers that stay, each with its reason."""

    files: dict[str, SourceFile] = field(default_factory=dict)
    migrated: int = 0
    kept: list[Diagnostic] = field(default_factory=list)
    diagnostics: Diagnostics = field(default_factory=Diagnostics)


def migrate(
    settings: Settings,
    *,
    zeros: bool = False,
    trees: Sequence[str] = (),
    bar: Bar = lambda path: "",
    progress: Callable[[str], None] = lambda text: None,
) -> Migration:
    """Rewrites the sources in memory. Writes nothing. `trees` and `bar` are those of `fix.mend`."""
    progress("reading")
    before = build_state(settings, {})
    rewriting = Rewriting(TypeSystem(before.sources.universe, wire_format), zeros)
    migration = Migration()
    for finding in before.errors:
        migration.diagnostics.add(finding)
    for package in before.sources.universe.inputs:
        if not package.broken:
            rewriting.add(list(places(package, MarkerReader(Diagnostics()))))
    migrating = _Migrating(settings, before, rewriting, trees, bar, progress)
    accepted = migrating.run()
    refuse_nothing(before.sources, settings, migration.diagnostics)
    migration.files = migrating.files_with(accepted)
    migration.migrated = sum(len(unit.raws) for unit in accepted)
    migration.kept = [_finding(kept) for kept in sorted(rewriting.kept, key=lambda kept: kept.span)]
    return migration


@dataclass(slots=True)
class _Migrating:
    settings: Settings
    before: State
    rewriting: Rewriting
    trees: Sequence[str]
    bar: Bar
    progress: Callable[[str], None]
    files: dict[str, SourceFile] = field(default_factory=dict)
    trials: int = 0
    reasons: dict[Unit, str] = field(default_factory=dict)

    def run(self) -> tuple[Unit, ...]:
        names = {unit: unit.edits[0].span.file for unit in self.rewriting.units}
        problems = {name: self._problem(name) for name in dict.fromkeys(names.values())}
        self.reasons = {unit: problems[name] for unit, name in names.items() if problems[name]}
        open_units = tuple(unit for unit in names if unit not in self.reasons)
        accepted, unproved = self._best((), open_units)
        # A suspect of a shared difference may be innocent.
        sure = frozenset(accepted)
        doubted = tuple(unit for unit in open_units if unit not in sure and unit in self.reasons)
        if accepted and doubted and len(doubted) < len(open_units):
            reasons = dict(self.reasons)
            accepted, unproved = self._best(accepted, doubted)
            self.reasons = {unit: reasons.get(unit, reason) for unit, reason in self.reasons.items()}
        accepted = self._proved(accepted, unproved)
        sure = frozenset(accepted)
        for unit in self.rewriting.units:
            if unit not in sure:
                for raw in unit.raws:
                    if raw.name.startswith("kubebuilder:") or unit in self.reasons:
                        self.rewriting.keep(raw, self.reasons.get(unit, _UNTRIED))
        return accepted

    def _proved(self, accepted: tuple[Unit, ...], unproved: dict[Unit, str]) -> tuple[Unit, ...]:
        """Returns the proved units, and the plain lines beside them; the rest is tried again."""
        left = tuple(unit for unit in accepted if unit not in unproved)
        self.reasons |= unproved
        changing = {unit.place for unit in left if not _is_plain(unit)}
        self.rewriting.typed = {place.id for place in changing if not place.is_field}
        left = tuple(
            unit
            for unit in left
            if not _is_plain(unit) or unit.place in changing or self.rewriting.is_typed(unit.place)
        )
        if left == accepted or not left:
            return left
        verdict = self._judge(left)
        if verdict.good:
            return left
        for unit in left:
            self.reasons.setdefault(unit, "the parts of it that are proved do not stand alone")
        return ()

    # --- trials -----------------------------------------------------------------------------------------------------

    def _best(self, sure: tuple[Unit, ...], units: tuple[Unit, ...]) -> tuple[tuple[Unit, ...], dict[Unit, str]]:
        """Returns the largest harmless part of the units together with the known harmless ones."""
        if not units or self.trials >= _MOST_TRIALS:
            return sure, {}
        verdict = self._judge((*sure, *units))
        if verdict.good:
            for unit in units:
                self.reasons.pop(unit, None)
            return (*sure, *units), verdict.unproved
        tried = frozenset(units)
        guilty = {unit: reason for unit, reason in verdict.suspects.items() if unit in tried}
        self.reasons |= guilty
        rest = tuple(unit for unit in units if unit not in guilty)
        if guilty and (rest or len(units) == 1):
            return self._best(sure, rest) if rest or not sure else (sure, self._judge(sure).unproved)
        if len(units) == 1:
            self.reasons[units[0]] = verdict.vague or next(iter(verdict.suspects.values()))
            return sure, {}
        half = len(units) // 2
        first, unproved = self._best(sure, units[:half])
        second, more = self._best(first, units[half:])
        return second, more or unproved

    def _judge(self, units: Sequence[Unit]) -> Verdict:
        self.trials += 1
        self.progress(f"trying {counted(len(units), 'change')}")
        try:
            after, removed = self._contents(units, [edit for unit in units for edit in unit.edits])
            rest, _ = self._contents(units, [edit for unit in units for edit in unit.removal])
        except StaleError:
            return Verdict(vague="its file has changed while it was read; run again")
        lines = {}
        for unit in units:
            for file, line in unit.lines:
                lines[file, line - bisect_left(removed.get(file, ()), line)] = unit
        prover = Prover(self.settings, self.before, self.rewriting.zeros)
        return prover.judge(Trial(units, after, rest, lines))

    def _contents(self, units: Sequence[Unit], edits: Iterable[Edit]) -> tuple[dict[str, bytes], dict[str, list[int]]]:
        by_file: dict[str, list[Edit]] = {}
        for edit in edits:
            by_file.setdefault(edit.span.file, []).append(edit)
        contents, removed = {}, {}
        for name, those in by_file.items():
            contents[self.files[name].path], removed[name] = apply_edits(self.files[name].old, those, name)
        return contents, removed

    def files_with(self, units: Sequence[Unit]) -> dict[str, SourceFile]:
        """Returns the files that some units change, with these changes."""
        contents, _ = self._contents(units, [edit for unit in units for edit in unit.edits])
        changed = {name: file for name, file in self.files.items() if file.path in contents}
        return {name: replace(file, new=contents[file.path]) for name, file in changed.items()}

    # --- files ------------------------------------------------------------------------------------------------------

    def _problem(self, name: str) -> str:
        """Reads a file, or returns the reason why it stays unchanged."""
        if not GO.has(name):
            return "only Go files are rewritten"
        if "vendor" in name.split("/")[:-1]:
            return "the file is a copy of a foreign one"
        if any(finding.span.file == name and finding.code == "VG101" for finding in self.before.errors):
            return "the file has a syntax error"
        try:
            self.files[name] = read_source(name, self.trees, self.bar)
        except KeptError as problem:
            return f"the file stays as it is: {problem}"
        return ""


def _is_plain(unit: Unit) -> bool:
    """Returns whether a unit is about `+optional` alone, which changes only together with others."""
    return all(raw.text == "optional" for raw in unit.raws)


def _finding(kept: KeptMarker) -> Diagnostic:
    return Diagnostic(CODE, Severity.INFO, f"kept: +{kept.name}: {kept.reason}", kept.span)


__all__ = ["Migration", "migrate"]
