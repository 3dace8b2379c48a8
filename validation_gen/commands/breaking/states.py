"""Reads both states with the same settings and different paths."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from validation_gen.commands.breaking.views import Surface
from validation_gen.commands.revisions import OldState
from validation_gen.compiler.pipeline import lower, read
from validation_gen.compiler.settings import Settings
from validation_gen.diagnostics import Diagnostics, Severity, Span
from validation_gen.diagnostics.levels import fail_for_slip
from validation_gen.files.paths import is_manifest
from validation_gen.files.tree import Tree
from validation_gen.ir import Program
from validation_gen.sources.model import Universe

if TYPE_CHECKING:
    from validation_gen.commands.breaking.defined import Defined

#: Errors after which so much is missing that everything would look removed.
UNREADABLE = ("VG101", "VG901", "VG902", "VG904")


@dataclass(frozen=True, slots=True)
class State:
    """One state of the sources. `shown` maps a location to the path that messages show."""

    surface: Surface
    universe: Universe
    #: Definitions by the ids of their types.
    defined: Mapping[str, Defined] = field(default_factory=dict)
    shown: Callable[[Span], Span] = field(default=lambda span: span)

    @property
    def program(self) -> Program:
        return self.surface.program


def read_new(settings: Settings, diagnostics: Diagnostics, progress: Callable[[str], None]) -> State:
    """Reads the state on disk. Lint findings are left to other commands."""
    state, found = _read(settings, progress, lambda span: span)
    _tell(found, diagnostics, "new", state.shown)
    if not found.has_errors and not any(p.input for p in state.program.packages.values()):
        help = "name a directory with API types"
        place = Span((*settings.paths, *settings.definitions)[0])
        diagnostics.warning("VG902", "there are no API types here", place, help)
    return state


def read_old(old: OldState, settings: Settings, diagnostics: Diagnostics, progress: Callable[[str], None]) -> State:
    """Reads the state to compare with."""
    there = replace(settings, paths=old.paths, definitions=old.manifests, modules=old.modules)
    state, found = _read(there, progress, old.shown, old.tree)
    _tell(found, diagnostics, "old", old.shown)
    return state


def _read(
    settings: Settings, progress: Callable[[str], None], shown: Callable[[Span], Span], tree: Tree | None = None
) -> tuple[State, Diagnostics]:
    """Reads a state with all its kinds; returns it with its diagnostics."""
    wanted, found = replace(settings, every_kind=True), Diagnostics()
    program, universe = Program(), Universe()
    if wanted.paths:
        sources = read(wanted, found, progress)
        program, universe = lower(sources, wanted, found, progress), sources.universe
    defined: Mapping[str, Defined] = {}
    if wanted.definitions:
        from validation_gen.commands.breaking.defined import add_definitions  # noqa: PLC0415 - it brings YAML and the checker

        progress("reading definitions")
        defined = add_definitions(program, wanted.definitions, tree, found)
    found.amend(fail_for_slip)
    return State(Surface(program), universe, defined, shown), found


def _tell(found: Diagnostics, diagnostics: Diagnostics, state: str, shown: Callable[[Span], Span]) -> None:
    """Reports the problems of a state: unreadable files of the new one, and the number of all other errors.

    Rules with errors are in neither state, so the types that have them are not compared.
    """
    errors = [d for d in found.sorted() if d.severity is Severity.ERROR]
    hard = [d for d in errors if d.code in UNREADABLE and state == "new"]
    for finding in hard:
        diagnostics.add(finding)
    soft = [d for d in errors if d not in hard]
    if soft and not hard:
        count = f"{len(soft)} errors" if len(soft) > 1 else "an error"
        message = f"the {state} state has {count}, so not all of it is compared: {soft[0].message}"
        command = "crd check" if is_manifest(soft[0].span.file) else "generate"
        help = f"`validation-gen {command}` tells all of them" if state == "new" else "name a state without errors"
        # Skipped parts of the new state may hide a breaking change; an unreadable old file hides all its contents.
        if state == "new" or any(d.code in ("VG101", "VG901", "VG902", "VG905") for d in soft):
            diagnostics.error("VG716", message, shown(soft[0].span), help)
        else:
            diagnostics.warning("VG716", message, shown(soft[0].span), help)
