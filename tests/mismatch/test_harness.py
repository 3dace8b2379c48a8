"""One request through a harness: what both sides are asked, what comes of it, and whose it is."""

from __future__ import annotations

import copy
import gc
import warnings
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mismatch.answers import Seen
from tests.mismatch.strategies import error_lists, normalizations
from tests.mismatch.widgets import GATES, Told, logged, widget
from tests.tables import each
from validation_gen.mismatch.adapters import HandwrittenError
from validation_gen.mismatch.expected import Expectation, Expectations
from validation_gen.mismatch.gates import BETA, TAKEOVER, FeatureGates
from validation_gen.mismatch.harness import Harness, all_declarative_enforced
from validation_gen.mismatch.outcome import Outcome
from validation_gen.runtime.errors import FieldError, Mark
from validation_gen.runtime.operation import Operation
from validation_gen.runtime.registry import Registry

FIELDS = (
    '// +k8s:beta(since: "1.37")=+k8s:maxLength=2\nA string `json:"a"`\n'
    '// +k8s:alpha(since: "1.37")=+k8s:immutable\nB string `json:"b"`\n'
    '// +k8s:ifEnabled(X)=+k8s:required\nC string `json:"c,omitempty"`'
)
OPTIONS = {"X": False}
OF_A = "a: Too long: may not be more than 2 characters"


def nothing(obj: Any, old: Any, op: Operation) -> None:
    return None


def harness_of(handwritten: Callable[..., Any] = nothing, **settings: Any) -> Harness:
    return Harness.of(widget(FIELDS), "Widget", handwritten, **{"gates": GATES, "options": OPTIONS, **settings})


def texts(errors: Sequence[FieldError]) -> list[str]:
    return [str(error) for error in errors]


# --- what is asked ----------------------------------------------------------------------------------------------------


def test_both_sides_are_asked_the_same() -> None:
    asked: list[Any] = []

    def handwritten(obj: Any, old: Any, op: Operation) -> list[FieldError]:
        asked.append((obj, old, op.update, op.options))
        return []

    def declarative(
        obj: Any, old: Any, update: bool, options: Mapping[str, bool], subresource: str
    ) -> list[FieldError]:
        asked.append((obj, old, update, dict(options), subresource))
        return []

    harness = Harness("Widget", handwritten, declarative, gates=GATES, options={"X": True})
    harness.validate({"a": 1})
    harness.validate({"a": 1}, {"a": 2}, subresource="/status")
    harness.validate({"a": 1}, update=True)
    harness.validate({"a": 1}, {"a": 2}, update=False)
    assert asked == [
        ({"a": 1}, None, False, {"X": True}),
        ({"a": 1}, None, False, {"X": True}, "/"),
        ({"a": 1}, {"a": 2}, True, {"X": True}),
        ({"a": 1}, {"a": 2}, True, {"X": True}, "/status"),
        ({"a": 1}, None, True, {"X": True}),
        ({"a": 1}, None, True, {"X": True}, "/"),
        ({"a": 1}, {"a": 2}, False, {"X": True}),
        ({"a": 1}, {"a": 2}, False, {"X": True}, "/"),
    ]


def test_options_may_depend_on_the_objects() -> None:
    told = Told(widget(FIELDS), nothing, options=lambda obj, old: {"X": obj["a"] == "on" or old is not None})
    assert told.ask({"a": "on"}) == ["c: Required value"]
    assert told.ask({"a": "no"}) == []
    assert told.ask({"a": "no", "b": "x"}, {"a": "no", "b": "x", "c": "y"}) == ["c: Required value"]


@pytest.mark.parametrize("options", [None, lambda obj, old: None, lambda obj, old: {}])
def test_without_options_none_is_defined(options: Any) -> None:
    told = Told(widget(FIELDS), nothing, options=options)
    assert told.ask({"a": "x"}) == ['c: Internal error: undefined validation option "X"']


def test_what_a_function_of_options_raises_comes_out() -> None:
    def options(obj: Any, old: Any) -> dict[str, bool]:
        raise LookupError("no such tenant")

    with pytest.raises(LookupError, match="no such tenant"):
        harness_of(options=options).validate({})


def test_an_update_may_be_without_an_old_object() -> None:
    told = Told(widget(FIELDS), nothing, options=OPTIONS)
    assert told.ask({"a": "x", "b": "y"}, update=True) == []
    assert [error.tag for error in told.seen.outcomes[0].declarative] == ['+k8s:alpha(since: "1.37")=+k8s:immutable']
    assert told.seen.outcomes[0].identifier == "widget_update"


def test_subresources_are_in_the_identifier() -> None:
    fields = f'{FIELDS}\n// +k8s:optional\nStatus string `json:"status,omitempty"`'
    comment = '// +k8s:supportsSubresource="/status"\n// +k8s:supportsSubresource="/a/b"'
    told = Told(widget(fields, comment=comment), nothing, options=OPTIONS)
    assert told.ask({"a": "xxx"}, subresource="/status") == [OF_A]
    assert told.ask({"a": "x"}, {"a": "x"}, subresource="/a/b") == []
    assert told.ask({"a": "x"}, subresource="/scale") == [
        "<nil>: Internal error: no validation found for *v1.Widget, subresource: /scale"
    ]
    assert [(each.identifier, each.subresource) for each in told.seen.outcomes] == [
        ("widget_status_create", "/status"),
        ("widget_a_b_update", "/a/b"),
        ("widget_scale_create", "/scale"),
    ]


def test_any_number_of_subresources_can_be_asked_for() -> None:
    seen = Seen()
    harness = Harness("Widget", nothing, lambda *request: [], gates=GATES, observers=[seen])
    for number in range(1500):
        harness.validate({}, subresource=f"/{number}")
    assert seen.outcomes[-1].identifier == "widget_1499_create"
    assert len(harness._reporter._identifiers) == 1000


def test_types_are_found_by_name_and_package() -> None:
    registry = widget(FIELDS)
    for name in ("Widget", "v1.Widget", "shop/v1.Widget", "example.com/shop/v1.Widget"):
        assert Harness.of(registry, name, nothing, gates=GATES, options=OPTIONS).validate({}) == []
    with pytest.raises(ValueError, match="there is no type Gadget"):
        Harness.of(registry, "Gadget", nothing)
    twice = Registry("generated", registry.kinds * 2)
    with pytest.raises(ValueError, match=r"Widget could be any of example.com/shop/v1.Widget, example.com"):
        Harness.of(twice, "Widget", nothing)


# --- what handwritten validators return -------------------------------------------------------------------------------


@pytest.mark.parametrize("returned", [None, [], (), iter(())])
def test_a_handwritten_validator_may_return_nothing(returned: Any) -> None:
    assert texts(harness_of(lambda obj, old, op: returned).validate({"a": "xxx"})) == [OF_A]


def test_a_handwritten_validator_may_return_any_iterable() -> None:
    def handwritten(obj: Any, old: Any, op: Operation) -> Any:
        yield FieldError.required("d")
        yield FieldError.required("e")

    told = Told(widget(FIELDS), handwritten, options=OPTIONS)
    assert told.ask({"a": "xxx"}) == ["d: Required value", "e: Required value", OF_A]
    assert texts(told.seen.outcomes[0].handwritten) == ["d: Required value", "e: Required value"]


def test_what_a_handwritten_validator_raises_comes_out() -> None:
    def handwritten(obj: Any, old: Any, op: Operation) -> Any:
        raise KeyError("spec")

    with pytest.raises(KeyError, match="spec"):
        harness_of(handwritten).validate({})


def test_a_handwritten_validator_may_answer_in_other_ways() -> None:
    told = Told(widget(FIELDS), lambda obj, old, op: ["is odd", {"b": ["is even"]}], options=OPTIONS)
    assert told.ask({"a": "x", "b": "y"}) == [
        '<nil>: Invalid value: "": is odd',
        'b: Invalid value: "y": is even',
    ]
    assert told.mismatches == 2  # errors that have no marks count as covered
    told = Told(widget(FIELDS), lambda obj, old, op: ["is odd"], options=OPTIONS, covered=False)
    told.ask({"a": "x"})
    assert told.mismatches == 0


def test_what_is_no_error_is_refused() -> None:
    with pytest.raises(HandwrittenError, match="returned 7 of type int; these are understood"):
        harness_of(lambda obj, old, op: [FieldError.required("a"), 7]).validate({})


def test_an_asynchronous_validator_must_be_awaited() -> None:
    async def handwritten(obj: Any, old: Any, op: Operation) -> list[FieldError]:
        return []

    def disguised(obj: Any, old: Any, op: Operation) -> Any:
        return handwritten(obj, old, op)

    with pytest.raises(TypeError, match="use `await validate_async"):
        harness_of(handwritten).validate({})
    # Nobody can see of a function whether what it returns must be awaited before it has returned it.
    with warnings.catch_warnings(record=True) as seen:
        with pytest.raises(HandwrittenError, match="disguised returned a coroutine: adapt an async function"):
            harness_of(disguised).validate({})
        gc.collect()
    assert seen == []


# --- whose it is ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gates", [FeatureGates("1.37"), FeatureGates("1.35"), FeatureGates("1.35", {TAKEOVER: True})])
def test_the_result_belongs_to_the_caller(gates: FeatureGates) -> None:
    own = [FieldError.required("d")]
    seen = Seen()
    harness = harness_of(lambda obj, old, op: own, gates=gates, observers=[seen])
    first = harness.validate({"a": "xxx"})
    wanted = texts(first)
    first.clear()
    second = harness.validate({"a": "xxx"})
    assert texts(second) == wanted
    assert second is not own
    assert len(own) == 1
    assert texts(seen.outcomes[0].result) == wanted
    assert texts(seen.outcomes[0].handwritten) == ["d: Required value"]
    harness_of(lambda obj, old, op: [], gates=gates).validate({"a": "x"}).append(own[0])
    assert harness_of(lambda obj, old, op: [], gates=gates).validate({"a": "x"}) == []


@each("obj", [{"a": "xxx", "b": "y", "more": [1, {"k": None}]}, {"a": 7}, {"a": None}, [], "x", None])
@each("old", [None, {"a": "xxx", "b": "z"}, {"a": []}])
def test_objects_are_never_changed(obj: Any, old: Any) -> None:
    before = copy.deepcopy((obj, old))
    harness_of().validate(obj, old)
    assert (obj, old) == before


# --- tests in which everything is enforced ----------------------------------------------------------------------------


@pytest.mark.parametrize("gates", [FeatureGates("1.37", {BETA: False}), FeatureGates("1.35")])
def test_tests_can_enforce_everything(gates: FeatureGates) -> None:
    covered = FieldError.invalid("a", "xxx", "long").covered_by_declarative()
    told = Told(widget(FIELDS), lambda obj, old, op: [covered, FieldError.required("d")], options=OPTIONS, gates=gates)
    both = ['a: Invalid value: "xxx": long', "d: Required value"]
    obj, old = {"a": "xxx", "b": "x"}, {"b": "y"}
    assert told.ask(obj, old) == both
    with all_declarative_enforced():
        assert told.ask(obj, old) == ["d: Required value", OF_A, "b: Invalid value: null: field is immutable"]
    assert told.ask(obj, old) == both


# --- what is expected -------------------------------------------------------------------------------------------------

KNOWN = Expectation("the tag is younger", kind="Widget", path="a", side="declarative")


def test_expected_differences_are_not_logged_and_counted_apart() -> None:
    told = Told(widget(FIELDS), nothing, options=OPTIONS, expected=Expectations([KNOWN]))
    assert told.ask({"a": "xxx"}) == [OF_A]
    assert told.messages == []
    (outcome,) = told.seen.outcomes
    assert (len(outcome.mismatches), len(outcome.expected)) == (0, 1)


def test_an_expected_difference_can_expire_while_the_program_runs() -> None:
    today = date(2027, 3, 31)
    entry = Expectation("for a while", kind="Widget", path="a", expires=date(2027, 3, 31))
    with logged() as records:
        expected = Expectations([entry], today=lambda: today)
        told = Told(widget(FIELDS), nothing, options=OPTIONS, expected=expected)
    assert records == []
    told.ask({"a": "xxx"})
    assert told.messages == []
    today = date(2027, 4, 1)
    told.ask({"a": "xxx"})
    assert len(told.messages) == 1
    assert [len(outcome.expected) for outcome in told.seen.outcomes] == [1, 0]
    with logged() as records:
        Told(widget(FIELDS), nothing, options=OPTIONS, expected=expected)
    assert [each.getMessage() for each in records] == ["An expected difference has expired on 2027-03-31: for a while"]


# --- whatever both sides say ------------------------------------------------------------------------------------------


@given(
    handwritten=error_lists(),
    declarative=error_lists(),
    rules=normalizations(),
    target=st.sampled_from(("1.35", "1.37")),
)
def test_every_request_is_answered(
    handwritten: list[FieldError], declarative: list[FieldError], rules: Any, target: str
) -> None:
    seen = Seen()
    harness = Harness(
        "Widget",
        lambda obj, old, op: handwritten,
        lambda *request: declarative,
        gates=FeatureGates(target),
        normalization=rules,
        short_circuit_mismatch=True,
        observers=[seen],
    )
    with logged() as records:
        result = harness.validate({})
    assert not any("failed" in each.msg or "could not be explained" in each.msg for each in records)
    outcome: Outcome = seen.outcomes[0]
    assert list(outcome.result) == result
    covered = {str(error) for error in handwritten if Mark.COVERED in error.marks}
    assert {str(error) for error in handwritten} - covered <= set(texts(result))
