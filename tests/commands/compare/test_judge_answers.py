"""With gates, `compare` and the service library come to the verdicts that Kubernetes' own functions have come to."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from tests.commands.compare.parts import Function
from tests.mismatch.answers import Seen, errors_of, read_answers
from tests.tables import each
from validation_gen.commands.compare.grouping import Declarations
from validation_gen.commands.compare.judge import ComparisonConfig, Judge
from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.results import Results
from validation_gen.mismatch import Harness
from validation_gen.mismatch.expected import Expectations
from validation_gen.mismatch.gates import BETA, TAKEOVER, VALIDATION, FeatureGates
from validation_gen.runtime.errors import FieldError, Mark
from validation_gen.runtime.registry import Kind, Registry

KIND = Kind("v1", "Widget", "example.com/v1", "", "")
#: The mode in which everything is enforced is one of tests; `compare` does not have it.
CASES = [case for case in read_answers() if case["mode"] in ("35", "37") and not case.get("all")]
_STATES = (False, True)
RELEASES = [("1.37", {BETA: beta}) for beta in _STATES] + [
    ("1.35", {VALIDATION: asked, TAKEOVER: takeover}) for asked, takeover in product(_STATES, _STATES)
]


class Answering(Registry):
    """A generated package of one kind that has been told its answer."""

    def __init__(self, answer: Callable[[], list[FieldError]]) -> None:
        super().__init__("made", [KIND])
        self.answer = answer

    def run(self, *request: Any, **more: Any) -> list[FieldError]:
        return self.answer()


def compared(answer: Callable[[], list[FieldError]], hand: list[FieldError], manner: ComparisonConfig) -> Results:
    """One request by `compare`."""
    judge = Judge(Answering(answer), Declarations(), Function(lambda request: hand), manner, Expectations())
    found = judge.judge([Request("Widget", {})])
    assert found.notes == []
    return found


@pytest.mark.parametrize("mode", ["35", "37"])
def test_the_numbers_are_those_that_were_recorded(mode: str) -> None:
    cases = [case for case in CASES if case["mode"] == mode]
    assert len(cases) >= 40
    for case in cases:

        def answer(case: dict[str, Any] = case) -> list[FieldError]:
            if case.get("panic"):
                raise RuntimeError(case["panic"])
            return errors_of(case["decl"])

        manner = ComparisonConfig(
            {BETA: case["on"]} if mode == "37" else {TAKEOVER: case["on"]},
            "1.37" if mode == "37" else "1.35",
            tuple(tuple(rule) for rule in case.get("rules", ())),
            case.get("shortCircuit", False),
        )
        found = compared(answer, errors_of(case["hand"]), manner)
        (tally,) = found.tallies.values()
        wanted = case["answer"]
        assert (tally.mismatches, tally.panics) == (wanted["mismatches"], wanted["panics"]), case
        messages = {group.example.message for group in found.groups.values()}
        assert messages <= set(wanted["logged"]), case


@each(("release", "gates"), RELEASES, ids=str)
def test_a_function_that_fails_among_rules_is_judged_alike(release: str, gates: dict[str, bool]) -> None:
    """What other rules have found beside a panic is lost in a service, so it is no difference here."""

    def answer() -> list[FieldError]:
        beside = FieldError.invalid("a", 1, "x").with_origin("minimum")
        beside.level, beside.tag = "beta", "+k8s:minimum=2"
        return [beside, FieldError.internal("b", "panic: x").marked(Mark.PANIC)]

    hand = [FieldError.invalid("c", 1, "x").with_origin("minimum").covered_by_declarative()]
    seen = Seen()
    Harness(
        "Widget",
        lambda obj, old, op: hand,
        lambda *request: answer(),
        gates=FeatureGates(release, gates),
        observers=[seen],
    ).validate({})
    (outcome,) = seen.outcomes
    (tally,) = compared(answer, hand, ComparisonConfig(gates, release)).tallies.values()
    assert tally.mismatches == len(outcome.mismatches)
    assert tally.panics == 1
