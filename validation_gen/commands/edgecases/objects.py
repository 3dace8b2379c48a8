"""Draws values of places: mostly valid ones, at the limits of the rules, with a given share of mistakes.

With the source `First` and no mistakes the value is the smallest valid one. Rules about more than one value may be
broken: the caller has to validate the result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from validation_gen.commands.edgecases import relations
from validation_gen.commands.edgecases.steps import First, Source, pick
from validation_gen.commands.edgecases.value_specs import Conditions, ValueSpec
from validation_gen.commands.edgecases.values import (
    distinct,
    edges,
    fits,
    fitting,
    is_forbidden,
    limits,
    may_be_absent,
    may_be_demanded,
    short,
    sizes,
)
from validation_gen.ir import ByKeys, ListOf, MapOf, Match, Scalar, Selector, StructRef, Wire

_MOST_ITEMS = 300
_LONG_TEXTS = 0.01


@dataclass(slots=True)
class Objects:
    """Draws values.

    Attributes:
        source: makes the choices.
        mistakes: the share of values that need not obey their rules.
        density: the share of optional members that are set, at the top; it is less further down.
        size: after this number of values only required ones are drawn.
        deepest: depth below which structs are empty. Recursive types end here at the latest.
        nulls: the share of changed pointers that become null.
        texts: additional texts for fields without rules for texts.
        numbers: additional numbers, likewise.
    """

    source: Source = field(default_factory=First)
    mistakes: float = 0.0
    density: float = 0.0
    size: int = 10_000
    deepest: int = 30
    nulls: float = 0.0
    texts: Sequence[str] = ()
    numbers: Sequence[int] = ()

    def value(self, spec: ValueSpec, conditions: Conditions, depth: int = 0) -> Any:
        """Draws a value that is present: no null, and set where there is a choice."""
        self.size -= 1
        match spec.value:
            case StructRef():
                return self.struct(spec, conditions, depth)
            case ListOf(packed=False):
                return self._list(spec, conditions, depth)
            case MapOf():
                return self._map(spec, conditions, depth)
        return self.single(spec, conditions)

    def single(self, spec: ValueSpec, conditions: Conditions) -> Any:
        """Draws a value without parts."""
        source = self.source
        if self.mistakes and source.chance(self.mistakes):
            known = edges(spec)
        else:
            known = fitting(spec, conditions) or edges(spec)
        if not source.chance(_LONG_TEXTS):
            known = short(known)
        if source.chance(0.15) and (more := self._more(spec)):
            known = more
        elif isinstance(source, First):
            return next((value for value in known if value), known[0])
        return pick(source, known)

    def _more(self, spec: ValueSpec) -> Sequence[Any]:
        shape = spec.value
        if isinstance(shape, Scalar) and not spec.facts:
            if shape.go == "string":
                return self.texts
            low, high = (0, 0) if shape.go == "bool" else limits(shape.go)
            return [number for number in self.numbers if low <= number <= high] if high else ()
        return ()

    # --- structs ----------------------------------------------------------------------------------------------------

    def struct(self, spec: ValueSpec, conditions: Conditions, depth: int = 0) -> dict[str, Any]:
        """Draws a struct; absent members are left out."""
        found: dict[str, Any] = {}
        modes = relations.discriminators(spec)
        inside = dict(conditions)
        for name in self._members(spec, modes):
            member = spec.members[name]
            if self._is_wanted(member, inside, depth):
                value = self.value(member, inside, depth + 1)
                if value or member.is_pointer or not isinstance(member.value, StructRef):
                    found[name] = value
            if name in modes:
                inside |= relations.modes(spec, found, name)
        if not (self.mistakes and self.source.chance(self.mistakes)):
            for name in relations.forbidden(spec, found, conditions):
                found.pop(name, None)
            relations.settle(
                spec, found, conditions, self.source, lambda m: self.set_value(spec.members[m], inside, depth + 1)
            )
        return {name: found[name] for name in sorted(found, key=spec.order.__getitem__)}

    def _members(self, spec: ValueSpec, modes: Sequence[str]) -> Sequence[str]:
        """Returns the possible members, discriminators first.

        `First` takes only required ones, which are cached for each place: a struct may have thousands.
        """
        found = spec.notes.get("demanded") if isinstance(self.source, First) else None
        if found is None:
            found = sorted(spec.members, key=lambda name: name not in modes)
            if isinstance(self.source, First):
                found = [name for name in found if name in modes or may_be_demanded(spec.members[name])]
                spec.notes["demanded"] = found
        assert isinstance(found, list)
        return found

    def set_value(self, spec: ValueSpec, conditions: Conditions, depth: int = 0) -> Any:
        """Draws a value that counts as set."""
        value = self.value(spec, conditions, depth) or Objects().value(spec, conditions, depth)
        if value or spec.is_pointer:
            return value
        # The rules require it to be unset.
        if isinstance(spec.value, ListOf) and not spec.value.packed:
            return [Objects().value(spec.elem, conditions, depth)]
        if isinstance(spec.value, MapOf):
            key = next(distinct(spec.key, conditions), "a")
            return {str(key): Objects().value(spec.elem, conditions, depth)}
        return next((each for each in edges(spec) if each), value)

    def _is_wanted(self, member: ValueSpec, conditions: Conditions, depth: int) -> bool:
        source = self.source
        if depth >= self.deepest:
            return False
        must = not may_be_absent(member, conditions)
        if not must and not isinstance(member.shape, StructRef):
            if self.size <= 0:
                return False
            # Below the top level only some members are set, because there are too many.
            if not source.chance(self.density if depth < 2 else self.density * 0.6):
                return False
            return not is_forbidden(member, conditions) or bool(self.mistakes and source.chance(self.mistakes))
        return not (must and self.mistakes and source.chance(self.mistakes))

    # --- lists and maps ---------------------------------------------------------------------------------------------

    def _size(self, spec: ValueSpec, conditions: Conditions) -> int:
        """Draws the number of items: within the limits, or near them if there are mistakes."""
        known = [size for size in sizes(spec) if size <= _MOST_ITEMS]
        good = [size for size in known if fits(spec, range(size), conditions)] or known
        if self.mistakes and self.source.chance(self.mistakes):
            good = known
        if isinstance(self.source, First):
            return next((size for size in sorted(good) if size), 0)
        # Long lists are expensive and show little, so they are rare.
        few = [size for size in good if size <= 8]
        return pick(self.source, good if not few or self.source.chance(0.08) else few)

    def _list(self, spec: ValueSpec, conditions: Conditions, depth: int) -> list[Any]:
        size = self._size(spec, conditions)
        match = relations.identity(spec, conditions)
        found: list[Any] = []
        for selector, item in relations.find_needed_items(spec, conditions, self.source):
            if len(found) < max(size, 1):
                found.append(self.selected(item, selector, conditions, depth + 1))
        plain = Objects() if size > 8 else self
        found += [plain.value(spec.elem, conditions, depth + 1) for _ in range(size - len(found))]
        if match is not None and not (self.mistakes and self.source.chance(self.mistakes)):
            found = self.made_distinct(spec, found, match, conditions)
        if self.mistakes and found and self.source.chance(self.mistakes / 2):
            found.append(found[0])
        return found

    def selected(self, item: ValueSpec, selector: Selector, conditions: Conditions, depth: int = 0) -> Any:
        """Draws an item that a selector matches."""
        value = self.value(item, conditions, depth)
        return {**value, **{term.json: term.value for term in selector}} if selector else value

    def made_distinct(self, spec: ValueSpec, items: list[Any], match: Match, conditions: Conditions) -> list[Any]:
        """Returns items without duplicates; those without another value are dropped."""
        found: list[Any] = []
        known: set[str] = set()
        others: Iterator[Any] | None = None
        for item in items:
            if relations.identifier(item, match) not in known:
                found.append(item)
            else:
                others = others or unlike(spec.elem, item, match, conditions)
                other = next((o for o in islice(others, 50) if relations.identifier(o, match) not in known), None)
                if other is None:
                    continue
                found.append(other)
            known.add(relations.identifier(found[-1], match))
        return found

    def _map(self, spec: ValueSpec, conditions: Conditions, depth: int) -> dict[str, Any]:
        size = self._size(spec, conditions)
        found: dict[str, Any] = {}
        for _ in range(size):
            if len(found) < size and not isinstance(self.source, First):
                key = str(self.single(spec.key, conditions))
                found[key] = None
        for key in islice(distinct(spec.key, conditions), size + 1):
            if len(found) < size:
                found.setdefault(str(key), None)
        plain = Objects() if size > 8 else self
        return {key: plain.value(spec.elem, conditions, depth + 1) for key in found}


def unlike(spec: ValueSpec, item: Any, match: Match, conditions: Conditions) -> Iterator[Any]:
    """Yields items similar to a given one, all with different list keys."""
    if not isinstance(spec.value, StructRef):
        yield from distinct(spec, conditions)
        return
    obj = item if isinstance(item, dict) else {}
    keys = [key.json for key in match.keys] if isinstance(match, ByKeys) else list(spec.members)
    simple = [name for name in keys if name in spec.members and isinstance(spec.members[name].value, Scalar | Wire)]
    names = [name for name in simple if name in obj] or simple
    yield from _combinations(spec, obj, names[:3], conditions)


def _combinations(spec: ValueSpec, obj: dict[str, Any], names: list[str], conditions: Conditions) -> Iterator[Any]:
    """Yields the struct with all combinations of some members; the last one changes fastest."""
    if not names:
        yield obj
        return
    for value in distinct(spec.members[names[0]], conditions):
        yield from _combinations(spec, {**obj, names[0]: value}, names[1:], conditions)
