"""Compares two programs, from a kind down every JSON path.

A pair of structs is compared once, however many paths lead to it. The paths to it are stored as edges, and messages get
their paths from these. So recursive types end, and the cost of a type is independent of the number of its uses.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from validation_gen.commands.breaking import groups, shapes
from validation_gen.commands.breaking.changes import BREAKING, DANGEROUS, NONE, SAFE, Change, add_field, remove_field
from validation_gen.commands.breaking.constraints import EACH, Constraint, of_option
from validation_gen.commands.breaking.newdefaults import find_refusal_by_constraints
from validation_gen.commands.breaking.shapes import ALWAYS, ConstraintIndex, Part, Presence, View, presence
from validation_gen.ir import ListOf, MapOf, PointerTo, StructRef, predicates, value_shape
from validation_gen.runtime.words import nearest
from validation_gen.sources.model import META

_MOST_STEPS = 2000


@dataclass(frozen=True, slots=True)
class Pair:
    """Two structs at the same path, with all inputs of their comparison."""

    old: str
    new: str
    was: frozenset[Constraint] = frozenset()
    now: frozenset[Constraint] = frozenset()
    ruled: tuple[bool, bool] = (True, True)
    loose: bool = False
    root: bool = False


@dataclass(frozen=True, slots=True)
class _Location:
    """A path from a pair of structs, or from a kind. `loose`: it is in a list whose items have no old values."""

    origin: Pair | str
    path: str = ""
    loose: bool = False


@dataclass(slots=True)
class Walk:
    """Comparison of two programs.

    `found` has the changes, each with its pair and the path below that pair. `edges` has the parents of each pair:
    another pair or the name of a kind, each with the path from there. `custom`: the types are custom resources.
    """

    old: ConstraintIndex
    new: ConstraintIndex
    custom: bool = False
    found: list[tuple[Change, Pair | str, str]] = field(default_factory=list)
    edges: dict[Pair, list[tuple[Pair | str, str]]] = field(default_factory=dict)
    _waiting: deque[Pair] = field(default_factory=deque)

    def compare(self, name: str, old: View, new: View) -> None:
        """Compares two values under the name of a kind or of another type."""
        self._values(old, new, _Location(name))
        while self._waiting:
            self._structs(self._waiting.popleft())

    # --- values ------------------------------------------------------------------------------------------------------

    def _values(self, old: View, new: View, spot: _Location) -> None:
        origin = spot.origin
        for change in shapes.differences(old.shape, new.shape, old.span, new.span):
            self.found.append((change, origin, spot.path))
        if not shapes.same_family(old.shape, new.shape):
            return
        before, after = value_shape(old.shape), value_shape(new.shape)
        if not (self.old.is_sound(before) and self.new.is_sound(after)):
            # Half of the rules would look like a change.
            old, new = replace(old, ruled=False), replace(new, ruled=False)
        was, now = self.old.constraints(old), self.new.constraints(new)
        both = isinstance(before, StructRef) and isinstance(after, StructRef)
        if both and not (_id(before) == _id(after) and _id(before).startswith(f"{META}.")):
            ruled = (old.ruled and not self.old.opaque(_id(before)), new.ruled and not self.new.opaque(_id(after)))
            inherited = frozenset(filter(_inside, was)), frozenset(filter(_inside, now))
            pair = Pair(_id(before), _id(after), *inherited, ruled, spot.loose, old.root)
            self._reach(pair, origin, spot.path)
        places = old.span or self.old.place(_id(before)), new.span or self.new.place(_id(after))
        site = groups.ComparisonContext(*places, spot.loose, new.root)
        for change in groups.differences(_here(was), _here(now), site):
            self.found.append((change, origin, spot.path))
        if isinstance(before, ListOf | MapOf) and isinstance(after, ListOf | MapOf):
            loose = spot.loose or (isinstance(after, ListOf) and not _are_correlated(now))
            one = View(before.elem, _step(EACH, was), old.ruled, span=old.span)
            other = View(after.elem, _step(EACH, now), new.ruled, span=new.span)
            self._values(one, other, _Location(origin, f"{spot.path}{EACH}", loose))

    def _reach(self, pair: Pair, origin: Pair | str, path: str) -> None:
        known = pair in self.edges
        self.edges.setdefault(pair, []).append((origin, path))
        if not known:
            self._waiting.append(pair)

    # --- structs -----------------------------------------------------------------------------------------------------

    def _structs(self, pair: Pair) -> None:
        """Compares the fields of two structs."""
        old, new = self.old.parts(pair.old), self.new.parts(pair.new)
        gone = [part for name, part in old.items() if name not in new]
        fresh = [part for name, part in new.items() if name not in old]
        for part in gone:
            twin = _find_renamed(part, fresh)
            removed = remove_field(part.name, twin.name if twin else "", self.new.place(pair.new), part.span)
            self._add(removed, pair, part.name)
        for part in fresh:
            self._add(self._fresh(part, pair), pair, part.name)
        for name, before in old.items():
            after = new.get(name)
            if after is None:
                continue
            was = self.old.view(before, pair.ruled[0], _step(f".{name}", pair.was))
            now = self.new.view(after, pair.ruled[1], _step(f".{name}", pair.now))
            state = self._state(self.old, before, was, pair.ruled[0])
            change = self._presence(state, self._state(self.new, after, now, pair.ruled[1]), before, after, pair)
            if change is not None:
                self._add(change, pair, name)
            first = len(self.found)
            self._values(was, now, _Location(pair, f".{name}", pair.loose))
            if not (ALWAYS in state.when and not state.doubtful):
                self._judge_defaults(first, pair, name)

    def _judge_defaults(self, first: int, pair: Pair, name: str) -> None:
        """Marks a new default among the last changes as breaking if the struct may refuse objects with this value."""
        for index, (change, origin, path) in enumerate(self.found[first:], first):
            if change.code == "VG712" and change.severity is DANGEROUS and path == f".{name}" and not change.below:
                self.found[index] = self._with_refusal(change, pair, name), origin, path

    def _with_refusal(self, change: Change, pair: Pair, name: str) -> Change:
        constraints = _here(self.new.constraints(View(StructRef(pair.new), pair.now, pair.ruled[1])))
        field = self.new.constraints(self.new.view(self.new.parts(pair.new)[name], pair.ruled[1], frozenset()))
        default = next((d.operand for d in _here(field) if d.name == "default"), None)
        refusal = find_refusal_by_constraints(constraints, name, default)
        return change.refused(refusal) if refusal else change

    def _add(self, change: Change, pair: Pair, name: str) -> None:
        self.found.append((change, pair, f".{name}"))

    def _fresh(self, part: Part, pair: Pair) -> Change:
        view = self.new.view(part, pair.ruled[1], _step(f".{part.name}", pair.now))
        state = self._state(self.new, part, view, pair.ruled[1])
        old = self.old.place(pair.old)
        if state.required and not state.default:
            text = f"the field is new and must be set {_any(state.when)}".rstrip()
            severity = BREAKING if ALWAYS in state.when and not state.doubtful else DANGEROUS
            help = "make it optional, or give it a default"
            return Change("VG703", severity, text, state.span or part.span, old, state.effect(pair.loose), help)
        fresh = add_field(part.span, old)
        if not state.default:
            return fresh
        found = self._with_refusal(add_field(part.span, old, has_default=True), pair, part.name)
        return found if found.severity is BREAKING else fresh

    def _state(self, index: ConstraintIndex, part: Part, view: View, ruled: bool) -> Presence:
        return presence(part, index.constraints(view), custom=self.custom, ruled=ruled)

    def _presence(self, old: Presence, new: Presence, before: Part, after: Part, pair: Pair) -> Change | None:
        if new.beyond(old):
            return self._compare_required(old, new, before, after, pair)
        if old.beyond(new):
            when = _any(old.beyond(new))
            text, effect = f"the field may be absent {when}".rstrip(), f"{NONE}; older clients may rely on it"
            text = f"{text}, it had to be set"
            return Change("VG714", SAFE if old.implied else DANGEROUS, text, new.span or after.span, old.span, effect)
        if new.required and isinstance(before.shape, PointerTo) and not isinstance(after.shape, PointerTo):
            text = "the field must be set, and its zero value does not count as set any more"
            help = "keep the pointer: it tells a zero value from none"
            return Change("VG703", BREAKING, text, new.span or after.span, before.span, new.effect(pair.loose), help)
        return None

    @staticmethod
    def _compare_required(old: Presence, new: Presence, before: Part, after: Part, pair: Pair) -> Change:
        when = new.beyond(old)
        must = f"the field must be set {_any(when)}".rstrip()
        text = f"{must}, {'as it is not declared optional' if new.implied else 'it was optional'}"
        severity = BREAKING
        # A mode that the old state does not name may be new, so that no object has it.
        legal = any(each == ALWAYS or (each in old.known and not of_option(each)) for each in when)
        if new.doubtful or not legal:
            severity = DANGEROUS
        elif new.default:
            severity = SAFE
        span = new.span or after.span
        help = "keep it optional in this version, or give it a default"
        return Change("VG703", severity, text, span, old.span or before.span, new.effect(pair.loose), help)

    # --- paths -------------------------------------------------------------------------------------------------------

    def paths(self, origin: Pair | str, path: str, most: int) -> tuple[list[str], int]:
        """Returns the first paths of a change, and their total number up to a limit."""
        shown: list[str] = []
        count = 0
        waiting: deque[tuple[Pair | str, str, frozenset[Pair]]] = deque([(origin, path, frozenset())])
        for _ in range(_MOST_STEPS):
            if not waiting:
                break
            place, way, above = waiting.popleft()
            if isinstance(place, Pair):
                if place not in above:
                    below = above | {place}
                    waiting += [(source, f"{step}{way}", below) for source, step in self.edges.get(place, ())]
                continue
            text = f"{place} {way.removeprefix('.')}".rstrip()
            count += 1
            if len(shown) < most and text not in shown:
                shown.append(text)
        return shown, count


def _id(shape: object) -> str:
    return str(getattr(shape, "type", ""))


def _any(conditions: tuple[str, ...]) -> str:
    """Joins alternative conditions for a message."""
    return " or ".join(conditions)


def _inside(constraint: Constraint) -> bool:
    return constraint.path[:1] != () and constraint.path[0].startswith(".")


def _here(constraints: Iterable[Constraint]) -> list[Constraint]:
    """Returns the constraints on the value itself, on its keys or on one item, which do not apply to its children."""
    return [d for d in constraints if not d.path or not (d.path[0] == EACH or d.path[0].startswith("."))]


def _step(step: str, constraints: Iterable[Constraint]) -> frozenset[Constraint]:
    return frozenset(d.inside() for d in constraints if d.path[:1] == (step,))


def _are_correlated(constraints: Iterable[Constraint]) -> bool:
    """Returns whether items of a list have an identity, so that an update knows their old values."""
    return any(
        not d.path
        and (
            d.name == predicates.UNIQUE.constraint
            or (d.name == "x-kubernetes-list-type" and d.operand in ("map", "set"))
        )
        for d in constraints
    )


def _find_renamed(part: Part, fresh: list[Part]) -> Part | None:
    """Guesses the new name of a renamed field from names and types."""
    alike = [f for f in fresh if shapes.describe(f.shape) == shapes.describe(part.shape)]
    near = nearest(part.name.lower(), [f.name.lower() for f in alike])
    if near:
        return next(f for f in alike if f.name.lower() == near[0])
    same = [f for f in alike if part.plan and f.plan and f.plan.go_name == part.plan.go_name]
    return same[0] if same else None
