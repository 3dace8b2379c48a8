"""Patches: what they make, how little they say, and in which order."""

from __future__ import annotations

import copy
import json
from typing import Any

import jsonpatch
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import each
from validation_gen.webhooks.patches import build_patch, identical, not_json

_scalars = (
    st.none()
    | st.booleans()
    | st.integers(-2, 2)
    | st.floats(allow_nan=False, allow_infinity=False, width=16)
    | st.text("a/~1é", max_size=2)
)
_json = st.recursive(
    _scalars,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text("ab/~01", max_size=2), inner, max_size=4),
    max_leaves=20,
)
_objects = st.dictionaries(st.text("ab/~", max_size=2), _json, max_size=4)


def applied(patch: list[dict[str, Any]], obj: Any) -> Any:
    """An object after a patch, as RFC 6902 has it, written anew so that nothing else is tested with it."""
    found = [copy.deepcopy(obj)]
    for operation in patch:
        names = [name.replace("~1", "/").replace("~0", "~") for name in operation["path"].split("/")[1:]]
        holder: Any = found
        last: Any = 0
        for name in names:
            holder = holder[last]
            last = int(name) if isinstance(holder, list) else name
        if operation["op"] == "add" and isinstance(holder, list) and names:
            assert 0 <= last <= len(holder)
            holder.insert(last, operation["value"])
            continue
        if operation["op"] in ("remove", "replace") or isinstance(holder, list):
            holder[last]  # it is there
        if operation["op"] == "remove":
            del holder[last]
        else:
            holder[last] = operation["value"]
    return found[0]


@given(_json, _json)
def test_a_patch_makes_one_of_the_other(old: Any, new: Any) -> None:
    before = copy.deepcopy(old)
    patch = build_patch(old, new)
    assert identical(old, before)
    assert identical(applied(json.loads(json.dumps(patch)), old), new)
    assert identical(jsonpatch.apply_patch(old, patch), new)
    assert {operation["op"] for operation in patch} <= {"add", "remove", "replace"}
    assert bool(patch) is not identical(old, new)


@given(_objects)
def test_nothing_is_said_of_the_same(obj: Any) -> None:
    assert build_patch(obj, copy.deepcopy(obj)) == []


@given(_objects, _objects)
def test_the_order_of_members_is_nothing(old: Any, new: Any) -> None:
    def turned(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: turned(value[name]) for name in reversed(value)}
        return [turned(item) for item in value] if isinstance(value, list) else value

    assert json.dumps(build_patch(old, new), sort_keys=True) == json.dumps(
        build_patch(turned(old), turned(new)), sort_keys=True
    )


@each(
    ("old", "new", "patch"),
    [
        ({"a": 1}, {"a": True}, [{"op": "replace", "path": "/a", "value": True}]),
        ({"a": 1}, {"a": 1.0}, [{"op": "replace", "path": "/a", "value": 1.0}]),
        ({"a": 0}, {"a": False}, [{"op": "replace", "path": "/a", "value": False}]),
        ({"a": [1, 2, 3]}, {"a": [1, True, 3]}, [{"op": "replace", "path": "/a/1", "value": True}]),
        ({"a": None}, {}, [{"op": "remove", "path": "/a"}]),
        ({}, {"a": None}, [{"op": "add", "path": "/a", "value": None}]),
        ({}, {"a/b~c": {}}, [{"op": "add", "path": "/a~1b~0c", "value": {}}]),
        ({"a": {"": 1}}, {"a": {"": 2}}, [{"op": "replace", "path": "/a/", "value": 2}]),
        (
            {"b": 1, "a": 1, "d": 5},
            {"b": 2, "a": 2, "c": 5},  # which is no move
            [
                {"op": "replace", "path": "/a", "value": 2},
                {"op": "replace", "path": "/b", "value": 2},
                {"op": "add", "path": "/c", "value": 5},
                {"op": "remove", "path": "/d"},
            ],
        ),
        (
            {"a": [{"name": f"n{i}", "v": 1} for i in range(5)]},
            {"a": [{"name": f"n{i}", "v": 1 + (i == 3)} for i in range(5)]},
            [{"op": "replace", "path": "/a/3/v", "value": 2}],
        ),
        ({"a": [1, 2]}, {"a": []}, [{"op": "replace", "path": "/a", "value": []}]),
    ],
)
def test_what_patches_say(old: Any, new: Any, patch: list[dict[str, Any]]) -> None:
    found = build_patch(old, new)
    assert identical(found, patch)


def test_long_lists_are_replaced_and_cost_little() -> None:
    old = {"a": list(range(50_000)), "b": {"c": 1}}
    new = {"a": [*range(25_000), -1, *range(25_000, 50_000)], "b": {"c": 1}}
    assert build_patch(old, new) == [{"op": "replace", "path": "/a", "value": new["a"]}]
    many: Any = {f"{n:04}": [{} for _ in range(500)] for n in range(100)}
    filled = {name: [{"side": "left"} for _ in items] for name, items in many.items()}
    found = build_patch(many, filled)
    assert identical(applied(found, many), filled)
    assert len(found) == 100
    deep: Any = {"a": [{"b": [{"c": list(range(3000))}]}]}
    changed = copy.deepcopy(deep)
    changed["a"][0]["b"][0]["c"][7] = -1
    assert identical(applied(build_patch(deep, changed), deep), changed)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"a": {"b": [1, (2,)]}}, ".a.b[1] of type tuple"),
        ({"a": {1: 2}}, "the key 1 at .a"),
        ({"a": float("nan")}, ".a with the number nan"),
        ({"a": float("inf")}, ".a with the number inf"),
        ({"a": {1, 2}}, ".a of type set"),
    ],
)
def test_what_is_no_json(value: Any, said: str) -> None:
    assert not_json(value) == said
    assert not_json({"a": [None, True, 1, 1.5, "x", {}, []]}) == ""


def test_what_holds_itself_is_no_json() -> None:
    found: dict[str, Any] = {}
    found["a"] = found
    assert "nested too deeply" in not_json(found)
