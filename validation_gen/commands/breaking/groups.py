"""Compares two sets of constraints on one value: groups them by path, name and condition.

Two groups with one name differ by constraints that are new, gone, stricter or weaker.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from validation_gen.commands.breaking.constraints import (
    BREAKING,
    DANGEROUS,
    MODES,
    NONE,
    NOT_DECODED,
    PRESERVES,
    SAFE,
    Change,
    Constraint,
    find_effect,
    of_option,
)
from validation_gen.commands.breaking.keywords import RULE, without_implied
from validation_gen.commands.breaking.ranges import IsInteger
from validation_gen.diagnostics import Severity, Span
from validation_gen.ir import Bound, MembershipKind, predicates
from validation_gen.runtime.goregex.pattern import includes

#: Limits by name: True if a greater number is the weaker limit.
LIMITS = {record.constraint: record.bound is Bound.MOST for record in predicates.PREDICATES.values() if record.bound}
MEMBERSHIPS = frozenset(kind.value for kind in MembershipKind)
_DEPENDENCIES = (MembershipKind.DEPENDENT_REQUIRED.value, MembershipKind.DEPENDENT_FORBIDDEN.value)
MERGING = ("x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-map-type")

#: Default merge strategies of lists and maps.
_USUAL = ("atomic", "granular")

_PLAIN = {
    "x-kubernetes-list-type": "listType",
    "x-kubernetes-list-map-keys": "listMapKey",
    "x-kubernetes-map-type": "mapType",
    MembershipKind.EXACTLY_ONE.value: "union",
    MembershipKind.AT_MOST_ONE.value: "zeroOrOneOf",
    MembershipKind.DISCRIMINATED.value: "union",
    MembershipKind.DEPENDENT_REQUIRED.value: "dependentRequired",
    MembershipKind.DEPENDENT_FORBIDDEN.value: "dependentForbidden",
}
_KEEP = "keep it as it was in this version; a new version may differ"
_OLDER = "older clients may not expect what newer ones write"


def _is_of_unknown_type(_: tuple[str, ...]) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class ComparisonContext:
    """Context of a comparison: the declarations, the effect of updates on the value, and known types."""

    old: Span | None
    new: Span | None
    loose: bool = False
    root: bool = False
    is_integer: IsInteger = _is_of_unknown_type

    def effect(self, constraint: Constraint) -> str:
        return find_effect(constraint, loose=self.loose, root=self.root)


def of_group(name: str, old: list[Constraint], new: list[Constraint], site: ComparisonContext) -> Iterator[Change]:
    """Yields the changes between constraints with the same path, name and condition."""
    if old and new and not old[0].enforced and new[0].enforced:
        old = []  # an unenforced rule refused nothing
    elif old and new and old[0].enforced and not new[0].enforced:
        new = []
    if [d.operand for d in old] == [d.operand for d in new]:
        return
    if name in LIMITS:
        yield from _limit(name, old, new, site)
    elif name == predicates.ENUM.constraint:
        yield from _enum(old, new, site)
    elif name == "default":
        yield _default(old, new, site)
    elif name in (PRESERVES, "type"):
        yield _schema_type(name, old, new, site)
    elif name in MERGING or name == predicates.UNIQUE.constraint:
        yield _merging(name, old, new, site)
    elif name in MEMBERSHIPS:
        yield from _memberships(name, old, new, site)
    elif name == predicates.UPDATE_VALUE.constraint:
        yield from _constraints(old, new, site)
    else:
        yield from _others(name, old, new, site)


def _limit(name: str, old: list[Constraint], new: list[Constraint], site: ComparisonContext) -> Iterator[Change]:
    """Compares limits. The strictest of several limits applies."""
    upper = LIMITS[name]
    was, now = _strictest(old, upper=upper), _strictest(new, upper=upper)
    if now is None:
        assert was is not None
        yield _weaker(f"{name}={was.operand} is gone", was, None, site)
    elif was is None:
        yield _stricter(f"{name}={now.operand} is new", None, now, site)
    elif _number(now) != _number(was):
        text = f"{name} is {now.operand}, it was {was.operand}"
        tighter = (_number(now) < _number(was)) == upper
        yield _stricter(text, was, now, site) if tighter else _weaker(text, was, now, site)


def _strictest(constraints: Sequence[Constraint], *, upper: bool) -> Constraint | None:
    return min(constraints, key=lambda d: _number(d) if upper else -_number(d)) if constraints else None


def _number(constraint: Constraint) -> Decimal:
    """Returns the number of a limit exactly, as a float cannot hold large numbers."""
    try:
        number = Decimal(str(constraint.operand))
    except InvalidOperation:
        return Decimal(0)
    return Decimal(0) if number.is_nan() else number


def _enum(old: list[Constraint], new: list[Constraint], site: ComparisonContext) -> Iterator[Change]:
    """Compares enums; several enums on one value allow their intersection."""
    was, now = _values(old), _values(new)
    if was is None or now is None:
        yield from _others(predicates.ENUM.constraint, old, new, site)
        return
    where, before = new[0].span, old[0].span
    for value in sorted(was - now):
        help = "keep the value; rule #1 of Kubernetes' deprecation policy removes it with the next version only"
        effect = site.effect(new[0])
        yield Change(
            "VG707", BREAKING, f"{_render_operand(value)} is no legal value any more", where, before, effect, help
        )
    for value in sorted(now - was):
        effect = f"{NONE}; {_OLDER}"
        yield Change("VG708", DANGEROUS, f"{_render_operand(value)} is a new legal value", where, before, effect)


def _values(constraints: list[Constraint]) -> frozenset[str] | None:
    sets = [frozenset(map(str, d.operand)) for d in constraints if isinstance(d.operand, tuple)]
    return frozenset.intersection(*sets) if sets and len(sets) == len(constraints) else None


def _default(old: list[Constraint], new: list[Constraint], site: ComparisonContext) -> Change:
    if not old:
        text = f"there is a default, {_render_operand(new[0].operand)}"
        return _change("VG712", DANGEROUS, text, old, new, site, "stored objects without the value are read with it")
    if not new:
        text = f"the default {_render_operand(old[0].operand)} is gone"
        effect = "stored objects without the value are read without it, as new ones are"
    else:
        text = f"the default is {_render_operand(new[0].operand)}, it was {_render_operand(old[0].operand)}"
        effect = "objects that were written without the value change their meaning"
    return _change("VG712", BREAKING, text, old, new, site, effect, "change defaults in a new version only")


def _schema_type(name: str, old: list[Constraint], new: list[Constraint], site: ComparisonContext) -> Change:
    """Compares the types that markers set in the schema, in place of the type in Go."""
    if name == PRESERVES and new:
        return _change("VG706", SAFE, "fields that the schema does not know are kept", old, new, site, NONE)
    if name == PRESERVES:
        text = "fields that the schema does not know are dropped, they were kept"
        effect = "stored objects lose such fields when they are read"
        return _change("VG704", BREAKING, text, old, new, site, effect, "describe all fields that are in use first")
    types = [_render_operand(group[0].operand) if group else "that of Go" for group in (new, old)]
    text = f"the type in the schema is {types[0]}, it was {types[1]}"
    return _change("VG704", BREAKING, text, old, new, site, NOT_DECODED)


def _merging(name: str, old: list[Constraint], new: list[Constraint], site: ComparisonContext) -> Change:
    plain = _PLAIN.get(name, name)
    if not old:
        text = f"{plain} is {_render_operand(new[0].operand)}, it was not set"
    elif not new:
        text = f"{plain} is not set any more, it was {_render_operand(old[0].operand)}"
    else:
        text = f"{plain} is {_render_operand(new[0].operand)}, it was {_render_operand(old[0].operand)}"
    if name == predicates.UNIQUE.constraint and not new:
        return _change("VG706", SAFE, "items need not be unique any more", old, new, site, NONE)
    if name == predicates.UNIQUE.constraint:
        text = "items must be unique, by another key" if old else "items must be unique"
    kinds = [d.operand for d in (*old, *new)]
    if name != predicates.UNIQUE.constraint and (not old or not new) and kinds[0] in _USUAL:
        return _change("VG709", SAFE, text, old, new, site, NONE)
    effect = site.effect(new[0]) if new else NONE
    if name != predicates.UNIQUE.constraint:
        effect = f"owners of parts of the value, as server-side apply keeps them, change; {effect}"
    return _change("VG709", BREAKING, text, old, new, site, effect)


def _memberships(name: str, old: list[Constraint], new: list[Constraint], site: ComparisonContext) -> Iterator[Change]:
    """Compares unions by their members: two that share a member are the same union."""
    plain = _PLAIN[name]
    left = list(old)
    for constraint in new:
        if constraint.operand in [d.operand for d in left]:
            left = [d for d in left if d.operand != constraint.operand]
    known = [d.operand for d in old]
    for constraint in (d for d in new if d.operand not in known):
        twin = None
        if name not in _DEPENDENCIES:
            twin = next((d for d in left if _members(d) & _members(constraint)), None)
        if twin is None:
            text = f"{plain} of {', '.join(sorted(_members(constraint)))} is new"
            yield _change("VG710", BREAKING, text, [], [constraint], site, site.effect(constraint))
            continue
        left.remove(twin)
        more, less = _members(constraint) - _members(twin), _members(twin) - _members(constraint)
        if less:
            text = f"{', '.join(sorted(less))} is no member of the {plain} any more"
            yield _change("VG710", BREAKING, text, [twin], [constraint], site, site.effect(constraint))
        if more:
            text = f"{', '.join(sorted(more))} is a new member of the {plain}"
            yield _change("VG710", DANGEROUS, text, [twin], [constraint], site, f"{NONE}; {_OLDER}")
        if not more and not less:
            text = f"the members of the {plain} are selected by other values"
            yield _change("VG710", BREAKING, text, [twin], [constraint], site, site.effect(constraint))
    for constraint in left:
        text = f"{plain} of {', '.join(sorted(_members(constraint)))} is gone"
        yield _change("VG706", SAFE, text, [constraint], [], site, f"{NONE}; {_OLDER}")


def _members(constraint: Constraint) -> frozenset[str]:
    members = constraint.operand[0] if isinstance(constraint.operand, tuple) else ()
    return frozenset(f"`{name}`" for name, _ in members)


def _constraints(old: list[Constraint], new: list[Constraint], site: ComparisonContext) -> Iterator[Change]:
    was, now = _values(old) or frozenset(), _values(new) or frozenset()
    for constraint in sorted(now - was):
        text = f"update={constraint} is new"
        yield _change("VG711", BREAKING, text, old, new, site, site.effect(new[0]))
    for constraint in sorted(was - now):
        yield _change("VG706", SAFE, f"update={constraint} is gone", old, new, site, f"{NONE}; {_OLDER}")


def _others(name: str, old: list[Constraint], new: list[Constraint], site: ComparisonContext) -> Iterator[Change]:
    """Compares rules whose operands have no order. A new operand is stricter unless an old one implies it."""
    known = [d.operand for d in old]
    fresh = [d for d in new if d.operand not in known]
    weaker = {id(d): was for d in fresh for was in old if _follows(name, d.operand, was.operand)}
    gone = [d for d in old if d.operand not in [n.operand for n in new]]
    for i, constraint in enumerate(fresh):
        if i < len(gone) and len(fresh) == len(gone) == 1:
            text = f"{_describe_constraint(name, constraint)}, it was {_render_operand(gone[0].operand)}"
            change = _weaker if id(constraint) in weaker else _stricter
            yield change(text, gone[0], constraint, site)
        elif id(constraint) in weaker:
            yield _weaker(f"{_named(name, constraint)} is new, and follows", weaker[id(constraint)], constraint, site)
        else:
            yield _stricter(f"{_named(name, constraint)} is new", None, constraint, site)
    if len(fresh) == len(gone) == 1:
        return
    for constraint in gone:
        yield _weaker(f"{_named(name, constraint)} is gone", constraint, None, site)


def _follows(name: str, new: object, old: object) -> bool:
    """Returns whether a new operand admits all values that an old one admits."""
    if name == "pattern" and isinstance(new, str) and isinstance(old, str):
        return includes(new, old)
    if name == "multipleOf":
        step, before = _exact(new), _exact(old)
        return step is not None and step != 0 and before is not None and before % step == 0
    return False


def _exact(number: object) -> Fraction | None:
    """Returns a number exactly as written, `None` for other values."""
    if isinstance(number, float):
        return Fraction(str(number)) if math.isfinite(number) else None
    return Fraction(number) if isinstance(number, int) else None


def _named(name: str, constraint: Constraint) -> str:
    if name == MODES and isinstance(constraint.operand, tuple):
        discriminator, modes = constraint.operand
        return f"that it is set only while `{discriminator}` is {' or '.join(modes)}"
    return name if constraint.operand in (None, ()) else f"{name} {_render_operand(constraint.operand)}"


def _describe_constraint(name: str, constraint: Constraint) -> str:
    return _named(name, constraint) if name == MODES else f"{name} is {_render_operand(constraint.operand)}"


def _stricter(text: str, was: Constraint | None, now: Constraint, site: ComparisonContext) -> Change:
    code = "VG711" if now.on_update else "VG705"
    what = "client makes such updates" if now.on_update else "object breaks the new one"
    help = f"keep the old rule in this version, or be sure that no {what}"
    return Change(
        code, BREAKING, text, now.span or site.new, (was.span if was else None) or site.old, site.effect(now), help
    )


def _weaker(text: str, was: Constraint, now: Constraint | None, site: ComparisonContext) -> Change:
    new = (now.span if now else None) or site.new
    return Change("VG706", SAFE, text, new, was.span or site.old, f"{NONE}; {_OLDER}")


def _change(
    code: str,
    severity: Severity,
    text: str,
    old: list[Constraint],
    new: list[Constraint],
    site: ComparisonContext,
    effect: str,
    help: str = "",
) -> Change:
    where = (new[0].span if new else None) or site.new
    help = help or (_KEEP if severity is BREAKING else "")
    return Change(code, severity, text, where, (old[0].span if old else None) or site.old, effect, help)


def _render_operand(operand: object) -> str:
    """Renders an operand for a message, shortened."""
    if isinstance(operand, str):
        text = operand if operand[:1] in ("{", "[", '"') else json.dumps(operand, ensure_ascii=False)
    elif isinstance(operand, bool):
        text = str(operand).lower()
    elif isinstance(operand, tuple):
        text = ", ".join(map(_render_operand, operand))
    elif isinstance(operand, int | float):
        text = str(operand)
    else:
        text = getattr(operand, "name", "") or str(operand)
    return text if len(text) <= 80 else f"{text[:79]}…"


__all__ = ["PRESENCE", "ComparisonContext", "differences"]

#: Demands that `differences` skips: presence belongs to the field, not to its value.
PRESENCE = (predicates.REQUIRED.constraint, predicates.UNSET.constraint)

_LIST, _KEYS = MERGING[:2]


def differences(old: Iterable[Constraint], new: Iterable[Constraint], site: ComparisonContext) -> Iterator[Change]:
    """Compares the constraints on one value, except those about its presence."""
    before, after = _grouped(old), _grouped(new)
    merged = {path for path, name, _ in before.keys() | after.keys() if _merges_otherwise(path, before, after)}
    for key in sorted(before.keys() | after.keys()):
        path, name, condition = key
        if name in PRESENCE or (path in merged and name in (predicates.UNIQUE.constraint, _KEYS)):
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


_Groups = dict[tuple[tuple[str, ...], str, str], list[Constraint]]


def _merges_otherwise(path: tuple[str, ...], old: _Groups, new: _Groups) -> bool:
    """Returns whether the list type changes, which already covers the keys and the uniqueness of its items."""
    was, now = ([d.operand for d in groups.get((path, _LIST, ""), [])] for groups in (old, new))
    return was != now


def _grouped(constraints: Iterable[Constraint]) -> _Groups:
    """Groups constraints and drops duplicates. Unenforced constraints count only in groups without enforced ones."""
    found: _Groups = {}
    for constraint in sorted(constraints, key=lambda d: (d.marker, str(d.span or ""), repr(d.operand))):
        group = found.setdefault((constraint.path, constraint.name, constraint.condition), [])
        if all(constraint.operand != known.operand or constraint.enforced != known.enforced for known in group):
            group.append(constraint)
    for key, group in found.items():
        if any(d.enforced for d in group):
            found[key] = [d for d in group if d.enforced]
    return found
