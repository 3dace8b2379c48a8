"""Compares two sets of constraints on one value: groups them by path, name and condition.

Two groups with one name differ by constraints that are new, gone, stricter or weaker.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation

from validation_gen.commands.breaking.changes import BREAKING, DANGEROUS, NONE, NOT_DECODED, SAFE, Change, find_effect
from validation_gen.commands.breaking.constraints import (
    MEMBERSHIPS,
    MODES,
    PRESERVES,
    Constraint,
    describe,
    of_option,
    render_operand,
)
from validation_gen.commands.breaking.keywords import RULE, follows_from, without_implied
from validation_gen.commands.breaking.ranges import IsInteger
from validation_gen.diagnostics import Severity, Span
from validation_gen.ir import Bound, MembershipKind, predicates

#: Limits by name: True if a greater number is the weaker limit.
LIMITS = {record.constraint: record.bound is Bound.MOST for record in predicates.PREDICATES.values() if record.bound}
_DEPENDENCIES = (MembershipKind.DEPENDENT_REQUIRED.value, MembershipKind.DEPENDENT_FORBIDDEN.value)
_LIST, _KEYS = "x-kubernetes-list-type", "x-kubernetes-list-map-keys"
_MERGING = (_LIST, _KEYS, "x-kubernetes-map-type")
#: Constraints that `differences` skips: presence belongs to the field, not to its value.
_PRESENCE = (predicates.REQUIRED.constraint, predicates.UNSET.constraint)

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


@dataclass(frozen=True, slots=True)
class Group:
    """Constraints of both states with the same path, name and condition."""

    name: str
    old: list[Constraint]
    new: list[Constraint]
    site: ComparisonContext

    def changes(self) -> Iterator[Change]:
        """Yields the changes between the constraints."""
        name, old, new = self.name, self.old, self.new
        if old and new and not old[0].enforced and new[0].enforced:
            yield from Group(name, [], new, self.site).changes()  # an unenforced rule refused nothing
        elif old and new and old[0].enforced and not new[0].enforced:
            yield from Group(name, old, [], self.site).changes()
        elif [d.operand for d in old] == [d.operand for d in new]:
            return
        elif name in LIMITS:
            yield from self._limit()
        elif name == predicates.ENUM.constraint:
            yield from self._enum()
        elif name == "default":
            yield self._default()
        elif name in (PRESERVES, "type"):
            yield self._schema_type()
        elif name in _MERGING or name == predicates.UNIQUE.constraint:
            yield self._merging()
        elif name in MEMBERSHIPS:
            yield from self._memberships()
        elif name == predicates.UPDATE_VALUE.constraint:
            yield from self._update_values()
        else:
            yield from self._others()

    def _limit(self) -> Iterator[Change]:
        """Compares limits. The strictest of several limits applies."""
        upper = LIMITS[self.name]
        was, now = _strictest(self.old, upper=upper), _strictest(self.new, upper=upper)
        if now is None:
            assert was is not None
            yield self._weaker(f"{self.name}={was.operand} is gone", was, None)
        elif was is None:
            yield self._stricter(f"{self.name}={now.operand} is new", None, now)
        elif _number(now) != _number(was):
            text = f"{self.name} is {now.operand}, it was {was.operand}"
            tighter = (_number(now) < _number(was)) == upper
            yield self._stricter(text, was, now) if tighter else self._weaker(text, was, now)

    def _enum(self) -> Iterator[Change]:
        """Compares enums; several enums on one value allow their intersection."""
        was, now = _values(self.old), _values(self.new)
        if was is None or now is None:
            yield from self._others()
            return
        where, before = self.new[0].span, self.old[0].span
        help = "keep the value; rule #1 of Kubernetes' deprecation policy removes it with the next version only"
        effect = self.site.effect(self.new[0])
        for value in sorted(was - now):
            text = f"{render_operand(value)} is no legal value any more"
            yield Change("VG707", BREAKING, text, where, before, effect, help)
        for value in sorted(now - was):
            text = f"{render_operand(value)} is a new legal value"
            yield Change("VG708", DANGEROUS, text, where, before, f"{NONE}; {_OLDER}")

    def _default(self) -> Change:
        was, now = _first_operand(self.old), _first_operand(self.new)
        if not self.old:
            effect = "stored objects without the value are read with it"
            return self._change("VG712", DANGEROUS, f"there is a default, {now}", effect)
        if not self.new:
            text = f"the default {was} is gone"
            effect = "stored objects without the value are read without it, as new ones are"
        else:
            text = f"the default is {now}, it was {was}"
            effect = "objects that were written without the value change their meaning"
        return self._change("VG712", BREAKING, text, effect, "change defaults in a new version only")

    def _schema_type(self) -> Change:
        """Compares the types that markers set in the schema, in place of the type in Go."""
        if self.name == PRESERVES and self.new:
            return self._change("VG706", SAFE, "fields that the schema does not know are kept", NONE)
        if self.name == PRESERVES:
            text = "fields that the schema does not know are dropped, they were kept"
            effect = "stored objects lose such fields when they are read"
            return self._change("VG704", BREAKING, text, effect, "describe all fields that are in use first")
        was, now = (_first_operand(group) or "that of Go" for group in (self.old, self.new))
        return self._change("VG704", BREAKING, f"the type in the schema is {now}, it was {was}", NOT_DECODED)

    def _merging(self) -> Change:
        """Compares the types of lists and maps, the keys of items, and their uniqueness."""
        old, new = self.old, self.new
        effect = self.site.effect(new[0]) if new else NONE
        if self.name == predicates.UNIQUE.constraint:
            if not new:
                return self._change("VG706", SAFE, "items need not be unique any more", NONE)
            text = "items must be unique, by another key" if old else "items must be unique"
            return self._change("VG709", BREAKING, text, effect)
        plain, was, now = _PLAIN[self.name], _first_operand(old), _first_operand(new)
        if not old:
            text = f"{plain} is {now}, it was not set"
        elif not new:
            text = f"{plain} is not set any more, it was {was}"
        else:
            text = f"{plain} is {now}, it was {was}"
        if not (old and new) and (*old, *new)[0].operand in _USUAL:
            return self._change("VG709", SAFE, text, NONE)
        effect = f"owners of parts of the value, as server-side apply keeps them, change; {effect}"
        return self._change("VG709", BREAKING, text, effect)

    def _memberships(self) -> Iterator[Change]:
        """Compares unions by their members: two that share a member are the same union."""
        known, wanted = ([d.operand for d in group] for group in (self.old, self.new))
        left = [d for d in self.old if d.operand not in wanted]
        for constraint in self.new:
            if constraint.operand in known:
                continue
            twin = None
            if self.name not in _DEPENDENCIES:
                twin = next((d for d in left if _members(d) & _members(constraint)), None)
            if twin is not None:
                left.remove(twin)
            yield from self._membership(twin, constraint)
        for constraint in left:
            text = f"{_PLAIN[self.name]} of {_render_members(_members(constraint))} is gone"
            yield Group(self.name, [constraint], [], self.site)._change("VG706", SAFE, text, f"{NONE}; {_OLDER}")

    def _membership(self, twin: Constraint | None, constraint: Constraint) -> Iterator[Change]:
        """Compares a new union with the old union that has a member in common, if there is one."""
        plain, effect = _PLAIN[self.name], self.site.effect(constraint)
        pair = Group(self.name, [twin] if twin else [], [constraint], self.site)
        members, before = _members(constraint), _members(twin) if twin else frozenset()
        if twin is None:
            yield pair._change("VG710", BREAKING, f"{plain} of {_render_members(members)} is new", effect)
            return
        if less := before - members:
            text = f"{_render_members(less)} is no member of the {plain} any more"
            yield pair._change("VG710", BREAKING, text, effect)
        if more := members - before:
            text = f"{_render_members(more)} is a new member of the {plain}"
            yield pair._change("VG710", DANGEROUS, text, f"{NONE}; {_OLDER}")
        if members == before:
            text = f"the members of the {plain} are selected by other values"
            yield pair._change("VG710", BREAKING, text, effect)

    def _update_values(self) -> Iterator[Change]:
        was, now = _values(self.old) or frozenset(), _values(self.new) or frozenset()
        for constraint in sorted(now - was):
            text = f"update={constraint} is new"
            yield self._change("VG711", BREAKING, text, self.site.effect(self.new[0]))
        for constraint in sorted(was - now):
            yield self._change("VG706", SAFE, f"update={constraint} is gone", f"{NONE}; {_OLDER}")

    def _others(self) -> Iterator[Change]:
        """Compares rules whose operands have no order. A new operand is stricter unless an old one implies it."""
        name = self.name
        known, wanted = ([d.operand for d in group] for group in (self.old, self.new))
        fresh = [d for d in self.new if d.operand not in known]
        removed = [d for d in self.old if d.operand not in wanted]
        weaker = {id(d): was for d in fresh for was in self.old if follows_from(name, d.operand, was.operand)}
        if len(fresh) == len(removed) == 1:
            (now,), (was,) = fresh, removed
            message = describe(name, now) if name == MODES else f"{name} is {render_operand(now.operand)}"
            text = f"{message}, it was {render_operand(was.operand)}"
            yield self._weaker(text, was, now) if id(now) in weaker else self._stricter(text, was, now)
            return
        for constraint in fresh:
            text = f"{describe(name, constraint)} is new"
            if id(constraint) in weaker:
                yield self._weaker(f"{text}, and follows", weaker[id(constraint)], constraint)
            else:
                yield self._stricter(text, None, constraint)
        for constraint in removed:
            yield self._weaker(f"{describe(name, constraint)} is gone", constraint, None)

    def _stricter(self, text: str, was: Constraint | None, now: Constraint) -> Change:
        code = "VG711" if now.on_update else "VG705"
        what = "client makes such updates" if now.on_update else "object breaks the new one"
        help = f"keep the old rule in this version, or be sure that no {what}"
        return self._locate(Change(code, BREAKING, text, effect=self.site.effect(now), help=help), was, now)

    def _weaker(self, text: str, was: Constraint, now: Constraint | None) -> Change:
        return self._locate(Change("VG706", SAFE, text, effect=f"{NONE}; {_OLDER}"), was, now)

    def _change(self, code: str, severity: Severity, text: str, effect: str, help: str = "") -> Change:
        was, now = (group[0] if group else None for group in (self.old, self.new))
        help = help or (_KEEP if severity is BREAKING else "")
        return self._locate(Change(code, severity, text, effect=effect, help=help), was, now)

    def _locate(self, change: Change, was: Constraint | None, now: Constraint | None) -> Change:
        """Returns a change with the locations of two constraints, or of their values if they have none."""
        new, old = (now.span if now else None) or self.site.new, (was.span if was else None) or self.site.old
        return replace(change, new=new, old=old)


def _strictest(constraints: Sequence[Constraint], *, upper: bool) -> Constraint | None:
    return min(constraints, key=lambda d: _number(d) if upper else -_number(d)) if constraints else None


def _number(constraint: Constraint) -> Decimal:
    """Returns the number of a limit exactly, as a float cannot hold large numbers."""
    try:
        number = Decimal(str(constraint.operand))
    except InvalidOperation:
        return Decimal(0)
    return Decimal(0) if number.is_nan() else number


def _values(constraints: list[Constraint]) -> frozenset[str] | None:
    sets = [frozenset(map(str, d.operand)) for d in constraints if isinstance(d.operand, tuple)]
    return frozenset.intersection(*sets) if sets and len(sets) == len(constraints) else None


def _members(constraint: Constraint) -> frozenset[str]:
    members = constraint.operand[0] if isinstance(constraint.operand, tuple) else ()
    return frozenset(f"`{name}`" for name, _ in members)


def _render_members(members: Iterable[str]) -> str:
    return ", ".join(sorted(members))


def _first_operand(group: list[Constraint]) -> str:
    """Renders the operand of the first constraint; `""` for an empty list."""
    return render_operand(group[0].operand) if group else ""


def differences(old: Iterable[Constraint], new: Iterable[Constraint], site: ComparisonContext) -> Iterator[Change]:
    """Compares the constraints on one value, except those about its presence."""
    before, after = _group(old), _group(new)
    merged = {path for path, name, _ in before.keys() | after.keys() if _merges_otherwise(path, before, after)}
    for key in sorted(before.keys() | after.keys()):
        path, name, condition = key
        if name in _PRESENCE or (path in merged and name in (predicates.UNIQUE.constraint, _KEYS)):
            continue
        was, now = before.get(key, []), after.get(key, [])
        if name == RULE and was != now:
            was, now = without_implied(was, now, site.is_integer)
        for change in Group(name, was, now, site).changes():
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


def _group(constraints: Iterable[Constraint]) -> _Groups:
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
