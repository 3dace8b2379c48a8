"""Matching and printing errors where Kubernetes has no say: marks, values of decoded JSON, rules of normalisation.

What Kubernetes' own matcher says is in `test_upstream_answers`.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mismatch.strategies import error_lists, errors, normalizations
from tests.tables import each
from validation_gen.mismatch.matcher import ErrorMatcher, NormalizationRule, go_value, is_same_value
from validation_gen.runtime.errors import ErrorType, FieldError, Mark

RUN_TIME = ErrorMatcher().by_type().by_field().by_origin().require_origin_when_invalid()


def invalid(path: str = "a", value: object = 1, detail: str = "bad", origin: str = "minimum") -> FieldError:
    return FieldError.invalid(path, value, detail).with_origin(origin)


def test_values_and_details_do_not_matter_at_run_time() -> None:
    assert RUN_TIME.matches(invalid(value=1, detail="small"), invalid(value="1", detail="too small"))
    assert not RUN_TIME.matches(invalid(), invalid("b"))
    assert not RUN_TIME.matches(invalid(), invalid(origin="maximum"))
    assert not RUN_TIME.matches(invalid(origin=""), invalid(origin=""))
    assert RUN_TIME.matches(FieldError.required("a"), FieldError.required("a", "now"))


@pytest.mark.parametrize(
    ("mark", "got"),
    [
        (Mark.ANY_TYPE, FieldError.at("a", ErrorType.TOO_LONG, 1).with_origin("minimum")),
        (Mark.ANY_ORIGIN, invalid(origin="maximum")),
        (Mark.ANY_ORIGIN, invalid(origin="")),
        (Mark.ANY_FIELD, invalid("b[0].c")),
    ],
)
def test_what_a_handwritten_error_cannot_know_is_not_asked(mark: str, got: FieldError) -> None:
    assert not RUN_TIME.matches(invalid(), got)
    assert RUN_TIME.matches(invalid().marked(mark), got)
    assert not RUN_TIME.matches(invalid(), got.marked(mark))  # it is the handwritten one that does not know
    assert not RUN_TIME.matches(invalid("x", origin="y").marked(mark), FieldError.required("z"))


def test_an_error_that_knows_nothing_matches_anything() -> None:
    blank = FieldError.invalid(None, "", "broken").marked(Mark.ANY_TYPE, Mark.ANY_ORIGIN, Mark.ANY_FIELD)
    assert RUN_TIME.matches(blank, FieldError.required("a.b"))
    assert not RUN_TIME.by_detail_exact().matches(blank, FieldError.required("a.b"))


@each(
    ("child", "parent", "is_below"),
    [
        ("spec.ports[0]", "spec", True),
        ("spec.ports[0]", "spec.ports", True),
        ("spec", "spec", False),
        ("spec.container", "spec.con", False),
        ("spec", "spec.ports", False),
        ("spec", None, False),
    ],
)
def test_an_error_that_stopped_stands_for_any_below(child: str, parent: str | None, is_below: bool) -> None:
    matcher = RUN_TIME.match_ancestor_short_circuit()
    got = FieldError.required(parent)
    assert not matcher.matches(invalid(child), got)
    got.short_circuit = True
    assert matcher.matches(invalid(child), got) is is_below


def test_a_path_that_is_equal_is_not_normalized_to_one_above() -> None:
    got = FieldError.required("spec.ports")
    got.short_circuit = True
    matcher = RUN_TIME.by_field_normalized([NormalizationRule(r"\.ports", "")]).match_ancestor_short_circuit()
    assert not matcher.matches(invalid("spec.ports"), got)
    assert matcher.matches(invalid("spec.names"), got)


# --- normalisation ----------------------------------------------------------------------------------------------------

EXACTLY = NormalizationRule(r"^spec\.requests\[(\d+)\]\.mode", "spec.requests[$1].exactly.mode")


@each(
    ("rules", "path", "wanted"),
    [
        ([EXACTLY], "spec.requests[12].mode", "spec.requests[12].exactly.mode"),
        ([EXACTLY], "spec.requests[x].mode", "spec.requests[x].mode"),
        ([NormalizationRule("nothing", ""), NormalizationRule("spec", "a"), EXACTLY], "spec.requests[1].mode", None),
        ([NormalizationRule("(?P<first>a)b", "${first}c")], "abab", "acac"),
        ([NormalizationRule("(a)|(b)", "[$1$2]")], "ab", "[a][b]"),
        ([NormalizationRule("a", "$$1 $ ${")], "a", "$1 $ ${"),
        ([NormalizationRule("x*", "-")], "axb", "-a-b-"),
    ],
)
def test_the_first_rule_that_changes_a_path_is_applied(
    rules: list[NormalizationRule], path: str, wanted: str | None
) -> None:
    wanted = "a.requests[1].mode" if wanted is None else wanted
    assert ErrorMatcher().by_field_normalized(rules).normalized(path) == wanted


def test_only_what_was_got_is_normalized() -> None:
    matcher = RUN_TIME.by_field_normalized([EXACTLY])
    old, new = invalid("spec.requests[0].mode"), invalid("spec.requests[0].exactly.mode")
    assert matcher.matches(new, old)
    assert matcher.matches(old, old)
    assert not matcher.matches(old, new)
    assert matcher.render(old).startswith(
        '{Type="Invalid value", Field="spec.requests[0].exactly.mode" (aka "spec.requests[0].mode"), '
    )


@pytest.mark.parametrize(
    ("pattern", "replacement", "text"),
    [
        ("(", "", "is no regular expression"),
        ("a", "$1", r"has \$\{1\}, which is not a group of 'a'"),
        ("(a)", "$1x", r"has \$\{1x\}, which is not a group"),
        ("(?P<n>a)", "${m}", r"has \$\{m\}"),
    ],
)
def test_a_rule_that_cannot_be_meant_is_refused(pattern: str, replacement: str, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        NormalizationRule(pattern, replacement)


def test_a_rule_shows_what_it_is() -> None:
    assert repr(NormalizationRule("a", "b")) == "NormalizationRule('a', 'b')"


# --- values -----------------------------------------------------------------------------------------------------------


@each(
    ("value", "text"),
    [
        ("a\nb", r'"a\nb"'),
        (None, "<nil>"),
        (True, "true"),
        (12, "12"),
        (0.1, "0.1"),
        (1e21, "1e+21"),
        ([], "[]"),
        (["a", None, [1]], "[a <nil> [1]]"),
        ({"b": 1, "a": {"x": "y z"}}, "map[a:map[x:y z] b:1]"),
    ],
)
def test_values_are_printed_as_in_go(value: object, text: str) -> None:
    assert go_value(value) == text
    assert ErrorMatcher().by_value().render(invalid(value=value)) == f"{{Value={text}}}"


def test_values_inside_themselves_are_printed_and_compared() -> None:
    value: dict[str, Any] = {"a": []}
    value["a"].append(value)
    other: dict[str, Any] = {"a": []}
    other["a"].append(other)
    assert go_value(value) == "map[a:[...]]"
    assert is_same_value(value, other)
    deep: list[Any] = []
    for _ in range(10_000):
        deep = [deep]
    assert go_value(deep).startswith("[[[")
    assert is_same_value(deep, deep)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 1) | st.sampled_from((0.0, 1.0)) | st.sampled_from(("", "0")),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(("a", "b")), inner, max_size=2),
    max_leaves=4,
)


@given(VALUES, VALUES)
def test_values_are_the_same_if_they_are_of_one_type_at_any_depth(a: Any, b: Any) -> None:
    assert is_same_value(a, a)
    assert is_same_value(a, b) == is_same_value(b, a) == (typed(a) == typed(b))


def typed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: typed(item) for key, item in value.items()}
    return [typed(item) for item in value] if isinstance(value, list) else (type(value), value)


# --- tests ------------------------------------------------------------------------------------------------------------


def test_a_test_lists_everything_that_is_wrong() -> None:
    matcher = ErrorMatcher().by_type().by_field().by_origin()
    got = [invalid("a"), invalid("a"), FieldError.required("c")]
    with pytest.raises(AssertionError) as caught:
        matcher.check([FieldError.required("b")], got)
    one = '{Type="Invalid value", Field="a", Value=1, Origin="minimum", Detail="bad"}'
    assert str(caught.value).split("\n") == [
        "exact duplicate error:",
        one,
        "expected an error matching:",
        '{Type="Required value", Field="b", Origin=""}',
        "unmatched error:",
        one,
        "unmatched error:",
        one,
        "unmatched error:",
        '{Type="Required value", Field="c", Value="", Origin="", Detail=""}',
    ]


def test_a_wanted_error_with_an_origin_stands_for_all_that_match() -> None:
    matcher = ErrorMatcher().by_type().by_field().by_origin()
    matcher.check([invalid()], [invalid(detail="one"), invalid(detail="two")])
    with pytest.raises(AssertionError, match="unmatched error"):
        matcher.check([FieldError.required("a")], [FieldError.required("a", "one"), FieldError.required("a", "two")])
    error = FieldError.required("a")
    with pytest.raises(AssertionError, match="unmatched error"):
        matcher.check([FieldError.required("a")], [error, error])


def test_a_matcher_for_run_time_is_refused_in_tests() -> None:
    with pytest.raises(ValueError, match="not for tests"):
        RUN_TIME.match_ancestor_short_circuit().check([], [])


@given(want=error_lists(), got=error_lists(), rules=normalizations())
def test_any_two_lists_can_be_checked(want: list[FieldError], got: list[FieldError], rules: Any) -> None:
    matcher = RUN_TIME.by_field_normalized(rules).by_value().by_validation_stability_level().match_short_circuit()
    try:
        matcher.check(want, got)
    except AssertionError as error:
        assert str(error)  # noqa: PT017 - it is the text that matters, not whether there is one


@given(errors())
def test_an_error_matches_itself_exactly(error: FieldError) -> None:
    is_number = error.bad_value == error.bad_value  # NaN is not
    assert ErrorMatcher().exactly().by_validation_stability_level().matches(error, error) is is_number
