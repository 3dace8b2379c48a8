"""Reading both states: the same settings, other paths."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from validation_gen.breaking.revisions import OldState
from validation_gen.breaking.views import Surface
from validation_gen.diagnostics import Diagnostics, Severity, Span
from validation_gen.ir import Program
from validation_gen.model import Universe
from validation_gen.pipeline import build_program
from validation_gen.settings import Settings


@dataclass(frozen=True, slots=True)
class State:
    """One state of the sources. `shown` gives a place in it as people know it."""

    surface: Surface
    universe: Universe
    shown: Callable[[Span], Span] = field(default=lambda span: span)

    @property
    def program(self) -> Program:
        return self.surface.program


def read_new(settings: Settings, diagnostics: Diagnostics, progress: Callable[[str], None]) -> State:
    """The state on disk. Errors in it are told; what is merely unwise is for other commands."""
    result = build_program(replace(settings, every_kind=True), progress)
    for finding in result.diagnostics.items:
        if finding.severity is Severity.ERROR:
            diagnostics.add(finding)
    if not result.diagnostics.has_errors and not any(p.input for p in result.program.packages.values()):
        help = "name a directory with API types"
        diagnostics.warning("VG902", "there are no API types here", Span(settings.paths[0]), help)
    return State(Surface(result.program), result.universe)


def read_old(old: OldState, settings: Settings, diagnostics: Diagnostics, progress: Callable[[str], None]) -> State:
    """The state to compare with. Its errors are told in one sentence, since nobody can mend them."""
    if not old.paths:
        return State(Surface(Program()), Universe(), old.shown)
    wanted = replace(settings, paths=old.paths, modules=old.modules, every_kind=True)
    result = build_program(wanted, progress)
    errors = [d for d in result.diagnostics.sorted() if d.severity is Severity.ERROR]
    if errors:
        first = replace(errors[0], span=old.shown(errors[0].span))
        count = f"{len(errors)} errors" if len(errors) > 1 else "an error"
        message = f"the old state has {count}, so not all of it is compared: {first.message}"
        diagnostics.warning("VG716", message, first.span, "name a later state, in which they are mended")
    return State(Surface(result.program), result.universe, old.shown)
