"""Answers of other people's code become plain ones, or are refused."""

from __future__ import annotations

import json
import pickle
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from validation_gen.commands.compare.groups import plain, sound
from validation_gen.commands.compare.sides import Refusal
from validation_gen.runtime.errors import OMITTED, ErrorType, FieldError

odd = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(st.characters()),
        st.binary(),
        st.dates(),
        st.complex_numbers(),
        st.decimals(),
        st.sets(st.integers()),
        st.builds(object),
        st.functions(),
    ),
    lambda inner: st.one_of(
        st.lists(inner), st.tuples(inner, inner), st.dictionaries(st.text() | st.integers(), inner)
    ),
    max_leaves=8,
)


@given(odd)
def test_plain_values_are_json_and_can_be_sent(value: Any) -> None:
    found = plain(value)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert pickle.loads(pickle.dumps(found)) == found
    assert plain(found) == found


@given(st.recursive(st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text(), st.lists, max_leaves=5))
def test_json_stays_as_it_is(value: Any) -> None:
    assert plain(value) == value


def test_omitted_values_stay_omitted() -> None:
    answer = sound([FieldError(ErrorType.INVALID, OMITTED, "is odd", "", ".a")])
    assert not isinstance(answer, Refusal)
    assert [str(each) for each in pickle.loads(pickle.dumps(answer))] == ["a: Invalid value: is odd"]


@given(st.sampled_from(["type", "detail", "origin", "level", "tag", "source", "segments", "marks"]), odd)
def test_whatever_is_in_an_error_it_can_be_used_or_is_refused(part: str, value: Any) -> None:
    error = FieldError.invalid("spec", 1, "x").with_origin("maximum")
    if part == "segments" and not isinstance(value, list | tuple):
        value = [value]
    setattr(error, part, value)
    answer = sound([error])
    if isinstance(answer, Refusal):
        assert "malformed error" in answer.text
    else:
        assert hash((error.type, error.origin, error.tag, error.source, error.field)) is not None
        json.dumps(error.as_dict(), allow_nan=False)


def test_good_answers_are_not_copied() -> None:
    errors = [FieldError.invalid("spec", 1, "x"), FieldError(ErrorType.TOO_MANY, [1, {"a": None}])]
    assert sound(errors) is errors
    assert errors[1].bad_value == [1, {"a": None}]
    refusal = Refusal("no")
    assert sound(refusal) is refusal
