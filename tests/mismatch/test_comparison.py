"""Rules of comparison: those of releases up to 1.35, errors that do not know everything, and what a request becomes.

What Kubernetes' own functions say of random errors is in `test_upstream_answers`.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given

from tests.mismatch.strategies import error_lists, normalizations
from tests.tables import each
from validation_gen.mismatch.comparison import (
    Comparison,
    duplicates,
    is_of_shape,
    without_superseded,
)
from validation_gen.mismatch.outcome import Side
from validation_gen.runtime.errors import ErrorType, FieldError, Mark
from validation_gen.runtime.levels import Level, filter_enforced

SINCE_1_36 = Comparison()
UNTIL_1_35 = Comparison(one_to_many=True)


def hand(path: str = "a", detail: str = "", *, value: object = "x") -> FieldError:
    return FieldError.invalid(path, value, detail).with_origin("maximum").covered_by_declarative()


def tagged(path: str = "a", level: str = "beta", type: ErrorType = ErrorType.INVALID) -> FieldError:
    error = FieldError.at(path, type, "x", "must be less").with_origin("maximum")
    error.level, error.tag = level, "+k8s:maximum=1"
    return error


def sides(comparison: Comparison, handwritten: list[FieldError], declarative: list[FieldError]) -> list[str]:
    return [each.side.value for each in comparison.mismatches(handwritten, declarative)]


def test_equal_sides_have_no_mismatches() -> None:
    for comparison in (SINCE_1_36, UNTIL_1_35):
        assert sides(comparison, [], []) == []
        assert sides(comparison, [hand()], [tagged()]) == []
        assert sides(comparison, [hand()], [tagged(), tagged()]) == []
        assert sides(comparison, [hand("b"), hand("a")], [tagged("a"), tagged("b")]) == []


def test_handwritten_mismatches_come_first_each_in_the_order_of_its_side() -> None:
    found = SINCE_1_36.mismatches([hand("b"), hand("a")], [tagged("d"), tagged("c")])
    assert [(each.side, each.error.field) for each in found] == [
        (Side.HANDWRITTEN, "b"),
        (Side.HANDWRITTEN, "a"),
        (Side.DECLARATIVE, "d"),
        (Side.DECLARATIVE, "c"),
    ]


def test_only_exact_duplicates_count_once_until_1_35() -> None:
    twice, reworded = [hand(detail="no"), hand(detail="no")], [hand(detail="no"), hand(detail="never")]
    assert sides(UNTIL_1_35, twice, []) == ["handwritten"]
    assert sides(UNTIL_1_35, reworded, []) == ["handwritten", "handwritten"]
    assert sides(UNTIL_1_35, [hand(value=1), hand(value=True)], []) == ["handwritten", "handwritten"]
    assert sides(SINCE_1_36, reworded, []) == ["handwritten"]


def test_until_1_35_a_declarative_error_is_the_counterpart_of_one_handwritten_error() -> None:
    reworded = [hand(detail="no"), hand(detail="never")]
    assert sides(UNTIL_1_35, reworded, [tagged()]) == ["handwritten"]
    assert sides(UNTIL_1_35, reworded, [tagged(), tagged()]) == ["handwritten"]
    assert sides(SINCE_1_36, reworded, [tagged()]) == []


@each(
    ("comparison", "level", "enforced", "advice"),
    [
        (SINCE_1_36, "beta", True, "disabling the DeclarativeValidationBeta feature gate"),
        (SINCE_1_36, "", True, "disabling the DeclarativeValidationBeta feature gate"),
        (SINCE_1_36, "alpha", True, "hand written validation is authoritative"),
        (SINCE_1_36, "beta", False, "hand written validation is authoritative"),
        (UNTIL_1_35, "alpha", True, "disabling the DeclarativeValidationTakeover feature gate"),
        (UNTIL_1_35, "", False, "hand written validation is authoritative"),
    ],
)
def test_messages_advise_as_the_side_in_charge_demands(
    comparison: Comparison, level: str, enforced: bool, advice: str
) -> None:
    handwritten = hand()
    handwritten.level = level
    for found in (
        comparison.mismatches([handwritten], [], enforced=enforced),
        comparison.mismatches([], [tagged(level=level)], enforced=enforced),
    ):
        assert advice in found[0].message


# --- errors that do not know everything -------------------------------------------------------------------------------


def blank(detail: str) -> FieldError:
    error = FieldError.invalid(None, "", detail).covered_by_declarative()
    return error.marked(Mark.ANY_TYPE, Mark.ANY_ORIGIN, Mark.ANY_FIELD)


def test_errors_that_know_nothing_are_different_if_they_are_worded_differently() -> None:
    assert sides(SINCE_1_36, [blank("no"), blank("no")], []) == ["handwritten"]
    assert sides(SINCE_1_36, [blank("no"), blank("never")], []) == ["handwritten", "handwritten"]
    assert sides(SINCE_1_36, [blank("no"), hand()], []) == ["handwritten", "handwritten"]
    assert sides(SINCE_1_36, [blank("no")], [tagged("a"), tagged("b")]) == []


def test_with_everything_compared_marks_are_not_asked_for() -> None:
    plain = FieldError.required("a")
    assert sides(SINCE_1_36, [plain], []) == []
    assert sides(Comparison(everything=True), [plain], []) == ["handwritten"]


# --- what a request becomes -------------------------------------------------------------------------------------------


def test_levels_decide_what_is_enforced() -> None:
    alpha, beta, standard = tagged(level="alpha"), tagged(level="beta"), tagged(level="")
    internal = tagged(level="alpha", type=ErrorType.INTERNAL)
    errors = [alpha, beta, standard, internal]
    assert filter_enforced(errors, Level.BETA.hidden) == [beta, standard, internal]
    assert filter_enforced(errors, Level.STANDARD.hidden) == [standard, internal]
    assert filter_enforced(errors, Level.ALPHA.hidden) == errors


def test_enforced_beta_errors_supersede_covered_ones() -> None:
    matcher = SINCE_1_36.matcher
    covered, plain = hand(detail="covered"), FieldError.invalid("a", "x", "plain").with_origin("maximum")
    assert without_superseded([covered, plain], [tagged()], matcher) == [plain]
    assert without_superseded([covered, plain], [tagged(level="")], matcher) == [covered, plain]
    assert without_superseded([covered, plain], [tagged("b")], matcher) == [covered, plain]
    assert without_superseded([covered, plain], [], matcher, everything=True) == [plain]


def test_of_errors_with_one_text_the_first_decides() -> None:
    matcher = SINCE_1_36.matcher
    covered, plain = hand(detail="same"), FieldError.invalid("a", "x", "same").with_origin("maximum")
    assert without_superseded([plain, covered], [tagged()], matcher) == [plain]
    assert without_superseded([covered, plain], [tagged()], matcher) == []


def test_every_repetition_is_a_duplicate() -> None:
    one, other = FieldError.required("a"), FieldError.required("b")
    assert duplicates([one, other]) == []
    assert duplicates([one, other, one, FieldError.required("a").with_origin("x")]) == ["a: Required value"] * 2


def test_only_errors_of_no_tag_can_be_of_the_shape() -> None:
    assert is_of_shape(FieldError.type_invalid("a", 1, "must be a string"))
    assert not is_of_shape(tagged(type=ErrorType.TYPE_INVALID))
    assert not is_of_shape(FieldError.invalid("a", 1, "must be a string"))


@given(error_lists(), error_lists(), normalizations())
def test_mismatches_are_errors_of_their_side(handwritten: Any, declarative: Any, rules: Any) -> None:
    for comparison in (
        Comparison(rules),
        Comparison(rules, True),
        Comparison(rules, everything=True),
        Comparison(rules, one_to_many=True),
    ):
        found = comparison.mismatches(handwritten, declarative)
        for side, errors in ((Side.HANDWRITTEN, handwritten), (Side.DECLARATIVE, declarative)):
            mine = Counter(id(each.error) for each in found if each.side is side)
            assert mine <= Counter(id(error) for error in errors)
    lenient = len(Comparison(rules, True).mismatches(handwritten, declarative))
    assert lenient <= len(Comparison(rules).mismatches(handwritten, declarative))
