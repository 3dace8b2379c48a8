"""Compares two sets of demands on one value: groups them by path, name and condition, and compares each group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from validation_gen.commands.breaking.changes import BREAKING, DANGEROUS, SAFE, Change
from validation_gen.commands.breaking.demands import Demand, of_option
from validation_gen.commands.breaking.groups import MERGING, Site, of_group
from validation_gen.commands.breaking.keywords import RULE, without_implied
from validation_gen.ir import predicates

__all__ = ["PRESENCE", "Site", "differences"]

#: Demands that `differences` skips: presence belongs to the field, not to its value.
PRESENCE = (predicates.REQUIRED.demand, predicates.UNSET.demand)

_LIST, _KEYS = MERGING[:2]


def differences(old: Iterable[Demand], new: Iterable[Demand], site: Site) -> Iterator[Change]:
    """Compares the demands on one value, except those about its presence."""
    before, after = _grouped(old), _grouped(new)
    merged = {path for path, name, _ in before.keys() | after.keys() if _merges_otherwise(path, before, after)}
    for key in sorted(before.keys() | after.keys()):
        path, name, condition = key
        if name in PRESENCE or (path in merged and name in (predicates.UNIQUE.demand, _KEYS)):
            continue
        was, now = before.get(key, []), after.get(key, [])
        if name == RULE:
            was, now = without_implied(was, now, site.is_integer)
        for change in of_group(name, was, now, site):
            when = f" {condition}" if condition else ""
            severity = change.severity
            if severity is BREAKING and of_option(condition):
                severity = DANGEROUS  # it depends on an option, such as a feature gate
            if severity is not SAFE and not any(d.enforced for d in now) and not any(d.enforced for d in was):
                severity, when = SAFE, f"{when} (on trial)"
            yield replace(change, severity=severity, text=f"{change.text}{when}", below="".join(path))


_Groups = dict[tuple[tuple[str, ...], str, str], list[Demand]]


def _merges_otherwise(path: tuple[str, ...], old: _Groups, new: _Groups) -> bool:
    """Returns whether the list type changes, which already covers the keys and the uniqueness of its items."""
    was, now = ([d.operand for d in groups.get((path, _LIST, ""), [])] for groups in (old, new))
    return was != now


def _grouped(demands: Iterable[Demand]) -> _Groups:
    """Groups demands and drops duplicates. Unenforced demands count only in groups without enforced ones."""
    found: _Groups = {}
    for demand in sorted(demands, key=lambda d: (d.marker, str(d.span or ""), repr(d.operand))):
        group = found.setdefault((demand.path, demand.name, demand.condition), [])
        if all(demand.operand != known.operand or demand.enforced != known.enforced for known in group):
            group.append(demand)
    for key, group in found.items():
        if any(d.enforced for d in group):
            found[key] = [d for d in group if d.enforced]
    return found
