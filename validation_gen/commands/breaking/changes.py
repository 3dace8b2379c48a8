"""Differences that a comparison finds."""

from __future__ import annotations

from dataclasses import dataclass

from validation_gen.diagnostics import Severity, Span

BREAKING, DANGEROUS, SAFE = Severity.ERROR, Severity.WARNING, Severity.INFO


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two states, without the paths at which it occurs.

    `text` describes the difference, `effect` its effect on stored objects. `new` is the location in the new state, or
    of the element where something is missing; `old` is the location in the old state. `below` is a path relative to the
    location of the change.
    """

    code: str
    severity: Severity
    text: str
    new: Span | None = None
    old: Span | None = None
    effect: str = ""
    help: str = ""
    below: str = ""

    @property
    def identity(self) -> tuple[object, ...]:
        """Key that is the same for every occurrence of the change."""
        return self.code, self.severity, self.text, self.new, self.old, self.below
