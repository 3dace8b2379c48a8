"""Runtime of the written tests: checks that objects come back from another version unchanged."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from validation_gen.commands.conversions.checking import find_known_versions, round_trip
from validation_gen.commands.conversions.drawing import Drawn
from validation_gen.commands.conversions.kinds import Versioned, read_kinds
from validation_gen.commands.conversions.report import explain_problem
from validation_gen.commands.conversions.run import choose_kinds, load
from validation_gen.commands.definitions import split
from validation_gen.commands.written_tests import read_settings
from validation_gen.diagnostics import Diagnostics, Severity
from validation_gen.emit.loading.generated import reaching
from validation_gen.webhooks.conversions import Converter


@dataclass(frozen=True, slots=True)
class VersionPair:
    """A round trip from one version of a kind to another."""

    kind: str
    group: str
    source: str
    target: str

    def __str__(self) -> str:
        return f"{self.kind}-{self.source}-{self.target}"


#: Former name of `VersionPair`, kept for one release.
Way = VersionPair


class RoundTrips:
    """The conversions of a module on drawn objects.

    Args:
        conversions: the module. It is imported.
        sources: paths of the types, or of their definitions.
        kinds: the only kinds that are checked, none for all.
        cases: the number of objects that are drawn of each version.
        seed: their seed.
        settings: the other arguments of `read_settings`.

    Raises:
        ValueError: the module or the sources cannot be used. The text is the reason.
    """

    def __init__(
        self,
        conversions: Path,
        sources: Sequence[Path],
        *,
        kinds: Sequence[str] = (),
        cases: int = 1000,
        seed: int = 0,
        **settings: Any,
    ) -> None:
        definitions, types = split(map(str, sources))
        chosen = read_settings(types, **settings).with_definitions(definitions, types)
        diagnostics = Diagnostics()
        converter = load(str(conversions), diagnostics)
        known = read_kinds(chosen, diagnostics) if converter is not None else []
        found = choose_kinds(converter, known, kinds, chosen, diagnostics) if converter is not None else []
        if converter is None or not found:
            errors = [each for each in diagnostics.sorted() if each.severity is Severity.ERROR]
            raise ValueError("\n".join(f"{each.span}: {each.message}" for each in errors))
        self._converter: Converter = converter
        self._kinds: dict[tuple[str, str], Versioned] = {(each.group, each.kind): each for each in found}
        self._cases, self._seed = cases, seed
        self._drawn: dict[tuple[str, str, str], tuple[Drawn, list[object]]] = {}

    @cached_property
    def ways(self) -> list[VersionPair]:
        """Returns all round trips between served versions."""
        return [
            VersionPair(kind, group, source, target)
            for (group, kind), versioned in self._kinds.items()
            for source in find_known_versions(self._converter, versioned)
            for target in find_known_versions(self._converter, versioned)
            if source != target
        ]

    def check(self, pair: VersionPair) -> None:
        """Makes a round trip with all objects.

        Raises:
            AssertionError: one has a problem. The message has a small object for each problem.
        """
        versioned = self._kinds[pair.group, pair.kind]
        key = pair.group, pair.kind, pair.source
        if key not in self._drawn:
            drawn = Drawn(versioned.versions[pair.source], self._seed)
            self._drawn[key] = drawn, list(drawn.objects(self._cases))
        drawn, objects = self._drawn[key]
        with reaching():
            trip = round_trip(self._converter, versioned, pair.target, drawn, objects)
        if trip.problems:
            text = [
                f"{explain_problem(trip, problem)[0]}\n  for example {json.dumps(problem.example, default=repr)}"
                for problem in trip.problems
            ]
            raise AssertionError("\n".join(text))
