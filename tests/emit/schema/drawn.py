"""Random objects as `validation_gen.commands.edgecases` draws them, for those who compare schemas with validators."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.commands.edgecases.samples import changed
from validation_gen.commands.edgecases import Objects, RandomSource, ValueSpecs
from validation_gen.commands.edgecases.value_specs import option_name
from validation_gen.ir import Program

_HEAD = ("apiVersion", "kind", "metadata")


@dataclass
class Drawn:
    """Draws objects that name themselves, with a metadata of which the API server sees to the rest."""

    program: Program
    random: random.Random
    deepest: int = 9
    options: Mapping[str, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._places = ValueSpecs(self.program)
        states = {name: self.options.get(name, False) for name in self.program.options}
        self._conditions = {option_name(name): state for name, state in states.items()}

    def root(self, id: str, kind: str, api_version: str) -> dict[str, Any]:
        found = self._objects().value(self._places.of_type(id), self._conditions)
        return self._whole(found, kind, api_version, self.random.choice(["a", "b-c"]))

    def changed(self, obj: dict[str, Any], id: str) -> Any:
        """The object with some values changed, for updates."""
        found = changed(self._objects(), self._places.of_type(id), obj, self._conditions, most=8)
        return self._whole(found, obj["kind"], obj["apiVersion"], obj["metadata"]["name"])

    def _objects(self) -> Objects:
        mistakes, density = self.random.choice([0.0, 0.05, 0.2]), self.random.choice([0.5, 0.9])
        return Objects(RandomSource(self.random), mistakes, density, size=80, deepest=self.deepest)

    def _whole(self, found: dict[str, Any], kind: str, api_version: str, name: str) -> dict[str, Any]:
        body = {key: value for key, value in found.items() if key not in _HEAD}
        return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name}, **body}
