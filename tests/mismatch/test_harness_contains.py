"""Nothing that goes wrong beside the handwritten validation keeps it from answering."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import pytest

from tests.mismatch.answers import Seen
from tests.mismatch.widgets import GATES, Told, logged, widget
from tests.tables import each
from validation_gen.mismatch.causes import Knowledge
from validation_gen.mismatch.comparison import Declarative
from validation_gen.mismatch.expected import Expectation, Expectations
from validation_gen.mismatch.gates import BETA, TAKEOVER, FeatureGates
from validation_gen.mismatch.harness import Harness
from validation_gen.mismatch.outcome import Cause, Outcome
from validation_gen.runtime.errors import FieldError

OWN = FieldError.required("own")
COVERED = FieldError.too_long("a", 2).with_origin("maxLength").covered_by_declarative()


class UnspeakableError(Exception):
    """Has no text."""

    def __str__(self) -> str:
        raise RuntimeError("no text")


def bottomless() -> None:
    bottomless()


def raising(failure: BaseException) -> Declarative:
    def declarative(
        obj: Any, old: Any, update: bool, options: Mapping[str, bool], subresource: str
    ) -> Sequence[FieldError]:
        raise failure

    return declarative


def harness_of(declarative: Declarative, *observers: Any, **settings: Any) -> Harness:
    settings.setdefault("gates", GATES)
    return Harness("Widget", lambda obj, old, op: [OWN, COVERED], declarative, observers=observers, **settings)


FAILURES = [
    (ValueError("out of order"), "out of order"),
    (KeyError("spec"), "'spec'"),
    (AssertionError(), "AssertionError"),
    (SystemExit(3), "3"),
    (RecursionError("maximum recursion depth exceeded"), "maximum recursion depth exceeded"),
    (MemoryError(), "MemoryError"),
    (UnspeakableError(), "UnspeakableError"),
]


@each(("failure", "text"), FAILURES, ids=lambda each: type(each).__name__)
def test_a_failure_is_one_internal_error(failure: BaseException, text: str) -> None:
    seen = Seen()
    with logged() as records:
        result = harness_of(raising(failure), seen).validate({})
    panic = f"panic during declarative validation: {text}"
    assert [str(error) for error in result] == [str(OWN), str(COVERED), f"<nil>: Internal error: {panic}"]
    (outcome,) = seen.outcomes
    assert outcome.panic is failure
    assert [error.detail for error in outcome.declarative] == [panic]
    assert [mismatch.error for mismatch in outcome.mismatches] == [COVERED]
    assert records[0].getMessage() == panic
    assert records[0].exc_info is not None
    assert records[0].exc_info[1] is failure
    assert records[1].__dict__["cause"] == Cause.PANIC.value
    assert len(records) == 2


@pytest.mark.parametrize("failure", [KeyboardInterrupt(), asyncio.CancelledError(), GeneratorExit()])
def test_an_interruption_is_no_failure(failure: BaseException) -> None:
    with pytest.raises(type(failure)):
        harness_of(raising(failure)).validate({})


def test_the_gate_of_beta_rules_does_not_hide_a_failure() -> None:
    harness = harness_of(raising(ValueError("x")), gates=FeatureGates("1.37", {BETA: False}))
    assert str(harness.validate({})[-1]) == "<nil>: Internal error: panic during declarative validation: x"


def test_until_1_35_a_failure_is_logged_unless_rules_have_taken_over() -> None:
    gates = FeatureGates("1.35")
    seen = Seen()
    harness = harness_of(raising(ValueError("x")), seen, gates=gates)
    with logged() as records:
        assert harness.validate({}) == [OWN, COVERED]
    assert [record.getMessage()[:40] for record in records] == [
        "panic during declarative validation: x",
        "Unexpected difference between hand writt",
    ]
    assert (seen.outcomes[0].panic is not None, seen.outcomes[0].declarative) == (True, ())
    gates.set(TAKEOVER, True)
    assert [str(error) for error in harness.validate({})] == [
        str(OWN),
        "<nil>: Internal error: panic during declarative validation: x",
    ]


CUSTOM = """
from validation_gen.runtime.errors import ErrorType, FieldError

def ValidateCustom_Widget_B(value, old, op):
    def deeper():
        deeper()
    if value == "raise":
        raise ValueError("out of order")
    if value == "exit":
        raise SystemExit("bye")
    if value == "deep":
        deeper()
    return ["nonsense"] if value == "nonsense" else None
"""
FIELDS = (
    '// +k8s:beta(since: "1.37")=+k8s:maxLength=2\nA string `json:"a"`\n// +k8s:customValidation\nB string `json:"b"`'
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("raise", "panic during declarative validation: out of order"),
        ("exit", "panic during declarative validation: bye"),
        ("deep", "panic during declarative validation: maximum recursion depth exceeded"),
        ("nonsense", "ValidateCustom_Widget_B must return a list of FieldError"),
    ],
)
def test_a_failing_function_loses_what_other_rules_have_found(value: str, text: str) -> None:
    told = Told(widget(FIELDS, CUSTOM), lambda obj, old, op: [OWN])
    assert told.ask({"a": "xxx", "b": value}) == [str(OWN), f"<nil>: Internal error: {text}"]
    assert told.panics == 1
    assert told.mismatches == 0
    assert told.ask({"a": "xx", "b": "fine"}) == [str(OWN)]


def test_an_object_that_is_nested_too_deeply_is_answered() -> None:
    fields = 'A string `json:"a"`\nNext *Widget `json:"next,omitempty"`'
    told = Told(widget(f"// +k8s:required\n{fields}"), lambda obj, old, op: [OWN])
    obj: dict[str, Any] = {}
    for _ in range(100_000):
        obj = {"a": "x", "next": obj}
    assert told.ask(obj) == [str(OWN), "<nil>: Internal error: the object is nested too deeply"]
    while obj:  # the interpreter cannot free it in one go everywhere
        obj = obj["next"]


# --- observers, expectations, explanations ----------------------------------------------------------------------------


class Broken:
    """An observer that fails."""

    def __init__(self, failure: BaseException) -> None:
        self.failure = failure

    def compared(self, outcome: Outcome) -> None:
        raise self.failure


@pytest.mark.parametrize("errors", [[], [COVERED]])
@pytest.mark.parametrize("failure", [ValueError("full"), SystemExit(1)])
def test_a_failing_observer_is_logged_and_the_next_one_told(failure: BaseException, errors: list[FieldError]) -> None:
    seen = Seen()
    harness = Harness(
        "Widget", lambda *request: errors, lambda *request: [], gates=GATES, observers=[Broken(failure), seen]
    )
    with logged() as records:
        assert harness.validate({}) == errors
    assert len(seen.outcomes) == 1
    assert records[-1].getMessage() == "An observer of the comparison failed"


def test_a_clock_that_fails_does_not_lose_the_answer() -> None:
    days = [date(2027, 1, 1)]  # one for the beginning

    expected = Expectations([Expectation("known", kind="Gadget")], today=days.pop)
    harness = harness_of(lambda *request: [], expected=expected)
    with logged() as records:
        assert harness.validate({}) == [OWN, COVERED]
    assert records[-1].getMessage() == "The comparison of handwritten and declarative validation failed"


def test_a_validator_that_fails_when_it_is_asked_why_does_not_lose_the_difference() -> None:
    asked = []

    def declarative(obj: Any, old: Any, update: bool, *rest: Any) -> Sequence[FieldError]:
        asked.append(update)
        if not update:
            raise SystemExit("not as a create")
        return []

    seen = Seen()
    with logged() as records:
        assert harness_of(declarative, seen).validate({}, {}) == [OWN, COVERED]
    assert asked == [True, False]
    assert [record.__dict__["cause"] for record in records] == [Cause.RULE_MISSING.value]
    assert seen.outcomes[0].panic is None


def test_the_other_ways_are_asked_once_for_all_differences() -> None:
    asked = []

    def declarative(obj: Any, old: Any, update: bool, options: Mapping[str, bool], sub: str) -> Sequence[FieldError]:
        asked.append((update, dict(options)))
        return []

    errors = [FieldError.required(name).covered_by_declarative() for name in "abcde"]
    harness = Harness("Widget", lambda *request: errors, declarative, gates=GATES, options={"X": True})
    with logged() as records:
        harness.validate({}, {})
    assert len(records) == 5
    assert asked == [(True, {"X": True}), (False, {"X": True}), (True, {"X": False})]


def test_knowledge_that_fails_does_not_lose_the_difference() -> None:
    def rule(error: FieldError) -> Any:
        raise LookupError

    settings: dict[str, Any] = {"knowledge": Knowledge(rule)}
    with logged() as records:
        harness_of(lambda *request: [], **settings).validate({})
    assert [record.getMessage()[:10] for record in records] == ["A differen", "Unexpected"]
    assert "cause" not in records[1].__dict__
