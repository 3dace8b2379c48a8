"""With gates, requests are compared as the run-time library does it, whatever the release and the gates."""

from __future__ import annotations

import random
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from tests.commands.compare.parts import Function
from tests.tables import each
from validation_gen.commands.compare.grouping import Declarations
from validation_gen.commands.compare.judge import ComparisonConfig, Judge
from validation_gen.commands.compare.requests import Request
from validation_gen.compiler.pipeline import Settings, build_program, load_validators
from validation_gen.ir import Program
from validation_gen.mismatch import Harness
from validation_gen.mismatch.expected import Expectations
from validation_gen.mismatch.gates import BETA, TAKEOVER, VALIDATION, FeatureGates
from validation_gen.mismatch.outcome import Outcome
from validation_gen.runtime.errors import FieldError
from validation_gen.runtime.registry import Registry

#: Rules that every release has; those of a level are alpha or beta since 1.36, and like all others before.
TYPES = """\
package v1

type Crate struct {
	// +k8s:optional
	// +k8s:minimum=1
	Size *int32 `json:"size,omitempty"`
	// +k8s:optional
	// +k8s:alpha=+k8s:minimum=2
	Weight *int32 `json:"weight,omitempty"`
	// +k8s:optional
	// +k8s:beta=+k8s:minimum=3
	Height *int32 `json:"height,omitempty"`
}
"""
LIMITS = {"size": 1, "weight": 2, "height": 3}
GATES = {
    "1.35": ((VALIDATION, (False, True)), (TAKEOVER, (False, True))),
    "1.36": ((BETA, (False, True)),),
    "1.37": ((BETA, (False, True)),),
}
CASES = [
    (release, dict(zip([name for name, _ in gates], states, strict=True)))
    for release, gates in GATES.items()
    for states in product(*(states for _, states in gates))
]


@cache
def built(release: str) -> tuple[Program, Registry]:
    levels = TYPES if release != "1.35" else TYPES.replace("alpha=+k8s:", "").replace("beta=+k8s:", "")
    directory = Path(mkdtemp(), "v1")
    directory.mkdir()
    (directory / "types.go").write_text(levels)
    result = build_program(Settings((str(directory),), target=release))
    assert result.diagnostics.items == []
    return result.program, load_validators(result.program)


class Careless:
    """Handwritten validation that forgets checks and marks, and makes others up; the same for the same object."""

    def __call__(self, obj: dict[str, Any]) -> list[FieldError]:
        chance = random.Random(repr(sorted(obj.items())))
        found = []
        for name, least in LIMITS.items():
            for _ in range(chance.choice((0, 1, 1, 1, 2))):
                if obj.get(name, least) < least + chance.choice((0, 0, 0, 1)):
                    error = FieldError.invalid(name, obj.get(name), "x")
                    error.with_origin(chance.choice(("minimum", "minimum", "minimum", "maximum", "")))
                    if chance.random() < 0.7:
                        error.covered_by_declarative()
                    found.append(error)
        return found


class Seen:
    """Adds up what the run-time library tells."""

    def __init__(self) -> None:
        self.mismatches = 0

    def compared(self, outcome: Outcome) -> None:
        self.mismatches += len(outcome.mismatches)


@each(("release", "gates"), CASES, ids=str)
def test_the_numbers_are_those_of_the_run_time_library(release: str, gates: dict[str, bool]) -> None:
    program, registry = built(release)
    validate, seen = Careless(), Seen()
    harness = Harness.of(registry, "Crate", validate, gates=FeatureGates(release, gates), observers=[seen])
    side = Function(lambda request: validate(request.obj))
    judge = Judge(
        registry, Declarations.from_program(program, registry), side, ComparisonConfig(gates, release), Expectations()
    )
    chance = random.Random(1)
    objects = [{name: chance.randrange(-1, 5) for name in LIMITS if chance.random() < 0.7} for _ in range(300)]
    for obj in objects:
        harness.validate(obj)
    found = judge.judge([Request("Crate", obj) for obj in objects])
    (tally,) = found.tallies.values()
    assert found.bad == 0
    assert tally.mismatches == seen.mismatches
    assert (seen.mismatches > 0) is gates.get(VALIDATION, True)
