"""What becomes of stored objects: which updates look at a rule that they break.

Validators look at a value on update only if it has changed (ratcheting), and what has to change follows from where the
check stands: `Demand.beyond`. What API servers do with the schemas of definitions is in Kubernetes' documentation of
CustomResourceDefinitions, "Validation ratcheting": it leaves out `required`, rules that see the old value, and what
says how lists merge.
"""

from __future__ import annotations

from validation_gen.uses.breaking.demands import EACH, KEY, Demand

NOT_DECODED = "stored objects with a value that does not fit the new type cannot be decoded"
DROPPED = "stored objects stay valid; the value is dropped when they are written the next time"
NONE = "stored objects stay valid"

_UNRATCHETED = ("required", "x-kubernetes-list-type", "x-kubernetes-list-map-keys")


def of_demand(demand: Demand, *, loose: bool, root: bool) -> str:
    """Tells what happens to stored objects that break a new demand.

    Args:
        demand: the demand as the new state has it.
        loose: the value is inside a list whose items have no old value, so that any change of the list makes them new.
        root: the demanded value is the object as a whole.
    """
    if demand.marker:
        return _of_marker(demand, loose=loose)
    if demand.on_update:
        return f"{NONE}; updates that change the value are refused"
    if demand.beyond < 0 or (root and demand.beyond == 0):
        if demand.kept:
            return "stored objects that break it stay valid until an update changes which of the members are set"
        return "not ratcheted: any update of a stored object that breaks it is refused"
    if demand.kept:
        return "stored objects that break it stay valid until an update changes which of the members are set"
    return f"stored objects that break it stay valid until {_changing(demand, loose=loose)} changes"


def _changing(demand: Demand, *, loose: bool) -> str:
    """What an update has to change so that a demand is looked at."""
    if loose or (demand.beyond and demand.path[-1:] == (EACH,)):
        return "anything in the list around it"
    if demand.beyond:
        return "anything in the value around it"
    if demand.path[-1:] == (KEY,):
        return "its key"
    return "this value"


def _of_marker(demand: Demand, *, loose: bool) -> str:
    if demand.name in _UNRATCHETED:
        return "not ratcheted: any update of a stored object that breaks it is refused"
    if demand.on_update:
        return f"{NONE}; updates that break it are refused"
    what = "anything in the list around it" if loose else "this value"
    return f"stored objects that break it stay valid until {what} changes (API servers from 1.30 on)"
