"""What a comparison finds, before it is told to anybody."""

from __future__ import annotations

from dataclasses import dataclass

from validation_gen.diagnostics import Severity, Span

BREAKING, DANGEROUS, SAFE = Severity.ERROR, Severity.WARNING, Severity.INFO


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two states, apart from the paths at which it is met.

    `text` says what is different, `effect` what becomes of stored objects. `new` is where it stands in the new state,
    or where something is missing there; `old` is where it stood. `below` is a path from the place of the change on.
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
        """What is the same wherever the change is met."""
        return self.code, self.severity, self.text, self.new, self.old, self.below
