"""The value that a rule tests, with possible replacements: the building blocks of both sides of any rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from validation_gen.commands.edgecases import relations
from validation_gen.commands.edgecases.objects import Objects, unlike
from validation_gen.commands.edgecases.places import Conditions, Place
from validation_gen.commands.edgecases.sites import Site
from validation_gen.commands.edgecases.steps import ABSENT
from validation_gen.commands.edgecases.values import distinct, edges
from validation_gen.ir import ListOf, MapOf, Match, Scalar, StructRef
from validation_gen.ir.traverse import Entry

_DEEPEST = 5


@dataclass(frozen=True, slots=True)
class Try:
    """A candidate value at the site of a rule, or `ABSENT`; for an update with the old one."""

    new: Any
    old: Any = ABSENT
    update: bool = False


#: Candidates that may break a rule, and that may obey it; the best first.
Tries = tuple[Iterable[Try], Iterable[Try]]


@dataclass(frozen=True, slots=True)
class Spot:
    """The site of a rule, in an otherwise valid object. `value` is the current value."""

    site: Site
    value: Any
    conditions: Conditions

    @property
    def place(self) -> Place:
        return self.site.place

    def filled(self) -> Any:
        """Returns the smallest value that counts as set."""
        return self.value or Objects().set_value(self.place, self.conditions)

    def unset(self) -> Iterator[Any]:
        """Yields values that count as unset, among them `ABSENT` for members."""
        if self.site.way and isinstance(self.site.way[-1], str):
            yield ABSENT
        shape = self.place.value
        if isinstance(shape, Scalar):
            yield shape.zero
        if self.site.way and not isinstance(self.site.way[-1], Entry):
            yield None
        if isinstance(shape, ListOf) and not shape.packed:
            yield []

    def of_size(self, size: int, match: Match | None = None) -> Any:
        """Returns a list or map with so many parts, all of them valid, or as many as possible."""
        place, conditions = self.place, self.conditions
        shape = place.value
        if isinstance(shape, MapOf):
            found = dict(islice((self.value or {}).items(), size))
            for key in islice(distinct(place.key, conditions), size + 1):
                if len(found) < size and str(key) not in found:
                    found[str(key)] = Objects().value(place.elem, conditions)
            return found
        if isinstance(shape, ListOf) and shape.packed:
            return next((value for value in edges(place) if len(value) // 4 * 3 >= size), "")
        items = list(self.value or [])[:size]
        match = match or relations.identity(place, conditions)
        known = {relations.identifier(item, match) for item in items} if match else set()
        fresh = items[0] if items else Objects().value(place.elem, conditions)
        others = _others(place.elem, fresh, match, known, conditions) if match else iter(())
        while len(items) < size:
            item = next(others, None) if match else fresh
            if item is None:
                break
            items.append(item)
        return items

    def variants(self) -> list[Any]:
        """Returns different values of the site, all of them set."""
        return list(islice(variants(self.place, self.filled(), self.conditions), 8))


def _others(place: Place, item: Any, match: Match, known: set[str], conditions: Conditions) -> Iterator[Any]:
    """Yields items without duplicates."""
    for other in unlike(place, item, match, conditions):
        if relations.identifier(other, match) not in known:
            yield other


def distinct_few(place: Place, conditions: Conditions) -> list[Any]:
    """Returns some values of a place, without duplicates."""
    return list(islice(distinct(place, conditions), 12))


def variants(place: Place, value: Any, conditions: Conditions, depth: int = 0) -> Iterator[Any]:
    """Yields values of a place that differ from a given one."""
    shape = place.value
    if isinstance(shape, StructRef):
        obj = value if isinstance(value, dict) else {}
        for name, member in place.members.items() if depth < _DEEPEST else ():
            for other in islice(variants(member, obj.get(name), conditions, depth + 1), 1):
                yield {**obj, name: other}
    elif isinstance(shape, ListOf) and not shape.packed:
        items = value if isinstance(value, list) else []
        if items:
            others = variants(place.elem, items[0], conditions, depth + 1)
            yield from ([other, *items[1:]] for other in islice(others, 3))
        else:
            yield [Objects().value(place.elem, conditions)]
    elif isinstance(shape, MapOf):
        entries = value if isinstance(value, dict) else {}
        for key, entry in islice(entries.items(), 1):
            others = variants(place.elem, entry, conditions, depth + 1)
            yield from ({**entries, key: other} for other in islice(others, 3))
        for key in islice(distinct(place.key, conditions), len(entries) + 1):
            if str(key) not in entries:
                yield {**entries, str(key): Objects().value(place.elem, conditions)}
    else:
        yield from (other for other in distinct_few(place, conditions) if other != value)
