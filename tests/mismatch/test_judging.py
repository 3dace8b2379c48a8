"""What two answers amount to: the gates, which errors take part, what supersedes what, and what is answered."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest

from tests.tables import each
from validation_gen.mismatch.comparison import Comparison
from validation_gen.mismatch.expected import Expectation, Expectations
from validation_gen.mismatch.gates import BETA, TAKEOVER, VALIDATION
from validation_gen.mismatch.judging import Verdict, is_asked, judge
from validation_gen.runtime.errors import ErrorType, FieldError, Mark

NEW, OLD, ALL = Comparison(), Comparison(one_to_many=True), Comparison(everything=True)
HOLE = "+k8s:minimum=1"


def error(path: str, *, level: str = "", tag: str = HOLE, type: ErrorType = ErrorType.INVALID) -> FieldError:
    """An error of a tag. Errors of one path have the same origin, so that they are counterparts."""
    found = FieldError.at(path, type, 0, "x").with_origin("minimum")
    found.level, found.tag = level, tag
    return found


def hand(path: str, *, covered: bool = True) -> FieldError:
    """A handwritten error."""
    found = error(path, tag="")
    return found.covered_by_declarative() if covered else found


A, B = hand("a"), hand("b")
PLAIN = hand("a", covered=False)
ALPHA, BETA_A, STANDARD = error("a", level="alpha"), error("a", level="beta"), error("a")
SHAPE = error("c", tag="", type=ErrorType.TYPE_INVALID)
PANIC = FieldError.internal(None, "panic: x").marked(Mark.PANIC)
ON, OFF = {VALIDATION: True, BETA: True}, {VALIDATION: True, BETA: False}
TOOK, STAYED = {VALIDATION: True, TAKEOVER: True}, {VALIDATION: True, TAKEOVER: False}
NOT_ASKED = {VALIDATION: False, TAKEOVER: True}

#: Name, comparison, gates, handwritten and declarative errors; then the answer, what took part, and what differs.
RULES: list[tuple[str, Comparison, dict[str, bool], list[FieldError], list[FieldError], list[str], str, str]] = [
    ("since 1.36 a beta rule supersedes", NEW, ON, [A], [BETA_A], ["tag a"], "a", ""),
    ("... while the gate is on", NEW, OFF, [A], [BETA_A], ["hand a"], "a", ""),
    ("... and only what is covered", NEW, ON, [PLAIN], [BETA_A], ["hand a", "tag a"], "a", "tag a"),
    ("an alpha rule is compared, and never counts", NEW, ON, [], [ALPHA], [], "a", "tag a"),
    ("a standard rule counts, and is not compared", NEW, OFF, [], [STANDARD], ["tag a"], "", ""),
    ("... so its covered twin differs", NEW, ON, [A], [STANDARD], ["hand a", "tag a"], "", "hand a"),
    ("a missing covered error differs", NEW, ON, [A, B], [BETA_A], ["hand b", "tag a"], "a", "hand b"),
    ("until 1.35 the handwritten side answers", OLD, STAYED, [A, B], [STANDARD], ["hand a", "hand b"], "a", "hand b"),
    (
        "... unless all rules have taken over",
        OLD,
        TOOK,
        [PLAIN, B],
        [STANDARD],
        ["hand a", "tag a"],
        "a",
        "hand b tag a",
    ),
    ("... levels do not matter", OLD, STAYED, [A], [ALPHA], ["hand a"], "a", ""),
    ("... what does not decode is not compared", OLD, TOOK, [], [SHAPE], ["tag c"], "", ""),
    ("... nothing is compared without the gate", OLD, NOT_ASKED, [A], [STANDARD, SHAPE], ["hand a"], "", ""),
    (
        "without gates everything is compared",
        ALL,
        {},
        [PLAIN, B],
        [STANDARD, ALPHA],
        ["hand a", "hand b"],
        "a a",
        "hand b",
    ),
]


@each("rule", RULES, ids=[each[0] for each in RULES])
def test_rules(
    rule: tuple[str, Comparison, dict[str, bool], list[FieldError], list[FieldError], list[str], str, str],
) -> None:
    _, comparison, states, handwritten, declarative, answer, compared, mismatches = rule
    found = judge(handwritten, declarative, comparison, states)
    assert named(found.answer) == answer
    assert " ".join(each.field for each in found.compared) == compared
    assert " ".join(named([each.error for each in found.mismatches])) == mismatches
    assert [*found.unexpected, *found.expected] == [*found.unexpected] == [*found.mismatches]
    assert (found.panic, found.failure) == ("", None)


def named(errors: Sequence[FieldError]) -> list[str]:
    """Whose errors they are, and where."""
    own = [A, B, PLAIN]
    return [f"{'hand' if any(each is one for one in own) else 'tag'} {each.field}" for each in errors]


@pytest.mark.parametrize(
    ("comparison", "states", "all_enforced", "answer", "compared"),
    [
        (NEW, ON, False, ["hand b", "tag <nil>"], ""),
        (OLD, STAYED, False, ["hand b"], ""),
        (OLD, TOOK, False, ["tag <nil>"], "<nil>"),
        (OLD, STAYED, True, ["tag <nil>"], "<nil>"),
        (ALL, {}, False, ["hand b"], "a <nil>"),
    ],
    ids=["since 1.36", "contained until 1.35", "until 1.35 after takeover", "all enforced", "without gates"],
)
def test_a_panic_loses_what_other_rules_have_found(
    comparison: Comparison, states: dict[str, bool], all_enforced: bool, answer: list[str], compared: str
) -> None:
    found = judge([B], [BETA_A, PANIC], comparison, states, panicked=True, all_enforced=all_enforced)
    assert found.panic == "panic: x"
    assert named(found.answer) == answer
    assert " ".join(each.field for each in found.compared) == compared
    assert "hand b" in named([each.error for each in found.mismatches])


@pytest.mark.parametrize(("comparison", "states"), [(NEW, OFF), (OLD, STAYED), (OLD, NOT_ASKED)], ids=str)
def test_tests_can_enforce_everything(comparison: Comparison, states: dict[str, bool]) -> None:
    found = judge([PLAIN, B], [ALPHA, STANDARD], comparison, states, all_enforced=True)
    assert named(found.answer) == ["hand a", "tag a", "tag a"]


def test_only_a_gate_keeps_the_declarative_side_from_being_asked() -> None:
    assert is_asked({})
    assert is_asked(STAYED)
    assert is_asked(NOT_ASKED, all_enforced=True)
    assert not is_asked(NOT_ASKED)


@pytest.mark.parametrize(
    ("comparison", "states", "declarative", "advice"),
    [
        (NEW, ON, BETA_A, f"disabling the {BETA} "),
        (NEW, ON, ALPHA, "handwritten is authoritative"),
        (NEW, OFF, BETA_A, "handwritten is authoritative"),
        (OLD, TOOK, STANDARD, f"disabling the {TAKEOVER} "),
        (OLD, STAYED, STANDARD, "handwritten is authoritative"),
    ],
    ids=str,
)
def test_advice_is_given_as_the_rule_can_be_enforced(
    comparison: Comparison, states: dict[str, bool], declarative: FieldError, advice: str
) -> None:
    (mismatch,) = judge([], [declarative], comparison, states).mismatches
    assert advice in mismatch.message.replace("hand written validation", "handwritten")


def test_what_is_expected_is_told_apart() -> None:
    expectations = Expectations([Expectation("known", path="b")], today=lambda: date(2027, 1, 1))
    found = judge([A, B], [], NEW, ON, lambda mismatch: expectations.find("Widget", mismatch))
    assert [each.error for each in found.mismatches] == [A, B]
    assert [each.error for each in found.unexpected] == [A]
    assert [each.error for each in found.expected] == [B]


def test_what_the_comparison_raises_does_not_lose_the_answer() -> None:
    failure = ValueError("no clock")

    def fail(mismatch: object) -> bool:
        raise failure

    found = judge([A, B], [], NEW, ON, fail)
    assert (found.failure, named(found.answer)) == (failure, ["hand a", "hand b"])
    assert (found.unexpected, found.expected) == ([], [])


def test_where_nothing_is_wrong_there_is_nothing_to_tell() -> None:
    assert judge([], [], NEW, ON) == Verdict()


def test_the_lists_that_are_judged_stay_as_they_are() -> None:
    handwritten, declarative = [A, B, A], [BETA_A, BETA_A]
    found = judge(handwritten, declarative, NEW, OFF)
    assert (handwritten, declarative) == ([A, B, A], [BETA_A, BETA_A])
    assert found.answer is not handwritten
