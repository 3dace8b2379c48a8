"""The attacks: what each does in a sentence, and how many tries are cheap and how many are thorough."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.attack.inputs import mutated_configurations, mutated_definitions, mutated_manifests, mutated_sources
from tests.attack.kills import killed_runs
from tests.attack.moving import changing_directories
from tests.attack.names import hostile_names
from tests.attack.reports import hostile_reports
from tests.attack.yard import Yard


@dataclass(frozen=True, slots=True)
class Attack:
    """One kind of attack.

    Attributes:
        name: as the command line and the table have it.
        run: makes tries with a seed in a yard, and returns what went wrong, as sentences.
        few: the number of tries that every run of the tests makes.
        many: the number that `make attack` makes.
    """

    name: str
    run: Callable[[Yard, int, int], list[str]]
    few: int
    many: int

    @property
    def summary(self) -> str:
        """What is done, in a sentence."""
        return (self.run.__doc__ or "").strip().partition("\n")[0]


ATTACKS = (
    Attack("sources", mutated_sources, 40, 20_000),
    Attack("definitions", mutated_definitions, 40, 5_000),
    Attack("manifests", mutated_manifests, 8, 1_000),
    Attack("configurations", mutated_configurations, 30, 2_000),
    Attack("names", hostile_names, 40, 4_000),
    Attack("reports", hostile_reports, 15, 2_000),
    Attack("moving", changing_directories, 15, 1_000),
    Attack("kills", killed_runs, 2, 60),
)
