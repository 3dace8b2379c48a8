"""Differences that a comparison finds, and their effects on stored objects.

An effect is: which updates check a rule that stored objects break. Validators check a value on update only if it has
changed (ratcheting). `Demand.beyond` gives the value that has to change. Kubernetes' documentation of
CustomResourceDefinitions, "Validation ratcheting", describes API servers with schemas of definitions: it exempts
`required`, rules that see the old value, and the keywords for merging lists.
"""

from __future__ import annotations

from dataclasses import dataclass

from validation_gen.commands.breaking.constraints import EACH, KEY, Constraint
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


NOT_DECODED = "stored objects with a value that does not fit the new type cannot be decoded"
DROPPED = "stored objects stay valid; the value is dropped when they are written the next time"
NONE = "stored objects stay valid"

_UNRATCHETED = ("required", "x-kubernetes-list-type", "x-kubernetes-list-map-keys")


def of_constraint(constraint: Constraint, *, loose: bool, root: bool) -> str:
    """Describes the effect of a new constraint on stored objects that break it.

    Args:
        constraint: the constraint as the new state has it.
        loose: the value is inside a list whose items have no old value, so that any change of the list makes them
            new.
        root: the constrained value is the object as a whole.
    """
    if constraint.marker:
        return _of_marker(constraint, loose=loose)
    if constraint.on_update:
        return f"{NONE}; updates that change the value are refused"
    if constraint.beyond < 0 or (root and constraint.beyond == 0):
        if constraint.kept:
            return "stored objects that break it stay valid until an update changes which of the members are set"
        return "not ratcheted: any update of a stored object that breaks it is refused"
    if constraint.kept:
        return "stored objects that break it stay valid until an update changes which of the members are set"
    return f"stored objects that break it stay valid until {_changing(constraint, loose=loose)} changes"


def _changing(constraint: Constraint, *, loose: bool) -> str:
    """Names the value that an update has to change before a constraint is checked."""
    if loose or (constraint.beyond and constraint.path[-1:] == (EACH,)):
        return "anything in the list around it"
    if constraint.beyond:
        return "anything in the value around it"
    if constraint.path[-1:] == (KEY,):
        return "its key"
    return "this value"


def _of_marker(constraint: Constraint, *, loose: bool) -> str:
    if constraint.name in _UNRATCHETED:
        return "not ratcheted: any update of a stored object that breaks it is refused"
    if constraint.on_update:
        return f"{NONE}; updates that break it are refused"
    what = "anything in the list around it" if loose else "this value"
    return f"stored objects that break it stay valid until {what} changes (API servers from 1.30 on)"
