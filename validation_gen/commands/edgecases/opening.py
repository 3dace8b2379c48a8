"""Creates missing values along a path of an object."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from validation_gen.commands.edgecases.objects import Objects
from validation_gen.commands.edgecases.places import Conditions, Place
from validation_gen.commands.edgecases.sites import InStruct, Site, Turn
from validation_gen.commands.edgecases.steps import ABSENT, Steps, get, with_value
from validation_gen.commands.edgecases.values import distinct
from validation_gen.ir.traverse import Entry, Item


def opened(
    place: Place, way: Sequence[Turn], obj: Any, conditions: Conditions, modes: Sequence[InStruct] = ()
) -> tuple[Any, Steps, Place]:
    """Returns the object with all values on a path from `place`, the steps to the last one, and its place.

    A step to a key ends at the value of the key.
    """
    opener = _Opener(place, obj, conditions)
    for length, turn in enumerate(way):
        for inside in modes:
            if inside.length == length:
                discriminator = (*opener.steps, inside.modes.discriminator)
                opener.obj = with_value(opener.obj, discriminator, inside.mode)
        opener.turn(turn)
    return opener.obj, opener.steps, opener.place


class _Opener:
    def __init__(self, place: Place, obj: Any, conditions: Conditions) -> None:
        self.place, self.obj, self.conditions = place, obj, conditions
        self.steps: Steps = ()

    def turn(self, turn: Turn) -> None:
        value = get(self.obj, self.steps)
        if isinstance(turn, str):
            self._go(turn, self.place.members[turn])
        elif isinstance(turn, Item):
            self._to_item(turn, value if isinstance(value, list) else [])
        else:
            entries = value if isinstance(value, dict) else {}
            key = next(iter(entries), None)
            missing = key is None
            if key is None:
                key = str(next(distinct(self.place.key, self.conditions), "a"))
            self._go(key, self.place.elem, missing=missing)

    def _to_item(self, turn: Item, items: list[Any]) -> None:
        item = next((item for known, item in self.place.selected if known == turn.selector), self.place.elem)
        wanted = {term.json: term.value for term in turn.selector}
        for index, each in enumerate(items):
            if isinstance(each, dict) and all(each.get(name) == value for name, value in wanted.items()):
                self._go(index, item)
                return
        if items and not wanted:
            self._go(0, item)
            return
        value = Objects().value(item, self.conditions)
        self.obj = with_value(self.obj, (*self.steps, len(items)), {**value, **wanted} if wanted else value)
        self._go(len(items), item)

    def _go(self, step: str | int, place: Place, *, missing: bool = False) -> None:
        self.steps = (*self.steps, step)
        self.place = place
        if missing or get(self.obj, self.steps) in (ABSENT, None):
            self.obj = with_value(self.obj, self.steps, Objects().set_value(place, self.conditions))


def written(site: Site, steps: Steps) -> str:
    """Returns the path of a site's value, with the keys and indexes of the object; that of a key is the map's."""
    parts = f".{site.path}".removesuffix(site.suffix).split("[*]")
    indexes = [step for step, turn in zip(steps, site.way, strict=True) if not isinstance(turn, str)]
    if site.way and isinstance(site.way[-1], Entry) and site.way[-1].key:
        indexes.pop()
    path = parts[0]
    for index, part in zip(indexes, parts[1:], strict=False):
        path += f"[{index}]{part}"
    return path
