"""A server makes of objects what our patches are to make of them."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.parties import Parties
from tests.webhooks.recorded import ADMISSIONS, body_of, review_of
from validation_gen.webhooks.mutating import Mutating
from validation_gen.webhooks.reviews import WRITING

#: Texts with all that is special in pointers and in JSON, and numbers that Go has, too.
TEXTS = st.text(st.sampled_from('ab~/01-é😀"\\<\n'), max_size=4)
SCALARS = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.sampled_from([0.5, -1.25]) | TEXTS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=25
)


def _filled(obj: Any) -> Any:
    """A default as the sample API declares it, and one in a part that is not there."""
    made = copy.deepcopy(obj)
    for each in made.get("spec", {}).get("compartments", []):
        each.setdefault("climate", "Ambient")
    made.setdefault("spec", {}).setdefault("autonomy", {}).setdefault("level", "Assisted")
    return made


def _answer(obj: Any, made: Any) -> dict[str, Any]:
    """Our answer to a request about an object, of which this is to be made."""
    endpoint = Mutating(lambda _: made)
    return dict(endpoint.filled(endpoint.read(json.dumps(_asked(obj)).encode())).review)


def _asked(obj: Any) -> dict[str, Any]:
    review = review_of("create-robot-as-sent")
    review["request"]["object"] = obj
    return review


@pytest.mark.parametrize("name", ADMISSIONS)
def test_recorded_requests(name: str, parties: Parties) -> None:
    endpoint = Mutating(_filled)
    request = review_of(name)
    asked = request["request"]
    taken = parties.admission(request, endpoint.filled(endpoint.read(body_of(name))).review, mutating=True)
    assert taken.problems == ()
    assert taken.allowed
    is_filled = asked["operation"] in WRITING and asked.get("subResource") in (None, "status")
    assert taken.object == (_filled(asked["object"]) if is_filled else asked["object"])
    # Asked again about what it has got, it wants nothing.
    if is_filled:
        asked["object"] = taken.object
        again = endpoint.filled(endpoint.read(json.dumps(request).encode())).review["response"]
        assert again == {"uid": asked["uid"], "allowed": True}


@given(old=VALUES, new=VALUES)
def _patches_are_applied(parties: Parties, old: Any, new: Any) -> None:
    head = {"apiVersion": "robots.example.com/v1", "kind": "Robot", "metadata": {"name": "hermes"}}
    before, after = {**head, "spec": old}, {**head, "spec": new}
    taken = parties.admission(_asked(before), _answer(before, after), mutating=True)
    assert taken.allowed, taken.kubectl
    assert json.dumps(taken.object, sort_keys=True) == json.dumps(after, sort_keys=True)


def test_drawn_patches(parties: Parties) -> None:
    _patches_are_applied(parties)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"a": None}, {"a": 1}),
        ({"a": 1}, {"a": None}),
        ({"a": None}, {}),
        ({}, {"": {"/": {"~": "~1"}}}),
        ({"": 1}, {"": 2}),
        ({"-": [1], "0": {}}, {"-": [1, 2], "0": {"0": 1}}),
        ([], [[], {}, None]),
        ([None, 1], [1, None]),
        ([1, 2, 3], [3, 2, 1]),
        ([{"name": "a"}, {"name": "b"}], [{"name": "b"}, {"name": "c"}]),
        ({"a": True}, {"a": 1}),
        ({"a": "1"}, {"a": 1}),
        ({"a": []}, {"a": {}}),
        ({"a": 9007199254740993}, {"a": 9007199254740992}),
    ],
)
def test_patches(old: Any, new: Any, parties: Parties) -> None:
    head = {"apiVersion": "robots.example.com/v1", "kind": "Robot", "metadata": {"name": "hermes"}}
    before, after = {**head, "spec": old}, {**head, "spec": new}
    taken = parties.admission(_asked(before), _answer(before, after), mutating=True)
    assert json.dumps(taken.object, sort_keys=True) == json.dumps(after, sort_keys=True), taken.kubectl
