"""One request after the other: what is counted, noted, explained and kept."""

from __future__ import annotations

import json
from typing import Any

from tests.commands.compare.parts import KIND, agreeing, judge, shelf
from validation_gen.commands.compare.inputs import Bad
from validation_gen.commands.compare.requests import Request
from validation_gen.commands.compare.results import Results, Tally
from validation_gen.commands.compare.sides import Answer, Refusal
from validation_gen.runtime.errors import FieldError


def nothing(request: Request) -> Answer:
    return []


def test_agreement_is_counted_with_and_without_errors() -> None:
    found = judge(agreeing)[0].judge([shelf(1), shelf(6), shelf(6, 7), shelf(1, old=shelf(2).obj)])
    assert found.tallies == {
        (KIND, "create"): Tally(agreeing=3, invalid=2),
        (KIND, "update"): Tally(agreeing=1),
    }
    assert found.groups == {}
    (rule,) = found.rules
    assert (rule.path, rule.origin, rule.count) == ("levels[*].height", "maximum", 3)


def test_differences_are_counted_in_requests_in_errors_and_in_groups() -> None:
    found = judge(nothing)[0].judge([shelf(6, 7), shelf(1), shelf(8)])
    assert found.tallies[KIND, "create"] == Tally(agreeing=1, differing=2, mismatches=3)
    ((sort, expected),) = found.groups
    group = found.groups[sort, expected]
    assert (sort.path, sort.cause, group.count, expected) == ("levels[*].height", "rule extra", 3, "")
    assert group.example.obj == shelf(8).obj  # one error, and smaller


def test_what_cannot_be_compared_is_noted_in_the_order_of_the_input() -> None:
    def refusing(request: Request) -> Answer:
        return Refusal("tired") if request.place == "c" else []

    requests: list[Request | Bad] = [
        Request("Nothing", {}, place="a"),
        Bad("b", "{", "not JSON"),
        shelf(1, place="c"),
        Request("Shelf", {"levels": "x"}, place="d"),
        shelf(1, place="e"),
        Request("Shelf", {}, api_version="other/v1", place="f"),
    ]
    one, side = judge(refusing)
    found = one.judge(requests)
    assert [note.partition(":")[0] for note in found.notes] == ["a", "b", "c", "d", "f"]
    assert found.notes[1] == "b: not JSON: {"
    assert "tired" in found.notes[2]
    assert "does not decode: levels" in found.notes[3]
    assert (found.bad, found.compared) == (5, 1)
    assert [each.place for each in side.asked] == ["c", "e"]  # nobody is asked about what does not decode


def test_the_results_do_not_depend_on_how_the_work_is_divided() -> None:
    requests: list[Request | Bad] = []
    for number in range(60):
        requests.append(shelf(number % 9, 1, number % 11, place=str(number)))
        if number % 4 == 0:
            requests.append(Bad(f"bad {number}", "", "wrong"))

    def whole(size: int) -> dict[str, Any]:
        one, _ = judge(nothing, {"path": "levels[0].height", "reason": "known"})
        found = Results()
        for start in range(0, len(requests), size):
            chunk = requests[start : start + size]
            found.merge(one.judge(chunk, [(0, start + number) for number in range(len(chunk))]))
        found.merge_operations()
        found.handwritten_seconds = found.declarative_seconds = 0
        return found.as_json()

    expected = whole(len(requests))
    assert expected["totals"]["mismatches"] > 0 < expected["totals"]["expected"]
    for size in (1, 2, 7, 50):
        assert json.dumps(whole(size), sort_keys=True) == json.dumps(expected, sort_keys=True)


def test_only_what_is_expected_at_a_place_is_expected() -> None:
    one, _ = judge(nothing, {"path": "levels[0].height", "reason": "the first is special"})
    found = one.judge([shelf(6), shelf(1, 6), shelf(6, 6)])
    assert found.mismatches == 2
    assert {expected: group.count for (_, expected), group in found.groups.items()} == {
        "the first is special": 2,
        "": 2,
    }
    assert found.tallies[KIND, "create"] == Tally(agreeing=1, differing=2, mismatches=2, expected=2)


def test_options_are_those_of_the_request_first() -> None:
    heavy = {"levels": [{"height": 1, "weight": 101}]}
    manner = {"options": {"Heavy": False}, "unstated": frozenset({"Heavy"})}
    requests = [
        Request("Shelf", heavy, place="off"),
        Request("Shelf", heavy, options={"Heavy": True}, place="on"),
    ]
    one, side = judge(nothing, **manner)
    found = one.judge(requests)
    (group,) = found.groups.values()
    assert group.example.options == {"Heavy": True}
    assert found.defaulted == ["Heavy"]
    assert [dict(each.options) for each in side.asked[:2]] == [{"Heavy": False}, {"Heavy": True}]
    assert one.judge(requests[1:]).defaulted == []


def test_subresources_are_operations_of_their_own() -> None:
    found = judge(agreeing)[0].judge([shelf(1, subresource="/status"), shelf(1)])
    assert set(found.tallies) == {(KIND, "create /status"), (KIND, "create")}


def test_a_side_is_asked_again_once_for_each_question() -> None:
    def all_wrong(request: Request) -> Answer:
        return [FieldError.invalid(f"other[{n}]", n, "").with_origin("x") for n in range(300)]

    one, side = judge(all_wrong)
    old = shelf(*range(6, 16)).obj
    found = one.judge([shelf(*range(7, 17), old=old)])
    assert found.mismatches == 310
    assert len(side.asked) < 10


def test_the_request_of_an_example_gives_the_same_mismatch() -> None:
    one, _ = judge(nothing)
    request = Request(
        "Shelf",
        {"levels": [{"height": 9}]},
        {"levels": []},
        update=True,
        options={"Heavy": True},
        subresource="/status",
    )
    (group,) = one.judge([request]).groups.values()
    again = group.example.to_request()
    assert (again.obj, again.old, again.update, dict(again.options), again.subresource) == (
        request.obj,
        request.old,
        True,
        {"Heavy": True},
        "/status",
    )
    assert one.judge([again]).groups.keys() == one.judge([request]).groups.keys()
