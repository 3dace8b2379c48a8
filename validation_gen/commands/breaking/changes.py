"""Changes between two states, with those that sources and definitions have in common, and effects on stored objects.

The effect of a change is: which updates check a rule that stored objects break. Validators check a value on update only
if it has changed (ratcheting). `Constraint.beyond` gives the value that has to change. Kubernetes' documentation of
CustomResourceDefinitions, "Validation ratcheting", describes API servers with schemas of definitions: it exempts
`required`, rules that see the old value, and the keywords for merging lists.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from validation_gen.commands.breaking.constraints import EACH, KEY, MEMBERSHIPS, Constraint
from validation_gen.diagnostics import Severity, Span

BREAKING, DANGEROUS, SAFE = Severity.ERROR, Severity.WARNING, Severity.INFO


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two states, without the paths at which it occurs.

    `text` describes the difference, `effect` its effect on stored objects. `new` and `old` are locations in both
    states; for a removed part, `new` is the location of the element around it. `below` is a path relative to the
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

    def refused(self, refusal: str) -> Change:
        """Returns a new default as breaking: the rule that `refusal` describes may refuse objects with it."""
        help = "leave the default out, or be sure that no object breaks the rule with it"
        text = f"{self.text}: {refusal} may refuse objects that leave the value out"
        return replace(self, severity=BREAKING, text=text, help=help)

    @property
    def identity(self) -> tuple[object, ...]:
        """Key that is the same for every occurrence of the change."""
        return self.code, self.severity, self.text, self.new, self.old, self.below


NOT_DECODED = "stored objects with a value that does not fit the new type cannot be decoded"
DROPPED = "stored objects stay valid; the value is dropped when they are written the next time"
NONE = "stored objects stay valid"
#: Rule #1 of the policy, which the help of removals cites.
REMOVAL = "rule #1 of Kubernetes' deprecation policy"
NOT_READ = "older clients may not be able to decode what newer ones write"


def change_type(new: str, old: str, now: Span | None, was: Span | None, *, is_wider: bool) -> Change:
    """Returns the change of the type of a value."""
    text = f"the type is {new}, it was {old}"
    if is_wider:
        return Change("VG704", DANGEROUS, text, now, was, f"{NONE}; {NOT_READ}")
    return Change("VG704", BREAKING, text, now, was, NOT_DECODED, "keep the type, and add a field with the new one")


def remove_field(name: str, twin: str, now: Span | None, was: Span | None) -> Change:
    """Returns the change of a field that is gone. `twin` is a new field that may be the renamed one, or empty."""
    text, help = "the field is gone", f"keep the field; {REMOVAL}"
    if twin:
        text, help = f"the field is gone; `{twin}` looks like its new name", f"keep `{name}` beside `{twin}`; {REMOVAL}"
    return Change("VG702", BREAKING, text, now, was, DROPPED, help)


def add_field(now: Span | None, was: Span | None, *, has_default: bool = False) -> Change:
    """Returns the change of a new field that need not be set."""
    if has_default:
        effect = "stored objects without the value are read with it"
        return Change("VG712", SAFE, "the field is new, and has a default", now, was, effect)
    return Change("VG715", SAFE, "the field is new", now, was, f"{NONE}; older clients drop it")


_AT_ONCE = "not ratcheted: any update of a stored object that breaks it is refused"
_UNRATCHETED = ("required", "x-kubernetes-list-type", "x-kubernetes-list-map-keys")


def find_effect(constraint: Constraint, *, loose: bool, root: bool) -> str:
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
    if constraint.name in MEMBERSHIPS:
        return "stored objects that break it stay valid until an update changes which of the members are set"
    if constraint.beyond < 0 or (root and constraint.beyond == 0):
        return _AT_ONCE
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
        return _AT_ONCE
    if constraint.on_update:
        return f"{NONE}; updates that break it are refused"
    what = "anything in the list around it" if loose else "this value"
    return f"stored objects that break it stay valid until {what} changes (API servers from 1.30 on)"
